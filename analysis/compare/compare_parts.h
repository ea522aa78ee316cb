// SPDX-License-Identifier: Apache-2.0
/* The parts that make a comparison. Private to the files compare*.c. */
#ifndef ORCHIL_ANALYSIS_COMPARE_COMPARE_PARTS_H
#define ORCHIL_ANALYSIS_COMPARE_COMPARE_PARTS_H

#include "analysis/compare/compare.h"

/* Each says false where memory ran out. */

/* Tests every outcome of a pair; p values are not corrected and results not decided yet. */
bool compare_pair(struct comparison *comparison, struct pair *pair);

/* Corrects the p values of all pairs and decides the results. */
bool compare_decide(struct comparison *comparison);

/* Lists what is worth a sentence, in order. */
bool compare_find(struct comparison *comparison);

/* compare_describe with what stands between the clauses of a sentence: a blank, or the start of an indented line. */
void compare_describe_with(const struct comparison *comparison, const struct finding *finding, const char *gap,
                           struct text *text);

bool compare_fingerprints(struct comparison *comparison);
bool compare_remarks(struct comparison *comparison);

#endif
