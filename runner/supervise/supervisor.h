// SPDX-License-Identifier: Apache-2.0
/* The supervisor of one device: it keeps a worker process alive from job to job, gives each phase a time limit, checks
 * the worker's messages (claims.h), and turns whatever happens to a worker into the state of one job. A message that
 * cannot be true makes the job invalid. After a fault the next worker must pass a canary, a test with a known result,
 * before it gets a job; a device that fails it is retired. */
#pragma once

#include "base/circumstances.h"
#include "base/record.h"
#include "runner/protocol/protocol.h"
#include "runner/supervise/child.h"
#include "runner/supervise/stop_signals.h"

struct supervisor_limits {
    /* Seconds that a worker may take for each; batch: the longest wait for a further batch, and for everything after a
     * request to stop. A device that a kernel is built for must open as fast. */
    double open, build, batch;
};

struct job_result {
    enum job_state state;
    char reason[1024];                  /* empty if completed */
    char detail[4096];                  /* the end of a build log or of standard error; or empty */
    struct circumstances circumstances; /* empty if the worker could not read them */
};

struct supervisor {
    const struct backend_device *device;
    struct supervisor_limits limits;
    const char *cache; /* folder of compiled kernels, for the workers; or NULL */
    struct frozen_folder frozen;
    bool canary_unsaved; /* kernels are saved, and the canary's is not yet */
    struct stop_signals *stop;
    struct child child;
    uint64_t order; /* number of the last order given to a worker */
    bool running;   /* child is alive, with its device open */
    bool suspect;   /* after a fault: a canary must come first */
    bool retired;   /* the canary failed: no further job runs */
    char why_retired[256];
};

void supervisor_start(struct supervisor *supervisor, const struct backend_device *device,
                      const struct supervisor_limits *limits, const char *cache, struct stop_signals *stop);

/* Lets the workers save kernels in a folder, or take them from there; call before the first job. If kernels are saved,
 * a canary runs first, whatever its result, so that a replay also has the canary's kernel. */
void supervisor_freeze(struct supervisor *supervisor, const struct frozen_folder *frozen);

/* Runs one job; test_text is its test, which the worker parses again. Events arrive at the listener in this process.
 * Failures are reported in *result only. */
void supervisor_run(struct supervisor *supervisor, const struct job *job, const char *test_text, const char *file,
                    const struct job_listener *listener, struct job_result *result);

/* After a fault, runs the canary now instead of before the next job: it clears the device or retires it. */
void supervisor_settle(struct supervisor *supervisor);

/* Ends the worker: first by closing its input, then with a signal. */
void supervisor_stop(struct supervisor *supervisor);
