// SPDX-License-Identifier: Apache-2.0
/*
 * The mutation score of a suite: the share of its mutants that were killed, and how often.
 *
 * After Levine et al., MC Mutants: Evaluating and Improving Testing for Memory Consistency Specifications, ASPLOS 2023. A
 * mutant is a weakened form of a forbidden test. It is killed when its witness, which its model allows, is seen. The score is
 * the share of the mutants that were killed, and the death rate of a mutant is its kills per second; the mean over all mutants
 * has 0 for one that was never killed.
 */
#ifndef ORCHIL_ANALYSIS_STATISTICS_MUTATION_SCORE_H
#define ORCHIL_ANALYSIS_STATISTICS_MUTATION_SCORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/record.h"

/* Starts as {0}. */
struct mutation_score {
    size_t mutants, killed; /* mutants: of those that ran */
    double rates;           /* the sum of their kills per second */
};

/* Whether a job of the suite is a mutant that ran: it is not forbidden, not run as a control, and not refused by its device. */
bool mutation_score_has(bool control, bool forbidden, enum job_state state);

/* Adds a mutant. seconds: from its first launch to its last read-back. */
void mutation_score_add(struct mutation_score *score, uint64_t witnesses, double seconds);

/* The score, and the mean death rate; of at least one mutant. */
double mutation_score_share(const struct mutation_score *score);
double mutation_score_death_rate(const struct mutation_score *score);

#endif
