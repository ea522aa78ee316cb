// SPDX-License-Identifier: Apache-2.0
/* Histories: steps are found where they are and nowhere else, and named after what came with them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/analysis/planted/planted_nights.h"

static const struct plan usual = {.nights = 30,
                                  .tests = 10,
                                  .seed = 1,
                                  .rate = 0.005,
                                  .own = 0.1,
                                  .shift = 0.02,
                                  .factor = 2,
                                  .step = 20,
                                  .moved = 6};

/* The only step, which begins at night 20. */
static const struct history_step *only_step(const struct planted_history *made)
{
    assert_int_equal(made->history.device_count, 1);
    assert_int_equal(made->history.devices[0]->step_count, 1);
    const struct history_step *step = &made->history.devices[0]->steps[0];
    assert_int_equal(made->history.devices[0]->runs[step->device_run].run + 1, 20);
    return step;
}

static const struct history_change *find_change(const struct history_step *step, const char *member)
{
    for (size_t i = 0; i < step->change_count; i++)
        if (strcmp(step->changes[i].member, member) == 0)
            return &step->changes[i];
    return NULL;
}

static void assert_says(const struct planted_history *made, const char *sentence)
{
    struct document document;
    struct text text = {0}, plain = {0};
    history_document(&made->history, 0, &document);
    planted_print(&document, &text);
    for (const char *at = text_string(&text); *at; at++) /* lines are wrapped */
        if (!(*at == '\n' && at[1] == ' ') && !(*at == ' ' && at[1] == ' '))
            text_add(&plain, "%c", *at == '\n' ? ' ' : *at);
    if (!strstr(text_string(&plain), sentence))
        fail_msg("expected '%s' in\n%s", sentence, text_string(&text));
    text_release(&plain);
    text_release(&text);
}

/* ---- steps ---- */

/* Protects: a step and the driver that came with it are named, with a confidence, and only the tests that moved. */
static void test_driver_is_named(void **state)
{
    (void)state;
    struct plan plan = usual;
    plan.driver = 20;
    struct planted_history made = planted_history_make(&plan);
    const struct history_step *step = only_step(&made);
    assert_int_equal(step->cause, HISTORY_BY_DRIVER);
    assert_true(step->probability > 0.95);
    assert_int_equal(step->test_count, 6);
    for (size_t i = 0; i < step->move_count; i++)
        assert_true(step->moves[i].series->segment->test->name[0] <= 'F');
    assert_true(step->ratio.ratio > 1.8 && step->ratio.ratio < 2.2);
    assert_string_equal(find_change(step, "driver")->after, "570");
    assert_says(&made, "1 step in 30 runs: ");
    assert_says(&made, "since run 20 (2026-01-21), with driver 570 (over 99 %)");
    planted_history_release(&made);
}

/* Protects: a driver that changed at another night is not blamed for the step, and its change is reported. */
static void test_earlier_driver_is_not_named(void **state)
{
    (void)state;
    struct plan plan = usual;
    plan.driver = 12;
    struct planted_history made = planted_history_make(&plan);
    const struct history_step *step = only_step(&made);
    assert_int_equal(step->cause, HISTORY_BY_NOTHING);
    assert_null(find_change(step, "driver"));
    assert_says(&made, "the driver did not change there (it changed at run 12)");
    planted_history_release(&made);
}

/* Protects: changes together with the driver are also named. */
static void test_two_changes_cannot_be_told_apart(void **state)
{
    (void)state;
    static const struct {
        const char *member;
        size_t place;
    } rows[] = {{"tool_version", offsetof(struct plan, tool)},
                {"compiler", offsetof(struct plan, compiler)},
                {"host", offsetof(struct plan, host)},
                {"throttle", offsetof(struct plan, throttle)},
                {"sm_clock_mhz", offsetof(struct plan, clock)}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct plan plan = usual;
        plan.driver = 20;
        memcpy((char *)&plan + rows[i].place, &(size_t){20}, sizeof(size_t));
        struct planted_history made = planted_history_make(&plan);
        const struct history_step *step = only_step(&made);
        if (!find_change(step, rows[i].member))
            fail_msg("%s", rows[i].member);
        assert_int_equal(step->cause, HISTORY_UNCLEAR);
        assert_says(&made, "cannot tell with what: driver and ");
        assert_says(&made, "changed in the same run");
        planted_history_release(&made);
    }
}

