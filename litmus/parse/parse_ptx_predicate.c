// SPDX-License-Identifier: Apache-2.0
/* Predicates of PTX, which are registers here: setp, and jumps that depend on one. */
#include "litmus/parse/ptx_cell.h"

enum status ptx_parse_compare(struct ptx_cell *cell)
{
    struct parser *parser = cell->parser;
    const int op = cell->part_count > 0 ? word_find(ptx_comparison_words, &cell->parts[0]) : LITMUS_NONE;
    const int type = cell->part_count == 2 ? word_find(ptx_type_words, &cell->parts[1]) : LITMUS_NONE;
    if (op == LITMUS_NONE || cell->part_count > 2 || (cell->part_count == 2 && type == LITMUS_NONE))
        return ptx_expected_whole(cell, "setp with eq, ne, lt, le, gt or ge, and a type, such as setp.eq.s32");
    struct token name;
    int target;
    struct litmus_expression *value = parser_expression(parser, LITMUS_EXPRESSION_BINARY, cell->name.place);
    value->op = (enum litmus_operator)op;
    cell->modifiers = ptx_no_modifiers;
    TRY(ptx_take_target(cell, &name));
    cell->modifiers.type = type;
    TRY(ptx_take_value(cell, &value->left));
    TRY(parser_take(parser, ","));
    TRY(ptx_take_value(cell, &value->right));
    cell->modifiers.type = LITMUS_NONE; /* the type is of what is compared */
    TRY(ptx_make_target(cell, &name, &target));
    return ptx_assign(cell, target, value);
}

enum status parse_ptx_predicated(struct parser *parser, struct draft *draft)
{
    struct ptx_cell cell = {.parser = parser, .draft = draft, .name = parser->token, .modifiers = ptx_no_modifiers};
    struct litmus_expression *value = parser_expression(parser, LITMUS_EXPRESSION_BINARY, cell.name.place);
    struct litmus_statement *statement;
    bool negated, jumps;
    TRY(parser_advance(parser));
    TRY(parser_take_if(parser, "!", &negated));
    value->op = negated ? LITMUS_EQ : LITMUS_NE;
    TRY(ptx_take_value(&cell, &value->left));
    value->right = parser_expression(parser, LITMUS_EXPRESSION_CONSTANT, cell.name.place);
    TRY(parser_take_if(parser, "bra", &jumps));
    if (!jumps)
        return parser_expected(parser,
                               "bra after a predicate (to make another instruction depend on it, jump over it)");
    TRY(ptx_parse_parts(&cell));
    if (cell.part_count > 0)
        return parser_expected_not(parser, &cell.parts[0], "the label of bra");
    TRY(ptx_add_statement(&cell, LITMUS_GOTO, &statement));
    statement->value = value;
    return ptx_take_label(&cell, statement);
}
