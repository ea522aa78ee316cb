// SPDX-License-Identifier: Apache-2.0
/* Trials on a device, each a job of a worker under a supervisor. */

#include "hunt/minimise/minimising.h"
#include "runner/run/plan_run.h"

static const double longest = 4,
                    /* A trial's job may take its seconds times `longest` plus `overhead`. */
    overhead = 2;

/* A trial while it runs. */
struct running_trial {
    const struct minimise_setting *setting;
    const struct minimise_ask *ask;
    struct minimise_trial *trial;
    struct minimise_best *best;
    char invalid[128]; /* why the last invalid batch was invalid */
};

static bool on_built(const struct build *build, void *context)
{
    struct running_trial *hearing = context;
    hearing->trial->resident_groups = build->resident_groups;
    return true;
}

/* Reads the value of each parameter that a batch drew. */
static bool read_draw(const char *json, uint32_t values[PARAMETER_COUNT])
{
    bool whole = true;
    json_auto_t *draw = json_loads(json, 0, NULL);
    for (enum parameter i = 0; i < PARAMETER_COUNT; i++) {
        const json_t *value = json_object_get(draw, environment_parameters[i].name);
        whole &= json_is_integer(value);
        values[i] = (uint32_t)json_integer_value(value);
    }
    return whole;
}

static void keep_best(struct running_trial *hearing, const struct batch *batch, uint64_t seen)
{
    const double rate = batch->seconds > 0 ? (double)seen / batch->seconds : 0;
    if (rate <= hearing->trial->best_rate)
        return;
    hearing->trial->best_rate = rate;
    hearing->trial->best_batch = batch->number;
}

static void keep_draw(struct running_trial *hearing, const struct batch *batch, uint64_t seen)
{
    uint32_t values[PARAMETER_COUNT];
    if (!hearing->best || seen == 0 || batch->seconds <= 0 || !read_draw(batch->draw, values))
        return;
    const struct environment drawn = minimise_drawn(&hearing->setting->environment, values);
    minimise_best_add(hearing->best, &drawn, (double)seen / batch->seconds);
}

static bool on_batch(const struct batch *batch, void *context)
{
    struct running_trial *hearing = context;
    struct minimise_trial *trial = hearing->trial;
    if (batch->invalid) {
        (void)snprintf(hearing->invalid, sizeof hearing->invalid, "%s", batch->invalid);
        return true;
    }
    const uint64_t seen = SUM_OF(uint64_t, outcome, batch->outcomes, batch->outcome_count,
                                 strcmp(outcome->label, hearing->setting->outcome) == 0 ? outcome->count : 0);
    trial->batches++;
    trial->seen += seen;
    trial->instances += batch->instances;
    trial->seconds += batch->seconds;
    keep_best(hearing, batch, seen);
    keep_draw(hearing, batch, seen);
    return !minimise_is_settled(hearing->ask, trial);
}

static void minimise_trial_measure(const struct minimise_setting *setting, const struct minimise_ask *ask,
                                   struct minimise_trial *trial, struct minimise_best *best, void *context)
{
    char key[65];
    struct job_result result;
    struct supervisor *supervisor = context;
    struct running_trial hearing = {.setting = setting, .ask = ask, .trial = trial, .best = best};
    const struct job_listener listener = {on_built, on_batch, &hearing};
    plan_job_key(setting->test, &setting->environment, 0, key);
    trial->key = hash_number(key);
    const struct job job = {.test = setting->test,
                            .environment = setting->environment,
                            .seed = ask->seed,
                            .key = trial->key,
                            .extent = {.seconds = ask->seconds * longest + overhead}};
    supervisor_run(supervisor, &job, setting->text, setting->test->name, &listener, &result);
    trial->state = result.state;
    (void)snprintf(trial->why, sizeof trial->why, "%.255s", result.reason);
    if (trial->state == JOB_COMPLETED && trial->batches == 0) {
        trial->state = JOB_INVALID;
        (void)snprintf(trial->why, sizeof trial->why, "%s", hearing.invalid[0] ? hearing.invalid : "no batch ended");
    }
}

static double read_clock(UNUSED void *context)
{
    return clock_seconds();
}

static bool is_stopped(void *context)
{
    const struct supervisor *supervisor = context;
    return stop_signals_came(supervisor->stop);
}

enum status minimise(const struct minimise_options *options, const struct minimise_listener *listener,
                     struct minimal *minimal, struct error *error)
{
    struct supervisor supervisor;
    const struct minimise_bench bench = {
        .measure = minimise_trial_measure, .clock = read_clock, .stopped = is_stopped, .context = &supervisor};
    supervisor_start(&supervisor, options->device, &options->limits, options->cache, options->stop);
    const enum status status = minimise_on(options, &bench, listener, minimal, error);
    supervisor_stop(&supervisor);
    return status;
}
