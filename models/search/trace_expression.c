// SPDX-License-Identifier: Apache-2.0
/* Values of expressions, and their origins. */
#include "models/search/trace.h"

/* A replay without a meaning in C shows nothing. */
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
    bool holds = false;
    FLOW_TRY(trace_evaluate(runner, expression->left, &left));
    if (sequenced)
        FLOW_TRY(trace_decide(runner, left, &holds));
    if (sequenced && holds == (op == LITMUS_LOGICAL_OR)) {
        *result = (struct datum){holds, LITMUS_INT, left.from, false, 0};
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
    if (sequenced)
        left = (struct datum){holds, LITMUS_INT, left.from, false, 0};
    check_defined(runner, op, left, right);
    *result = trace_binary(runner, op, left, right);
    return FLOW_ON;
}

enum flow trace_evaluate(struct runner *runner, const struct litmus_expression *expression, struct datum *result)
{
    struct datum operand;
    switch (expression->kind) {
    case LITMUS_EXPRESSION_CONSTANT: {
        const bool small = expression->value == (int32_t)expression->value;
        *result = (struct datum){expression->value, small ? LITMUS_INT : LITMUS_LONG, 0, false, 0};
        return FLOW_ON;
    }
    case LITMUS_EXPRESSION_REGISTER:
        *result = trace_recall(runner, runner->registers[expression->index]);
        return FLOW_ON;
    case LITMUS_EXPRESSION_ADDRESS: {
        const uint32_t elements = runner->test->locations[expression->index].elements;
        int64_t element = 0;
        operand = (struct datum){0};
        if (expression->left) {
            FLOW_TRY(trace_evaluate(runner, expression->left, &operand));
            FLOW_TRY(trace_settle(runner, operand, elements, NULL, &element));
        }
        if (element < 0 || element >= elements)
            return FLOW_DEAD;
        *result =
            (struct datum){address_encode(expression->index, (uint32_t)element), LITMUS_LONG, operand.from, false, 0};
        return FLOW_ON;
    }
    case LITMUS_EXPRESSION_UNARY:
        FLOW_TRY(trace_evaluate(runner, expression->left, &operand));
        if (expression->op == LITMUS_NEGATE)
            check_defined(runner, LITMUS_SUB, (struct datum){0, operand.type, 0, false, 0}, operand);
        *result = trace_unary(runner, expression->op, operand);
        return FLOW_ON;
    case LITMUS_EXPRESSION_BINARY:
        return evaluate_binary(runner, expression, result);
    case LITMUS_EXPRESSION_ACCESS:
        return trace_access(runner, expression, result);
    }
    return FLOW_DEAD;
}
