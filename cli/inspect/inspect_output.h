// SPDX-License-Identifier: Apache-2.0
/* The output of `orchil inspect`. */
#ifndef ORCHIL_CLI_INSPECT_INSPECT_OUTPUT_H
#define ORCHIL_CLI_INSPECT_INSPECT_OUTPUT_H

#include "base/text.h"
#include "catalogue/selection.h"
#include "runner/inspect/compile/inspect_many.h"

/* The number of tests in each state. */
struct inspect_tally {
    size_t states[KEPT_COUNT];
};
struct inspect_tally inspect_tally(const struct inspected *results, size_t count);

/* Prints to standard output the tests that were not kept, each with its findings, and those that
 * were not inspected, by reason; then a table of families and a line for all. */
void inspect_print_text(const struct selection *selection, const struct inspected *results);

/* Prints one line of JSON for each test. False if standard output fails. */
bool inspect_print_json(const struct selection *selection, const struct inspected *results, const char *architecture);

/* Appends JUnit XML: a test suite, and a case for each test. */
void inspect_add_junit(const struct selection *selection, const struct inspected *results, const char *architecture,
                       struct text *text);

#endif
