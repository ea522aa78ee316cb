// SPDX-License-Identifier: Apache-2.0
/* A test's own word against a model's: what its file says must never appear, and the model allows. Private to this folder. */
#ifndef ORCHIL_CLI_PRINT_CLAIM_H
#define ORCHIL_CLI_PRINT_CLAIM_H

#include "runner/run/report.h"

/* Appends a sentence: which line of which file claims what, and what the model says. by: of report_contradicted. */
void claim_describe(const struct job_report *report, const struct opinion *by, struct text *text);

#endif
