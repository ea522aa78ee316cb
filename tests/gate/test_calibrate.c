// SPDX-License-Identifier: Apache-2.0
/* Protects: runs with the usual differences fail a gate no more often than promised, by the calibration's own count;
 * only a noisy test is not gated, without cost to others; no tolerance hides changes; changes that should be found are
 * found; problems of a set of runs are named; notes are read back unchanged. */
#include <jansson.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "gate/calibrate/calibrate.h"
#include "tests/analysis/planted/planted.h"

enum { TESTS = 12, NOISY = 3 };

/* How runs differ: logarithms. */
struct law {
    double effect, shift; /* standard deviation of a run and test; of all tests of a run together */
    double noisy;         /* as effect, of the test NOISY; 0: as the others */
    double rate;          /* 0: 1e-4 */
    size_t batches;       /* 0: 20 */
};

static const char *name_of(int test)
{
    static const char *const names[TESTS] = {"T0", "T1", "T2", "T3", "T4", "T5", "T6", "T7", "T8", "T9", "T10", "T11"};
    return names[test];
}

static void add_job(struct side *side, int64_t run, const struct planted_test *test)
{
    struct planted_test of_run = *test;
    of_run.run = run;
    planted_add(side, "1.0", &of_run);
    side->jobs[side->job_count - 1].row.seed = 5; /* all runs have one seed: their draws are equal */
}

/* Adds a run of all tests, each with a fence as its control. factor: of the rate of the test `changed`. */
static void add_run(struct side *side, int64_t run, uint64_t seed, const struct law *law, int changed, double factor)
{
    struct random random = random_start(seed, (uint64_t)run, 0, 0);
    const double shift = law->shift * planted_normal(&random);
    for (int t = 0; t < TESTS; t++) {
        const double effect = t == NOISY && law->noisy > 0 ? law->noisy : law->effect;
        const double base = law->rate > 0 ? law->rate : 1e-4;
        const struct planted_test test = {.name = name_of(t),
                                          .batches = law->batches > 0 ? law->batches : 20,
                                          .instances = 100000,
                                          .rate = base * exp(effect * planted_normal(&random) + shift) *
                                                  (t == changed ? factor : 1),
                                          .variation = 0.5,
                                          .seconds = 1,
                                          .draws = 100 * seed + (uint64_t)t + 1,
                                          .noise = random_next(&random)};
        add_job(side, run, &test);
    }
}

static struct side plant(size_t runs, uint64_t seed, const struct law *law)
{
    struct side side = planted_side("1.0");
    for (size_t run = 1; run <= runs; run++)
        add_run(&side, (int64_t)run, seed, law, -1, 1);
    return side;
}

static void calibrate_planted(struct side *side, struct calibration *calibration)
{
    const struct calibration_options usual = {CALIBRATION_USUAL};
    struct error error;
    assert_int_equal(calibrate(side, &usual, calibration, &error), STATUS_OK);
}

static const struct calibration_test *find(const struct calibration *calibration, const char *name)
{
    for (size_t i = 0; i < calibration->test_count; i++)
        if (strcmp(calibration->tests[i].sample->row.test, name) == 0)
            return &calibration->tests[i];
    fail_msg("%s is not there", name);
    return NULL;
}

/* ---- the level ---- */

/* The mean share over calibrations of fresh runs, against 5 % and twice the error of that mean. */
static void expect_level(const struct law *law, size_t runs, uint64_t seeds)
{
    double sum[2] = {0}, squares[2] = {0};
    for (uint64_t seed = 1; seed <= seeds; seed++) {
        struct side side = plant(runs, seed, law);
        struct calibration calibration;
        calibrate_planted(&side, &calibration);
        const double shares[2] = {calibration.plain.share, calibration.again.share};
        for (int i = 0; i < 2; i++) {
            sum[i] += shares[i];
            squares[i] += shares[i] * shares[i];
        }
        calibration_release(&calibration);
        side_release(&side);
    }
    for (int i = 0; i < 2; i++) {
        const double n = (double)seeds, mean = sum[i] / n;
        const double error = sqrt(fmax(0, squares[i] / n - mean * mean) / (n - 1));
        if (i == 1 && runs < SPLIT_FEWEST_AGAIN)
            continue;
        print_message("effects %.2f, shift %.2f, %zu runs, %s: %.2f %% +- %.2f %%\n", law->effect, law->shift, runs,
                      i == 0 ? "plain" : "confirmed", 100 * mean, 100 * error);
        assert_true(mean <= 0.05 + 2 * error);
    }
}

