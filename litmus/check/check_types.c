// SPDX-License-Identifier: Apache-2.0
/*
 * Checks the operations on values and locations of each type. Values of float and double are whole
 * numbers that the type holds exactly, so nothing may be computed or converted from them: the
 * device's result for a torn value would not be visible. PTX and CUDA add to them in memory. Types
 * narrower than 32 bits have few atomic operations or none.
 */
#include "litmus/check/checker.h"
#include "litmus/dialects.h"
#include "litmus/language/mbarrier.h"
#include "litmus/language/order.h"

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
        return parser_fail(parser, place, STATUS_SYNTAX, "expected 0 or 1 for an atomic_flag, found %lld",
                           (long long)value);
    if (type == LITMUS_MBARRIER && (value < 1 || value > MBARRIER_MOST))
        return parser_fail(parser, place, STATUS_SYNTAX,
                           "expected the number of arrivals that end a phase of the mbarrier, from 1 to %d, found %lld",
                           MBARRIER_MOST, (long long)value);
    return type == ANY_TYPE ? STATUS_OK : parser_fits(parser, (enum litmus_type)type, value, place);
}

/* Two types that meet: if one is float or double, the other is the same. */
static enum status check_same(struct parser *parser, int type, int other, struct litmus_place place)
{
    if (type == other || type == ANY_TYPE || other == ANY_TYPE || (!is_float(type) && !is_float(other)))
        return STATUS_OK;
    return parser_fail(parser, place, STATUS_SYNTAX,
                       "expected a value of type %s (nothing converts float or double), "
                       "found %s",
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
    const int type = type_of(checker, expression);
    if (!is_float(type))
        return STATUS_OK;
    return parser_fail(checker->parser, place, STATUS_SYNTAX,
                       "expected an integer (a float or double is loaded, stored, exchanged, and compared by == and != "
                       "only), found %s",
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
    return parser_fail(checker->parser, address->place, STATUS_SYNTAX,
                       "expected a pointer to a type that this function takes (int or uint; long or ulong where it is "
                       "named atom_; float where it is atomic_xchg), found %s%s",
                       atomic, found);
}

/* A float or a double is moved, and in PTX and CUDA added to. */
static const char *float_operations(enum litmus_dialect dialect, const struct litmus_access *access)
{
    const bool adds = dialects[dialect].is_nvidia;
    if (access->operation < LITMUS_FETCH_ADD || (adds && access->operation == LITMUS_FETCH_ADD))
        return NULL;
    return adds ? "a load, a store, an addition, an exchange or a compare-and-exchange"
                : "a load, a store, an exchange or a compare-and-exchange";
}

/* Types narrower than 32 bits: PTX ISA, ld and atom; CUDA C++ Programming Guide, atomicCAS; OpenCL
 * C 3.0, 6.15.12.6. */
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

/* The dialect's alternative to the operation for the access's type; NULL if it has the
 * operation. */
static const char *other_operations(enum litmus_dialect dialect, const struct litmus_access *access)
{
    if (litmus_type_is_float(access->type))
        return float_operations(dialect, access);
    return litmus_type_size(access->type) < 4 ? narrow_operations(dialect, access) : NULL;
}

/* inc and dec compare without a sign, in 32 bits. */
static bool can_step(enum litmus_dialect dialect, enum litmus_type type)
{
    return type == LITMUS_UINT || (dialect == LITMUS_PTX && type == LITMUS_INT);
}

const struct litmus_location *checker_location(const struct checker *checker, const struct litmus_expression *address)
{
    const int index = address->kind == LITMUS_EXPRESSION_ADDRESS ? address->index
                                                                 : checker->thread->registers[address->index].points_to;
    return index == LITMUS_NONE ? NULL : &checker->parser->test->locations[index];
}

/* Nobody writes constant memory, and only operations of their own access an atomic_flag, an mbarrier and a tensor map. */
static enum status check_location(const struct checker *checker, const struct litmus_expression *expression)
{
    const struct litmus_access *access = expression->access;
    const struct litmus_expression *const addresses[] = {access->address, access->expected_address};
    const bool flag = access->type == LITMUS_FLAG && access->order == LITMUS_PLAIN;
    const bool replaces = access->operand && access->operand->kind == LITMUS_EXPRESSION_ADDRESS;
    for (size_t i = 0; i < 2; i++) {
        const struct litmus_location *location = addresses[i] ? checker_location(checker, addresses[i]) : NULL;
        if (location && location->constant && (i == 1 || access->operation != LITMUS_LOAD))
            return parser_fail(checker->parser, expression->place, STATUS_SYNTAX,
                               "expected no write to '%s', which is in constant memory", location->name);
        if (location && location->type == LITMUS_MBARRIER && !operation_is_mbarrier(access->operation))
            return parser_fail(checker->parser, expression->place, STATUS_SYNTAX,
                               "expected an operation such as mbarrier.arrive for '%s', which is an mbarrier",
                               location->name);
        if (location && location->type == LITMUS_TENSORMAP && !replaces)
            return parser_fail(checker->parser, expression->place, STATUS_SYNTAX,
                               "expected tensormap.replace of '%s', which is a tensor map", location->name);
        if (location && location->type == LITMUS_FLAG && (flag || i == 1))
            return parser_fail(
                checker->parser, expression->place, STATUS_SYNTAX,
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
        return parser_fail(checker->parser, expression->place, STATUS_SYNTAX,
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
        return parser_fail(checker->parser, expression->place, STATUS_SYNTAX, "expected %s of type %s, found %s",
                           others, litmus_type_name(access->type), litmus_operation_name(dialect, access->operation));
    const bool steps = access->operation == LITMUS_FETCH_INC || access->operation == LITMUS_FETCH_DEC;
    if (steps && !can_step(dialect, access->type))
        return parser_fail(checker->parser, expression->place, STATUS_SYNTAX,
                           "expected unsigned numbers of 32 bits for inc and dec, found type %s",
                           litmus_type_name(access->type));
    TRY(check_location(checker, expression));
    TRY(check_address(checker, access, access->address));
    if (access->expected_address)
        TRY(check_address(checker, access, access->expected_address));
    TRY(check_expected(checker, expression));
    const struct litmus_expression *const operands[] = {access->operand, access->expected};
    for (size_t i = 0; i < sizeof operands / sizeof *operands; i++)
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

/* The words of a vector are accesses like others. */
static enum status check_lanes(const struct checker *checker, const struct litmus_statement *statement)
{
    struct litmus_expression *operands[STATEMENT_MAXIMUM_OPERANDS];
    const size_t count = litmus_statement_operands(statement, operands);
    const int *registers;
    const size_t set = litmus_statement_registers(statement, &registers);
    struct litmus_access access = *litmus_statement_access(statement);
    const struct litmus_expression word = {
        .kind = LITMUS_EXPRESSION_ACCESS, .place = statement->place, .access = &access};
    TRY(check_access(checker, &word));
    for (size_t i = 0; i < set; i++)
        if (registers[i] != LITMUS_NONE)
            TRY(check_same(checker->parser, (int)checker->thread->registers[registers[i]].type, (int)access.type,
                           statement->place));
    for (size_t i = 1; i < count; i++) { /* after the address */
        TRY(check_expression(checker, operands[i]));
        TRY(check_fits(checker, (int)access.type, operands[i]));
    }
    return STATUS_OK;
}

static enum status check_block(const struct checker *checker, const struct litmus_block *block)
{
    for (size_t i = 0; i < block->count; i++) {
        const struct litmus_statement *statement = &block->statements[i];
        if (statement->value)
            TRY(check_expression(checker, statement->value));
        if (litmus_statement_access(statement))
            TRY(check_lanes(checker, statement));
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
