// SPDX-License-Identifier: Apache-2.0
/* Protects the minimiser's criteria: how often a setting must show the outcome, when a trial has shown enough, which
 * draws are best, which parameters are neutral, and how an environment is printed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <math.h>

#include "hunt/minimise/minimising.h"

static void assert_near(double value, double expected)
{
    if (!(fabs(value - expected) <= 1e-9 * expected))
        fail_msg("%.9g instead of %.9g", value, expected);
}

static void test_bar(void **state)
{
    static const struct {
        double rate, run_seconds, required;
    } rows[] = {
        {1e6, 3, 100.0 / 3},                      /* frequent: 100 in a run, whatever the rate */
        {1000, 3, 100.0 / 3}, {200, 5, 20},       /* 1000 in a run at the start */
        {50, 10, 5},                              /* the longest short run: a tenth of the start */
        {5, 10, 1},                               /* 10 in a run */
        {1, 20, 0.5},                             /* rare: longer, so that the start shows 20 */
        {0.5, 40, 0.25},      {0.01, 120, 0.005}, /* longest: half of the start */
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct minimise_bar bar = minimise_bar_for(rows[i].rate, 3, 120);
        assert_near(bar.run_seconds, rows[i].run_seconds);
        assert_near(bar.required, rows[i].required);
    }
    assert_near(minimise_bar_for(0.01, 200, 120).run_seconds, 200); /* the caller may want longer runs */
    assert_near(minimal_expected_seconds(4), 2.5);
    assert_true(isinf(minimal_expected_seconds(0)));
}

