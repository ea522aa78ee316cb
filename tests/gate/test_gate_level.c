// SPDX-License-Identifier: Apache-2.0
/* Protects: a gate on one stored run names a rate that changed by a factor of 3, also in a suite too small to show how
 * much runs differ, and passes 95 of 100 devices without a change (90 where it is three tests that vary unlike each
 * other). Likewise void instances and times that vary as rates do: neither costs a device its pass, and both are found.
 *
 * ORCHIL_PLANTED_SEEDS=1000 plays so many gates of each row instead of the usual number. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tests/analysis/planted/planted.h"

enum { MOST_TESTS = 24, RUNS = 3, BATCHES = 31, SIGHTINGS = 2000, USUAL_SEEDS = 100, CODES = 6 };

/* Three runs of the baseline against one. Log standard deviations of a run's rates: `each` test by itself, `all`
 * together; uneven: of `each` between tests. */
struct row {
    const char *what;
    unsigned tests;
    double each, all, uneven, ratio;
    bool equal_draws;
    double least;          /* share of gates that must be right: end with 0, or with 3 or 5 if something changed */
    double voids, seconds; /* of a batch: void instances beside a million others, and its time; 0: none */
    double void_ratio, second_ratio; /* of the first test in B; 0: unchanged */
};

#define NO_SHARES 0, 0, 0, 0

static const struct row rows[] = {
    {"nothing, runs 0.1", 1, 0.1, 0, 0, 1, true, 0.95, NO_SHARES},
    {"nothing, runs 0.1", 2, 0.1, 0, 0, 1, true, 0.95, NO_SHARES},
    {"nothing, runs 0.1", 3, 0.1, 0, 0, 1, true, 0.95, NO_SHARES},
    {"nothing, runs 0.1", 3, 0.1, 0, 0, 1, false, 0.95, NO_SHARES},
    {"nothing, runs 0.1", 7, 0.1, 0, 0, 1, true, 0.95, NO_SHARES},
    {"nothing, runs 0.1", 20, 0.1, 0, 0, 1, true, 0.95, NO_SHARES},
    {"nothing, whole runs 0.1", 3, 0, 0.1, 0, 1, true, 0.92, NO_SHARES},
    {"nothing, runs 0.1, uneven", 3, 0.1, 0, 0.7, 1, true, 0.9, NO_SHARES},
    {"rate times 3, runs 0.1", 1, 0.1, 0, 0, 3, true, 1, NO_SHARES},
    {"rate times 3, runs 0.1", 2, 0.1, 0, 0, 3, true, 0.98, NO_SHARES},
    {"rate times 3, runs 0.1", 3, 0.1, 0, 0, 3, true, 1, NO_SHARES},
    {"rate times 3, runs 0.1", 3, 0.1, 0, 0, 3, false, 0.98, NO_SHARES},
    {"rate times 3, runs 0.1", 7, 0.1, 0, 0, 3, true, 0.98, NO_SHARES},
    {"rate times 3, runs 0.1", 20, 0.1, 0, 0, 3, true, 0.98, NO_SHARES},
    {"rate times 1/3, runs 0.1", 3, 0.1, 0, 0, 1 / 3.0, true, 1, NO_SHARES},
    {"rate times 3, whole runs 0.1", 3, 0, 0.1, 0, 3, true, 1, NO_SHARES},
    {"nothing, with voids and times, runs 0.02", 20, 0.02, 0, 0, 1, true, 0.95, 3e5, 0.01, 0, 0},
    {"nothing, with voids and times, runs 0.1", 20, 0.1, 0, 0, 1, true, 0.95, 3e5, 0.01, 0, 0},
    {"nothing, with voids and times, runs 0.1", 20, 0.1, 0, 0, 1, false, 0.95, 2000, 0.002, 0, 0},
    {"nothing, with voids and times, runs 0.1", 3, 0.1, 0, 0, 1, true, 0.95, 3e5, 0.01, 0, 0},
    {"voids times 3, runs 0.1", 20, 0.1, 0, 0, 1, true, 0.85, 3e5, 0.01, 3, 0},
    {"voids times 10, runs 0.1", 3, 0.1, 0, 0, 1, true, 0.95, 3e5, 0.01, 10, 0},
    {"time times 5, runs 0.1", 20, 0.1, 0, 0, 1, true, 0.98, 3e5, 0.01, 0, 5},
    {"time times 30, runs 0.1", 3, 0.1, 0, 0, 1, true, 0.98, 3e5, 0.01, 0, 30},
};

