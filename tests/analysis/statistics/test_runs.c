// SPDX-License-Identifier: Apache-2.0
/* Protects: measures of runs match what was planted (draws, dispersion, lag, the ratio and its error), extra batches of
 * the longer side and runs of every seed count, a suite learns how much runs differ, and the chance to be chosen and
 * decided agrees with a simulation. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "analysis/statistics/runs.h"
#include "tests/analysis/planted/planted.h"

enum { BATCHES = 60, MOST_BATCHES = 240, MOST_RUNS = 8 };
static const uint64_t size = 1000000;

/* Runs of one outcome, to which runs are added. */
struct plan {
    struct statistics_run runs[MOST_RUNS];
    uint32_t numbers[MOST_BATCHES];
    uint64_t arguments[2][MOST_BATCHES], sizes[MOST_BATCHES], counts[MOST_RUNS][MOST_BATCHES];
    size_t count;
};

static void start(struct plan *plan)
{
    plan->count = 0;
    for (uint32_t i = 0; i < MOST_BATCHES; i++) {
        plan->numbers[i] = i;
        plan->sizes[i] = size;
        plan->arguments[0][i] = 5;
        plan->arguments[1][i] = 6;
    }
}

/* A run whose batches see `mean` on average, times the factor of the draw. */
static void add_run(struct plan *plan, int side, uint64_t draws, size_t batches, double mean, double variation,
                    uint64_t noise)
{
    struct random factors = random_start(draws, 3, 0, 0), counting = random_start(noise, 4, 0, 0);
    uint64_t *counts = plan->counts[plan->count];
    for (size_t i = 0; i < batches; i++)
        counts[i] = planted_poisson(&counting, mean * planted_factor(&factors, PLANTED_LOG_NORMAL, variation));
    plan->runs[plan->count++] = (struct statistics_run){.side = side,
                                                        .draws = draws,
                                                        .batch_count = batches,
                                                        .numbers = plan->numbers,
                                                        .arguments = plan->arguments[0],
                                                        .sizes = plan->sizes,
                                                        .counts = counts};
}

static struct statistics_measure measure(const struct plan *plan)
{
    struct statistics_measure measure;
    statistics_measure(plan->runs, plan->count, &measure, NULL);
    return measure;
}

/* ---- measuring ---- */

/* The effect of draws on a rate cancels if they are equal, and is in the error if they are not. */
static void test_equal_draws_cancel(void **state)
{
    (void)state;
    struct plan plan;
    start(&plan);
    for (uint64_t run = 0; run < 6; run++)
        add_run(&plan, run < 3 ? STATISTICS_A : STATISTICS_B, 7, BATCHES, 100, 2, run + 1);
    const struct statistics_measure equal = measure(&plan);
    assert_true(equal.paired);
    assert_true(equal.dispersion < 1.2);
    assert_true(fabs(equal.log_ratio) < 0.05);
    start(&plan);
    for (uint64_t run = 0; run < 6; run++)
        add_run(&plan, run < 3 ? STATISTICS_A : STATISTICS_B, run + 1, BATCHES, 100, 2, run + 1);
    const struct statistics_measure other = measure(&plan);
    assert_false(other.paired);
    assert_true(other.dispersion > 20);
    assert_true(other.batches[STATISTICS_B] > 20 * equal.batches[STATISTICS_B]);
}

/* Equal seeds are other draws where the arguments of the launches differ: on one side, or in one run of the
 * baseline. */
static void test_other_arguments_are_other_draws(void **state)
{
    (void)state;
    struct plan plan;
    start(&plan);
    for (uint64_t run = 0; run < 6; run++)
        add_run(&plan, run < 3 ? STATISTICS_A : STATISTICS_B, 7, BATCHES, 100, 2, run + 1);
    for (size_t run = 3; run < 6; run++)
        plan.runs[run].arguments = plan.arguments[1];
    assert_false(measure(&plan).paired);
    assert_true(measure(&plan).batches[STATISTICS_B] > 0.01);
    for (size_t run = 0; run < 6; run++) {
        plan.runs[run].side = run < 4 ? STATISTICS_A : STATISTICS_B;
        plan.runs[run].arguments = plan.arguments[run == 1];
    }
    const struct statistics_measure odd = measure(&plan);
    assert_true(odd.paired);
    assert_int_equal(odd.runs[STATISTICS_A], 3);
    assert_int_equal(odd.runs[STATISTICS_B], 2);
    plan.arguments[1][0] = plan.arguments[0][0]; /* a few that happen to be equal */
    plan.arguments[1][1] = plan.arguments[0][1];
    for (size_t run = 0; run < 6; run++)
        plan.runs[run].arguments = plan.arguments[run > 2];
    assert_false(measure(&plan).paired);
}

