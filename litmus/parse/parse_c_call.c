// SPDX-License-Identifier: Apache-2.0
/* Calls of the functions that access memory, fence and wait. */
#include <string.h>

#include "base/terminal/resemblance.h"
#include "litmus/language/order.h"
#include "litmus/language/visit.h"
#include "litmus/parse/c_body.h"

static const char *orders_of(enum litmus_operation operation)
{
    return operation == LITMUS_LOAD ? "an order of loads: relaxed, acquire or seq_cst"
                                    : "an order of stores: relaxed, release or seq_cst";
}

static enum status parse_order(struct c_body *body, enum litmus_operation operation, enum litmus_order *order)
{
    struct parser *parser = body->parser;
    struct token name;
    TRY(parse_c_name(body, body->language->an_order, &name));
    const int value = word_find(body->language->orders, &name);
    if (value == LITMUS_NONE)
        return parser_expected_not(parser, &name, body->language->an_order);
    if (!operation_has_order(operation, (enum litmus_order)value))
        return parser_expected_not(parser, &name, orders_of(operation));
    *order = (enum litmus_order)value;
    return STATUS_OK;
}

enum status parse_c_scope(struct c_body *body, enum litmus_scope *scope)
{
    struct token name;
    TRY(parse_c_name(body, body->language->a_scope, &name));
    const int value = word_find(body->language->scopes, &name);
    if (value == LITMUS_NONE)
        return parser_expected_not(body->parser, &name, body->language->a_scope);
    *scope = (enum litmus_scope)value;
    return STATUS_OK;
}

/* ---- arguments, one function for each letter ---- */

/* A location, or an atomic_flag, which only its own functions take. */
static enum status parse_location(struct c_body *body, struct c_call *call)
{
    const bool flag = c_takes(call->function, 'm');
    const struct token start = body->parser->token;
    struct litmus_expression *address;
    TRY(parse_c_pointer(body, &address));
    TRY(make_c_access(body, address, NULL, false, &call->statement.value));
    if ((call->statement.value->access->type == LITMUS_FLAG) == flag)
        return STATUS_OK;
    return parser_expected_not(body->parser, &start,
                               flag ? "a pointer to an atomic_flag"
                                    : "a pointer to another type (an atomic_flag has atomic_flag_test_and_set and "
                                      "atomic_flag_clear only)");
}

static enum status parse_pixel(struct c_body *body, struct c_call *call)
{
    struct litmus_expression *address;
    TRY(parse_c_pixel(body, &address));
    return make_c_access(body, address, NULL, false, &call->statement.value);
}

/* The three channels that the image lacks. */
static enum status parse_no_channels(struct parser *parser)
{
    for (int i = 0; i < 3; i++) {
        TRY(parser_take(parser, ","));
        if (parser->token.kind != TOKEN_NUMBER || parser->token.number != 0)
            return parser_expected(parser, "0 in a channel that the image does not have");
        TRY(parser_advance(parser));
    }
    return STATUS_OK;
}

/* "(int4)(e, 0, 0, 0)", "(int4)(e)" or e. */
static enum status parse_channels(struct c_body *body, struct c_call *call)
{
    struct parser *parser = body->parser;
    struct scanner ahead = parser->scanner;
    const struct token next = scanner_next(&ahead);
    if (!parser_at(parser, "(") || !token_is(&next, "int4"))
        return parse_c_expression(body, &call->statement.value->access->operand);
    TRY(parser_advance(parser));
    TRY(parser_advance(parser));
    TRY(parser_take(parser, ")"));
    TRY(parser_take(parser, "("));
    TRY(parse_c_expression(body, &call->statement.value->access->operand));
    if (parser_at(parser, ","))
        TRY(parse_no_channels(parser));
    return parser_take(parser, ")");
}

static enum status parse_value(struct c_body *body, struct c_call *call)
{
    return parse_c_expression(body, &call->statement.value->access->operand);
}

static enum status parse_expected_value(struct c_body *body, struct c_call *call)
{
    return parse_c_expression(body, &call->statement.value->access->expected);
}

/* The predicate that a barrier evaluates in each thread. The comparison that it may be printed in
 * is one level of nesting. */
static enum status parse_predicate(struct c_body *body, struct c_call *call)
{
    TRY(parser_enter(body->parser));
    TRY(parse_c_expression(body, &call->predicate));
    parser_leave(body->parser);
    return STATUS_OK;
}

