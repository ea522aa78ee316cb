// SPDX-License-Identifier: Apache-2.0
/* The parts that make a gate's decision. Private to the files gate*.c. */
#ifndef ORCHIL_ANALYSIS_GATE_GATE_PARTS_H
#define ORCHIL_ANALYSIS_GATE_GATE_PARTS_H

#include "analysis/gate/gate.h"

/* What is decided, and marks of the expectations that were met. */
struct gate_deciding {
    struct gate *gate;
    const struct gate_options *options;
    bool *met;  /* per entry: something that it speaks of was seen */
    bool *live; /* per entry: a test that it speaks of was run to its end */
};

/* Adds a reason to a case; the sentence is taken from text, which is emptied. */
void gate_add_reason(struct gate_deciding *deciding, struct gate_case *of, struct gate_reason reason,
                     struct text *text);

/* Adds what makes the case of a mutant that ran to its end mean nothing: its witness is seen too rarely, or a rate is known
 * too badly. pair: with the baseline, or NULL. */
void gate_add_doubts(struct gate_deciding *deciding, struct gate_case *of, const struct pair *pair, struct text *text);

/*
 * Makes the entries of a gate whose cases are complete, and puts cases and the reasons of each into the same order: by
 * section, then from the gravest kind to the most harmless, then by test, as the comparison has them. Counts what is seen
 * on one side only.
 */
void gate_order(struct gate *gate);

/* Whether one side alone has seen the outcome of a finding, which may be NULL. */
bool gate_is_one_sided(const struct finding *finding);

#endif
