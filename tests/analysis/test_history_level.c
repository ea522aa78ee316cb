// SPDX-License-Identifier: Apache-2.0
/* The level of histories: how many without a step have one named. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/analysis/planted_nights.h"

/* How many of 200 stores without a step have one named. */
static size_t count_false_steps(const struct plan *base)
{
    size_t found = 0;
    for (uint64_t seed = 1; seed <= 200; seed++) {
        struct plan plan = *base;
        plan.seed = seed;
        plan.step = 0;
        struct planted_history made = planted_history_make(&plan);
        found += history_steps(&made.history) > 0;
        planted_history_release(&made);
    }
    return found;
}

/* Protects: no more than 5 % of histories without a step have one named, whatever runs are off by. 18 of 200 are more than chance
 * gives at 5 % in all but 1 of 100 cases. */
static void test_level(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        struct plan plan;
    } rows[] = {
        {"runs alike", {.nights = 12, .tests = 8, .rate = 0.005}},
        {"0.03", {.nights = 12, .tests = 8, .rate = 0.005, .own = 0.03}},
        {"0.1", {.nights = 12, .tests = 8, .rate = 0.005, .own = 0.1}},
        {"0.2", {.nights = 12, .tests = 8, .rate = 0.005, .own = 0.2}},
        {"0.2, five nights", {.nights = 5, .tests = 8, .rate = 0.005, .own = 0.2}},
        {"0.1, whole runs 0.1", {.nights = 12, .tests = 8, .rate = 0.005, .own = 0.1, .shift = 0.1}},
        {"0.2, few tests", {.nights = 12, .tests = 3, .rate = 0.005, .own = 0.2}},
        {"0.1, rare, other draws", {.nights = 12, .tests = 8, .rate = 0.0001, .own = 0.1, .other_draws = true}},
        {"0.2, each like the one before", {.nights = 30, .tests = 8, .rate = 0.005, .own = 0.2, .lag = 0.5}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const size_t found = count_false_steps(&rows[i].plan);
        print_message("  %-32s %zu of 200\n", rows[i].name, found);
        assert_true(found < 18);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_level)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
