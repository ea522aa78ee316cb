// SPDX-License-Identifier: Apache-2.0
/* Values of expressions, and where they come from. */
#include "models/trace.h"

/* Does the value not depend on the operands, whatever they are? A compiler sees through such a dependency. */
static bool is_sham(const struct litmus_expression *expression)
{
    const struct litmus_expression *left = expression->left, *right = expression->right;
    const bool same = left->kind == LITMUS_EXPRESSION_REGISTER && right->kind == LITMUS_EXPRESSION_REGISTER &&
                      left->index == right->index;
    const bool zero = (left->kind == LITMUS_EXPRESSION_CONSTANT && left->value == 0) ||
                      (right->kind == LITMUS_EXPRESSION_CONSTANT && right->value == 0);
    switch (expression->operator) {
    case LITMUS_XOR:
    case LITMUS_SUB:
    case LITMUS_EQ:
    case LITMUS_NE:
    case LITMUS_LT:
    case LITMUS_LE:
    case LITMUS_GT:
    case LITMUS_GE:
        return same;
    case LITMUS_AND:
    case LITMUS_MUL:
        return zero;
    default:
        return false;
    }
}

/* The operands of && and || are evaluated in order, the right one only if needed. Those of the other operators are
 * unsequenced (C11, 6.5). */
static enum flow evaluate_binary(struct runner *runner, const struct litmus_expression *expression,
                                 struct datum *result)
{
    struct datum left, right;
    const enum litmus_operator op = expression->operator;
    const bool sequenced = op == LITMUS_LOGICAL_AND || op == LITMUS_LOGICAL_OR;
    const uint64_t before = runner->before;
    enum flow flow = trace_evaluate(runner, expression->left, &left);
    if (flow != FLOW_ON)
        return flow;
    if (sequenced && (left.value != 0) == (op == LITMUS_LOGICAL_OR)) {
        *result = (struct datum){left.value != 0, LITMUS_INT, left.from};
        return FLOW_ON;
    }
    const uint64_t ctrl = runner->ctrl, after_left = runner->before;
    if (sequenced)
        runner->ctrl |= left.from;
    else
        runner->before = before;
    flow = trace_evaluate(runner, expression->right, &right);
    runner->ctrl = ctrl;
    runner->before |= after_left;
    if (flow != FLOW_ON)
        return flow;
    *result = datum_binary(op, left, right);
    if (is_sham(expression))
        result->from = 0;
    return FLOW_ON;
}

enum flow trace_evaluate(struct runner *runner, const struct litmus_expression *expression, struct datum *result)
{
    struct datum operand;
    enum flow flow;
    switch (expression->kind) {
    case LITMUS_EXPRESSION_CONSTANT: {
        const bool small = expression->value == (int32_t)expression->value;
        *result = (struct datum){expression->value, small ? LITMUS_INT : LITMUS_LONG, 0};
        return FLOW_ON;
    }
    case LITMUS_EXPRESSION_REGISTER:
        *result = runner->registers[expression->index];
        return FLOW_ON;
    case LITMUS_EXPRESSION_ADDRESS: {
        operand = (struct datum){0};
        flow = expression->left ? trace_evaluate(runner, expression->left, &operand) : FLOW_ON;
        if (flow != FLOW_ON)
            return flow;
        if (operand.value < 0 || operand.value >= runner->test->locations[expression->index].elements)
            return FLOW_DEAD;
        *result = (struct datum){address_encode(expression->index, (uint32_t)operand.value), LITMUS_LONG, operand.from};
        return FLOW_ON;
    }
    case LITMUS_EXPRESSION_UNARY:
        flow = trace_evaluate(runner, expression->left, &operand);
        if (flow == FLOW_ON)
            *result = datum_unary(expression->operator, operand);
        return flow;
    case LITMUS_EXPRESSION_BINARY:
        return evaluate_binary(runner, expression, result);
    case LITMUS_EXPRESSION_ACCESS:
        return trace_access(runner, expression, result);
    }
    return FLOW_DEAD;
}
