// SPDX-License-Identifier: Apache-2.0
/* The tests that a test names: its controls and its mutants. Private to this folder. */
#ifndef ORCHIL_CATALOGUE_RELATED_H
#define ORCHIL_CATALOGUE_RELATED_H

#include <stdbool.h>

#include "litmus/litmus.h"

enum { RELATED_NAME_SIZE = 256 };

/* The metadata keys that name tests. */
extern const char related_controls[], related_mutants[];

/* The names behind a key one by one; *rest starts as NULL. False behind the last, and where the key is missing. A longer
 * name is cut. */
bool related_next(const struct litmus_test *test, const char *key, const char **rest, char name[RELATED_NAME_SIZE]);

#endif
