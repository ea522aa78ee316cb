// SPDX-License-Identifier: Apache-2.0
/*
 * Tails and quantiles of the beta and the gamma distribution, for shapes from 1 to some 1e13. Private to analysis/.
 *
 * Both densities are written with the distance from the mean, so that nothing large is subtracted from something large:
 * with shapes of 1e12 the plain formulas lose all their digits.
 */
#ifndef ORCHIL_ANALYSIS_STATISTICS_TAILS_H
#define ORCHIL_ANALYSIS_STATISTICS_TAILS_H

#include <stdbool.h>

/* Beta(a, b), or the gamma distribution of shape a and rate 1. a, b >= 1. */
struct tails_law {
    bool beta;
    double a, b;
};

/* The probability of a value below x, or above it. x in [0, 1] for a beta distribution, else >= 0. */
double tails_below(const struct tails_law *law, double x);
double tails_above(const struct tails_law *law, double x);

/* The x with probability p below it, or above it; 0 < p < 1. Relative error about 1e-14. */
double tails_quantile_below(const struct tails_law *law, double p);
double tails_quantile_above(const struct tails_law *law, double p);

#endif
