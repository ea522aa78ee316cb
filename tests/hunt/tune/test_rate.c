// SPDX-License-Identifier: Apache-2.0
/* Protects the criteria of a search: the rate of batches and its bounds, the score of several tests, and when a
 * candidate is given up: not before enough batches, not if it may still be the best, and always if it cannot. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "hunt/tune/tune_bench.h"

static void assert_near(double value, double expected, double distance)
{
    if (!(fabs(value - expected) <= distance))
        fail_msg("%.9g instead of %.9g", value, expected);
}

static struct tune_rate rate_of(uint64_t batches, uint64_t witnesses, double seconds)
{
    struct tune_rate rate = {0};
    for (uint64_t i = 0; i < batches; i++)
        tune_rate_add(&rate, witnesses, 1000, seconds);
    return rate;
}

static void test_value(void **state)
{
    struct tune_rate rate = {0};
    (void)state;
    assert_true(tune_rate_value(&rate) == 0);
    tune_rate_add(&rate, 30, 1000, 0.5);
    tune_rate_add(&rate, 10, 500, 1.5);
    assert_int_equal(rate.witnesses, 40);
    assert_int_equal(rate.instances, 1500);
    assert_near(tune_rate_value(&rate), 20, 1e-9); /* 40 in 2 s, not the mean of 60 and 6.7 */
}

static void test_bounds(void **state)
{
    struct tune_rate rate = rate_of(TUNE_LEAST_BATCHES - 1, 100, 1);
    (void)state;
    assert_true(isinf(tune_rate_upper(&rate)));
    assert_true(tune_rate_lower(&rate) == 0);
    tune_rate_add(&rate, 100, 1000, 1);
    /* Equal batches: only the error of counting 300 in 3 s remains. */
    assert_near(tune_rate_upper(&rate), 100 + 3 * sqrt(300) / 3 + log(20) / 3, 1e-9);
    assert_near(tune_rate_lower(&rate), 100 - 2 * sqrt(300) / 3, 1e-9);

    struct tune_rate spread = {0};
    for (uint64_t i = 0; i < 4; i++)
        tune_rate_add(&spread, i % 2 == 0 ? 0 : 20000, 30000, 1);
    /* Standard deviation 11547, divided by the root of 4: far more than the error of counting. */
    assert_near(tune_rate_upper(&spread), 10000 + 3 * 5773.5 + 0.75, 1);
    assert_true(tune_rate_lower(&spread) == 0); /* 10000 - 2 * 5773.5 is less */

    struct tune_rate none = rate_of(10, 0, 0.1);
    assert_near(tune_rate_upper(&none), log(20), 1e-9); /* the rule of three */
    assert_true(tune_rate_lower(&none) == 0);
}

static void test_score(void **state)
{
    const struct tune_rate rates[] = {rate_of(3, 1000, 1), rate_of(3, 0, 1), rate_of(3, 100, 1)};
    (void)state;
    /* A test without a witness neither raises nor ruins the score. */
    assert_near(tune_score(rates, 3), log(1000) + log(100), 1e-9);
    assert_true(tune_score_lower(rates, 3) < tune_score(rates, 3));
    assert_true(tune_score_lower(rates, 3) > 0);
    assert_true(tune_score(rates, 0) == 0);
}

static void test_hopeless(void **state)
{
    const double records[] = {1000, 1000};
    const double best = log(1000) + log(1000);
    struct tune_rate rates[2] = {rate_of(TUNE_LEAST_BATCHES - 1, 0, 1), {0}};
    (void)state;
    assert_false(tune_hopeless(rates, 0, 2, records, best, best)); /* nothing is known yet */
    tune_rate_add(&rates[0], 0, 1000, 1);
    assert_true(tune_hopeless(rates, 0, 2, records, best, 0)); /* a quarter cannot be reached */
    rates[0] = rate_of(10, 400, 1);
    assert_false(tune_hopeless(rates, 0, 2, records, best, 0)); /* less than half, but more than a quarter */
    assert_true(tune_hopeless(rates, 0, 2, records, best, best - 0.1));
    rates[0] = rate_of(10, 4000, 1);
    assert_false(tune_hopeless(rates, 0, 2, records, best, best));
    rates[1] = rate_of(10, 0, 1); /* four times better for the first and a thousandth for the second */
    assert_true(tune_hopeless(rates, 1, 2, records, best, 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_value),
        cmocka_unit_test(test_bounds),
        cmocka_unit_test(test_score),
        cmocka_unit_test(test_hopeless),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
