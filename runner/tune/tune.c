// SPDX-License-Identifier: Apache-2.0
#include "runner/tune/tune.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/quantity.h"
#include "base/random.h"
#include "base/terminal.h"
#include "cli/complaint.h"
#include "cli/output_path.h"
#include "cli/print/tune_report.h"
#include "runner/environment/search.h"
#include "runner/run/record.h"
#include "runner/tune/tune_cache.h"
#include "runner/tune/tune_profile.h"
#include "runner/worker/kernel_cache.h"

enum {
    ELITE = 4,              /* candidates that are sought near to, and measured again */
    BEST_REPLICATES = 12,   /* jobs of one candidate in the search, at most */
    FINAL_REPLICATES = 100, /* from here on they are numbered at the end, so that their draws are new */
    FINAL_ROUNDS = 3,       /* so that a moment in which the machine is busy hits all finalists */
    EXPLORED = 24,          /* trials before anything is sought near the best, */
    EXPLORING_PERCENT = 30, /* or so much of the time */
    RANDOM_PERCENT = 25,    /* of the later trials are drawn from all choices */
    FINAL_PERCENT = 25,     /* of the time is kept for measuring again */
    SLICES = 100,           /* trials, if each were measured to its end, that the search's time is cut into */
    FAILURES = 8,           /* in a row are no matter of the environment */
    MAXIMUM_DRAWS = 100     /* to find a candidate that was not tried yet */
};

static const double shortest_slice = 0.05, longest_slice = 1, longest_final = 20; /* seconds of one job */

enum purpose { PURPOSE_KIND = 2048, PURPOSE_PARENT };

struct tuning {
    const struct tune_options *options;
    struct bench bench;
    struct search search;
    struct environment start;
    struct stop_signals stop;
    struct kernel_cache cache;
    struct tune_cache driver_cache;
    struct trial *trials; /* all, by number */
    size_t count, room;
    size_t elite[ELITE + 1]; /* numbers of the best, best first; one more place while one is put in */
    size_t elite_count;
    double *records; /* the highest rate of each pair */
    uint64_t drawn;
    unsigned failures; /* in a row */
    struct trial finals[ELITE + 1];
    size_t final_count;
    unsigned final_rounds; /* that are complete */
    struct progress progress;
    bool measuring_again;
    double began, search_end, end;
    enum status status;
    struct error failure;
};

static bool is_over(const struct tuning *tuning)
{
    return tuning->status != STATUS_OK || tuning->stop.count > 0;
}

static void stop_tuning(struct tuning *tuning, enum status status)
{
    if (tuning->status == STATUS_OK)
        tuning->status = status;
}

/* ---- progress ---- */

static void show_progress(void *context)
{
    struct tuning *tuning = context;
    struct text line = {0};
    char best[QUANTITY_SIZE], left[QUANTITY_SIZE];
    if (!progress_due(&tuning->progress, stderr))
        return;
    if (tuning->measuring_again)
        text_add(&line, "measuring the best %zu again", tuning->final_count);
    else
        text_add(&line, "trial %zu", tuning->count);
    if (tuning->elite_count > 0) {
        const struct trial *trial = &tuning->trials[tuning->elite[0]];
        text_add(&line, ", best so far: trial %" PRIu64 " with %s witnesses/s", trial->number,
                 quantity_short(tune_mean(trial->score, tuning->bench.pair_count), best));
    }
    const double seconds = tuning->end - clock_seconds();
    text_add(&line, ", %s left", quantity_seconds(seconds > 1 ? ceil(seconds) : 1, left));
    progress_show(&tuning->progress, stderr, text_string(&line));
    text_release(&line);
}

/* Says at once what may condemn the harness or the device. */
static void report_alarm(struct tuning *tuning, const struct trial *trial)
{
    progress_clear(&tuning->progress, stderr);
    (void)fprintf(stderr,
                  "orchil tune: trial %" PRIu64
                  " is rejected: %s. Suspect orchil first, then the device; the environment "
                  "is stored as %.12s\n",
                  trial->number, trial->why, trial->hash);
}

