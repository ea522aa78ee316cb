// SPDX-License-Identifier: Apache-2.0
#include "litmus/visit.h"

void visit_expression(const struct litmus_expression *expression, const struct visitor *visitor)
{
    if (!expression || !visitor->expression)
        return;
    visitor->expression(expression, visitor->context);
    visit_expression(expression->left, visitor);
    visit_expression(expression->right, visitor);
    if (expression->access) {
        visit_expression(expression->access->address, visitor);
        visit_expression(expression->access->expected, visitor);
        visit_expression(expression->access->expected_address, visitor);
        visit_expression(expression->access->operand, visitor);
    }
}

void visit_statement(const struct litmus_statement *statement, const struct visitor *visitor)
{
    if (visitor->statement)
        visitor->statement(statement, visitor->context);
    visit_expression(statement->value, visitor);
    visit_expression(statement->barrier.resource, visitor);
    visit_expression(statement->barrier.quorum, visitor);
    visit_block(&statement->body, visitor);
    visit_block(&statement->otherwise, visitor);
}

void visit_block(const struct litmus_block *block, const struct visitor *visitor)
{
    for (size_t i = 0; i < block->count; i++)
        visit_statement(&block->statements[i], visitor);
}
