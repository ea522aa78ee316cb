// SPDX-License-Identifier: Apache-2.0
/*
 * One job on one open device: build the test's kernel, then draw, launch and count batch after
 * batch. This runs in a worker process, and is independent of the supervisor, JSON and the
 * database.
 */
#ifndef ORCHIL_RUNNER_WORKER_JOB_RUN_H
#define ORCHIL_RUNNER_WORKER_JOB_RUN_H

#include "backends/backend.h"
#include "base/circumstances.h"
#include "runner/protocol/job.h"

/* ---- reading the circumstances of running jobs, rarely enough not to slow them ---- */

/* For an open device, over its jobs. Starts as {0}. */
struct observer {
    struct circumstances last; /* the last reading */
    double read_at;            /* when, by clock_seconds; 0: never */
};

/*
 * Called after a batch, when the device has just worked, of a job that started at `started`, by
 * clock_seconds. Reads at most once a second over all jobs, and within a job after 1, 2, 4, 8, ...
 * seconds. So the last reading is from the second half of the job or, for a job of less than two
 * seconds, from its batches or from batches of other jobs in the second before it.
 */
void observe(struct observer *observer, const struct backend *backend, struct backend_session *session, double started);

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

/* Whether the session's cache has the job's kernel, for a session whose device need not be open. False if
 * that cannot be known: for a kernel that includes headers of the backend's library. */
bool job_is_compiled(const struct job_session *session, const struct job *job);

/* Compiles the job's kernel into the session's cache, and launches nothing. Does nothing, and
 * returns OK, if the backend does not compile ahead or the cache has the kernel. */
enum status job_compile(struct job_session *session, const struct job *job, struct error *error);

/* Runs the job. STATUS_OK if it reached its limits or a listener stopped it. A failed build's log
 * is error->detail. */
enum status job_run(struct job_session *session, const struct job *job, const struct job_listener *listener,
                    struct error *error);

#endif
