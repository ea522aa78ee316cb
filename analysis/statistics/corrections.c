// SPDX-License-Identifier: Apache-2.0
/* p values of many tests at once. */
#include <math.h>
#include <stdlib.h>

#include "analysis/statistics/statistics.h"
#include "base/memory.h"

struct ranked {
    double p; /* p over the weight */
    size_t position;
};

static int compare_ranked(const void *left, const void *right)
{
    const struct ranked *a = left, *b = right;
    return a->p < b->p ? -1 : a->p > b->p ? 1 : a->position < b->position ? -1 : a->position > b->position;
}

static double weight_of(const double *weights, size_t position)
{
    return weights ? weights[position] : 1;
}

void statistics_holm(double *p, const double *weights, size_t count)
{
    struct ranked *order = memory_take(count, sizeof *order);
    double largest = 0, left = 0;
    for (size_t i = 0; i < count; i++) {
        order[i] = (struct ranked){p[i] / weight_of(weights, i), i};
        left += weight_of(weights, i);
    }
    if (count > 0)
        qsort(order, count, sizeof *order, compare_ranked);
    for (size_t i = 0; i < count; i++) {
        const size_t position = order[i].position;
        largest = fmax(largest, fmin(1, order[i].p * fmax(left, weight_of(weights, position))));
        left -= weight_of(weights, position);
        p[position] = largest;
    }
    free(order);
}
