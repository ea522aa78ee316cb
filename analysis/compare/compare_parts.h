// SPDX-License-Identifier: Apache-2.0
/* The parts that make a comparison. Private to the files compare*.c. */
#ifndef ORCHIL_ANALYSIS_COMPARE_COMPARE_PARTS_H
#define ORCHIL_ANALYSIS_COMPARE_COMPARE_PARTS_H

#include <stdlib.h>

#include "analysis/compare/compare.h"

/* Finds the pair's equal draws, and how its batches are to be tested. */
void compare_match_draws(struct pair *pair);

/* The draws that both sides have, each as the sums of all runs that have it: gives their number. outcome: of either side,
 * NULL for none. batches: NULL, or arrays with room for pair->equal_draws. */
size_t compare_list_draws(const struct pair *pair, const struct sample_outcome *const outcome[SIDES],
                          struct statistics_batch *batches[SIDES]);

/* The test over batches and the ratio with an interval over batches, into `rate`. */
void compare_within_runs(const struct compare_options *options, const struct pair *pair,
                         const struct sample_outcome *const outcome[SIDES], struct rate *rate);

/* Measures every outcome of a pair; nothing is decided yet. */
void compare_pair(struct comparison *comparison, struct pair *pair);

/* Learns from all pairs how much runs differ, into the comparison's suites, and how far B is shifted. */
void compare_learn(struct comparison *comparison);

/* Decides the results of all questions, by what was learned. */
void compare_decide(struct comparison *comparison);

/* Lists what is worth a sentence, in order. */
void compare_find(struct comparison *comparison);

/* Whether both sides of a pair ran the same kernel, into pair->kernels. */
void compare_find_kernels(struct pair *pair);

/* The results of the pairs whose kernels differ: nothing is decided of them. */
void compare_leave_kernels(struct comparison *comparison);

/* How many different draws the runs of a sample have that counted something, and in how many of them an outcome of this label
 * was seen. */
struct sample_draws {
    size_t count, seen_in;
};
struct sample_draws compare_count_draws(const struct sample *sample, const char *label);

/* Adds what silence says: "fewer than 2.5e-9 per instance if the chance is the same everywhere; 0 of 60 draws: fewer than 5 % of
 * draws show it". */
void compare_add_bounds(struct text *text, const struct sample *sample, const char *label, double confidence);

/* How similar the sides are, for each device and driver. */
void compare_fingerprints(struct comparison *comparison);

/* Lists in what circumstances the pairs differ. */
void compare_remarks(struct comparison *comparison);

#endif
