// SPDX-License-Identifier: Apache-2.0
/* The file of a baseline. */
#ifndef ORCHIL_RUNNER_GATE_BASELINE_FILE_H
#define ORCHIL_RUNNER_GATE_BASELINE_FILE_H

#include "results/results.h"
#include "runner/gate/calibrate/calibrate.h"
#include "runner/run/provenance.h"

/* The source of a baseline. Borrowed. */
struct baseline_content {
    const char *from;                    /* the database */
    const int64_t *runs;                 /* the runs to take */
    size_t run_count;                    /* 0: all */
    const struct provenance *provenance; /* of this process */
    const struct calibration_notes
        *notes; /* what was learned about them, in addition to the notes of the database; or NULL */
};

/* USAGE if the file exists: a baseline is not overwritten. */
enum status baseline_file_check(const char *path, struct error *error);

/* Writes the file, which gets its name once it is complete. */
enum status baseline_file_write(const char *path, const struct baseline_content *content,
                                struct store_merge_tally *tally, struct error *error);

/* Appends "base.db: 3 runs, 6 jobs, 124 batches, 45,056 bytes." to text. */
enum status baseline_file_describe(const char *path, const struct store_merge_tally *tally, struct text *text,
                                   struct error *error);

#endif
