// SPDX-License-Identifier: Apache-2.0
/*
 * How many instances of a job take a given time. Batches of a pilot start small and double, so its
 * last batches show what a batch of each size costs on this device, whatever its speed.
 */
#ifndef ORCHIL_RUNNER_GATE_GATE_PILOT_H
#define ORCHIL_RUNNER_GATE_GATE_PILOT_H

#include "runner/gate/gate_suite.h"

struct pilot_batch {
    uint64_t instances;
    double seconds; /* until the next batch could start */
};

/* How a job can be played within its share of the time. */
struct pilot_choice {
    uint64_t instances; /* in all; 0: the pilot shows nothing */
    uint64_t batch;     /* the most of a batch */
    double needed;      /* seconds that enough batches need, if that is more than the share; else 0 */
};

/*
 * Chooses for a job of the environment that should take `seconds`: in ENVIRONMENT_BATCHES batches or
 * more, or in fewer if these have far more instances, but each member of a portfolio has
 * ENVIRONMENT_MEMBER_BATCHES. If the smallest batches are too long even for that, as many of them as
 * fit, and `needed` says how long enough of them would take.
 */
struct pilot_choice pilot_choose(const struct pilot_batch *batches, size_t count, double seconds,
                                 const struct environment *environment);

/*
 * Plays a pilot of the suite's jobs that have no number of instances yet, and gives each test and its
 * controls one number with which they take their share of the suite's time. Writes how long that took,
 * and which tests need more than their share. The pilot's run is not kept unless it saw what must not
 * be; then it is added to the database. *code: the exit code of its run. *done is false if there is
 * nothing to go on with: it was interrupted, or could not be stored.
 */
enum status gate_suite_pilot(struct gate_suite *suite, bool *done, int *code, struct error *error);

/* If a run that took so many seconds was clearly longer than the suite's time, makes all jobs shorter
 * and says so: then the run should be played again. False if it was not, if no time was asked for, or
 * if the time is far too short for the suite. */
bool gate_suite_shrink(struct gate_suite *suite, double seconds);

#endif
