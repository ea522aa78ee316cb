// SPDX-License-Identifier: Apache-2.0
/* What measuring a question and deciding it with a suite share. */
#ifndef ORCHIL_ANALYSIS_STATISTICS_MEASURE_PARTS_H
#define ORCHIL_ANALYSIS_STATISTICS_MEASURE_PARTS_H

#include "analysis/statistics/runs.h"

/* The variance of the logarithm of the ratio of two sides' rates over pairs of batches; 0 if a side has no counts. */
double statistics_pair_variance(const struct statistics_batch *a, const struct statistics_batch *b, size_t count);

/* ---- a suite: shared by learning from it and deciding with it ---- */

enum { STATISTICS_FEWEST_TESTS = 8 }; /* fewer do not show how much they agree, nor whether whole runs differ */

static const double statistics_median_variance = 1.5707963267948966; /* variance of a median over the variance of a
                                                                      * mean: pi / 2 */

/* Whether a question has enough sightings for a suite to learn from. */
bool statistics_is_of_use(const struct statistics_measure *measure);

#endif
