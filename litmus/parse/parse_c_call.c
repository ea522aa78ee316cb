// SPDX-License-Identifier: Apache-2.0
/* Calls of the functions that access memory, fence and wait. */
#include <string.h>

#include "base/terminal/resemblance.h"
#include "litmus/language/order.h"
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

static enum status parse_location(struct c_body *body, struct c_call *call)
{
    struct litmus_expression *address;
    const struct token start = body->parser->token;
    TRY(parse_c_pointer(body, &address));
    TRY(make_c_access(body, address, NULL, false, &call->value));
    if (call->value->access->type == LITMUS_FLAG)
        return parser_expected_not(body->parser, &start,
                                   "a pointer to another type (an atomic_flag has atomic_flag_test_and_set and "
                                   "atomic_flag_clear only)");
    return STATUS_OK;
}

/* The operation, and with it the value, is known once the pointer is read: finish_flag. */
static enum status parse_flag(struct c_body *body, struct c_call *call)
{
    struct litmus_expression *address;
    const struct token start = body->parser->token;
    TRY(parse_c_pointer(body, &address));
    TRY(make_c_access(body, address, NULL, false, &call->value));
    return call->value->access->type == LITMUS_FLAG
               ? STATUS_OK
               : parser_expected_not(body->parser, &start, "a pointer to an atomic_flag");
}

static void finish_flag(const struct c_body *body, struct c_call *call)
{
    struct litmus_access *access = call->value->access;
    access->operand = parser_expression(body->parser, LITMUS_EXPRESSION_CONSTANT, call->value->place);
    access->operand->value = access->operation == LITMUS_EXCHANGE;
}

static enum status parse_pixel(struct c_body *body, struct c_call *call)
{
    struct litmus_expression *address;
    TRY(parse_c_pixel(body, &address));
    return make_c_access(body, address, NULL, false, &call->value);
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
        return parse_c_expression(body, &call->value->access->operand);
    TRY(parser_advance(parser));
    TRY(parser_advance(parser));
    TRY(parser_take(parser, ")"));
    TRY(parser_take(parser, "("));
    TRY(parse_c_expression(body, &call->value->access->operand));
    if (parser_at(parser, ","))
        TRY(parse_no_channels(parser));
    return parser_take(parser, ")");
}

static enum status parse_value(struct c_body *body, struct c_call *call)
{
    return parse_c_expression(body, &call->value->access->operand);
}

