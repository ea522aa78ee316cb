// SPDX-License-Identifier: Apache-2.0
/* Who runs plans for a gate and shows its messages: the program, which has a terminal. */
#ifndef ORCHIL_RUNNER_GATE_GATE_LISTENER_H
#define ORCHIL_RUNNER_GATE_GATE_LISTENER_H

#include "analysis/sides/side.h"
#include "catalogue/selection.h"
#include "runner/run/run_jobs.h"

struct gate_listener {
    /* A line for people, with its newline, safe for a terminal. */
    void (*message)(const char *line);
    /* Selects tests by TEST arguments, as selection_make does, and shows its notes. */
    enum status (*select)(char *const *tests, size_t count, struct selection *selection, struct error *error);
    /* The suite is planned. */
    void (*planned)(const struct run_plan *plan);
    /* Runs a plan with progress, by run_jobs. Returns the exit code that a run of it has. */
    int (*run)(const struct run_options *options, const struct run_plan *plan, struct run_result *result);
    /* A side was read; some of its databases may not be readable. */
    void (*read)(const struct side *side);
    /* Judges stored outcomes again before they are read, see side.h. */
    side_preparation *prepare;
};

/* Writes a line; %s arguments are made safe, as by terminal_add. */
void gate_message(const struct gate_listener *listener, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