/* ---- candidates ---- */

static bool was_tried(const struct tuning *tuning, const struct environment *candidate)
{
    char hash[65];
    environment_hash(candidate, hash);
    for (size_t i = 0; i < tuning->count; i++)
        if (strcmp(tuning->trials[i].hash, hash) == 0)
            return true;
    return false;
}

static bool is_exploring(const struct tuning *tuning)
{
    const double passed = clock_seconds() - tuning->began;
    return tuning->elite_count == 0 ||
           (tuning->count <= EXPLORED && passed * 100 < (tuning->end - tuning->began) * EXPLORING_PERCENT);
}

/* The best with even chance, else any of the elite. */
static const struct environment *choose_parent(const struct tuning *tuning)
{
    struct random random = random_start(tuning->options->seed, 0, tuning->drawn, PURPOSE_PARENT);
    const bool best = random_below(&random, 2) == 0;
    return &tuning->trials[tuning->elite[best ? 0 : random_below(&random, (uint32_t)tuning->elite_count)]].environment;
}

/* False if no candidate is found that was not tried yet. */
static bool propose(struct tuning *tuning, struct environment *candidate)
{
    for (int i = 0; i < MAXIMUM_DRAWS; i++) {
        struct random random = random_start(tuning->options->seed, 0, tuning->drawn, PURPOSE_KIND);
        if (tuning->count == 0)
            *candidate = tuning->start;
        else if (random_below(&random, 100) < RANDOM_PERCENT || is_exploring(tuning))
            search_draw(&tuning->search, tuning->drawn, candidate);
        else
            search_near(&tuning->search, tuning->drawn, choose_parent(tuning), candidate);
        tuning->drawn++;
        if (!was_tried(tuning, candidate))
            return true;
    }
    return false;
}

/* ---- the search ---- */

static double slice(double seconds, size_t jobs, double longest)
{
    const double part = seconds / (double)(jobs > 0 ? jobs : 1);
    return part < shortest_slice ? shortest_slice : part > longest ? longest : part;
}

static void keep_records(struct tuning *tuning, const struct trial *trial)
{
    for (size_t i = 0; i < tuning->bench.pair_count; i++) {
        const double value = tune_rate_value(&trial->rates[i]);
        if (trial->rates[i].batches >= TUNE_LEAST_BATCHES && value > tuning->records[i])
            tuning->records[i] = value;
    }
}

static bool would_lead(const struct tuning *tuning, const struct trial *trial)
{
    return trial->fate == TUNE_MEASURED && trial->score > 0 &&
           (tuning->elite_count < ELITE || trial->score > tuning->trials[tuning->elite[ELITE - 1]].score);
}

static void join_elite(struct tuning *tuning, const struct trial *trial)
{
    size_t at = tuning->elite_count;
    for (; at > 0 && trial->score > tuning->trials[tuning->elite[at - 1]].score; at--)
        tuning->elite[at] = tuning->elite[at - 1];
    tuning->elite[at] = trial->number;
    if (tuning->elite_count < ELITE)
        tuning->elite_count++;
}

static enum status measure(struct tuning *tuning, struct trial *trial, double seconds, const struct tune_rival *rival,
                           struct error *error)
{
    return bench_measure(&tuning->bench, trial, trial->replicates++, seconds, rival, error);
}

/* Adds to what is known of the best, whose place may have been luck, and gives it the place that it then deserves. */
static enum status measure_best(struct tuning *tuning, double seconds, struct error *error)
{
    struct trial *best = &tuning->trials[tuning->elite[0]];
    TRY(measure(tuning, best, seconds, NULL, error));
    memmove(tuning->elite, tuning->elite + 1, --tuning->elite_count * sizeof *tuning->elite);
    if (best->fate == TUNE_CONDEMNED)
        report_alarm(tuning, best);
    else if (best->fate == TUNE_MEASURED || best->fate == TUNE_INTERRUPTED)
        join_elite(tuning, best);
    return STATUS_OK;
}

