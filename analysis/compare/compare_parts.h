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

/* Learns from all pairs how much runs differ, and decides the results. */
void compare_decide(struct comparison *comparison);

/* Lists what is worth a sentence, in order. */
void compare_find(struct comparison *comparison);

/* compare_describe with what stands between the clauses of a sentence: a blank, or the start of an indented line. */
void compare_describe_with(const struct comparison *comparison, const struct finding *finding, const char *gap,
                           struct text *text);

/* How many different draws the runs of a sample have that counted something, and in how many of them an outcome of this label
 * was seen. */
struct sample_draws {
    size_t count, seen_in;
};
struct sample_draws compare_count_draws(const struct sample *sample, const char *label);

/* Adds "x1.67 (1.62 to 1.71)". */
void compare_add_factor(struct text *text, double ratio, struct interval interval);

/* How alike the sides are, for each device and driver. */
void compare_fingerprints(struct comparison *comparison);

/* Lists in what circumstances the pairs differ. */
void compare_remarks(struct comparison *comparison);

#endif
