// SPDX-License-Identifier: Apache-2.0
/* Expressions of C over integers, with accesses of memory and assignments inside. */
#include "litmus/language/walk.h"
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

/* left op right. An error if the result is nested too deeply. */
static enum status make_c_binary(struct c_body *body, enum litmus_operator op, struct litmus_expression *left,
                                 struct litmus_expression *right, struct litmus_place place,
                                 struct litmus_expression **result)
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

/* Is "()." at hand, as in this_thread_block().sync()? */
static bool at_group(const struct parser *parser)
{
    struct scanner ahead = parser->scanner;
    const struct token close = scanner_next(&ahead), dot = scanner_next(&ahead);
    return parser_at(parser, "(") && token_is(&close, ")") && token_is(&dot, ".");
}

enum status parse_c_name(struct c_body *body, const char *what, struct token *name)
{
    struct parser *parser = body->parser;
    TRY(parser_take_word(parser, what, name));
    while (parser_at(parser, "::") || at_group(parser)) {
        for (int i = parser_at(parser, "::") ? 2 : 0; i < 3; i++) /* "::", or "()." */
            parser_advance(parser);
        if (parser->token.kind != TOKEN_WORD)
            return parser_expected(parser, "a name after '::'");
        name->size = (size_t)(parser->token.text - name->text) + parser->token.size;
        parser_advance(parser);
    }
    return STATUS_OK;
}

/* Is "++" or "--" at hand, or does it follow the word at hand? */
static bool at_increment(const struct parser *parser)
{
    return parser_at(parser, "++") || parser_at(parser, "--") ||
           (parser->token.kind == TOKEN_WORD && (parser_next_is(parser, "++") || parser_next_is(parser, "--")));
}

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

/* The value as C keeps it in a bool: 0 or 1. */
static enum status make_c_truth(struct c_body *body, struct litmus_expression *value, struct litmus_expression **result)
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

/* Records that the current expression has a side effect, which sets a register or none (LITMUS_NONE). An error if the
 * expression may not be evaluated, or has a second one. */
enum status note_c_moved(struct c_body *body, int target)
{
    if (!body->before)
        return parser_fail(
            body->parser, body->parser->token.place,
            "expected no assignment, cast, ?: or vote to the right of && or ||, which is not always evaluated");
    if (body->moved++ > 0)
        return parser_fail(body->parser, body->parser->token.place,
                           "expected at most one assignment, cast or ?: that reads memory in an expression");
    body->moved_target = target;
    body->moved_reads = target == LITMUS_NONE;
    return STATUS_OK;
}

/* ---- types of values, and values that are computed before the expression ---- */

enum litmus_type c_type_of(const struct c_body *body, const struct litmus_expression *value)
{
    const enum litmus_operator op = value->op;
    const enum litmus_type left = value->left ? c_type_of(body, value->left) : LITMUS_INT;
    const enum litmus_type right = value->right ? c_type_of(body, value->right) : LITMUS_INT;
    switch (value->kind) {
    case LITMUS_EXPRESSION_CONSTANT:
        return value->suffix == LITMUS_FLOAT ? LITMUS_FLOAT : litmus_type_of_constant(value);
    case LITMUS_EXPRESSION_REGISTER:
        return body->draft->thread.registers[value->index].type;
    case LITMUS_EXPRESSION_ACCESS:
        return is_truth(body, value) ? LITMUS_INT : value->access->type;
    case LITMUS_EXPRESSION_UNARY:
        return op == LITMUS_NOT ? LITMUS_INT : litmus_type_promoted(left);
    case LITMUS_EXPRESSION_BINARY:
        return op >= LITMUS_EQ && op <= LITMUS_LOGICAL_OR                 ? LITMUS_INT
               : op == LITMUS_SHL || op == LITMUS_SHR                     ? litmus_type_promoted(left)
               : litmus_type_promoted(left) > litmus_type_promoted(right) ? litmus_type_promoted(left)
                                                                          : litmus_type_promoted(right);
    case LITMUS_EXPRESSION_ADDRESS:
        break;
    }
    return LITMUS_ULONG;
}