/* Runs with equal draws share the effect of the draws, so three of them show no more of it than one. */
static void test_shared_draws_are_no_replicates(void **state)
{
    (void)state;
    struct plan plan;
    start(&plan);
    for (uint64_t run = 0; run < 3; run++)
        add_run(&plan, STATISTICS_A, 1, BATCHES, 100, 1, run + 1);
    add_run(&plan, STATISTICS_B, 2, BATCHES, 100, 1, 9);
    const struct statistics_measure shared = measure(&plan);
    assert_false(shared.paired);
    start(&plan);
    for (uint64_t run = 0; run < 3; run++)
        add_run(&plan, STATISTICS_A, run + 1, BATCHES, 100, 1, run + 1);
    add_run(&plan, STATISTICS_B, 9, BATCHES, 100, 1, 9);
    assert_true(shared.batches[STATISTICS_A] > 2 * measure(&plan).batches[STATISTICS_A]);
}

/* All of a baseline's runs count, whatever their seeds; and no run counts twice. */
static void test_every_run_counts(void **state)
{
    (void)state;
    struct plan plan;
    start(&plan);
    add_run(&plan, STATISTICS_A, 1, BATCHES, 100, 0.5, 1);
    add_run(&plan, STATISTICS_A, 1, BATCHES, 200, 0.5, 2);
    add_run(&plan, STATISTICS_A, 1, BATCHES, 300, 0.5, 3);
    add_run(&plan, STATISTICS_B, 1, BATCHES, 200, 0.5, 4);
    const struct statistics_measure equal = measure(&plan);
    assert_int_equal(equal.runs[STATISTICS_A], 3);
    assert_true(fabs(equal.log_ratio) < 0.05);
    assert_true(equal.span[STATISTICS_A] > 2.5 && equal.span[STATISTICS_A] < 3.5);
    plan.runs[1].draws = 2;
    plan.runs[2].draws = 3; /* paired, nothing could be decided: so all three against one */
    const struct statistics_measure mixed = measure(&plan);
    assert_int_equal(mixed.runs[STATISTICS_A], 3);
    assert_false(mixed.paired);
}

/* Three runs a side, each of its own draws, which the other side has too: three ratios show how far runs differ. */
static void test_blocks_are_replicates(void **state)
{
    (void)state;
    static const double off[] = {0.2, -0.1, 0.1, -0.2, 0.15, 0};
    struct plan plan;
    double residuals[MOST_RUNS];
    struct statistics_measure found;
    start(&plan);
    for (uint64_t run = 0; run < 6; run++)
        add_run(&plan, run % 2 ? STATISTICS_B : STATISTICS_A, run / 2 + 1, BATCHES, 100000 * exp(off[run]), 0.5,
                run + 1);
    statistics_measure(plan.runs, plan.count, &found, residuals);
    assert_true(found.paired);
    assert_true(fabs(found.freedom - 2) < 1e-9);
    /* The ratios are -0.3, -0.3 and -0.15 off 0: their variance, 0.0075, is that of two runs. */
    assert_true(fabs(found.log_ratio + 0.25) < 0.002);
    assert_true(fabs(found.scatter - 0.0075 / 2) < 0.0003);
    assert_true(fabs(residuals[5] + residuals[4]) < 1e-9 && fabs(residuals[5] - 0.05) < 0.002);
}

