// SPDX-License-Identifier: Apache-2.0
/* Output of `run --dry-run`: the plan, without running it. */
#ifndef ORCHIL_CLI_PRINT_DRY_RUN_H
#define ORCHIL_CLI_PRINT_DRY_RUN_H

#include <stdbool.h>

#include "runner/run/run_jobs.h"

/* Prints the plan to standard output, as a table or as one JSON object. */
enum status dry_run_print(const struct run_options *options, const struct run_plan *plan, bool json,
                          struct error *error);

#endif
