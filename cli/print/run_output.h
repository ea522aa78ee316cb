// SPDX-License-Identifier: Apache-2.0
/* The output of a run in progress and at its end: the listener of `run` and `gate`. */
#ifndef ORCHIL_CLI_PRINT_RUN_OUTPUT_H
#define ORCHIL_CLI_PRINT_RUN_OUTPUT_H

#include <stdio.h>

#include "base/terminal/terminal.h"
#include "cli/print/log_names.h"
#include "cli/print/report_job.h"
#include "cli/print/score.h"
#include "cli/print/summary.h"
#include "cli/print/time_left.h"
#include "runner/run/run_jobs.h"

/* The caller sets json, verbose and quiet; all else starts as 0. */
struct run_output {
    bool json;    /* an object per job instead of text */
    bool verbose; /* a block for each job, however many tests there are */
    bool brief;   /* the run has so many tests that only jobs that need attention get a block */
    struct report_told told;
    bool quiet; /* neither jobs nor the summary; progress is still shown */
    const char *log_path;
    FILE *log;
    struct log_names log_names;
    struct progress_line progress;
    struct summary summary;
    struct score score;
    struct time_left left;
};

/* Opens the file that litmus7 log blocks are appended to, and reads the names of its tests; NULL:
 * none. */
enum status run_output_log(struct run_output *output, const char *path, struct error *error);

/* Makes the line of progress, shorter than `width` columns if possible (0: of any length). left:
 * how much is done and left, in words, or "". */
void run_output_progress(const struct run_progress *progress, const char *left, size_t width, struct text *line);

/* Runs the plan and prints what happens. Returns the exit code of the process. */
int run_output_run(struct run_output *output, const struct run_options *options, const struct run_plan *plan,
                   struct run_result *result);

#endif
