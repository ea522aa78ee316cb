// SPDX-License-Identifier: Apache-2.0
/* p values of many tests at once. */
#include <math.h>
#include <stdlib.h>

#include "analysis/statistics/statistics.h"

struct ranked {
    double p; /* over the weight */
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

static struct ranked *rank(const double *p, const double *weights, size_t count)
{
    struct ranked *order = malloc((count + 1) * sizeof *order);
    for (size_t i = 0; order && i < count; i++)
        order[i] = (struct ranked){p[i] / weight_of(weights, i), i};
    if (order)
        qsort(order, count, sizeof *order, compare_ranked);
    return order;
}

bool statistics_holm(double *p, const double *weights, size_t count)
{
    struct ranked *order = rank(p, weights, count);
    double largest = 0, left = 0;
    if (!order)
        return false;
    for (size_t i = 0; i < count; i++)
        left += weight_of(weights, i);
    for (size_t i = 0; i < count; i++) {
        const size_t position = order[i].position;
        largest = fmax(largest, fmin(1, order[i].p * fmax(left, weight_of(weights, position))));
        left -= weight_of(weights, position);
        p[position] = largest;
    }
    free(order);
    return true;
}

bool statistics_benjamini_hochberg(double *p, size_t count)
{
    struct ranked *order = rank(p, NULL, count);
    double smallest = 1;
    if (!order)
        return false;
    for (size_t i = count; i > 0; i--) {
        smallest = fmin(smallest, order[i - 1].p * (double)count / (double)i);
        p[order[i - 1].position] = smallest;
    }
    free(order);
    return true;
}
