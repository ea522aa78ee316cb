// SPDX-License-Identifier: Apache-2.0
/*
 * How often a test's witness appears in an environment, batch by batch, with bounds on the rate
 * before the end. Private to tuning.
 */
#ifndef ORCHIL_RUNNER_HUNT_TUNE_TUNE_RATE_H
#define ORCHIL_RUNNER_HUNT_TUNE_TUNE_RATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TUNE_LEAST_BATCHES = 3 }; /* below this a rate has no bounds */

/* Starts as {0}. */
struct tune_rate {
    uint64_t batches, witnesses, instances;
    double seconds;       /* wall clock, from batch to batch */
    double mean, squares; /* of the batches' rates; sum of their squared distances from it */
};

void tune_rate_add(struct tune_rate *rate, uint64_t witnesses, uint64_t instances, double seconds);

/* Witnesses per second; 0 before the first batch. */
double tune_rate_value(const struct tune_rate *rate);

/* The natural logarithm of the rate since `before`, an earlier copy of this rate; 0 for a rate
 * below 1 per second. */
double tune_log_since(const struct tune_rate *rate, const struct tune_rate *before);

/* Bounds within which the rate of many more batches probably stays: two standard errors below and
 * three above, of the batches' spread or of counting, whichever is larger. 0 and INFINITY before
 * TUNE_LEAST_BATCHES. */
double tune_rate_upper(const struct tune_rate *rate);
double tune_rate_lower(const struct tune_rate *rate);

/* Sum of the natural logarithms of `count` rates, of their values or lower bounds; a rate below 1
 * per second adds 0. */
double tune_score(const struct tune_rate *rates, size_t count);
double tune_score_lower(const struct tune_rate *rates, size_t count);

/* The geometric mean of `count` rates, from their score. */
double tune_mean(double score, size_t count);

/*
 * Whether a candidate can be given up while rate `at` of `count` is measured: even if this rate is
 * at its upper bound, and the later ones reach the records (the highest values seen of each), the
 * score stays below the best candidate's, by a factor of four or at the best's lower bound.
 */
bool tune_hopeless(const struct tune_rate *rates, size_t at, size_t count, const double *records, double best,
                   double best_lower);

#endif
