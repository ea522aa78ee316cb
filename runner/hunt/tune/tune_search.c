// SPDX-License-Identifier: Apache-2.0
/* The search: candidates are drawn and tried, and the best few are kept. */
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "base/random.h"
#include "runner/hunt/tune/tuning.h"

enum {
    BEST_REPLICATES = 12,   /* most jobs of one candidate in the search */
    EXPLORED = 24,          /* trials before the search goes near the best, */
    EXPLORING_PERCENT = 30, /* or this share of the time */
    RANDOM_PERCENT = 25,    /* of later trials, drawn from all choices */
    SLICES = 100,           /* the search's time, in complete trials */
    FAILURES = 8,           /* in a row, which the environment cannot explain */
    MAXIMUM_DRAWS = 100     /* to find an untried candidate */
};

static const double longest_slice = 1; /* seconds of one job */

enum search_purpose { PURPOSE_KIND = 2048, PURPOSE_PARENT };

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

/* The best with probability one half, else any of the elite. */
static const struct environment *choose_parent(const struct tuning *tuning)
{
    struct random random = random_start(tuning->options->seed, 0, tuning->drawn, PURPOSE_PARENT);
    const bool best = random_below(&random, 2) == 0;
    return &tuning->trials[tuning->elite[best ? 0 : random_below(&random, (uint32_t)tuning->elite_count)]].environment;
}

/* False if no untried candidate is found. */
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

/* Measures the best again, whose place may have been luck, and updates its place. */
static enum status measure_best(struct tuning *tuning, double seconds, struct error *error)
{
    struct trial *best = &tuning->trials[tuning->elite[0]];
    TRY(measure(tuning, best, seconds, NULL, error));
    memmove(tuning->elite, tuning->elite + 1, --tuning->elite_count * sizeof *tuning->elite);
    if (best->fate == TUNE_CONDEMNED)
        tuning_tell_alarm(tuning, best);
    else if (best->fate == TUNE_MEASURED || best->fate == TUNE_INTERRUPTED)
        join_elite(tuning, best);
    return STATUS_OK;
}

/* A candidate that seems good is measured twice; if it seems better than the best, the best is
 * measured again. */
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

static struct trial *add_trial(struct tuning *tuning, const struct environment *candidate)
{
    const size_t number = tuning->count;
    LIST_ADD(tuning->trials, tuning->count, tuning->room) = trial_make(&tuning->bench, number, candidate);
    return &tuning->trials[number];
}

static bool has_failed(const struct trial *trial)
{
    return trial->fate == TUNE_FAILED || trial->fate == TUNE_UNSUPPORTED || trial->fate == TUNE_INVALID;
}

static void settle_trial(struct tuning *tuning, const struct trial *trial)
{
    if (trial->fate == TUNE_CONDEMNED)
        tuning_tell_alarm(tuning, trial);
    else
        keep_records(tuning, trial);
    if (would_lead(tuning, trial))
        join_elite(tuning, trial);
    tuning->failures = has_failed(trial) ? tuning->failures + 1 : 0;
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
    return !tuning_is_over(tuning) && (most == 0 || tuning->count < most) && clock_seconds() < tuning->search_end &&
           tuning->failures < FAILURES && !device_is_lost(tuning);
}

void tuning_search(struct tuning *tuning)
{
    const double seconds =
        tuning_slice((tuning->search_end - tuning->began) / SLICES, tuning->bench.pair_count, longest_slice);
    struct environment candidate;
    while (search_goes_on(tuning) && propose(tuning, &candidate)) {
        struct trial *trial = add_trial(tuning, &candidate);
        tuning_check(tuning, try_candidate(tuning, trial, seconds, &tuning->failure));
        if (tuning->status == STATUS_OK)
            settle_trial(tuning, trial);
    }
}
