// SPDX-License-Identifier: Apache-2.0
/* Tuning from start to end. */
#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/memory.h"
#include "runner/hunt/tune/tune_profile.h"
#include "runner/hunt/tune/tuning.h"
#include "runner/run/job_record.h"

static const double shortest_slice = 0.05; /* seconds of one job */

bool tuning_is_over(const struct tuning *tuning)
{
    return tuning->status != STATUS_OK || tuning->stop.count > 0;
}

void tuning_check(struct tuning *tuning, enum status status)
{
    if (tuning->status == STATUS_OK)
        tuning->status = status;
}

double tuning_slice(double seconds, size_t jobs, double longest)
{
    const double part = seconds / (double)(jobs > 0 ? jobs : 1);
    return part < shortest_slice ? shortest_slice : part > longest ? longest : part;
}

/* ---- reports to the listener ---- */

static void tell_progress(void *context)
{
    const struct tuning *tuning = context;
    const struct trial *best = tuning->elite_count > 0 ? &tuning->trials[tuning->elite[0]] : NULL;
    const struct tune_progress progress = {.trials = tuning->count,
                                           .finals = tuning->measuring_again ? tuning->final_count : 0,
                                           .best = best,
                                           .pairs = tuning->bench.pair_count,
                                           .seconds_left = tuning->end - clock_seconds()};
    tuning->listener->went_on(&progress, tuning->listener->context);
}

void tuning_tell_alarm(const struct tuning *tuning, const struct trial *trial)
{
    tuning->listener->alarm(trial, tuning->listener->context);
}

static void tell_end(const struct tuning *tuning, const struct trial *best)
{
    const struct tune_report report = {.bench = &tuning->bench,
                                       .trials = tuning->trials,
                                       .trial_count = tuning->count,
                                       .finals = tuning->finals,
                                       .final_count = tuning->final_rounds > 0 ? tuning->final_count : 0,
                                       .duel = &tuning->duel,
                                       .best = best,
                                       .start = tuning->start.name,
                                       .out = tuning->options->out,
                                       .database = tuning->options->database,
                                       .seconds = clock_seconds() - tuning->began};
    tuning->listener->ended(&report, tuning->listener->context);
}

/* ---- from start to end ---- */

static enum status begin_tuning(struct tuning *tuning, struct error *error)
{
    const struct tune_options *options = tuning->options;
    struct bench *bench = &tuning->bench;
    TRY(tune_profile_check(options->out, error));
    TRY(stop_signals_catch(&tuning->stop, error));
    TRY(kernel_cache_open(false, &tuning->cache, error));
    TRY(tune_cache_open(&tuning->driver_cache, error));
    TRY(job_record_open(options->database, options->provenance, options->seed, false, &bench->store, &bench->run_id,
                        error));
    bench_open(bench, &options->limits, tuning->cache.folder);
    tuning->records = memory_take(bench->pair_count, sizeof *tuning->records);
    return STATUS_OK;
}

/* Chooses the environment from which the search starts and whose choices it takes: a GPU's if there
 * is one. */
static enum status choose_start(struct tuning *tuning, const struct run_plan *plan, struct error *error)
{
    const struct backend_device *device = plan->jobs[0].device;
    for (size_t i = 0; i < plan->job_count; i++) {
        const struct litmus_test *test = plan->jobs[i].test->test;
        if (plan->jobs[i].device->gpu && !device->gpu)
            device = plan->jobs[i].device;
        for (unsigned l = 0; l < test->location_count; l++) {
            if (test->locations[l].region == LITMUS_LOCAL)
                tuning->search.has |= SEARCH_LOCAL;
            if (test->locations[l].alias_of != LITMUS_NONE)
                tuning->search.has |= SEARCH_PATHS;
        }
        if (plan->jobs[i].device->max_cluster_groups > 1)
            tuning->search.has |= SEARCH_CLUSTERS;
        if (draw_device_copies(plan->jobs[i].device))
            tuning->search.has |= SEARCH_COPIES;
        if (plan->jobs[i].device->shared_clock)
            tuning->search.has |= SEARCH_CLOCK;
    }
    tuning->search.gpu = device->gpu;
    tuning->search.seed = tuning->options->seed;
    tuning->search.start = &tuning->start;
    if (tuning->options->profile)
        TRY(environment_load(tuning->options->profile, device, &tuning->start, error));
    else
        environment_default(device, &tuning->start);
    return plan_set_homes(&tuning->start, device, tuning->options->homes, error);
}

