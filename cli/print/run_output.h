// SPDX-License-Identifier: Apache-2.0
/* What a run prints while it goes on and when it has ended: the listener of `run` and of `gate`. */
#ifndef ORCHIL_CLI_PRINT_RUN_OUTPUT_H
#define ORCHIL_CLI_PRINT_RUN_OUTPUT_H

#include <stdio.h>

#include "base/terminal/terminal.h"
#include "cli/print/log_names.h"
#include "cli/print/summary.h"
#include "runner/run/run_jobs.h"

/* The caller sets json and quiet; all else starts as 0. */
struct run_output {
    bool json;  /* an object per job in place of all words */
    bool quiet; /* neither jobs nor the summary; progress is still shown */
    const char *log_path;
    FILE *log;
    struct log_names log_names;
    struct progress progress;
    struct summary summary;
};

/* Opens the file that litmus7 log blocks are appended to, and reads the names of its tests; NULL: none. USAGE where it is a database. */
enum status run_output_log(struct run_output *output, const char *path, const char *database, struct error *error);

/* Runs the plan and prints what happens. Gives the exit code of the process. */
int run_output_run(struct run_output *output, const struct run_options *options, const struct run_plan *plan, int argc,
                   char **argv, struct run_result *result);

#endif
