// SPDX-License-Identifier: Apache-2.0
/* Protects: what a calibration promises to be found is found in fresh data, and less is not; runs that differ by themselves
 * raise false alarms, and the suggested tolerance ends them; sums and forms. */
#include <jansson.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/analysis/planted.h"

enum { RUNS = 6, BATCHES = 40, TRIALS = 200 };

/* A run of two tests, of which one is a control. shift: of its rate, as a factor. */
static struct side plant(uint64_t draws, uint64_t noise, double shift)
{
    struct side side = planted_side("1.0");
    const struct planted_test mutant = {.name = "MP",
                                        .batches = BATCHES,
                                        .instances = 1000000,
                                        .rate = 5e-5 * shift,
                                        .variation = 0.5,
                                        .seconds = 2,
                                        .draws = draws,
                                        .noise = noise};
    const struct planted_test control = {.name = "MP+fence",
                                         .controls = "MP",
                                         .batches = BATCHES,
                                         .instances = 1000000,
                                         .seconds = 2,
                                         .draws = draws,
                                         .noise = noise};
    planted_add(&side, "1.0", &mutant);
    planted_add(&side, "1.0", &control);
    return side;
}

/* Two of three runs have equal draws, as `orchil gate calibrate` runs them. */
static void plant_runs(struct side runs[RUNS], const double shifts[RUNS])
{
    for (uint64_t i = 0; i < RUNS; i++)
        runs[i] = plant(i % 3 == 2 ? 100 + i : 5, 1000 + i, shifts[i]);
}

static void forget(struct side *runs, size_t count)
{
    for (size_t i = 0; i < count; i++)
        side_release(&runs[i]);
}

static const double steady[RUNS] = {1, 1, 1, 1, 1, 1};

/* In how many of TRIALS fresh pairs of runs a change by a factor is found. */
static unsigned count_found(double factor, bool equal_draws)
{
    const struct compare_options usual = compare_usual_options();
    unsigned found = 0;
    for (uint64_t i = 0; i < TRIALS; i++) {
        struct side sides[SIDES] = {plant(5000 + i, 2 * i, 1),
                                    plant(5000 + i + (equal_draws ? 0 : TRIALS), 2 * i + 1, 1 / factor)};
        struct comparison comparison;
        compare_sides(&sides[SIDE_A], &sides[SIDE_B], &usual, &comparison);
        for (size_t f = 0; f < comparison.finding_count; f++)
            if (comparison.findings[f].kind == FINDING_RATE && comparison.findings[f].outcome->witness) {
                found++;
                break;
            }
        comparison_release(&comparison);
        forget(sides, SIDES);
    }
    return found;
}

static void test_what_is_promised_is_found(void **state)
{
    (void)state;
    const struct calibration_options usual = calibration_usual_options();
    struct side runs[RUNS];
    struct calibration calibration;
    struct error error;
    plant_runs(runs, steady);
    assert_int_equal(calibrate(runs, RUNS, &usual, &calibration, &error), STATUS_OK);
    assert_int_equal(calibration.pairs[DRAWS_EQUAL].pairs, 6);
    assert_int_equal(calibration.pairs[DRAWS_OTHER].pairs, 9);
    assert_int_equal(calibration.rate_count, 1);
    const struct calibration_rate *rate = &calibration.rates[0];
    assert_string_equal(rate->sample->row.test, "MP");
    assert_true(rate->rate > 4e-5 && rate->rate < 6e-5);
    assert_true(rate->batch_variation > 0.35 && rate->batch_variation < 0.65);
    /* 2,000 sightings a run: a standard deviation of 2.2 %, and nothing else */
    assert_true(rate->run_variation > 0.005 && rate->run_variation < 0.05);
    for (int draws = 0; draws < DRAWS; draws++) {
        const double factor = rate->detectable[draws];
        const unsigned found = count_found(factor, draws == DRAWS_EQUAL);
        const unsigned of_less = count_found(pow(factor, 0.6), draws == DRAWS_EQUAL);
        print_message("%s draws: %.3f, found in %u of %d; %.3f in %u\n", draws == DRAWS_EQUAL ? "equal" : "other",
                      factor, found, TRIALS, pow(factor, 0.6), of_less);
        /* What is known comes from six runs, of a handful of draws: hence the margin. */
        assert_true(found >= TRIALS * 80 / 100);
        assert_true(of_less <= TRIALS * 75 / 100);
    }
    assert_true(rate->detectable[DRAWS_EQUAL] < rate->detectable[DRAWS_OTHER]);
    calibration_release(&calibration);
    forget(runs, RUNS);
}

