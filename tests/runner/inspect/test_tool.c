// SPDX-License-Identifier: Apache-2.0
/*
 * Protects running other programs: their output is complete, or the failure is reported. If a
 * disassembler that hangs, writes without end or is missing went unnoticed, a run would hang, or a
 * test would be judged by half its code.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <string.h>

#include "base/clock.h"
#include "runner/inspect/tool.h"

static enum status run(const char *script, double seconds, size_t maximum, struct text *output, struct error *error)
{
    const char *const arguments[] = {"sh", "-c", script, NULL};
    return tool_run(arguments, seconds, maximum, output, error);
}

static void test_output(void **state)
{
    struct text output = {0};
    struct error error;
    (void)state;
    assert_int_equal(run("echo one; echo noise >&2; printf two$LC_ALL", 60, 100, &output, &error), STATUS_OK);
    assert_string_equal(text_string(&output), "one\ntwoC");
    text_release(&output);
}

static void test_failures(void **state)
{
    const char *const missing[] = {"orchil-no-such-program", NULL};
    struct text output = {0};
    struct error error;
    (void)state;
    assert_int_equal(tool_run(missing, 60, 100, &output, &error), STATUS_UNSUPPORTED);
    assert_string_equal(error.text, "there is no orchil-no-such-program on PATH");
    assert_int_equal(run("exit 3", 60, 100, &output, &error), STATUS_SYSTEM);
    assert_int_equal(run("yes", 60, 1 << 20, &output, &error), STATUS_LIMIT);
    text_release(&output);
}

/* It is killed, not waited for. */
static void test_hang(void **state)
{
    struct text output = {0};
    struct error error;
    const double begun = clock_seconds();
    (void)state;
    assert_int_equal(run("echo begun; exec sleep 600", 0.2, 100, &output, &error), STATUS_LIMIT);
    assert_true(clock_seconds() - begun < 300);
    text_release(&output);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_output),
        cmocka_unit_test(test_failures),
        cmocka_unit_test(test_hang),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
