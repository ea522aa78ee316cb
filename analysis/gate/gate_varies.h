// SPDX-License-Identifier: Apache-2.0
/* How much the runs of a baseline differ from each other. Private to the files gate*.c. */
#ifndef ORCHIL_ANALYSIS_GATE_GATE_VARIES_H
#define ORCHIL_ANALYSIS_GATE_GATE_VARIES_H

#include "analysis/compare/compare.h"

/*
 * Whether the rate that a finding is about lies, in B, where one more run of the baseline would lie with 95 %: within
 * Student's prediction interval of the logarithms of the rates of the baseline's runs. If so, adds that to text. False
 * for a baseline of fewer than three runs, of which nothing is known. What the tests over batches cannot see is just
 * this: batches of one run share clocks, temperature and neighbours.
 *
 * Where three runs of the baseline or more have B's seed, the draws that all of these have are counted and nothing else: what
 * other draws do to a rate is no difference between runs, and a longer run would seem different.
 */
bool gate_runs_vary(const struct finding *finding, struct text *text);

#endif
