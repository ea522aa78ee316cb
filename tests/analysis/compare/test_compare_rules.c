// SPDX-License-Identifier: Apache-2.0
/* Protects: single runs only show that they differ; three runs per side decide; rates that moved together are one
 * finding; all runs and draws of a side count; successive batches are not treated as independent; outcomes that one
 * side alone has seen are always listed; rates of different kernels are not compared; other circumstances are named. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/analysis/planted/planted.h"

enum { TESTS = 12 };

static const char *const names[TESTS] = {"T01", "T02", "T03", "T04", "T05", "T06",
                                         "T07", "T08", "T09", "T10", "T11", "T12"};

/* The planted data: a comparison of two sides of TESTS tests, of which only the first differs, by `factor`. */
struct planting {
    int64_t runs[SIDES];
    double factor, shift; /* of the first test's rate in B; of all rates in B */
    double rate;          /* of the first test, in A; 0: as the others' */
    double lag, wander;
    size_t batches;
    const char *kernel[SIDES], *circumstances[SIDES], *driver[SIDES];
    double spread; /* standard deviation of the logarithm of a rate between runs */
};

struct planted {
    struct side a, b;
    struct comparison comparison;
};

static void plant_side(struct side *side, int which, const struct planting *planting)
{
    const bool in_b = which == SIDE_B;
    struct random random = random_start(77, (uint32_t)which, 0, 0);
    *side = planted_side(in_b ? "2" : "1");
    for (int64_t run = 1; run <= planting->runs[which]; run++) {
        for (size_t i = 0; i < TESTS; i++) {
            const double usual = i == 0 && planting->rate > 0 ? planting->rate : 1e-4;
            const double factor = in_b ? planting->shift * (i == 0 ? planting->factor : 1) : 1;
            const struct planted_test test = {.name = names[i],
                                              .rate = usual * factor * exp(planting->spread * planted_normal(&random)),
                                              .batches = planting->batches ? planting->batches : 40,
                                              .instances = 100000,
                                              .variation = 0.3,
                                              .lag = planting->lag,
                                              .wander = planting->wander,
                                              .draws = 5 + i,
                                              .noise = (uint64_t)(100 * run + 1000 * which) + i,
                                              .kernel = planting->kernel[which],
                                              .circumstances = planting->circumstances[which],
                                              .run = run};
            planted_add(side, in_b ? "2" : "1", &test);
        }
    }
}

static struct planted *compare(const struct planting *planting)
{
    const struct compare_options options = {COMPARE_USUAL};
    struct planted *planted = calloc(1, sizeof *planted);
    assert_non_null(planted);
    plant_side(&planted->a, SIDE_A, planting);
    plant_side(&planted->b, SIDE_B, planting);
    compare_sides(&planted->a, &planted->b, &options, &planted->comparison);
    return planted;
}

static void release(struct planted *planted)
{
    comparison_release(&planted->comparison);
    side_release(&planted->a);
    side_release(&planted->b);
    free(planted);
}

/* Fails unless the text of a finding, by line or by details, holds `part`. */
static void assert_says(const struct planted *planted, const struct finding *finding,
                        void say(const struct comparison *, const struct finding *, struct text *), const char *part)
{
    struct text text = {0};
    say(&planted->comparison, finding, &text);
    if (!strstr(text_string(&text), part))
        fail_msg("expected '%s' in '%s'", part, text_string(&text));
    text_release(&text);
}

static const struct finding *find(const struct planted *planted, enum finding_kind kind)
{
    for (size_t i = 0; i < planted->comparison.finding_count; i++)
        if (planted->comparison.findings[i].kind == kind)
            return &planted->comparison.findings[i];
    return NULL;
}

static const struct finding *find_sure(const struct planted *planted)
{
    for (size_t i = 0; i < planted->comparison.finding_count; i++)
        if (compare_section_of(&planted->comparison.findings[i]) == COMPARE_CHANGED)
            return &planted->comparison.findings[i];
    return NULL;
}

static void assert_answer(const struct planted *planted, const char *expected)
{
    struct text answer = {0};
    compare_print_answer(&planted->comparison, &answer);
    assert_string_equal(text_string(&answer), expected);
    text_release(&answer);
}

/* ---- runs ---- */

