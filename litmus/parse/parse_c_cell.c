// SPDX-License-Identifier: Apache-2.0
/* C statements in the cells of a column. */
#include "litmus/parse/c_body.h"

static const char forms[] = "C in the column of a host thread: a call such as atomic_store_explicit, 'r0 = ...' or "
                            "'*x = ...'";

static enum status parse_call(struct c_body *body, struct litmus_block *block, const struct token *name)
{
    struct c_call call;
    TRY(parse_c_call(body, name, &call));
    return add_c_statement(body, block, call.statement);
}

/* "= e" of a location, with the '=' at hand. */
static enum status parse_store(struct c_body *body, struct litmus_block *block, struct litmus_expression *address)
{
    struct litmus_expression *value, *store;
    TRY(parser_take(body->parser, "="));
    TRY(parse_c_cell_value(body, &value));
    TRY(make_c_access(body, address, value, false, &store));
    return add_c_access(body, block, store);
}

/* "= e" of a register, which must not exist before: nothing can be computed from a value that it
 * never had. */
static enum status parse_set(struct c_body *body, struct litmus_block *block, const struct token *name)
{
    struct parser *parser = body->parser;
    struct litmus_expression *value;
    int index;
    TRY(parser_take(parser, "="));
    TRY(parse_c_cell_value(body, &value));
    if (parser_find_location(parser, name) != LITMUS_NONE)
        return parser_expected_not(parser, name, "a register, not the name of a location");
    TRY(draft_register(parser, body->draft, name, &index));
    if (body->draft->thread.registers[index].points_to != LITMUS_NONE)
        return parser_expected_not(parser, name, "a register that holds no address");
    return add_c_assignment(body, block, index, value, name->place);
}

static enum status parse_named(struct c_body *body, struct litmus_block *block)
{
    struct litmus_expression *address;
    struct token name;
    TRY(parse_c_name(body, forms, &name));
    if (is_c_call(body, &name))
        return parse_call(body, block, &name);
    if (parser_at(body->parser, "="))
        return parse_set(body, block, &name);
    if (!parser_at(body->parser, "["))
        return parser_expected_not(body->parser, &name, forms);
    TRY(parse_c_element(body, &name, &address));
    return parse_store(body, block, address);
}

enum status parse_c_cell(struct parser *parser, struct draft *draft, const struct c_language *language)
{
    struct c_body body = {.parser = parser, .draft = draft, .language = language, .moved_target = LITMUS_NONE};
    struct litmus_expression *address;
    bool star, is_volatile;
    TRY(parser_take_if(parser, "*", &star));
    if (!star)
        return parse_named(&body, &draft->thread.body);
    TRY(parse_c_pointee(&body, &address, &is_volatile));
    return parse_store(&body, &draft->thread.body, address);
}
