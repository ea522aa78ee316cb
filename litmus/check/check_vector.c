// SPDX-License-Identifier: Apache-2.0
/* Checks that vectors fit their locations and exist in the language, once all types and regions
 * are known. */
#include <string.h>

#include "litmus/language/value.h"
#include "litmus/language/visit.h"
#include "litmus/parse/parser.h"

struct register_setter {
    const struct litmus_expression *value; /* of the one assignment, or NULL */
    bool unknown;                          /* there are more, or a vector sets it */
};

struct vector_checker {
    struct parser *parser;
    const struct litmus_thread *thread;
    struct register_setter setters[LITMUS_MAXIMUM_REGISTERS];
    enum status status;
};

/* The location whose storage the vector is in. */
static const struct litmus_location *location_of(const struct parser *parser, const struct litmus_vector *vector)
{
    return &parser->test->locations[vector->access.address->index];
}

/* ---- the element of the first word ---- */

/* Notes for each register of the thread what sets it. */
static void note_setters(struct vector_checker *checker)
{
    const struct litmus_block *body = &checker->thread->body;
    memset(checker->setters, 0, sizeof checker->setters);
    for (size_t i = 0; i < body->count; i++) {
        const struct litmus_statement *statement = &body->statements[i];
        if (statement->kind == LITMUS_ASSIGN) {
            struct register_setter *setter = &checker->setters[statement->target];
            setter->unknown = setter->value != NULL;
            setter->value = statement->value;
        }
        const int *registers;
        const size_t count = litmus_statement_access(statement) ? litmus_statement_registers(statement, &registers) : 0;
        for (size_t lane = 0; lane < count; lane++)
            if (registers[lane] != LITMUS_NONE)
                checker->setters[registers[lane]].unknown = true;
    }
}

static bool number_of(const struct vector_checker *checker, const struct litmus_expression *expression, unsigned number,
                      unsigned depth, struct litmus_value *value);

static bool number_in_register(const struct vector_checker *checker, int index, unsigned number, unsigned depth,
                               struct litmus_value *value)
{
    const struct litmus_register *own = &checker->thread->registers[index];
    const struct register_setter *setter = &checker->setters[index];
    if (setter->unknown || own->points_to != LITMUS_NONE)
        return false;
    if (setter->value) /* 0 may be read before: it is the number of an element too */
        return own->initial == 0 && !own->numbered && number_of(checker, setter->value, number, depth, value);
    *value = (struct litmus_value){own->numbered ? (int64_t)number : own->initial, own->type};
    return true;
}

/* The number of an element in the thread with that number in its range. False if it depends on the
 * run: it must be computed only from constants and the thread's number, in registers that are set
 * once. */
static bool number_of(const struct vector_checker *checker, const struct litmus_expression *expression, unsigned number,
                      unsigned depth, struct litmus_value *value)
{
    struct litmus_value left, right;
    if (depth == 0)
        return false;
    switch (expression->kind) {
    case LITMUS_EXPRESSION_CONSTANT:
        *value = (struct litmus_value){expression->value, LITMUS_INT};
        return true;
    case LITMUS_EXPRESSION_REGISTER:
        return number_in_register(checker, expression->index, number, depth - 1, value);
    case LITMUS_EXPRESSION_BINARY:
        if (!number_of(checker, expression->left, number, depth - 1, &left) ||
            !number_of(checker, expression->right, number, depth - 1, &right))
            return false;
        *value = litmus_value_binary(expression->op, left, right);
        return true;
    case LITMUS_EXPRESSION_ADDRESS:
    case LITMUS_EXPRESSION_UNARY:
    case LITMUS_EXPRESSION_ACCESS:
        break;
    }
    return false;
}

/* The words of a vector are elements of an array, one each. */
static enum status check_words(struct parser *parser, const struct litmus_vector *vector)
{
    const struct litmus_location *location = location_of(parser, vector);
    const struct litmus_place place = vector->access.address->place;
    const size_t word = litmus_type_size(vector->access.type), size = litmus_type_size(location->type);
    if (word != size || (vector->whole && size != 8))
        return parser_fail(parser, place, STATUS_SYNTAX,
                           "expected '%s' with elements of %zu bytes, as the words of the vector, found %zu bytes",
                           location->name, vector->whole ? 8 : word, size);
    return STATUS_OK;
}