/* However much two single runs differ, runs of one driver may. */
static void test_single_runs_are_unconfirmed(void **state)
{
    (void)state;
    struct planted *planted = compare(&(struct planting){.runs = {1, 1}, .factor = 5, .shift = 1});
    const struct finding *finding = find(planted, FINDING_RATE);
    assert_non_null(finding);
    assert_int_equal(finding->standing, STANDING_UNCONFIRMED);
    assert_null(find_sure(planted));
    assert_says(planted, finding, compare_details, "unconfirmed: A has 1 run, needs 3");
    assert_string_equal(compare_severity(finding), "UNCONFIRMED");
    assert_answer(planted, "1 unconfirmed in 12 tests, because A has 1 run and needs 3");
    release(planted);
}

/* Two runs of a side do show how far runs differ, but two are too few to know it. */
static void test_two_runs_are_unconfirmed(void **state)
{
    (void)state;
    struct planted *planted = compare(&(struct planting){.runs = {2, 3}, .factor = 5, .shift = 1, .spread = 0.02});
    assert_null(find_sure(planted));
    assert_says(planted, find(planted, FINDING_RATE), compare_details, "unconfirmed: A has 2 runs, needs 3");
    release(planted);
}

static void test_three_runs_decide(void **state)
{
    (void)state;
    struct planted *planted = compare(&(struct planting){.runs = {3, 3}, .factor = 2, .shift = 1, .spread = 0.05});
    const struct finding *finding = find(planted, FINDING_RATE);
    assert_non_null(finding);
    assert_int_equal(finding->standing, STANDING_SURE);
    assert_string_equal(finding->sample[SIDE_B]->row.test, names[0]);
    assert_true(finding->rate->by_runs && finding->rate->adjusted <= 0.05);
    assert_says(planted, finding, compare_details, "runs of A differ by up to x");
    assert_says(planted, finding, compare_details, "3 against 3 runs");
    assert_answer(planted, "1 change in 12 tests");
    release(planted);
}

/* The same difference, with runs of one driver that differ as much. */
static void test_runs_that_differ_hide_it(void **state)
{
    (void)state;
    struct planted *planted = compare(&(struct planting){.runs = {3, 3}, .factor = 1.3, .shift = 1, .spread = 0.3});
    assert_null(find_sure(planted));
    release(planted);
}

/* A clock that changed moves all rates by one factor. */
static void test_what_moved_together_is_one_finding(void **state)
{
    (void)state;
    struct planted *planted = compare(&(struct planting){.runs = {4, 3}, .factor = 1, .shift = 1.6});
    const struct finding *finding = find(planted, FINDING_SHIFT);
    assert_non_null(finding);
    assert_null(find(planted, FINDING_RATE));
    assert_true(planted->comparison.shift.moved >= TESTS - 1);
    assert_says(planted, finding, compare_line, "all weak rates x1.6");
    assert_answer(planted, "1 change in 12 tests");
    release(planted);
}

/* Baseline runs of one seed: the printed figures cover all of them, and agree with the ratio. */
static void test_all_runs_of_one_seed_count(void **state)
{
    (void)state;
    struct planted *planted = compare(&(struct planting){.runs = {5, 3}, .factor = 2, .shift = 1, .spread = 0.05});
    const struct rate *rate = &planted->comparison.pairs[0].rates[1];
    assert_true(rate->measure.paired);
    assert_int_equal(rate->measure.runs[SIDE_A], 5);
    assert_int_equal(rate->measure.count[SIDE_A], rate->count[SIDE_A]);
    const double rates[SIDES] = {(double)rate->count[SIDE_A] / (double)rate->counted[SIDE_A],
                                 (double)rate->count[SIDE_B] / (double)rate->counted[SIDE_B]};
    assert_true(fabs(log(rate->ratio.ratio / (rates[SIDE_B] / rates[SIDE_A]))) < 0.02);
    release(planted);
}

/* ---- draws ---- */