/* Protects: if the night of a step is uncertain, the driver of one night is not named as if it were certain. */
static void test_unsure_place_names_nothing(void **state)
{
    (void)state;
    size_t sure = 0, unsure = 0;
    for (uint64_t seed = 1; seed <= 20; seed++) {
        struct plan plan = usual;
        plan.seed = seed;
        plan.own = 0.25;
        plan.factor = 2.1;
        plan.moved = 1;
        plan.driver = 20;
        struct planted_history made = planted_history_make(&plan);
        const struct history_device *device = made.history.devices[0];
        const struct history_step *step = device->steps;
        if (device->step_count == 1 && step->first <= 19 && step->last >= 19) {
            const bool is_sure = step->posterior[19] >= 0.95;
            assert_int_equal(step->cause, is_sure ? HISTORY_BY_DRIVER : HISTORY_UNCLEAR);
            if (!is_sure)
                assert_says(&made, "Cannot tell whether it came with driver 560 -> 570, at run 20");
            *(is_sure ? &sure : &unsure) += 1;
        }
        planted_history_release(&made);
    }
    assert_true(sure >= 2 && unsure >= 2);
}

/* Protects: clocks that changed with the step are named; clocks that change all the time, or elsewhere, are not. */
static void test_clock_is_named(void **state)
{
    (void)state;
    struct plan plan = usual;
    plan.clock = 20;
    struct planted_history made = planted_history_make(&plan);
    const struct history_step *step = only_step(&made);
    assert_int_equal(step->cause, HISTORY_BY_OTHER);
    assert_non_null(find_change(step, "sm_clock_mhz"));
    assert_says(&made, "SM clock changed there, the driver did not");
    planted_history_release(&made);
    plan.clock = 10;
    plan.clock_ends = 15;
    plan.driver = 20;
    made = planted_history_make(&plan);
    step = only_step(&made);
    assert_null(find_change(step, "sm_clock_mhz"));
    assert_int_equal(step->cause, HISTORY_BY_DRIVER);
    planted_history_release(&made);
    plan.restless = true;
    made = planted_history_make(&plan);
    assert_null(find_change(only_step(&made), "sm_clock_mhz"));
    planted_history_release(&made);
}

/* Protects: nothing is compared across a change of the tests' kernel or environment, and the change is reported. */
static void test_series_break(void **state)
{
    (void)state;
    struct plan plan = usual;
    plan.kernel = plan.tool = 20;
    struct planted_history made = planted_history_make(&plan);
    assert_int_equal(history_steps(&made.history), 0);
    assert_int_equal(made.history.devices[0]->break_count, 1);
    assert_int_equal(made.history.devices[0]->breaks[0].tests, 10);
    assert_true(made.history.devices[0]->breaks[0].kernel && !made.history.devices[0]->breaks[0].environment);
    assert_int_equal(made.history.devices[0]->tests[0]->segment_count, 2);
    assert_says(&made, "No step in 30 runs; 10 tests are not compared across run 20 (2026-01-21). ");
    assert_says(
        &made, "Not compared across run 20 (2026-01-21): there the kernel of A and 9 more changed (orchil 1.0 -> 1.1)");
    planted_history_release(&made);
    plan.replayed = true; /* a replayed kernel is compared, and named */
    plan.tool = 0;
    plan.driver = 20;
    made = planted_history_make(&plan);
    const struct history_step *step = only_step(&made);
    assert_int_equal(made.history.devices[0]->break_count, 0);
    assert_string_equal(find_change(step, "kernel_hash")->after, "k2");
    assert_int_equal(step->cause, HISTORY_UNCLEAR);
    planted_history_release(&made);
    plan = usual;
    plan.environment = 20;
    made = planted_history_make(&plan);
    assert_int_equal(history_steps(&made.history), 0);
    assert_true(made.history.devices[0]->breaks[0].environment);
    planted_history_release(&made);
}

/* Protects: before a step there are three runs at least, so the first nights never make one, and three nights are
 * reported as too few. */
static void test_few_runs_say_nothing(void **state)
{
    (void)state;
    struct plan plan = usual;
    plan.step = 3;
    plan.factor = 20;
    plan.nights = 3;
    struct planted_history made = planted_history_make(&plan);
    assert_int_equal(made.history.questions, 0);
    assert_says(&made, "Cannot say whether there is a step: 3 runs");
    planted_history_release(&made);
    plan.nights = 4;
    plan.step = 4;
    made = planted_history_make(&plan);
    assert_int_equal(history_steps(&made.history), 1);
    assert_int_equal(made.history.devices[0]->steps[0].device_run, 3);
    planted_history_release(&made);
}

