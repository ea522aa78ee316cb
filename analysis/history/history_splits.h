// SPDX-License-Identifier: Apache-2.0
/* Splits of a device's runs into before and after, and the decision for each. Private to the files
 * history*.c. */
#ifndef ORCHIL_ANALYSIS_HISTORY_HISTORY_SPLITS_H
#define ORCHIL_ANALYSIS_HISTORY_HISTORY_SPLITS_H

#include "analysis/history/trajectories.h"

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
