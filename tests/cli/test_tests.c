// SPDX-License-Identifier: Apache-2.0
/* Protects: the effect of unread files on a verb's exit code. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cli/tests.h"

static void unread_files_set_the_exit_code_where_nothing_is_worse(void **state)
{
    static const int unchanged[] = {1, 2, 4, 130, 143};
    (void)state;
    for (size_t i = 0; i < sizeof unchanged / sizeof *unchanged; i++)
        assert_int_equal(tests_exit_code(1, unchanged[i]), unchanged[i]);
    assert_int_equal(tests_exit_code(1, 0), 2);
    assert_int_equal(tests_exit_code(3, 3), 2);
    assert_int_equal(tests_exit_code(0, 0), 0);
    assert_int_equal(tests_exit_code(0, 3), 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unread_files_set_the_exit_code_where_nothing_is_worse),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
