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

/* Adds the expressions that are not NULL. */
static size_t add_operands(struct litmus_expression *const *expressions, size_t size, size_t count,
                           struct litmus_expression *operands[STATEMENT_MAXIMUM_OPERANDS])
{
    for (size_t i = 0; i < size; i++)
        if (expressions[i])
            operands[count++] = expressions[i];
    return count;
}

#define ADD_OPERANDS(...)                                                                                              \
    count = add_operands((struct litmus_expression *const[]){__VA_ARGS__},                                             \
                         sizeof((struct litmus_expression *const[]){__VA_ARGS__}) / sizeof(void *), count, operands)

size_t litmus_statement_operands(const struct litmus_statement *statement,
                                 struct litmus_expression *operands[STATEMENT_MAXIMUM_OPERANDS])
{
    const struct litmus_vector *vector = &statement->vector;
    size_t count = 0;
    ADD_OPERANDS(statement->value);
    if (statement->kind == LITMUS_BARRIER)
        ADD_OPERANDS(statement->barrier.resource, statement->barrier.quorum);
    else if (statement->kind == LITMUS_COPY)
        ADD_OPERANDS(statement->copy.to, statement->copy.from, statement->copy.value, statement->copy.mbarrier);
    else if (statement->kind == LITMUS_GROUP)
        ADD_OPERANDS(statement->group.mbarrier);
    else if (statement->kind == LITMUS_FENCE)
        ADD_OPERANDS(statement->fence.map, statement->fence.from);
    else if (statement->kind == LITMUS_VECTOR) {
        ADD_OPERANDS(vector->access.address);
        for (unsigned i = 0; i < vector->lanes; i++)
            ADD_OPERANDS(vector->expected[i], vector->values[i]);
    }
    return count;
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
