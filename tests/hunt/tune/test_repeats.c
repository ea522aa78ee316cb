// SPDX-License-Identifier: Apache-2.0
/* Protects the decision between a candidate and the old profile: the interval is Student's, equal profiles are
 * distinguished no more often than the confidence level allows, a true difference is detected, and few repeats decide
 * nothing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "base/random.h"
#include "hunt/tune/tune.h"
#include "hunt/tune/tune_bench.h"
#include "tests/between.h"

enum { REPEATS = 8, TRIALS = 4000 };

static void assert_near(double value, double expected, double distance)
{
    if (!(fabs(value - expected) <= distance))
        fail_msg("%.9g instead of %.9g", value, expected);
}

static void the_interval_is_students(void **state)
{
    struct tune_repeats repeats = {0};
    (void)state;
    tune_repeats_add(&repeats, 1);
    assert_true(isinf(tune_repeats_lower(&repeats)) && isinf(tune_repeats_upper(&repeats)));
    tune_repeats_add(&repeats, 2);
    tune_repeats_add(&repeats, 3);
    tune_repeats_add(&repeats, 6);
    /* Mean 3, standard deviation 2.1602, t of 3 degrees of freedom 3.1824. */
    assert_near(tune_repeats_lower(&repeats), 3 - 3.1824 * 2.160247 / 2, 1e-4);
    assert_near(tune_repeats_upper(&repeats), 3 + 3.1824 * 2.160247 / 2, 1e-4);
    /* Far beyond the table the interval is only slightly too wide. */
    for (int i = 0; i < 96; i++)
        tune_repeats_add(&repeats, i % 2 == 0 ? 2 : 4);
    const double width = tune_repeats_upper(&repeats) - repeats.mean;
    const double exact = 1.9842 * sqrt(repeats.squares / 99 / 100);
    assert_true(width >= exact && width < 1.1 * exact);
}

/* Nearly normal, with mean 0 and standard deviation 1: a sum of twelve uniform numbers. */
static double noise(struct random *random)
{
    double sum = -6;
    for (int i = 0; i < 12; i++)
        sum += (double)random_below(random, 1U << 30) / (1U << 30);
    return sum;
}

/* How many trials give this verdict if the logarithm of the true ratio is `shift` and a repeat's standard deviation is
 * 0.3. */
static unsigned count_verdicts(double shift, enum tune_verdict verdict)
{
    struct random random = random_start(7, 0, 0, 0);
    unsigned count = 0;
    for (unsigned trial = 0; trial < TRIALS; trial++) {
        struct tune_repeats ratio = {0};
        for (unsigned i = 0; i < REPEATS; i++)
            tune_repeats_add(&ratio, shift + 0.3 * noise(&random));
        count += tune_repeats_decide(&ratio) == verdict;
    }
    return count;
}

static void equal_profiles_are_rarely_told_apart(void **state)
{
    (void)state;
    assert_between(count_verdicts(0, TUNE_VERDICT_BETTER), TRIALS * 15 / 1000, TRIALS * 35 / 1000); /* 2.5 % */
    assert_between(count_verdicts(0, TUNE_VERDICT_SAME), TRIALS * 93 / 100, TRIALS * 97 / 100);
}

static void a_true_difference_is_seen(void **state)
{
    (void)state;
    assert_true(count_verdicts(log(2), TUNE_VERDICT_BETTER) > TRIALS * 99 / 100);
    assert_true(count_verdicts(-log(2), TUNE_VERDICT_WORSE) > TRIALS * 99 / 100);
}

static void few_repeats_decide_nothing(void **state)
{
    struct tune_repeats ratio = {0};
    (void)state;
    for (unsigned i = 1; i < TUNE_LEAST_REPEATS; i++) {
        tune_repeats_add(&ratio, log(10));
        assert_int_equal(tune_repeats_decide(&ratio), TUNE_VERDICT_SAME);
    }
    tune_repeats_add(&ratio, log(10));
    assert_int_equal(tune_repeats_decide(&ratio), TUNE_VERDICT_BETTER);
    assert_string_equal(tune_verdict_text(TUNE_VERDICT_SAME), "not distinguishable from the old profile: kept");
}

static void rates_are_printed_with_their_interval(void **state)
{
    struct tune_repeats rate = {0};
    char buffer[TUNE_INTERVAL_SIZE];
    (void)state;
    tune_repeats_add(&rate, log(1000));
    assert_string_equal(tune_repeats_print(&rate, buffer), "1.00 k");
    tune_repeats_add(&rate, log(1000));
    assert_string_equal(tune_repeats_print(&rate, buffer), "1.00 k (1.00 k to 1.00 k)");
}

static void a_repeat_has_its_own_rate(void **state)
{
    struct tune_rate rate = {0};
    (void)state;
    tune_rate_add(&rate, 1000, 10000, 1);
    const struct tune_rate before = rate;
    assert_near(tune_log_since(&rate, &before), 0, 0);
    tune_rate_add(&rate, 30, 10000, 2);
    tune_rate_add(&rate, 10, 10000, 2);
    assert_near(tune_log_since(&rate, &before), log(10), 1e-12);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_interval_is_students),
        cmocka_unit_test(equal_profiles_are_rarely_told_apart),
        cmocka_unit_test(a_true_difference_is_seen),
        cmocka_unit_test(few_repeats_decide_nothing),
        cmocka_unit_test(rates_are_printed_with_their_interval),
        cmocka_unit_test(a_repeat_has_its_own_rate),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