/* An outcome that is new in 120 batches, of which the baseline has 30: the other 90 count. */
static void test_extra_batches_count(void **state)
{
    (void)state;
    struct plan plan;
    start(&plan);
    add_run(&plan, STATISTICS_A, 1, 30, 0, 0, 1);
    add_run(&plan, STATISTICS_B, 1, 120, 0.5, 0, 2);
    const struct statistics_measure found = measure(&plan);
    assert_int_equal((int)(found.size[STATISTICS_B] / (double)size), 120);
    assert_true(found.count[STATISTICS_B] > 40);
}

/* Large batches scatter differently from small ones: a side with small batches is judged by its own scatter. */
static void test_batches_of_other_sizes(void **state)
{
    (void)state;
    static uint64_t small[MOST_BATCHES];
    struct plan plan;
    start(&plan);
    for (size_t i = 0; i < MOST_BATCHES; i++)
        small[i] = size / 1000;
    for (uint64_t run = 0; run < 4; run++) {
        add_run(&plan, run < 3 ? STATISTICS_A : STATISTICS_B, run + 1, MOST_BATCHES, run < 3 ? 1 : 1000, 0.5, run + 1);
        plan.runs[run].sizes = run < 3 ? small : plan.sizes;
    }
    const struct statistics_measure found = measure(&plan);
    assert_true(found.dispersion > 150); /* of B: 1,000 sightings a batch, and a quarter of their square */
    assert_true(found.batches[STATISTICS_A] * (double)found.count[STATISTICS_A] < 2);
}

/* A batch after a live one is more likely to be live, so the batches say less. */
static void test_dependence_is_measured(void **state)
{
    (void)state;
    struct plan plan;
    start(&plan);
    for (uint64_t run = 0; run < 4; run++) {
        struct random noise = random_start(run, 5, 0, 0);
        double wander = planted_normal(&noise);
        add_run(&plan, run < 2 ? STATISTICS_A : STATISTICS_B, run + 1, MOST_BATCHES, 1, 0, run + 1);
        for (size_t i = 0; i < MOST_BATCHES; i++) {
            wander = 0.8 * wander + 0.6 * planted_normal(&noise);
            plan.counts[run][i] = planted_poisson(&noise, 1000 * exp(0.3 * wander));
        }
    }
    const struct statistics_measure found = measure(&plan);
    assert_true(found.lag > 0.65 && found.lag < 0.9);
    double squares = 0;
    for (uint64_t run = 0; run < 4; run++)
        for (size_t i = 0; i < MOST_BATCHES; i++)
            squares += pow((double)plan.counts[run][i] - 1000, 2) / 1000 / (4 * MOST_BATCHES);
    assert_true(found.dispersion > 3 * squares); /* (1 + 0.8) / (1 - 0.8) = 9 times, were the lag known */
    start(&plan);
    for (uint64_t run = 0; run < 4; run++)
        add_run(&plan, run < 2 ? STATISTICS_A : STATISTICS_B, run + 1, MOST_BATCHES, 1000, 0.3, run + 1);
    assert_true(measure(&plan).lag <= 0);
}

/* An outcome of 900 sightings in 2 of 31 draws, in every run of B, is not chance; in a single run it may be. */
static void test_few_live_draws(void **state)
{
    (void)state;
    struct plan plan;
    const struct statistics_suite suite = {.variance = 0.01, .freedom = 8};
    struct statistics_decision decision;
    start(&plan);
    for (uint64_t run = 0; run < 6; run++) {
        add_run(&plan, run < 3 ? STATISTICS_A : STATISTICS_B, 1, 31, 0, 0, run + 1);
        plan.counts[run][4] = plan.counts[run][19] = run < 3 ? 0 : 440 + 10 * (run % 3);
    }
    struct statistics_measure found = measure(&plan);
    statistics_decide(&found, &suite, 0.95, &decision);
    assert_true(decision.p < 1e-6);
    plan.count = 4;
    found = measure(&plan);
    statistics_decide(&found, &suite, 0.95, &decision);
    assert_true(decision.p > 0.01);
}

/* ---- suites ---- */

/* Suites of 30 questions with runs that differ by `effect` each, the first by `wild`, and by `shift` together: what is
 * learned, on average. */
