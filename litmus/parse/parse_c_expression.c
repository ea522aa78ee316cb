// SPDX-License-Identifier: Apache-2.0
/* Expressions of C over integers, with accesses of memory inside. */
#include "litmus/parse/c_body.h"

static int deeper(int left, int right)
{
    return left > right ? left : right;
}

static int depth(const struct litmus_expression *expression)
{
    if (!expression)
        return 0;
    int below = deeper(depth(expression->left), depth(expression->right));
    if (expression->access) {
        below = deeper(below, depth(expression->access->address));
        below = deeper(below, depth(expression->access->operand));
        below = deeper(below, depth(expression->access->expected));
        below = deeper(below, depth(expression->access->expected_address));
    }
    return below + 1;
}

enum status parse_c_name(struct c_body *body, const char *what, struct token *name)
{
    struct parser *parser = body->parser;
    TRY(parser_take_word(parser, what, name));
    while (parser_at(parser, "::")) {
        TRY(parser_advance(parser));
        if (parser->token.kind != TOKEN_WORD)
            return parser_expected(parser, "a name after '::'");
        name->size = (size_t)(parser->token.text - name->text) + parser->token.size;
        TRY(parser_advance(parser));
    }
    return STATUS_OK;
}

/* Is "++" or "--" at hand, or does it follow the word at hand? */
static bool at_increment(const struct parser *parser)
{
    struct scanner ahead = parser->scanner;
    const bool prefix = parser_at(parser, "++") || parser_at(parser, "--");
    const struct token next = scanner_next(&ahead);
    return prefix || (parser->token.kind == TOKEN_WORD && (token_is(&next, "++") || token_is(&next, "--")));
}

/* "true" and "false", which are 1 and 0. */
static enum status parse_truth(struct c_body *body, struct litmus_expression **result)
{
    *result = make_c_constant(body, parser_at(body->parser, "true"), body->parser->token.place);
    return parser_advance(body->parser);
}

static enum status parse_word(struct c_body *body, struct litmus_expression **result)
{
    struct parser *parser = body->parser;
    struct token name;
    if (parser_at(parser, "true") || parser_at(parser, "false"))
        return parse_truth(body, result);
    TRY(parse_c_name(body, "a value", &name));
    if (is_c_call(body, &name)) {
        struct c_call call;
        TRY(parse_c_call(body, &name, &call));
        if (call.predicate) {
            TRY(note_c_moved(body, LITMUS_NONE));
            return add_c_reduction(body, body->before, &call, name.place, result);
        }
        *result = call.statement.value;
        if (!*result || (*result)->access->operation == LITMUS_STORE)
            return parser_expected_not(parser, &name, "a function that returns a value");
        return STATUS_OK;
    }
    TRY(parse_c_component(parser, body->draft, &name));
    struct litmus_expression *address;
    if (parser_at(parser, "[")) {
        TRY(parse_c_element(body, &name, &address));
        return make_c_access(body, address, NULL, false, result);
    }
    TRY(parse_c_variable(body, &name, result));
    if ((*result)->kind == LITMUS_EXPRESSION_ADDRESS)
        return parser_expected_not(parser, &name, "a value (a '*' before the name reads the location)");
    return STATUS_OK;
}

static enum status parse_binary(struct c_body *body, int level, struct litmus_expression **result);

static enum status parse_operand(struct c_body *body, struct litmus_expression **result)
{
    struct parser *parser = body->parser;
    const struct token start = parser->token;
    if (at_increment(parser))
        return parse_c_increment_value(body, result);
    if (start.kind == TOKEN_WORD)
        return parse_word(body, result);
    if (start.kind == TOKEN_NUMBER) {
        *result = parser_expression(body->parser, LITMUS_EXPRESSION_CONSTANT, start.place);
        return parser_number(parser, "a number", &(*result)->value);
    }
    bool mark;
    TRY(parser_take_if(parser, "(", &mark));
    if (mark) {
        TRY(at_c_assignment(body) ? parse_c_assignment_value(body, result) : parse_binary(body, 1, result));
        return parser_take(parser, ")");
    }
    TRY(parser_take_if(parser, "*", &mark));
    if (!mark)
        return parser_expected(parser, "a value");
    struct litmus_expression *address;
    bool is_volatile;
    TRY(parse_c_pointee(body, &address, &is_volatile));
    return make_c_access(body, address, NULL, is_volatile, result);
}