/* A candidate that seems good is measured twice, and one that seems the best against the best anew. */
static enum status try_candidate(struct tuning *tuning, struct trial *trial, double seconds, struct error *error)
{
    const struct trial *best = tuning->elite_count > 0 ? &tuning->trials[tuning->elite[0]] : NULL;
    const struct tune_rival rival = {tuning->records, best ? best->score : 0, best ? best->score_lower : 0};
    TRY(measure(tuning, trial, seconds, best ? &rival : NULL, error));
    if (would_lead(tuning, trial))
        TRY(measure(tuning, trial, seconds, NULL, error));
    if (best && would_lead(tuning, trial) && trial->score > best->score && best->replicates < BEST_REPLICATES)
        TRY(measure_best(tuning, seconds, error));
    if (would_lead(tuning, trial))
        TRY(bench_control(&tuning->bench, trial, 0, seconds, error));
    return STATUS_OK;
}

static enum status add_trial(struct tuning *tuning, const struct environment *candidate, struct trial **trial,
                             struct error *error)
{
    if (tuning->count == tuning->room) {
        const size_t room = tuning->room ? 2 * tuning->room : 64;
        struct trial *grown = realloc(tuning->trials, room * sizeof *grown);
        if (!grown)
            return error_set(error, STATUS_MEMORY, "no memory for a trial");
        tuning->trials = grown;
        tuning->room = room;
    }
    *trial = &tuning->trials[tuning->count];
    TRY(trial_make(&tuning->bench, tuning->count, candidate, *trial, error));
    tuning->count++;
    return STATUS_OK;
}

static bool failed(const struct trial *trial)
{
    return trial->fate == TUNE_FAILED || trial->fate == TUNE_UNSUPPORTED || trial->fate == TUNE_INVALID;
}

static void settle(struct tuning *tuning, const struct trial *trial)
{
    if (trial->fate == TUNE_CONDEMNED)
        report_alarm(tuning, trial);
    else
        keep_records(tuning, trial);
    if (would_lead(tuning, trial))
        join_elite(tuning, trial);
    tuning->failures = failed(trial) ? tuning->failures + 1 : 0;
}

static bool device_is_lost(const struct tuning *tuning)
{
    for (size_t i = 0; i < tuning->bench.device_count; i++)
        if (tuning->bench.supervisors[i].retired)
            return true;
    return false;
}

static bool search_goes_on(const struct tuning *tuning)
{
    const uint64_t most = tuning->options->trials;
    return !is_over(tuning) && (most == 0 || tuning->count < most) && clock_seconds() < tuning->search_end &&
           tuning->failures < FAILURES && !device_is_lost(tuning);
}

static void search(struct tuning *tuning)
{
    const double seconds =
        slice((tuning->search_end - tuning->began) / SLICES, tuning->bench.pair_count, longest_slice);
    struct environment candidate;
    while (search_goes_on(tuning) && propose(tuning, &candidate)) {
        struct trial *trial = NULL;
        stop_tuning(tuning, add_trial(tuning, &candidate, &trial, &tuning->failure));
        if (tuning->status == STATUS_OK)
            stop_tuning(tuning, try_candidate(tuning, trial, seconds, &tuning->failure));
        if (tuning->status == STATUS_OK)
            settle(tuning, trial);
    }
}

/* ---- measuring again ---- */

static enum status choose_finals(struct tuning *tuning, struct error *error)
{
    bool start = false;
    for (size_t i = 0; i <= tuning->elite_count; i++) {
        const size_t number = i < tuning->elite_count ? tuning->elite[i] : 0;
        if ((i == tuning->elite_count && start) || tuning->trials[number].fate != TUNE_MEASURED)
            continue;
        start |= number == 0;
        TRY(trial_make(&tuning->bench, number, &tuning->trials[number].environment,
                       &tuning->finals[tuning->final_count], error));
        tuning->final_count++;
    }
    return STATUS_OK;
}

