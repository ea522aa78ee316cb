// SPDX-License-Identifier: Apache-2.0
/* Protects the progress of a run: the time left starts at the plan's limits, follows the measured times of jobs, counts
 * down evenly, and accounts for shared devices; the share done grows to 1; and the line of progress fits its
 * terminal. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "cli/print/run_output.h"

enum { JOBS = 100 };

struct fixture {
    struct backend_device devices[2];
    struct planned_job jobs[JOBS];
    struct planned_unit units[JOBS];
    struct planned_device planned[2];
    struct run_plan plan;
    struct run_options options;
    struct time_left time;
};

/* A plan of JOBS units of one job for one device, or for two that share them. */
static void start(struct fixture *fixture, double seconds, uint64_t instances, size_t devices)
{
    struct run_plan *plan = &fixture->plan;
    *fixture = (struct fixture){.options = {.seconds = seconds, .instances = instances}};
    for (size_t i = 0; i < JOBS; i++) {
        fixture->jobs[i].device = &fixture->devices[0];
        fixture->units[i] = (struct planned_unit){.first = i, .end = i + 1};
    }
    for (unsigned d = 0; d < 2; d++) {
        (void)snprintf(fixture->devices[d].uuid, sizeof fixture->devices[d].uuid, "%u", d);
        fixture->planned[d] = (struct planned_device){&fixture->devices[d], 0};
    }
    *plan = (struct run_plan){.jobs = fixture->jobs,
                              .job_count = JOBS,
                              .units = fixture->units,
                              .unit_count = JOBS,
                              .devices = fixture->planned,
                              .device_count = devices};
    time_left_start(&fixture->time, &fixture->options, plan);
}

/* A job has played for so many seconds and instances. */
static void go_on(struct fixture *fixture, size_t number, double played, uint64_t launched, double now)
{
    const struct running_progress job = {.number = number, .played = played, .launched = launched, .batches = 1};
    const struct run_progress progress = {.jobs = JOBS, .lanes = 1, .running = &job, .running_count = 1};
    time_left_went_on(&fixture->time, &progress, now);
}

static void expect_near(double found, double wanted, double within)
{
    if (!(found >= wanted - within && found <= wanted + within))
        fail_msg("%g, not within %g of %g", found, within, wanted);
}

static void limits_say_how_long_a_run_takes(void **state)
{
    struct fixture fixture;
    (void)state;
    start(&fixture, 2, 0, 1);
    expect_near(time_left_seconds(&fixture.time, 1000), 200, 0.1);
    expect_near(time_left_done(&fixture.time), 0, 0);
    time_left_release(&fixture.time);
    start(&fixture, 2, 0, 2);
    expect_near(time_left_seconds(&fixture.time, 1000), 100, 0.1);
    time_left_release(&fixture.time);
}

/* A device that takes 20 s to open and to build its first kernel says nothing about later jobs. */
static void a_slow_start_counts_once(void **state)
{
    struct fixture fixture;
    (void)state;
    start(&fixture, 2, 0, 1);
    go_on(&fixture, 0, 0.5, 10, 1020.5);
    expect_near(time_left_seconds(&fixture.time, 1020.5), 199.5, 3);
    time_left_release(&fixture.time);
}

/* Each job of 2 s takes 3 s, with its build: the time left grows accordingly, and never jumps. */
static void builds_are_measured(void **state)
{
    struct fixture fixture;
    double now = 1000, before;
    (void)state;
    start(&fixture, 2, 0, 1);
    before = time_left_seconds(&fixture.time, now);
    for (size_t i = 0; i < 50; i++) {
        go_on(&fixture, i, 0.1, 10, now + 1);
        now += 3;
        time_left_ended(&fixture.time, i, now);
        const double left = time_left_seconds(&fixture.time, now);
        assert_true(left < before * 1.12); /* a tenth, and a little: the estimate moves between two looks */
        before = left;
    }
    expect_near(before, 150, 20);
    expect_near(time_left_done(&fixture.time), 0.5, 0.001);
    time_left_release(&fixture.time);
}

/* If a build takes several times as long as its job, a few jobs suffice to show it. */
static void slow_builds_show_soon(void **state)
{
    struct fixture fixture;
    double now = 1000;
    (void)state;
    start(&fixture, 1, 0, 1);
    for (size_t i = 0; i < 7; i++) {
        go_on(&fixture, i, 0.5, 10, now += 7);
        time_left_ended(&fixture.time, i, now += 1);
    }
    const double left = time_left_seconds(&fixture.time, now);
    if (left < 93 * 4 || left > 93 * 8)
        fail_msg("%g s for 93 jobs of 8 s", left);
    time_left_release(&fixture.time);
}

/* --until and --confidence: jobs end long before their limit. */
static void jobs_that_end_early_are_measured(void **state)
{
    struct fixture fixture;
    double now = 1000;
    (void)state;
    start(&fixture, 10, 0, 1);
    for (size_t i = 0; i < 50; i++)
        time_left_ended(&fixture.time, i, now += 1);
    expect_near(time_left_seconds(&fixture.time, now), 67, 10); /* 50 s, and what the limits still weigh */
    time_left_release(&fixture.time);
}

/* With --instances alone, the time is unknown until something was measured. */
static void instances_are_measured(void **state)
{
    struct fixture fixture;
    (void)state;
    start(&fixture, 0, 1000, 1);
    assert_true(time_left_seconds(&fixture.time, 1000) < 0);
    go_on(&fixture, 0, 0.1, 25, 1000.1);
    assert_true(time_left_seconds(&fixture.time, 1000.1) < 0);
    go_on(&fixture, 0, 2, 500, 1002);
    expect_near(time_left_seconds(&fixture.time, 1002), 398, 10);
    time_left_release(&fixture.time);
}