static struct statistics_suite learn(double effect, double wild, double shift, uint64_t seeds)
{
    enum { QUESTIONS = 30 };
    static struct statistics_question questions[QUESTIONS];
    static double residuals[QUESTIONS][MOST_RUNS];
    static const size_t numbers[MOST_RUNS] = {0, 1, 2, 3, 4, 5};
    struct statistics_suite mean = {.questions = 0};
    for (uint64_t seed = 1; seed <= seeds; seed++) {
        struct random random = random_start(seed, 6, 0, 0);
        struct statistics_suite suite;
        double shifts[6];
        for (int run = 0; run < 6; run++)
            shifts[run] = shift * planted_normal(&random);
        for (size_t q = 0; q < QUESTIONS; q++) {
            struct plan plan;
            start(&plan);
            for (uint64_t run = 0; run < 6; run++)
                add_run(&plan, run < 3 ? STATISTICS_A : STATISTICS_B, q + 1, 20,
                        200 * exp(shifts[run] + (q == 0 ? wild : effect) * planted_normal(&random)), 0.3,
                        seed * 1000 + q * 10 + run);
            statistics_measure(plan.runs, plan.count, &questions[q].measure, residuals[q]);
            questions[q].residuals = residuals[q];
            questions[q].runs = numbers;
            questions[q].count = 6;
            questions[q].test = q;
        }
        statistics_fit(questions, QUESTIONS, 6, true, &suite);
        mean.variance += suite.variance / (double)seeds;
        mean.shift += suite.shift / (double)seeds;
        mean.freedom += suite.freedom / (double)seeds;
        mean.questions += suite.questions;
    }
    return mean;
}

static void test_a_suite_learns(void **state)
{
    (void)state;
    const struct statistics_suite still = learn(0, 0, 0, 40), apart = learn(0.2, 0.2, 0, 40),
                                  together = learn(0, 0, 0.2, 40);
    assert_true(still.variance < 0.0005 && still.shift < 0.0005);
    assert_true(apart.variance > 0.03 && apart.variance < 0.05); /* 0.04 was planted */
    assert_true(apart.shift < 0.01);
    assert_true(together.variance < 0.0005);
    assert_true(together.shift > 0.02 && together.shift < 0.06);
    assert_true(apart.freedom > 10); /* the questions agree in how much they vary */
}

/* A test that varies wildly neither hides changes of the others, nor is treated like them. */
static void test_a_wild_test_is_its_own(void **state)
{
    (void)state;
    const struct statistics_suite learned = learn(0.2, 4, 0, 40);
    const struct statistics_suite suite = {.variance = learned.variance, .freedom = learned.freedom};
    assert_true(suite.variance > 0.025 && suite.variance < 0.06);
    const struct statistics_measure wild = {.runs = {3, 1}, .run_share = 4.0 / 3, .scatter = 16, .freedom = 2};
    const struct statistics_measure usual = {.runs = {3, 1}, .run_share = 4.0 / 3, .scatter = 0.06, .freedom = 2};
    struct statistics_decision decision;
    statistics_decide(&wild, &suite, 0.95, &decision);
    assert_true(decision.variance > 12 && decision.freedom < 4);
    statistics_decide(&usual, &suite, 0.95, &decision);
    assert_true(decision.variance < 0.06 && decision.freedom > 4);
}

static void test_a_small_suite_knows_nothing(void **state)
{
    (void)state;
    struct plan plan;
    double residuals[MOST_RUNS];
    const size_t numbers[MOST_RUNS] = {0, 1, 2, 3, 4, 5};
    struct statistics_question question = {.residuals = residuals, .runs = numbers, .count = 4};
    struct statistics_suite suite;
    struct statistics_decision decision;
    start(&plan);
    for (uint64_t run = 0; run < 4; run++)
        add_run(&plan, run < 3 ? STATISTICS_A : STATISTICS_B, 1, BATCHES, 100, 0, run + 1);
    statistics_measure(plan.runs, plan.count, &question.measure, residuals);
    statistics_fit(&question, 1, 4, true, &suite);
    assert_true(suite.freedom <= 0);
    statistics_decide(&question.measure, &suite, 0.95, &decision);
    assert_true(fabs(decision.freedom - 2) < 1e-9);       /* of its own three runs alone */
    plan.runs[1].side = plan.runs[2].side = STATISTICS_B; /* one run against three: the three may tell */
    plan.count = 2;
    statistics_measure(plan.runs, plan.count, &question.measure, residuals);
    statistics_decide(&question.measure, &suite, 0.95, &decision);
    assert_true(decision.freedom <= 0 && decision.p >= 1);
}

