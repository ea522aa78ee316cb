// SPDX-License-Identifier: Apache-2.0
/* Which queue each step of a play goes to, and which steps come after each other. Private to this room. */
#ifndef ORCHIL_BACKENDS_STEPS_H
#define ORCHIL_BACKENDS_STEPS_H

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
    STEPS_ALL = (1 << LAUNCH_EDGE_COUNT) - 1,
    STEPS_SAME_QUEUE = STEPS_QUEUE | STEPS_MAP | STEPS_COPY, /* launch_edge_shares_queue, as bits */
    STEPS_MOVES_MEMORY = STEPS_MAP | STEPS_COPY
};

enum { STEPS_PATTERN = 0x5ca1ab1e }; /* what is in memory while its words are elsewhere */

struct steps_plan {
    const struct backend_step *steps;
    unsigned count;
    unsigned before[BACKEND_MAXIMUM_STEPS]; /* bit k: step k ends before that one begins, by one edge or by several */
    unsigned queue[BACKEND_MAXIMUM_STEPS];  /* of each step; numbers from 0 */
    unsigned queues;                        /* how many there are */
    unsigned out_of_order;                  /* bit q: barriers order queue q; the other queues are in order */
    bool graph;                             /* all edges are a graph's; then queues say nothing */
    bool beside;                            /* nothing orders some two of the steps */
    bool relayed;                           /* events go to other sessions, or come from there */
};

/*
 * Plans the steps of a launch, which outlive the plan. Steps share a queue where their edges ask for one, and only there. UNSUPPORTED,
 * with the reason, where the device lacks an edge, memory that is shared would have to be moved, or no queues have just these
 * edges. INTERNAL for steps that are not as backend.h says.
 */
enum status steps_plan(const struct backend_device *device, const struct backend_launch *launch,
                       const struct backend_step *steps, size_t count, struct steps_plan *plan, struct error *error);

/* What steps_plan begins with: whether steps are as backend.h says (else INTERNAL), and which end before each begins, by one edge or by
 * several. */
enum status steps_check(const struct backend_step *steps, size_t count, struct error *error);
void steps_find_orders(const struct backend_step *steps, size_t count, unsigned *before);

/* The earlier steps from which an edge of one of those kinds leads to a step, as bits. */
unsigned steps_after(const struct steps_plan *plan, unsigned step, unsigned kinds);

/* The later steps to which an edge of one of those kinds leads from a step, as bits. */
unsigned steps_followed(const struct steps_plan *plan, unsigned step, unsigned kinds);

/* The step to give to the driver next, where those in `given` have been: steps for which the host waits are put off, so that it waits
 * only when the driver has all others. But where events are relayed, steps come in their order, by which no two sessions can wait for
 * each other. Some step is left. */
unsigned steps_next(const struct steps_plan *plan, unsigned given);

/* The queues that have steps of those, as bits. */
unsigned steps_queues(const struct steps_plan *plan, unsigned steps);

#endif
