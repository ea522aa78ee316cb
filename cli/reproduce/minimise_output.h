// SPDX-License-Identifier: Apache-2.0
/* The output while a reproducer is minimised, and about the result. */
#ifndef ORCHIL_CLI_REPRODUCE_MINIMISE_OUTPUT_H
#define ORCHIL_CLI_REPRODUCE_MINIMISE_OUTPUT_H

#include "runner/hunt/minimise/minimise.h"

/* Prints each step on standard error, for minimise. */
extern const struct minimise_listener minimise_output;

/* Prints how it ended and what is needed, on standard output. */
void minimise_output_print(const struct minimal *minimal);

#endif