static enum status measure_again(struct tuning *tuning, unsigned round, double seconds, struct error *error)
{
    const unsigned replicate = FINAL_REPLICATES + round;
    for (size_t i = 0; i < tuning->final_count; i++) {
        struct trial *trial = &tuning->finals[i];
        if (tuning->stop.count > 0 || (round > 1 && clock_seconds() > tuning->end))
            return STATUS_OK;
        if (trial->fate != TUNE_MEASURED)
            continue;
        TRY(bench_measure(&tuning->bench, trial, replicate, seconds, NULL, error));
        TRY(bench_control(&tuning->bench, trial, replicate, seconds, error));
        if (trial->fate == TUNE_CONDEMNED)
            report_alarm(tuning, trial);
    }
    tuning->final_rounds += tuning->stop.count == 0;
    return STATUS_OK;
}

static void decide(struct tuning *tuning)
{
    if (is_over(tuning) || tuning->elite_count == 0)
        return;
    stop_tuning(tuning, choose_finals(tuning, &tuning->failure));
    /* A search that --trials ended early keeps the same part of its time. */
    const double searched = (clock_seconds() - tuning->began) * FINAL_PERCENT / (100 - FINAL_PERCENT);
    const double kept = tuning->end - tuning->search_end;
    const size_t jobs = tuning->final_count * tuning->bench.plan->job_count * FINAL_ROUNDS;
    const double seconds = slice((searched < kept ? searched : kept) * 0.9, jobs, longest_final);
    tuning->measuring_again = true;
    /* Without a whole round there is nothing to compare; later ones end where the time does. */
    for (unsigned round = 1; round <= FINAL_ROUNDS && !is_over(tuning) && tuning->final_rounds + 1 == round; round++)
        stop_tuning(tuning, measure_again(tuning, round, seconds, &tuning->failure));
}

/* What was found: the best of those measured again or, where an interrupt left none, of the search. NULL: nothing. */
static const struct trial *find_best(const struct tuning *tuning)
{
    const struct trial *best = NULL;
    if (tuning->final_rounds == 0)
        return tuning->elite_count > 0 && tuning->stop.count > 0 ? &tuning->trials[tuning->elite[0]] : NULL;
    for (size_t i = 0; i < tuning->final_count; i++) {
        const struct trial *trial = &tuning->finals[i];
        if ((trial->fate == TUNE_MEASURED || trial->fate == TUNE_INTERRUPTED) && trial->score > 0 &&
            (!best || trial->score > best->score))
            best = trial;
    }
    return best;
}

/* ---- from the beginning to the end ---- */

static enum status begin(struct tuning *tuning, int argc, char **argv, struct error *error)
{
    const struct tune_options *options = tuning->options;
    struct bench *bench = &tuning->bench;
    TRY(output_path_check("out", options->out, options->database, error));
    TRY(tune_profile_reserve(options->out, error));
    TRY(stop_signals_catch(&tuning->stop, error));
    TRY(kernel_cache_open(false, &tuning->cache, error));
    TRY(tune_cache_open(&tuning->driver_cache, error));
    TRY(record_open(options->database, argc, argv, options->seed, &bench->store, &bench->run_id, error));
    TRY(bench_open(bench, &options->limits, tuning->cache.folder, error));
    tuning->records = calloc(bench->pair_count, sizeof *tuning->records);
    return tuning->records ? STATUS_OK : error_set(error, STATUS_MEMORY, "no memory for records");
}

/* The environment that the search starts from, and whose choices it takes: a GPU's where there is one. */
static enum status choose_start(struct tuning *tuning, const struct run_plan *plan, struct error *error)
{
    const struct backend_device *device = plan->jobs[0].device;
    for (size_t i = 0; i < plan->job_count; i++) {
        const struct litmus_test *test = plan->jobs[i].test->test;
        if (plan->jobs[i].device->gpu && !device->gpu)
            device = plan->jobs[i].device;
        for (unsigned l = 0; l < test->location_count; l++)
            tuning->search.local |= test->locations[l].region == LITMUS_LOCAL;
    }
    tuning->search.gpu = device->gpu;
    tuning->search.seed = tuning->options->seed;
    tuning->search.start = &tuning->start;
    if (tuning->options->profile)
        return environment_load(tuning->options->profile, device, &tuning->start, error);
    environment_default(device, &tuning->start);
    return STATUS_OK;
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
        stop_tuning(tuning, error.status);
    }
}

