// SPDX-License-Identifier: Apache-2.0
/* Programs of others that may be installed or not: disassemblers. */
#ifndef ORCHIL_RUNNER_INSPECT_TOOL_H
#define ORCHIL_RUNNER_INSPECT_TOOL_H

#include <stddef.h>

#include "base/status.h"
#include "base/text.h"

/*
 * Runs a program that PATH leads to, in English, and appends what it writes to standard output. At most `seconds` (then it is
 * killed) and `maximum` bytes. arguments: its name first, NULL last. UNSUPPORTED where there is no such program; LIMIT beyond
 * either limit; SYSTEM where it fails.
 */
enum status tool_run(const char *const *arguments, double seconds, size_t maximum, struct text *output,
                     struct error *error);

#endif
