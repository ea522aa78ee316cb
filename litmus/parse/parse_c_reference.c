// SPDX-License-Identifier: Apache-2.0
/* Objects that refer to locations, such as cuda::atomic_ref, with a name or without. */
#include "litmus/parse/c_body.h"

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