/* ---- chosen, and decided ---- */

/* Three runs of a baseline, one first and three reruns, whose log rates are normal with a known variance. */
static void test_the_choice_costs_no_level(void **state)
{
    (void)state;
    enum { TRIES = 400000 };
    static const double chosen_p = 0.15, level = 2.5;
    const struct statistics_suite suite = {.variance = 0.01, .freedom = 1e6};
    const struct statistics_measure first = {.runs = {3, 1}, .run_share = 4.0 / 3, .log_ratio = 1};
    const struct statistics_measure again = {
        .runs = {3, 3}, .run_share = 2.0 / 3, .log_ratio = level * 0.1 * sqrt(2.0 / 3)};
    struct statistics_decision decision, once;
    statistics_decide(&again, &suite, 0.95, &once);
    statistics_decide_twice(&first, &again, &suite, chosen_p, 0.95, &decision);
    struct random random = random_start(11, 0, 0, 0);
    const double from = statistics_normal_above(chosen_p / 2) * sqrt(4.0 / 3);
    size_t both = 0;
    for (size_t i = 0; i < TRIES; i++) {
        const double a = planted_normal(&random) / sqrt(3), b = planted_normal(&random) - a;
        const double c = planted_normal(&random) / sqrt(3) - a;
        both += (b > from && c > level * sqrt(2.0 / 3)) || (b < -from && c < -level * sqrt(2.0 / 3));
    }
    assert_true(fabs(decision.p * TRIES - (double)both) < 4 * sqrt((double)both));
    assert_true(decision.p < 0.6 * once.p); /* the part of the level that the choice takes is given back */
    const struct statistics_measure other_way = {.runs = {3, 1}, .run_share = 4.0 / 3, .log_ratio = -1};
    statistics_decide_twice(&other_way, &again, &suite, chosen_p, 0.95, &decision);
    assert_true(decision.p >= 1);
}

/* ---- one rate ---- */

/* Protects: the interval of several runs covers how much they differ, where that of the pooled counts would be a
 * hundred times too narrow; it is never narrower than counting alone; and one run claims nothing about others. The runs
 * of PoCL are those of one driver, of which the pooled interval was 0.0833 to 0.0838. */
static void test_one_rate_over_runs(void **state)
{
    (void)state;
    static const struct statistics_batch differ[] = {
        {13800, 1000000}, {8100, 1000000}, {0, 0}, {128000, 1000000}, {259000, 1000000}};
    static const struct statistics_batch alike[] = {{3, 1000000}, {3, 1000000}, {3, 1000000}};
    static const struct statistics_batch rare[] = {{0, 1000000}, {0, 1000000}, {40, 1000000}};
    struct statistics_run_rate rate;
    statistics_rate_over_runs(differ, 5, 0.95, &rate);
    assert_int_equal(rate.runs, 4);
    assert_int_equal(rate.seen_in, 4);
    assert_true(fabs(rate.rate - pow(0.0138 * 0.0081 * 0.128 * 0.259, 0.25)) <= 1e-9);
    assert_true(fabs(rate.range.low - 0.0081) <= 1e-12);
    assert_true(fabs(rate.range.high - 0.259) <= 1e-12);
    assert_true(rate.interval.low < rate.range.low && rate.interval.high > rate.range.high && rate.interval.high <= 1);

    statistics_rate_over_runs(alike, 3, 0.95, &rate);
    const struct interval counting = statistics_binomial(9, 3000000, 0.95);
    assert_true(fabs(rate.rate - 3e-6) <= 1e-12);
    assert_true(fabs(rate.interval.low - counting.low) <= 1e-12);
    assert_true(fabs(rate.interval.high - counting.high) <= 1e-12);

    statistics_rate_over_runs(differ, 1, 0.95, &rate);
    assert_int_equal(rate.runs, 1);
    assert_true(fabs(rate.interval.low - statistics_binomial(13800, 1000000, 0.95).low) <= 1e-12);

    statistics_rate_over_runs(rare, 3, 0.95, &rate);
    assert_int_equal(rate.seen_in, 1);
    assert_true(rate.rate > 0 && rate.rate < 40e-6 && rate.range.low <= 0);

    statistics_rate_over_runs(rare, 2, 0.95, &rate);
    assert_true(rate.rate <= 0 && rate.interval.low <= 0);
    assert_true(fabs(rate.interval.high - statistics_binomial(0, 2000000, 0.95).high) <= 1e-12);
    statistics_rate_over_runs(NULL, 0, 0.95, &rate);
    assert_int_equal(rate.runs, 0);
    assert_true(rate.rate <= 0 && rate.interval.high >= 1);
}

