// SPDX-License-Identifier: Apache-2.0
/*
 * A merge in progress. The source file is attached to the target's connection as "source", for
 * reading only; the target is "main". Every statement names one of the two.
 */
#ifndef ORCHIL_RESULTS_MERGE_H
#define ORCHIL_RESULTS_MERGE_H

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

/* Merges the notes of calibrations, which do not belong to runs, in their own transaction. */
enum status merge_calibrations(struct merge *merge, struct error *error);

#endif
