// SPDX-License-Identifier: Apache-2.0
/* A run from its plan to its end. It prints nothing: events go to a listener. */
#pragma once

#include "runner/run/plan_run.h"
#include "runner/run/provenance.h"
#include "runner/run/report.h"

/* When a job ends before its limits. */
enum run_until { UNTIL_LIMITS, UNTIL_WITNESS, UNTIL_FORBIDDEN };

/* A pilot takes about its seconds divided by this; the rest is for disturbances. */
enum { RUN_PILOT_RESERVE = 8 };

struct run_options {
    const char *device, *profile, *homes, *database;
    uint64_t instances; /* 0: no such limit */
    double seconds;     /* 0: no such limit */
    double deadline;    /* by clock_seconds: it cuts jobs short, and nothing is built or launched after it; 0: none */
    bool pilot;         /* batches start small and double, until they show how long they take; see RUN_PILOT_RESERVE */
    bool rerun;         /* of tests that looked changed in an earlier run of a gate */
    enum run_until until;
    /* If not 0, a test ends once its witness was seen often enough, and its controls once the same rate would have
     * shown it as often (see enough_seen). */
    double confidence;
    enum selection_score score; /* what to print at the end */
    uint64_t seed;
    bool seeded, controls, strict, cache;
    struct frozen_folder frozen; /* where compiled kernels are saved, or replayed from */
    int64_t resume;              /* the run of the database to resume, which the plan is of; 0: a new run */
    bool only;                   /* a new run: refused if the database has one of this command line */
    bool unplanned;              /* that run has no stored plan yet, and gets this one */
    unsigned shard, shards;      /* the part of the jobs to run; shards is 0 for all */
    int builders;                /* processes that compile ahead; -1: as suits the machine */
    struct supervisor_limits limits;
    const struct provenance *provenance; /* of this process, stored with the run */
    char **tests;
    size_t test_count;
    char *const *unread; /* a message for each file of the selection that cannot be read; not owned */
    size_t unread_count;
};

/* The progress of a run. */
struct run_progress {
    size_t jobs, ended, lanes;
    const struct running_progress {
        const struct litmus_test *test;
        const struct backend_device *device;
        bool opening;   /* no job of its lane has got past the opening of the device */
        size_t number;  /* in the plan */
        double seconds; /* since it began, in all parts of the run */
        double played;  /* of these, from first launch to last read-back */
        uint64_t batches, instances, witnesses;
        uint64_t launched; /* instances of all batches, including invalid ones */
    } * running;           /* the current jobs, at most one for each lane */
    size_t running_count;
};

/* The listener for progress. The run's threads call it, one at a time, and only before run_jobs returns. */
struct run_listener {
    /* A job has ended and is stored, so the database has whatever is reported; or, if recalled, an earlier part of the
     * run ended it. A result other than OK ends the run. */
    enum status (*job_ended)(const struct job_report *report, bool recalled, void *context, struct error *error);
    /* At the start of every job, at every build and batch, and every second while a job runs. */
    void (*went_on)(const struct run_progress *progress, void *context);
    void *context;
};

/* Where a run's time went. */
struct run_spending {
    double building, batches; /* seconds, of all devices together */
    size_t unstarted;         /* jobs not run for lack of time before the deadline */
    char overran[192];        /* what was running at the deadline, and how long it took; or "" */
};

struct run_result {
    enum status status; /* of the run itself: its database, its listener, the operating system */
    struct error error; /* if status is not OK */
    int signal;         /* that stopped it; 0: none */
    int64_t run_id;     /* in the database; 0: the run could not begin */
    double seconds;
    struct run_spending spending;
};

/* Runs the plan's jobs and stores them. */
void run_jobs(const struct run_options *options, const struct run_plan *plan, const struct run_listener *listener,
              struct run_result *result);
