// SPDX-License-Identifier: Apache-2.0
/* The orders of mbarriers' operations, and their operands. */
#include "litmus/language/mbarrier.h"
#include "litmus/parse/ptx_cell.h"

enum status ptx_take_mbarrier(struct ptx_cell *cell, struct litmus_expression **result)
{
    cell->modifiers.space = LITMUS_NONE;
    TRY(ptx_take_address(cell, result));
    const struct token name = ptx_address_name(cell, *result);
    if ((*result)->kind != LITMUS_EXPRESSION_ADDRESS ||
        cell->parser->test->locations[(*result)->index].type != LITMUS_MBARRIER)
        return parser_expected_not(cell->parser, &name,
                                   "an mbarrier, which the initial state declares: { mbarrier m=1; }");
    return STATUS_OK;
}

/* PTX ISA: an arrival is release or relaxed, a wait acquire or relaxed, and a change of the bytes alone relaxed. */
enum status ptx_set_mbarrier_order(struct ptx_cell *cell, struct litmus_access *access)
{
    const struct ptx_modifiers *modifiers = &cell->modifiers;
    const enum litmus_order usual = cell->instruction->means.order;
    const struct token whole = ptx_whole_name(cell);
    const int order = modifiers->order, scope = modifiers->scope;
    if (order != LITMUS_NONE && order != LITMUS_RELAXED && order != (int)usual)
        return parser_expected_not(cell->parser, &whole,
                                   usual == LITMUS_RELEASE   ? "an arrival that is release or relaxed"
                                   : usual == LITMUS_ACQUIRE ? "a wait that is acquire or relaxed"
                                                             : "a relaxed change of the bytes");
    if ((order == LITMUS_NONE) != (scope == LITMUS_NONE) ||
        (scope != LITMUS_NONE && scope != LITMUS_WORK_GROUP && scope != LITMUS_CLUSTER))
        return parser_expected_not(cell->parser, &whole, "an order with the scope cta or cluster, or neither");
    access->order = access->failure = order == LITMUS_NONE ? usual : (enum litmus_order)order;
    access->scope = access->order == LITMUS_PLAIN ? LITMUS_SCOPE_NONE
                    : scope == LITMUS_NONE        ? LITMUS_WORK_GROUP
                                                  : (enum litmus_scope)scope;
    return STATUS_OK;
}

/* The mbarrier of a copy, of what waits for copies, or of an operation on it. */
enum status ptx_take_notified(struct ptx_cell *cell, struct litmus_statement *statement)
{
    const enum ptx_shape shape = cell->instruction->means.shape;
    return ptx_take_mbarrier(cell, shape == PTX_COPY    ? &statement->copy.mbarrier
                                   : shape == PTX_GROUP ? &statement->group.mbarrier
                                                        : &statement->value->access->address);
}

/* A number from `least` on as the operand of the statement's access. */
static enum status take_count(struct ptx_cell *cell, const char *what, unsigned least, unsigned most)
{
    const struct token number = cell->parser->token;
    struct litmus_expression *result =
        parser_expression(cell->parser, LITMUS_EXPRESSION_CONSTANT, cell->parser->token.place);
    unsigned count;
    TRY(parser_count(cell->parser, what, most, &count));
    result->value = count;
    cell->statement.value->access->operand = result;
    return count >= least ? STATUS_OK : parser_expected_not(cell->parser, &number, what);
}

enum status ptx_take_arrivals(struct ptx_cell *cell, struct litmus_statement *statement)
{
    bool more = true;
    if (statement->value->access->operation == LITMUS_ARRIVE) {
        struct litmus_expression *one =
            parser_expression(cell->parser, LITMUS_EXPRESSION_CONSTANT, cell->parser->token.place);
        one->value = 1;
        statement->value->access->operand = one;
        TRY(parser_take_if(cell->parser, ",", &more));
    }
    return more ? take_count(cell, "the number of arrivals, from 1 on", 1, MBARRIER_MOST) : STATUS_OK;
}

enum status ptx_take_expected(struct ptx_cell *cell, struct litmus_statement *statement)
{
    (void)statement;
    return take_count(cell, "a number of bytes", 0, MBARRIER_MOST);
}

enum status ptx_take_parity(struct ptx_cell *cell, struct litmus_statement *statement)
{
    (void)statement;
    return take_count(cell, "the parity of a phase", 0, 1);
}
