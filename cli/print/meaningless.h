// SPDX-License-Identifier: Apache-2.0
/* Tests to which the language gives no meaning, whose counts say nothing. Private to this folder. */
#ifndef ORCHIL_CLI_PRINT_MEANINGLESS_H
#define ORCHIL_CLI_PRINT_MEANINGLESS_H

#include "runner/run/report.h"

/* "data race", or the flags of the deciding model such as "barrier-divergence"; NULL for a test with a meaning. Valid as
 * long as the report. */
const char *meaningless_because(const struct job_report *report);

#endif
