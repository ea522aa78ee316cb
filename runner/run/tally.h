// SPDX-License-Identifier: Apache-2.0
/* The outcome histogram of a job in the making, over its valid batches. */
#ifndef ORCHIL_RUNNER_RUN_TALLY_H
#define ORCHIL_RUNNER_RUN_TALLY_H

#include "results/results.h"
#include "runner/worker/job.h"

/* What was counted where the test's locations lay in the same places. */
struct home_count {
    const char *homes;             /* as --home has it: "x=1,y=host"; the tally's */
    uint64_t instances, witnesses; /* instances without voids */
};

/* Starts as {0}. */
struct tally {
    struct count *outcomes; /* in order of labels until tally_sort */
    size_t outcome_count, outcome_room;
    struct count *voids;
    size_t void_count, void_room;
    struct home_count
        *homes; /* of a test that several devices play: in the order in which they came until tally_sort */
    size_t home_count, home_room;
    struct arena labels;
    uint64_t batches, invalid_batches, instances, void_instances, witnesses;
    uint64_t launched; /* instances of all batches, invalid ones too */
    double seconds;    /* from the first launch to the last read-back */
    char invalid[128]; /* why the first invalid batch was invalid */
};

void tally_add(struct tally *tally, const struct batch *batch);

/* Adds what a database has counted in a job, all valid batches together; the caller adds to the sums of batches,
 * instances and seconds. */
enum status tally_load(struct tally *tally, struct store *store, int64_t job_id, struct error *error);

/* Instances that are void for a reason. */
uint64_t tally_void(const struct tally *tally, enum void_reason reason);

/* Most frequent first, of homes those that show the most witnesses per instance, for people and for output; nothing may be added
 * afterwards. */
void tally_sort(struct tally *tally);

void tally_release(struct tally *tally);

#endif