static void test_runs_that_differ_need_a_tolerance(void **state)
{
    (void)state;
    static const double moody[RUNS] = {1, 1.4, 1, 0.8, 1.2, 1};
    struct calibration_options options = calibration_usual_options();
    struct side runs[RUNS];
    struct calibration calibration;
    struct error error;
    plant_runs(runs, moody);
    assert_int_equal(calibrate(runs, RUNS, &options, &calibration, &error), STATUS_OK);
    const double suggested = calibration.tolerance, detectable = calibration.rates[0].detectable[DRAWS_EQUAL];
    assert_true(calibration.pairs[DRAWS_EQUAL].alarms >= 3);
    assert_true(calibration.pairs[DRAWS_EQUAL].alarm_rate.low > 0);
    assert_true(suggested > 1.2 && suggested < 1.75); /* the runs differ by up to 1.4 / 0.8 */
    assert_true(calibration.rates[0].run_variation > 0.1);
    assert_true(detectable > suggested);
    calibration_release(&calibration);

    options.compare.tolerance = suggested;
    assert_int_equal(calibrate(runs, RUNS, &options, &calibration, &error), STATUS_OK);
    assert_int_equal(calibration.pairs[DRAWS_EQUAL].alarms, 0);
    assert_true(fabs(calibration.tolerance - suggested) < 1e-9);
    calibration_release(&calibration);
    forget(runs, RUNS);
}

static void test_too_little_is_said(void **state)
{
    (void)state;
    const struct calibration_options usual = calibration_usual_options();
    struct side runs[2] = {plant(5, 1, 1e-5), plant(5, 2, 1e-5)};
    struct calibration calibration;
    struct error error;
    assert_int_equal(calibrate(runs, 1, &usual, &calibration, &error), STATUS_USAGE);
    calibration_release(&calibration);
    assert_int_equal(calibrate(runs, 2, &usual, &calibration, &error), STATUS_OK);
    assert_int_equal(calibration.rate_count, 0);
    assert_true(isnan(calibration.median[DRAWS_EQUAL]));
    calibration_release(&calibration);
    forget(runs, 2);

    struct side rare[2] = {plant(5, 1, 2e-3), plant(5, 2, 2e-3)};
    assert_int_equal(calibrate(rare, 2, &usual, &calibration, &error), STATUS_OK);
    assert_int_equal(calibration.rate_count, 1);
    assert_true(isinf(calibration.rates[0].detectable[DRAWS_EQUAL]));
    assert_true(isnan(calibration.rates[0].detectable[DRAWS_OTHER]));
    calibration_release(&calibration);
    forget(rare, 2);
}

static void test_what_must_never_be_seen_is_counted(void **state)
{
    (void)state;
    const struct calibration_options usual = calibration_usual_options();
    struct side runs[2] = {plant(5, 1, 1), plant(5, 2, 1)};
    const struct planted_test forbidden = {
        .name = "SB", .batches = 30, .instances = 1000, .rate = 0.1, .even = true, .verdict = "forbidden"};
    const struct planted_test hung = {.name = "LB", .batches = 2, .instances = 1000, .even = true, .state = JOB_HANG};
    struct calibration calibration;
    struct text text = {0};
    struct error error;
    planted_add(&runs[0], "1.0", &forbidden);
    planted_add(&runs[1], "1.0", &hung);
    assert_int_equal(calibrate(runs, 2, &usual, &calibration, &error), STATUS_OK);
    assert_int_equal(calibration.unsound, 2);
    calibration_print_text(&calibration, &text);
    assert_non_null(strstr(text_string(&text), "2 jobs showed what must never be seen"));
    text_clear(&text);
    calibration_print_json(&calibration, &text);
    json_t *document = json_loads(text_string(&text), 0, NULL);
    assert_int_equal(json_integer_value(json_object_get(document, "unsound_jobs")), 2);
    json_decref(document);
    text_release(&text);
    calibration_release(&calibration);
    forget(runs, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_is_promised_is_found),
        cmocka_unit_test(test_runs_that_differ_need_a_tolerance),
        cmocka_unit_test(test_too_little_is_said),
        cmocka_unit_test(test_what_must_never_be_seen_is_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
