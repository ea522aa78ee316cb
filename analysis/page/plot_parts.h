// SPDX-License-Identifier: Apache-2.0
/* Logarithmic axes, which all plots share. */
#ifndef ORCHIL_ANALYSIS_PAGE_PLOT_PARTS_H
#define ORCHIL_ANALYSIS_PAGE_PLOT_PARTS_H

#include <stddef.h>

#include "base/text.h"

enum { PLOT_MOST_TICKS = 8 };

/* A range of logarithms to base ten, and the places of its ends in a picture. */
struct plot_axis {
    double low, high, first, last;
    double ticks[PLOT_MOST_TICKS];
    size_t tick_count;
};

struct plot_axis plot_axis_empty(void);
void plot_axis_include(struct plot_axis *axis, double value); /* one that is 0, infinite or NAN has no place */

/* Leaves room at the ends and chooses ticks. If nothing has a place, the axis shows values around 1. most: where the axis
 * ends at the latest, or 0. */
void plot_axis_finish(struct plot_axis *axis, double first, double last, double most);

double plot_axis_place(const struct plot_axis *axis, double value); /* values beyond an end are placed there */

/* A vertical line at a value, and the numbers of the ticks, for an axis in percent from left to right. */
void plot_axis_add_line(const struct plot_axis *axis, const char *class, double value, struct text *text);
void plot_axis_add_numbers(const struct plot_axis *axis, struct text *text);

#endif