static struct tune_origin origin_of(const struct tuning *tuning)
{
    struct tune_origin origin = {.database = tuning->options->database,
                                 .start = tuning->start.name,
                                 .trials = tuning->count,
                                 .again = tuning->final_rounds > 0};
    for (size_t i = 0; i < tuning->final_count && origin.again; i++)
        if (tuning->finals[i].number == 0 && tuning->finals[i].fate == TUNE_MEASURED)
            origin.reference = &tuning->finals[i];
    return origin;
}

static void write_profile(struct tuning *tuning, const struct trial *best)
{
    struct text text = {0};
    const struct tune_origin origin = origin_of(tuning);
    tune_profile_print(&tuning->bench, best, &origin, &text);
    stop_tuning(tuning, tune_profile_write(tuning->options->out, &text, &tuning->failure));
    text_release(&text);
}

/* The first that applies. */
static int exit_code(const struct tuning *tuning, const struct trial *best)
{
    if (tuning->stop.count > 0)
        return 128 + tuning->stop.first;
    if (tuning->status != STATUS_OK)
        return status_exit_code(tuning->status);
    if (tuning->bench.alarms > 0)
        return TUNE_EXIT_ALARM;
    if (best)
        return 0;
    return tuning->count > 0 && tuning->trials[tuning->count - 1].fate == TUNE_FAILED ? TUNE_EXIT_FAILED
                                                                                      : TUNE_EXIT_INCONCLUSIVE;
}

static void release(struct tuning *tuning)
{
    struct store *store = tuning->bench.store;
    bench_close(&tuning->bench);
    store_close(store);
    for (size_t i = 0; i < tuning->count; i++)
        trial_release(&tuning->trials[i]);
    for (size_t i = 0; i < tuning->final_count; i++)
        trial_release(&tuning->finals[i]);
    free(tuning->trials);
    free(tuning->records);
    tune_cache_close(&tuning->driver_cache);
    kernel_cache_close(&tuning->cache);
    tune_profile_forget(tuning->options->out);
    if (tuning->stop.descriptor >= 0)
        (void)close(tuning->stop.descriptor);
}

int tune_run(const struct tune_options *options, const struct run_plan *plan, int argc, char **argv)
{
    struct tuning tuning = {.options = options, .stop = {.descriptor = -1}, .began = clock_seconds()};
    const struct trial *best = NULL;
    tuning.bench = (struct bench){
        .plan = plan, .seed = options->seed, .stop = &tuning.stop, .turn = show_progress, .context = &tuning};
    tuning.end = tuning.began + options->seconds;
    tuning.search_end = tuning.began + options->seconds * (100 - FINAL_PERCENT) / 100;
    tuning.status = choose_start(&tuning, plan, &tuning.failure);
    if (tuning.status == STATUS_OK)
        tuning.status = begin(&tuning, argc, argv, &tuning.failure);
    if (tuning.status == STATUS_OK) {
        search(&tuning);
        decide(&tuning);
        progress_clear(&tuning.progress, stderr);
        best = find_best(&tuning);
        if (best)
            write_profile(&tuning, best);
    }
    finish_run(&tuning);
    if (tuning.status != STATUS_OK)
        (void)complain("orchil tune", &tuning.failure);
    else {
        const struct tune_report report = {.bench = &tuning.bench,
                                           .trials = tuning.trials,
                                           .trial_count = tuning.count,
                                           .finals = tuning.finals,
                                           .final_count = tuning.final_rounds > 0 ? tuning.final_count : 0,
                                           .best = best,
                                           .start = tuning.start.name,
                                           .out = options->out,
                                           .database = options->database,
                                           .seconds = clock_seconds() - tuning.began};
        tune_report_print(&report);
    }
    const int code = exit_code(&tuning, best);
    release(&tuning);
    return code;
}
