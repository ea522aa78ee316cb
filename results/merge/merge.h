// SPDX-License-Identifier: Apache-2.0
/*
 * A merge in progress. The file that is read is attached to the target's connection as "source", for reading only; the
 * target is "main". Every statement names one of the two. Private to results/.
 */
#ifndef ORCHIL_RESULTS_MERGE_MERGE_H
#define ORCHIL_RESULTS_MERGE_MERGE_H

#include "base/text.h"
#include "results/results.h"
#include "results/sql.h"

/* The columns of a run, or of a part that was one, that stay as they are wherever it goes. */
#define MERGE_RUN_COLUMNS                                                                                              \
    "uuid, tool_version, command_line, host, environment_variables, seed, state, started_at, finished_at"

struct merge {
    struct store *into;
    const char *from; /* as the caller wrote it, for messages */
    const struct store_merge_options *options;
    int64_t one_run; /* with options->one_run: what that becomes when the transaction has ended well */
};

/* Attaches the file, which was opened for reading as source; and the end of that. */
enum status merge_attach(struct merge *merge, const struct store *source, struct error *error);
void merge_detach(struct merge *merge);

/* The target's run that a run of the source is, or is a part of; 0 if there is none. */
enum status merge_find_run(struct merge *merge, int64_t from_run, int64_t *to_run, struct error *error);

/* The same, and its row is stored now or brought up to date. *is_new: the target did not know the run. */
enum status merge_run_row(struct merge *merge, int64_t from_run, int64_t *to_run, bool *is_new, struct error *error);

/*
 * Merges a job and everything that belongs to it into the run to_run, or what the target's job of the same UUID lacks. *is_new:
 * the target did not have the job. *batches: how many batches came. Runs in the caller's transaction.
 */
enum status merge_job(struct merge *merge, int64_t from_job, int64_t to_run, bool *is_new, uint64_t *batches,
                      struct error *error);

/* The target's id for a text, a driver, a test or an environment of the source, which is stored now unless it was before. */
enum status merge_content(struct merge *merge, int64_t from, int64_t *to, struct error *error);
enum status merge_driver(struct merge *merge, int64_t from, int64_t *to, struct error *error);
enum status merge_test(struct merge *merge, int64_t from, int64_t *to, struct error *error);
enum status merge_environment(struct merge *merge, int64_t from, int64_t *to, struct error *error);

/* The target's id for the empty text, which replaces what is left out; 0 if the target has none yet. */
enum status merge_find_nothing(struct merge *merge, int64_t *to, struct error *error);

/* Brings the notes of calibrations, of which none belongs to a run, in a transaction of their own. */
enum status merge_calibrations(struct merge *merge, struct error *error);

/* STATUS_DATABASE: the source is inconsistent, in itself or with the target. why completes "FILE: ". */
enum status merge_refuse(const struct merge *merge, struct error *error, const char *why, ...)
    __attribute__((format(printf, 3, 4)));

#endif
