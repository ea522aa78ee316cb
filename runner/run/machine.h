// SPDX-License-Identifier: Apache-2.0
/* What on this machine can prevent tests from running, apart from drivers: device files, limits, variables, a damaged
 * database. Lines for people, safe for a terminal, each with what helps. */
#ifndef ORCHIL_RUNNER_RUN_MACHINE_H
#define ORCHIL_RUNNER_RUN_MACHINE_H

#include "base/base.h"

struct machine_section {
    const char *title;
    void (*add)(struct text *lines); /* appends what was found; each line ends with a newline */
};

/* This program and the system. */
extern const struct machine_section machine_program;

/* The others, up to a row without a title. */
extern const struct machine_section machine_sections[];

/* Appends what there is to say of a database. Returns whether it can be used; one that does not exist can. */
bool machine_check_database(const char *path, struct text *text);

#endif
