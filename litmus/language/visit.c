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

static void visit_vector(const struct litmus_vector *vector, const struct visitor *visitor)
{
    litmus_visit_expression(vector->access.address, visitor);
    for (unsigned i = 0; i < vector->lanes; i++) {
        litmus_visit_expression(vector->expected[i], visitor);
        litmus_visit_expression(vector->values[i], visitor);
    }
}

void litmus_visit_statement(const struct litmus_statement *statement, const struct visitor *visitor)
{
    if (visitor->statement)
        visitor->statement(statement, visitor->context);
    litmus_visit_expression(statement->value, visitor);
    litmus_visit_expression(statement->barrier.resource, visitor);
    litmus_visit_expression(statement->barrier.quorum, visitor);
    litmus_visit_expression(statement->copy.to, visitor);
    litmus_visit_expression(statement->copy.from, visitor);
    litmus_visit_expression(statement->copy.value, visitor);
    litmus_visit_expression(statement->copy.mbarrier, visitor);
    litmus_visit_expression(statement->group.mbarrier, visitor);
    litmus_visit_expression(statement->fence.map, visitor);
    litmus_visit_expression(statement->fence.from, visitor);
    visit_vector(&statement->vector, visitor);
    litmus_visit_block(&statement->body, visitor);
    litmus_visit_block(&statement->otherwise, visitor);
}

void litmus_visit_block(const struct litmus_block *block, const struct visitor *visitor)
{
    for (size_t i = 0; i < block->count; i++)
        litmus_visit_statement(&block->statements[i], visitor);
}
