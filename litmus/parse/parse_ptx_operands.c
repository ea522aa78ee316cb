// SPDX-License-Identifier: Apache-2.0
/* Operands of PTX instructions. */
#include "litmus/parse/ptx_cell.h"

enum status ptx_take_target(struct ptx_cell *cell, struct token *name)
{
    bool percent;
    TRY(parser_take_percent(cell->parser, &percent));
    TRY(parser_take_word(cell->parser, "a register", name));
    return parser_take(cell->parser, ",");
}

enum status ptx_make_target(struct ptx_cell *cell, const struct token *name, int *index)
{
    struct parser *parser = cell->parser;
    if (parser_find_location(parser, name) != LITMUS_NONE)
        return parser_expected_not(parser, name, "a register, not the name of a location");
    TRY(draft_register(parser, cell->draft, name, index));
    if (cell->modifiers.type == LITMUS_NONE)
        return STATUS_OK;
    return ptx_widen_register(parser, cell->draft, *index, (enum litmus_type)cell->modifiers.type, name->place);
}

enum status ptx_take_value(struct ptx_cell *cell, struct litmus_expression **result)
{
    struct parser *parser = cell->parser;
    bool percent;
    TRY(parser_take_percent(parser, &percent));
    const struct token start = parser->token;
    const int index = start.kind == TOKEN_WORD ? draft_find_register(cell->draft, &start) : LITMUS_NONE;
    *result = parser_expression(parser, index == LITMUS_NONE ? LITMUS_EXPRESSION_CONSTANT : LITMUS_EXPRESSION_REGISTER,
                                start.place);
    (*result)->index = index;
    if (index == LITMUS_NONE)
        return parser_integer(parser, "a number or a register that has a value", &(*result)->value, &(*result)->place);
    if (cell->modifiers.type != LITMUS_NONE)
        TRY(ptx_widen_register(parser, cell->draft, index, (enum litmus_type)cell->modifiers.type, start.place));
    return parser_advance(parser);
}

/* Finds or adds the location; a name that some thread uses for a register cannot become one. */
static enum status take_location(struct ptx_cell *cell, const struct token *name, int *index)
{
    struct parser *parser = cell->parser;
    for (size_t i = 0; i < parser->draft_count; i++)
        if (draft_find_register(parser->drafts[i], name) != LITMUS_NONE)
            return parser_expected_not(parser, name, "a location, not the name of a register");
    TRY(parser_location(parser, name, index));
    if (cell->modifiers.space == LITMUS_NONE)
        return STATUS_OK;
    /* an alias is where the location is that it names */
    const int root = (int)litmus_storage(parser->test, (unsigned)*index);
    return parser_place_location(parser, root, (enum litmus_region)cell->modifiers.space, name->place);
}

static enum status take_element(struct ptx_cell *cell, struct litmus_expression *address)
{
    struct parser *parser = cell->parser;
    const struct litmus_place place = parser->token.place;
    const struct litmus_location *location = &parser->test->locations[address->index];
    struct litmus_expression *element;
    const struct ptx_modifiers modifiers = cell->modifiers;
    cell->modifiers.type = LITMUS_NONE; /* the suffix is of the access, not of its index */
    TRY(ptx_take_value(cell, &element));
    cell->modifiers = modifiers;
    if (element->kind == LITMUS_EXPRESSION_CONSTANT && (element->value < 0 || element->value >= location->elements))
        return parser_fail(parser, place, STATUS_SYNTAX, "expected an index of '%s' below %u, found %lld",
                           location->name, location->elements, (long long)element->value);
    const bool first = element->kind == LITMUS_EXPRESSION_CONSTANT && element->value == 0;
    address->left = first ? NULL : element;
    return parser_take(parser, "]");
}

enum status ptx_take_address(struct ptx_cell *cell, struct litmus_expression **result)
{
    struct parser *parser = cell->parser;
    bool bracket, element, percent;
    TRY(parser_take_if(parser, "[", &bracket));
    TRY(parser_take_percent(parser, &percent));
    const struct token name = parser->token;
    if (name.kind != TOKEN_WORD)
        return parser_expected(parser, "a location");
    int index = draft_find_register(cell->draft, &name);
    const bool is_register = index != LITMUS_NONE;
    if (!is_register && percent)
        return parser_expected(parser, "a register that has a value after '%'");
    if (!is_register)
        TRY(take_location(cell, &name, &index));
    *result =
        parser_expression(parser, is_register ? LITMUS_EXPRESSION_REGISTER : LITMUS_EXPRESSION_ADDRESS, name.place);
    (*result)->index = index;
    TRY(parser_advance(parser));
    if (!is_register) {
        TRY(parser_take_if(parser, "[", &element));
        if (element)
            TRY(take_element(cell, *result));
    }
    return bracket ? parser_take(parser, "]") : STATUS_OK;
}

struct token ptx_address_name(const struct ptx_cell *cell, const struct litmus_expression *address)
{
    const char *const name = address->kind == LITMUS_EXPRESSION_ADDRESS
                                 ? cell->parser->test->locations[address->index].name
                                 : cell->draft->thread.registers[address->index].name;
    return (struct token){.kind = TOKEN_WORD, .place = address->place, .text = name, .size = strlen(name)};
}

enum status ptx_take_fixed_address(struct ptx_cell *cell, struct litmus_expression **result)
{
    TRY(ptx_take_address(cell, result));
    const struct token name = ptx_address_name(cell, *result);
    if ((*result)->kind != LITMUS_EXPRESSION_ADDRESS ||
        ((*result)->left && (*result)->left->kind != LITMUS_EXPRESSION_CONSTANT))
        return parser_expected_not(cell->parser, &name, "a location, or an element with a constant index");
    if (cell->parser->test->locations[(*result)->index].type == LITMUS_MBARRIER)
        return parser_expected_not(cell->parser, &name, "a location that is not an mbarrier");
    if (cell->parser->test->locations[(*result)->index].type == LITMUS_TENSORMAP)
        return parser_expected_not(cell->parser, &name, "a location that is not a tensor map");
    return STATUS_OK;
}
