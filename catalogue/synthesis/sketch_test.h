// SPDX-License-Identifier: Apache-2.0
/* Sketches as tests, and tests as sketches. */
#ifndef ORCHIL_CATALOGUE_SYNTHESIS_SKETCH_TEST_H
#define ORCHIL_CATALOGUE_SYNTHESIS_SKETCH_TEST_H

#include "catalogue/synthesis/sketch.h"
#include "litmus/litmus.h"

/* The test of a sketch, whose condition is the outcome, which says everything. It observes every read, in the order of
 * accesses, and every location with more than one write, and nothing else. The caller releases it. */
struct litmus_test *sketch_test(enum litmus_dialect dialect, const struct sketch *sketch,
                                const struct outcome *outcome);

/*
 * The sketch of a test whose threads are straight lines of loads, stores and exchanges (or additions of 0, in place of
 * reads) of single words and fences between them, and the outcome that its condition describes: values that each have
 * one write, joined by "and". False for every other test, with what it has that no sketch has appended to `why`, or NULL. Strengths are as in its dialect: the scopes
 * that include all threads are wide.
 */
bool sketch_of_test(const struct litmus_test *test, struct sketch *sketch, struct outcome *outcome, struct text *why);

#endif