static void test_the_level_is_held(void **state)
{
    (void)state;
    expect_level(&(struct law){.effect = 0}, 6, 8);
    expect_level(&(struct law){.effect = 0.1}, 6, 16);
    expect_level(&(struct law){.effect = 0.1, .shift = 0.1}, 6, 16);
    expect_level(&(struct law){.effect = 0.1, .shift = 0.1}, 7, 4);
}

/* ---- a noisy test ---- */

static void test_a_noisy_test_costs_the_others_nothing(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= 3; seed++) {
        struct side quiet = plant(8, seed, &(struct law){.effect = 0.05});
        struct side noisy = plant(8, seed, &(struct law){.effect = 0.05, .noisy = 1.5});
        struct calibration without, with;
        calibrate_planted(&quiet, &without);
        calibrate_planted(&noisy, &with);
        for (int t = 0; t < TESTS; t++) {
            const struct calibration_test *before = find(&without, name_of(t)), *now = find(&with, name_of(t));
            assert_false(before->note.limit.ungated);
            if (t == NOISY) {
                assert_int_equal(now->standing, CALIBRATION_UNGATED);
                assert_true(now->note.limit.tolerance <= 1); /* none is suggested */
                continue;
            }
            assert_int_equal(now->standing, CALIBRATION_GATED);
            assert_true(now->note.limit.tolerance < 1.35);
            /* The comparison does not learn from it how runs differ: otherwise all changes below 3 would be lost. */
            assert_true(now->note.smallest < 1.15 * before->note.smallest);
        }
        calibration_release(&with);
        calibration_release(&without);
        side_release(&noisy);
        side_release(&quiet);
    }
}

static void test_blindness_is_refused(void **state)
{
    (void)state;
    struct side side = plant(8, 7, &(struct law){.effect = 1.5});
    struct calibration calibration;
    struct text text = {0};
    size_t ungated = 0;
    calibrate_planted(&side, &calibration);
    for (size_t i = 0; i < calibration.notes.count; i++) {
        ungated += calibration.notes.notes[i].limit.ungated;
        assert_true(calibration.notes.notes[i].limit.tolerance <= 3);
    }
    assert_true(ungated >= TESTS - 2);
    struct document said;
    calibration_document(&calibration, &said);
    planted_print(&said, &text);
    assert_non_null(strstr(text_string(&text), "\nRates of these tests cannot be gated on this machine:\n  ptx:T0\n"));
    assert_null(strstr(text_string(&text), "--tolerance 3"));
    text_release(&text);
    calibration_release(&calibration);
    side_release(&side);
}

/* One run of eight is off in one test by a factor that three others distinguish from chance: only that test gets a
 * tolerance, which suffices for the same runs. */
static void test_a_tolerance_is_of_one_test(void **state)
{
    (void)state;
    const struct law law = {.effect = 0.01, .rate = 1e-3};
    struct side side = planted_side("1.0");
    struct calibration calibration;
    for (int64_t run = 1; run <= 8; run++)
        add_run(&side, run, 21, &law, run == 4 ? 6 : -1, 1.6);
    calibrate_planted(&side, &calibration);
    assert_true(calibration.plain.failing > 0);
    assert_int_equal(calibration.noted.failing, 0);
    assert_int_equal(find(&calibration, "T6")->failing, calibration.plain.failing);
    for (int t = 0; t < TESTS; t++) {
        const double tolerance = find(&calibration, name_of(t))->note.limit.tolerance;
        assert_true(t == 6 ? tolerance > 1.2 && tolerance < 1.8 : tolerance < 1.1001);
    }
    calibration_release(&calibration);
    side_release(&side);
}

/* ---- going by the notes ---- */

static const struct finding *find_finding(const struct comparison *comparison, const char *test)
{
    for (size_t i = 0; i < comparison->finding_count; i++)
        if (comparison->findings[i].outcome && comparison->findings[i].outcome->witness &&
            strcmp(comparison->findings[i].sample[SIDE_B]->row.test, test) == 0)
            return &comparison->findings[i];
    return NULL;
}

