// SPDX-License-Identifier: Apache-2.0
/* Pointers in C and the accesses through them, "*x", "*(x + e)", "x[e]", "&x[e]", "*(volatile int*)x"; objects that
 * refer to locations; and calls of the functions that access memory, fence and wait. */
#include "base/terminal/resemblance.h"
#include "litmus/language/order.h"
#include "litmus/language/walk.h"
#include "litmus/parse/c_body.h"

/* A location as a pointer: the index of a parameter of the thread, or LITMUS_NONE. */
static int find_parameter(const struct c_body *body, const struct token *name)
{
    const int index = parser_find_location(body->parser, name);
    if (body->language->finds_locations)
        return index;
    return index != LITMUS_NONE && body->draft->visible[index] ? index : LITMUS_NONE;
}

static bool is_image(const struct c_body *body, int location)
{
    return location != LITMUS_NONE && body->parser->test->locations[location].region == LITMUS_IMAGE;
}

/* Without parameters, a name that no thread uses for a register yet is a location. */
static enum status find_location(struct c_body *body, const struct token *name)
{
    struct parser *parser = body->parser;
    int index;
    if (ANY_OF(draft, parser->drafts, parser->draft_count, draft_find_register(*draft, name) != LITMUS_NONE))
        return STATUS_OK;
    return parser_location(parser, name, &index);
}

enum status parse_c_variable(struct c_body *body, const struct token *name, struct litmus_expression **result)
{
    if (body->language->finds_locations)
        TRY(find_location(body, name));
    const int parameter = find_parameter(body, name);
    if (is_image(body, parameter))
        return parser_expected_not(body->parser, name, "a buffer (only read_imagei and write_imagei access an image)");
    const int index = parameter != LITMUS_NONE ? parameter : draft_find_register(body->draft, name);
    if (index == LITMUS_NONE)
        return parser_expected_not(body->parser, name,
                                   parser_find_location(body->parser, name) == LITMUS_NONE
                                       ? "a register or a parameter of the thread"
                                       : "a register or a parameter (a thread lists the locations that it uses)");
    *result = parser_expression(
        body->parser, parameter != LITMUS_NONE ? LITMUS_EXPRESSION_ADDRESS : LITMUS_EXPRESSION_REGISTER, name->place);
    (*result)->index = index;
    if (parameter != LITMUS_NONE) {
        (*result)->generic = body->draft->points_to_generic[parameter];
        body->parser->test->locations[parameter].constant = body->parser->notes[parameter].constant;
    }
    return STATUS_OK;
}

/* Element 0 has no index, whatever expression gives 0. */
static enum status set_element(struct c_body *body, struct litmus_expression *address,
                               struct litmus_expression *element, struct litmus_place place)
{
    if (element->kind != LITMUS_EXPRESSION_CONSTANT) {
        address->left = element;
        return STATUS_OK;
    }
    const struct litmus_location *location = &body->parser->test->locations[address->index];
    if (element->value < 0 || element->value >= location->elements)
        return parser_fail(body->parser, place, "expected an index of '%s' below %u, found %lld", location->name,
                           location->elements, (long long)element->value);
    address->left = element->value == 0 ? NULL : element;
    return STATUS_OK;
}

enum status parse_c_element(struct c_body *body, const struct token *name, struct litmus_expression **result)
{
    TRY(parse_c_variable(body, name, result));
    if ((*result)->kind != LITMUS_EXPRESSION_ADDRESS)
        return parser_expected_not(body->parser, name, "a parameter of the thread before '['");
    TRY(parser_take(body->parser, "["));
    const struct litmus_place place = body->parser->token.place;
    struct litmus_expression *element;
    TRY(parse_c_expression(body, &element));
    TRY(parser_take(body->parser, "]"));
    return set_element(body, *result, element, place);
}