/* A register for a value that is computed before the expression. */
enum status take_c_register(struct c_body *body, const char *name, enum litmus_type type, bool truth,
                            struct litmus_place place, struct litmus_expression **result)
{
    int index;
    const struct token token = {.kind = TOKEN_WORD, .place = place, .text = name, .size = strlen(name)};
    TRY(draft_register(body->parser, body->draft, &token, &index));
    body->draft->thread.registers[index].type = type;
    body->draft->registers[index].typed = true;
    body->draft->registers[index].truth = truth;
    *result = make_c_register(body, index, place);
    return STATUS_OK;
}

/* One such as "_int0", which the next expression may use again. */
static enum status take_temporary(struct c_body *body, enum litmus_type type, bool truth, struct litmus_place place,
                                  struct litmus_expression **result)
{
    const char *const name =
        arena_print(parser_arena(body->parser), "_%s%u", truth ? "bool" : litmus_type_name(type), body->temporaries++);
    return take_c_register(body, name, type, truth, place, result);
}

/* The value converted to the type, by a register of that type, unless it is one already. */
static enum status make_c_converted(struct c_body *body, enum litmus_type type, bool truth,
                                    struct litmus_expression *value, struct litmus_expression **result)
{
    struct litmus_expression *temporary;
    *result = value;
    if (value->kind == LITMUS_EXPRESSION_CONSTANT && !truth) {
        value->value = litmus_type_is_float(type) ? value->value : litmus_wrap(type, value->value);
        value->suffix =
            type == LITMUS_INT || litmus_type_size(type) < sizeof(int32_t) ? LITMUS_CHAR : litmus_type_promoted(type);
        value->suffix = type == LITMUS_DOUBLE ? LITMUS_FLOAT : value->suffix;
        return STATUS_OK;
    }
    if (truth ? is_truth(body, value) : c_type_of(body, value) == type)
        return STATUS_OK;
    TRY(take_temporary(body, type, truth, value->place, &temporary));
    /* Notes that a value, which may read memory, is computed before the expression. */
    TRY(litmus_has_access(value) || !body->before ? note_c_moved(body, temporary->index) : STATUS_OK);
    *result = temporary;
    return add_c_assignment(body, body->before, temporary->index, value, value->place);
}

enum status make_c_temporary(struct c_body *body, struct litmus_block *block, struct litmus_expression *value,
                             struct litmus_expression **result)
{
    TRY(take_temporary(body, c_type_of(body, value), false, value->place, result));
    return add_c_assignment(body, block, (*result)->index, value, value->place);
}

enum status add_c_dropped(struct c_body *body, struct litmus_block *block, struct litmus_expression *value)
{
    struct litmus_expression *ignored;
    if (!litmus_has_access(value))
        return STATUS_OK;
    /* Of what nobody uses, only the accesses are left. */
    if (value->kind == LITMUS_EXPRESSION_UNARY || (value->kind == LITMUS_EXPRESSION_BINARY &&
                                                   value->op != LITMUS_LOGICAL_AND && value->op != LITMUS_LOGICAL_OR)) {
        TRY(value->left ? add_c_dropped(body, block, value->left) : STATUS_OK);
        return value->right ? add_c_dropped(body, block, value->right) : STATUS_OK;
    }
    return value->kind == LITMUS_EXPRESSION_ACCESS ? add_c_access(body, block, value)
                                                   : make_c_temporary(body, block, value, &ignored);
}

static enum status parse_c_conditional(struct c_body *body, struct litmus_expression **result);

