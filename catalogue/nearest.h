// SPDX-License-Identifier: Apache-2.0
/* The tests of the catalogue nearest to a given one: the same accesses of the same locations in
 * the same threads, under any names, with other orders, fences, scopes, barriers, placements or
 * conditions. */
#ifndef ORCHIL_CATALOGUE_NEAREST_H
#define ORCHIL_CATALOGUE_NEAREST_H

#include "base/arena.h"
#include "base/status.h"
#include "litmus/litmus.h"

struct nearest_test {
    const char *name, *expect; /* expect: its claim about its witness ("allowed"), or "" */
    const char *differs;       /* "P0 y release; fence sc gpu in P1": the differences: what it has and the
                        * given test lacks */
    const char *kind;  /* the differences other than the host's calls: of tests with equal ones, only one is listed */
    unsigned distance; /* greater than 0 */
};

enum { NEAREST_MAXIMUM = 5, NEAREST_OTHER = 2, NEAREST_THREADS = 4 };

/* At most NEAREST_MAXIMUM tests of the test's dialect, the nearest first, among them the
 * NEAREST_OTHER nearest whose witness has the other verdict than the test's, which is `allowed`
 * or not. Of tests that differ from it in the same way except for the host's call ("by queue",
 * "by event"), only the nearest, and of several the first. None if the test has more than
 * NEAREST_THREADS threads. They live in the arena. */
enum status nearest_find(const struct litmus_test *test, bool allowed, struct arena *arena,
                         struct nearest_test **nearest, size_t *count, struct error *error);

#endif
