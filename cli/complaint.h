// SPDX-License-Identifier: Apache-2.0
/* Prints the error of a verb that failed. Private to this folder. */
#ifndef ORCHIL_CLI_COMPLAINT_H
#define ORCHIL_CLI_COMPLAINT_H

#include "analysis/sides/side.h"
#include "base/status.h"

/* Prints an error to standard error, with its detail indented below, and returns its exit code.
 * verb is "orchil list", or NULL for no prefix. It is left out before FILE:LINE:COLUMN, which
 * editors look for at the start of a line. */
int complain(const char *verb, const struct error *error);

/* Complains of each database of a folder that could not be read. Returns their number. */
size_t complain_of_unread(const char *verb, const struct side *side);

#endif
