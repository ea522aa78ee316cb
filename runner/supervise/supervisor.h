// SPDX-License-Identifier: Apache-2.0
/*
 * The supervisor's side of one device: it keeps a worker process alive from job to job, gives every phase its own time
 * limit, checks what the worker says (claims.h), and turns whatever may happen to a worker into the state of one job. A
 * worker that says what cannot be true makes its job invalid. After a fault the next worker has to run a canary, a test
 * whose result is known, before it is trusted with a job; a device that fails it is retired.
 */
#ifndef ORCHIL_RUNNER_SUPERVISE_SUPERVISOR_H
#define ORCHIL_RUNNER_SUPERVISE_SUPERVISOR_H

#include "base/record.h"
#include "runner/supervise/child.h"
#include "runner/supervise/stop_signals.h"
#include "runner/worker/job.h"

struct supervisor_limits {
    double open, build, batch; /* seconds that a worker may take for each; batch: without a word of a further batch, and
                                  for all that it still does when it was asked to stop */
};

struct job_result {
    enum job_state state;
    char reason[1024];                  /* empty if completed */
    char detail[4096];                  /* the end of a build log or of standard error; or empty */
    struct circumstances circumstances; /* nothing where the worker could not tell */
};

struct supervisor {
    const struct backend_device *device;
    struct supervisor_limits limits;
    const char *cache; /* folder of compiled kernels, for the workers; or NULL */
    struct frozen_folder frozen;
    bool canary_unsaved; /* kernels are saved, and the canary's is not yet */
    struct stop_signals *stop;
    struct child child;
    uint64_t order; /* number of the last that a worker was given */
    bool running;   /* child is alive, with its device open */
    bool suspect;   /* there was a fault: a canary comes first */
    bool retired;   /* the canary failed: no further job runs */
    char why_retired[256];
};

void supervisor_start(struct supervisor *supervisor, const struct backend_device *device,
                      const struct supervisor_limits *limits, const char *cache, struct stop_signals *stop);

/* Lets the workers save kernels in a folder, or take them from there; before the first job. Where kernels are saved, a
 * canary is the first that runs, whatever comes of it: a replay that needs one has its kernel, too. */
void supervisor_freeze(struct supervisor *supervisor, const struct frozen_folder *frozen);

/* Runs one job, whose test's text is given (the worker parses it again). Events arrive at the listener in this process.
 * What went wrong is in *result; there is no other error. */
void supervisor_run(struct supervisor *supervisor, const struct job *job, const char *test_text, const char *file,
                    const struct job_listener *listener, struct job_result *result);

/* After a fault, runs the canary now instead of before the next job: it retires the device, or clears it. */
void supervisor_settle(struct supervisor *supervisor);

/* Ends the worker: kindly, then with a signal. */
void supervisor_stop(struct supervisor *supervisor);

#endif
