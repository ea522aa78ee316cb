// SPDX-License-Identifier: Apache-2.0
/* Protects the steps of a kernel, by which compiled code is compared with the test: every access, fence and barrier is
 * a step with its own line, which calls its helper. If two shared a line, an instruction could not be traced to its
 * step. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/between.h"
#include "tests/kernel/fixture.h"

static const char nested[] =
    "C nested\n{ x=0; y=0; }\n"
    "P0 (atomic_int* x, atomic_int* y) {\n"
    "  atomic_store_explicit(x, atomic_load_explicit(y, memory_order_acquire) + 1, memory_order_release);\n"
    "  while (atomic_load_explicit(x, memory_order_relaxed) == 0 &&\n"
    "         atomic_load_explicit(y, memory_order_relaxed) == 0) {\n"
    "    atomic_thread_fence(memory_order_seq_cst);\n"
    "  }\n"
    "}\n"
    "exists ([x]=1)\n";

static const char meeting[] = "PTX meeting\n{ x=0; 0:r0=0; 1:r0=0; }\n"
                              " P0@cta 0,gpu 0  | P1@cta 0,gpu 0   ;\n"
                              " st.weak [x], 1  | bar.cta.sync 0   ;\n"
                              " bar.cta.sync 0  | ld.weak r0, [x]  ;\n"
                              "exists (1:r0=0)\n";

static void generate(const char *text, struct litmus_test **test, struct kernel *kernel)
{
    const struct backend_device device = fixture_device("ptx");
    struct error error;
    *test = fixture_parse("steps", text);
    assert_int_equal(kernel_generate(*test, &device, NULL, false, kernel, &error), STATUS_OK);
}

/* The kernel's line with that number; to be freed. */
static char *line_of(const struct kernel *kernel, unsigned line)
{
    const char *at = kernel->source;
    for (; line > 1; line--)
        at = strchr(at, '\n') + 1;
    return strndup(at, strcspn(at, "\n"));
}

static void check_step(const struct kernel *kernel, size_t step, const char *says, unsigned line)
{
    char *text = line_of(kernel, kernel->steps[step].line);
    assert_between(kernel->steps[step].line, kernel->functions_line, kernel->functions_end - 1);
    assert_non_null(strstr(text, says));
    assert_int_equal(kernel->steps[step].place.line, line);
    free(text);
}

static void test_accesses(void **state)
{
    static const struct {
        const char *helper;
        unsigned line;
    } expected[] = {{"store_release_device_global_int(", 4},
                    {"load_acquire_device_global_int(", 4},
                    {"load_relaxed_device_global_int(", 5},
                    {"load_relaxed_device_global_int(", 6},
                    {"fence_seq_cst_device()", 7}};
    (void)state;
    struct litmus_test *test;
    struct kernel kernel;
    generate(nested, &test, &kernel);
    assert_int_equal(kernel.step_count, 5);
    for (size_t i = 0; i < kernel.step_count; i++) {
        check_step(&kernel, i, expected[i].helper, expected[i].line);
        assert_true(i == 0 || kernel.steps[i].line > kernel.steps[i - 1].line);
    }
    kernel_release(&kernel);
    litmus_release(test);
}

/* A barrier is written once for the threads that meet, and is a step of each. */
static void test_barriers(void **state)
{
    (void)state;
    struct litmus_test *test;
    struct kernel kernel;
    generate(meeting, &test, &kernel);
    assert_int_equal(kernel.step_count, 4);
    check_step(&kernel, 0, "store_plain_global_int(", 4);
    check_step(&kernel, 1, "bar.sync 0;", 5);
    check_step(&kernel, 2, "bar.sync 0;", 4);
    check_step(&kernel, 3, "load_plain_global_int(", 5);
    assert_int_equal(kernel.steps[1].body, 0);
    assert_int_equal(kernel.steps[2].body, 1);
    assert_ptr_not_equal(kernel.steps[1].barrier, NULL);
    assert_int_equal(kernel.steps[1].line, kernel.steps[2].line);
    kernel_release(&kernel);
    litmus_release(test);
}

/* The helpers contain only instructions of a test; their lines end where the threads' functions begin. */
static void test_lines_of_helpers(void **state)
{
    (void)state;
    struct litmus_test *test;
    struct kernel kernel;
    generate(nested, &test, &kernel);
    char *first = line_of(&kernel, kernel.helpers_line), *thread = line_of(&kernel, kernel.functions_line);
    assert_non_null(strstr(first, "FUNCTION "));
    assert_non_null(strstr(thread, "FUNCTION void play_0("));
    free(first);
    free(thread);
    const struct backend *cuda = backend_find("cuda");
    unsigned lines = 0;
    for (const char *at = cuda->prelude; *at; at++)
        lines += *at == '\n';
    assert_int_equal(kernel_unit_line(cuda, 1), lines + 1);
    kernel_release(&kernel);
    litmus_release(test);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_accesses),
        cmocka_unit_test(test_barriers),
        cmocka_unit_test(test_lines_of_helpers),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