/* "? a : b" with the condition read: an if statement before the expression, which sets a register. */
static enum status parse_choice(struct c_body *body, struct litmus_expression **result)
{
    struct parser *parser = body->parser;
    struct litmus_expression *condition = *result, *values[2], *chosen;
    struct litmus_block blocks[2] = {{0}}, *const before = body->before;
    const struct litmus_place place = parser->token.place;
    TRY(parser_enter(parser));
    if (!before)
        return note_c_moved(body, LITMUS_NONE);
    for (size_t i = 0; i < 2; i++) {
        TRY(parser_take(parser, i == 0 ? "?" : ":"));
        body->before = &blocks[i];
        TRY(parse_c_conditional(body, &values[i]));
    }
    body->before = before;
    const enum litmus_type types[] = {c_type_of(body, values[0]), c_type_of(body, values[1])};
    TRY(take_temporary(body, types[0] > types[1] ? types[0] : types[1], false, place, &chosen));
    for (size_t i = 0; i < 2; i++)
        TRY(add_c_assignment(body, &blocks[i], chosen->index, values[i], values[i]->place));
    parser_leave(parser);
    *result = chosen;
    if (litmus_has_access(condition) || litmus_has_access(values[0]) || litmus_has_access(values[1]))
        TRY(note_c_moved(body, chosen->index));
    return add_c_statement(body, before,
                           (struct litmus_statement){.kind = LITMUS_IF,
                                                     .place = condition->place,
                                                     .value = condition,
                                                     .body = blocks[0],
                                                     .otherwise = blocks[1]});
}

/* ---- assignments: "=", "+=", "++" and so on, as statements and inside expressions ---- */

/* A test has assignments only, so that "r0 += e" is "r0 = r0 + e", and side effects of an expression go before it. */

static enum status parse_c_target(struct c_body *body, struct c_target *target);

enum status parse_c_named_target(struct c_body *body, const struct token *name, struct c_target *target)
{
    struct parser *parser = body->parser;
    *target = (struct c_target){.index = LITMUS_NONE, .place = name->place};
    if (parser_at(parser, "["))
        return parse_c_element(body, name, &target->address);
    target->index = draft_find_register(body->draft, name);
    if (target->index != LITMUS_NONE)
        return STATUS_OK;
    const int location = parser_find_location(parser, name);
    if (location != LITMUS_NONE && body->draft->scalars[location])
        return parse_c_variable(body, name, &target->address);
    if (location != LITMUS_NONE && body->draft->visible[location])
        return parser_expected_not(parser, name, "a register (to set the location, write '*' before its name)");
    return parser_expected_not(
        parser, name, at_c_update(parser) ? "a register that the thread declares, as in 'int r0;'" : "a statement");
}

/* "r0 = e;", "*x += 1;", "(*x)++;", "--x[1];", "*x;", without its semicolon; if it starts with a name, the name is
 * already read. */
static enum status parse_c_target(struct c_body *body, struct c_target *target)
{
    struct parser *parser = body->parser;
    const struct token start = parser->token;
    if (parser_take_if(parser, "(")) { /* "(*x)" */
        TRY(parser_enter(parser));
        TRY(parse_c_target(body, target));
        parser_leave(parser);
        return parser_take(parser, ")");
    }
    if (parser_take_if(parser, "*")) {
        *target = (struct c_target){.index = LITMUS_NONE, .place = start.place};
        return parse_c_pointee(body, &target->address, &target->is_volatile);
    }
    struct token name;
    TRY(parser_take_word(parser, "a register or a location such as *x", &name));
    return parse_c_named_target(body, &name, target);
}

struct update {
    const char *mark;
    enum litmus_operator op;
    int operation; /* of an atomic location in C, or LITMUS_NONE: C has the operator, but no such function */
    bool by_one;
};

static const struct update updates[] = {
    {"+=", LITMUS_ADD, LITMUS_FETCH_ADD, false}, {"-=", LITMUS_SUB, LITMUS_FETCH_SUB, false},
    {"&=", LITMUS_AND, LITMUS_FETCH_AND, false}, {"|=", LITMUS_OR, LITMUS_FETCH_OR, false},
    {"^=", LITMUS_XOR, LITMUS_FETCH_XOR, false}, {"*=", LITMUS_MUL, LITMUS_NONE, false},
    {"/=", LITMUS_DIV, LITMUS_NONE, false},      {"%=", LITMUS_REM, LITMUS_NONE, false},
    {"<<=", LITMUS_SHL, LITMUS_NONE, false},     {">>=", LITMUS_SHR, LITMUS_NONE, false},
    {"++", LITMUS_ADD, LITMUS_FETCH_ADD, true},  {"--", LITMUS_SUB, LITMUS_FETCH_SUB, true},
};

