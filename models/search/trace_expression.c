// SPDX-License-Identifier: Apache-2.0
/* Values of expressions, and where they come from. */
#include "models/search/trace.h"

/* A replay that C gives no meaning tells nothing. */
static void check_defined(struct runner *runner, enum litmus_operator op, struct datum left, struct datum right)
{
    if (runner->replay && !datum_is_defined(op, left, right))
        runner->replay->undefined = true;
}

/* The operands of && and || are evaluated in order, the right one only if needed. Those of the other operators are
 * unsequenced (C11, 6.5). */
static enum flow evaluate_binary(struct runner *runner, const struct litmus_expression *expression,
                                 struct datum *result)
{
    struct datum left, right;
    const enum litmus_operator op = expression->op;
    const bool sequenced = op == LITMUS_LOGICAL_AND || op == LITMUS_LOGICAL_OR;
    const uint64_t before = runner->before;
    FLOW_TRY(trace_evaluate(runner, expression->left, &left));
    if (sequenced && (left.value != 0) == (op == LITMUS_LOGICAL_OR)) {
        *result = (struct datum){left.value != 0, LITMUS_INT, left.from};
        return FLOW_ON;
    }
    const uint64_t ctrl = runner->ctrl, after_left = runner->before;
    if (sequenced)
        runner->ctrl |= left.from;
    else
        runner->before = before;
    const enum flow flow = trace_evaluate(runner, expression->right, &right);
    runner->ctrl = ctrl;
    runner->before |= after_left;
    if (flow != FLOW_ON)
        return flow;
    check_defined(runner, op, left, right);
    *result = datum_binary(op, left, right);
    return FLOW_ON;
}

enum flow trace_evaluate(struct runner *runner, const struct litmus_expression *expression, struct datum *result)
{
    struct datum operand;
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
        FLOW_TRY(expression->left ? trace_evaluate(runner, expression->left, &operand) : FLOW_ON);
        if (operand.value < 0 || operand.value >= runner->test->locations[expression->index].elements)
            return FLOW_DEAD;
        *result = (struct datum){address_encode(expression->index, (uint32_t)operand.value), LITMUS_LONG, operand.from};
        return FLOW_ON;
    }
    case LITMUS_EXPRESSION_UNARY:
        FLOW_TRY(trace_evaluate(runner, expression->left, &operand));
        if (expression->op == LITMUS_NEGATE)
            check_defined(runner, LITMUS_SUB, (struct datum){0, operand.type, 0}, operand);
        *result = datum_unary(expression->op, operand);
        return FLOW_ON;
    case LITMUS_EXPRESSION_BINARY:
        return evaluate_binary(runner, expression, result);
    case LITMUS_EXPRESSION_ACCESS:
        return trace_access(runner, expression, result);
    }
    return FLOW_DEAD;
}
