// SPDX-License-Identifier: Apache-2.0
/* Checks the operations on values and locations of each type. Values of float and double are whole numbers that the
 * type holds exactly, so nothing may be computed or converted from them: the device's result for a torn value would not
 * be visible. PTX and CUDA add to them in memory. Types narrower than 32 bits have few atomic operations or none. */
#include "litmus/check/checker.h"
#include "litmus/dialects.h"
#include "litmus/language/order.h"
#include "litmus/language/value.h"

enum { ANY_TYPE = LITMUS_NONE }; /* of a constant */

static int type_of(const struct checker *checker, const struct litmus_expression *expression)
{
    const enum litmus_operator op = expression->op;
    switch (expression->kind) {
    case LITMUS_EXPRESSION_CONSTANT:
        return ANY_TYPE;
    case LITMUS_EXPRESSION_REGISTER:
        return (int)checker->thread->registers[expression->index].type;
    case LITMUS_EXPRESSION_ACCESS:
        /* A compare_exchange that gives success gives an int. */
        if (expression->access->type == LITMUS_MBARRIER)
            return LITMUS_INT; /* whether the phase has ended */
        return operation_compares(expression->access->operation) && !expression->access->expected
                   ? LITMUS_INT
                   : (int)expression->access->type;
    case LITMUS_EXPRESSION_UNARY:
        return op == LITMUS_NOT ? LITMUS_INT : type_of(checker, expression->left);
    case LITMUS_EXPRESSION_BINARY:
        return op >= LITMUS_EQ && op <= LITMUS_LOGICAL_OR ? LITMUS_INT : type_of(checker, expression->left);
    case LITMUS_EXPRESSION_ADDRESS:
        break;
    }
    return LITMUS_ULONG;
}

static bool is_float(int type)
{
    return type != ANY_TYPE && litmus_type_is_float((enum litmus_type)type);
}

static const char *name_of(int type)
{
    return type == ANY_TYPE ? "a number" : litmus_type_name((enum litmus_type)type);
}

static enum status check_exact(struct parser *parser, int type, int64_t value, struct litmus_place place)
{
    if (type == LITMUS_FLAG && value != 0 && value != 1)
        return parser_fail(parser, place, "expected 0 or 1 for an atomic_flag, found %lld", (long long)value);
    if (type == LITMUS_MBARRIER && (value < 1 || value > MBARRIER_MOST))
        return parser_fail(parser, place,
                           "expected the number of arrivals that end a phase of the mbarrier, from 1 to %d, found %lld",
                           MBARRIER_MOST, (long long)value);
    return type == ANY_TYPE ? STATUS_OK : parser_fits(parser, (enum litmus_type)type, value, place);
}

/* Two types that meet: if one is float or double, the other is the same. */
static enum status check_same(struct parser *parser, int type, int other, struct litmus_place place)
{
    if (type == other || type == ANY_TYPE || other == ANY_TYPE || (!is_float(type) && !is_float(other)))
        return STATUS_OK;
    return parser_fail(parser, place, "expected a value of type %s (float and double are never converted), found %s",
                       name_of(type), name_of(other));
}

/* A value that goes where `type` is. */
static enum status check_fits(const struct checker *checker, int type, const struct litmus_expression *expression)
{
    if (expression->kind == LITMUS_EXPRESSION_CONSTANT)
        return check_exact(checker->parser, type, expression->value, expression->place);
    return check_same(checker->parser, type, type_of(checker, expression), expression->place);
}

static enum status check_whole(const struct checker *checker, const struct litmus_expression *expression,
                               struct litmus_place place)
{
    const bool constant = expression->kind == LITMUS_EXPRESSION_CONSTANT && expression->suffix == LITMUS_FLOAT;
    const int type = constant ? (int)LITMUS_FLOAT : type_of(checker, expression);
    if (!is_float(type))
        return STATUS_OK;
    return parser_fail(checker->parser, place,
                       "expected an integer (a float or double can only be loaded, stored, exchanged, and compared "
                       "with == or !=), found %s",
                       name_of(type));
}

static enum status check_expression(const struct checker *checker, const struct litmus_expression *expression);

static enum status check_address(const struct checker *checker, const struct litmus_access *access,
                                 const struct litmus_expression *address)
{
    if (address->kind != LITMUS_EXPRESSION_ADDRESS)
        return STATUS_OK;
    TRY(check_same(checker->parser, (int)checker->parser->test->locations[address->index].type, (int)access->type,
                   address->place));
    if (!address->left)
        return STATUS_OK;
    TRY(check_expression(checker, address->left));
    return check_whole(checker, address->left, address->left->place);
}