/* A has 30 draws, B the same and 90 more: outcomes that B shows only in those are also new. */
static void test_draws_without_a_partner_count(void **state)
{
    (void)state;
    enum { OF_A = 30, OF_B = 120 };
    struct planted planted = {.a = planted_side("1"), .b = planted_side("2")};
    const struct compare_options options = {COMPARE_USUAL};
    for (int64_t run = 1; run <= 3; run++) {
        struct planted_test test = {
            .name = "LB", .rate = 0, .batches = OF_A, .instances = 1000000, .draws = 5, .even = true, .run = run};
        planted_add(&planted.a, "1", &test);
        test.batches = OF_B;
        planted_add(&planted.b, "2", &test);
        struct sample_outcome *witness = &planted.b.jobs[run - 1].outcomes[1];
        uint64_t *counts = arena_take(&planted.b.arena, OF_B, sizeof *counts);
        for (size_t i = OF_A; i < OF_B; i += 3)
            witness->count += counts[i] = 20;
        witness->counts[0] = counts;
        side_settle(&planted.b.jobs[run - 1]);
    }
    compare_sides(&planted.a, &planted.b, &options, &planted.comparison);
    const struct finding *finding = find(&planted, FINDING_NEW);
    assert_non_null(finding);
    assert_int_equal(finding->standing, STANDING_SURE);
    assert_says(&planted, finding, compare_line, "new: 1,800 in 30 of 120 draws, 3 of 3 runs; A none of 90.0M");
    assert_says(&planted, finding, compare_details, "none of 30 draws showed it, so fewer than 9.5 % do");
    assert_says(&planted, finding, compare_details, "below 3.3e-8 per instance if the chance is the same everywhere");
    comparison_release(&planted.comparison);
    side_release(&planted.a);
    side_release(&planted.b);
}

/* A run whose search was cut has no verdict on an outcome that the model forbids in another run of the same side: the
 * other run's verdict counts, with its reason. */
static void test_one_run_without_a_verdict(void **state)
{
    (void)state;
    struct planted planted = {.a = planted_side("1"), .b = planted_side("2")};
    const struct compare_options options = {COMPARE_USUAL};
    struct planted_test test = {
        .name = "LB", .rate = 1e-5, .batches = 3, .instances = 1000000, .draws = 5, .even = true, .run = 1};
    planted_add(&planted.a, "1", &test);
    test.verdict = "none";
    planted_add(&planted.b, "2", &test);
    test.verdict = "forbidden";
    test.run = 2;
    planted_add(&planted.b, "2", &test);
    compare_sides(&planted.a, &planted.b, &options, &planted.comparison);
    const struct finding *finding = find(&planted, FINDING_FORBIDDEN);
    assert_non_null(finding);
    assert_true(finding_fails(finding));
    assert_says(&planted, finding, compare_line, "forbidden by ptx (causality): B 58 of 6.00M");
    comparison_release(&planted.comparison);
    side_release(&planted.a);
    side_release(&planted.b);
}

/* Correlated batches say less than as many independent ones: so it is reported, and the error is larger. */
static void test_batches_that_follow_each_other_are_told(void **state)
{
    (void)state;
    struct planted *planted = compare(&(struct planting){
        .runs = {3, 3}, .factor = 4, .shift = 1, .rate = 5e-4, .lag = 0.8, .wander = 0.6, .batches = 120});
    const struct finding *finding = find(planted, FINDING_RATE);
    assert_non_null(finding);
    assert_true(finding->rate->measure.lag > 0.2);
    assert_says(planted, finding, compare_details, "successive batches are correlated (0.");
    release(planted);
    planted = compare(&(struct planting){.runs = {3, 3}, .factor = 4, .shift = 1, .rate = 5e-4, .batches = 120});
    struct text details = {0};
    compare_details(&planted->comparison, find(planted, FINDING_RATE), &details);
    assert_null(strstr(text_string(&details), "neighbouring"));
    text_release(&details);
    release(planted);
}

/* ---- nothing in silence ---- */

/* Very many sightings in two draws of one run, none before: chance may explain it, and it is listed before what both
 * sides have seen. */
static void test_one_sided_outcomes_come_first(void **state)
{
    (void)state;
    struct planted planted = {.a = planted_side("1"), .b = planted_side("2")};
    const struct compare_options options = {COMPARE_USUAL};
    static uint64_t bursts[31] = {[4] = 450, [20] = 450};
    for (int side = 0; side < SIDES; side++) {
        struct planted_test test = {
            .name = "AA", .rate = 2e-7, .batches = 31, .instances = 1000000, .draws = 5, .noise = (uint64_t)side + 1};
        planted_add(side == SIDE_A ? &planted.a : &planted.b, "1", &test);
        test.name = "ZZ";
        test.rate = 0;
        planted_add(side == SIDE_A ? &planted.a : &planted.b, "1", &test);
    }
    planted.b.jobs[1].outcomes[1].counts[0] = bursts;
    planted.b.jobs[1].outcomes[1].count = 900;
    compare_sides(&planted.a, &planted.b, &options, &planted.comparison);
    assert_true(planted.comparison.finding_count >= 2);
    assert_int_equal(planted.comparison.findings[0].kind, FINDING_NEW);
    assert_int_equal(planted.comparison.findings[0].standing, STANDING_UNDECIDED);
    assert_int_equal(planted.comparison.findings[1].kind, FINDING_UNDECIDED);
    assert_says(&planted, &planted.comparison.findings[0], compare_line,
                "new: 900 in 2 of 31 draws, 1 of 1 run; A none of 31.0M");
    comparison_release(&planted.comparison);
    side_release(&planted.a);
    side_release(&planted.b);
}

