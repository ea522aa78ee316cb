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

#include <math.h>

#include "base/memory.h"
#include "tests/analysis/planted.h"

enum { MOST_TESTS = 16, BATCHES = 12, NOTHING = 0 };

/* A store of nights. Nights are numbered from 1; a change at night 0 is none. */
struct plan {
    size_t nights, tests;
    uint64_t seed;
    double rate;         /* of every witness */
    double own, shift;   /* standard deviations of the logarithms of what a run and test, and a whole run, are off by */
    double lag;          /* of the former with the night before */
    double factor;       /* of the first `moved` tests */
    size_t step, moved;
    size_t driver, tool, compiler, host, clock, throttle, kernel, environment; /* the night of each change */
    size_t clock_ends;   /* the night at which the clock is as before; 0: never */
    bool other_draws;    /* each night has its own seed */
};

static bool is_since(size_t change, size_t night)
{
    return change > 0 && night >= change;
}

static struct side_job *plant_job(struct side *side, const struct plan *plan, size_t night, size_t test, double rate)
{
    static const char *const names[MOST_TESTS] = {"A", "B", "C", "D", "E", "F", "G", "H",
                                                  "I", "J", "K", "L", "M", "N", "O", "P"};
    const struct planted_test planted = {.name = names[test],
                                         .state = JOB_COMPLETED,
                                         .batches = BATCHES,
                                         .instances = 10000,
                                         .rate = rate,
                                         .variation = 0.3,
                                         .draws = plan->other_draws ? 100 + night : 5,
                                         .noise = 1 + plan->seed * 1000003 + night * 1009 + test};
    planted_add(side, is_since(plan->driver, night) ? "570" : "560", &planted);
    return &side->jobs[side->job_count - 1];
}

static void date_job(struct side *side, const struct plan *plan, size_t night, struct side_job *job)
{
    const bool slow = is_since(plan->clock, night) && !is_since(plan->clock_ends, night);
    job->row.key = "k";
    job->row.run_id = (int64_t)night;
    job->row.run_uuid = arena_print(&side->arena, "run-%03zu", night);
    job->row.started_at = arena_print(&side->arena, "2026-%02zu-%02zuT03:00:00.000Z", 1 + night / 28, 1 + night % 28);
    job->row.tool_version = is_since(plan->tool, night) ? "1.1" : "1.0";
    job->row.compiler = is_since(plan->compiler, night) ? "NVRTC 13.0" : "NVRTC 12.4";
    job->row.host = is_since(plan->host, night) ? "there" : "here";
    job->row.kernel_hash = is_since(plan->kernel, night) ? "k2" : "k1";
    job->row.environment_hash = is_since(plan->environment, night) ? "e2" : "e1";
    job->row.circumstances = arena_print(&side->arena, "{\"sm_clock_mhz\": %d, \"throttle\": \"%s\"}",
                                         (slow ? 1410 : 1980) - (int)(night % 3),
                                         is_since(plan->throttle, night) ? "power" : "none");
}

static struct side plant(const struct plan *plan)
{
    struct side side = planted_side("nights");
    struct random random = random_start(plan->seed, 77, 0, 0);
    double off[MOST_TESTS] = {0};
    for (size_t night = 1; night <= plan->nights; night++) {
        const double shift = plan->shift * planted_normal(&random);
        for (size_t test = 0; test < plan->tests; test++) {
            const double fresh = plan->own * planted_normal(&random);
            off[test] = night == 1 ? fresh : plan->lag * off[test] + sqrt(1 - plan->lag * plan->lag) * fresh;
            const double moved = is_since(plan->step, night) && test < plan->moved ? plan->factor : 1;
            date_job(&side, plan, night,
                     plant_job(&side, plan, night, test, plan->rate * exp(off[test] + shift) * moved));
        }
    }
    return side;
}

static const struct plan usual = {
    .nights = 30, .tests = 10, .seed = 1, .rate = 0.005, .own = 0.1, .shift = 0.02, .factor = 2, .step = 20, .moved = 6};

/* A history of a plan, and the side that it borrows from. */
struct planted_history {
    struct side side;
    struct history history;
};

static struct planted_history make(const struct plan *plan)
{
    struct planted_history made = {.side = plant(plan)};
    const struct history_options options = history_usual_options();
    history_make(&made.side, 1, &options, &made.history);
    return made;
}

static void release(struct planted_history *made)
{
    history_release(&made->history);
    side_release(&made->side);
}

