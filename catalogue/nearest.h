// SPDX-License-Identifier: Apache-2.0
/* The tests of the catalogue nearest to a given one: those of its family whose names differ from its name in one
 * word, such as a tag of a thread, a scope or a placement. */
#ifndef ORCHIL_CATALOGUE_NEAREST_H
#define ORCHIL_CATALOGUE_NEAREST_H

#include "base/arena.h"
#include "base/status.h"
#include "litmus/litmus.h"

struct nearest_test {
    const char *name, *expect; /* expect: its claim about its witness ("allowed"), or "" */
    const char *differs;       /* what its name has: "acq instead of relaxed", "with cta", "without rmw" */
};

enum { NEAREST_MAXIMUM = 5 };

/* At most NEAREST_MAXIMUM tests of the test's dialect, in the order of the catalogue: first those whose witness has
 * the other verdict than the test's, which is `allowed` or not. None if the test's name has no words after its family
 * ("MP+rel+acq" has two). They live in the arena. Errors are those of parsing a test of the catalogue. */
enum status nearest_find(const struct litmus_test *test, bool allowed, struct arena *arena,
                         struct nearest_test **nearest, size_t *count, struct error *error);

#endif