/* Is "char*" at hand, between the parentheses of "(char*)x"? No pointer has a '*' after a word. */
static bool at_cast(const struct parser *parser)
{
    struct scanner ahead = parser->scanner;
    struct token token = parser->token;
    while (token.kind == TOKEN_WORD)
        token = scanner_next(&ahead);
    return parser->token.kind == TOKEN_WORD && token_is(&token, "*");
}

static enum status parse_pointer_operand(struct c_body *body, struct litmus_expression **result);

/* "volatile global atomic_int*)x": what the type says of the location is as if a parameter said it. */
static enum status parse_pointer_cast(struct c_body *body, struct litmus_expression **result)
{
    struct parser *parser = body->parser;
    bool is_volatile = false, atomic = false, typed = false;
    enum litmus_type type = LITMUS_INT;
    const struct token start = parser->token;
    while (!parser_at(parser, "*")) {
        is_volatile |= parser_at(parser, "volatile");
        if (parser_at(parser, "volatile") || parser_at(parser, "const") ||
            word_find(body->language->regions, &parser->token) != LITMUS_NONE)
            parser_advance(parser);
        else {
            TRY(parser_type(parser, &type, &atomic, &typed));
            if (!typed || (atomic && !body->language->atomic_types))
                return parser_expected(parser, "a type of the dialect");
        }
    }
    parser_advance(parser);
    TRY(parser_take(parser, ")"));
    TRY(parse_pointer_operand(body, result));
    const int index = c_location_of(body, *result);
    struct litmus_location *location = index == LITMUS_NONE ? NULL : &parser->test->locations[index];
    const bool named = (*result)->kind == LITMUS_EXPRESSION_ADDRESS;
    if ((location && (named ? body->draft->points_to[index] : location->type) != type) ||
        (!named && !body->language->volatile_accesses))
        return parser_expected_not(parser, &start,
                                   "a pointer without a cast to another type (an access has the type and the size of "
                                   "its location; only PTX mixes sizes)");
    if (body->language->volatile_accesses) {
        body->cast_volatile |= is_volatile;
        return STATUS_OK;
    }
    location->is_volatile |= is_volatile;
    location->atomic |= atomic;
    body->draft->points_to_atomic[index] |= atomic;
    return STATUS_OK;
}

/* A pointer that is not a sum: x, &x, &x[e], a pointer-valued register, or any pointer in parentheses. */
static enum status parse_pointer_operand(struct c_body *body, struct litmus_expression **result)
{
    struct parser *parser = body->parser;
    struct token name;
    if (parser_take_if(parser, "&")) {
        TRY(parser_take_word(parser, "a parameter of the thread", &name));
        /* "&x" says the same as "x": see docs/reference/language-opencl.md */
        if (!parser_at(parser, "[") && find_parameter(body, &name) != LITMUS_NONE)
            return parse_c_variable(body, &name, result);
        return parse_c_element(body, &name, result);
    }
    if (parser_take_if(parser, "(")) {
        TRY(parser_enter(parser));
        if (at_cast(parser))
            TRY(parse_pointer_cast(body, result));
        else {
            TRY(parse_c_pointer(body, result));
            TRY(parser_take(parser, ")"));
        }
        parser_leave(parser);
        return STATUS_OK;
    }
    TRY(parser_take_word(parser, "a pointer", &name));
    return parse_c_variable(body, &name, result);
}

enum status parse_c_pointer(struct c_body *body, struct litmus_expression **result)
{
    struct parser *parser = body->parser;
    TRY(parse_pointer_operand(body, result));
    if ((*result)->kind != LITMUS_EXPRESSION_ADDRESS || (*result)->left || !parser_at(parser, "+"))
        return STATUS_OK;
    parser_advance(parser);
    const struct litmus_place place = parser->token.place;
    struct litmus_expression *element;
    TRY(parse_c_expression(body, &element));
    return set_element(body, *result, element, place);
}

enum status parse_c_pointee(struct c_body *body, struct litmus_expression **result, bool *is_volatile)
{
    body->cast_volatile = false;
    *is_volatile = false;
    if (parser_at(body->parser, "(")) {
        TRY(parse_pointer_operand(body, result));
        *is_volatile = body->cast_volatile;
        return STATUS_OK;
    }
    struct token name;
    TRY(parser_take_word(body->parser, "a pointer", &name));
    return parse_c_variable(body, &name, result);
}

