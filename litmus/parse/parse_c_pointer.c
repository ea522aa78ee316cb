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

enum status check_c_type(struct c_body *body, const struct litmus_expression *address, enum litmus_type type,
                         struct litmus_place place)
{
    const int location = c_location_of(body, address);
    return location == LITMUS_NONE ? STATUS_OK : parser_type_location(body->parser, location, type, place);
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
