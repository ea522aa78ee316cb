// SPDX-License-Identifier: Apache-2.0
/*
 * Candidate executions: what the enumerator makes and the interpreter of cat judges. Private to this room.
 *
 * Sets of events are the bits of a uint64_t, relations are 64 rows of such bits: row a holds the events that a is
 * related to. Events are numbered from 0: first one initial write for each element of each location, then the events of
 * each thread in program order, thread after thread.
 */
#ifndef ORCHIL_MODELS_EXECUTION_H
#define ORCHIL_MODELS_EXECUTION_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "litmus/litmus.h"

enum { EVENTS_MAXIMUM = 64 };

struct relation {
    uint64_t row[EVENTS_MAXIMUM];
};

enum event_kind { EVENT_READ, EVENT_WRITE, EVENT_FENCE, EVENT_BARRIER };

struct event {
    enum event_kind kind;
    int thread;                /* number of the thread, or LITMUS_NONE for an initial write */
    int body;                  /* index in test->threads, or LITMUS_NONE */
    struct litmus_place place; /* of its instruction */
    int location;              /* index of the location as written (virtual), or LITMUS_NONE */
    int storage;               /* index of the location whose storage it is (aliases followed), or LITMUS_NONE */
    uint32_t element;
    unsigned size;             /* bytes */
    int64_t value;             /* read or written */
    enum litmus_order order;
    enum litmus_scope scope;
    enum litmus_proxy proxy;
    enum litmus_region region;
    bool atomic;               /* an atomic operation (OPENCL), or a strong one (PTX) */
    bool rmw;                  /* a half of a read-modify-write */
    bool no_result;            /* a half of PTX's red */
    bool flag_global, flag_local; /* OPENCL fences and barriers */
    bool entry;                /* OPENCL barriers: its entry fence; else its exit fence */
    bool arrive;               /* PTX bar.arrive */
    int barrier;               /* dynamic barrier that a BARRIER event belongs to, or LITMUS_NONE */
};

struct execution {
    const struct litmus_test *test;
    unsigned count;
    struct event events[EVENTS_MAXIMUM];
    struct relation po;   /* transitive; also from the read to the write of one read-modify-write */
    struct relation rf;
    struct relation co;   /* as far as it is fixed: total per location where the model says so; else what the
                             enumerator fixed, initial writes first */
    struct relation rmw;  /* read half to write half */
    struct relation addr, data, ctrl;
    struct relation bar;  /* barrier synchronisation: from each arriving event to each other waiting event of the same
                             dynamic barrier, for PTX with its quorum met */
    struct relation fence_sc; /* order of morally strong sc fences, where the enumerator fixes one; else empty */
};

/* Appends one line for an event: "P1 line 7: R y = 1 (ld.relaxed.gpu)". */
void execution_print_event(const struct execution *execution, unsigned event, struct text *text);

#endif
