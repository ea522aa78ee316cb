// SPDX-License-Identifier: Apache-2.0
/* From a running job's events to the database: batches are gathered for a moment and stored together. */
#ifndef ORCHIL_RUNNER_RECORD_H
#define ORCHIL_RUNNER_RECORD_H

#include "results/results.h"
#include "runner/job.h"

struct record {
    struct store *store;
    int64_t job_id;
    struct store_batch *batches; /* gathered; owned with all they point to */
    size_t count, room;
    double gathered_since; /* clock_seconds of the first of them */
};

/* Stores what a build told, with marks as a JSON array of strings. */
enum status record_build(struct record *record, const struct job_build *build, struct error *error);

/* Gathers a batch, and stores what was gathered when that is old or much. */
enum status record_batch(struct record *record, const struct job_batch *batch, struct error *error);

/* Stores what was gathered. */
enum status record_flush(struct record *record, struct error *error);

void record_release(struct record *record);

/* Appends the marks of a build as a JSON array: ["undeclared","not-co-resident"]. */
void record_marks(const struct job_build *build, struct text *text);

#endif