/* The functions of OpenCL C 1.x take pointers to int and uint; those of its extensions of 64 bits are named atom_. */
static bool legacy_takes(const struct litmus_access *access)
{
    switch (access->type) {
    case LITMUS_INT:
    case LITMUS_UINT:
        return true;
    case LITMUS_LONG:
    case LITMUS_ULONG:
        return access->spelling.legacy_atom;
    case LITMUS_FLOAT:
        return access->operation == LITMUS_EXCHANGE && !access->spelling.legacy_atom;
    default:
        return false;
    }
}

static enum status check_legacy(const struct checker *checker, const struct litmus_expression *expression)
{
    const struct litmus_access *access = expression->access;
    const struct litmus_expression *address = access->address;
    const char *found = litmus_type_name(access->type), *atomic = "";
    if (address->kind != LITMUS_EXPRESSION_ADDRESS)
        found = "an address in a register";
    else if (checker->parser->test->locations[address->index].atomic)
        atomic = "atomic_";
    else if (address->generic)
        found = "a pointer without an address space";
    else if (legacy_takes(access))
        return STATUS_OK;
    return parser_fail(checker->parser, address->place,
                       "expected a pointer to a type that this function takes (int or uint, also long or ulong for "
                       "atom_ functions, also float for atomic_xchg), found %s%s",
                       atomic, found);
}

/* Types narrower than 32 bits: PTX ISA, ld and atom; CUDA C++ Programming Guide, atomicCAS; OpenCL C 3.0, 6.15.12.6. */
static const char *narrow_operations(enum litmus_dialect dialect, const struct litmus_access *access)
{
    const bool unordered = access->order == LITMUS_PLAIN || access->order == LITMUS_VOLATILE;
    const bool moves = operation_moves(access->operation);
    const bool compares = access->operation == LITMUS_CAS && access->expected;
    if (dialect == LITMUS_PTX)
        return moves || (compares && litmus_type_size(access->type) == 2) ? NULL : "a load, a store or cas.b16";
    if ((moves && unordered) || (dialect == LITMUS_CUDA && compares && access->type == LITMUS_USHORT))
        return NULL;
    return dialect == LITMUS_CUDA ? "a plain or volatile access, not an atomic one,"
                                  : "a plain load or store, not an atomic one,";
}

/* The dialect's alternative to the operation for the access's type; NULL if it has the operation. */
static const char *other_operations(enum litmus_dialect dialect, const struct litmus_access *access)
{
    if (litmus_type_is_float(access->type)) {
        /* A float or a double is moved, and in PTX and CUDA added to. */
        const bool adds = dialects[dialect].is_nvidia;
        if (access->operation < LITMUS_FETCH_ADD || (adds && access->operation == LITMUS_FETCH_ADD))
            return NULL;
        return adds ? "a load, a store, an addition, an exchange or a compare-and-exchange"
                    : "a load, a store, an exchange or a compare-and-exchange";
    }
    return litmus_type_size(access->type) < 4 ? narrow_operations(dialect, access) : NULL;
}

const struct litmus_location *checker_location(const struct checker *checker, const struct litmus_expression *address)
{
    const int index = address->kind == LITMUS_EXPRESSION_ADDRESS ? address->index
                                                                 : checker->thread->registers[address->index].points_to;
    return index == LITMUS_NONE ? NULL : &checker->parser->test->locations[index];
}

/* Nobody writes constant memory, and only operations of their own access an atomic_flag, an mbarrier and a tensor
 * map. */
static enum status check_location(const struct checker *checker, const struct litmus_expression *expression)
{
    const struct litmus_access *access = expression->access;
    const struct litmus_expression *const addresses[] = {access->address, access->expected_address};
    const bool flag = access->type == LITMUS_FLAG && access->order == LITMUS_PLAIN;
    const bool replaces = access->operand && access->operand->kind == LITMUS_EXPRESSION_ADDRESS;
    for (size_t i = 0; i < 2; i++) {
        const struct litmus_location *location = addresses[i] ? checker_location(checker, addresses[i]) : NULL;
        if (location && location->constant && (i == 1 || access->operation != LITMUS_LOAD))
            return parser_fail(checker->parser, expression->place,
                               "expected no write to '%s', which is in constant memory", location->name);
        if (location && location->type == LITMUS_MBARRIER && !operation_is_mbarrier(access->operation))
            return parser_fail(checker->parser, expression->place,
                               "expected an operation such as mbarrier.arrive for '%s', which is an mbarrier",
                               location->name);
        if (location && location->type == LITMUS_TENSORMAP && !replaces)
            return parser_fail(checker->parser, expression->place,
                               "expected tensormap.replace of '%s', which is a tensor map", location->name);
        if (location && location->type == LITMUS_FLAG && (flag || i == 1))
            return parser_fail(
                checker->parser, expression->place,
                "expected atomic_flag_test_and_set or atomic_flag_clear of '%s', which is an atomic_flag",
                location->name);
    }
    return STATUS_OK;
}