static void test_settled(void **state)
{
    static const struct {
        struct minimise_ask ask;
        struct minimise_trial trial;
        bool settled;
    } rows[] = {
        {{.seconds = 1, .required = 10}, {.seconds = 0.9, .batches = 9, .seen = 5}, false},
        {{.seconds = 1, .required = 10}, {.seconds = 1, .batches = 9, .seen = 5}, true},
        {{.seconds = 1, .required = 10}, {.seconds = 3.9, .batches = 2, .seen = 5}, false}, /* too few batches */
        {{.seconds = 1, .required = 10}, {.seconds = 4, .batches = 1, .seen = 5}, true},
        {{.seconds = 9, .required = 100}, {.seconds = 0.5, .batches = 3, .seen = 100}, true}, /* twice as many */
        {{.seconds = 9, .required = 100}, {.seconds = 0.5, .batches = 2, .seen = 100}, false},
        {{.seconds = 9, .required = 100}, {.seconds = 0.5, .batches = 1, .seen = 1000}, true},
        {{.seconds = 9, .required = 100}, {.seconds = 0.5, .batches = 1, .seen = 999}, false},
        {{.seconds = 9, .required = 100}, {.seconds = 0.5, .batches = 3, .seen = 99}, false},
        {{.seconds = 9, .required = 100}, {.seconds = 0.6, .batches = 3, .seen = 100}, false},
        {{.seconds = 9, .required = 100}, {.seconds = 0.1, .batches = 3, .seen = 1}, true}, /* 10 were expected */
        {{.seconds = 9, .required = 100}, {.seconds = 0.1, .batches = 3, .seen = 2}, false},
        {{.seconds = 9, .required = 100}, {.seconds = 0.09, .batches = 3, .seen = 0}, false},
        {{.seconds = 9, .required = 100, .whole = true}, {.seconds = 8, .batches = 99, .seen = 9999}, false},
        {{.seconds = 9}, {.seconds = 1, .batches = 5, .seen = 200}, true}, /* the start: enough draws */
        {{.seconds = 9}, {.seconds = 1, .batches = 4, .seen = 9000}, false},
        {{.seconds = 9}, {.seconds = 1, .batches = 5, .seen = 199}, false},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (minimise_is_settled(&rows[i].ask, &rows[i].trial) != rows[i].settled)
            fail_msg("row %zu", i);
}

static void test_best(void **state)
{
    static const double rates[] = {3, 9, 1, 7, 5, 2, 8};
    struct minimise_best best = {0};
    (void)state;
    for (uint32_t i = 0; i < sizeof rates / sizeof *rates; i++) {
        const struct environment drawn = {.stride = {i, i}};
        minimise_best_add(&best, &drawn, rates[i]);
    }
    const double expected[] = {9, 8, 7, 5};
    const uint32_t strides[] = {1, 6, 3, 4};
    assert_int_equal(best.count, MINIMISE_BEST);
    for (size_t i = 0; i < MINIMISE_BEST; i++) {
        assert_true(best.rates[i] == expected[i]);
        assert_int_equal(best.environments[i].stride.low, strides[i]);
    }
}

/* ---- parameters ---- */

static struct environment read_profile(const char *lines)
{
    struct environment environment;
    struct error error;
    struct text text = {0};
    environment_default(&(const struct backend_device){.gpu = true}, &environment);
    environment = minimise_neutral(&environment, 0);
    text_add(&text, "[environment]\n%s", lines);
    assert_int_equal(environment_read("test", text_string(&text), &environment, &error), STATUS_OK);
    text_release(&text);
    return environment;
}

static void assert_words(const char *lines, const char *words)
{
    const struct environment environment = read_profile(lines);
    struct text text = {0};
    minimise_print_values(&environment, &text);
    assert_string_equal(text_string(&text), words);
    text_release(&text);
}

static void test_words(void **state)
{
    (void)state;
    assert_words("", "");
    assert_words("stride = 64\njitter_chance = 100\njitter_steps = 32\n", "jitter, up to 32 steps of it, stride 64");
    assert_words("jitter_chance = 40\nstride = 2..8\n", "jitter in 40 % of the batches, stride 2 to 8");
    assert_words("jitter_steps = 32\nstress_lines = 4\nstress_cached_chance = 100\n",
                 ""); /* without effect: there is no stress */
    assert_words("stress_percent = 5\nstress_lines = 4\n", "stress by 5 % of the groups, 4 stressed lines");
    assert_words("pre_stress_chance = 100\nstress_cached_chance = 100\n", "cached stress loads, pre-stress");
    assert_words("testing_percent = 50\nlane_offset = 3\n",
                 "partners displaced by 3, testing groups on 50 % of the device");
}

static void test_sets(void **state)
{
    const struct environment environment =
        read_profile("stride = 2\nlocal_stride = 2\njitter_chance = 100\njitter_steps = 9\nteams = 4\n");
    const parameter_set active = minimise_active(&environment);
    const parameter_set bit = 1, jitter = bit << PARAMETER_jitter_chance, steps = bit << PARAMETER_jitter_steps,
                        stride = bit << PARAMETER_stride, local = bit << PARAMETER_local_stride,
                        teams = bit << PARAMETER_teams;
    struct text text = {0};
    (void)state;
    assert_int_equal(active, jitter | steps | stride | local | teams);
    assert_int_equal(minimise_effective(steps | stride), stride);
    const struct environment left = minimise_neutral(&environment, stride | jitter);
    assert_int_equal(minimise_active(&left), stride | jitter);
    assert_int_equal(left.rounds.low, environment.rounds.low); /* a size */
    minimise_print_set(jitter | steps | stride, active, &text);
    assert_string_equal(text_string(&text), "jitter, stride");
    text_clear(&text);
    minimise_print_set(steps | stride | local, active, &text);
    assert_string_equal(text_string(&text), "its steps, spread locations");
    text_release(&text);
}

static void test_values(void **state)
{
    const struct environment ranges =
        read_profile("stride = 2..9\njitter_chance = 30\nshuffle_chance = 50\nteams = 4\n");
    const struct environment middle = minimise_middle(&ranges);
    uint32_t drawn[PARAMETER_COUNT] = {[PARAMETER_stride] = 7, [PARAMETER_jitter_chance] = 1, [PARAMETER_teams] = 3};
    (void)state;
    assert_false(minimise_is_fixed(&ranges));
    assert_int_equal(middle.stride.low, 5);
    assert_int_equal(middle.stride.high, 5);
    assert_int_equal(middle.jitter_chance.high, 0);
    assert_int_equal(middle.shuffle_chance.low, 100);
    const struct environment values = minimise_drawn(&ranges, drawn);
    assert_true(minimise_is_fixed(&values));
    assert_int_equal(values.jitter_chance.low, 100);
    const struct environment fixed = minimise_fixed(&ranges, &values);
    assert_true(minimise_is_fixed(&fixed));
    assert_int_equal(fixed.stride.low, 7);
    assert_int_equal(fixed.teams.low, 4); /* was not a range */
}

/* A portfolio is minimised as a whole until one of its draws replaces it: a parameter is active if it is in any member,
 * is made neutral in all, and single values are not a portfolio. */
static void test_portfolio(void **state)
{
    const struct environment_range ten = {10, 10};
    struct environment portfolio = read_profile("stride = 2\n");
    uint32_t drawn[PARAMETER_COUNT] = {[PARAMETER_stride] = 7, [PARAMETER_jitter_chance] = 1};
    struct text text = {0};
    (void)state;
    portfolio.batches = portfolio.other_count = 1;
    portfolio.others[0].batches = 1;
    for (enum parameter i = 0; i < PARAMETER_COUNT; i++)
        portfolio.others[0].ranges[i] = portfolio.ranges[i];
    portfolio.others[0].ranges[PARAMETER_stride] = ten;
    portfolio.others[0].ranges[PARAMETER_lane_offset] = ten;
    const parameter_set stride = (parameter_set)1 << PARAMETER_stride,
                        offset = (parameter_set)1 << PARAMETER_lane_offset;
    assert_int_equal(minimise_active(&portfolio), stride | offset);
    minimise_print_values(&portfolio, &text);
    assert_string_equal(text_string(&text), "partners displaced by 0 to 10, stride 2 to 10");
    const struct environment neutral = minimise_neutral(&portfolio, stride);
    assert_int_equal(minimise_active(&neutral), stride);
    assert_int_equal(neutral.others[0].ranges[PARAMETER_stride].low, 10);
    assert_false(minimise_is_fixed(&neutral));
    const struct environment values = minimise_drawn(&portfolio, drawn);
    const struct environment fixed = minimise_fixed(&portfolio, &values), middle = minimise_middle(&portfolio);
    assert_true(minimise_is_fixed(&values));
    assert_int_equal(fixed.other_count, 0);
    assert_int_equal(fixed.stride.low, 7); /* the members' values differ */
    assert_int_equal(middle.other_count, 0);
    text_release(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bar),       cmocka_unit_test(test_settled), cmocka_unit_test(test_best),
        cmocka_unit_test(test_words),     cmocka_unit_test(test_sets),    cmocka_unit_test(test_values),
        cmocka_unit_test(test_portfolio),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