static enum status parse_expected_value(struct c_body *body, struct c_call *call)
{
    return parse_c_expression(body, &call->value->access->expected);
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

static enum status refuse_truth(struct c_body *body, int index)
{
    return body->draft->registers[index].truth
               ? parser_expected(body->parser, "a register of the location's type, not a bool")
               : STATUS_OK;
}

static enum status parse_expected_pointer(struct c_body *body, struct c_call *call)
{
    struct parser *parser = body->parser;
    struct litmus_access *access = call->value->access;
    if (parser_at(parser, "&")) {
        const struct scanner rest = parser->scanner;
        const struct token ampersand = parser->token;
        TRY(parser_advance(parser));
        const struct token name = parser->token;
        access->expected_register = draft_find_register(body->draft, &name);
        if (access->expected_register != LITMUS_NONE) {
            TRY(refuse_truth(body, access->expected_register));
            return parser_advance(parser);
        }
        parser->scanner = rest;
        parser->token = ampersand;
    }
    return parse_c_pointer(body, &access->expected_address);
}

static enum status parse_expected_reference(struct c_body *body, struct c_call *call)
{
    struct litmus_access *access = call->value->access;
    access->expected_register = draft_find_register(body->draft, &body->parser->token);
    if (access->expected_register != LITMUS_NONE && body->parser->token.kind == TOKEN_WORD) {
        TRY(refuse_truth(body, access->expected_register));
        return parser_advance(body->parser);
    }
    access->expected_register = LITMUS_NONE;
    return parse_c_referred(body, &access->expected_address);
}

static enum status parse_order_argument(struct c_body *body, struct c_call *call)
{
    if (call->kind == LITMUS_FENCE)
        return parse_order(body, LITMUS_EXCHANGE, &call->fence.order);
    struct litmus_access *access = call->value->access;
    TRY(parse_order(body, access->operation, &access->order));
    const bool compares = access->expected_address || access->expected_register != LITMUS_NONE;
    access->failure = compares ? order_of_read(access->order) : access->order;
    access->spelling.explicit_order = body->language->notes_form;
    return STATUS_OK;
}

static enum status parse_failure(struct c_body *body, struct c_call *call)
{
    struct litmus_access *access = call->value->access;
    /* In other dialects it is not restricted, because published tests use release there. */
    const bool loads = body->language->failure_never_releases;
    return parse_order(body, loads ? LITMUS_LOAD : access->operation, &access->failure);
}

static enum status parse_scope_argument(struct c_body *body, struct c_call *call)
{
    if (call->kind == LITMUS_FENCE)
        return parse_c_scope(body, &call->fence.scope);
    if (call->kind == LITMUS_BARRIER) {
        call->barrier.spelling.explicit_scope = true;
        return parse_c_scope(body, &call->barrier.scope);
    }
    call->value->access->spelling.explicit_scope = body->language->notes_form;
    return parse_c_scope(body, &call->value->access->scope);
}

/* "CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE", one flag or all three, or 0. */
static enum status parse_flags(struct c_body *body, struct c_call *call)
{
    struct parser *parser = body->parser;
    const bool fences = call->kind == LITMUS_FENCE;
    bool *const global = fences ? &call->fence.flag_global : &call->barrier.flag_global;
    bool *const local = fences ? &call->fence.flag_local : &call->barrier.flag_local;
    bool *const image = fences ? &call->fence.flag_image : &call->barrier.flag_image;
    if (parser->token.kind == TOKEN_NUMBER && parser->token.number == 0)
        return parser_advance(parser);
    for (bool more = true; more;) {
        if (parser_at(parser, "CLK_GLOBAL_MEM_FENCE"))
            *global = true;
        else if (parser_at(parser, "CLK_LOCAL_MEM_FENCE"))
            *local = true;
        else if (parser_at(parser, "CLK_IMAGE_MEM_FENCE"))
            *image = true;
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
    {'p', parse_location},
    {'m', parse_flag},
    {'v', parse_value},
    {'x', parse_expected_value},
    {'e', parse_expected_pointer},
    {'r', parse_expected_reference},
    {'o', parse_order_argument},
    {'n', parse_failure},
    {'s', parse_scope_argument},
    {'f', parse_flags},
    {'c', parse_predicate},
    {'i', parse_pixel},
    {'w', parse_channels},
};

static enum status parse_argument(struct c_body *body, char letter, struct c_call *call)
{
    size_t i = 0;
    while (arguments[i].letter != letter)
        i++;
    return arguments[i].parse(body, call);
}

/* A function of OpenCL C 1.x: the name that was called, and the implicit operand of atomic_inc. */
static void set_legacy(struct c_body *body, const struct c_function *function, struct litmus_access *access)
{
    access->spelling.legacy = true;
    access->spelling.legacy_atom = strncmp(function->name, "atom_", strlen("atom_")) == 0;
    access->spelling.legacy_step = !strchr(function->arguments, 'v');
    if (access->address->kind == LITMUS_EXPRESSION_ADDRESS)
        body->parser->test->locations[access->address->index].legacy = true;
    if (!access->spelling.legacy_step)
        return;
    access->operand = parser_expression(body->parser, LITMUS_EXPRESSION_CONSTANT, access->address->place);
    access->operand->value = 1;
}

/* A call of the function before its arguments are read. */
static void set_defaults(struct c_body *body, const struct c_function *function, struct c_call *call)
{
    call->kind = function->kind;
    if (call->kind == LITMUS_FENCE)
        call->fence = (struct litmus_fence){
            .order = function->order,
            .scope = function->scope,
            .spelling = {.legacy = call->legacy, .library = strncmp(function->name, "cuda::", strlen("cuda::")) == 0}};
    else if (call->kind == LITMUS_BARRIER) {
        call->barrier = (struct litmus_barrier){
            .scope = function->scope,
            .spelling = {.legacy = call->legacy},
            .sub_group = function->scope == LITMUS_SUB_GROUP,
        };
        call->reduction = function->operation;
    } else if (call->value) {
        struct litmus_access *access = call->value->access;
        access->operation = function->operation;
        access->order = access->failure = function->order;
        access->scope = function->scope;
        if (call->legacy)
            set_legacy(body, function, access);
    }
}

/* "(x, 1)" with the name taken. */
static enum status parse_arguments(struct c_body *body, const struct c_function *function, struct c_call *call)
{
    struct parser *parser = body->parser;
    bool optional = false, first = true;
    TRY(parser_take(parser, "("));
    for (const char *letter = function->arguments; *letter; letter++) {
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
            set_defaults(body, function, call);
        if (*letter == 'm')
            finish_flag(body, call);
        first = false;
    }
    return parser_take(parser, ")");
}

static const struct c_function *find_function(const struct c_function *functions, const struct token *name)
{
    for (; functions && functions->name; functions++)
        if (token_is(name, functions->name))
            return functions;
    return NULL;
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
    const struct c_function *function = find_function(body->language->methods, &name);
    if (!function)
        return parser_expected_not(parser, &name, "a function such as load");
    TRY(make_c_access(body, reference.address, NULL, false, &call->value));
    set_defaults(body, function, call);
    call->value->access->spelling.library = true;
    if (reference.scoped)
        call->value->access->scope = reference.scope;
    return parse_arguments(body, function, call);
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
    for (const struct c_function *row = language->functions; row->name && !(foreign && foreign->start); row++)
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
    const struct c_function *legacy = method ? NULL : find_function(body->language->legacy, name);
    const struct c_function *function = method || legacy ? legacy : find_function(body->language->functions, name);
    if (!function && !method)
        return refuse_function(body, name);
    *call = (struct c_call){.kind = LITMUS_PERFORM, .legacy = legacy != NULL};
    TRY(parser_enter(parser));
    if (function) {
        set_defaults(body, function, call);
        TRY(parse_arguments(body, function, call));
        if (strcmp(function->arguments, "i") == 0)
            TRY(parse_channel(body));
    } else
        TRY(parse_method(body, name, call));
    if (call->value)
        call->value->place = name->place;
    parser_leave(parser);
    return STATUS_OK;
}