int c_location_of(const struct c_body *body, const struct litmus_expression *address)
{
    return address->kind == LITMUS_EXPRESSION_ADDRESS ? address->index
                                                      : body->draft->thread.registers[address->index].points_to;
}

enum status make_c_access(struct c_body *body, struct litmus_expression *address, struct litmus_expression *operand,
                          bool is_volatile, struct litmus_expression **result)
{
    *result = parser_expression(body->parser, LITMUS_EXPRESSION_ACCESS, address->place);
    struct litmus_access *access = parser_access(body->parser);
    const int location = c_location_of(body, address);
    access->operation = operand ? LITMUS_STORE : LITMUS_LOAD;
    access->address = address;
    access->operand = operand;
    access->type = address->kind == LITMUS_EXPRESSION_ADDRESS ? body->draft->points_to[location]
                   : location == LITMUS_NONE                  ? LITMUS_INT
                                                              : body->parser->test->locations[location].type;
    if (is_volatile || (address->kind == LITMUS_EXPRESSION_ADDRESS && body->draft->points_to_volatile[location])) {
        access->order = access->failure = LITMUS_VOLATILE;
        access->scope = LITMUS_ALL_DEVICES;
    }
    /* An object is read and set by its conversion and its assignment, which are seq_cst. */
    if (address->kind == LITMUS_EXPRESSION_ADDRESS && body->draft->objects[location].scoped) {
        access->order = access->failure = LITMUS_SEQ_CST;
        access->scope = body->draft->objects[location].scope;
        access->spelling.library = true;
    }
    (*result)->access = access;
    return STATUS_OK;
}

/* ---- objects that refer to locations, such as cuda::atomic_ref, with a name or without ---- */

/* "*x" or "x[1]", as a reference to the location. */
static enum status parse_c_referred(struct c_body *body, struct litmus_expression **address)
{
    struct parser *parser = body->parser;
    const struct token start = parser->token;
    bool is_volatile = false;
    struct token name;
    if (parser_take_if(parser, "*"))
        TRY(parse_c_pointee(body, address, &is_volatile));
    else {
        TRY(parser_take_word(parser, "a location such as *x", &name));
        if (!parser_at(parser, "["))
            return parser_expected_not(parser, &name, "a location such as *x");
        TRY(parse_c_element(body, &name, address));
    }
    return is_volatile ? parser_expected_not(parser, &start, "a location that is not volatile") : STATUS_OK;
}

static const struct c_reference *find_reference(const struct c_body *body, const struct token *name)
{
    for (size_t i = body->reference_count; i > 0; i--)
        if (token_is(name, body->references[i - 1].name))
            return &body->references[i - 1];
    return NULL;
}

static bool is_class(const struct c_body *body, const struct token *name)
{
    return body->language->reference && token_is(name, body->language->reference);
}

/* With a parameter that points to cuda::atomic objects taken: is one of its functions called? */
static bool at_object(const struct c_body *body, const struct token *name)
{
    const int index = body->language->reference ? find_parameter(body, name) : LITMUS_NONE;
    return index != LITMUS_NONE && body->draft->objects[index].scoped &&
           (parser_at(body->parser, ".") || parser_at(body->parser, "->"));
}

bool is_c_reference(const struct c_body *body, const struct token *name)
{
    return is_class(body, name) || find_reference(body, name) || at_object(body, name);
}

/* The word of a scope, such as memory_scope_device. */
static enum status parse_c_scope(struct c_body *body, enum litmus_scope *scope)
{
    struct token name;
    TRY(parse_c_name(body, body->language->a_scope, &name));
    const int value = word_find(body->language->scopes, &name);
    if (value == LITMUS_NONE)
        return parser_expected_not(body->parser, &name, body->language->a_scope);
    *scope = (enum litmus_scope)value;
    return STATUS_OK;
}

