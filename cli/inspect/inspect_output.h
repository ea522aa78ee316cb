// SPDX-License-Identifier: Apache-2.0
/* What `orchil inspect` prints. */
#ifndef ORCHIL_CLI_INSPECT_OUTPUT_H
#define ORCHIL_CLI_INSPECT_OUTPUT_H

#include "base/text.h"
#include "catalogue/selection.h"
#include "runner/inspect/offline.h"

/* How many tests came to each state. */
struct inspect_tally {
    size_t states[KEPT_COUNT];
};
struct inspect_tally inspect_tally(const struct inspected *results, size_t count);

/* The tests that were not kept, each with its findings, and those that were not inspected, by reason; then a table of families
 * and a line for all. To standard output. */
void inspect_print_text(const struct selection *selection, const struct inspected *results);

/* One line of JSON for each test. False where standard output takes no more. */
bool inspect_print_json(const struct selection *selection, const struct inspected *results, const char *architecture);

/* Appends JUnit XML: a test suite, and a case for each test. */
void inspect_add_junit(const struct selection *selection, const struct inspected *results, const char *architecture,
                       struct text *text);

#endif
