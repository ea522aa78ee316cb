// SPDX-License-Identifier: Apache-2.0
/* Outputs of a gate's decision: standard output, files, and the CI service that runs it. Private to
 * the files gate*.c and verb_gate.c. */
#ifndef ORCHIL_CLI_PRINT_GATE_OUTPUT_H
#define ORCHIL_CLI_PRINT_GATE_OUTPUT_H

#include "runner/gate/decide/gate.h"

struct gate_files {
    const char *junit, *markdown, *sarif, *metrics; /* NULL: none */
    bool json;                                      /* instead of the text */
    bool verbose;                                   /* the text with counts, p and method */
    const char *update;                             /* expectations to which findings are added as drafts; NULL:
                                   * none */
};

/* Checks before the run that the files can be written, so that no time is wasted. Creates missing
 * files, empty. */
/* With `update`, also checks that this file can be read as expectations. */
enum status gate_output_check(const struct gate_files *files, struct error *error);

/*
 * Prints and writes all of it. Only on GitHub (GITHUB_ACTIONS is "true"), annotations go to
 * standard output, or with --json to standard error, and the Markdown is added to the file that
 * GITHUB_STEP_SUMMARY names, within its limit of 1 MiB.
 */
enum status gate_output_print(const struct gate *gate, const struct gate_files *files, struct error *error);

/* The same, except for expectations, for a gate that could not decide. */
enum status gate_output_print_stopped(const struct gate_stopped *stopped, const struct gate_files *files,
                                      struct error *error);

#endif
