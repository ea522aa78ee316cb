// SPDX-License-Identifier: Apache-2.0
/* Exact intervals and bounds of one rate, and the normal and Student's distribution. */
#include <float.h>
#include <math.h>

#include "analysis/statistics/statistics.h"
#include "analysis/statistics/tails.h"

struct interval statistics_binomial(uint64_t count, uint64_t n, double confidence)
{
    const double tail = (1 - confidence) / 2, k = (double)count, rest = (double)(n - count);
    struct interval interval = {0, 1};
    if (n == 0)
        return interval;
    /* Beta(n, 1) and Beta(1, n) have their quantiles in closed form. */
    if (count == n)
        interval.low = exp(log(tail) / k);
    else if (count > 0)
        interval.low = tails_quantile_below((struct tails_law){k, rest + 1}, tail);
    if (count == 0)
        interval.high = -expm1(log(tail) / rest);
    else if (count < n)
        interval.high = tails_quantile_above((struct tails_law){k + 1, rest}, tail);
    return interval;
}

double statistics_zero_bound(uint64_t n, double confidence)
{
    return n > 0 ? -expm1(log1p(-confidence) / (double)n) : 1;
}

double statistics_count_for(double confidence)
{
    return -log1p(-confidence);
}

/* ---- Student's distribution ---- */

double statistics_student_tail(double t, double freedom)
{
    const double above = tails_beta_below((struct tails_law){freedom / 2, 0.5}, freedom / (freedom + t * t)) / 2;
    return t >= 0 ? above : 1 - above;
}

/* The tail falls with t, and its logarithm nearly linearly in log t: bisection in the logarithm converges quickly. */
double statistics_student_above(double p, double freedom)
{
    if (p >= 0.5)
        return p > 0.5 ? -statistics_student_above(1 - p, freedom) : 0;
    double low = 0, high = 1;
    while (statistics_student_tail(high, freedom) > p && high < 1e300)
        high *= 4;
    for (int i = 0; i < 200 && high - low > 2 * DBL_EPSILON * high; i++) {
        const double middle = low > 0 && high > 16 * low ? sqrt(low * high) : (low + high) / 2;
        if (statistics_student_tail(middle, freedom) > p)
            low = middle;
        else
            high = middle;
    }
    return (low + high) / 2;
}
