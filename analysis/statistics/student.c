// SPDX-License-Identifier: Apache-2.0
/* Student's distribution: its tails and quantiles. */
#include <float.h>
#include <math.h>

#include "analysis/statistics/statistics.h"
#include "analysis/statistics/tails.h"

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
