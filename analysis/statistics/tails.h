// SPDX-License-Identifier: Apache-2.0
/*
 * Quantiles of the beta distribution, for shapes from 1 to some 1e13.
 *
 * The density is written with the distance from the mean, which avoids differences of large
 * numbers: with shapes of 1e12 the plain formulas lose all their digits.
 */
#ifndef ORCHIL_ANALYSIS_STATISTICS_TAILS_H
#define ORCHIL_ANALYSIS_STATISTICS_TAILS_H

/* Beta(a, b). a, b >= 1. */
struct tails_law {
    double a, b;
};

/* The probability below x; here shapes may be any positive number. Relative error about 1e-13. */
double tails_beta_below(struct tails_law law, double x);

#endif
