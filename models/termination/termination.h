// SPDX-License-Identifier: Apache-2.0
/*
 * Must a program end? It need not if some scheduler that keeps its promise never lets it.
 *
 * Steps of threads interleave (sequential consistency), and a store is seen by every later load. Weak memory is not
 * asked: a program that ends here may still hang on a device on which a flag becomes visible before its data. A
 * scheduler promises steps to some of the threads that can take one, and may give steps to the others. All
 * interleavings are followed; a program does not end if one of them repeats for ever and keeps the promise, or if
 * threads wait for ever at a barrier. A weak compare-and-swap does not fail by chance.
 *
 * Sources: Sorensen, Salvador, Raval, Evrard, Wickerson, Martonosi, Donaldson, "Specifying and Testing GPU Workgroup
 * Progress Models" (OOPSLA 2021); a thread of a test stands for their work-group, its number for the group's. `hsa` is
 * as Dat3M reads it: the thread with the lowest number among those that can take a step. `lockstep` is orchil's own:
 * threads of one sub-group are lanes of a warp, and so are threads of one body in one work-group if the test numbers no
 * sub-groups.
 */
#pragma once

#include "base/record.h"
#include "litmus/litmus.h"

/* X(name, word, who is promised steps). A thread of the host is promised steps by all of them. */
#define SCHEDULER_LIST(X)                                                                                              \
    X(FAIR, "fair", "every thread")                                                                                    \
    X(HSA, "hsa", "the thread with the lowest number")                                                                 \
    X(OBE, "obe", "every thread that has begun")                                                                       \
    X(LOBE, "lobe", "every thread that has begun, or with a lower number than one that has")                           \
    X(HSA_OBE, "hsa-obe", "the thread with the lowest number, and every thread that has begun")                        \
    X(LOCKSTEP, "lockstep", "every warp; its lanes take each step together")

enum scheduler {
#define SCHEDULER_ENUM(name, word, promise) SCHEDULER_##name,
    SCHEDULER_LIST(SCHEDULER_ENUM)
#undef SCHEDULER_ENUM
        SCHEDULER_COUNT
};

/* "hsa-obe"; NULL beyond the last. And to whom it promises steps, in words. */
const char *scheduler_word(size_t scheduler);
const char *scheduler_promise(enum scheduler scheduler);

/* How many states of a program are followed. */
enum { TERMINATION_MAXIMUM_STATES = 200000 };

/* A step of a schedule: a thread's access or barrier, or (place.line is 0) only the thread's own computing. */
struct termination_step {
    unsigned thread;
    struct litmus_place place; /* in the test's text */
    int location;              /* that it accesses, or LITMUS_NONE */
    uint32_t element;
    int64_t before, after; /* what the location holds */
};

struct termination {
    enum { TERMINATION_UNKNOWN, TERMINATION_ENDS, TERMINATION_DOES_NOT } answer;
    char *reason; /* UNKNOWN: why; DOES_NOT: who runs, waits or never runs, in words; else NULL */
    /* DOES_NOT: a schedule. Its steps from number `repeated` on repeat for ever; none: after the last, all threads that
     * are left wait. */
    struct termination_step *steps;
    size_t step_count, repeated;
    size_t states; /* that were followed */
};

/* Fills in an answer for each of the schedulers whose bit is set. Never fails: what cannot be followed (asynchronous
 * copies, accesses of several sizes, too many states) is UNKNOWN. termination_release frees an answer. */
void termination_find(const struct litmus_test *test, unsigned schedulers, struct termination answers[SCHEDULER_COUNT]);
void termination_release(struct termination *answer);

/* "ends", "does not end", "unknown". */
const char *termination_word(const struct termination *answer);
