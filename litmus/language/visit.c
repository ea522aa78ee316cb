// SPDX-License-Identifier: Apache-2.0
/* A walk through all statements and expressions. */
#include "litmus/language/visit.h"

void litmus_visit_expression(const struct litmus_expression *expression, const struct visitor *visitor)
{
    if (!expression || !visitor->expression)
        return;
    visitor->expression(expression, visitor->context);
    litmus_visit_expression(expression->left, visitor);
    litmus_visit_expression(expression->right, visitor);
    if (expression->access) {
        litmus_visit_expression(expression->access->address, visitor);
        litmus_visit_expression(expression->access->expected, visitor);
        litmus_visit_expression(expression->access->expected_address, visitor);
        litmus_visit_expression(expression->access->operand, visitor);
    }
}

bool litmus_has_access(const struct litmus_expression *expression)
{
    return expression && (expression->kind == LITMUS_EXPRESSION_ACCESS || litmus_has_access(expression->left) ||
                          litmus_has_access(expression->right));
}

void litmus_visit_statement(const struct litmus_statement *statement, const struct visitor *visitor)
{
    if (visitor->statement)
        visitor->statement(statement, visitor->context);
    struct litmus_expression *operands[STATEMENT_MAXIMUM_OPERANDS];
    const size_t count = litmus_statement_operands(statement, operands);
    for (size_t i = 0; i < count; i++)
        litmus_visit_expression(operands[i], visitor);
    litmus_visit_block(&statement->body, visitor);
    litmus_visit_block(&statement->otherwise, visitor);
}

void litmus_visit_block(const struct litmus_block *block, const struct visitor *visitor)
{
    for (size_t i = 0; i < block->count; i++)
        litmus_visit_statement(&block->statements[i], visitor);
}
