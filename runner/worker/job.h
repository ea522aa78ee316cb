// SPDX-License-Identifier: Apache-2.0
/*
 * One job on one open device: build the test's kernel, then draw, launch and count batch after
 * batch. This runs in a worker process, and is independent of the supervisor, JSON and the
 * database.
 */
#ifndef ORCHIL_RUNNER_WORKER_JOB_H
#define ORCHIL_RUNNER_WORKER_JOB_H

#include "backends/backend.h"
#include "base/record.h"
#include "litmus/litmus.h"
#include "runner/environment/environment.h"
#include "runner/worker/frozen_kernels.h"
#include "runner/worker/observe.h"

enum { JOB_MINIMUM_BATCHES = 30 }; /* batches are sized so that a job has at least this many */

struct job {
    const struct litmus_test *test;
    struct environment environment;
    const char *lowering; /* see kernel.h; "" or NULL: the device's usual one */
    uint64_t seed;
    uint64_t key;       /* hash_number of the job key */
    uint64_t instances; /* to reach; 0: no such limit */
    /* The most work-groups at once, so that a control gets the sizes of its test; 0: no limit. */
    uint32_t resident_limit;
    double seconds;  /* to spend in batches; 0: no such limit. At least one of these limits is set. */
    double deadline; /* by clock_seconds, the same in all processes: no batch starts after it; 0: none */

    /* What an interrupted run already did of the job; it counts towards the limits. All 0 for a new
     * job. */
    uint64_t done_batches, done_instances;
    double done_seconds;
};

/* The events of a running job. Each returns false to stop the job after the event. */
struct job_listener {
    bool (*built)(const struct build *build, void *context);
    bool (*batch)(const struct batch *batch, void *context);
    void *context;
};

/* An open device, job after job. */
struct job_session {
    const struct backend *backend;
    struct backend_session *session;
    struct backend_device device;
    const char *cache;           /* folder of compiled kernels, see kernel_cache.h; NULL: none */
    struct frozen_folder frozen; /* to save kernels in, or to replay them from */
    /* For CPUs, where it is the same for every kernel and is found by the first job; else 0. For an
     * ensemble, of each member. */
    uint32_t resident_groups[BACKEND_MAXIMUM_MEMBERS];
    struct observer observer;
    struct circumstances circumstances; /* of the last job; empty if it had no batch */
};

/* Whether a job's kernel has sites of delays: its environment can draw some, and the kernel is not
 * also for older devices. */
bool job_has_delays(const struct environment *environment, enum frozen_use use);

/* Compiles the job's kernel into the session's cache, and launches nothing. Does nothing, and
 * returns OK, if the backend does not compile ahead or the cache has the kernel. */
enum status job_compile(struct job_session *session, const struct job *job, struct error *error);

/* Runs the job. STATUS_OK if it reached its limits or a listener stopped it. A failed build's log
 * is error->detail. */
enum status job_run(struct job_session *session, const struct job *job, const struct job_listener *listener,
                    struct error *error);

#endif
