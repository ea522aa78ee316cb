// SPDX-License-Identifier: Apache-2.0
/*
 * The best candidate against the starting profile. The two are measured in turn, each time by new
 * jobs, so that a busy moment of the machine affects both; the order changes from repeat to repeat.
 * Earlier measurements do not count here, because they chose the candidate: the best of many
 * measurements is partly luck.
 */
#include "runner/hunt/tune/tune_duel.h"

#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/memory.h"
#include "runner/hunt/tune/tuning.h"

enum {
    DUEL_REPLICATES = 200, /* numbers start here, so that the draws are new */
    DUEL_REPEATS = 8
};

static const double longest_job = 20; /* seconds */

void tune_duel_release(struct tune_duel *duel)
{
    for (enum tune_side side = 0; side < TUNE_SIDES; side++) {
        trial_release(&duel->sides[side]);
        free(duel->rates[side]);
    }
    *duel = (struct tune_duel){0};
}

static bool is_measured(const struct tune_duel *duel, enum tune_side side)
{
    return duel->sides[side].rates && duel->sides[side].fate == TUNE_MEASURED;
}

static void enter_side(struct tuning *tuning, enum tune_side side, const struct trial *trial)
{
    struct tune_duel *duel = &tuning->duel;
    duel->sides[side] = trial_make(&tuning->bench, trial->number, &trial->environment);
    duel->sides[side].fate = trial->fate;
    duel->sides[side].control_instances = trial->control_instances;
    memcpy(duel->sides[side].why, trial->why, sizeof trial->why);
    duel->rates[side] = memory_take(tuning->bench.pair_count, sizeof *duel->rates[side]);
}

/* Measures a side once; logs: the logarithm of each pair's rate in this repeat. */
static enum status measure_side(struct tuning *tuning, enum tune_side side, unsigned repeat, double *logs,
                                struct error *error)
{
    struct trial *trial = &tuning->duel.sides[side];
    const size_t pairs = tuning->bench.pair_count;
    struct tune_rate *before = memory_take(pairs, sizeof *before);
    memcpy(before, trial->rates, pairs * sizeof *before);
    const enum status status =
        bench_measure(&tuning->bench, trial, DUEL_REPLICATES + repeat, tuning->duel_seconds, NULL, error);
    for (size_t i = 0; i < pairs; i++)
        logs[i] = tune_log_since(&trial->rates[i], &before[i]);
    free(before);
    return status;
}

/* A repeat counts only if both sides were measured completely. */
static void keep_repeat(struct tune_duel *duel, size_t pairs, double *const logs[TUNE_SIDES])
{
    double difference = 0;
    for (size_t i = 0; i < pairs; i++) {
        for (enum tune_side side = 0; side < TUNE_SIDES; side++)
            tune_repeats_add(&duel->rates[side][i], logs[side][i]);
        difference += logs[TUNE_CANDIDATE][i] - logs[TUNE_START][i];
    }
    tune_repeats_add(&duel->ratio, difference / (double)pairs);
}

static enum status repeat_once(struct tuning *tuning, unsigned repeat, double *const logs[TUNE_SIDES],
                               struct error *error)
{
    struct tune_duel *duel = &tuning->duel;
    const bool alone = !is_measured(duel, TUNE_START);
    for (unsigned turn = 0; turn < TUNE_SIDES && tuning->stop.count == 0; turn++) {
        const enum tune_side side = (repeat + turn) % TUNE_SIDES;
        if (duel->sides[side].fate == TUNE_MEASURED && duel->sides[TUNE_CANDIDATE].fate == TUNE_MEASURED)
            TRY(measure_side(tuning, side, repeat, logs[side], error));
        if (duel->sides[side].fate == TUNE_CONDEMNED)
            tuning_tell_alarm(tuning, &duel->sides[side]);
    }
    if (tuning->stop.count == 0 && is_measured(duel, TUNE_CANDIDATE) && (alone || is_measured(duel, TUNE_START)))
        keep_repeat(duel, tuning->bench.pair_count, logs);
    return STATUS_OK;
}

static enum tune_verdict settle(const struct tuning *tuning)
{
    const struct tune_duel *duel = &tuning->duel;
    if (tuning_is_over(tuning))
        return TUNE_VERDICT_NOT_COMPARED;
    if (!is_measured(duel, TUNE_CANDIDATE))
        return TUNE_VERDICT_REJECTED;
    return is_measured(duel, TUNE_START) ? tune_repeats_decide(&duel->ratio) : TUNE_VERDICT_ALONE;
}

void tuning_compare(struct tuning *tuning, const struct trial *candidate, const struct trial *start, double seconds)
{
    double *logs[TUNE_SIDES];
    struct tune_duel *duel = &tuning->duel;
    enter_side(tuning, TUNE_CANDIDATE, candidate);
    enter_side(tuning, TUNE_START, start);
    tuning->duel_seconds =
        tuning_slice(seconds, (size_t)DUEL_REPEATS * TUNE_SIDES * tuning->bench.pair_count, longest_job);
    for (enum tune_side side = 0; side < TUNE_SIDES; side++)
        logs[side] = memory_take(tuning->bench.pair_count, sizeof *logs[side]);
    for (unsigned repeat = 1; repeat <= DUEL_REPEATS && !tuning_is_over(tuning) && is_measured(duel, TUNE_CANDIDATE) &&
                              (duel->ratio.count < TUNE_LEAST_REPEATS || clock_seconds() < tuning->end);
         repeat++)
        tuning_check(tuning, repeat_once(tuning, repeat, logs, &tuning->failure));
    duel->verdict = settle(tuning);
    for (enum tune_side side = 0; side < TUNE_SIDES; side++)
        free(logs[side]);
}
