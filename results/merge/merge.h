// SPDX-License-Identifier: Apache-2.0
/*
 * A merge in progress. The source file is attached to the target's connection as "source", for
 * reading only; the target is "main". Every statement names one of the two. Private to results/.
 */
#ifndef ORCHIL_RESULTS_MERGE_MERGE_H
#define ORCHIL_RESULTS_MERGE_MERGE_H

#include "base/text.h"
#include "results/results.h"
#include "results/sql.h"

/* The columns of a run, or of a part that was a run, that a merge copies unchanged. */
#define MERGE_RUN_COLUMNS                                                                                              \
    "uuid, tool_version, command_line, host, environment_variables, seed, state, started_at, finished_at"

struct merge {
    struct store *into;
    const char *from; /* as the caller wrote it, for messages */
    const struct store_merge_options *options;
    int64_t one_run; /* with options->one_run: its new value once the transaction has been committed */
};

/* Attaches the file, which was opened for reading as source, and detaches it. */
enum status merge_attach(struct merge *merge, const struct store *source, struct error *error);
void merge_detach(struct merge *merge);

/* The target's run that a run of the source is, or is a part of; 0 if there is none. */
enum status merge_find_run(struct merge *merge, int64_t from_run, int64_t *to_run, struct error *error);

/* The same, but stores or updates the row of that run. *is_new: the target did not have the run. */
enum status merge_run_row(struct merge *merge, int64_t from_run, int64_t *to_run, bool *is_new, struct error *error);

/*
 * Merges a job and everything that belongs to it into the run to_run, or adds what the target's job
 * with the same UUID lacks. *is_new: the target did not have the job. *batches: how many batches
 * were added. Runs in the caller's transaction.
 */
enum status merge_job(struct merge *merge, int64_t from_job, int64_t to_run, bool *is_new, uint64_t *batches,
                      struct error *error);

/* The target's id for a text, a driver, a test or an environment of the source, which is stored if
 * it is new. */
enum status merge_content(struct merge *merge, int64_t from, int64_t *to, struct error *error);
enum status merge_driver(struct merge *merge, int64_t from, int64_t *to, struct error *error);
enum status merge_test(struct merge *merge, int64_t from, int64_t *to, struct error *error);
enum status merge_environment(struct merge *merge, int64_t from, int64_t *to, struct error *error);

/* The target's id for the empty text, which replaces texts that are left out; 0 if the target does
 * not have it yet. */
enum status merge_find_nothing(struct merge *merge, int64_t *to, struct error *error);

/* Merges the notes of calibrations, which do not belong to runs, in their own transaction. */
enum status merge_calibrations(struct merge *merge, struct error *error);

/* STATUS_DATABASE: the source contradicts itself or the target. why completes "FILE: ". */
enum status merge_refuse(const struct merge *merge, struct error *error, const char *why, ...)
    __attribute__((format(printf, 3, 4)));

#endif
