// SPDX-License-Identifier: Apache-2.0
/*
 * The data of the search for steps. A trajectory holds the logarithm of a rate for each run, and how
 * likely a step is at each run. It is cheap, because it reduces a run to one number. Trajectories choose
 * the splits that are decided, and weight the positions of a step. A split divides the runs of a device
 * into before and after, and holds the decision.
 */
#ifndef ORCHIL_ANALYSIS_HISTORY_HISTORY_SPLITS_H
#define ORCHIL_ANALYSIS_HISTORY_HISTORY_SPLITS_H

#include "analysis/history/history_parts.h"

/* ---- trajectories ---- */

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

/* ---- splits ---- */

/* One split of a span, over all series that are searched. */
struct history_split {
    size_t device_run;                   /* the first one after it */
    struct statistics_measure *measures; /* of each series; no runs after it: not used */
    struct statistics_suite suites[2];   /* of weak outcomes (1), and of the others (0) */
    double lag;                          /* correlation of successive runs, 0 if chance explains
                                          * it */
    struct statistics_decision *decisions;
    struct statistics_decision shift;
    double log_shift;
};

/* Measures and decides a split. The arena owns what it points to. */
void split_make(struct arena *arena, const struct history_options *options, const struct history_device *device,
                struct run_range span, size_t device_run, struct history_split *split);

/* How many questions the splits of a span ask. */
size_t split_count_questions(const struct history_options *options, const struct history_device *device,
                             struct run_range span);

/* The first run of the device at which the span can be split, and one past the last; equal if there is none. */
struct run_range split_candidates(const struct history_options *options, const struct history_device *device,
                                  struct run_range span);

/* The weight of `tests` tests together, relative to independent ones: 1 if runs have no shift. */
double split_independence(const struct history_split *split, size_t tests);

/* Whether a ratio and its whole interval lie beyond the tolerance. */
bool split_is_beyond(const struct history_options *options, const struct statistics_decision *decision);

#endif
