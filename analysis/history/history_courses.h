// SPDX-License-Identifier: Apache-2.0
/*
 * Courses: the logarithms of a rate from run to run, and how likely it is that they step at a run.
 * This is cheap, since it takes a run as one number: it chooses the splits that are decided, and
 * weights the positions of a step. Private to the files history*.c.
 */
#ifndef ORCHIL_ANALYSIS_HISTORY_HISTORY_COURSES_H
#define ORCHIL_ANALYSIS_HISTORY_HISTORY_COURSES_H

#include "analysis/history/history_parts.h"

/* Visits low to high - 1. */
struct span {
    size_t low, high;
};

struct course {
    double *logs;
    size_t *visits; /* of each, ascending */
    size_t count;
    double counting; /* the variance that counting alone gives a run */
};

/* The prior for a course's variance from run to run. */
struct course_prior {
    double variance, freedom; /* freedom 0: nothing is known */
};

/* The course of a series in a span. dispersion: as in struct statistics_measure. */
struct course course_of(struct arena *arena, const struct history_series *series, struct span span, double dispersion);

/* The median course of all weak series, one for each test, each about its own mean: the deviations
 * of whole runs. */
struct course course_of_all(struct arena *arena, const struct history_device *device, struct span span);

/* The log likelihood ratio of a step before a visit to no step, with normal errors of unknown
 * variance; 0 if one side is empty. */
double course_gain(const struct course *course, struct course_prior prior, size_t visit);

/* Marks in `chosen`, which has an entry for each visit of the device, the visits from `candidates`
 * at which a step is likeliest, for single series and for all together. If they are few, marks
 * all. */
void course_choose(const struct history_device *device, struct span span, struct span candidates, bool *chosen);

#endif