/* The update whose mark this is, or NULL. */
static const struct update *find_update(const struct token *mark)
{
    return FIRST_OF(one, updates, COUNT(updates), token_is(mark, one->mark));
}

bool at_c_update(const struct parser *parser)
{
    return parser_at(parser, "=") || find_update(&parser->token);
}

enum status add_c_statement(struct c_body *body, struct litmus_block *block, struct litmus_statement added)
{
    struct litmus_statement *statement;
    TRY(parser_statement(body->parser, block, added.kind, added.place, &statement));
    *statement = added;
    statement->target = statement->label = LITMUS_NONE;
    return STATUS_OK;
}

enum status add_c_access(struct c_body *body, struct litmus_block *block, struct litmus_expression *access)
{
    return add_c_statement(body, block,
                           (struct litmus_statement){.kind = LITMUS_PERFORM, .place = access->place, .value = access});
}

enum status add_c_assignment(struct c_body *body, struct litmus_block *block, int target,
                             struct litmus_expression *value, struct litmus_place place)
{
    struct litmus_statement *statement;
    if (body->draft->registers[target].truth)
        TRY(make_c_truth(body, value, &value));
    if (set_c_from_lanes(body, block, target, value))
        return STATUS_OK;
    TRY(parser_statement(body->parser, block, LITMUS_ASSIGN, place, &statement));
    statement->target = target;
    statement->value = value;
    return STATUS_OK;
}

/* A copy of an expression without accesses. */
static struct litmus_expression *copy_expression(const struct c_body *body, const struct litmus_expression *from)
{
    if (!from)
        return NULL;
    struct litmus_expression *copy = parser_expression(body->parser, from->kind, from->place);
    *copy = *from;
    copy->left = copy_expression(body, from->left);
    copy->right = copy_expression(body, from->right);
    return copy;
}

/* Does this thread declare the location atomic? */
static bool is_atomic(const struct c_body *body, const struct litmus_expression *address)
{
    const int location = c_location_of(body, address);
    return address->kind == LITMUS_EXPRESSION_ADDRESS
               ? body->draft->points_to_atomic[location] || body->draft->objects[location].scoped
               : location != LITMUS_NONE && body->parser->test->locations[location].atomic;
}

/* An operator on an atomic location: in C a read-modify-write that is seq_cst (C11, 6.5.16.2), in OpenCL C an error. */
static enum status update_atomic(struct c_body *body, struct litmus_block *block, const struct c_target *target,
                                 const struct update *update, struct litmus_expression *operand)
{
    struct litmus_expression *value;
    const enum litmus_dialect dialect = body->parser->test->dialect;
    if (dialect == LITMUS_OPENCL)
        return parser_fail(body->parser, target->place,
                           "expected a function such as atomic_fetch_add (OpenCL C has no operators for atomic types), "
                           "found '%s'",
                           update->mark);
    if (update->operation == LITMUS_NONE)
        return parser_fail(body->parser, target->place,
                           "expected +=, -=, &=, |=, ^=, ++ or -- on an atomic location, found '%s'", update->mark);
    TRY(make_c_access(body, target->address, operand, false, &value));
    value->access->operation = (enum litmus_operation)update->operation;
    value->access->order = value->access->failure = LITMUS_SEQ_CST;
    value->access->scope = dialect == LITMUS_C ? LITMUS_DEVICE : value->access->scope;
    return add_c_access(body, block, value);
}

static enum status update_location(struct c_body *body, struct litmus_block *block, const struct c_target *target,
                                   const struct update *update, struct litmus_expression *operand)
{
    struct litmus_expression *load, *value, *store;
    if (is_atomic(body, target->address))
        return update_atomic(body, block, target, update, operand);
    if (litmus_has_access(target->address))
        return parser_fail(body->parser, target->place,
                           "expected an index that does not read memory, because '%s' evaluates it twice",
                           update->mark);
    TRY(make_c_access(body, copy_expression(body, target->address), NULL, target->is_volatile, &load));
    TRY(make_c_binary(body, update->op, load, operand, target->place, &value));
    TRY(make_c_access(body, target->address, value, target->is_volatile, &store));
    return add_c_access(body, block, store);
}