/* The operator at hand, among those from first to last that bind at least as tightly as level; or LITMUS_NONE. */
static int find_operator(const struct parser *parser, enum litmus_operator first, enum litmus_operator last, int level)
{
    for (enum litmus_operator op = first; op <= last; op++)
        if (operator_level(op) >= level && parser_at(parser, litmus_operator_name(op)))
            return (int)op;
    return LITMUS_NONE;
}

static enum status parse_unary(struct c_body *body, struct litmus_expression **result)
{
    struct parser *parser = body->parser;
    const struct token start = parser->token;
    TRY(parser_enter(parser));
    const int op = find_operator(parser, LITMUS_NEGATE, LITMUS_COMPLEMENT, 0);
    if (op == LITMUS_NONE)
        TRY(parse_operand(body, result));
    else {
        struct litmus_expression *operand;
        TRY(parser_advance(parser));
        TRY(parse_unary(body, &operand));
        /* A negative number is a constant, so that it prints as it was written. */
        if (op == LITMUS_NEGATE && operand->kind == LITMUS_EXPRESSION_CONSTANT) {
            TRY(parser_negate(parser, operand->place, &operand->value));
            operand->place = start.place;
            *result = operand;
        } else {
            *result = parser_expression(body->parser, LITMUS_EXPRESSION_UNARY, start.place);
            (*result)->op = (enum litmus_operator)op;
            (*result)->left = operand;
        }
    }
    parser_leave(parser);
    return STATUS_OK;
}

enum status make_c_binary(struct c_body *body, enum litmus_operator op, struct litmus_expression *left,
                          struct litmus_expression *right, struct litmus_place place, struct litmus_expression **result)
{
    *result = parser_expression(body->parser, LITMUS_EXPRESSION_BINARY, place);
    (*result)->op = op;
    (*result)->left = left;
    (*result)->right = right;
    /* A long chain nests as deeply as parentheses would, but was not counted. */
    return depth(*result) > LITMUS_MAXIMUM_NESTING
               ? parser_limit(body->parser, LITMUS_MAXIMUM_NESTING, "levels of nesting")
               : STATUS_OK;
}

static enum status parse_binary(struct c_body *body, int level, struct litmus_expression **result)
{
    struct parser *parser = body->parser;
    TRY(parse_unary(body, result));
    for (int op; (op = find_operator(parser, LITMUS_ADD, LITMUS_LOGICAL_OR, level)) != LITMUS_NONE;) {
        const struct token mark = parser->token;
        struct litmus_block *const before = body->before;
        struct litmus_expression *right;
        TRY(parser_advance(parser));
        if (op == LITMUS_LOGICAL_AND || op == LITMUS_LOGICAL_OR)
            body->before = NULL;
        TRY(parse_binary(body, operator_level((enum litmus_operator)op) + 1, &right));
        body->before = before;
        TRY(make_c_binary(body, (enum litmus_operator)op, *result, right, mark.place, result));
    }
    return STATUS_OK;
}

enum status parse_c_expression(struct c_body *body, struct litmus_expression **result)
{
    return parse_binary(body, 1, result);
}

enum status parse_c_cell_value(struct c_body *body, struct litmus_expression **result)
{
    return parse_binary(body, operator_level(LITMUS_OR) + 1, result);
}

struct litmus_expression *make_c_constant(const struct c_body *body, int64_t value, struct litmus_place place)
{
    struct litmus_expression *constant = parser_expression(body->parser, LITMUS_EXPRESSION_CONSTANT, place);
    constant->value = value;
    return constant;
}

