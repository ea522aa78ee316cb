// SPDX-License-Identifier: Apache-2.0
/* The false alarms of histories: how many without a step have one named. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/analysis/planted/planted_nights.h"

/* How many of 100 stores without a step have one named. */
static size_t count_false_steps(const struct plan *base)
{
    size_t found = 0;
    for (uint64_t seed = 1; seed <= 100; seed++) {
        struct plan plan = *base;
        plan.seed = seed;
        plan.step = 0;
        struct planted_history made = planted_history_make(&plan);
        found += history_steps(&made.history) > 0;
        planted_history_release(&made);
    }
    return found;
}

/* Protects: at most 5 % of histories without a step have one named, however runs deviate. 11 of 100 are more than
 * chance gives at 5 % in all but 1 of 100 cases. */
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
        print_message("  %-32s %zu of 100\n", rows[i].name, found);
        assert_true(found < 11);
    }
}

/* Results for 100 stores with a step and a new driver at night 20 of 30. */
struct found {
    size_t one, right, in_range; /* one step; it is night 20; night 20 is in its range */
    size_t named;                /* the driver was */
    double said;                 /* the sum of the probabilities of the nights that were named */
};

static struct found count_found(const struct plan *base)
{
    struct found found = {.one = 0};
    for (uint64_t seed = 1; seed <= 100; seed++) {
        struct plan plan = *base;
        plan.seed = seed;
        struct planted_history made = planted_history_make(&plan);
        const struct history_device *device = made.history.devices[0];
        for (size_t s = 0; device->step_count == 1 && s < 1; s++) {
            const struct history_step *step = &device->steps[s];
            found.one++;
            found.right += step->device_run == 19;
            found.in_range += step->first <= 19 && step->last >= 19;
            found.named += step->cause == HISTORY_BY_DRIVER;
            found.said += step->probability;
        }
        planted_history_release(&made);
    }
    return found;
}

/* Protects: steps that are visible at this noise are found and attributed to their driver; the confidence of a named
 * night is how often it is right, and the range contains the night as often as it says. */
static void test_power_and_confidence(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        struct plan plan;
        size_t fewest; /* found */
    } rows[] = {
        {"x2 in 2 of 8 tests, 0.1", {.nights = 30, .tests = 8, .rate = 0.005, .own = 0.1, .factor = 2, .moved = 2}, 95},
        {"x1.5 in 2 of 8 tests, 0.1",
         {.nights = 30, .tests = 8, .rate = 0.005, .own = 0.1, .factor = 1.5, .moved = 2},
         95},
        {"x1.5 in 2 of 8 tests, 0.2",
         {.nights = 30, .tests = 8, .rate = 0.005, .own = 0.2, .factor = 1.5, .moved = 2},
         50},
        {"x1.3 in 8 of 8 tests, 0.2",
         {.nights = 30, .tests = 8, .rate = 0.005, .own = 0.2, .factor = 1.3, .moved = 8},
         50},
        {"x1.7 in all, whole runs 0.2",
         {.nights = 30, .tests = 8, .rate = 0.005, .own = 0.05, .shift = 0.2, .factor = 1.7, .moved = 8},
         80},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct plan plan = rows[i].plan;
        plan.step = plan.driver = 20;
        const struct found found = count_found(&plan);
        print_message("  %-28s found %zu, night 20 %zu (said %.1f), in range %zu, driver named %zu\n", rows[i].name,
                      found.one, found.right, found.said, found.in_range, found.named);
        assert_true(found.one >= rows[i].fewest);
        assert_true((double)found.right >= found.said - 12);
        assert_true((double)found.in_range >= 0.88 * (double)found.one);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_level), cmocka_unit_test(test_power_and_confidence)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
