// SPDX-License-Identifier: Apache-2.0
/* A run from its plan to its exit code. Private to this folder. */
#ifndef ORCHIL_RUNNER_RUN_JOBS_H
#define ORCHIL_RUNNER_RUN_JOBS_H

#include "runner/plan_run.h"
#include "runner/supervisor.h"

/* When a job ends before its limits. */
enum run_until { UNTIL_LIMITS, UNTIL_WITNESS, UNTIL_FORBIDDEN };

struct run_options {
    const char *device, *profile, *database, *log;
    uint64_t instances; /* 0: no such limit */
    double seconds;     /* 0: no such limit */
    enum run_until until;
    double
        confidence; /* 0: none; else a test ends when its witness was seen often enough, and its controls when the same
                          rate would have shown it as often (see enough_seen) */
    uint64_t seed;
    bool seeded, json, controls, strict, cache;
    int builders; /* processes that compile ahead; -1: as many as suit the machine */
    struct supervisor_limits limits;
    char **tests;
    size_t test_count;
};

/* Runs the plan's jobs, prints and stores them. argc and argv are kept as the run's command line. Gives the process's
 * exit code (README.md, "Exit codes"). */
int run_jobs(const struct run_options *options, const struct run_plan *plan, int argc, char **argv);

#endif
