// SPDX-License-Identifier: Apache-2.0
/* A job as it was read, before it becomes part of a sample. Private to the files side*.c, history*.c and page*.c. */
#ifndef ORCHIL_ANALYSIS_SIDES_SIDE_JOB_H
#define ORCHIL_ANALYSIS_SIDES_SIDE_JOB_H

#include "analysis/sides/side.h"

struct side_job {
    struct store_job_row row;
    const char *source_model, *target_model;
    bool claimed;                    /* the test's file says that its witness, which was seen, must never appear */
    struct sample_run run;           /* once the side is read, its row is the one above */
    struct sample_outcome *outcomes; /* counts has one run */
    size_t outcome_count;
    struct sample_home *homes;
    size_t home_count;
};

/* Reads the batches, outcomes and verdicts of a job whose row has been taken. */
enum status side_read_details(struct store *store, struct arena *arena, struct side_job *job, struct error *error);

/* Decides what it means that the job's outcomes were seen, from their counts and the models' opinions. */
void side_settle(struct side_job *job);

/* Reads the side from an open store, as side_read does. The caller calls side_release, whatever the
 * result. */
enum status side_read_store(struct store *store, const struct selector *selector, struct side *side,
                            struct error *error);

/* The list with an item added, separated by ", ", unless it already has it. */
const char *side_join(struct arena *arena, const char *list, const char *item);

#endif
