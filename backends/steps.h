// SPDX-License-Identifier: Apache-2.0
/* The queue of each step of a play, the order of the steps, and events between sessions. */
#pragma once

#include <pthread.h>

#include "backends/backend.h"

/* Bits of backend_device.edges. */
enum {
    STEPS_BESIDE = 1 << LAUNCH_EDGE_BESIDE,
    STEPS_QUEUE = 1 << LAUNCH_EDGE_QUEUE,
    STEPS_EVENT = 1 << LAUNCH_EDGE_EVENT,
    STEPS_BARRIER = 1 << LAUNCH_EDGE_BARRIER,
    STEPS_HOST = 1 << LAUNCH_EDGE_HOST,
    STEPS_GRAPH = 1 << LAUNCH_EDGE_GRAPH,
    STEPS_MAP = 1 << LAUNCH_EDGE_MAP,
    STEPS_COPY = 1 << LAUNCH_EDGE_COPY,
    STEPS_PROGRAMMATIC = 1 << LAUNCH_EDGE_PROGRAMMATIC,
    STEPS_ALL = (1 << LAUNCH_EDGE_COUNT) - 1,
    /* launch_edge_shares_queue, as bits. */
    STEPS_SAME_QUEUE = STEPS_QUEUE | STEPS_MAP | STEPS_COPY | STEPS_PROGRAMMATIC,
    STEPS_MOVES_MEMORY = STEPS_MAP | STEPS_COPY
};

enum { STEPS_PATTERN = 0x5ca1ab1e }; /* the contents of memory while its words are elsewhere */

struct steps_plan {
    const struct backend_step *steps;
    unsigned count;
    unsigned before[BACKEND_MAXIMUM_STEPS]; /* bit k: edges lead from step k to this one */
    unsigned queue[BACKEND_MAXIMUM_STEPS];  /* of each step; numbers from 0 */
    unsigned queues;                        /* their number */
    unsigned out_of_order;                  /* bit q: barriers order queue q; the other queues are in order */
    bool graph;                             /* all edges are graph edges; queue numbers are unused */
    bool beside;                            /* some two of the steps may run at once */
    bool relayed;                           /* events go to or come from other sessions */
};

/* Plans the steps of a launch, which outlive the plan. Steps share a queue only if their edges ask for one.
 * UNSUPPORTED, with the reason, if the device lacks an edge, if shared memory would have to be moved, or if no choice
 * of queues gives exactly these edges. INTERNAL if steps are not as backend.h requires. */
enum status steps_plan(const struct backend_device *device, const struct backend_launch *launch,
                       const struct backend_step *steps, size_t count, struct steps_plan *plan, struct error *error);

/* The first parts of steps_plan: whether steps are as backend.h requires (else INTERNAL), and from which steps one edge
 * or several lead to each one. */
enum status steps_check(const struct backend_step *steps, size_t count, struct error *error);
void steps_find_orders(const struct backend_step *steps, size_t count, unsigned *before);

/* The earlier steps that an edge of one of these kinds connects to a step, as bits. */
unsigned steps_after(const struct steps_plan *plan, unsigned step, unsigned kinds);

/* The later steps that an edge of one of these kinds connects to a step, as bits. */
unsigned steps_followed(const struct steps_plan *plan, unsigned step, unsigned kinds);

/* The next step to give to the driver after those in `given`. Steps for which the host waits are put off, so that it
 * waits only when the driver has all others. But if events are relayed, steps come in their order, so that no two
 * sessions can wait for each other. At least one step must be left. */
unsigned steps_next(const struct steps_plan *plan, unsigned given);

/* The queues of these steps, as bits. */
unsigned steps_queues(const struct steps_plan *plan, unsigned steps);

/* ---- events between sessions ---- */

/* Passes the event of a step of one session to steps of other sessions, in the same play and in other threads. The
 * giving session keeps the event until it is closed. */
struct relay {
    pthread_mutex_t lock; /* of the fields below */
    pthread_cond_t changed;
    bool ended;  /* given, or known never to come */
    void *event; /* the driver's, recorded after the step; NULL if none was given */
};

void relay_open(struct relay *relay);
void relay_close(struct relay *relay);

/* Hands over the event; NULL: none will come. Only the first call counts. */
void relay_give(struct relay *relay, void *event);

/* Waits until the event is handed over; NULL: none came. */
void *relay_await(struct relay *relay);
