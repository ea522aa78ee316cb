// SPDX-License-Identifier: Apache-2.0
/* Pointers in C, and the accesses through them: "*x", "*(x + e)", "x[e]", "&x[e]", "*(volatile int*)x". */
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
    for (size_t i = 0; i < parser->draft_count; i++)
        if (draft_find_register(parser->drafts[i], name) != LITMUS_NONE)
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
        return parser_fail(body->parser, place, STATUS_SYNTAX, "expected an index of '%s' below %u, found %lld",
                           location->name, location->elements, (long long)element->value);
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

enum status parse_c_pixel(struct c_body *body, struct litmus_expression **result)
{
    struct parser *parser = body->parser;
    struct token name;
    TRY(parser_take_word(parser, "an image", &name));
    const int index = find_parameter(body, &name);
    if (!is_image(body, index))
        return parser_expected_not(parser, &name, "an image, a parameter such as read_write image1d_t x");
    *result = parser_expression(parser, LITMUS_EXPRESSION_ADDRESS, name.place);
    (*result)->index = index;
    TRY(parser_take(parser, ","));
    const struct litmus_place place = parser->token.place;
    struct litmus_expression *coordinate;
    TRY(parse_c_expression(body, &coordinate));
    return set_element(body, *result, coordinate, place);
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

/* A pointer that is not a sum: x, &x, &x[e], a pointer-valued register, or any pointer in parentheses. */
static enum status parse_pointer_operand(struct c_body *body, struct litmus_expression **result)
{
    struct parser *parser = body->parser;
    struct token name;
    bool mark;
    TRY(parser_take_if(parser, "&", &mark));
    if (mark) {
        TRY(parser_take_word(parser, "a parameter of the thread", &name));
        /* "&x" says the same as "x": see docs/reference/language-opencl.md */
        if (!parser_at(parser, "[") && find_parameter(body, &name) != LITMUS_NONE)
            return parse_c_variable(body, &name, result);
        return parse_c_element(body, &name, result);
    }
    TRY(parser_take_if(parser, "(", &mark));
    if (mark) {
        TRY(parser_enter(parser));
        if (at_cast(parser))
            return parser_expected(parser, "a pointer without a cast (an access has the type and the size of its "
                                           "location; only PTX mixes sizes)");
        TRY(parse_c_pointer(body, result));
        TRY(parser_take(parser, ")"));
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
    TRY(parser_advance(parser));
    const struct litmus_place place = parser->token.place;
    struct litmus_expression *element;
    TRY(parse_c_expression(body, &element));
    return set_element(body, *result, element, place);
}

/* "(volatile int*)", or nothing. */
static enum status parse_cast(struct c_body *body, bool *found, enum litmus_type *type, struct litmus_place *place)
{
    struct parser *parser = body->parser;
    struct scanner ahead = parser->scanner;
    const struct token next = scanner_next(&ahead);
    bool atomic, typed;
    *found = body->language->volatile_accesses && parser_at(parser, "(") && token_is(&next, "volatile");
    if (!*found)
        return STATUS_OK;
    TRY(parser_advance(parser));
    TRY(parser_advance(parser));
    const struct token name = parser->token;
    TRY(parser_type(parser, type, &atomic, &typed));
    if (!typed || atomic)
        return parser_expected_not(parser, &name, "the type of the location, such as int");
    *place = name.place;
    TRY(parser_take(parser, "*"));
    return parser_take(parser, ")");
}

/* Refuses a type other than the one that the address points to; place is the place of the type. */
static enum status check_c_type(struct c_body *body, const struct litmus_expression *address, enum litmus_type type,
                                struct litmus_place place)
{
    const int location = c_location_of(body, address);
    return location == LITMUS_NONE ? STATUS_OK : parser_type_location(body->parser, location, type, place);
}

enum status parse_c_pointee(struct c_body *body, struct litmus_expression **result, bool *is_volatile)
{
    enum litmus_type type;
    struct litmus_place place;
    TRY(parse_cast(body, is_volatile, &type, &place));
    if (*is_volatile) {
        TRY(parse_pointer_operand(body, result));
        return check_c_type(body, *result, type, place);
    }
    if (parser_at(body->parser, "("))
        return parse_pointer_operand(body, result);
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
    (*result)->access = access;
    return STATUS_OK;
}

/* ---- objects that refer to locations, such as cuda::atomic_ref, with a name or without ---- */

enum status parse_c_referred(struct c_body *body, struct litmus_expression **address)
{
    struct parser *parser = body->parser;
    const struct token start = parser->token;
    bool star, is_volatile = false;
    struct token name;
    TRY(parser_take_if(parser, "*", &star));
    if (star)
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

bool is_c_reference(const struct c_body *body, const struct token *name)
{
    return is_class(body, name) || find_reference(body, name);
}

/* "<int, cuda::thread_scope_device>". */
static enum status parse_class(struct c_body *body, struct c_reference *reference, enum litmus_type *type,
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
    TRY(parser_take_if(parser, ",", &reference->scoped));
    if (reference->scoped)
        TRY(parse_c_scope(body, &reference->scope));
    return parser_take(parser, ">");
}

/* "(*x)" or, as C++ also has it, "{*x}". */
static enum status parse_initialiser(struct c_body *body, struct c_reference *reference, enum litmus_type type,
                                     const struct token *type_name)
{
    struct parser *parser = body->parser;
    bool brace;
    TRY(parser_take_if(parser, "{", &brace));
    if (!brace)
        TRY(parser_take(parser, "("));
    TRY(parse_c_referred(body, &reference->address));
    TRY(check_c_type(body, reference->address, type, type_name->place));
    return parser_take(parser, brace ? "}" : ")");
}

enum status parse_c_referent(struct c_body *body, const struct token *start, struct c_reference *reference)
{
    struct token type_name;
    enum litmus_type type;
    const struct c_reference *named = find_reference(body, start);
    if (!named) {
        TRY(parse_class(body, reference, &type, &type_name));
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

enum status parse_c_references(struct c_body *body, const struct token *class, bool *found)
{
    struct parser *parser = body->parser;
    const struct scanner rest = parser->scanner;
    const struct token at = parser->token;
    struct token type_name, name;
    struct c_reference reference;
    enum litmus_type type;
    *found = false;
    if (!is_class(body, class))
        return STATUS_OK;
    TRY(parse_class(body, &reference, &type, &type_name));
    *found = parser->token.kind == TOKEN_WORD;
    if (!*found) {
        parser->scanner = rest;
        parser->token = at;
        return STATUS_OK;
    }
    for (bool more = true; more;) {
        TRY(parser_take_word(parser, "the name of a reference", &name));
        TRY(check_name(body, &name));
        TRY(parser_name(parser, &name, &reference.name));
        TRY(parse_initialiser(body, &reference, type, &type_name));
        if (!is_fixed(reference.address))
            return parser_fail(parser, reference.address->place, STATUS_SYNTAX,
                               "expected a location, or an element with a constant index, for a reference with a name");
        ARENA_ADD(parser_arena(parser), body->references, body->reference_count) = reference;
        TRY(parser_take_if(parser, ",", &more));
    }
    return parser_take(parser, ";");
}