/* The only step there is, which begins at night 20. */
static const struct history_step *only_step(const struct planted_history *made)
{
    assert_int_equal(made->history.device_count, 1);
    assert_int_equal(made->history.devices[0]->step_count, 1);
    const struct history_step *step = &made->history.devices[0]->steps[0];
    assert_int_equal(made->history.devices[0]->visits[step->visit].run + 1, 20);
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
    struct text text = {0}, plain = {0};
    history_print_text(&made->history, &text);
    for (const char *at = text_string(&text); *at; at++) /* lines are wrapped */
        if (!(*at == '\n' && at[1] == ' ') && !(*at == ' ' && at[1] == ' '))
            text_add(&plain, "%c", *at == '\n' ? ' ' : *at);
    if (!strstr(text_string(&plain), sentence))
        fail_msg("expected '%s' in\n%s", sentence, text_string(&text));
    text_release(&plain);
    text_release(&text);
}

/* ---- steps ---- */

/* Protects: a step and the driver that came with it are named, with a confidence, and only the tests that moved are. */
static void test_driver_is_named(void **state)
{
    (void)state;
    struct plan plan = usual;
    plan.driver = 20;
    struct planted_history made = make(&plan);
    const struct history_step *step = only_step(&made);
    assert_int_equal(step->cause, HISTORY_BY_DRIVER);
    assert_true(step->probability > 0.95);
    assert_int_equal(step->test_count, 6);
    for (size_t i = 0; i < step->move_count; i++)
        assert_true(step->moves[i].series->stretch->test->name[0] <= 'F');
    assert_true(step->ratio > 1.8 && step->ratio < 2.2);
    assert_string_equal(find_change(step, "driver")->after, "570");
    assert_says(&made, "1 step in 30 runs: ");
    assert_says(&made, "since run 20 (2026-01-21), with driver 570 (over 99 %)");
    release(&made);
}

/* Protects: a driver that changed at another night is not named for the step, and is said to have changed there. */
static void test_earlier_driver_is_not_named(void **state)
{
    (void)state;
    struct plan plan = usual;
    plan.driver = 12;
    struct planted_history made = make(&plan);
    const struct history_step *step = only_step(&made);
    assert_int_equal(step->cause, HISTORY_BY_NOTHING);
    assert_null(find_change(step, "driver"));
    assert_says(&made, "the driver did not change there (it changed at run 12)");
    release(&made);
}

/* Protects: what changed together with the driver is not left out of the account. */
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
        struct planted_history made = make(&plan);
        const struct history_step *step = only_step(&made);
        if (!find_change(step, rows[i].member))
            fail_msg("%s", rows[i].member);
        assert_int_equal(step->cause, HISTORY_UNCLEAR);
        assert_says(&made, "cannot tell with what: driver and ");
        assert_says(&made, "changed in the same run");
        release(&made);
    }
}

/* Protects: clocks that changed with the step are named; clocks that change all the time, or elsewhere, are not. */
static void test_clock_is_named(void **state)
{
    (void)state;
    struct plan plan = usual;
    plan.clock = 20;
    struct planted_history made = make(&plan);
    const struct history_step *step = only_step(&made);
    assert_int_equal(step->cause, HISTORY_BY_OTHER);
    assert_non_null(find_change(step, "sm_clock_mhz"));
    assert_says(&made, "SM clock changed there, the driver did not");
    release(&made);
    plan.clock = 10;
    plan.clock_ends = 15;
    plan.driver = 20;
    made = make(&plan);
    step = only_step(&made);
    assert_null(find_change(step, "sm_clock_mhz"));
    assert_int_equal(step->cause, HISTORY_BY_DRIVER);
    release(&made);
}

/* Protects: where the kernel or the environment of the tests changed, nothing is compared across, and it is said. */
static void test_series_break(void **state)
{
    (void)state;
    struct plan plan = usual;
    plan.kernel = plan.tool = 20;
    struct planted_history made = make(&plan);
    assert_int_equal(history_steps(&made.history), 0);
    assert_int_equal(made.history.devices[0]->break_count, 1);
    assert_int_equal(made.history.devices[0]->breaks[0].tests, 10);
    assert_true(made.history.devices[0]->breaks[0].kernel && !made.history.devices[0]->breaks[0].environment);
    assert_int_equal(made.history.devices[0]->tests[0]->stretch_count, 2);
    assert_says(&made, "Not compared across run 20 (2026-01-21): there the kernel of A and 9 more changed (orchil 1.0 -> 1.1)");
    release(&made);
    plan = usual;
    plan.environment = 20;
    made = make(&plan);
    assert_int_equal(history_steps(&made.history), 0);
    assert_true(made.history.devices[0]->breaks[0].environment);
    release(&made);
}

