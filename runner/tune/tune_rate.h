// SPDX-License-Identifier: Apache-2.0
/*
 * How often a test's witness appears in an environment, batch by batch, and what can be said of it before the end. Private
 * to tuning.
 */
#ifndef ORCHIL_RUNNER_TUNE_TUNE_RATE_H
#define ORCHIL_RUNNER_TUNE_TUNE_RATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { TUNE_LEAST_BATCHES = 3 }; /* before anything is said of a rate's bounds */

/* Starts as {0}. */
struct tune_rate {
    uint64_t batches, witnesses, instances;
    double seconds;       /* of wall clock, from batch to batch */
    double mean, squares; /* of the batches' rates, and of their squared distances from it */
};

void tune_rate_add(struct tune_rate *rate, uint64_t witnesses, uint64_t instances, double seconds);

/* Witnesses per second; 0 before the first batch. */
double tune_rate_value(const struct tune_rate *rate);

/* The natural logarithm of the rate of what came since `before`, which was this rate then; 0 for a rate below 1 per second. */
double tune_log_since(const struct tune_rate *rate, const struct tune_rate *before);

/* Bounds that the rate of many more batches keeps with good confidence: two (below) and three (above) standard errors,
 * of the batches' spread or of counting, whichever is larger. INFINITY and 0 before TUNE_LEAST_BATCHES. */
double tune_rate_upper(const struct tune_rate *rate);
double tune_rate_lower(const struct tune_rate *rate);

/* Sum of the natural logarithms of `count` rates, by value or by lower bound; a rate below 1 per second adds 0. */
double tune_score(const struct tune_rate *rates, size_t count);
double tune_score_lower(const struct tune_rate *rates, size_t count);

/* The geometric mean of `count` rates, from their score. */
double tune_mean(double score, size_t count);

/*
 * Whether a candidate can be given up while rate `at` of `count` is measured: even if that one is at its upper bound, and
 * the later ones come to the records (the highest values seen of each), its score stays below that of the best candidate,
 * by a factor of four or at the best's lower bound.
 */
bool tune_hopeless(const struct tune_rate *rates, size_t at, size_t count, const double *records, double best,
                   double best_lower);

#endif