/* Protects: runs that only differ are not a step; the smallest step that would be found is reported. */
static void test_no_step(void **state)
{
    (void)state;
    size_t found = 0;
    for (uint64_t seed = 1; seed <= 12; seed++) {
        struct plan plan = usual;
        plan.seed = seed;
        plan.step = 0;
        plan.driver = 20;
        struct planted_history made = planted_history_make(&plan);
        found += history_steps(&made.history);
        if (history_steps(&made.history) == 0) {
            assert_says(&made, "No step in 30 runs. ");
            assert_says(&made, "would be found half of the time");
        }
        planted_history_release(&made);
    }
    assert_true(found <= 2);
}

/* Protects: a change within the tolerance does not count, however significant; with another tolerance it does. */
static void test_small_steps_do_not_count(void **state)
{
    (void)state;
    struct plan plan = usual;
    plan.own = plan.shift = 0;
    plan.rate = 0.1;
    plan.factor = 1.06;
    struct side side = planted_nights(&plan);
    struct history_options options = {HISTORY_USUAL};
    struct history history;
    history_make(&side, 1, &options, &history);
    assert_int_equal(history_steps(&history), 0);
    history_release(&history);
    options.tolerance = 1.01;
    history_make(&side, 1, &options, &history);
    assert_int_equal(history_steps(&history), 1);
    history_release(&history);
    side_release(&side);
}

/* Protects: one night that is off and then over is not a step. */
static void test_one_night_is_no_step(void **state)
{
    (void)state;
    struct plan plan = usual;
    plan.step = 0;
    struct side side = planted_nights(&plan);
    plan.step = 15;
    plan.factor = 3;
    struct side off = planted_nights(&plan);
    for (size_t i = 0; i < side.job_count; i++)
        if (side.jobs[i].row.run_id == 15)
            side.jobs[i] = off.jobs[i];
    const struct history_options options = {HISTORY_USUAL};
    struct history history;
    history_make(&side, 1, &options, &history);
    assert_int_equal(history_steps(&history), 0);
    history_release(&history);
    side_release(&off);
    side_release(&side);
}

/* Protects: the compiler of an OpenCL device comes with its driver and is not a second suspect. */
static void test_compiler_of_opencl_is_the_driver(void **state)
{
    (void)state;
    struct plan plan = usual;
    plan.driver = plan.compiler = 20;
    struct planted_history made = {.side = planted_nights(&plan)};
    const struct history_options options = {HISTORY_USUAL};
    for (size_t i = 0; i < made.side.job_count; i++)
        made.side.jobs[i].row.backend = "opencl";
    history_make(&made.side, 1, &options, &made.history);
    assert_int_equal(only_step(&made)->cause, HISTORY_BY_DRIVER);
    assert_non_null(find_change(only_step(&made), "compiler"));
    planted_history_release(&made);
}

/* Protects: two steps of different tests are two findings, each with its tests. */
static void test_two_steps(void **state)
{
    (void)state;
    struct plan plan = usual;
    struct side first = planted_nights(&plan);
    plan.step = 10;
    plan.factor = 3;
    plan.moved = 10;
    struct side second = planted_nights(&plan);
    for (size_t i = 0; i < first.job_count; i++) /* the last four tests step at night 10 instead */
        if (first.jobs[i].row.test[0] > 'F')
            first.jobs[i] = second.jobs[i];
    struct history history;
    const struct history_options options = {HISTORY_USUAL};
    history_make(&first, 1, &options, &history);
    assert_int_equal(history.devices[0]->step_count, 2);
    assert_int_equal(history.devices[0]->steps[0].device_run, 9);
    assert_int_equal(history.devices[0]->steps[0].test_count, 4);
    assert_int_equal(history.devices[0]->steps[1].device_run, 19);
    assert_int_equal(history.devices[0]->steps[1].test_count, 6);
    history_release(&history);
    side_release(&first);
    side_release(&second);
}

/* Protects: a small factor that all tests share is found, though no test alone shows it. */
static void test_shared_step(void **state)
{
    (void)state;
    struct plan plan = usual;
    plan.tests = plan.moved = MOST_TESTS;
    plan.seed = 5;
    plan.own = 0.32;
    plan.shift = 0.01;
    plan.factor = 1.32;
    struct planted_history made = planted_history_make(&plan);
    const struct history_step *step = only_step(&made);
    assert_true(step->shared);
    assert_true(step->ratio.ratio > 1.15 && step->ratio.ratio < 1.5 && step->ratio.interval.low > 1.1);
    assert_says(&made, "1 step in 30 runs: all weak rates, x1.");
    planted_history_release(&made);
}

