// SPDX-License-Identifier: Apache-2.0
/* The one order in which all outputs of a gate list what it found. Private to the files gate*.c. */
#ifndef ORCHIL_ANALYSIS_GATE_GATE_ORDER_H
#define ORCHIL_ANALYSIS_GATE_GATE_ORDER_H

#include "analysis/gate/gate.h"

/*
 * Makes the entries of a gate whose cases are complete, and puts cases and the reasons of each into the same order: by
 * section, then from the gravest kind to the most harmless, then by test, as the comparison has them. Counts what is seen
 * on one side only.
 */
void gate_order(struct gate *gate);

/* Whether one side alone has seen the outcome of a finding, which may be NULL. */
bool gate_is_one_sided(const struct finding *finding);

#endif