/* ---- circumstances ---- */

/* Fails unless the remark exists and is one that may explain rates. */
static void assert_remark(const struct planted *planted, const char *what, const char *a, const char *b)
{
    for (size_t i = 0; i < planted->comparison.remark_count; i++) {
        const struct remark *remark = &planted->comparison.remarks[i];
        if (strcmp(remark->what, what) != 0)
            continue;
        assert_string_equal(remark->value[SIDE_A], a);
        assert_string_equal(remark->value[SIDE_B], b);
        assert_int_equal(remark->tests, TESTS);
        assert_true(remark->confounds);
        return;
    }
    fail_msg("expected a remark on the %s", what);
}

static void test_rates_of_other_kernels_are_not_compared(void **state)
{
    (void)state;
    const struct planting other = {.runs = {4, 3}, .factor = 5, .shift = 1.6, .kernel = {"k1", "k2"}};
    struct planted *planted = compare(&other);
    assert_int_equal(planted->comparison.finding_count, 0); /* not even a shift */
    for (int result = 0; result < RATE_RESULT_COUNT; result++)
        assert_int_equal(planted->comparison.results[result], result == RATE_NOT_COMPARED ? 2 * TESTS : 0);
    const struct rate *rate = &planted->comparison.pairs[0].rates[1];
    assert_true(!rate->by_runs && !rate->suspect);
    assert_true(rate->adjusted >= 1);
    assert_remark(planted, "kernel", "", "");
    assert_answer(planted, "nothing could be compared (12 with other kernels)");
    release(planted);

    struct planting alone = other; /* the outcome of the first test is new */
    alone.rate = 1e-300;
    alone.factor = 1e296;
    planted = compare(&alone);
    assert_int_equal(find(planted, FINDING_NEW)->standing, STANDING_UNDECIDED);
    assert_says(planted, find(planted, FINDING_NEW), compare_details, "the kernel differs");
    release(planted);
}

/* They do not show that all of B moved, either. */
static void test_other_kernels_do_not_make_a_shift(void **state)
{
    (void)state;
    static const struct planting moved = {.runs = {4, 3}, .factor = 1, .shift = 1.6, .kernel = {"k1", "k1"}};
    const struct compare_options options = {COMPARE_USUAL};
    struct planted planted;
    plant_side(&planted.a, SIDE_A, &moved);
    plant_side(&planted.b, SIDE_B, &moved);
    for (size_t i = 0; i < planted.b.job_count; i++)
        if (i % TESTS >= 2)
            planted.b.jobs[i].row.kernel_hash = "k2";
    compare_sides(&planted.a, &planted.b, &options, &planted.comparison);
    assert_null(find(&planted, FINDING_SHIFT));
    assert_int_equal(planted.comparison.results[RATE_NOT_COMPARED], 2 * (TESTS - 2));
    comparison_release(&planted.comparison);
    side_release(&planted.a);
    side_release(&planted.b);
}

/* A kernel that was chosen, one of another backend, and one that is not known are compared. */
static void test_kernels_that_may_differ_are_compared(void **state)
{
    (void)state;
    static const struct planting other = {.runs = {3, 3}, .factor = 5, .shift = 1, .kernel = {"k1", "k2"}};
    const struct compare_options options = {COMPARE_USUAL};
    for (int which = 0; which < 3; which++) {
        struct planted planted;
        plant_side(&planted.a, SIDE_A, &other);
        plant_side(&planted.b, SIDE_B, &other);
        for (size_t i = 0; i < planted.b.job_count; i++) {
            struct store_job_row *row = &planted.b.jobs[i].row;
            row->marks |= which == 0 ? MARK_FROZEN : 0;
            row->backend = which == 1 ? "elsewhere" : row->backend;
            row->kernel_hash = which == 2 ? "" : row->kernel_hash;
        }
        compare_sides(&planted.a, &planted.b, &options, &planted.comparison);
        assert_int_equal(planted.comparison.pairs[0].kernels, which == 0   ? KERNELS_REPLAYED
                                                              : which == 1 ? KERNELS_OF_DEVICES
                                                                           : KERNELS_EQUAL);
        assert_non_null(find(&planted, FINDING_RATE));
        assert_int_equal(planted.comparison.results[RATE_NOT_COMPARED], 0);
        comparison_release(&planted.comparison);
        side_release(&planted.a);
        side_release(&planted.b);
    }
}

