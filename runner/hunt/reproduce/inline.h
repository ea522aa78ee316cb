// SPDX-License-Identifier: Apache-2.0
/* Inlining one-statement functions, for shorter code. Private to this folder. */
#ifndef ORCHIL_RUNNER_HUNT_REPRODUCE_INLINE_H
#define ORCHIL_RUNNER_HUNT_REPRODUCE_INLINE_H

#include <stdbool.h>

#include "base/text.h"

/* Whether a variable has a type; both are names. */
typedef bool inline_fits(const char *variable, const char *type, const void *context);

/* Replaces calls of one-statement functions by the statement, and appends the functions that are
 * still called to `kept`. functions: in the format of the instructions in struct kernel_pieces.
 * Inline PTX sets only variables of the fitting type. */
void inline_functions(const char *functions, inline_fits *fits, const void *context, struct text *calling,
                      struct text *kept);

/* Replaces each occurrence of a text by another. */
void inline_replace(struct text *text, const char *from, const char *to);

#endif
