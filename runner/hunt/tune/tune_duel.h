// SPDX-License-Identifier: Apache-2.0
/* The best candidate against the starting profile, in turn. Private to tuning. */
#ifndef ORCHIL_RUNNER_HUNT_TUNE_TUNE_DUEL_H
#define ORCHIL_RUNNER_HUNT_TUNE_TUNE_DUEL_H

#include "runner/hunt/tune/tune_bench.h"
#include "runner/hunt/tune/tune_repeats.h"

enum tune_side { TUNE_CANDIDATE, TUNE_START, TUNE_SIDES };

/* Starts as {0}. */
struct tune_duel {
    enum tune_verdict verdict;
    /* Measured for this comparison only; a start without rates could not be measured. */
    struct trial sides[TUNE_SIDES];
    struct tune_repeats *rates[TUNE_SIDES]; /* of each pair: the logarithms of its rate, see tune_log_since; owned */
    struct tune_repeats ratio; /* of the candidate's rate to the start's: the mean logarithm over all pairs */
};

void tune_duel_release(struct tune_duel *duel);

#endif
