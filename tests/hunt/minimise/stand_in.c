// SPDX-License-Identifier: Apache-2.0
/* A device for the minimiser whose rates a test sets. */
#include "stand_in.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>
#include <math.h>

#include "base/random.h"

/* Every parameter that is not a size is a range in which neutral values are unlikely. */
struct stand_in stand_in_make(void)
{
    struct stand_in device = {.seconds = 300, .batch_seconds = 0.01, .overhead = 0.05};
    struct error error;
    assert_int_equal(environment_read("stand-in",
                                      "[environment]\n"
                                      "group_size = 64\ntesting_percent = 50..90\nstress_percent = 1..10\n"
                                      "rounds = 100\nteams = 2..4\nshuffle_chance = 90\nlane_chance = 50\n"
                                      "lane_offset = 1..31\ncell_chance = 90\nstride = 2..64\nlocal_stride = 2..4\n"
                                      "pre_stress_chance = 50\npre_stress_rounds = 2..4\npre_stress_pattern = 1..61\n"
                                      "stress_pattern = 1..61\nstress_lines = 2..64\nstress_line_words = 64\n"
                                      "stress_chunked_chance = 50\nstress_cached_chance = 50\nmeet_all_chance = 50\n"
                                      "no_meeting_chance = 50\njitter_chance = 50\njitter_steps = 2..64\n"
                                      "meet_polls = 1000\nspin_bound = 1000\ncluster_chance = 50\n"
                                      "cluster_groups = 3..8\ncluster_partners_chance = 50\n"
                                      "stress_copy_chance = 50\nstress_copy_bytes = 32..64\n",
                                      &device.environment, &error),
                     STATUS_OK);
    return device;
}

static struct environment draw(const struct environment *environment, uint64_t seed, uint64_t batch)
{
    uint32_t values[PARAMETER_COUNT];
    for (enum parameter i = 0; i < PARAMETER_COUNT; i++) {
        struct random random = random_start(seed, 0, batch, i);
        const struct environment_range range = environment->ranges[i];
        const bool chance = strstr(environment_parameters[i].name, "_chance") != NULL;
        values[i] = chance ? random_below(&random, 100) < range.low : random_between(&random, range.low, range.high);
    }
    return minimise_drawn(environment, values);
}

/* A normal variate with mean and variance `mean`, from twelve uniform variates; never below 0. */
static uint64_t count_near(double mean, uint64_t seed, uint64_t batch)
{
    struct random random = random_start(seed, 1, batch, 1000);
    double sum = -6;
    for (int i = 0; i < 12; i++)
        sum += random_below(&random, 1u << 20) / (double)(1u << 20);
    const double part = random_below(&random, 1u << 20) / (double)(1u << 20);
    if (mean < 5) /* too few for that: the fraction is the probability of one more */
        return (uint64_t)mean + (part < mean - floor(mean));
    return (uint64_t)fmax(0, mean + sum * sqrt(mean));
}

static void measure(const struct minimise_setting *setting, const struct minimise_ask *ask,
                    struct minimise_trial *trial, struct minimise_best *best, void *context)
{
    struct stand_in *device = context;
    device->trials++;
    device->now += device->overhead;
    trial->key = 17;
    trial->resident_groups = 4;
    trial->state = device->state ? device->state(setting) : JOB_COMPLETED;
    if (trial->state != JOB_COMPLETED) {
        (void)snprintf(trial->why, sizeof trial->why, "as the test says");
        return;
    }
    do {
        const struct environment drawn = draw(&setting->environment, ask->seed, trial->batches);
        const double rate = device->rate(device, setting, &drawn, ask->seed);
        const uint64_t seen = count_near(rate * device->batch_seconds, ask->seed, trial->batches);
        if (best && seen > 0)
            minimise_best_add(best, &drawn, (double)seen / device->batch_seconds);
        if ((double)seen / device->batch_seconds > trial->best_rate) {
            trial->best_rate = (double)seen / device->batch_seconds;
            trial->best_batch = trial->batches;
        }
        trial->batches++;
        trial->seen += seen;
        trial->instances += 1000000;
        trial->seconds += device->batch_seconds;
        device->now += device->batch_seconds;
    } while (!minimise_is_settled(ask, trial));
}

static double read_clock(void *context)
{
    const struct stand_in *device = context;
    return device->now;
}

static bool is_stopped(void *context)
{
    const struct stand_in *device = context;
    return device->stop_after > 0 && device->trials >= device->stop_after;
}

static void count_step(const struct minimise_step *step, double seconds_left, void *context)
{
    struct stand_in *device = context;
    assert_non_null(step->what);
    assert_non_null(step->result);
    assert_true(seconds_left >= 0);
    device->told++;
}

void stand_in_minimise(struct stand_in *device, const char *test_text, const char *outcome, struct minimal *minimal)
{
    const struct minimise_bench bench = {measure, read_clock, is_stopped, device};
    const struct minimise_listener listener = {count_step, device};
    const struct backend_device any = {.backend = "simulated", .gpu = true, .takes = BACKEND_TAKES_C11};
    struct litmus_test *test;
    struct error error;
    assert_int_equal(litmus_parse("test", test_text, strlen(test_text), &test, &error), STATUS_OK);
    const struct minimise_options options = {.test = test,
                                             .device = &any,
                                             .environment = &device->environment,
                                             .outcome = outcome,
                                             .seed = 7,
                                             .seconds = device->seconds};
    assert_int_equal(minimise_on(&options, &bench, &listener, minimal, &error), STATUS_OK);
    assert_int_equal(device->told, minimal->step_count);
    litmus_release(test);
}

const struct minimise_step *find_step(const struct minimal *minimal, const char *what)
{
    for (size_t i = 0; i < minimal->step_count; i++)
        if (strcmp(minimal->steps[i].what, what) == 0)
            return &minimal->steps[i];
    for (size_t i = 0; i < minimal->step_count; i++)
        print_message("%s: %s\n", minimal->steps[i].what, minimal->steps[i].result);
    fail_msg("no step \"%s\"", what);
    return NULL;
}
