// SPDX-License-Identifier: Apache-2.0
/*
 * Trajectories: the logarithms of a rate from run to run, and how likely it is that they step at a run.
 * This is cheap, since it takes a run as one number: it chooses the splits that are decided, and
 * weights the positions of a step. Private to the files history*.c.
 */
#ifndef ORCHIL_ANALYSIS_HISTORY_TRAJECTORIES_H
#define ORCHIL_ANALYSIS_HISTORY_TRAJECTORIES_H

#include "analysis/history/history_parts.h"

/* Runs of the device low to high - 1. */
struct run_range {
    size_t low, high;
};

struct trajectory {
    double *logs;
    size_t *device_runs; /* of each, ascending */
    size_t count;
    double counting; /* the variance that counting alone gives a run */
};

/* The prior for a trajectory's variance from run to run. */
struct trajectory_prior {
    double variance, freedom; /* freedom 0: nothing is known */
};

/* The trajectory of a series in a span. dispersion: as in struct statistics_measure. */
struct trajectory trajectory_of(struct arena *arena, const struct history_series *series, struct run_range span,
                                double dispersion);

/* The median trajectory of all weak series, one for each test, each about its own mean: the deviations
 * of whole runs. */
struct trajectory trajectory_of_all(struct arena *arena, const struct history_device *device, struct run_range span);

/* The log likelihood ratio of a step before a run to no step, with normal errors of unknown
 * variance; 0 if one side is empty. */
double trajectory_gain(const struct trajectory *trajectory, struct trajectory_prior prior, size_t device_run);

/* Marks in `chosen`, which has an entry for each run of the device, the runs from `candidates`
 * at which a step is likeliest, for single series and for all together. If they are few, marks
 * all. */
void trajectory_choose(const struct history_device *device, struct run_range span, struct run_range candidates,
                       bool *chosen);

#endif
