// SPDX-License-Identifier: Apache-2.0
/* Tensor maps of PTX: their changes, and the fences between these and the copies that read them. */
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

/* ", 128", the only size (PTX ISA). */
static enum status take_size(struct ptx_cell *cell)
{
    unsigned size;
    TRY(parser_take(cell->parser, ","));
    const struct token number = cell->parser->token;
    TRY(parser_count(cell->parser, "128, the bytes of a tensor map", MAP_BYTES, &size));
    return size == MAP_BYTES ? STATUS_OK : parser_expected_not(cell->parser, &number, "128, the bytes of a tensor map");
}

/* "[t], x": x is what the map names from now on. */
enum status ptx_parse_replace(struct ptx_cell *cell, const struct ptx_form *form)
{
    struct parser *parser = cell->parser;
    struct litmus_expression *value = parser_expression(parser, LITMUS_EXPRESSION_ACCESS, cell->name.place);
    struct litmus_statement *statement;
    struct litmus_access *access = value->access = parser_access(parser);
    access->operation = LITMUS_STORE;
    access->type = LITMUS_TENSORMAP;
    TRY(take_map(cell, form->to, &access->address));
    TRY(parser_take(parser, ","));
    cell->modifiers.space = LITMUS_GLOBAL;
    TRY(ptx_take_fixed_address(cell, &access->operand));
    if (access->operand->left)
        return parser_fail(parser, access->operand->place, STATUS_SYNTAX,
                           "expected a location without an index for a tensor map, found an element");
    TRY(parser_statement(parser, &cell->draft->thread.body, LITMUS_PERFORM, cell->name.place, &statement));
    statement->value = value;
    return STATUS_OK;
}

/* A release has no operand, an acquire "[t], 128", and one that copies first "[t], [u], 128". */
enum status ptx_parse_map_fence(struct ptx_cell *cell, const struct ptx_form *form)
{
    struct litmus_statement *statement;
    struct litmus_fence fence = {.order = form->order,
                                 .scope = (enum litmus_scope)cell->modifiers.scope,
                                 .proxy = LITMUS_TENSORMAP_PROXY,
                                 .restriction = LITMUS_TENSORMAP_RESTRICT,
                                 .flag_global = true};
    const bool copies = (form->flags & PTX_TENSOR) != 0;
    if (copies || form->order == LITMUS_ACQUIRE)
        TRY(take_map(cell, form->to, &fence.map));
    if (copies) {
        TRY(parser_take(cell->parser, ","));
        TRY(take_map(cell, form->from, &fence.from));
    }
    if (fence.map)
        TRY(take_size(cell));
    TRY(ptx_add_statement(cell, LITMUS_FENCE, &statement));
    statement->fence = fence;
    return STATUS_OK;
}
