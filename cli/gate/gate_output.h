// SPDX-License-Identifier: Apache-2.0
/* Where a gate's decision goes: standard output, files, and the service that runs it. Private to the files gate*.c and
 * verb_gate.c. */
#ifndef ORCHIL_CLI_GATE_GATE_OUTPUT_H
#define ORCHIL_CLI_GATE_GATE_OUTPUT_H

#include "analysis/analysis.h"

struct gate_files {
    const char *junit, *markdown; /* NULL: none */
    bool json;                    /* instead of the text */
    bool verbose;                 /* the text with counts, p and method */
    const char *update;           /* expectations that what was seen is added to, as drafts; NULL: none */
};

/* Whether the files can be written: asked before the run, so that no minute is spent in vain. An empty file is made where
 * there was none. */
/* With `update`, also whether that file can be read as expectations. */
enum status gate_output_check(const struct gate_files *files, struct error *error);

/*
 * Prints and writes all of it. Only where GitHub runs it (GITHUB_ACTIONS is "true"), annotations go to standard output, or
 * with --json to standard error, and the Markdown is added to the file that GITHUB_STEP_SUMMARY names, within its limit
 * of 1 MiB.
 */
enum status gate_output_print(const struct gate *gate, const struct gate_files *files, struct error *error);

#endif