/* The end that is shown stays where it is while the estimate is about the same. */
static void time_left_counts_down_evenly(void **state)
{
    struct fixture fixture;
    (void)state;
    start(&fixture, 2, 0, 1);
    expect_near(time_left_seconds(&fixture.time, 1000), 200, 0.1);
    expect_near(time_left_seconds(&fixture.time, 1005), 200, 0.1); /* the device is being opened */
    go_on(&fixture, 0, 0.1, 10, 1010);
    const double first = time_left_seconds(&fixture.time, 1010);
    expect_near(first, 200, 1);
    go_on(&fixture, 0, 2, 10, 1013);
    expect_near(time_left_seconds(&fixture.time, 1013), first - 3, 1e-6);
    go_on(&fixture, 1, 1, 10, 1014);
    expect_near(time_left_seconds(&fixture.time, 1014), first - 4, 1e-6);
    time_left_release(&fixture.time);
}

/* Work of an earlier part of the run counts as done, and took none of this part's time. */
static void resumed_runs_go_on(void **state)
{
    static const struct store_progress finished = {.finished = true}, half = {.seconds = 1};
    struct fixture fixture;
    struct text words = {0};
    (void)state;
    start(&fixture, 2, 0, 1);
    time_left_release(&fixture.time);
    for (size_t i = 0; i < 90; i++)
        fixture.jobs[i].begun = &finished;
    fixture.jobs[90].begun = &half;
    time_left_start(&fixture.time, &fixture.options, &fixture.plan);
    expect_near(time_left_seconds(&fixture.time, 1000), 19, 0.1);
    time_left_text(&fixture.time, 1000, &words);
    assert_string_equal(text_string(&words), "90 %, 19 s left");
    text_release(&words);
    time_left_release(&fixture.time);
}

static void jobs_that_are_refused_take_no_time(void **state)
{
    struct fixture fixture;
    (void)state;
    start(&fixture, 2, 0, 1);
    time_left_release(&fixture.time);
    for (size_t i = 0; i < 60; i++)
        fixture.jobs[i].refused = true;
    time_left_start(&fixture.time, &fixture.options, &fixture.plan);
    expect_near(time_left_seconds(&fixture.time, 1000), 80, 0.1);
    for (size_t i = 0; i < JOBS; i++)
        time_left_ended(&fixture.time, i, 1001);
    expect_near(time_left_done(&fixture.time), 1, 1e-9);
    time_left_release(&fixture.time);
}

/* A run with a deadline from a gate is not forecast to go on after it. */
static void deadlines_end_a_run(void **state)
{
    struct fixture fixture;
    (void)state;
    start(&fixture, 2, 0, 1);
    fixture.options.deadline = 1060;
    expect_near(time_left_seconds(&fixture.time, 1000), 60, 0.1);
    time_left_release(&fixture.time);
}

static void progress_keeps_to_the_width(void **state)
{
    static const struct litmus_test test = {.name = "MP+relaxed+gpu+0-1"};
    static const struct backend_device device = {.backend = "cuda", .index = 1};
    const struct running_progress jobs[] = {{.test = &test,
                                             .device = &device,
                                             .number = 11,
                                             .seconds = 2,
                                             .batches = 3,
                                             .instances = 24300000,
                                             .witnesses = 1},
                                            {.test = &test, .device = &device, .number = 12}};
    struct run_progress progress = {.jobs = 321, .ended = 11, .lanes = 1, .running = jobs, .running_count = 1};
    struct text line = {0};
    (void)state;
    run_output_progress(&progress, "3 %, 10 min left", 0, &line);
    assert_string_equal(text_string(&line), "job 12 of 321, 3 %, 10 min left: MP+relaxed+gpu+0-1 on cuda:1: 24.3 M "
                                            "instances (12.2 M/s), 1 witness");
    run_output_progress(&progress, "3 %, 10 min left", 80, &line);
    assert_string_equal(text_string(&line),
                        "job 12 of 321, 3 %, 10 min left: MP+relaxed+gpu+0-1 on cuda:1: 24.3 M instances");
    run_output_progress(&progress, "3 %, 10 min left", 70, &line);
    assert_string_equal(text_string(&line), "job 12 of 321, 3 %, 10 min left: MP+relaxed+gpu+0-1 on cuda:1");
    progress.lanes = progress.running_count = 2;
    run_output_progress(&progress, "", 0, &line);
    assert_string_equal(text_string(&line), "11 of 321 jobs ended; cuda:1: MP+relaxed+gpu+0-1: 24.3 M instances (12.2 "
                                            "M/s), 1 witness; cuda:1: MP+relaxed+gpu+0-1: building");
    text_release(&line);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(limits_say_how_long_a_run_takes),
        cmocka_unit_test(a_slow_start_counts_once),
        cmocka_unit_test(builds_are_measured),
        cmocka_unit_test(slow_builds_show_soon),
        cmocka_unit_test(jobs_that_end_early_are_measured),
        cmocka_unit_test(instances_are_measured),
        cmocka_unit_test(time_left_counts_down_evenly),
        cmocka_unit_test(resumed_runs_go_on),
        cmocka_unit_test(jobs_that_are_refused_take_no_time),
        cmocka_unit_test(deadlines_end_a_run),
        cmocka_unit_test(progress_keeps_to_the_width),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
