// SPDX-License-Identifier: Apache-2.0
/* A test's claim against a model's: an outcome that must never appear according to its file, and
 * that the model allows. Private to this folder. */
#ifndef ORCHIL_CLI_PRINT_CLAIM_H
#define ORCHIL_CLI_PRINT_CLAIM_H

#include "runner/run/report.h"

/* Appends a sentence: the claim, its file and line, and the model's verdict. by: of
 * report_contradicted. */
void claim_describe(const struct job_report *report, const struct opinion *by, struct text *text);

#endif
