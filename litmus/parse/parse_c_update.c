// SPDX-License-Identifier: Apache-2.0
/*
 * Assignments in C: "=", "+=", "++" and so on, as statements and inside expressions. A test has
 * assignments only, so that "r0 += e" is "r0 = r0 + e", and side effects of an expression go before
 * it.
 */
#include "litmus/language/visit.h"
#include "litmus/parse/c_body.h"

/* ---- targets ---- */

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
    if (location != LITMUS_NONE && body->draft->visible[location])
        return parser_expected_not(parser, name, "a register (to set the location, write '*' before its name)");
    return parser_expected_not(
        parser, name, at_c_update(parser) ? "a register that the thread declares, as in 'int r0;'" : "a statement");
}

/* "(*x)", with the parenthesis at hand. */
static enum status parse_parenthesized_target(struct c_body *body, struct c_target *target)
{
    TRY(parser_advance(body->parser));
    TRY(parser_enter(body->parser));
    TRY(parse_c_target(body, target));
    parser_leave(body->parser);
    return parser_take(body->parser, ")");
}

enum status parse_c_target(struct c_body *body, struct c_target *target)
{
    struct parser *parser = body->parser;
    const struct token start = parser->token;
    if (parser_at(parser, "("))
        return parse_parenthesized_target(body, target);
    if (parser_at(parser, "*")) {
        *target = (struct c_target){.index = LITMUS_NONE, .place = start.place};
        TRY(parser_advance(parser));
        return parse_c_pointee(body, &target->address, &target->is_volatile);
    }
    struct token name;
    TRY(parser_take_word(parser, "a register or a location such as *x", &name));
    return parse_c_named_target(body, &name, target);
}

/* ---- updates ---- */

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
    for (size_t i = 0; i < sizeof updates / sizeof *updates; i++)
        if (token_is(mark, updates[i].mark))
            return &updates[i];
    return NULL;
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
               ? body->draft->points_to_atomic[location]
               : location != LITMUS_NONE && body->parser->test->locations[location].atomic;
}

/* An operator on an atomic location: in C a read-modify-write that is seq_cst (C11, 6.5.16.2), in OpenCL C an error. */
static enum status update_atomic(struct c_body *body, struct litmus_block *block, const struct c_target *target,
                                 const struct update *update, struct litmus_expression *operand)
{
    struct litmus_expression *value;
    const enum litmus_dialect dialect = body->parser->test->dialect;
    if (dialect != LITMUS_C)
        return parser_fail(body->parser, target->place, STATUS_SYNTAX,
                           "expected a function such as atomic_fetch_add (OpenCL C has no operators for atomic types), "
                           "found '%s'",
                           update->mark);
    if (update->operation == LITMUS_NONE)
        return parser_fail(body->parser, target->place, STATUS_SYNTAX,
                           "expected +=, -=, &=, |=, ^=, ++ or -- of an atomic location, found '%s'", update->mark);
    TRY(make_c_access(body, target->address, operand, false, &value));
    value->access->operation = (enum litmus_operation)update->operation;
    value->access->order = value->access->failure = LITMUS_SEQ_CST;
    value->access->scope = LITMUS_DEVICE;
    return add_c_access(body, block, value);
}

static enum status update_location(struct c_body *body, struct litmus_block *block, const struct c_target *target,
                                   const struct update *update, struct litmus_expression *operand)
{
    struct litmus_expression *load, *value, *store;
    if (is_atomic(body, target->address))
        return update_atomic(body, block, target, update, operand);
    if (litmus_has_access(target->address))
        return parser_fail(body->parser, target->place, STATUS_SYNTAX,
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
        return parser_fail(body->parser, target->place, STATUS_SYNTAX,
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

/* The value to the right of a mark. It is printed as an operand, perhaps of two operators: "(r0 +
 * (e)) != 0". */
static enum status parse_operand_of(struct c_body *body, struct litmus_block *block, bool nests,
                                    struct litmus_expression **value)
{
    for (int i = 0; i < 2 && nests; i++)
        TRY(parser_enter(body->parser));
    TRY(parse_c_full_expression(body, block, value));
    for (int i = 0; i < 2 && nests; i++)
        parser_leave(body->parser);
    return STATUS_OK;
}

enum status parse_c_update(struct c_body *body, struct litmus_block *block, const struct c_target *target)
{
    const struct token mark = body->parser->token;
    const struct update *const update = find_update(&mark);
    struct litmus_expression *value;
    TRY(parser_advance(body->parser));
    if (update && update->by_one)
        return update_target(body, block, target, update, make_c_constant(body, 1, mark.place));
    const bool truth = target->index != LITMUS_NONE && body->draft->registers[target->index].truth;
    TRY(parse_operand_of(body, block, update || truth, &value));
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
        TRY(parser_advance(parser));
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

/* ---- inside expressions ---- */

bool at_c_assignment(const struct c_body *body)
{
    struct scanner ahead = body->parser->scanner;
    const struct token next = scanner_next(&ahead);
    const struct update *const update = find_update(&next);
    return body->parser->token.kind == TOKEN_WORD && (token_is(&next, "=") || (update && !update->by_one));
}

enum status parse_c_assignment_value(struct c_body *body, struct litmus_expression **result)
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

/* "++r0", "r0++" and so on: the register, which is incremented before the expression; "r0++"
 * subtracts 1 again. */
enum status parse_c_increment_value(struct c_body *body, struct litmus_expression **result)
{
    struct parser *parser = body->parser;
    const struct update *update = find_update(&parser->token);
    const bool prefix = update != NULL;
    struct token name;
    if (prefix)
        TRY(parser_advance(parser));
    TRY(parser_take_word(parser, "a register", &name));
    const int index = draft_find_register(body->draft, &name);
    if (index == LITMUS_NONE)
        return parser_expected_not(parser, &name, "a register that the thread declares, as in 'int r0;'");
    if (!prefix) {
        update = find_update(&parser->token);
        TRY(parser_advance(parser));
    }
    const bool small = litmus_type_size(body->draft->thread.registers[index].type) < sizeof(int32_t);
    if (!prefix && (small || body->draft->registers[index].truth))
        return parser_fail(parser, name.place, STATUS_SYNTAX,
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

/* ---- barriers that count ---- */

static struct litmus_expression *meeting_address(const struct c_body *body, struct litmus_place place)
{
    return parser_expression(body->parser, LITMUS_EXPRESSION_ADDRESS, place);
}

enum status add_c_reduction(struct c_body *body, struct litmus_block *block, const struct c_call *call,
                            struct litmus_place place, struct litmus_expression **result)
{
    struct parser *parser = body->parser;
    struct draft *draft = body->draft;
    struct litmus_expression *answer = parser_expression(parser, LITMUS_EXPRESSION_ACCESS, place);
    struct litmus_expression *total = parser_expression(parser, LITMUS_EXPRESSION_ACCESS, place);
    if (block != &draft->thread.body)
        return parser_fail(parser, place, STATUS_SYNTAX,
                           "expected a barrier with a result only outside branches and loops");
    answer->access = parser_access(parser);
    answer->access->operation = call->function->operation;
    answer->access->order = answer->access->failure = LITMUS_RELAXED;
    answer->access->scope = LITMUS_WORK_GROUP;
    answer->access->address = meeting_address(body, place);
    TRY(make_c_truth(body, call->predicate, &answer->access->operand));
    total->access = parser_access(parser);
    total->access->address = meeting_address(body, place);
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
