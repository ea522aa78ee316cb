// SPDX-License-Identifier: Apache-2.0
/* Shared by learning from a suite and deciding with it. Private to analysis/statistics/. */
#ifndef ORCHIL_ANALYSIS_STATISTICS_SUITE_H
#define ORCHIL_ANALYSIS_STATISTICS_SUITE_H

#include "analysis/statistics/runs.h"

enum { STATISTICS_FEWEST_TESTS = 8 }; /* fewer do not show how much they agree, nor whether whole runs differ */

static const double statistics_median_variance = 1.5707963267948966; /* variance of a median over the variance of a
                                                                      * mean: pi / 2 */

/* Whether a question has enough sightings for a suite to learn from. */
bool statistics_is_of_use(const struct statistics_measure *measure);

/* The median; sorts the values. 0 if there are none. */
double statistics_median(double *values, size_t count);

#endif
