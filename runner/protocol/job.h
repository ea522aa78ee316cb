// SPDX-License-Identifier: Apache-2.0
/* A job: what a supervisor orders and a worker does, and the events that come back. */
#ifndef ORCHIL_RUNNER_PROTOCOL_JOB_H
#define ORCHIL_RUNNER_PROTOCOL_JOB_H

#include "backends/backend.h"
#include "base/record.h"
#include "kernel/frozen_kernels.h"
#include "litmus/litmus.h"
#include "runner/environment/environment.h"

struct job {
    const struct litmus_test *test;
    struct environment environment;
    const char *lowering; /* see kernel.h; "" or NULL: the device's usual one */
    uint64_t seed;
    uint64_t key; /* hash_number of the job key */
    struct job_extent extent;
    bool pilot; /* its batches start small and double, to find out how long they take */
    double
        deadline; /* by clock_seconds, the same in all processes: no batch starts after it; 0: none. Some limit is set. */

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

/* Whether a job's kernel has sites of delays: its environment can draw some, and the kernel is not
 * also for older devices. */
bool job_has_delays(const struct environment *environment, enum frozen_use use);

#endif