static void compare_changed(const struct compare_options *options, int changed, double factor,
                            void (*check)(const struct comparison *comparison))
{
    const struct law law = {.effect = 0.02};
    struct side a = plant(3, 11, &law), b = planted_side("2.0");
    struct comparison comparison;
    add_run(&b, 9, 11, &law, changed, factor);
    compare_sides(&a, &b, options, &comparison);
    check(&comparison);
    comparison_release(&comparison);
    side_release(&b);
    side_release(&a);
}

static void is_changed(const struct comparison *comparison)
{
    assert_int_equal(find_finding(comparison, "T3")->rate->result, RATE_CHANGED);
}

static void is_listed_only(const struct comparison *comparison)
{
    const struct finding *finding = find_finding(comparison, "T3");
    assert_non_null(finding);
    assert_int_equal(finding->rate->result, RATE_UNGATED);
    assert_int_equal(finding->standing, STANDING_UNDECIDED);
    assert_string_equal(compare_severity(finding), "NOT GATED");
    assert_false(finding->rate->suspect);
    assert_int_equal(comparison->results[RATE_CHANGED], 0);
}

static void is_lost_rarely(const struct comparison *comparison)
{
    const struct finding *finding = find_finding(comparison, "T3");
    assert_non_null(finding);
    assert_int_equal(finding->rate->result, RATE_LOST_RARE);
}

static void is_within(const struct comparison *comparison)
{
    assert_int_equal(comparison->results[RATE_CHANGED], 0);
}

static void test_notes_decide_for_one_test(void **state)
{
    (void)state;
    struct calibration_note note = {
        .of = {.test_hash = "T3", .dialect = "PTX", .environment_hash = "e", .backend = "simulated", .device = "a"},
        .limit = {.ungated = true},
        .reason = "a run may differ"};
    const struct calibration_notes notes = {.notes = &note, .count = 1};
    struct compare_options usual = ((struct calibration_options){CALIBRATION_USUAL}).compare, noted = usual;
    notes_apply(&notes, &noted);
    compare_changed(&usual, NOISY, 4, is_changed);
    compare_changed(&noted, NOISY, 4, is_listed_only);
    compare_changed(&noted, NOISY, 0, is_lost_rarely);
    note.limit = (struct compare_limit){.tolerance = 5};
    compare_changed(&noted, NOISY, 4, is_within);
    note.of.device = "another";
    compare_changed(&noted, NOISY, 4, is_changed);
}

static void test_notes_come_back(void **state)
{
    (void)state;
    char path[] = "/tmp/orchil-notes-XXXXXX";
    struct calibration_note note[] = {
        {{"h1", "PTX", "e", "cuda", "GPU-1", NULL}, {false, 1.25}, "", 8, 0.05, 1.5},
        {{"h2", "PTX", "e", "cuda", "GPU-1", NULL}, {true, 0}, "too far", 8, 1.5, INFINITY}};
    const struct calibration_notes notes = {.notes = note, .count = 2};
    struct calibration_notes back = {.notes = NULL};
    struct store *store;
    struct error error;
    const int file = mkstemp(path);
    assert_true(file >= 0);
    (void)close(file);
    assert_int_equal(notes_write(path, &notes, &error), STATUS_OK);
    assert_int_equal(notes_read(path, &back, &error), STATUS_OK);
    assert_int_equal(back.count, 2);
    assert_string_equal(back.notes[0].of.test_hash, "h1");
    assert_false(back.notes[0].limit.ungated);
    assert_true(fabs(back.notes[0].limit.tolerance - 1.25) < 1e-12 && fabs(back.notes[0].smallest - 1.5) < 1e-12);
    assert_true(back.notes[1].limit.ungated);
    assert_string_equal(back.notes[1].reason, "too far");
    notes_release(&back);
    /* An incomplete note is refused: it could hide every change of a test. */
    const struct store_calibration poor = {"h2", "PTX", "e", "cuda", "GPU-1", "{\"gated\":true}"};
    assert_int_equal(store_open(path, STORE_WRITE, &store, &error), STATUS_OK);
    assert_int_equal(store_put_calibrations(store, &poor, 1, &error), STATUS_OK);
    store_close(store);
    assert_int_equal(notes_read(path, &back, &error), STATUS_SYNTAX);
    notes_release(&back);
    static const char *const endings[] = {"", "-wal", "-shm"}; /* a store that is only read leaves its log */
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        char file_path[64];
        (void)snprintf(file_path, sizeof file_path, "%s%s", path, endings[i]);
        (void)unlink(file_path);
    }
}

