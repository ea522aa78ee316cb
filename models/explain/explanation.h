// SPDX-License-Identifier: Apache-2.0
/* Turns an execution that the search found into an explanation. */
#ifndef ORCHIL_MODELS_EXPLAIN_EXPLANATION_H
#define ORCHIL_MODELS_EXPLAIN_EXPLANATION_H

#include "models/explain/explain.h"
#include "models/search/enumerate.h"

/* The explanation of an outcome that this execution has; values: those of the test's variables,
 * or NULL for any outcome. The caller calls explanation_free. */
struct explanation *explanation_make(const struct capture *capture, enum verdict verdict, const int64_t *values,
                                     const char *axiom);
void explanation_free(struct explanation *explanation);

/* Gives the events the bodies that their threads have in `test`; NULL is fine. */
void explanation_find_bodies(struct explanation *explanation, const struct litmus_test *test);

/* Makes coherence total, with the observed final values last, and the other pairs in the order of their numbers. */
void execution_complete_coherence(struct execution *execution, const int64_t *values);

/* Writes a shortest cycle that sequential consistency forbids to `cycle`, which has room for
 * EVENTS_MAXIMUM + 1 edges. Coherence is total. Returns the number of edges; 0 if there is no
 * cycle. */
unsigned execution_sc_cycle(const struct execution *execution, struct explained_edge *cycle);

#endif
