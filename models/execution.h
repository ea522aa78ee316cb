// SPDX-License-Identifier: Apache-2.0
/*
 * Candidate executions: made by the enumerator, judged by the interpreter of cat.
 *
 * Sets of events are the bits of a uint64_t, relations are rows of such bits. Events are numbered from 0: first one
 * initial write for each accessed element of each location, then the events of each thread in program order, thread
 * after thread.
 */
#pragma once

#include "litmus/litmus.h"

/*
 * Algebra of relations over at most 64 events.
 *
 * count is the number of events; rows and bits from count on are never read and stay 0 in every result.
 */

enum { EVENTS_MAXIMUM = 64 };

/* Row a holds, as bits, the events to which a is related. */
struct relation {
    uint64_t row[EVENTS_MAXIMUM];
};

/* The set of all events. */
static inline uint64_t set_all(unsigned count)
{
    return count == EVENTS_MAXIMUM ? UINT64_MAX : (UINT64_C(1) << count) - 1;
}

static inline uint64_t set_of(unsigned event)
{
    return UINT64_C(1) << event;
}

/* The lowest event of a set that is not empty. */
static inline unsigned set_first(uint64_t set)
{
    return (unsigned)__builtin_ctzll(set);
}

static inline unsigned set_size(uint64_t set)
{
    return (unsigned)__builtin_popcountll(set);
}

static inline bool relation_has(const struct relation *relation, unsigned from, unsigned to)
{
    return relation->row[from] >> to & 1;
}

static inline void relation_add(struct relation *relation, unsigned from, unsigned to)
{
    relation->row[from] |= set_of(to);
}

void relation_clear(struct relation *result, unsigned count);
bool relation_is_empty(const struct relation *relation, unsigned count);
bool relation_equal(const struct relation *left, const struct relation *right, unsigned count);

/* result may be one of the operands, except in relation_compose and relation_invert. */
void relation_unite(struct relation *result, const struct relation *left, const struct relation *right, unsigned count);
void relation_compose(struct relation *result, const struct relation *left, const struct relation *right,
                      unsigned count);
void relation_invert(struct relation *result, const struct relation *operand, unsigned count);
void relation_close(struct relation *result, const struct relation *operand, unsigned count); /* transitive closure */

/* Is nothing related to itself? */
bool relation_is_irreflexive(const struct relation *relation, unsigned count);

/* Is there no cycle? */
bool relation_is_acyclic(const struct relation *relation, unsigned count);

/* Writes the events of a shortest path, of at least one step, in order, without its end; returns how many there are; 0
 * if there is no path. */
unsigned relation_path(const struct relation *relation, unsigned from, unsigned to, unsigned path[EVENTS_MAXIMUM]);

/* Writes the events of a shortest cycle in order, each related to the next and the last to the first, and returns how
 * many there are; 0 if there is no cycle. */
unsigned relation_cycle(const struct relation *relation, unsigned count, unsigned cycle[EVENTS_MAXIMUM]);

enum event_kind {
    EVENT_READ,
    EVENT_WRITE,
    EVENT_FENCE,
    EVENT_BARRIER,
    EVENT_COLLECTIVE, /* a lane brings its value (`arrive`) to a function of several, or has its result (`wait`) */
    EVENT_UPDATE      /* both halves of a read-modify-write: only in the view of some models (cat_evaluate.c) */
};