/* Clocks that lie more than 5 % apart, different load and throttling may explain rates; smaller differences of clocks
 * are not reported. */
static void test_other_circumstances_are_named(void **state)
{
    (void)state;
    struct planting planting = {
        .runs = {3, 3},
        .factor = 1,
        .shift = 1,
        .circumstances = {
            "{\"sm_clock_mhz\": 1980, \"memory_clock_mhz\": 2600, \"other_processes\": 0, \"throttle\": \"none\"}",
            "{\"sm_clock_mhz\": 1410, \"memory_clock_mhz\": 2619, \"other_processes\": 2, \"throttle\": "
            "\"power thermal\"}"}};
    struct planted *planted = compare(&planting);
    assert_remark(planted, "clock of the multiprocessors", "1980 MHz", "1410 MHz");
    assert_remark(planted, "number of other processes on the device", "0", "2");
    assert_remark(planted, "throttling of the device ('thermal')", "in 0 % of the jobs", "in 100 %");
    assert_int_equal(planted->comparison.remark_count, 5); /* with the driver, and 'power' */
    release(planted);
}

static void test_orchil_and_host_are_named(void **state)
{
    (void)state;
    static const struct planting same = {.runs = {3, 3}, .factor = 1, .shift = 1};
    const struct compare_options options = {COMPARE_USUAL};
    struct planted planted;
    plant_side(&planted.a, SIDE_A, &same);
    plant_side(&planted.b, SIDE_B, &same);
    for (size_t i = 0; i < planted.b.job_count; i++) {
        planted.b.jobs[i].row.tool_version = i < TESTS ? "2" : "3";
        planted.b.jobs[i].row.host = "another";
    }
    compare_sides(&planted.a, &planted.b, &options, &planted.comparison);
    assert_remark(&planted, "version of orchil", "1", "2, 3");
    assert_remark(&planted, "host", "h", "another");
    comparison_release(&planted.comparison);
    side_release(&planted.a);
    side_release(&planted.b);
}

/* ---- words ---- */

/* Names come from files of any origin. */
static void test_lines_are_harmless(void **state)
{
    (void)state;
    struct planted planted = {.a = planted_side("1"), .b = planted_side("2")};
    const struct compare_options options = {COMPARE_USUAL};
    const struct planted_test test = {.name = "LB\033[2J",
                                      .label = "a\nb",
                                      .rate = 1e-5,
                                      .verdict = "forbidden",
                                      .batches = 3,
                                      .instances = 1000000,
                                      .even = true};
    planted_add(&planted.a, "1", &test);
    planted_add(&planted.b, "2", &test);
    planted.b.jobs[0].outcomes[1].source.axiom = "causality\r";
    side_settle(&planted.b.jobs[0]);
    compare_sides(&planted.a, &planted.b, &options, &planted.comparison);
    struct text line = {0};
    compare_line(&planted.comparison, &planted.comparison.findings[0], &line);
    assert_string_equal(text_string(&line), "LB?[2J  a?b  forbidden by ptx (causality?): B 29 of 3.00M; A 29 of 3.00M");
    text_release(&line);
    comparison_release(&planted.comparison);
    side_release(&planted.a);
    side_release(&planted.b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_single_runs_are_unconfirmed),
        cmocka_unit_test(test_two_runs_are_unconfirmed),
        cmocka_unit_test(test_three_runs_decide),
        cmocka_unit_test(test_runs_that_differ_hide_it),
        cmocka_unit_test(test_what_moved_together_is_one_finding),
        cmocka_unit_test(test_all_runs_of_one_seed_count),
        cmocka_unit_test(test_draws_without_a_partner_count),
        cmocka_unit_test(test_one_run_without_a_verdict),
        cmocka_unit_test(test_batches_that_follow_each_other_are_told),
        cmocka_unit_test(test_one_sided_outcomes_come_first),
        cmocka_unit_test(test_rates_of_other_kernels_are_not_compared),
        cmocka_unit_test(test_other_kernels_do_not_make_a_shift),
        cmocka_unit_test(test_kernels_that_may_differ_are_compared),
        cmocka_unit_test(test_other_circumstances_are_named),
        cmocka_unit_test(test_orchil_and_host_are_named),
        cmocka_unit_test(test_lines_are_harmless),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