/* ---- what would be found ---- */

/* In how many of `trials` gates, with three runs of a baseline, a first run and three reruns, a change of T5 is
 * found. */
static unsigned count_found(const struct law *law, double factor, unsigned trials)
{
    unsigned found = 0;
    for (unsigned i = 0; i < trials; i++) {
        struct compare_options options = ((struct calibration_options){CALIBRATION_USUAL}).compare;
        struct side a = plant(3, 500 + i, law), b = planted_side("2.0"), again = planted_side("2.0");
        struct comparison first, second;
        add_run(&b, 11, 500 + i, law, 5, factor);
        for (int64_t run = 12; run < 15; run++)
            add_run(&again, run, 500 + i, law, 5, factor);
        compare_sides(&a, &b, &options, &first);
        options.first = &first;
        compare_sides(&a, &again, &options, &second);
        const struct finding *finding = find_finding(&second, "T5");
        found += finding && finding->kind == FINDING_RATE && finding->standing == STANDING_SURE;
        comparison_release(&second);
        comparison_release(&first);
        side_release(&again);
        side_release(&b);
        side_release(&a);
    }
    return found;
}

static void test_what_is_promised_is_found(void **state)
{
    (void)state;
    enum { TRIALS = 100 };
    const struct law law = {.effect = 0.1};
    struct side side = plant(8, 3, &law);
    struct calibration calibration;
    calibrate_planted(&side, &calibration);
    const double factor = find(&calibration, "T5")->note.smallest;
    const unsigned found = count_found(&law, 1 / factor, TRIALS);
    const unsigned of_less = count_found(&law, pow(factor, -0.5), TRIALS);
    print_message("x%.2f found in %u of %d, x%.2f in %u\n", factor, found, TRIALS, sqrt(factor), of_less);
    assert_true(found >= TRIALS * 80 / 100); /* 0.9, less three errors */
    assert_true(of_less <= TRIALS * 60 / 100);
    calibration_release(&calibration);
    side_release(&side);
}

static void test_rare_witnesses_are_blind(void **state)
{
    (void)state;
    struct side side = plant(5, 3, &(struct law){.rate = 2e-6}); /* 4 a run */
    struct calibration calibration;
    struct text text = {0};
    calibrate_planted(&side, &calibration);
    for (size_t i = 0; i < calibration.test_count; i++)
        assert_int_equal(calibration.tests[i].standing, CALIBRATION_BLIND);
    struct document said;
    calibration_document(&calibration, &said);
    planted_print(&said, &text);
    assert_non_null(strstr(text_string(&text), "0 of 12 tests can be gated here (12 blind, 0 not gated)"));
    assert_non_null(strstr(text_string(&text), "blind: too rare"));
    text_release(&text);
    calibration_release(&calibration);
    side_release(&side);
}

/* ---- splits ---- */

static void test_splits_are_all_or_a_sample(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct split *splits, *same;
    size_t count, again;
    assert_int_equal(splits_list(&arena, 8, 2000, 1, &splits, &count), 280);
    assert_int_equal(count, 280);
    for (size_t i = 0; i < count; i++)
        for (size_t r = 0; r < CALIBRATE_AGAIN; r++)
            assert_false(split_has(&splits[i], splits[i].again[r], false));
    assert_int_equal(splits_list(&arena, 16, 2000, 1, &splits, &count), 7280);
    assert_int_equal(count, 2000);
    (void)splits_list(&arena, 16, 2000, 1, &same, &again);
    assert_memory_equal(splits, same, 2000 * sizeof *splits);
    (void)splits_list(&arena, 16, 2000, 2, &same, &again);
    assert_memory_not_equal(splits, same, 2000 * sizeof *splits);
    arena_release(&arena);
}

/* One odd run of eight fails 35 of 280 splits as the candidate. That is one event, not 35. */
static void test_splits_that_share_runs_say_less(void **state)
{
    (void)state;
    struct arena arena = {0};
    struct split *splits;
    struct calibration_share share;
    size_t count;
    bool fails[280] = {false};
    (void)splits_list(&arena, 8, 2000, 1, &splits, &count);
    for (size_t i = 0; i < count; i++)
        fails[i] = splits[i].candidate == 2;
    splits_share(splits, fails, count, 8, false, 0.95, &share);
    assert_int_equal(share.failing, 35);
    const struct interval binomial = statistics_binomial(35, 280, 0.95);
    assert_true(share.interval.low < binomial.low / 4 && share.interval.high > 0.35);
    memset(fails, 0, sizeof fails);
    splits_share(splits, fails, count, 8, false, 0.95, &share);
    assert_true(share.interval.low <= 0 && share.interval.high > 0.3); /* as of 8 runs, not of 280 */
    arena_release(&arena);
}