struct event {
    enum event_kind kind;
    int thread;                /* number of the thread, or LITMUS_NONE for an initial write */
    int body;                  /* index in test->threads, or LITMUS_NONE */
    struct litmus_place place; /* of its instruction */
    int location;              /* index of the location as written, or LITMUS_NONE */
    int storage;               /* index of the location whose storage it is (aliases followed), or LITMUS_NONE */
    int address;               /* index of the location whose generic address it uses: `location`, unless that names the
                                  storage through another proxy; or LITMUS_NONE */
    uint32_t element;
    unsigned offset, size; /* bytes from the location's start, and bytes accessed */
    int64_t value;         /* read or written */
    bool unknown;          /* that value: it depends on reads whose values are not known yet */
    LITMUS_ORDERED;        /* of this half, for a read-modify-write (ordering_of_read, ordering_of_write) */
    enum litmus_proxy proxy;
    enum litmus_region region;
    bool atomic;                         /* an atomic operation (OPENCL, C), or a strong one (PTX) */
    bool atomic_location;                /* the location is declared atomic (OPENCL, C) */
    bool rmw;                            /* a half of a read-modify-write */
    bool no_result;                      /* a half of PTX's red */
    bool assembly;                       /* CUDA: an instruction of PTX in asm */
    bool flag_global, flag_local;        /* OPENCL fences and barriers */
    bool flag_image;                     /* likewise */
    bool nowhere;                        /* OPENCL: a fence that names no memory */
    bool entry, exit;                    /* OPENCL: the entry or the exit fence of a barrier */
    bool diverged;                       /* at a barrier that some other thread does not reach, so that the program has
                                          * no meaning */
    bool arrive;                         /* PTX bar.arrive, barrier.cluster.arrive */
    bool wait;                           /* PTX barrier.cluster.wait, which waits where its thread arrived before */
    bool asynchronous;                   /* PTX: done by an asynchronous copy; program order does not lead from it to
                                          * later events */
    bool mbarrier;                       /* PTX: an access of an mbarrier */
    bool initialises;                    /* PTX: mbarrier.init, or the initial write of an mbarrier that the test
                                          * declares with its arrivals */
    bool finished;                       /* PTX: a wait for a phase of an mbarrier that found it finished */
    bool unready;                        /* PTX: a read of wgmma.mma_async whose registers its thread accesses without
                                          * the wgmma.fence before it or the wait after it */
    bool host;                           /* of a thread of the host */
    bool cluster;                        /* PTX fence: for the shared memory of the whole cluster, not of one CTA */
    enum litmus_restriction restriction; /* of a PTX fence */
    int map;                             /* the tensor map that a PTX fence is for, or LITMUS_NONE */
    int barrier;                         /* number of the dynamic barrier that it belongs to, or LITMUS_NONE */
    int64_t quorum;                      /* PTX: threads that must meet, 0 for all that come */
};

struct execution {
    const struct litmus_test *test;
    const struct litmus_launches *launches; /* of its threads; NULL: the host orders none */
    unsigned count;
    uint64_t initial; /* the initial writes */
    struct event events[EVENTS_MAXIMUM];
    struct relation po;        /* transitive; also from the read to the write of one read-modify-write */
    struct relation completes; /* from an asynchronous copy's accesses to the fence at which it is known to be done */
    struct relation whole;     /* between the words of an access that covers all at once: not reflexive */
    struct relation rmw;       /* read half to write half */
    struct relation addr, data, ctrl;
    struct relation bar;    /* from each event at a dynamic barrier to each other one that waited there and met it;
                             * OPENCL: from entry to exit fences. Likewise at functions of several lanes, which order
                             * memory only for models that do not ask for barriers (B) */
    struct relation exited; /* from each event of a thread that has ended to each event at a dynamic barrier that waited
                             * for that */
    struct relation rf;
    struct relation fence_sc; /* order of the sc fences that include each other, acyclic with po */
    struct relation co;       /* transitive; total on each location, or as far as the enumerator fixed it */
};

/* Whether a location is an atomic object: by its type, by the functions of OpenCL C 1.x that access it, or because its
 * dialect has no other. */
bool location_is_atomic(const struct litmus_test *test, const struct litmus_location *location);

/* Whether it is the result of a function of several lanes. */
static inline bool event_is_result(const struct event *event)
{
    return event->kind == EVENT_COLLECTIVE && event->wait;
}

/* Whether two accesses meet at one element of a location. */
static inline bool event_same_cell(const struct event *a, const struct event *b)
{
    return a->storage == b->storage && a->element == b->element;
}

/* Whether two values are equal in the bytes of an access. */
static inline bool event_same_value(const struct event *event, int64_t a, int64_t b)
{
    return (((uint64_t)a ^ (uint64_t)b) << 8 * (8 - event->size)) == 0;
}

/* The initial writes are before all other writes of their location, whatever else coherence is. */
void execution_initial_coherence(const struct execution *execution, struct relation *co);

/* All pairs of events whose launches the host orders: the first event's launch ends before the second's begins, or
 * before a wait of the second's thread ends (LITMUS_GRID_WAIT), or the first is a fence before the trigger of the
 * second's launch (LITMUS_GRID_TRIGGER). An asynchronous copy's accesses are included only from
 * the point where it is known to be done. */
void execution_launch_order(const struct execution *execution, struct relation *order);

/* Whether the event is its thread's wait for earlier launches (LITMUS_GRID_WAIT), or comes after one. */
bool execution_has_awaited(const struct execution *execution, unsigned event);

/* Whether a's scope, as seen from a's thread, includes b's thread. */
bool execution_scope_includes(const struct execution *execution, const struct event *a, const struct event *b);

/* Whether the threads of two events share an instance of the level. Initial writes share none. */
bool execution_same_instance(const struct execution *execution, const struct event *a, const struct event *b,
                             enum litmus_scope level);

/* Append an event's description ("read y = 1, acquire gpu"). */
void execution_print_event(const struct execution *execution, unsigned event, struct text *text);
/* The value that it reads or writes; for an mbarrier, the phase and what it lacks. */
void execution_print_value(const struct execution *execution, unsigned event, struct text *text);
