// SPDX-License-Identifier: Apache-2.0
/* Calls in C of functions that several lanes call together: their arguments, and the registers for their results. */
#include "litmus/language/collective.h"
#include "litmus/language/walk.h"
#include "litmus/parse/c_body.h"

/* A value that a lane brings, and a number or a mask of lanes, which are not read from memory. */
enum status parse_c_lane_value(struct c_body *body, struct c_call *call)
{
    struct litmus_collective *collective = &call->statement.collective;
    const struct token start = body->parser->token;
    TRY(parse_c_expression(body, &call->statement.value));
    if (litmus_has_access(call->statement.value) && !body->before)
        return parser_expected_not(body->parser, &start, "a value that is not read from memory");
    if (litmus_has_access(call->statement.value))
        TRY(make_c_temporary(body, body->before, call->statement.value, &call->statement.value));
    if (litmus_collective_votes(collective->function))
        return STATUS_OK;
    const enum litmus_type type = c_type_of(body, call->statement.value);
    collective->type = type == LITMUS_UINT ? LITMUS_UINT : LITMUS_INT;
    return litmus_type_size(type) <= litmus_type_size(LITMUS_INT) && !litmus_type_is_float(type)
               ? STATUS_OK
               : parser_expected_not(body->parser, &start, "a value of type int or unsigned int");
}

static enum status parse_lane_number(struct c_body *body, struct litmus_expression **result)
{
    const struct token start = body->parser->token;
    TRY(parse_c_expression(body, result));
    struct litmus_expression *number = *result, *left = number->left;
    const bool constant = left && number->kind == LITMUS_EXPRESSION_UNARY && left->kind == LITMUS_EXPRESSION_CONSTANT;
    if (constant && number->op != LITMUS_NOT)
        number = *result = make_c_constant(
            body, number->op == LITMUS_NEGATE ? (int64_t)(0 - (uint64_t)left->value) : ~left->value, start.place);
    if (number->kind == LITMUS_EXPRESSION_CONSTANT) {
        number->value = (uint32_t)number->value;
        number->suffix = LITMUS_CHAR;
    }
    return litmus_has_access(number)
               ? parser_expected_not(body->parser, &start, "a number that is not read from memory")
               : STATUS_OK;
}

enum status parse_c_lane(struct c_body *body, struct c_call *call)
{
    return parse_lane_number(body, &call->statement.collective.lane);
}

/* Of a barrier with all lanes, they need not be kept. */
enum status parse_c_mask(struct c_body *body, struct c_call *call)
{
    struct litmus_expression *mask;
    TRY(parse_lane_number(body, &mask));
    if (call->statement.kind == LITMUS_BARRIER) {
        if (mask->kind == LITMUS_EXPRESSION_CONSTANT && mask->value == UINT32_MAX)
            return STATUS_OK;
        call->statement.kind = LITMUS_COLLECTIVE;
        call->statement.collective = (struct litmus_collective){.function = LITMUS_SYNC_LANES};
    }
    call->statement.collective.mask = mask;
    return STATUS_OK;
}

enum status add_c_collective(struct c_body *body, const struct litmus_statement *call, const struct token *name,
                             struct litmus_expression **result)
{
    struct litmus_statement *statement;
    const size_t count = body->draft->thread.register_count;
    /* A condition that is read again has the register again. */
    const char *const own =
        arena_print(parser_arena(body->parser), "_lanes%u_%u", name->place.line, name->place.column);
    if (call->collective.function == LITMUS_SYNC_LANES)
        return parser_expected_not(body->parser, name, "a function that returns a value");
    TRY(take_c_register(body, own, litmus_collective_type(&call->collective), false, name->place, result));
    body->draft->of_lanes = body->draft->thread.register_count > count ? body->draft->thread.register_count : 0;
    TRY(note_c_moved(body, (*result)->index));
    body->moved_reads = false;
    TRY(parser_statement(body->parser, body->before, LITMUS_COLLECTIVE, name->place, &statement));
    *statement = *call;
    statement->target = (*result)->index;
    statement->label = LITMUS_NONE;
    return STATUS_OK;
}

bool set_c_from_lanes(struct c_body *body, struct litmus_block *block, int target,
                      const struct litmus_expression *value)
{
    struct draft *draft = body->draft;
    struct litmus_statement *last = block->count > 0 ? &block->statements[block->count - 1] : NULL;
    const bool own = last && last->kind == LITMUS_COLLECTIVE && value->kind == LITMUS_EXPRESSION_REGISTER &&
                     last->target == value->index && (size_t)value->index + 1 == draft->of_lanes &&
                     draft->of_lanes == draft->thread.register_count;
    if (!own)
        return false;
    last->target = target;
    draft->registers[--draft->thread.register_count] = (struct register_note){0};
    return true;
}
