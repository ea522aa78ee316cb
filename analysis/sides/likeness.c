// SPDX-License-Identifier: Apache-2.0
/* The cosine between two vectors. */
#include <math.h>

#include "analysis/statistics/statistics.h"

void statistics_add_entry(struct statistics_likeness *likeness, double a, double b)
{
    likeness->product += a * b;
    likeness->a_square += a * a;
    likeness->b_square += b * b;
}

double statistics_cosine(const struct statistics_likeness *likeness)
{
    const double cosine = likeness->product / (sqrt(likeness->a_square) * sqrt(likeness->b_square));
    return cosine > 1 ? 1 : cosine; /* rounding; 0 / 0 stays NAN */
}
