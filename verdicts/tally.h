// SPDX-License-Identifier: Apache-2.0
/* The outcome histogram of a running job, over its valid batches. */
#pragma once

#include "base/record.h"
#include "results/results.h"

/* Starts as {0}. */
struct tally {
    struct count *outcomes; /* in order of labels until tally_sort */
    size_t outcome_count, outcome_room;
    struct count *voids;
    size_t void_count, void_room;
    struct store_homes_row *homes; /* of a test for several devices; in order of arrival until tally_sort */
    size_t home_count, home_room;
    struct arena labels;
    uint64_t batches, invalid_batches, instances, void_instances, witnesses;
    uint64_t launched; /* instances of all batches, including invalid ones */
    double seconds;    /* from the first launch to the last read-back */
    struct {
        uint64_t batches;   /* with counted instances; 0 after tally_load, which has sums only */
        double least, most; /* witnesses per counted instance of a batch */
    } spread;
    char invalid[128]; /* why the first invalid batch was invalid */
};

void tally_add(struct tally *tally, const struct batch *batch);

/* Adds the database's counts of a job, over all valid batches; the caller adds to the sums of batches, instances and
 * seconds. */
enum status tally_load(struct tally *tally, struct store *store, int64_t job_id, struct error *error);

/* Instances that are void for this reason. */
uint64_t tally_void(const struct tally *tally, enum void_reason reason);

/* Sorts for output: the most frequent first; of homes, those with the most witnesses per instance first. Nothing may be
 * added afterwards. */
void tally_sort(struct tally *tally);

void tally_release(struct tally *tally);
