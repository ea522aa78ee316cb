// SPDX-License-Identifier: Apache-2.0
/*
 * Courses: the logarithms of a rate from run to run, and how likely it is that they step at a run. This is cheap, and takes
 * a run as one number: it chooses the splits that are decided, and weighs the positions of a step. Private to the files history*.c.
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

/* What is known of a course's variance from run to run before it is looked at. */
struct course_prior {
    double variance, freedom; /* freedom 0: nothing */
};

/* The course of a series in a span. dispersion: as in struct statistics_measure. */
struct course course_of(struct arena *arena, const struct history_series *series, struct span span, double dispersion);

/* The median course of all weak series, one for each test, each about its own mean: what whole runs are off by. */
struct course course_of_all(struct arena *arena, const struct history_device *device, struct span span);

/* The logarithm of the likelihood of a step before a visit to that of none, with normal errors of unknown variance; 0 where
 * one side is empty. */
double course_gain(const struct course *course, struct course_prior prior, size_t visit);

/* Marks the visits from `candidates` at which a step is likeliest, for some series and for all together, in `chosen`, which has
 * one for each visit of the device. All of them where they are few. */
void course_choose(const struct history_device *device, struct span span, struct span candidates, bool *chosen);

#endif