/* "<int, cuda::thread_scope_device>". */
enum status parse_c_class(struct c_body *body, struct c_reference *reference, enum litmus_type *type,
                          struct token *type_name)
{
    struct parser *parser = body->parser;
    bool atomic, more;
    *reference = (struct c_reference){0};
    TRY(parser_take(parser, "<"));
    *type_name = parser->token;
    TRY(parser_type(parser, type, &atomic, &more));
    if (!more || atomic)
        return parser_expected_not(parser, type_name, "the type of the location, such as int");
    reference->scoped = parser_take_if(parser, ",");
    if (reference->scoped)
        TRY(parse_c_scope(body, &reference->scope));
    return parser_take(parser, ">");
}

/* "(*x)" or, as C++ also has it, "{*x}". */
static enum status parse_initialiser(struct c_body *body, struct c_reference *reference, enum litmus_type type,
                                     const struct token *type_name)
{
    struct parser *parser = body->parser;
    const bool brace = parser_take_if(parser, "{");
    if (!brace)
        TRY(parser_take(parser, "("));
    TRY(parse_c_referred(body, &reference->address));
    /* Refuses a type other than the one that the address points to; place is the place of the type. */
    const int location = c_location_of(body, reference->address);
    if (location != LITMUS_NONE)
        TRY(parser_type_location(body->parser, location, type, type_name->place));
    return parser_take(parser, brace ? "}" : ")");
}

/* With the class or the name of an object taken: the object, up to the '.' of its function. */
static enum status parse_c_referent(struct c_body *body, const struct token *start, struct c_reference *reference)
{
    struct token type_name;
    enum litmus_type type;
    const struct c_reference *named = find_reference(body, start);
    if (at_object(body, start)) {
        reference->scoped = true;
        reference->scope = body->draft->objects[find_parameter(body, start)].scope;
        return parse_c_variable(body, start, &reference->address);
    }
    if (!named) {
        TRY(parse_c_class(body, reference, &type, &type_name));
        return parse_initialiser(body, reference, type, &type_name);
    }
    if (!parser_at(body->parser, "."))
        return parser_expected(body->parser, "'.' and a function such as load after a reference");
    /* Each access has an address of its own. */
    *reference = *named;
    reference->address = parser_expression(body->parser, LITMUS_EXPRESSION_ADDRESS, start->place);
    reference->address->index = named->address->index;
    reference->address->generic = named->address->generic;
    if (named->address->left)
        reference->address->left = make_c_constant(body, named->address->left->value, start->place);
    return STATUS_OK;
}

/* A reference that is used later must be to the same location then. */
static bool is_fixed(const struct litmus_expression *address)
{
    return address->kind == LITMUS_EXPRESSION_ADDRESS &&
           (!address->left || address->left->kind == LITMUS_EXPRESSION_CONSTANT);
}

static enum status check_name(struct c_body *body, const struct token *name)
{
    const int location = parser_find_location(body->parser, name);
    if (location != LITMUS_NONE && body->draft->visible[location])
        return parser_expected_not(body->parser, name, "a name that is not a parameter of the thread");
    if (draft_find_register(body->draft, name) != LITMUS_NONE || find_reference(body, name))
        return parser_expected_not(body->parser, name, "a name not used in the thread");
    return STATUS_OK;
}

/* "cuda::atomic<int> a;": an object that only its thread can reach, so it may be any location of its own. */
static enum status parse_local_object(struct c_body *body, const struct token *name,
                                      const struct c_reference *reference, enum litmus_type type)
{
    struct parser *parser = body->parser;
    int index;
    if (parser_find_location(parser, name) != LITMUS_NONE || draft_find_register(body->draft, name) != LITMUS_NONE)
        return parser_expected_not(parser, name, "a name for the thread's object that is not used in the test");
    TRY(parser_location(parser, name, &index));
    TRY(parser_type_location(parser, index, type, name->place));
    TRY(parser_place_location(parser, index, LITMUS_GLOBAL, name->place));
    body->draft->visible[index] = true;
    body->draft->points_to[index] = type;
    body->draft->objects[index] = (struct object_note){true, reference->scoped ? reference->scope : LITMUS_ALL_DEVICES};
    const bool value = parser_take_if(parser, "(");
    if (!value && !parser_take_if(parser, "{"))
        return STATUS_OK;
    struct litmus_place place;
    TRY(parser_integer(parser, "the object's value, a number", parser->test->locations[index].initial, &place));
    return parser_take(parser, value ? ")" : "}");
}