/* ---- what is wrong with runs ---- */

static void test_what_is_wrong_is_named(void **state)
{
    (void)state;
    struct side side = plant(4, 1, &(struct law){.effect = 0});
    const struct planted_test forbidden = {
        .name = "SB", .batches = 5, .instances = 1000, .rate = 0.1, .even = true, .verdict = "forbidden"};
    const struct planted_test control = {
        .name = "T0+fence", .controls = "T0", .batches = 5, .instances = 1000, .rate = 0.1, .even = true};
    const struct planted_test hung = {.name = "LB", .batches = 2, .instances = 1000, .even = true, .state = JOB_HANG};
    const struct planted_test mutant = {.name = "MP", .batches = 2, .instances = 1000, .even = true};
    const struct planted_test of_mutant = {
        .name = "MP+fence", .controls = "MP", .batches = 2, .instances = 1000, .even = true};
    struct calibration calibration;
    struct text text = {0};
    add_job(&side, 1, &forbidden);
    add_job(&side, 2, &control);
    add_job(&side, 2, &hung);
    add_job(&side, 2, &mutant);
    add_job(&side, 2, &of_mutant);
    calibrate_planted(&side, &calibration);
    const struct health *health = &calibration.health;
    assert_int_equal(health->alarm_count, 3);
    assert_string_equal(health->alarms[0].sample->row.test, "SB");
    assert_string_equal(health->alarms[1].sample->row.test, "T0+fence");
    assert_string_equal(health->alarms[2].sample->row.test, "LB");
    assert_int_equal(health->mutants, 2);
    assert_int_equal(health->unseen_count, 1);
    struct document said;
    calibration_document(&calibration, &said);
    planted_print(&said, &text);
    assert_non_null(strstr(text_string(&text), "FORBIDDEN  ptx:SB  " PLANTED_WITNESS));
    assert_non_null(strstr(text_string(&text), "CONTROL  ptx:T0+fence  " PLANTED_WITNESS));
    assert_non_null(strstr(text_string(&text), "FAULT  ptx:LB  hang in 1 of 1 jobs"));
    assert_non_null(strstr(text_string(&text), "1 of 2 mutants was never seen here"));
    text_clear(&text);
    calibration_print_json(&calibration, &text);
    json_t *document = json_loads(text_string(&text), 0, NULL);
    assert_int_equal(json_array_size(json_object_get(document, "alarms")), 3);
    assert_string_equal(json_string_value(json_array_get(json_object_get(document, "unseen_mutants"), 0)), "ptx:MP");
    json_decref(document);
    text_release(&text);
    calibration_release(&calibration);
    side_release(&side);
}

static void test_too_few_runs_are_refused(void **state)
{
    (void)state;
    const struct calibration_options usual = {CALIBRATION_USUAL};
    struct side side = plant(3, 1, &(struct law){.effect = 0});
    struct calibration calibration;
    struct error error;
    assert_int_equal(calibrate(&side, &usual, &calibration, &error), STATUS_USAGE);
    assert_non_null(strstr(error.text, "has 3 runs; a calibration needs at least 4"));
    calibration_release(&calibration);
    side_release(&side);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_level_is_held),          cmocka_unit_test(test_a_noisy_test_costs_the_others_nothing),
        cmocka_unit_test(test_blindness_is_refused),       cmocka_unit_test(test_a_tolerance_is_of_one_test),
        cmocka_unit_test(test_notes_decide_for_one_test),  cmocka_unit_test(test_notes_come_back),
        cmocka_unit_test(test_what_is_promised_is_found),  cmocka_unit_test(test_rare_witnesses_are_blind),
        cmocka_unit_test(test_splits_are_all_or_a_sample), cmocka_unit_test(test_splits_that_share_runs_say_less),
        cmocka_unit_test(test_what_is_wrong_is_named),     cmocka_unit_test(test_too_few_runs_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