/* C converts no pointer to the expected value. */
static enum status check_expected(const struct checker *checker, const struct litmus_expression *expression)
{
    const struct litmus_access *access = expression->access;
    if (access->expected || access->expected_address || access->expected_register == LITMUS_NONE)
        return STATUS_OK;
    const enum litmus_type type = checker->thread->registers[access->expected_register].type;
    if (litmus_type_size(type) != litmus_type_size(access->type))
        return parser_fail(checker->parser, expression->place,
                           "expected a register of type %s for the expected value, found %s",
                           litmus_type_name(access->type), litmus_type_name(type));
    return check_same(checker->parser, (int)access->type, (int)type, expression->place);
}

static enum status check_access(const struct checker *checker, const struct litmus_expression *expression)
{
    const struct litmus_access *access = expression->access;
    const enum litmus_dialect dialect = checker->parser->test->dialect;
    const char *const others = other_operations(dialect, access);
    if (access->spelling.legacy)
        TRY(check_legacy(checker, expression));
    if (others)
        return parser_fail(checker->parser, expression->place, "expected %s of type %s, found %s", others,
                           litmus_type_name(access->type), litmus_operation_name(dialect, access->operation));
    const bool steps = access->operation == LITMUS_FETCH_INC || access->operation == LITMUS_FETCH_DEC;
    /* They compare without a sign, in 32 bits. */
    if (steps && access->type != LITMUS_UINT && !(dialect == LITMUS_PTX && access->type == LITMUS_INT))
        return parser_fail(checker->parser, expression->place,
                           "expected unsigned 32-bit numbers for inc and dec, found type %s",
                           litmus_type_name(access->type));
    TRY(check_location(checker, expression));
    TRY(check_address(checker, access, access->address));
    if (access->expected_address)
        TRY(check_address(checker, access, access->expected_address));
    TRY(check_expected(checker, expression));
    const struct litmus_expression *const operands[] = {access->operand, access->expected};
    for (size_t i = 0; i < COUNT(operands); i++)
        if (operands[i]) {
            TRY(check_expression(checker, operands[i]));
            TRY(check_fits(checker, access->type == LITMUS_MBARRIER ? LITMUS_UINT : (int)access->type, operands[i]));
        }
    return STATUS_OK;
}

static enum status check_binary(const struct checker *checker, const struct litmus_expression *expression)
{
    const struct litmus_expression *left = expression->left, *right = expression->right;
    TRY(check_expression(checker, left));
    TRY(check_expression(checker, right));
    const bool equal = expression->op == LITMUS_EQ || expression->op == LITMUS_NE;
    const bool shifts = expression->op == LITMUS_SHL || expression->op == LITMUS_SHR;
    if (!equal) {
        TRY(check_whole(checker, left, expression->place));
        TRY(check_whole(checker, right, expression->place));
    }
    /* In C a number has as many bits as it needs, in an instruction of PTX as many as the instruction. */
    if (!equal && (shifts || checker->parser->test->dialect != LITMUS_PTX))
        return STATUS_OK;
    TRY(check_fits(checker, type_of(checker, left), right));
    return check_fits(checker, type_of(checker, right), left);
}

static enum status check_expression(const struct checker *checker, const struct litmus_expression *expression)
{
    switch (expression->kind) {
    case LITMUS_EXPRESSION_ACCESS:
        return check_access(checker, expression);
    case LITMUS_EXPRESSION_BINARY:
        return check_binary(checker, expression);
    case LITMUS_EXPRESSION_UNARY:
        TRY(check_expression(checker, expression->left));
        return check_whole(checker, expression->left, expression->place);
    case LITMUS_EXPRESSION_CONSTANT:
    case LITMUS_EXPRESSION_REGISTER:
    case LITMUS_EXPRESSION_ADDRESS:
        break;
    }
    return STATUS_OK;
}

