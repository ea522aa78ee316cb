// SPDX-License-Identifier: Apache-2.0
/* The names that synthesised tests have in the catalogue. */
#ifndef ORCHIL_CLI_KNOWN_TESTS_H
#define ORCHIL_CLI_KNOWN_TESTS_H

#include "base/hash_index.h"
#include "catalogue/selection.h"

/* Starts as {0}. */
struct known_tests {
    struct selection selection;
    char **keys; /* synthesis_key of its tests, or NULL */
    struct hash_index index;
};

/* The tests of the catalogue in a dialect. The caller releases them, also after an error. */
enum status known_tests_open(struct known_tests *known, enum litmus_dialect dialect, struct error *error);
void known_tests_release(struct known_tests *known);

/* The name of the first test with this key, or NULL. */
const char *known_tests_name(const struct known_tests *known, const char *key);

#endif
