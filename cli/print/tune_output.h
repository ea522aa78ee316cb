// SPDX-License-Identifier: Apache-2.0
/* What a search for an environment prints while it goes on and when it has ended. */
#ifndef ORCHIL_CLI_PRINT_TUNE_OUTPUT_H
#define ORCHIL_CLI_PRINT_TUNE_OUTPUT_H

#include "runner/tune/tune.h"

/* Searches and prints what happens. Gives the exit code of the process. */
int tune_output_run(const struct tune_options *options, const struct run_plan *plan, int argc, char **argv);

#endif
