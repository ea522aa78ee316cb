// SPDX-License-Identifier: Apache-2.0
/* The distribution function of the beta distribution, by its continued fraction. */
#include <float.h>
#include <math.h>

#include "analysis/statistics/tails.h"

/* I_x(a, b) by Lentz's method (Press et al., "Numerical Recipes", 6.4), where x < (a + 1) / (a + b + 2). */
static double beta_fraction(double a, double b, double x)
{
    const double least = DBL_MIN / DBL_EPSILON;
    double c = 1, d = 1 - (a + b) * x / (a + 1);
    d = 1 / (fabs(d) < least ? least : d);
    double fraction = d;
    for (int m = 1; m <= 500; m++) {
        const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
        d = 1 + even * d;
        c = 1 + even / c;
        d = 1 / (fabs(d) < least ? least : d);
        c = fabs(c) < least ? least : c;
        fraction *= d * c;
        const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
        d = 1 + odd * d;
        c = 1 + odd / c;
        d = 1 / (fabs(d) < least ? least : d);
        c = fabs(c) < least ? least : c;
        fraction *= d * c;
        if (fabs(d * c - 1) < 4 * DBL_EPSILON)
            break;
    }
    return fraction;
}

double tails_beta_below(struct tails_law law, double x)
{
    const double a = law.a, b = law.b;
    int ignored_sign;
    if (x <= 0 || x >= 1)
        return x >= 1;
    const double front = exp(lgamma_r(a + b, &ignored_sign) - lgamma_r(a, &ignored_sign) - lgamma_r(b, &ignored_sign) +
                             a * log(x) + b * log1p(-x));
    return x < (a + 1) / (a + b + 2) ? front * beta_fraction(a, b, x) / a : 1 - front * beta_fraction(b, a, 1 - x) / b;
}
