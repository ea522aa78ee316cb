// SPDX-License-Identifier: Apache-2.0
/* The test that was compiled: a copy of the source with the accesses, fences and barriers of the
 * code. */
#include "runner/inspect/ptx/compiled_test.h"

#include "runner/inspect/ptx/rebuild.h"

static enum status copy_test(const struct litmus_test *test, struct litmus_test **copy, struct error *error)
{
    struct text text = {0};
    litmus_print(test, &text);
    const enum status status = litmus_parse(test->name, text_string(&text), text.size, copy, error);
    text_release(&text);
    if (status == STATUS_OK) {
        (*copy)->text = test->text;
        (*copy)->text_dialect = test->text_dialect;
    }
    return status;
}

enum status compiled_test_make(const struct litmus_test *test, const struct kernel *kernel, unsigned first_line,
                               const struct listing *listing, const struct inspection *inspection,
                               struct compiled_test *compiled, struct error *error)
{
    struct rebuild rebuild = {.code = {kernel, listing, first_line}, .compiled = compiled, .error = error};
    *compiled = (struct compiled_test){0};
    enum status status = copy_test(test, &compiled->test, error);
    rebuild.steps = arena_take(&compiled->arena, kernel->step_count + 1, sizeof *rebuild.steps);
    for (unsigned body = 0; status == STATUS_OK && body < test->body_count; body++) {
        rebuild.body = body;
        rebuild.thread = &compiled->test->threads[body];
        status = rebuild_thread(&rebuild, &test->threads[body].body, &rebuild.thread->body, inspection);
    }
    if (status == STATUS_OK)
        compiled->test->dialect = LITMUS_PTX;
    else
        compiled_test_release(compiled);
    return status;
}

static bool is_operand(const struct litmus_expression *expression)
{
    return !expression || expression->kind == LITMUS_EXPRESSION_CONSTANT ||
           expression->kind == LITMUS_EXPRESSION_REGISTER ||
           (expression->kind == LITMUS_EXPRESSION_ADDRESS && is_operand(expression->left));
}

/* Whether PTX has a single instruction for the statement. */
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
