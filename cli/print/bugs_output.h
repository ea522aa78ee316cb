// SPDX-License-Identifier: Apache-2.0
/* Prints the bugs that broke programs: orchil list --field. */
#ifndef ORCHIL_CLI_PRINT_BUGS_OUTPUT_H
#define ORCHIL_CLI_PRINT_BUGS_OUTPUT_H

#include <stdbool.h>

#include "catalogue/selection.h"

/* A table, or a JSON array with one object for each bug. NULL: all bugs; otherwise those that name a selected test. */
void bugs_print(const struct selection *selection, bool json);

#endif
