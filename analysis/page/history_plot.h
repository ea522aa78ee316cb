// SPDX-License-Identifier: Apache-2.0
/* The pictures of a history: a strip of runs by tests, and plots of series. */
#ifndef ORCHIL_ANALYSIS_PAGE_HISTORY_PLOT_H
#define ORCHIL_ANALYSIS_PAGE_HISTORY_PLOT_H

#include <stdbool.h>

#include "analysis/history/history.h"

/* The plots of a page. Each is printed once; what asks for it again gets a link. The list is freed by the caller. */
struct history_plots {
    const struct history *history;
    struct history_plot {
        const struct history_device *device;
        const struct history_series *series;
        bool printed;
    } * list;
    size_t count, room;
    bool links_runs; /* the page has a table of runs with ids run-DEVICE-RUN */
};

/* Adds a series to the plots, unless it is one of them. */
void history_plan_plot(struct history_plots *plots, const struct history_device *device,
                       const struct history_series *series);

/* Prints the plot of a series that was planned, or a link to it. */
void history_print_plot(struct history_plots *plots, const struct history_series *series, struct text *text);

/* For each device a table of tests by runs: whether a rate was higher or lower than at first, and what must never appear. */
void history_print_strips(const struct history_plots *plots, struct text *text);

#endif
