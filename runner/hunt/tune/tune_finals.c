// SPDX-License-Identifier: Apache-2.0
/* The end of a search: measuring the best few again, because the best of many measurements is
 * always partly luck. */
#include "base/clock.h"
#include "runner/hunt/tune/tuning.h"

enum {
    FINAL_REPLICATES = 100, /* numbers start here, so that the draws are new */
    FINAL_ROUNDS = 2,       /* so that a busy moment of the machine affects all finalists */
    CHOOSING_PERCENT = 40   /* of the time for finals; the rest is for the comparison */
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

/* The best of the trials that were measured again; with_start: including the start. */
static const struct trial *best_final(const struct tuning *tuning, bool with_start)
{
    const struct trial *best = NULL;
    for (size_t i = 0; i < tuning->final_count; i++) {
        const struct trial *trial = &tuning->finals[i];
        if ((trial->fate == TUNE_MEASURED || trial->fate == TUNE_INTERRUPTED) && trial->score > 0 &&
            (with_start || trial->number != 0) && (!best || trial->score > best->score))
            best = trial;
    }
    return best;
}

static const struct trial *find_start(const struct tuning *tuning)
{
    for (size_t i = 0; i < tuning->final_count; i++)
        if (tuning->finals[i].number == 0)
            return &tuning->finals[i];
    return &tuning->trials[0];
}

void tuning_measure_finals(struct tuning *tuning)
{
    if (tuning_is_over(tuning) || tuning->elite_count == 0)
        return;
    choose_finals(tuning);
    /* A search that --trials ended early takes the same share of its time. */
    const double searched = (clock_seconds() - tuning->began) * FINAL_PERCENT / (100 - FINAL_PERCENT);
    const double kept = tuning->end - tuning->search_end, all = (searched < kept ? searched : kept) * 0.9;
    const size_t jobs = tuning->final_count * tuning->bench.plan->job_count * FINAL_ROUNDS;
    const double seconds = tuning_slice(all * CHOOSING_PERCENT / 100, jobs, longest_final);
    tuning->measuring_again = true;
    /* The first round must be complete to compare anything; later rounds end with the time. */
    for (unsigned round = 1; round <= FINAL_ROUNDS && !tuning_is_over(tuning) && tuning->final_rounds + 1 == round;
         round++)
        tuning_check(tuning, measure_again(tuning, round, seconds, &tuning->failure));
    const struct trial *candidate = best_final(tuning, false);
    if (candidate && !tuning_is_over(tuning))
        tuning_compare(tuning, candidate, find_start(tuning), all * (100 - CHOOSING_PERCENT) / 100);
}

const struct trial *tuning_best(const struct tuning *tuning)
{
    const enum tune_verdict verdict = tuning->duel.verdict;
    if (verdict == TUNE_VERDICT_BETTER || verdict == TUNE_VERDICT_ALONE)
        return &tuning->duel.sides[TUNE_CANDIDATE];
    if (verdict != TUNE_VERDICT_NOT_COMPARED || tuning->stop.count == 0)
        return NULL;
    const struct trial *best = tuning->final_rounds > 0  ? best_final(tuning, true)
                               : tuning->elite_count > 0 ? &tuning->trials[tuning->elite[0]]
                                                         : NULL;
    /* Only the start can be a portfolio, and a written profile is one environment. */
    return best && best->environment.other_count > 0 ? NULL : best;
}
