// SPDX-License-Identifier: Apache-2.0
/* The output of a search for an environment, during the search and at its end. */
#ifndef ORCHIL_CLI_PRINT_TUNE_OUTPUT_H
#define ORCHIL_CLI_PRINT_TUNE_OUTPUT_H

#include "runner/hunt/tune/tune.h"

/* Searches and prints what happens. Returns the exit code of the process. */
int tune_output_run(const struct tune_options *options, const struct run_plan *plan);

#endif