static void finish_run(struct tuning *tuning)
{
    struct error error;
    const enum run_state state = tuning->stop.count > 0        ? RUN_INTERRUPTED
                                 : tuning->status == STATUS_OK ? RUN_COMPLETED
                                                               : RUN_FAILED;
    if (tuning->bench.run_id > 0 &&
        store_finish_run(tuning->bench.store, tuning->bench.run_id, state, &error) != STATUS_OK) {
        tuning->failure = tuning->status == STATUS_OK ? error : tuning->failure;
        tuning_check(tuning, error.status);
    }
}

static struct tune_origin origin_of(const struct tuning *tuning)
{
    return (struct tune_origin){
        .database = tuning->options->database,
        .start = tuning->start.name,
        .trials = tuning->count,
        .duel = tuning->duel.verdict == TUNE_VERDICT_NOT_COMPARED ? NULL : &tuning->duel,
    };
}

static void write_profile(struct tuning *tuning, const struct trial *best)
{
    struct text text = {0};
    const struct tune_origin origin = origin_of(tuning);
    tune_profile_print(&tuning->bench, best, &origin, &text);
    tuning_check(tuning, tune_profile_write(tuning->options->out, &text, &tuning->failure));
    text_release(&text);
}

static void release_tuning(struct tuning *tuning)
{
    struct store *store = tuning->bench.store;
    bench_close(&tuning->bench);
    store_close(store);
    for (size_t i = 0; i < tuning->count; i++)
        trial_release(&tuning->trials[i]);
    for (size_t i = 0; i < tuning->final_count; i++)
        trial_release(&tuning->finals[i]);
    tune_duel_release(&tuning->duel);
    free(tuning->trials);
    free(tuning->records);
    temporary_folder_close(&tuning->driver_cache);
    kernel_cache_close(&tuning->cache);
    if (tuning->stop.descriptor >= 0)
        (void)close(tuning->stop.descriptor);
}

void tune_run(const struct tune_options *options, const struct run_plan *plan, const struct tune_listener *listener,
              struct tune_result *result)
{
    struct tuning tuning = {
        .options = options, .listener = listener, .stop = {.descriptor = -1}, .began = clock_seconds()};
    const struct trial *best = NULL;
    tuning.bench = (struct bench){
        .plan = plan, .seed = options->seed, .stop = &tuning.stop, .turn = tell_progress, .context = &tuning};
    tuning.end = tuning.began + options->seconds;
    tuning.search_end = tuning.began + options->seconds * (100 - FINAL_PERCENT) / 100;
    tuning.status = choose_start(&tuning, plan, &tuning.failure);
    if (tuning.status == STATUS_OK)
        tuning.status = begin_tuning(&tuning, &tuning.failure);
    if (tuning.status == STATUS_OK) {
        tuning_search(&tuning);
        tuning_measure_finals(&tuning);
        best = tuning_best(&tuning);
        if (best)
            write_profile(&tuning, best);
    }
    finish_run(&tuning);
    *result = (struct tune_result){.status = tuning.status,
                                   .error = tuning.failure,
                                   .signal = tuning.stop.first,
                                   .alarms = tuning.bench.alarms,
                                   .found = best != NULL,
                                   .failed = tuning.count > 0 && tuning.trials[tuning.count - 1].fate == TUNE_FAILED};
    if (tuning.status == STATUS_OK)
        tell_end(&tuning, best);
    release_tuning(&tuning);
}