static enum status update_target(struct c_body *body, struct litmus_block *block, const struct c_target *target,
                                 const struct update *update, struct litmus_expression *operand)
{
    struct litmus_expression *value;
    if (target->index == LITMUS_NONE)
        return update_location(body, block, target, update, operand);
    if (body->draft->thread.registers[target->index].points_to != LITMUS_NONE)
        return parser_fail(body->parser, target->place,
                           "expected a register that holds a number, found one that holds an address");
    TRY(make_c_binary(body, update->op, make_c_register(body, target->index, target->place), operand, target->place,
                      &value));
    return add_c_assignment(body, block, target->index, value, target->place);
}

static enum status set_target(struct c_body *body, struct litmus_block *block, const struct c_target *target,
                              struct litmus_expression *value)
{
    struct litmus_expression *store;
    if (target->index != LITMUS_NONE)
        return add_c_assignment(body, block, target->index, value, target->place);
    TRY(make_c_access(body, target->address, value, target->is_volatile, &store));
    return add_c_access(body, block, store);
}

enum status parse_c_update(struct c_body *body, struct litmus_block *block, const struct c_target *target)
{
    const struct token mark = body->parser->token;
    const struct update *const update = find_update(&mark);
    struct litmus_expression *value;
    parser_advance(body->parser);
    if (update && update->by_one)
        return update_target(body, block, target, update, make_c_constant(body, 1, mark.place));
    const bool truth = target->index != LITMUS_NONE && body->draft->registers[target->index].truth;
    /* The value to the right of a mark. It is printed as an operand, perhaps of two operators: "(r0 + (e)) != 0". */
    const bool nests = update || truth;
    for (int i = 0; i < 2 && nests; i++)
        TRY(parser_enter(body->parser));
    TRY(parse_c_full_expression(body, block, &value));
    for (int i = 0; i < 2 && nests; i++)
        parser_leave(body->parser);
    return update ? update_target(body, block, target, update, value) : set_target(body, block, target, value);
}

enum status parse_c_simple(struct c_body *body, struct litmus_block *block)
{
    struct parser *parser = body->parser;
    const struct token start = parser->token;
    const struct update *const first = find_update(&start);
    struct c_target target;
    struct litmus_expression *load;
    if (first && first->by_one) {
        parser_advance(parser);
        TRY(parse_c_target(body, &target));
        return update_target(body, block, &target, first, make_c_constant(body, 1, start.place));
    }
    TRY(parse_c_target(body, &target));
    const struct update *const next = find_update(&parser->token);
    if (next && next->by_one && token_is(&start, "*"))
        return parser_expected(
            parser, "an assignment such as '=' (to increment a location write (*x)++: in C, *x++ moves the pointer)");
    if (at_c_update(parser))
        return parse_c_update(body, block, &target);
    if (target.index != LITMUS_NONE)
        return parser_expected(parser, "'=' after a register");
    TRY(make_c_access(body, target.address, NULL, target.is_volatile, &load));
    return add_c_access(body, block, load);
}

/* "r0 = e" inside an expression, with the register's name and the current mark: the assignment goes before the
 * expression, where the register replaces it. */
static bool at_c_assignment(const struct c_body *body)
{
    const struct token next = parser_next(body->parser);
    const struct update *const update = find_update(&next);
    return body->parser->token.kind == TOKEN_WORD && (token_is(&next, "=") || (update && !update->by_one));
}