static double normal_of(uint64_t seed, uint64_t run, uint64_t what)
{
    struct random random = random_start(seed, run, what, 78);
    return planted_normal(&random);
}

static double change_of(double ratio, bool is_b, unsigned test)
{
    return ratio > 0 && is_b && test == 0 ? ratio : 1;
}

/* A mutant that shows its witness, and its control, which does not. Only the first mutant changes. */
static void plant_test(struct side *side, const struct row *row, uint64_t seed, unsigned test, uint64_t run, bool is_b)
{
    static const char *const names[MOST_TESTS] = {"t00", "t01", "t02", "t03", "t04", "t05", "t06", "t07",
                                                  "t08", "t09", "t10", "t11", "t12", "t13", "t14", "t15",
                                                  "t16", "t17", "t18", "t19", "t20", "t21", "t22", "t23"};
    const uint64_t own = (seed * 100 + run) * 100 + test;
    const double each = row->each * exp(row->uneven * normal_of(seed, 99, test) - row->uneven * row->uneven / 2);
    const double off_voids = each * normal_of(seed, run, 1000 + test) + row->all * normal_of(seed, run, MOST_TESTS);
    const double off_time = each * normal_of(seed, run, 2000 + test) + row->all * normal_of(seed, run, MOST_TESTS);
    const double off = each * normal_of(seed, run, test) + row->all * normal_of(seed, run, MOST_TESTS);
    const struct planted_test mutant = {
        .name = names[test],
        .batches = BATCHES,
        .instances = 1000000,
        .rate = SIGHTINGS / 1e6 / BATCHES * exp(off) * (is_b && test == 0 ? row->ratio : 1),
        .variation = 0.5,
        .spread = true,
        .voids = row->voids * exp(off_voids) * change_of(row->void_ratio, is_b, test),
        .batch_seconds = row->seconds * exp(off_time) * change_of(row->second_ratio, is_b, test),
        .seconds = 1,
        .draws = row->equal_draws ? seed * 100 + test : own,
        .noise = own,
        .run = (int64_t)run + 1};
    struct planted_test control = mutant;
    control.name = "control";
    control.controls = names[test];
    control.rate = 0;
    planted_add(side, is_b ? "2" : "1", &mutant);
    planted_add(side, is_b ? "2" : "1", &control);
}

static int play(const struct row *row, uint64_t seed)
{
    const struct compare_options options = {COMPARE_USUAL};
    const struct gate_options deciding = {.assurance = 0.99999};
    struct side a = planted_side("1"), b = planted_side("2");
    struct comparison comparison;
    struct gate gate;
    for (unsigned test = 0; test < row->tests; test++) {
        for (unsigned run = 0; run < RUNS; run++)
            plant_test(&a, row, seed, test, run, false);
        plant_test(&b, row, seed, test, RUNS, true);
    }
    compare_sides(&a, &b, &options, &comparison);
    const struct gate_passes passes = {.first = &comparison};
    gate_decide(&passes, &deciding, NULL, &gate);
    const int code = gate.exit_code;
    gate_release(&gate);
    comparison_release(&comparison);
    side_release(&a);
    side_release(&b);
    return code;
}

static uint64_t count_seeds(void)
{
    const char *text = getenv("ORCHIL_PLANTED_SEEDS");
    const unsigned long long asked = text ? strtoull(text, NULL, 10) : 0;
    return asked > 0 && asked <= 1000000 ? asked : USUAL_SEEDS;
}

static void test_rows(void **state)
{
    (void)state;
    const uint64_t seeds = count_seeds();
    bool all_right = true;
    printf("| planted | draws | tests | 0 | 5 | 3 |\n| --- | --- | --- | --- | --- | --- |\n");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct row *row = &rows[i];
        const bool is_equal = row->ratio <= 1 && row->ratio >= 1 && row->void_ratio <= 0 && row->second_ratio <= 0;
        uint64_t codes[CODES] = {0};
        for (uint64_t seed = 1; seed <= seeds; seed++)
            codes[play(row, seed)]++;
        const uint64_t right = is_equal ? codes[0] : codes[3] + codes[5];
        const bool is_right = (double)right >= row->least * (double)seeds;
        printf("| %s | %s | %u | %u | %u | %u |%s\n", row->what, row->equal_draws ? "equal" : "other", row->tests,
               (unsigned)codes[0], (unsigned)codes[5], (unsigned)codes[3], is_right ? "" : " too few are right");
        all_right &= is_right;
    }
    assert_true(all_right);
}

int main(void)
{
    (void)setvbuf(stdout, NULL, _IOLBF, 0);
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_rows)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
