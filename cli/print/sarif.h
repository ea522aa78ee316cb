// SPDX-License-Identifier: Apache-2.0
/* Findings about tests as SARIF 2.1.0 (OASIS), which code-scanning services show beside the tests' lines. */
#ifndef ORCHIL_CLI_PRINT_SARIF_H
#define ORCHIL_CLI_PRINT_SARIF_H

#include <jansson.h>

#include "base/status.h"

struct gate;
struct gate_stopped;

/* Zero-initialised, it has no findings. NULL in the place of one that is not wanted is ignored by sarif_add. */
struct sarif {
    json_t *rules, *results, *notification;
};

struct sarif_result {
    const char *rule,
        *meaning;      /* its id, such as "not-kept", and what it means: the same for each result of the rule */
    const char *level; /* "error", "warning" or "note" */
    const char *message;
    const char *test;      /* with its dialect: "PTX:MP+relaxed" */
    const char *file;      /* as struct selected_test has it, or another file that has the test */
    const char *text;      /* of the test, which line and column point into; NULL if unknown */
    unsigned line, column; /* in the file; 0 if it is about the whole test */
    const char *where;     /* the device, compiler or model */
    const char *what; /* what tells it from others of this rule, test and place, and stays the same; "" for nothing */
    const char *suppressed; /* why it does not count; NULL if it counts */
};

void sarif_add(struct sarif *sarif, const struct sarif_result *result);

/* Adds the reasons of a gate, or that it could not decide. */
void sarif_add_gate(struct sarif *sarif, const struct gate *gate);
void sarif_add_stopped(struct sarif *sarif, const struct gate_stopped *stopped);

/* Writes the file and releases the findings; does nothing but that without a path. Errors as for file_write_whole. */
enum status sarif_write(struct sarif *sarif, const char *verb, const char *path, struct error *error);

#endif