/* ---- few draws ---- */

enum sharing { ONE_SEED, SEED_OF_SIDE, SEED_OF_RUN };

/* Three runs a side, with true factor 10. Each side varies from draw to draw by itself, as a changed driver may.
 * Returns whether the interval holds the factor; *shown: whether it may be shown. */
static bool covers(enum sharing sharing, size_t draws, size_t runs_of_b, uint64_t seed, bool *shown)
{
    struct plan plan;
    struct statistics_decision decision;
    static const struct statistics_suite alone = {.freedom = 0};
    start(&plan);
    for (uint64_t run = 0; run < 3 + runs_of_b; run++) {
        const int side = run < 3 ? STATISTICS_A : STATISTICS_B;
        add_run(&plan, side, 1000 * seed + (sharing == SEED_OF_RUN ? run : (uint64_t)side), draws,
                side == STATISTICS_A ? 1000 : 10000, 0.5, 1000 * seed + run + 10);
        if (sharing == ONE_SEED)
            plan.runs[run].draws = 7; /* equal draws, in which the sides vary apart */
    }
    const struct statistics_measure found = measure(&plan);
    statistics_decide(&found, &alone, 0.95, &decision);
    *shown = decision.freedom > 0 && decision.few_draws == 0;
    return decision.ratio.low <= 10 && decision.ratio.high >= 10;
}

/* An interval that is shown holds the factor, however few draws there are; one draw alone shows none. */
static void test_an_interval_knows_its_draws(void **state)
{
    (void)state;
    enum { SEEDS = 300 };
    static const size_t draws[] = {1, 2, 3, 4, 5, 7, 9, 10, 12, 30};
    for (enum sharing sharing = ONE_SEED; sharing <= SEED_OF_RUN; sharing++)
        for (size_t i = 0; i < sizeof draws / sizeof *draws; i++)
            for (size_t runs_of_b = 1; runs_of_b <= 3; runs_of_b += 2) {
                size_t intervals = 0, held = 0;
                for (uint64_t seed = 1; seed <= SEEDS; seed++) {
                    bool shown;
                    const bool holds = covers(sharing, draws[i], runs_of_b, seed, &shown);
                    intervals += shown;
                    held += shown && holds;
                }
                assert_true(intervals == 0 || 100 * held >= 92 * intervals);
                assert_int_equal(intervals, sharing != SEED_OF_RUN && draws[i] < 5 ? 0 : SEEDS);
            }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_rate_over_runs),
        cmocka_unit_test(test_equal_draws_cancel),
        cmocka_unit_test(test_other_arguments_are_other_draws),
        cmocka_unit_test(test_shared_draws_are_no_replicates),
        cmocka_unit_test(test_every_run_counts),
        cmocka_unit_test(test_blocks_are_replicates),
        cmocka_unit_test(test_extra_batches_count),
        cmocka_unit_test(test_batches_of_other_sizes),
        cmocka_unit_test(test_dependence_is_measured),
        cmocka_unit_test(test_few_live_draws),
        cmocka_unit_test(test_a_suite_learns),
        cmocka_unit_test(test_a_wild_test_is_its_own),
        cmocka_unit_test(test_a_small_suite_knows_nothing),
        cmocka_unit_test(test_the_choice_costs_no_level),
        cmocka_unit_test(test_an_interval_knows_its_draws),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
