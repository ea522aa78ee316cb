// SPDX-License-Identifier: Apache-2.0
/* A run from its plan to its exit code. Private to this folder. */
#ifndef ORCHIL_RUNNER_RUN_RUN_JOBS_H
#define ORCHIL_RUNNER_RUN_RUN_JOBS_H

#include "runner/run/plan_run.h"
#include "runner/supervise/supervisor.h"

/* When a job ends before its limits. */
enum run_until { UNTIL_LIMITS, UNTIL_WITNESS, UNTIL_FORBIDDEN };

struct run_options {
    const char *device, *profile, *database, *log;
    uint64_t instances; /* 0: no such limit */
    double seconds;     /* 0: no such limit */
    double deadline;    /* by clock_seconds: jobs get less than those seconds where they would end later; 0: none */
    enum run_until until;
    double
        confidence; /* 0: none; else a test ends when its witness was seen often enough, and its controls when the same
                          rate would have shown it as often (see enough_seen) */
    uint64_t seed;
    bool seeded, json, controls, strict, cache;
    struct frozen_folder frozen; /* where compiled kernels are saved, or replayed from */
    bool quiet;                  /* prints neither jobs nor summary to standard output; progress is still shown */
    int64_t resume;              /* the run of the database to take up again, of which the plan is; 0: a new one */
    unsigned shard, shards;      /* the part of the jobs that is run; shards is 0 where all are */
    int builders;                /* processes that compile ahead; -1: as many as suit the machine */
    struct supervisor_limits limits;
    char **tests;
    size_t test_count;
    char *const *unread; /* what is said of each file of the selection that cannot be read; not owned */
    size_t unread_count;
};

struct run_result {
    int exit_code;  /* of the process (README.md, "Exit codes") */
    int64_t run_id; /* in the database; 0: the run could not be begun */
    bool failed;    /* the run itself did, by its database, log or memory: what was told is on standard error */
};

/* Runs the plan's jobs, prints and stores them. argc and argv are kept as the run's command line. */
void run_jobs(const struct run_options *options, const struct run_plan *plan, int argc, char **argv,
              struct run_result *result);

#endif