enum status parse_c_references(struct c_body *body, const struct token *class, bool *found)
{
    struct parser *parser = body->parser;
    const struct position at = parser_position(parser);
    struct token type_name, name;
    struct c_reference reference;
    enum litmus_type type;
    const bool object = body->language->object && token_is(class, body->language->object);
    *found = false;
    if (!is_class(body, class) && !object)
        return STATUS_OK;
    TRY(parse_c_class(body, &reference, &type, &type_name));
    *found = parser->token.kind == TOKEN_WORD;
    if (!*found) {
        parser_return(parser, &at);
        return STATUS_OK;
    }
    do {
        TRY(parser_take_word(parser, object ? "the name of an object" : "the name of a reference", &name));
        if (object) {
            TRY(parse_local_object(body, &name, &reference, type));
            continue;
        }
        TRY(check_name(body, &name));
        TRY(parser_name(parser, &name, &reference.name));
        TRY(parse_initialiser(body, &reference, type, &type_name));
        if (!is_fixed(reference.address))
            return parser_fail(parser, reference.address->place,
                               "expected a location, or an element with a constant index, for a named reference");
        ARENA_ADD(parser_arena(parser), body->references, body->reference_count) = reference;
    } while (parser_take_if(parser, ","));
    return parser_take(parser, ";");
}

/* ---- calls of the functions that access memory, fence and wait ---- */

static enum status parse_order(struct c_body *body, enum litmus_operation operation, enum litmus_order *order)
{
    struct parser *parser = body->parser;
    struct token name;
    TRY(parse_c_name(body, body->language->an_order, &name));
    const int value = word_find(body->language->orders, &name);
    if (value == LITMUS_NONE)
        return parser_expected_not(parser, &name, body->language->an_order);
    if (!operation_has_order(operation, (enum litmus_order)value))
        return parser_expected_not(parser, &name,
                                   operation == LITMUS_LOAD ? "an order of loads: relaxed, acquire or seq_cst"
                                                            : "an order of stores: relaxed, release or seq_cst");
    *order = (enum litmus_order)value;
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
    struct litmus_expression *address = NULL;
    /* "x, e": an image that is a parameter and the coordinate of a pixel, as the address of the pixel. */
    struct parser *parser = body->parser;
    struct token name;
    TRY(parser_take_word(parser, "an image", &name));
    const int index = find_parameter(body, &name);
    if (!is_image(body, index))
        return parser_expected_not(parser, &name, "an image, a parameter such as read_write image1d_t x");
    address = parser_expression(parser, LITMUS_EXPRESSION_ADDRESS, name.place);
    address->index = index;
    TRY(parser_take(parser, ","));
    const struct litmus_place place = parser->token.place;
    struct litmus_expression *coordinate;
    TRY(parse_c_expression(body, &coordinate));
    TRY(set_element(body, address, coordinate, place));
    return make_c_access(body, address, NULL, false, &call->statement.value);
}

