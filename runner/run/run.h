// SPDX-License-Identifier: Apache-2.0
/*
 * A run in progress.
 *
 * A lane is a piece of hardware: the devices of all backends that share it (plan_same_hardware). Each lane is a thread
 * that drives its supervisors in turn, so lanes work in parallel and the devices of one lane do not. Lanes share struct
 * run, under its mutex: the database, the listener, the builders, and which units are taken. A lane holds the mutex
 * while it handles a batch, never while it waits for a worker.
 */
#pragma once

#include <pthread.h>

#include "kernel/kernel_cache.h"
#include "runner/run/builders.h"
#include "runner/run/job_record.h"
#include "runner/run/resume_lock.h"
#include "runner/run/run_jobs.h"

/* Devices that share jobs, and their progress. */
struct run_group {
    size_t next;   /* units before it are taken */
    size_t live;   /* its devices that are not retired */
    size_t inside; /* lanes working for it now */
    struct builders *builders;
};

struct run {
    const struct run_options *options;
    const struct run_plan *plan;
    const struct run_listener *listener;

    pthread_mutex_t mutex; /* for all that follows, once lanes run */
    struct store *store;
    int64_t run_id;
    struct resume_lock hold; /* of a new run, so that no other process resumes it meanwhile */
    struct stop_signals stop;
    struct kernel_cache cache;
    struct run_group *groups; /* as many as the plan has devices */
    bool *taken;              /* of each unit */
    bool *reached;            /* of each job: a lane has reached it */
    struct lane *lanes;
    struct running_progress *progress; /* room for one for each lane */
    size_t lane_count;
    size_t ended; /* jobs */
    struct run_spending spending;
    size_t lanes_ended;   /* how many have ended */
    int lane_ends;        /* an eventfd that wakes the thread waiting for them; -1: none */
    struct error failure; /* what stops the run: the database, the listener */
    enum status status;
    double started;
};

struct lane {
    struct run *run;
    size_t *devices; /* of the plan, in its order */
    size_t device_count;
    pthread_t thread;
    struct stop_signals stop; /* follows the run's */
    int stop_writer;
    const struct live_job *job;              /* the current one; under the run's mutex */
    uint32_t resident_groups;                /* of the last test, the most that its controls get */
    uint64_t test_instances, test_witnesses; /* of that test */
    bool opened;                             /* a job has got past the opening of its device; under the run's mutex */
};

/* A job in progress, which the supervisor's events update. */
struct live_job {
    struct run *run;
    struct lane *lane;
    struct planned_job planned; /* with the device that it runs on */
    char compiler[128];         /* of the replayed kernel; planned.compiler points here */
    size_t number, group;
    struct job_record record;
    struct tally tally;
    bool judged;    /* models were asked */
    bool deepened;  /* there are verdicts to store with its end */
    unsigned marks; /* of enum mark */
    bool built;
    enum kept kept;                     /* once it is built */
    char kept_reason[KEPT_REASON_SIZE]; /* as struct build has it */
    struct verdicts verdicts;
    double started;
    bool has_target;       /* planned.extent is its own: it is cut short if it does not reach its instances */
    bool spent;            /* the deadline came before its first batch */
    unsigned long_batches; /* of a pilot, in succession */
};

/* Keeps the first failure, which ends the run; does nothing for OK. The mutex is held. */
void run_check(struct run *run, enum status status, const struct error *error);

void run_lock(struct run *run);
void run_unlock(struct run *run);

/* Runs job `number` of the plan on a device (its index in the plan), stores it and reports it. If a signal comes
 * before, does none of these and returns false. */
bool run_job(struct lane *lane, size_t number, size_t device, struct supervisor *supervisor);

/* Whether the run's deadline has passed. */
bool run_time_is_up(const struct run *run);

/* The reason of jobs that are not run because the deadline came first. */
extern const char run_spent_reason[];

/* Reports a job that an earlier part of the run finished. Before lanes run. */
void run_report_resumed(struct run *run, size_t number);

/* Stores and reports the jobs that no lane reached because of a signal or the deadline. After lanes have ended. */
void run_skip_rest(struct run *run);

/* Report the end of a job, or the progress of the lanes, to the listener. The mutex is held. */
void run_notify_progress(struct run *run);
