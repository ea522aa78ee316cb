// SPDX-License-Identifier: Apache-2.0
/* Whether vectors fit their locations, and which of them the languages have, once the types and places of all are known. */
#include "litmus/language/visit.h"
#include "litmus/parse/parser.h"

struct checker {
    struct parser *parser;
    enum status status;
};

/* The location whose storage the vector is in. */
static const struct litmus_location *location_of(const struct parser *parser, const struct litmus_vector *vector)
{
    return &parser->test->locations[vector->access.address->index];
}

static uint32_t first_of(const struct litmus_vector *vector)
{
    const struct litmus_expression *element = vector->access.address->left;
    return element ? (uint32_t)element->value : 0;
}

/* Three words are as far apart as four (OpenCL C 3.0, 6.3.5 "Alignment of Types"). */
static uint32_t alignment_of(const struct litmus_vector *vector)
{
    return vector->unaligned ? 1 : vector->lanes == 3 ? 4 : vector->lanes;
}

/* The words of a vector are elements of an array, one each. */
static enum status check_elements(struct parser *parser, const struct litmus_vector *vector)
{
    const struct litmus_location *location = location_of(parser, vector);
    const struct litmus_place place = vector->access.address->place;
    const uint32_t first = first_of(vector);
    const size_t word = litmus_type_size(vector->access.type), size = litmus_type_size(location->type);
    if (word != size || (vector->whole && size != 8))
        return parser_fail(parser, place, STATUS_SYNTAX,
                           "expected '%s' with elements of %zu bytes, as the words of the vector, found %zu bytes",
                           location->name, vector->whole ? 8 : word, size);
    if (location->elements < first + vector->lanes)
        return parser_fail(parser, place, STATUS_SYNTAX,
                           "expected an array of at least %u elements, such as %s[%u]={...}, found %u",
                           first + vector->lanes, location->name, first + vector->lanes, location->elements);
    if (first % alignment_of(vector) != 0)
        return parser_fail(parser, place, STATUS_SYNTAX,
                           "expected an element at a multiple of %zu bytes, the size of the vector, found '%s[%u]'",
                           word * alignment_of(vector), location->name, first);
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
    struct checker *checker = context;
    struct parser *parser = checker->parser;
    const struct litmus_vector *vector = &statement->vector;
    if (statement->kind != LITMUS_VECTOR || checker->status != STATUS_OK)
        return;
    checker->status = check_elements(parser, vector);
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
    struct checker checker = {parser, STATUS_OK};
    const struct visitor visitor = {.statement = check_vector, .context = &checker};
    for (size_t i = 0; i < test->body_count; i++)
        litmus_visit_block(&test->threads[i].body, &visitor);
    return checker.status;
}