/* "(int4)(e, 0, 0, 0)", "(int4)(e)" or e. */
static enum status parse_channels(struct c_body *body, struct c_call *call)
{
    struct parser *parser = body->parser;
    if (!parser_at(parser, "(") || !parser_next_is(parser, "int4"))
        return parse_c_expression(body, &call->statement.value->access->operand);
    parser_advance(parser);
    parser_advance(parser);
    TRY(parser_take(parser, ")"));
    TRY(parser_take(parser, "("));
    TRY(parse_c_expression(body, &call->statement.value->access->operand));
    if (parser_at(parser, ",")) {
        /* The three channels that the image lacks. */
        for (int i = 0; i < 3; i++) {
            TRY(parser_take(parser, ","));
            if (parser->token.kind != TOKEN_NUMBER || parser->token.number != 0)
                return parser_expected(parser, "0 in a channel that the image does not have");
            parser_advance(parser);
        }
    }
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

/* The predicate that a barrier evaluates in each thread. The comparison that it may be printed in is one level of
 * nesting. */
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
    const struct token name = pointer && parser_at(parser, "&") ? parser_next(parser) : parser->token;
    const int index = name.kind == TOKEN_WORD ? draft_find_register(body->draft, &name) : LITMUS_NONE;
    if (index == LITMUS_NONE || (pointer && !parser_at(parser, "&")))
        return pointer ? parse_c_pointer(body, &access->expected_address)
                       : parse_c_referred(body, &access->expected_address);
    if (pointer)
        parser_advance(parser);
    if (body->draft->registers[index].truth)
        return parser_expected(parser, "a register of the location's type, not a bool");
    access->expected_register = index;
    parser_advance(parser);
    return STATUS_OK;
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
    if (parser->token.kind == TOKEN_NUMBER && parser->token.number == 0) {
        parser_advance(parser);
        return STATUS_OK;
    }
    do {
        if (parser_at(parser, "CLK_GLOBAL_MEM_FENCE"))
            orders->flag_global = true;
        else if (parser_at(parser, "CLK_LOCAL_MEM_FENCE"))
            orders->flag_local = true;
        else if (parser_at(parser, "CLK_IMAGE_MEM_FENCE"))
            orders->flag_image = true;
        else
            return parser_expected(parser, "CLK_GLOBAL_MEM_FENCE, CLK_LOCAL_MEM_FENCE, CLK_IMAGE_MEM_FENCE or 0");
        parser_advance(parser);
    } while (parser_take_if(parser, "|"));
    return STATUS_OK;
}

/* A scope of LLVM in quotes: "agent", or "" for everything. */
static enum status parse_sync_scope(struct c_body *body, struct c_call *call)
{
    struct parser *parser = body->parser;
    const int scope =
        parser->token.kind == TOKEN_TEXT ? word_find(body->language->scopes, &parser->token) : LITMUS_NONE;
    if (scope == LITMUS_NONE)
        return parser_expected(parser, "a scope such as \"agent\" or \"workgroup\"");
    call->statement.orders.scope = (enum litmus_scope)scope;
    parser_advance(parser);
    return STATUS_OK;
}

/* false or true: whether a compare_exchange is weak. */
static enum status parse_weakness(struct c_body *body, struct c_call *call)
{
    struct litmus_expression *weak;
    const struct token start = body->parser->token;
    TRY(parse_c_expression(body, &weak));
    if (weak->kind != LITMUS_EXPRESSION_CONSTANT)
        return parser_expected_not(body->parser, &start, "false or true");
    if (weak->value != 0)
        call->statement.value->access->operation = LITMUS_CAS_WEAK;
    return STATUS_OK;
}

static enum status parse_dropped_value(struct c_body *body, UNUSED struct c_call *call)
{
    struct litmus_expression *value;
    const struct token start = body->parser->token;
    TRY(parse_c_expression(body, &value));
    return litmus_has_access(value) ? parser_expected_not(body->parser, &start, "a value that is not read from memory")
                                    : STATUS_OK;
}

/* "\"%d\", r0" of printf. */
static enum status parse_printed(struct c_body *body, struct c_call *call)
{
    if (body->parser->token.kind != TOKEN_TEXT)
        return parser_expected(body->parser, "a text in quotes");
    parser_advance(body->parser);
    while (parser_take_if(body->parser, ","))
        TRY(parse_dropped_value(body, call));
    return STATUS_OK;
}

static enum status parse_dropped_pointer(struct c_body *body, UNUSED struct c_call *call)
{
    struct litmus_expression *address;
    return parse_c_pointer(body, &address);
}