static enum status check_block(const struct checker *checker, const struct litmus_block *block)
{
    FOR_EACH(const struct litmus_statement, statement, block->statements, block->count) {
        if (statement->value)
            TRY(check_expression(checker, statement->value));
        if (litmus_statement_access(statement)) {
            /* The words of a vector are accesses like others. */
            struct litmus_expression *operands[STATEMENT_MAXIMUM_OPERANDS];
            const size_t count = litmus_statement_operands(statement, operands);
            const int *registers;
            const size_t set = litmus_statement_registers(statement, &registers);
            struct litmus_access access = *litmus_statement_access(statement);
            const struct litmus_expression word = {
                .kind = LITMUS_EXPRESSION_ACCESS, .place = statement->place, .access = &access};
            TRY(check_access(checker, &word));
            for (size_t k = 0; k < set; k++)
                if (registers[k] != LITMUS_NONE)
                    TRY(check_same(checker->parser, (int)checker->thread->registers[registers[k]].type,
                                   (int)access.type, statement->place));
            for (size_t k = 1; k < count; k++) { /* after the address */
                TRY(check_expression(checker, operands[k]));
                TRY(check_fits(checker, (int)access.type, operands[k]));
            }
        }
        if (statement->kind == LITMUS_COPY && statement->copy.value)
            TRY(check_fits(checker, (int)statement->copy.type, statement->copy.value));
        if (statement->kind == LITMUS_ASSIGN)
            TRY(check_fits(checker, (int)checker->thread->registers[statement->target].type, statement->value));
        else if (statement->value && statement->kind != LITMUS_PERFORM)
            TRY(check_whole(checker, statement->value, statement->place));
        TRY(check_block(checker, &statement->body));
        TRY(check_block(checker, &statement->otherwise));
    }
    return STATUS_OK;
}

/* The condition and the filter have no places of their own. */
static enum status check_proposition(struct parser *parser, const struct litmus_proposition *proposition)
{
    const struct litmus_test *test = parser->test;
    int types[2] = {ANY_TYPE, ANY_TYPE};
    if (!proposition)
        return STATUS_OK;
    for (int i = 0; i < 2 && proposition->kind == LITMUS_ATOM; i++)
        if (proposition->terms[i].variable != LITMUS_NONE)
            types[i] = (int)litmus_variable_type(test, &test->variables[proposition->terms[i].variable]);
    TRY(check_same(parser, types[0], types[1], parser->token.place));
    for (int i = 0; i < 2; i++)
        if (types[i] == ANY_TYPE && proposition->kind == LITMUS_ATOM)
            TRY(check_exact(parser, types[1 - i], proposition->terms[i].value, parser->token.place));
    TRY(check_proposition(parser, proposition->left));
    return check_proposition(parser, proposition->right);
}

/* "mbarrier m" has none: mbarrier.init makes an object of it. */
static bool has_values(const struct parser *parser, size_t location)
{
    const struct litmus_location *own = &parser->test->locations[location];
    return own->initial && (own->type != LITMUS_MBARRIER || parser->notes[location].value_count > 0);
}

enum status parse_check_types(struct parser *parser)
{
    const struct litmus_test *test = parser->test;
    for (size_t i = 0; i < test->location_count; i++)
        for (uint32_t k = 0; k < test->locations[i].elements && has_values(parser, i); k++)
            TRY(check_exact(parser, (int)test->locations[i].type, test->locations[i].initial[k],
                            test->locations[i].place));
    for (size_t i = 0; i < test->body_count; i++) {
        const struct checker checker = {parser, &test->threads[i], STATUS_OK};
        for (size_t k = 0; k < test->threads[i].register_count; k++)
            TRY(check_exact(parser, (int)test->threads[i].registers[k].type, test->threads[i].registers[k].initial,
                            test->threads[i].place));
        TRY(check_block(&checker, &test->threads[i].body));
    }
    TRY(check_proposition(parser, test->condition));
    return check_proposition(parser, test->filter);
}

/* ---- vectors fit their locations and exist in the language ---- */

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

/* The number of an element in the thread with that number in its range. False if it depends on the run: it must be
 * computed only from constants and the thread's number, in registers that are set once. */
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

static enum status check_first(struct parser *parser, const struct litmus_vector *vector, int64_t first)
{
    const struct litmus_location *location = location_of(parser, vector);
    const struct litmus_place place = vector->access.address->place;
    const uint32_t alignment = vector->unaligned ? 1 : vector->lanes;
    if (first < 0 || first > LITMUS_MAXIMUM_ELEMENTS || location->elements < (uint32_t)first + vector->lanes)
        return parser_fail(parser, place,
                           "expected an array with room for all %u words of the vector from element %lld on, found "
                           "'%s' with %u element%s",
                           vector->lanes, (long long)first, location->name, location->elements,
                           location->elements == 1 ? "" : "s");
    if ((uint32_t)first % alignment != 0)
        return parser_fail(parser, place,
                           "expected an element at a multiple of %zu bytes, the size of the vector, found '%s[%lld]'",
                           litmus_type_size(vector->access.type) * alignment, location->name, (long long)first);
    return STATUS_OK;
}

