// SPDX-License-Identifier: Apache-2.0
/* The parts that make a comparison. Private to the files compare*.c. */
#ifndef ORCHIL_ANALYSIS_COMPARE_COMPARE_PARTS_H
#define ORCHIL_ANALYSIS_COMPARE_COMPARE_PARTS_H

#include "analysis/compare/compare.h"

/* Tests every outcome of a pair; p values are not corrected and results not decided yet. */
void compare_pair(struct comparison *comparison, struct pair *pair);

/* Corrects the p values of all pairs and decides the results. */
void compare_decide(struct comparison *comparison);

/* Lists what is worth a sentence, in order. */
void compare_find(struct comparison *comparison);

/* compare_describe with what stands between the clauses of a sentence: a blank, or the start of an indented line. */
void compare_describe_with(const struct comparison *comparison, const struct finding *finding, const char *gap,
                           struct text *text);

/* How alike the sides are, for each device and driver. */
void compare_fingerprints(struct comparison *comparison);

/* Lists in what circumstances the pairs differ. */
void compare_remarks(struct comparison *comparison);

#endif
