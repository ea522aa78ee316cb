// SPDX-License-Identifier: Apache-2.0
/* Protects the notices at the head of a run: how busy the machine is, and which tests a CPU device plays thread after
 * thread. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "cli/print/notices.h"

static void busy_cores_are_what_is_not_idle(void **state)
{
    static const struct {
        const char *before, *after;
        int tenths; /* of 4 cores; -10: unknown */
    } rows[] = {
        {"cpu  100 0 0 100 0 0 0 0 0 0\n", "cpu  200 0 0 200 0 0 0 0 0 0\n", 20},
        {"cpu  100 0 0 100 0 0 0 0 0 0\n", "cpu  100 0 0 200 0 0 0 0 0 0\n", 0},
        {"cpu  100 0 0 100 5 0 0 0 0 0\n", "cpu  110 20 30 100 5 10 20 10 0 0\n", 40},
        {"cpu  0 0 0 0 0 0 0 0 7 7\n", "cpu  10 0 0 20 10 0 0 0 90 0\n", 10},
        {"cpu  100 0 0 100 0 0 0 0 0 0\n", "cpu  100 0 0 100 0 0 0 0 0 0\n", -10},
        {"cpu  100 0 0 100 0 0 0 0 0 0\n", "cpu  90 0 0 90 0 0 0 0 0 0\n", -10},
        {"", "cpu  100 0 0 100 0 0 0 0 0 0\n", -10},
        {"intr 1 2 3 4 5", "intr 2 3 4 5 6", -10},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_int_equal((int)(10 * notices_busy(rows[i].before, rows[i].after, 4)), rows[i].tenths);
}

static void threads_of_one_group_take_turns_on_a_cpu(void **state)
{
    static const struct {
        const char *first, *second;
        const char *backend;
        bool gpu, turns;
    } rows[] = {
        {"P0@wg 0, dev 0", "P1@wg 0, dev 0", "opencl", false, true},
        {"P0@wg 0, dev 0", "P1@wg 0, dev 0", "opencl", true, false},
        {"P0@wg 0, dev 0", "P1@wg 0, dev 0", "simulated", false, false},
        {"P0@wg 0, dev 0", "P1@wg 1, dev 0", "opencl", false, false},
        {"P0@wg 0, dev 0", "P1@wg 0, dev 1", "opencl", false, false},
        {"P0@sg 0, wg 0, dev 0", "P1@sg 1, wg 0, dev 0", "opencl", false, true},
        {"P0..P1@wg 0, dev 0", "P2@wg 0, dev 0", "opencl", false, true},
        {"P0", "P1", "opencl", false, false},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct text text = {0};
        struct litmus_test *test;
        struct error error = {0};
        struct backend_device device = {.gpu = rows[i].gpu};
        (void)snprintf(device.backend, sizeof device.backend, "%s", rows[i].backend);
        text_add(&text,
                 "OPENCL T\n{ x=0; }\n%s (global int* x) { *x = 1; }\n%s (global int* x) { *x = 2; }\nexists (x=1)\n",
                 rows[i].first, rows[i].second);
        if (litmus_parse("T", text_string(&text), text.size, &test, &error) != STATUS_OK)
            fail_msg("%s", error.text);
        assert_int_equal(notices_takes_turns(test, &device), rows[i].turns);
        litmus_release(test);
        text_release(&text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(busy_cores_are_what_is_not_idle),
        cmocka_unit_test(threads_of_one_group_take_turns_on_a_cpu),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
