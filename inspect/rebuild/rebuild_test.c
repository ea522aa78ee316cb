// SPDX-License-Identifier: Apache-2.0
/* The test that was compiled: a copy of the source with the accesses, fences and barriers of the
 * code. */
#include "inspect/rebuild/rebuild_test.h"

#include "inspect/rebuild/rebuild.h"

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
                               enum litmus_dialect dialect, struct compiled_test *compiled, struct error *error)
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
        compiled->test->dialect = dialect;
    else
        compiled_test_release(compiled);
    return status;
}