/* Protects: a run that is in two databases counts once, from the one that has more of it. */
static void test_runs_count_once(void **state)
{
    (void)state;
    struct plan plan = usual;
    struct side sides[2] = {planted_nights(&plan), planted_nights(&plan)};
    const struct history_options options = {HISTORY_USUAL};
    struct history history;
    for (size_t i = 0; i < sides[0].job_count; i++) /* the first file was written while the runs went on */
        sides[0].jobs[i].run.batch_count -= 2;
    history_make(sides, 2, &options, &history);
    assert_int_equal(history.run_count, 30);
    assert_int_equal(history.duplicate_jobs, 300);
    assert_int_equal(history.devices[0]->tests[0]->segments[0]->runs[0].batch_count, BATCHES);
    history_release(&history);
    side_release(&sides[0]);
    side_release(&sides[1]);
}

/* ---- outcomes that must never appear ---- */

/* Makes the witness of a test, which every night sees, one that must never appear, seen since a night: forbidden by the
 * model, or ruled out by its file. */
static void condemn(struct side *side, const struct plan *plan, size_t test, size_t since, bool forbidden)
{
    for (size_t night = 1; night <= plan->nights; night++) {
        struct side_job *job = &side->jobs[(night - 1) * plan->tests + test];
        struct sample_outcome *witness = &job->outcomes[1];
        assert_true(witness->witness && witness->count > 0);
        if (night < since) {
            witness->count = 0;
            witness->counts[0] = NULL;
        }
        witness->source.verdict = forbidden ? VERDICT_FORBIDDEN : VERDICT_NONE;
        job->claimed = !forbidden;
        side_settle(job);
    }
}

/* Protects: new outcomes come before those seen from the start, the newest of them first, and forbidden ones before
 * claims; what may appear is not listed. */
static void test_alarms(void **state)
{
    (void)state;
    const struct plan plan = {.nights = 4, .tests = 5, .seed = 1, .rate = 0.005};
    enum { CLAIMED, FORBIDDEN, OLD, ALLOWED, NEWEST };
    static const struct {
        const char *test;
        enum ruling_kind kind;
        bool began;
        size_t run;
    } expected[] = {{"E", RULING_CLAIM, true, 4},
                    {"B", RULING_FORBIDDEN, true, 3},
                    {"A", RULING_CLAIM, true, 3},
                    {"C", RULING_FORBIDDEN, false, 1}};
    struct planted_history made = {.side = planted_nights(&plan)};
    const struct history_options options = {HISTORY_USUAL};
    condemn(&made.side, &plan, CLAIMED, 3, false);
    condemn(&made.side, &plan, FORBIDDEN, 3, true);
    condemn(&made.side, &plan, OLD, 1, true);
    condemn(&made.side, &plan, NEWEST, 4, false);
    for (size_t night = 0; night < plan.nights; night++) {
        struct store_job_row *row = &made.side.jobs[night * plan.tests + OLD].row;
        row->device = "Other GPU";
        row->device_uuid = "b";
    }
    history_make(&made.side, 1, &options, &made.history);
    assert_int_equal(made.history.alarm_count, sizeof expected / sizeof *expected);
    for (size_t i = 0; i < made.history.alarm_count; i++) {
        const struct history_alarm *alarm = &made.history.alarms[i];
        assert_string_equal(alarm->series->segment->test->name, expected[i].test);
        assert_int_equal(alarm->kind, expected[i].kind);
        assert_int_equal(alarm->began, expected[i].began);
        assert_int_equal(alarm->device->runs[alarm->first].run + 1, expected[i].run);
    }
    assert_says(&made, "3 NEW outcomes that must never appear: ");
    assert_says(&made, "; and 2 more outcomes. 1 other was seen from the start. ");
    assert_says(&made, "already in the first run of the test on Other GPU (simulated)");
    planted_history_release(&made);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_driver_is_named),
        cmocka_unit_test(test_earlier_driver_is_not_named),
        cmocka_unit_test(test_two_changes_cannot_be_told_apart),
        cmocka_unit_test(test_unsure_place_names_nothing),
        cmocka_unit_test(test_clock_is_named),
        cmocka_unit_test(test_series_break),
        cmocka_unit_test(test_few_runs_say_nothing),
        cmocka_unit_test(test_no_step),
        cmocka_unit_test(test_small_steps_do_not_count),
        cmocka_unit_test(test_one_night_is_no_step),
        cmocka_unit_test(test_compiler_of_opencl_is_the_driver),
        cmocka_unit_test(test_two_steps),
        cmocka_unit_test(test_shared_step),
        cmocka_unit_test(test_runs_count_once),
        cmocka_unit_test(test_alarms),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