/* "&r0" or a pointer, or "r0" or a location. */
static enum status parse_expected(struct c_body *body, struct c_call *call)
{
    struct parser *parser = body->parser;
    struct litmus_access *access = call->statement.value->access;
    const bool pointer = c_takes(call->function, 'e');
    struct scanner ahead = parser->scanner;
    const struct token next = scanner_next(&ahead);
    const struct token name = pointer && parser_at(parser, "&") ? next : parser->token;
    const int index = name.kind == TOKEN_WORD ? draft_find_register(body->draft, &name) : LITMUS_NONE;
    if (index == LITMUS_NONE || (pointer && !parser_at(parser, "&")))
        return pointer ? parse_c_pointer(body, &access->expected_address)
                       : parse_c_referred(body, &access->expected_address);
    if (pointer)
        TRY(parser_advance(parser));
    if (body->draft->registers[index].truth)
        return parser_expected(parser, "a register of the location's type, not a bool");
    access->expected_register = index;
    return parser_advance(parser);
}

static enum status parse_order_argument(struct c_body *body, struct c_call *call)
{
    if (!call->statement.value)
        return parse_order(body, LITMUS_EXCHANGE, &call->statement.orders.order);
    struct litmus_access *access = call->statement.value->access;
    TRY(parse_order(body, access->operation, &access->order));
    const bool compares = access->expected_address || access->expected_register != LITMUS_NONE;
    access->failure = compares ? order_of_read(access->order) : access->order;
    access->spelling.explicit_order = body->language->notes_form;
    return STATUS_OK;
}

static enum status parse_failure(struct c_body *body, struct c_call *call)
{
    struct litmus_access *access = call->statement.value->access;
    /* In other dialects it is not restricted, because published tests use release there. */
    const bool loads = body->language->failure_never_releases;
    return parse_order(body, loads ? LITMUS_LOAD : access->operation, &access->failure);
}

static enum status parse_scope_argument(struct c_body *body, struct c_call *call)
{
    struct litmus_access *access = call->statement.value ? call->statement.value->access : NULL;
    struct litmus_orders *orders = &call->statement.orders;
    struct litmus_spelling *spelling = access ? &access->spelling : &orders->spelling;
    spelling->explicit_scope = body->language->notes_form && !litmus_is_fence(&call->statement);
    return parse_c_scope(body, access ? &access->scope : &orders->scope);
}

/* "CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE", one flag or all three, or 0. */
static enum status parse_flags(struct c_body *body, struct c_call *call)
{
    struct parser *parser = body->parser;
    struct litmus_orders *orders = &call->statement.orders;
    if (parser->token.kind == TOKEN_NUMBER && parser->token.number == 0)
        return parser_advance(parser);
    for (bool more = true; more;) {
        if (parser_at(parser, "CLK_GLOBAL_MEM_FENCE"))
            orders->flag_global = true;
        else if (parser_at(parser, "CLK_LOCAL_MEM_FENCE"))
            orders->flag_local = true;
        else if (parser_at(parser, "CLK_IMAGE_MEM_FENCE"))
            orders->flag_image = true;
        else
            return parser_expected(parser, "CLK_GLOBAL_MEM_FENCE, CLK_LOCAL_MEM_FENCE, CLK_IMAGE_MEM_FENCE or 0");
        TRY(parser_advance(parser));
        TRY(parser_take_if(parser, "|", &more));
    }
    return STATUS_OK;
}

static const struct {
    char letter;
    enum status (*parse)(struct c_body *body, struct c_call *call);
} arguments[] = {
    {'p', parse_location},       {'m', parse_location}, {'v', parse_value},          {'x', parse_expected_value},
    {'e', parse_expected},       {'r', parse_expected}, {'o', parse_order_argument}, {'n', parse_failure},
    {'s', parse_scope_argument}, {'f', parse_flags},    {'c', parse_predicate},      {'i', parse_pixel},
    {'w', parse_channels},
};

static enum status parse_argument(struct c_body *body, char letter, struct c_call *call)
{
    size_t i = 0;
    while (arguments[i].letter != letter)
        i++;
    return arguments[i].parse(body, call);
}

/* The operand that a call leaves to the function: 1 of atomic_inc and atomic_flag_test_and_set, 0 of atomic_flag_clear. */
static void set_operand(struct c_body *body, const struct c_function *function, struct litmus_access *access)
{
    if (c_takes(function, 'm') || function->spelling.legacy_step)
        access->operand = make_c_constant(body, access->operation != LITMUS_STORE, access->address->place);
}

