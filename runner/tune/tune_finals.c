// SPDX-License-Identifier: Apache-2.0
/* The end of a search: the best few are measured again, because the best of many measurements is always partly luck. */
#include "base/clock.h"
#include "runner/tune/tuning.h"

enum {
    FINAL_REPLICATES = 100, /* from here on they are numbered at the end, so that their draws are new */
    FINAL_ROUNDS = 3        /* so that a moment in which the machine is busy hits all finalists */
};

static const double longest_final = 20; /* seconds of one job */

static void choose_finals(struct tuning *tuning)
{
    bool start = false;
    for (size_t i = 0; i <= tuning->elite_count; i++) {
        const size_t number = i < tuning->elite_count ? tuning->elite[i] : 0;
        if ((i == tuning->elite_count && start) || tuning->trials[number].fate != TUNE_MEASURED)
            continue;
        start |= number == 0;
        tuning->finals[tuning->final_count++] = trial_make(&tuning->bench, number, &tuning->trials[number].environment);
    }
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
            tuning_tell_alarm(tuning, trial);
    }
    tuning->final_rounds += tuning->stop.count == 0;
    return STATUS_OK;
}

void tuning_measure_finals(struct tuning *tuning)
{
    if (tuning_is_over(tuning) || tuning->elite_count == 0)
        return;
    choose_finals(tuning);
    /* A search that --trials ended early keeps the same part of its time. */
    const double searched = (clock_seconds() - tuning->began) * FINAL_PERCENT / (100 - FINAL_PERCENT);
    const double kept = tuning->end - tuning->search_end;
    const size_t jobs = tuning->final_count * tuning->bench.plan->job_count * FINAL_ROUNDS;
    const double seconds = tuning_slice((searched < kept ? searched : kept) * 0.9, jobs, longest_final);
    tuning->measuring_again = true;
    /* Without a whole round there is nothing to compare; later ones end where the time does. */
    for (unsigned round = 1; round <= FINAL_ROUNDS && !tuning_is_over(tuning) && tuning->final_rounds + 1 == round;
         round++)
        tuning_check(tuning, measure_again(tuning, round, seconds, &tuning->failure));
}

const struct trial *tuning_best(const struct tuning *tuning)
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
