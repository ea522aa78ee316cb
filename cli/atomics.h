// SPDX-License-Identifier: Apache-2.0
/* The options that name a header with the user's own atomics (litmus/language/user_atomics.h). A process has one, so
 * they have no member in a verb's request. No project file has them. */
#pragma once

#include "cli/options.h"

void atomics_read(const struct argp_state *state, const struct option_row *row, const char *value, void *request);

/* The rows of a verb that generates kernels. */
#define ATOMICS_ROWS                                                                                                   \
    {"atomics",                                                                                                        \
     0,                                                                                                                \
     "FILE",                                                                                                           \
     OPTION_OTHER,                                                                                                     \
     .file = OPTION_FILE_READ,                                                                                         \
     .read = atomics_read,                                                                                             \
     .help = "test your own atomics: kernels of OPENCL, C and CUDA tests include this header and call its functions, " \
             "such as orchil_load_acquire_device or orchil_load; see `orchil manual your-own-atomics`"},               \
        {"atomics-include",                                                                                            \
         0,                                                                                                            \
         "DIR",                                                                                                        \
         OPTION_OTHER,                                                                                                 \
         .file = OPTION_FILE_READ,                                                                                     \
         .read = atomics_read,                                                                                         \
         .help = "find what the header includes in this folder; may be given several times"},                          \
        {"atomics-define",     0,                                                                                      \
         "NAME[=VALUE]",       OPTION_OTHER,                                                                           \
         .read = atomics_read, .help = "define a macro for the header; may be given several times"},                   \
    {                                                                                                                  \
        "atomics-only", 0, NULL, OPTION_OTHER,                                                                         \
            .read = atomics_read,                                                                                      \
            .help = "refuse tests with an atomic access, fence or barrier for which the header has no function, "      \
                    "instead of the built-in one"                                                                      \
    }

/* Loads the header if one was named, and says on standard error what it has. */
enum status atomics_take(struct error *error);
