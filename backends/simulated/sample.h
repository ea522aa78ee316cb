// SPDX-License-Identifier: Apache-2.0
/* Random counts for the simulated device. */
#pragma once

#include "base/random.h"

/* How many of `trials` succeed, each with probability p. Exact even for billions of trials and p = 1e-9: the trials are
 * split at the median of their uniform numbers, which is beta-distributed, until few successes are left (Devroye:
 * Non-Uniform Random Variate Generation, 1986, X.4.3, recursive binomial generators). */
uint64_t sample_binomial(struct random *random, uint64_t trials, double p);

/* A factor with mean 1 and that coefficient of variation (gamma-distributed); 1 if variation is
 * 0. */
double sample_factor(struct random *random, double variation);

/* Splits trials over `count` classes in proportion to rates (not negative, any sum) into counts, which add up to
 * trials, or are all 0 if all rates are. */
void sample_split(struct random *random, uint64_t trials, const double *rates, uint64_t *counts, size_t count);
