// SPDX-License-Identifier: Apache-2.0
/* How a verb says that it failed. Private to this folder. */
#ifndef ORCHIL_CLI_COMPLAINT_H
#define ORCHIL_CLI_COMPLAINT_H

#include "base/status.h"

/* Prints an error to standard error, with its detail indented below, and gives its exit code. verb is "orchil list", or
 * NULL for none before the message. A fault in a file starts with FILE:LINE:COLUMN, which editors look for at the start
 * of a line: there the verb is left out. */
int complain(const char *verb, const struct error *error);

#endif
