// SPDX-License-Identifier: Apache-2.0
/* Random numbers from the distributions that a batch needs. */
#include "backends/simulated/sample.h"

/* If fewer successes than this are expected, they are drawn one by one. */
static const double few = 16;

static double uniform(struct random *random)
{
    return ((double)(random_next(random) >> 11) + 0.5) * 0x1p-53; /* neither 0 nor 1 */
}

static double normal(struct random *random)
{
    const double radius = sqrt(-2 * log(uniform(random)));
    return radius * cos(2 * M_PI * uniform(random));
}

/* Marsaglia, Tsang: A Simple Method for Generating Gamma Variables, ACM TOMS 2000. */
static double gamma_variate(struct random *random, double shape)
{
    if (shape < 1)
        return gamma_variate(random, shape + 1) * pow(uniform(random), 1 / shape);
    const double d = shape - 1.0 / 3, c = 1 / sqrt(9 * d);
    for (;;) {
        const double x = normal(random), root = 1 + c * x;
        if (root <= 0)
            continue;
        const double v = root * root * root;
        if (log(uniform(random)) < 0.5 * x * x + d - d * v + d * log(v))
            return d * v;
    }
}

/* Jumps from success to success. */
static uint64_t binomial_of_few(struct random *random, uint64_t trials, double p)
{
    uint64_t successes = 0;
    if (p <= 0)
        return 0;
    if (p >= 1)
        return trials;
    for (uint64_t at = 0;; at++) {
        const double failures = floor(log(uniform(random)) / log1p(-p));
        if (failures >= (double)(trials - at))
            return successes;
        at += (uint64_t)failures;
        successes++;
    }
}

uint64_t sample_binomial(struct random *random, uint64_t trials, double p)
{
    uint64_t successes = 0;
    if (p > 0.5)
        return trials - sample_binomial(random, trials, 1 - p);
    while ((double)trials * p > few) {
        const uint64_t left = trials / 2 + 1, right = trials + 1 - left;
        const double a = gamma_variate(random, (double)left), b = gamma_variate(random, (double)right);
        const double middle = a / (a + b);
        if (middle >= p) {
            trials = left - 1;
            p /= middle;
        } else {
            successes += left;
            trials = right - 1;
            p = (p - middle) / (1 - middle);
        }
    }
    return successes + binomial_of_few(random, trials, p);
}

double sample_factor(struct random *random, double variation)
{
    const double scale = variation * variation;
    return scale > 0 ? gamma_variate(random, 1 / scale) * scale : 1;
}

void sample_split(struct random *random, uint64_t trials, const double *rates, uint64_t *counts, size_t count)
{
    double left = 0;
    size_t last = 0;
    for (size_t i = 0; i < count; i++) {
        counts[i] = 0;
        left += rates[i];
        if (rates[i] > 0)
            last = i;
    }
    if (left <= 0)
        return;
    for (size_t i = 0; i < last && trials > 0; i++) {
        if (rates[i] > 0)
            counts[i] = sample_binomial(random, trials, rates[i] < left ? rates[i] / left : 1);
        trials -= counts[i];
        left -= rates[i];
    }
    counts[last] = trials;
}
