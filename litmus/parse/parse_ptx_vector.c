// SPDX-License-Identifier: Apache-2.0
/* Vector accesses of PTX, and those of 128 bits at once. */
#include "litmus/parse/ptx_cell.h"

size_t ptx_take_vector_word(struct ptx_cell *cell, size_t index)
{
    struct ptx_modifiers *modifiers = &cell->modifiers;
    const struct token *part = &cell->parts[index];
    const int lanes = word_find(ptx_lane_words, part);
    const bool whole = token_is(part, "b128");
    if ((lanes == LITMUS_NONE && !whole) || modifiers->lanes > 0 || (whole && modifiers->type != LITMUS_NONE))
        return 0;
    modifiers->lanes = whole ? 2 : (unsigned)lanes;
    modifiers->whole = whole;
    if (whole)
        modifiers->type = LITMUS_LONG; /* two words of 64 bits, with the signs of the location's */
    return 1;
}

/* ---- lists in braces ---- */

/* "{" before lane 0, "," before those after it, and "}" after the last; things: "registers" or "values". */
static enum status take_lane(struct ptx_cell *cell, unsigned lane, const char *things)
{
    struct parser *parser = cell->parser;
    const unsigned lanes = cell->modifiers.lanes;
    if (parser_at(parser, lane == 0 ? "{" : lane < lanes ? "," : "}"))
        return parser_advance(parser);
    return parser_fail(parser, parser->token.place, STATUS_SYNTAX, "expected %u %s in braces, found '%.*s'", lanes,
                       things, (int)parser->token.size, parser->token.text);
}

/* "{r0, _, r1}": "_" drops a word. The registers are made later, by make_registers. */
static enum status take_registers(struct ptx_cell *cell, struct token names[])
{
    struct parser *parser = cell->parser;
    bool any = cell->instruction->means.shape == PTX_ATOM;
    const struct token start = parser->token;
    bool percent;
    for (unsigned i = 0; i < cell->modifiers.lanes; i++) {
        TRY(take_lane(cell, i, "registers"));
        TRY(parser_take_percent(parser, &percent));
        TRY(parser_take_word(parser, "a register or '_'", &names[i]));
        const bool drops = token_is(&names[i], "_");
        any |= !drops;
        for (unsigned k = 0; k < i && !drops; k++)
            if (names[k].size == names[i].size && memcmp(names[k].text, names[i].text, names[i].size) == 0)
                return parser_expected_not(parser, &names[i], "a register not used in the vector");
    }
    TRY(take_lane(cell, cell->modifiers.lanes, "registers"));
    if (!any)
        return parser_fail(parser, start.place, STATUS_SYNTAX, "expected a register in the vector, found only '_'");
    return parser_take(parser, ",");
}

static enum status make_registers(struct ptx_cell *cell, const struct token names[], struct litmus_vector *vector)
{
    for (unsigned i = 0; i < vector->lanes; i++)
        if (!token_is(&names[i], "_"))
            TRY(ptx_make_target(cell, &names[i], &vector->registers[i]));
    return STATUS_OK;
}

/* ", {1, r0}". */
static enum status take_values(struct ptx_cell *cell, struct litmus_expression *values[])
{
    TRY(parser_take(cell->parser, ","));
    for (unsigned i = 0; i < cell->modifiers.lanes; i++) {
        TRY(take_lane(cell, i, "values"));
        TRY(ptx_take_value(cell, &values[i]));
    }
    return take_lane(cell, cell->modifiers.lanes, "values");
}

/* "[x]", "[x[2]]" or "[x[r0]]". The elements that r0 may name are known once the whole thread is
 * parsed. */
static enum status take_first_word(struct ptx_cell *cell, struct litmus_expression **result)
{
    TRY(ptx_take_address(cell, result));
    const struct token name = ptx_address_name(cell, *result);
    return (*result)->kind == LITMUS_EXPRESSION_ADDRESS
               ? STATUS_OK
               : parser_expected_not(cell->parser, &name, "a location or one of its elements");
}

/* ---- instructions ---- */

/* PTX ISA, atom and red: of vectors only add, of 128 bits only exch and cas. */
static enum status find_operation(const struct ptx_cell *cell, enum litmus_operation *operation)
{
    const enum ptx_shape shape = cell->instruction->means.shape;
    const int written = cell->modifiers.operation;
    *operation = shape == PTX_LOAD ? LITMUS_LOAD : shape == PTX_STORE ? LITMUS_STORE : (enum litmus_operation)written;
    if (shape == PTX_LOAD || shape == PTX_STORE)
        return STATUS_OK;
    if (cell->modifiers.whole && (shape == PTX_RED || (written != LITMUS_EXCHANGE && written != LITMUS_CAS)))
        return ptx_expected_whole(cell, "atom.exch.b128 or atom.cas.b128");
    if (!cell->modifiers.whole && written != LITMUS_FETCH_ADD)
        return ptx_expected_whole(cell, "add of a vector, which has no other operation");
    return STATUS_OK;
}

enum status ptx_parse_vector(struct ptx_cell *cell)
{
    const enum ptx_shape shape = cell->instruction->means.shape;
    struct litmus_vector vector = {
        .access = *parser_access(cell->parser), .lanes = cell->modifiers.lanes, .whole = cell->modifiers.whole};
    struct token names[LITMUS_MAXIMUM_LANES];
    enum litmus_operation operation;
    TRY(find_operation(cell, &operation));
    TRY(ptx_set_access(cell, operation, &vector.access));
    vector.access.no_result = shape == PTX_RED;
    for (unsigned i = 0; i < LITMUS_MAXIMUM_LANES; i++)
        vector.registers[i] = LITMUS_NONE;
    if (shape == PTX_LOAD || shape == PTX_ATOM)
        TRY(take_registers(cell, names));
    TRY(take_first_word(cell, &vector.access.address));
    if (operation == LITMUS_CAS)
        TRY(take_values(cell, vector.expected));
    if (operation != LITMUS_LOAD)
        TRY(take_values(cell, vector.values));
    if (shape == PTX_LOAD || shape == PTX_ATOM)
        TRY(make_registers(cell, names, &vector));
    struct litmus_statement *statement;
    TRY(ptx_add_statement(cell, LITMUS_VECTOR, &statement));
    statement->vector = vector;
    return STATUS_OK;
}