static enum status parse_c_assignment_value(struct c_body *body, struct litmus_expression **result)
{
    struct token name;
    struct c_target target;
    TRY(parser_take_word(body->parser, "a register", &name));
    TRY(parse_c_named_target(body, &name, &target));
    TRY(note_c_moved(body, target.index));
    TRY(parser_enter(body->parser)); /* it may go into the body of a loop */
    TRY(parse_c_update(body, body->before, &target));
    parser_leave(body->parser);
    *result = make_c_register(body, target.index, name.place);
    return STATUS_OK;
}

/* "++r0", "r0++" and so on: the register, which is incremented before the expression; "r0++" subtracts 1 again. */
static enum status parse_c_increment_value(struct c_body *body, struct litmus_expression **result)
{
    struct parser *parser = body->parser;
    const struct update *update = find_update(&parser->token);
    const bool prefix = update != NULL;
    struct token name;
    if (prefix)
        parser_advance(parser);
    TRY(parser_take_word(parser, "a register", &name));
    const int index = draft_find_register(body->draft, &name);
    if (index == LITMUS_NONE)
        return parser_expected_not(parser, &name, "a register that the thread declares, as in 'int r0;'");
    if (!prefix) {
        update = find_update(&parser->token);
        parser_advance(parser);
    }
    const bool small = litmus_type_size(body->draft->thread.registers[index].type) < sizeof(int32_t);
    if (!prefix && (small || body->draft->registers[index].truth))
        return parser_fail(parser, name.place,
                           "expected an int or a wider type, or '%s' as a statement of its own, found a smaller type",
                           update->mark);
    const struct c_target target = {.index = index, .place = name.place};
    TRY(note_c_moved(body, index));
    TRY(parser_enter(parser));
    TRY(update_target(body, body->before, &target, update, make_c_constant(body, 1, name.place)));
    parser_leave(parser);
    *result = make_c_register(body, index, name.place);
    if (prefix)
        return STATUS_OK;
    const enum litmus_operator back = update->op == LITMUS_ADD ? LITMUS_SUB : LITMUS_ADD;
    return make_c_binary(body, back, *result, make_c_constant(body, 1, name.place), name.place, result);
}

/* ---- expressions ---- */

/* "true" and "false", which are 1 and 0. */
static enum status parse_truth(struct c_body *body, struct litmus_expression **result)
{
    *result = make_c_constant(body, parser_at(body->parser, "true"), body->parser->token.place);
    parser_advance(body->parser);
    return STATUS_OK;
}

/* "static_cast<int>(e)" of C++, "convert_int(e)" of OpenCL C, with the word taken; *found is false and nothing is
 * consumed if it is none. */
static enum status parse_named_cast(struct c_body *body, const struct token *name, struct litmus_expression **result,
                                    bool *found)
{
    static const char start[] = "convert_";
    struct c_declared declared = {.type = LITMUS_INT};
    struct token type = *name;
    const bool opencl = body->language->functions == C_OPENCL && name->size > strlen(start) &&
                        memcmp(name->text, start, strlen(start)) == 0;
    const bool cpp = body->language->functions == C_CUDA && token_is(name, "static_cast");
    *found = opencl || cpp;
    if (cpp) {
        TRY(parser_take(body->parser, "<"));
        TRY(parse_c_type(body, &declared));
        TRY(parser_take(body->parser, ">"));
    } else if (opencl) {
        type.text += strlen(start);
        type.size -= strlen(start);
        const int value = word_find(type_words, &type);
        declared.found = value != LITMUS_NONE;
        declared.type = declared.found ? (enum litmus_type)value : LITMUS_INT;
    }
    if (!*found)
        return STATUS_OK;
    if (!declared.found || declared.atomic || declared.deduced)
        return parser_expected_not(body->parser, name, "a conversion to a numeric type");
    TRY(parser_take(body->parser, "("));
    TRY(parse_c_expression(body, result));
    TRY(make_c_converted(body, declared.type, declared.truth, *result, result));
    return parser_take(body->parser, ")");
}