/* Protects: before a step there are three runs at least, so the first nights never make one, and three nights are said to be
 * too few. */
static void test_few_runs_say_nothing(void **state)
{
    (void)state;
    struct plan plan = usual;
    plan.step = 3;
    plan.factor = 20;
    plan.nights = 3;
    struct planted_history made = make(&plan);
    assert_int_equal(made.history.questions, 0);
    assert_says(&made, "Cannot say whether there is a step: 3 runs");
    release(&made);
    plan.nights = 4;
    plan.step = 4;
    made = make(&plan);
    assert_int_equal(history_steps(&made.history), 1);
    assert_int_equal(made.history.devices[0]->steps[0].visit, 3);
    release(&made);
}

/* Protects: two steps of different tests are two findings, each with its tests. */
static void test_two_steps(void **state)
{
    (void)state;
    struct plan plan = usual;
    struct side first = plant(&plan);
    plan.step = 10;
    plan.factor = 3;
    plan.moved = 10;
    struct side second = plant(&plan);
    for (size_t i = 0; i < first.job_count; i++) /* the last four tests step at night 10 instead */
        if (first.jobs[i].row.test[0] > 'F')
            first.jobs[i] = second.jobs[i];
    struct history history;
    const struct history_options options = history_usual_options();
    history_make(&first, 1, &options, &history);
    assert_int_equal(history.devices[0]->step_count, 2);
    assert_int_equal(history.devices[0]->steps[0].visit, 9);
    assert_int_equal(history.devices[0]->steps[0].test_count, 4);
    assert_int_equal(history.devices[0]->steps[1].visit, 19);
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
    plan.own = 0.2;
    plan.shift = 0.01;
    plan.factor = 1.3;
    struct planted_history made = make(&plan);
    const struct history_step *step = only_step(&made);
    assert_true(step->shared);
    assert_true(step->interval.low < 1.3 && step->interval.high > 1.3 && step->interval.low > 1.1);
    assert_says(&made, "1 step in 30 runs: all weak rates, x1.");
    release(&made);
}

/* Protects: a run that stands in two databases counts once, as the one that has more of it. */
static void test_runs_count_once(void **state)
{
    (void)state;
    struct plan plan = usual;
    struct side sides[2] = {plant(&plan), plant(&plan)};
    const struct history_options options = history_usual_options();
    struct history history;
    for (size_t i = 0; i < sides[0].job_count; i++) /* the first file was written while the runs went on */
        sides[0].jobs[i].run.batch_count -= 2;
    history_make(sides, 2, &options, &history);
    assert_int_equal(history.run_count, 30);
    assert_int_equal(history.duplicate_jobs, 300);
    assert_int_equal(history.devices[0]->tests[0]->stretches[0]->runs[0].batch_count, BATCHES);
    history_release(&history);
    side_release(&sides[0]);
    side_release(&sides[1]);
}

/* ---- the level ---- */

/* How many of 200 stores without a step have one named. */
static size_t count_false_steps(const struct plan *base)
{
    size_t found = 0;
    for (uint64_t seed = 1; seed <= 200; seed++) {
        struct plan plan = *base;
        plan.seed = seed;
        plan.step = NOTHING;
        struct planted_history made = make(&plan);
        found += history_steps(&made.history) > 0;
        release(&made);
    }
    return found;
}

/* Protects: no more than 5 % of histories without a step have one named, whatever runs are off by. 18 of 200 are more than chance
 * gives at 5 % in all but 1 of 100 cases. */
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
        print_message("  %-32s %zu of 200\n", rows[i].name, found);
        assert_true(found < 18);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_driver_is_named),
        cmocka_unit_test(test_earlier_driver_is_not_named),
        cmocka_unit_test(test_two_changes_cannot_be_told_apart),
        cmocka_unit_test(test_clock_is_named),
        cmocka_unit_test(test_series_break),
        cmocka_unit_test(test_few_runs_say_nothing),
        cmocka_unit_test(test_two_steps),
        cmocka_unit_test(test_shared_step),
        cmocka_unit_test(test_runs_count_once),
        cmocka_unit_test(test_level),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
