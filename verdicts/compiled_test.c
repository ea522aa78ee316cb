// SPDX-License-Identifier: Apache-2.0
/* Printing and releasing the test that a compiler made. */
#include "verdicts/compiled_test.h"

static bool is_operand(const struct litmus_expression *expression)
{
    return !expression || expression->kind == LITMUS_EXPRESSION_CONSTANT ||
           expression->kind == LITMUS_EXPRESSION_REGISTER ||
           (expression->kind == LITMUS_EXPRESSION_ADDRESS && is_operand(expression->left));
}

/* Whether PTX and VULKAN have a single instruction for the statement. */
static bool is_instruction(const struct litmus_statement *statement)
{
    const struct litmus_expression *value = statement->value;
    if (statement->kind == LITMUS_FENCE || statement->kind == LITMUS_BARRIER)
        return true;
    if ((statement->kind != LITMUS_ASSIGN && statement->kind != LITMUS_PERFORM) || !value)
        return false;
    if (value->access)
        return is_operand(value->access->address) && is_operand(value->access->operand) &&
               is_operand(value->access->expected) && !value->access->expected_address &&
               (value->access->expected || value->access->operation != LITMUS_CAS);
    return is_operand(value) && value->kind != LITMUS_EXPRESSION_ADDRESS;
}

bool compiled_test_print(const struct compiled_test *compiled, struct text *text)
{
    const struct litmus_test *test = compiled->test;
    for (size_t i = 0; i < test->body_count; i++)
        for (size_t k = 0; k < test->threads[i].body.count; k++)
            if (!is_instruction(&test->threads[i].body.statements[k]))
                return false;
    litmus_print(test, text);
    return true;
}

void compiled_test_release(struct compiled_test *compiled)
{
    litmus_release(compiled->test);
    arena_release(&compiled->arena);
    *compiled = (struct compiled_test){0};
}
