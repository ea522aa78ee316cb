// SPDX-License-Identifier: Apache-2.0
/* The provenance of a run's results. */
#pragma once

#include "base/base.h"

/* The environment variable with which orchil tells its own runs to leave out the name of the machine and the values of
 * variables, which may be paths. */
#define PROVENANCE_NAMELESS "ORCHIL_NAMELESS"

/* Strings are owned by the struct and never NULL. */
struct provenance {
    char *tool_version;          /* "0.1.0 (0123456789ab)" */
    char *command_line;          /* arguments, quoted for a shell where needed */
    char *host;                  /* name, kernel, machine */
    char *environment_variables; /* JSON object: the variables that affect drivers, compilers and orchil */
};

void provenance_find(int argc, char *const *argv, struct provenance *provenance);
/* The tool's version, as a text that the caller frees. */
char *provenance_tool_version(void);
/* A stored host without the machine's name, and stored variables without their values. The caller frees them. */
char *provenance_without_name(const char *host);
char *provenance_without_values(const char *variables);
void provenance_release(struct provenance *provenance);

/* Whether a variable ("NAME=VALUE") affects drivers, compilers or orchil. */
bool provenance_steers(const char *variable);
