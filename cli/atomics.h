// SPDX-License-Identifier: Apache-2.0
/* The options that name a header with the user's own atomics (litmus/language/user_atomics.h). A process has one, so
 * they have no member in a verb's request. No project file has them. */
#pragma once

#include "cli/options.h"

void atomics_read(const struct argp_state *state, const struct option_row *row, const char *value, void *request);

/* The rows of a verb that generates kernels. */
#define ATOMICS_ROWS                                                                                                   \
    {"atomics", 0, "FILE", OPTION_OTHER, .file = OPTION_FILE_READ, .read = atomics_read},                              \
        {"atomics-include", 0, "DIR", OPTION_OTHER, .file = OPTION_FILE_READ, .read = atomics_read},                   \
        {"atomics-define", 0, "NAME[=VALUE]", OPTION_OTHER, .read = atomics_read},                                     \
    {                                                                                                                  \
        "atomics-only", 0, NULL, OPTION_OTHER, .read = atomics_read                                                    \
    }

/* Loads the header if one was named, and says on standard error what it has. */
enum status atomics_take(struct error *error);
