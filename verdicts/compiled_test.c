// SPDX-License-Identifier: Apache-2.0
/* Printing and releasing the test that a compiler made. */
#include "verdicts/compiled_test.h"

#include "kernel/target.h"

bool compiled_test_print(const struct compiled_test *compiled, struct text *text)
{
    struct error error;
    return kernel_print_instructions(compiled->test, text, &error) == STATUS_OK;
}

void compiled_test_release(struct compiled_test *compiled)
{
    litmus_release(compiled->test);
    arena_release(&compiled->arena);
    *compiled = (struct compiled_test){0};
}
