// SPDX-License-Identifier: Apache-2.0
/* Calls of the functions that access memory, fence and wait. */
#include <string.h>

#include "litmus/c_body.h"

static const struct c_function *find_function(const struct c_body *body, const struct token *name, bool *is_explicit)
{
    static const char suffix[] = "_explicit";
    const size_t length = sizeof suffix - 1;
    struct token base = *name;
    *is_explicit = base.size > length && memcmp(base.text + base.size - length, suffix, length) == 0;
    if (*is_explicit)
        base.size -= length;
    for (const struct c_function *function = body->language->functions; function->name; function++)
        if (token_is(&base, function->name))
            return *is_explicit && function->shape >= C_FENCE ? NULL : function;
    return NULL;
}

/* Which orders an operation may have; C forbids the others. The order of a CAS that fails is not restricted, because
 * published tests use release there. */
static bool order_fits(enum litmus_operation operation, enum litmus_order order)
{
    if (operation == LITMUS_LOAD)
        return order != LITMUS_RELEASE && order != LITMUS_ACQ_REL;
    if (operation == LITMUS_STORE)
        return order != LITMUS_ACQUIRE && order != LITMUS_ACQ_REL;
    return true;
}

static enum status parse_order(struct c_body *body, enum litmus_operation operation, enum litmus_order *order)
{
    struct parser *parser = body->parser;
    const int value = word_find(body->language->orders, &parser->token);
    if (value == LITMUS_NONE)
        return parser_expected(parser, "an order such as memory_order_relaxed");
    if (!order_fits(operation, (enum litmus_order)value))
        return parser_expected(parser, operation == LITMUS_LOAD ? "an order of loads: relaxed, acquire or seq_cst"
                                                                : "an order of stores: relaxed, release or seq_cst");
    *order = (enum litmus_order)value;
    return parser_advance(parser);
}

static enum status parse_scope(struct c_body *body, enum litmus_scope *scope)
{
    const int value = word_find(body->language->scopes, &body->parser->token);
    if (value == LITMUS_NONE)
        return parser_expected(body->parser, "a scope such as memory_scope_device");
    *scope = (enum litmus_scope)value;
    return parser_advance(body->parser);
}

/* What _explicit adds: ", order" (twice for a CAS), and ", scope" if it is written. */
static enum status parse_order_and_scope(struct c_body *body, struct litmus_access *access)
{
    struct parser *parser = body->parser;
    TRY(parser_take(parser, ","));
    TRY(parse_order(body, access->operation, &access->order));
    access->failure = access->order;
    if (access->operation == LITMUS_CAS || access->operation == LITMUS_CAS_WEAK) {
        TRY(parser_take(parser, ","));
        TRY(parse_order(body, access->operation, &access->failure));
    }
    access->explicit_order = true;
    TRY(parser_take_if(parser, ",", &access->explicit_scope));
    return access->explicit_scope ? parse_scope(body, &access->scope) : STATUS_OK;
}

/* "&r0" of a register, or a pointer to a location. */
static enum status parse_expected(struct c_body *body, struct litmus_access *access)
{
    struct parser *parser = body->parser;
    if (parser_at(parser, "&")) {
        const struct scanner rest = parser->scanner;
        const struct token ampersand = parser->token;
        TRY(parser_advance(parser));
        const struct token name = parser->token;
        access->expected_register = draft_find_register(body->draft, &name);
        if (access->expected_register != LITMUS_NONE)
            return parser_advance(parser);
        parser->scanner = rest;
        parser->token = ampersand;
    }
    return parse_c_pointer(body, &access->expected_address);
}

static enum status parse_access(struct c_body *body, const struct token *name, const struct c_function *function,
                                bool is_explicit, struct litmus_expression **result)
{
    struct parser *parser = body->parser;
    struct litmus_expression *address;
    TRY(parse_c_pointer(body, &address));
    TRY(make_c_access(body, address, NULL, result));
    (*result)->place = name->place;
    struct litmus_access *access = (*result)->access;
    access->operation = function->operation;
    access->order = access->failure = body->language->default_order;
    access->scope = body->language->default_scope;
    if (function->shape == C_COMPARE) {
        TRY(parser_take(parser, ","));
        TRY(parse_expected(body, access));
    }
    if (function->shape != C_LOAD) {
        TRY(parser_take(parser, ","));
        TRY(parse_c_expression(body, &access->operand));
    }
    return is_explicit ? parse_order_and_scope(body, access) : STATUS_OK;
}

/* "CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE", one of the two, or 0. */
static enum status parse_flags(struct parser *parser, bool *global, bool *local)
{
    *global = *local = false;
    if (parser->token.kind == TOKEN_NUMBER && parser->token.number == 0)
        return parser_advance(parser);
    for (bool more = true; more;) {
        if (parser_at(parser, "CLK_GLOBAL_MEM_FENCE"))
            *global = true;
        else if (parser_at(parser, "CLK_LOCAL_MEM_FENCE"))
            *local = true;
        else
            return parser_expected(parser, "CLK_GLOBAL_MEM_FENCE, CLK_LOCAL_MEM_FENCE or 0");
        TRY(parser_advance(parser));
        TRY(parser_take_if(parser, "|", &more));
    }
    return STATUS_OK;
}

static enum status parse_fence(struct c_body *body, struct litmus_fence *fence)
{
    struct parser *parser = body->parser;
    TRY(parse_flags(parser, &fence->flag_global, &fence->flag_local));
    TRY(parser_take(parser, ","));
    TRY(parse_order(body, LITMUS_EXCHANGE, &fence->order));
    TRY(parser_take(parser, ","));
    return parse_scope(body, &fence->scope);
}

static enum status parse_barrier(struct c_body *body, const struct c_function *function, struct litmus_barrier *barrier)
{
    struct parser *parser = body->parser;
    TRY(parse_flags(parser, &barrier->flag_global, &barrier->flag_local));
    barrier->scope = LITMUS_WORK_GROUP;
    if (!function->has_scope || !parser_at(parser, ","))
        return STATUS_OK;
    TRY(parser_advance(parser));
    return parse_scope(body, &barrier->scope);
}

enum status parse_c_call(struct c_body *body, const struct token *name, struct c_call *call)
{
    struct parser *parser = body->parser;
    bool is_explicit;
    const struct c_function *function = find_function(body, name, &is_explicit);
    if (!function)
        return parser_expected_not(parser, name, "a function that orchil knows");
    *call = (struct c_call){.kind = LITMUS_PERFORM};
    TRY(parser_enter(parser));
    TRY(parser_take(parser, "("));
    if (function->shape == C_FENCE) {
        call->kind = LITMUS_FENCE;
        TRY(parse_fence(body, &call->fence));
    } else if (function->shape == C_BARRIER) {
        call->kind = LITMUS_BARRIER;
        TRY(parse_barrier(body, function, &call->barrier));
    } else
        TRY(parse_access(body, name, function, is_explicit, &call->value));
    parser_leave(parser);
    return parser_take(parser, ")");
}
