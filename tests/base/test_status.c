// SPDX-License-Identifier: Apache-2.0
/* Protects the exit codes that scripts rely on, and messages from being cut in the wrong place. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/status.h"
#include "tests/between.h"

static void every_status_has_a_name_and_an_exit_code(void **state)
{
    (void)state;
    for (int status = 0; status < STATUS_COUNT; status++) {
        assert_true(strlen(status_name((enum status)status)) > 0);
        assert_between(status_exit_code((enum status)status), 0, 4);
    }
    assert_int_equal(status_exit_code(STATUS_OK), 0);
    assert_int_equal(status_exit_code(STATUS_USAGE), 2);
    assert_int_equal(status_exit_code(STATUS_SYNTAX), 2);
    assert_int_equal(status_exit_code(STATUS_NO_DEVICE), 4);
    assert_int_equal(status_exit_code(STATUS_DATABASE), 4);
    assert_int_equal(status_exit_code(STATUS_COUNT), 4);
}

static void an_error_keeps_status_and_text(void **state)
{
    (void)state;
    struct error error = {.detail = "old"};
    assert_int_equal(error_set(&error, STATUS_SYNTAX, "%s:%d: expected ';'", "a.litmus", 3), STATUS_SYNTAX);
    assert_int_equal(error.status, STATUS_SYNTAX);
    assert_string_equal(error.text, "a.litmus:3: expected ';'");
    assert_string_equal(error.detail, "");
    assert_int_equal(error_set(NULL, STATUS_SYSTEM, "nobody reads this"), STATUS_SYSTEM);
    error_set_detail(NULL, "nor this");
}

static void a_long_text_is_cut_at_its_end(void **state)
{
    char long_text[2 * sizeof((struct error){0}.text)];
    (void)state;
    memset(long_text, 'x', sizeof long_text - 1);
    long_text[sizeof long_text - 1] = '\0';
    struct error error = {0};
    (void)error_set(&error, STATUS_USAGE, "start %s", long_text);
    assert_int_equal(strlen(error.text), sizeof error.text - 1);
    assert_memory_equal(error.text, "start x", 7);
}

static enum status count_calls(int *calls, enum status status)
{
    ++*calls;
    return status;
}

static enum status try_twice(int *calls, enum status first, enum status second)
{
    TRY(count_calls(calls, first));
    TRY(count_calls(calls, second));
    return STATUS_OK;
}

static void try_ends_the_function_at_the_first_failure(void **state)
{
    (void)state;
    int calls = 0;
    assert_int_equal(try_twice(&calls, STATUS_OK, STATUS_OK), STATUS_OK);
    assert_int_equal(calls, 2);
    calls = 0;
    assert_int_equal(try_twice(&calls, STATUS_LIMIT, STATUS_OK), STATUS_LIMIT);
    assert_int_equal(calls, 1);
    assert_int_equal(try_twice(&calls, STATUS_OK, STATUS_SYSTEM), STATUS_SYSTEM);
}

/* The cause is at the end of a build log. */
static void a_detail_keeps_the_last_whole_lines(void **state)
{
    static char log[3 * sizeof((struct error){0}.detail)];
    struct error error = {0};
    (void)state;
    error_set_detail(&error, "short\nlog\n");
    assert_string_equal(error.detail, "short\nlog\n");

    size_t length = 0;
    for (int i = 0; length < sizeof log - 16; i++)
        length += (size_t)snprintf(log + length, sizeof log - length, "line %d\n", i);
    error_set_detail(&error, log);
    assert_memory_equal(error.detail, "line ", 5);
    assert_string_equal(error.detail, log + length - strlen(error.detail));
    assert_true(strlen(error.detail) > sizeof error.detail - 16);

    memset(log, 'y', sizeof log - 1); /* no line to cut at */
    for (size_t size = sizeof error.detail - 1; size < sizeof error.detail + 2; size++) {
        error_set_detail(&error, log + sizeof log - 1 - size);
        assert_int_equal(strlen(error.detail), sizeof error.detail - 1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_status_has_a_name_and_an_exit_code),
        cmocka_unit_test(an_error_keeps_status_and_text),
        cmocka_unit_test(a_long_text_is_cut_at_its_end),
        cmocka_unit_test(try_ends_the_function_at_the_first_failure),
        cmocka_unit_test(a_detail_keeps_the_last_whole_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