static enum status check_elements(const struct vector_checker *checker, const struct litmus_vector *vector)
{
    enum { DEPTH = 8 };
    struct parser *parser = checker->parser;
    const struct litmus_expression *element = vector->access.address->left;
    /* The words of a vector are elements of an array, one each. */
    const struct litmus_location *location = location_of(parser, vector);
    const struct litmus_place place = vector->access.address->place;
    const size_t word = litmus_type_size(vector->access.type), size = litmus_type_size(location->type);
    if (word != size || (vector->whole && size != 8))
        return parser_fail(parser, place,
                           "expected '%s' to have elements of %zu bytes, like the vector, found %zu bytes",
                           location->name, vector->whole ? 8 : word, size);
    if (!element)
        return check_first(parser, vector, 0);
    for (unsigned number = 0; number < checker->thread->count; number++) {
        struct litmus_value value;
        if (!number_of(checker, element, number, DEPTH, &value))
            return parser_fail(
                parser, element->place,
                "expected as index a number, or a register that is set once, from constants and the thread's "
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
        return parser_fail(parser, place,
                           "expected at most 16 bytes (32 as .v8 of 32 bits or .v4 of 64 bits), found .v%u of %zu bits",
                           vector->lanes, 8 * word);
    if (size > 16 && location_of(parser, vector)->region != LITMUS_GLOBAL)
        return parser_fail(parser, place, "expected at most 16 bytes in shared memory (32 in global memory), found %zu",
                           size);
    return STATUS_OK;
}

/* PTX ISA, atom and red: .v2 and .v4 of f32, in global memory. */
static enum status check_atomic(struct parser *parser, const struct litmus_vector *vector, struct litmus_place place)
{
    const struct litmus_access *access = &vector->access;
    if (access->operation < LITMUS_EXCHANGE || vector->whole)
        return STATUS_OK;
    if (access->type != LITMUS_FLOAT || vector->lanes > 4)
        return parser_fail(parser, place, "expected an atomic with .v2.f32 or .v4.f32, found .v%u of %s", vector->lanes,
                           litmus_type_name(access->type));
    if (location_of(parser, vector)->region != LITMUS_GLOBAL)
        return parser_fail(parser, place,
                           "expected a vector atomic to access global memory, found '%s' in shared memory",
                           location_of(parser, vector)->name);
    return STATUS_OK;
}

static void check_vector(struct vector_checker *checker, const struct litmus_statement *statement)
{
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
    for (size_t i = 0; i < test->body_count && checker.status == STATUS_OK; i++) {
        checker.thread = &test->threads[i];
        /* Notes for each register of the thread what sets it. */
        const struct litmus_block *body = &checker.thread->body;
        memset(checker.setters, 0, sizeof checker.setters);
        FOR_EACH(const struct litmus_statement, statement, body->statements, body->count) {
            if (statement->kind == LITMUS_ASSIGN) {
                struct register_setter *setter = &checker.setters[statement->target];
                setter->unknown = setter->value != NULL;
                setter->value = statement->value;
            }
            const int *registers;
            const size_t count =
                litmus_statement_access(statement) ? litmus_statement_registers(statement, &registers) : 0;
            for (size_t lane = 0; lane < count; lane++)
                if (registers[lane] != LITMUS_NONE)
                    checker.setters[registers[lane]].unknown = true;
        }
        for (struct litmus_walk walk = litmus_walk_block(&test->threads[i].body); litmus_walk_next(&walk);)
            if (walk.statement)
                check_vector(&checker, walk.statement);
    }
    return checker.status;
}

/* ---- locations of VULKAN tests have types that its atomic instructions have ---- */

enum status parse_check_vulkan(struct parser *parser)
{
    const struct litmus_test *test = parser->test;
    if (test->dialect != LITMUS_VULKAN)
        return STATUS_OK;
    FOR_EACH(const struct litmus_location, location, test->locations, test->location_count) {
        const size_t size = litmus_type_size(location->type);
        if (size < 4 || litmus_type_is_float(location->type))
            return parser_fail(parser, location->place,
                               "expected '%s' to be an int, a uint, a long or a ulong, found %s", location->name,
                               litmus_type_name(location->type));
        if (location->region != LITMUS_GLOBAL)
            return parser_fail(parser, location->place,
                               "expected no region for '%s': in VULKAN, the storage class of an access says where "
                               "the location is",
                               location->name);
    }
    return STATUS_OK;
}
