// SPDX-License-Identifier: Apache-2.0
/* Operands of PTX that are tensor maps, or what these name. */
#include "litmus/parse/ptx_cell.h"

enum { MAP_BYTES = 128 };

/* The name of a tensor map that lies in that region. */
static enum status take_map(struct ptx_cell *cell, enum litmus_region region, struct litmus_expression **result)
{
    cell->modifiers.space = (int)region;
    TRY(ptx_take_address(cell, result));
    cell->modifiers.space = LITMUS_NONE;
    const struct token name = ptx_address_name(cell, *result);
    if ((*result)->kind != LITMUS_EXPRESSION_ADDRESS ||
        cell->parser->test->locations[(*result)->index].type != LITMUS_TENSORMAP)
        return parser_expected_not(cell->parser, &name,
                                   "a tensor map, which the initial state declares: { tensormap t=x; }");
    return STATUS_OK;
}

enum status ptx_take_box(struct ptx_cell *cell, struct litmus_expression **result)
{
    struct parser *parser = cell->parser;
    unsigned coordinate;
    TRY(parser_take(parser, "["));
    TRY(take_map(cell, LITMUS_GLOBAL, result));
    TRY(parser_take(parser, ","));
    TRY(parser_take(parser, "{"));
    TRY(parser_count(parser, "a coordinate", 0, &coordinate));
    TRY(parser_take(parser, "}"));
    return parser_take(parser, "]");
}

/* 128, the only size (PTX ISA). */
enum status ptx_take_map_size(struct ptx_cell *cell, struct litmus_statement *statement)
{
    unsigned size;
    const struct token number = cell->parser->token;
    (void)statement;
    TRY(parser_count(cell->parser, "128, the bytes of a tensor map", MAP_BYTES, &size));
    return size == MAP_BYTES ? STATUS_OK : parser_expected_not(cell->parser, &number, "128, the bytes of a tensor map");
}

enum status ptx_take_map(struct ptx_cell *cell, struct litmus_statement *statement)
{
    const struct ptx_meaning *means = &cell->instruction->means;
    return take_map(cell, means->to,
                    means->shape == PTX_REPLACE ? &statement->value->access->address : &statement->fence.map);
}

enum status ptx_take_copied_map(struct ptx_cell *cell, struct litmus_statement *statement)
{
    return take_map(cell, cell->instruction->means.from, &statement->fence.from);
}

/* What the map names from now on. */
enum status ptx_take_map_target(struct ptx_cell *cell, struct litmus_statement *statement)
{
    struct litmus_access *access = statement->value->access;
    cell->modifiers.space = LITMUS_GLOBAL;
    TRY(ptx_take_fixed_address(cell, &access->operand));
    if (!access->operand->left)
        return STATUS_OK;
    return parser_fail(cell->parser, access->operand->place, STATUS_SYNTAX,
                       "expected a location without an index for a tensor map, found an element");
}