/* A call of the function before its arguments are read, and of an access again once its pointer is. */
static void set_defaults(struct c_body *body, struct c_call *call)
{
    const struct c_function *function = call->function;
    struct litmus_statement *statement = &call->statement;
    struct litmus_access *access = statement->value ? statement->value->access : NULL;
    statement->kind = function->kind;
    if (litmus_kinds[function->kind].orders) {
        statement->orders.order = function->order;
        statement->orders.scope = function->scope;
        statement->orders.spelling = function->spelling;
    }
    if (litmus_kinds[function->kind].meets)
        statement->barrier.sub_group = function->scope == LITMUS_SUB_GROUP;
    if (!access)
        return;
    access->operation = function->operation;
    access->order = access->failure = function->order;
    access->scope = function->scope;
    access->spelling = function->spelling;
    if (access->spelling.legacy && access->address->kind == LITMUS_EXPRESSION_ADDRESS)
        body->parser->test->locations[access->address->index].legacy = true;
    set_operand(body, function, access);
}

/* "(x, 1)" with the name taken. */
static enum status parse_arguments(struct c_body *body, struct c_call *call)
{
    struct parser *parser = body->parser;
    bool optional = false, first = true;
    TRY(parser_take(parser, "("));
    for (const char *letter = call->function->arguments; *letter; letter++) {
        if (*letter == '?') {
            optional = true;
            continue;
        }
        if (optional && (first ? parser_at(parser, ")") : !parser_at(parser, ",")))
            break;
        if (!first)
            TRY(parser_take(parser, ","));
        TRY(parse_argument(body, *letter, call));
        if (*letter == 'p' || *letter == 'm' || *letter == 'i')
            set_defaults(body, call);
        first = false;
    }
    return parser_take(parser, ")");
}

static const struct c_function *find_function(const struct c_body *body, const struct token *name, bool method)
{
    const struct c_function *row = c_functions;
    while (row->name &&
           !((row->sets & body->language->functions) != 0 && c_is_method(row) == method && token_is(name, row->name)))
        row++;
    return row->name ? row : NULL;
}

/* "(*x).load(...)" or ".load(...)", with the class and its arguments, or the name of a reference, taken. */
static enum status parse_method(struct c_body *body, const struct token *start, struct c_call *call)
{
    struct parser *parser = body->parser;
    struct c_reference reference;
    struct token name;
    TRY(parse_c_referent(body, start, &reference));
    TRY(parser_take(parser, "."));
    TRY(parser_take_word(parser, "a function such as load", &name));
    call->function = find_function(body, &name, true);
    if (!call->function)
        return parser_expected_not(parser, &name, "a function such as load");
    TRY(make_c_access(body, reference.address, NULL, false, &call->statement.value));
    set_defaults(body, call);
    if (reference.scoped)
        call->statement.value->access->scope = reference.scope;
    return parse_arguments(body, call);
}

/* ".x" of what read_imagei gives: the channel that the image has. */
static enum status parse_channel(struct c_body *body)
{
    TRY(parser_take(body->parser, "."));
    if (!parser_at(body->parser, "x"))
        return parser_expected(body->parser, "x, the one channel of the image");
    return parser_advance(body->parser);
}

static enum status refuse_function(struct c_body *body, const struct token *name)
{
    const struct c_language *language = body->language;
    const char *word = parser_copy(body->parser, name);
    struct resemblance known = {0};
    struct text what = {0};
    text_add(&what, "a function of docs/reference/%s", language->page);
    const struct c_foreign *foreign = language->foreign;
    while (foreign && foreign->start && strncmp(word, foreign->start, strlen(foreign->start)) != 0)
        foreign++;
    if (foreign && foreign->start)
        text_add(&what, " (the nearest form is %s)", foreign->nearest);
    for (const struct c_function *row = c_functions; row->name && !(foreign && foreign->start); row++)
        if ((row->sets & language->functions) != 0 && !row->spelling.legacy && !c_is_method(row))
            resemblance_offer(&known, word, row->name);
    resemblance_print(&known, &what);
    const enum status status = parser_expected_not(body->parser, name, text_string(&what));
    text_release(&what);
    return status;
}

bool is_c_call(const struct c_body *body, const struct token *name)
{
    return parser_at(body->parser, "(") || is_c_reference(body, name);
}

enum status parse_c_call(struct c_body *body, const struct token *name, struct c_call *call)
{
    struct parser *parser = body->parser;
    const bool method = is_c_reference(body, name);
    *call = (struct c_call){.statement = {.kind = LITMUS_PERFORM, .place = name->place}};
    call->function = method ? NULL : find_function(body, name, false);
    if (!call->function && !method)
        return refuse_function(body, name);
    TRY(parser_enter(parser));
    if (method)
        TRY(parse_method(body, name, call));
    else {
        set_defaults(body, call);
        TRY(parse_arguments(body, call));
        if (strcmp(call->function->arguments, "i") == 0)
            TRY(parse_channel(body));
    }
    if (call->statement.value)
        call->statement.value->place = name->place;
    parser_leave(parser);
    return STATUS_OK;
}