struct litmus_expression *make_c_register(const struct c_body *body, int index, struct litmus_place place)
{
    struct litmus_expression *value = parser_expression(body->parser, LITMUS_EXPRESSION_REGISTER, place);
    value->index = index;
    return value;
}

/* ---- truth values ---- */

/* Is a value 0 or 1 whatever happens? */
static bool is_truth(const struct c_body *body, const struct litmus_expression *value)
{
    const enum litmus_operator op = value->op;
    switch (value->kind) {
    case LITMUS_EXPRESSION_CONSTANT:
        return value->value == 0 || value->value == 1;
    case LITMUS_EXPRESSION_REGISTER:
        return body->draft->registers[value->index].truth;
    case LITMUS_EXPRESSION_UNARY:
        return op == LITMUS_NOT;
    case LITMUS_EXPRESSION_BINARY:
        return (op >= LITMUS_EQ && op <= LITMUS_LOGICAL_OR) ||
               ((op == LITMUS_AND || op == LITMUS_OR || op == LITMUS_XOR) && is_truth(body, value->left) &&
                is_truth(body, value->right));
    case LITMUS_EXPRESSION_ACCESS: /* a compare_exchange that gives success */
        return value->access->expected_address || value->access->expected_register != LITMUS_NONE;
    case LITMUS_EXPRESSION_ADDRESS:
        break;
    }
    return false;
}

enum status make_c_truth(struct c_body *body, struct litmus_expression *value, struct litmus_expression **result)
{
    *result = value;
    if (is_truth(body, value))
        return STATUS_OK;
    if (value->kind == LITMUS_EXPRESSION_CONSTANT) {
        *result = make_c_constant(body, 1, value->place);
        return STATUS_OK;
    }
    return make_c_binary(body, LITMUS_NE, value, make_c_constant(body, 0, value->place), value->place, result);
}

/* ---- side effects before an expression ---- */

enum status note_c_moved(struct c_body *body, int target)
{
    if (!body->before)
        return parser_fail(body->parser, body->parser->token.place, STATUS_SYNTAX,
                           "expected no assignment to the right of && or ||, where it may not be evaluated");
    if (body->moved++ > 0)
        return parser_fail(body->parser, body->parser->token.place, STATUS_SYNTAX,
                           "expected at most one assignment in an expression");
    body->moved_target = target;
    body->moved_reads = target == LITMUS_NONE;
    return STATUS_OK;
}

/* How often an expression accesses memory and reads a register. */
static void count_uses(const struct litmus_expression *expression, int target, unsigned *accesses, unsigned *looks)
{
    if (!expression)
        return;
    count_uses(expression->left, target, accesses, looks);
    count_uses(expression->right, target, accesses, looks);
    *accesses += expression->kind == LITMUS_EXPRESSION_ACCESS;
    *looks += expression->kind == LITMUS_EXPRESSION_REGISTER && expression->index == target;
}

/* C does not define the order in "*y + (r0 = *x)" and "r0 + (r0 = 1)". */
static enum status check_moved(struct c_body *body, const struct litmus_expression *rest, struct litmus_place place)
{
    unsigned accesses = 0, looks = 0;
    if (body->moved == 0)
        return STATUS_OK;
    count_uses(rest, body->moved_target, &accesses, &looks);
    if (accesses <= (body->moved_reads ? 1 : 0) && looks <= 1)
        return STATUS_OK;
    return parser_fail(
        body->parser, place, STATUS_SYNTAX,
        "expected no other memory access and no second use of the register in an expression that assigns to it: "
        "C does not define their order");
}

enum status parse_c_full_expression(struct c_body *body, struct litmus_block *before, struct litmus_expression **result)
{
    const struct c_body around = *body;
    const struct litmus_place place = body->parser->token.place;
    body->before = before;
    body->moved = 0;
    body->moved_target = LITMUS_NONE;
    body->moved_reads = false;
    TRY(at_c_assignment(body) ? parse_c_assignment_value(body, result) : parse_c_expression(body, result));
    TRY(check_moved(body, *result, place));
    *body = around;
    return STATUS_OK;
}
