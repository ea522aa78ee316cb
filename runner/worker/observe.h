// SPDX-License-Identifier: Apache-2.0
/* Reading the circumstances of running jobs, rarely enough not to slow them. */
#ifndef ORCHIL_RUNNER_WORKER_OBSERVE_H
#define ORCHIL_RUNNER_WORKER_OBSERVE_H

#include "backends/backend.h"
#include "base/circumstances.h"

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

/* Reads the load and the clock of the host. */
void observe_host(struct circumstances *circumstances);

#endif