static enum status check_first(struct parser *parser, const struct litmus_vector *vector, int64_t first)
{
    const struct litmus_location *location = location_of(parser, vector);
    const struct litmus_place place = vector->access.address->place;
    const uint32_t alignment = vector->unaligned ? 1 : vector->lanes;
    if (first < 0 || first > LITMUS_MAXIMUM_ELEMENTS || location->elements < (uint32_t)first + vector->lanes)
        return parser_fail(parser, place, STATUS_SYNTAX,
                           "expected an array that holds all %u words of the vector, from element %lld on, found "
                           "'%s' with %u element%s",
                           vector->lanes, (long long)first, location->name, location->elements,
                           location->elements == 1 ? "" : "s");
    if ((uint32_t)first % alignment != 0)
        return parser_fail(parser, place, STATUS_SYNTAX,
                           "expected an element at a multiple of %zu bytes, the size of the vector, found '%s[%lld]'",
                           litmus_type_size(vector->access.type) * alignment, location->name, (long long)first);
    return STATUS_OK;
}

static enum status check_elements(const struct vector_checker *checker, const struct litmus_vector *vector)
{
    enum { DEPTH = 8 };
    struct parser *parser = checker->parser;
    const struct litmus_expression *element = vector->access.address->left;
    TRY(check_words(parser, vector));
    if (!element)
        return check_first(parser, vector, 0);
    for (unsigned number = 0; number < checker->thread->count; number++) {
        struct litmus_value value;
        if (!number_of(checker, element, number, DEPTH, &value))
            return parser_fail(
                parser, element->place, STATUS_SYNTAX,
                "expected an index that is a number, or a register set once from constants and the thread's "
                "number in its range (P0:r0=%%tid)");
        TRY(check_first(parser, vector, value.value));
    }
    return STATUS_OK;
}

/* PTX ISA, ld and st: 16 bytes, or in global memory 32: .v8 of 32 bits and .v4 of 64 bits. */
static enum status check_size(struct parser *parser, const struct litmus_vector *vector, struct litmus_place place)
{
    const size_t word = litmus_type_size(vector->access.type), size = vector->lanes * word;
    if (size > 32 || (vector->lanes == 8 && word != 4))
        return parser_fail(
            parser, place, STATUS_SYNTAX,
            "expected at most 16 bytes, or 32 as .v8 of 32 bits or .v4 of 64 bits, found .v%u of %zu bits",
            vector->lanes, 8 * word);
    if (size > 16 && location_of(parser, vector)->region != LITMUS_GLOBAL)
        return parser_fail(parser, place, STATUS_SYNTAX,
                           "expected at most 16 bytes in shared memory (32 in global memory), found %zu", size);
    return STATUS_OK;
}

/* PTX ISA, atom and red: .v2 and .v4 of f32, in global memory. */
static enum status check_atomic(struct parser *parser, const struct litmus_vector *vector, struct litmus_place place)
{
    const struct litmus_access *access = &vector->access;
    if (access->operation < LITMUS_EXCHANGE || vector->whole)
        return STATUS_OK;
    if (access->type != LITMUS_FLOAT || vector->lanes > 4)
        return parser_fail(parser, place, STATUS_SYNTAX, "expected .v2.f32 or .v4.f32 of an atomic, found .v%u of %s",
                           vector->lanes, litmus_type_name(access->type));
    if (location_of(parser, vector)->region != LITMUS_GLOBAL)
        return parser_fail(parser, place, STATUS_SYNTAX,
                           "expected a vector atomic of global memory, found '%s' in shared memory",
                           location_of(parser, vector)->name);
    return STATUS_OK;
}

static void check_vector(const struct litmus_statement *statement, void *context)
{
    struct vector_checker *checker = context;
    struct parser *parser = checker->parser;
    const struct litmus_vector *vector = &statement->vector;
    if (!litmus_statement_access(statement) || checker->status != STATUS_OK)
        return;
    checker->status = check_elements(checker, vector);
    if (parser->test->dialect != LITMUS_PTX)
        return;
    if (checker->status == STATUS_OK)
        checker->status = check_size(parser, vector, statement->place);
    if (checker->status == STATUS_OK)
        checker->status = check_atomic(parser, vector, statement->place);
}

enum status parse_check_vectors(struct parser *parser)
{
    const struct litmus_test *test = parser->test;
    struct vector_checker checker = {.parser = parser};
    const struct visitor visitor = {.statement = check_vector, .context = &checker};
    for (size_t i = 0; i < test->body_count && checker.status == STATUS_OK; i++) {
        checker.thread = &test->threads[i];
        note_setters(&checker);
        litmus_visit_block(&test->threads[i].body, &visitor);
    }
    return checker.status;
}
