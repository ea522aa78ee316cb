// SPDX-License-Identifier: Apache-2.0
/* Reading the circumstances of running jobs, seldom enough to cost them nothing. */
#ifndef ORCHIL_RUNNER_WORKER_OBSERVE_H
#define ORCHIL_RUNNER_WORKER_OBSERVE_H

#include "backends/backend.h"
#include "base/circumstances.h"

/* Of an open device, job after job. Starts as {0}. */
struct observer {
    struct circumstances last; /* what was read last */
    double read_at;            /* when, by clock_seconds; 0: never */
};

/*
 * Called after a batch of a job that runs since `started`, by clock_seconds: the device has just worked. Reads at most
 * once a second, whatever the jobs, and within a job after 1, 2, 4, 8, ... seconds. So what was read last stems from
 * the second half of the job or, of a job of less than two seconds, from its batches or those of the jobs in the second
 * before it.
 */
void observe(struct observer *observer, const struct backend *backend, struct backend_session *session, double started);

/* Reads the load and the clock of the host. */
void observe_host(struct circumstances *circumstances);

#endif