static const struct {
    char letter;
    enum status (*parse)(struct c_body *body, struct c_call *call);
} arguments[] = {
    {'p', parse_location},       {'m', parse_location},        {'v', parse_value},          {'x', parse_expected_value},
    {'e', parse_expected},       {'r', parse_expected},        {'o', parse_order_argument}, {'n', parse_failure},
    {'s', parse_scope_argument}, {'f', parse_flags},           {'c', parse_predicate},      {'i', parse_pixel},
    {'w', parse_channels},       {'S', parse_sync_scope},      {'b', parse_weakness},       {'k', parse_c_mask},
    {'d', parse_dropped_value},  {'l', parse_dropped_pointer}, {'a', parse_predicate},      {'t', parse_printed},
    {'V', parse_c_lane_value},   {'L', parse_c_lane},
};

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
    if (function->kind == LITMUS_COLLECTIVE)
        statement->collective.function = function->together;
    if (function->kind == LITMUS_FENCE)
        statement->fence.restriction = function->restriction;
    if (litmus_kinds[function->kind].meets) {
        statement->barrier.sub_group = function->scope == LITMUS_SUB_GROUP;
        statement->barrier.arrive = function->operation == LITMUS_ARRIVE || function->operation == LITMUS_EXPECT_ARRIVE;
        statement->barrier.wait = function->operation == LITMUS_TRY_WAIT;
    }
    if (!access)
        return;
    access->operation = function->operation;
    access->order = access->failure = function->order;
    access->scope = function->scope;
    access->spelling = function->spelling;
    access->cache = function->cache;
    access->read_only = function->read_only;
    access->proxy = function->read_only ? LITMUS_TEXTURE : LITMUS_GENERIC;
    if (access->spelling.legacy && access->address->kind == LITMUS_EXPRESSION_ADDRESS)
        body->parser->test->locations[access->address->index].legacy = true;
    /* The operand that a call leaves to the function: 1 of atomic_inc and atomic_flag_test_and_set, 0 of
     * atomic_flag_clear. */
    if (c_takes(function, 'm') || function->spelling.legacy_step)
        access->operand = make_c_constant(body, access->operation != LITMUS_STORE, access->address->place);
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
        size_t i = 0;
        while (arguments[i].letter != *letter)
            i++;
        TRY(arguments[i].parse(body, call));
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
    const bool object = at_object(body, start);
    TRY(parse_c_referent(body, start, &reference));
    TRY(parser_take(parser, object && parser_at(parser, "->") ? "->" : "."));
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

static enum status refuse_function(struct c_body *body, const struct token *name)
{
    const struct c_language *language = body->language;
    const char *word = parser_copy(body->parser, name);
    struct resemblance known = {0};
    LOCAL(text) what = {0};
    text_add(&what, "a function of docs/reference/%s", language->page);
    const struct c_foreign *foreign = language->foreign;
    while (foreign && foreign->start && strncmp(word, foreign->start, strlen(foreign->start)) != 0)
        foreign++;
    if (foreign && foreign->start)
        text_add(&what, " (%s)", foreign->nearest);
    for (const struct c_function *row = c_functions; row->name && !(foreign && foreign->start); row++)
        if ((row->sets & language->functions) != 0 && !row->spelling.legacy && !c_is_method(row))
            resemblance_offer(&known, word, row->name);
    resemblance_print(&known, &what);
    return parser_expected_not(body->parser, name, text_string(&what));
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
        if (strcmp(call->function->arguments, "i") == 0) {
            /* ".x" of what read_imagei gives: the channel that the image has. */
            TRY(parser_take(body->parser, "."));
            if (!parser_take_if(body->parser, "x"))
                return parser_expected(body->parser, "x, the only channel of the image");
        }
    }
    if (call->statement.value && call->statement.kind == LITMUS_PERFORM)
        call->statement.value->place = name->place;
    parser_leave(parser);
    return STATUS_OK;
}