/* "(a, b)" of min and max. */
static enum status parse_least(struct c_body *body, enum litmus_operator op, struct litmus_place place,
                               struct litmus_expression **result)
{
    struct litmus_expression *left, *right;
    TRY(parser_enter(body->parser));
    TRY(parser_take(body->parser, "("));
    TRY(parse_c_expression(body, &left));
    TRY(parser_take(body->parser, ","));
    TRY(parse_c_expression(body, &right));
    parser_leave(body->parser);
    TRY(make_c_binary(body, op, left, right, place, result));
    return parser_take(body->parser, ")");
}

static enum status parse_word(struct c_body *body, struct litmus_expression **result)
{
    struct parser *parser = body->parser;
    struct token name;
    if (parser_at(parser, "true") || parser_at(parser, "false"))
        return parse_truth(body, result);
    TRY(parse_c_name(body, "a value", &name));
    bool cast;
    TRY(parse_named_cast(body, &name, result, &cast));
    if (cast)
        return STATUS_OK;
    if (parser_at(parser, "(") && (token_is(&name, "min") || token_is(&name, "max")))
        return parse_least(body, token_is(&name, "min") ? LITMUS_MINIMUM : LITMUS_MAXIMUM, name.place, result);
    if (is_c_place(body, &name))
        return parse_c_place(body, &name, result);
    if (is_c_call(body, &name)) {
        struct c_call call;
        TRY(parse_c_call(body, &name, &call));
        if (call.predicate) {
            TRY(note_c_moved(body, LITMUS_NONE));
            return add_c_reduction(body, body->before, &call, name.place, result);
        }
        if (call.statement.kind == LITMUS_COLLECTIVE)
            return add_c_collective(body, &call.statement, &name, result);
        *result = call.statement.value;
        if (call.statement.kind == LITMUS_LABEL || !*result || (*result)->access->operation == LITMUS_STORE)
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
    if ((*result)->kind == LITMUS_EXPRESSION_ADDRESS && body->draft->scalars[(*result)->index])
        return make_c_access(body, *result, NULL, false, result);
    if ((*result)->kind == LITMUS_EXPRESSION_ADDRESS)
        return parser_expected_not(parser, &name, "a value (a '*' before the name reads the location)");
    return STATUS_OK;
}

static enum status parse_binary(struct c_body *body, int level, struct litmus_expression **result);
static enum status parse_unary(struct c_body *body, struct litmus_expression **result);

/* Words beside a type that change no meaning here. */
static const struct word silent_words[] = {{"const", 0},      {"register", 0},  {"restrict", 0}, {"__restrict__", 0},
                                           {"__restrict", 0}, {"constexpr", 0}, {"volatile", 0}, {NULL, 0}};

bool skip_c_silent_words(struct parser *parser)
{
    bool any = false;
    for (; word_find(silent_words, &parser->token) != LITMUS_NONE; any = true)
        parser_advance(parser);
    return any;
}

enum status parse_c_type(struct c_body *body, struct c_declared *declared)
{
    struct parser *parser = body->parser;
    *declared = (struct c_declared){.type = LITMUS_INT};
    const bool silent = skip_c_silent_words(parser);
    declared->truth = parser_take_if(parser, "bool") || parser_take_if(parser, "_Bool");
    declared->deduced = !declared->truth && parser_take_if(parser, "auto");
    declared->found = declared->truth || declared->deduced;
    if (!declared->found)
        TRY(parser_type(parser, &declared->type, &declared->atomic, &declared->found));
    if (silent && !declared->found)
        return parser_expected(parser, "a type such as int after const");
    (void)skip_c_silent_words(parser);
    return STATUS_OK;
}

/* "int) e" of a cast, with its parenthesis taken; *found is false and nothing is consumed if it is none. */
static enum status parse_c_cast(struct c_body *body, struct litmus_expression **result, bool *found)
{
    struct c_declared declared;
    TRY(parse_c_type(body, &declared));
    *found = declared.found;
    if (!*found)
        return STATUS_OK;
    if (declared.atomic || declared.deduced || parser_at(body->parser, "*"))
        return parser_expected(body->parser, "a numeric type and ')' in a cast");
    TRY(parser_take(body->parser, ")"));
    TRY(parse_unary(body, result));
    return make_c_converted(body, declared.type, declared.truth, *result, result);
}

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
        (*result)->suffix = start.suffix;
        return parser_number(parser, "a number", &(*result)->value);
    }
    if (parser_take_if(parser, "(")) {
        bool cast;
        TRY(parse_c_cast(body, result, &cast));
        if (cast)
            return STATUS_OK;
        TRY(at_c_assignment(body) ? parse_c_assignment_value(body, result) : parse_c_conditional(body, result));
        return parser_take(parser, ")");
    }
    if (!parser_take_if(parser, "*"))
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
        parser_advance(parser);
        TRY(parse_unary(body, &operand));
        /* A negative number is a constant, so that it prints as it was written. */
        if (op == LITMUS_NEGATE && operand->kind == LITMUS_EXPRESSION_CONSTANT) {
            TRY(parser_negate(parser, operand->place, &operand->value));
            if (operand->suffix == LITMUS_UINT)
                operand->value = litmus_wrap(LITMUS_UINT, operand->value);
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

static enum status parse_binary(struct c_body *body, int level, struct litmus_expression **result)
{
    struct parser *parser = body->parser;
    TRY(parse_unary(body, result));
    for (int op; (op = find_operator(parser, LITMUS_ADD, LITMUS_LOGICAL_OR, level)) != LITMUS_NONE;) {
        const struct token mark = parser->token;
        struct litmus_block *const before = body->before;
        struct litmus_expression *right;
        parser_advance(parser);
        if (op == LITMUS_LOGICAL_AND || op == LITMUS_LOGICAL_OR)
            body->before = NULL;
        TRY(parse_binary(body, operator_level((enum litmus_operator)op) + 1, &right));
        body->before = before;
        TRY(make_c_binary(body, (enum litmus_operator)op, *result, right, mark.place, result));
    }
    return STATUS_OK;
}

static enum status parse_c_conditional(struct c_body *body, struct litmus_expression **result)
{
    TRY(parse_binary(body, 1, result));
    return parser_at(body->parser, "?") ? parse_choice(body, result) : STATUS_OK;
}

enum status parse_c_expression(struct c_body *body, struct litmus_expression **result)
{
    return parse_c_conditional(body, result);
}

enum status parse_c_cell_value(struct c_body *body, struct litmus_expression **result)
{
    return parse_binary(body, operator_level(LITMUS_OR) + 1, result);
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
        body->parser, place,
        "expected no other memory access and no second use of the register in an expression that assigns to it: C "
        "does not define the order of evaluation");
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

/* ---- barriers that count ---- */

enum status add_c_reduction(struct c_body *body, struct litmus_block *block, const struct c_call *call,
                            struct litmus_place place, struct litmus_expression **result)
{
    struct parser *parser = body->parser;
    struct draft *draft = body->draft;
    struct litmus_expression *answer = parser_expression(parser, LITMUS_EXPRESSION_ACCESS, place);
    struct litmus_expression *total = parser_expression(parser, LITMUS_EXPRESSION_ACCESS, place);
    if (block != &draft->thread.body)
        return parser_fail(parser, place, "expected a barrier with a result only outside branches and loops");
    answer->access = parser_access(parser);
    answer->access->operation = call->function->operation;
    answer->access->order = answer->access->failure = LITMUS_RELAXED;
    answer->access->scope = LITMUS_WORK_GROUP;
    answer->access->address = parser_expression(body->parser, LITMUS_EXPRESSION_ADDRESS, place);
    TRY(make_c_truth(body, call->predicate, &answer->access->operand));
    total->access = parser_access(parser);
    total->access->address = parser_expression(body->parser, LITMUS_EXPRESSION_ADDRESS, place);
    TRY(add_c_access(body, block, answer));
    TRY(add_c_statement(body, block, call->statement));
    ARENA_ADD(parser_arena(parser), draft->reductions, draft->reduction_count) = (struct reduction_note){
        .statement = block->count - 1,
        .operation = call->function->operation,
        .addresses = {answer->access->address, total->access->address},
        .place = place,
    };
    *result = total;
    return STATUS_OK;
}
