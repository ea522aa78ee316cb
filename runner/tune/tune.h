// SPDX-License-Identifier: Apache-2.0
/*
 * The search for an environment in which witnesses are frequent. Candidates are drawn, at first from all choices, then near
 * the best; poor ones are given up after a few batches; one that would stand among the best must first leave all controls
 * without a witness; and the best few are measured again at the end, because the best of many measurements is always
 * partly luck. Private to this folder.
 */
#ifndef ORCHIL_RUNNER_TUNE_TUNE_H
#define ORCHIL_RUNNER_TUNE_TUNE_H

#include "runner/run/plan_run.h"
#include "runner/supervise/supervisor.h"

struct tune_options {
    const char *database, *out;
    const char *profile; /* that the search starts from; NULL: the built-in one that fits */
    double seconds;      /* for everything */
    uint64_t trials;     /* candidates at most; 0: as many as there is time for */
    uint64_t seed;
    struct supervisor_limits limits;
};

/* Searches with the plan's tests, controls and devices, prints what was found and writes the profile. argc and argv are
 * kept as the run's command line. Gives the process's exit code. */
int tune_run(const struct tune_options *options, const struct run_plan *plan, int argc, char **argv);

#endif
