// SPDX-License-Identifier: Apache-2.0
/*
 * The layout of the draw and counters buffers: one list for the host and the kernel. The generated
 * kernel text starts with a #define for each row, so the two cannot disagree. Increment
 * LAYOUT_VERSION with every change: kernels kept from an earlier version must not be replayed.
 */
#ifndef ORCHIL_RUNNER_KERNEL_LAYOUT_H
#define ORCHIL_RUNNER_KERNEL_LAYOUT_H

#include "base/record.h"

enum { LAYOUT_VERSION = 7 };

/* Fixed words of the draw buffer. Tables follow; words described as "a position" give their
 * offsets. X(name) */
#define DRAW_LIST(X)                                                                                                   \
    X(STEPS)          /* bits STEP_* of the skeleton */                                                                \
    X(GROUPS)         /* of the launch */                                                                              \
    X(TESTING_GROUPS) /* a multiple of SLOTS */                                                                        \
    X(ROUNDS)                                                                                                          \
    X(FIRST_STAMP)  /* stamp of round 0; the next 65,535 batches use other stamps */                                   \
    X(STRIDE)       /* words between neighbouring cells of test memory */                                              \
    X(LOCAL_STRIDE) /* the same in local memory */                                                                     \
    X(MEET_ALL)     /* before a round: all testing groups (1) or the team (0) */                                       \
    X(JITTER_STEPS) /* longest idle time of a wavefront before it plays */                                             \
    X(MEET_POLLS)   /* bound on polls of a meeting */                                                                  \
    X(SPIN_BOUND)   /* iterations that one thread's loops may take together in one instance */                         \
    X(PRE_STRESS_ROUNDS)                                                                                               \
    X(PRE_STRESS_PATTERN) /* bit k: access k is a store */                                                             \
    X(PRE_STRESS_LENGTH)                                                                                               \
    X(STRESS_PATTERN)                                                                                                  \
    X(STRESS_LENGTH)                                                                                                   \
    X(STRESS_LIMIT)  /* bound on a stressing item's rounds */                                                          \
    X(STRESS_CACHED) /* its loads may be served by the compute unit's own cache */                                     \
    X(STRESS_LINE_COUNT)                                                                                               \
    X(STRESS_LINE_WORDS)                                                                                               \
    X(STRESS_CHUNKED) /* groups share lines in chunks (1) or round-robin (0) */                                        \
    X(STRESS_LINES)   /* a position: first word of each line in scratch */                                             \
    X(SHUFFLE)        /* a position: logical number of each group */                                                   \
    X(TEAM_MAPS)      /* a position: {multiplier, offset, inverse of the multiplier} modulo TESTING_GROUPS */          \
    X(TEAM_MAP_COUNT)                                                                                                  \
    X(LANE_MAPS)      /* a position: {multiplier, offset, width, shift} for each body: which instance a lane plays */  \
    X(CELL_MAPS)      /* a position: {multiplier, offset, group shift} for each location: where its cell lies */       \
    X(CELLS)          /* first word of the cells in memory */                                                          \
    X(RESULTS)        /* first word of the results in memory */                                                        \
    X(MEETING_POINTS) /* first meeting point in counters */                                                            \
    X(WARM)           /* 1: before a round, items read what they will read by an alias or through a proxy */           \
    X(CLUSTER_GROUPS) /* groups that share a cluster; 0: no clusters */                                                \
    X(COPY_BYTES)     /* bytes of each bulk copy of stress; 0: it loads and stores */                                  \
    X(COPY_PLACE)     /* in words, of the copies' local memory: an mbarrier, 2 unused words, the bytes */              \
    X(DELAY_SITES)    /* bit k: threads rest before the instruction at site k */                                       \
    X(DELAY_NANOSECONDS)                                                                                               \
    X(AGENTS)    /* a position: AGENT_* of each agent, with several agents; else 0 */                                  \
    X(HOMES)     /* a position, with several agents: the number of each location's home */                             \
    X(DISTANCES) /* a position, with several agents: {low, high}, distance of each home from `memory`, in words */     \
    X(LAUNCH)    /* the number of this launch of a test of several; else 0 */

/* Words of the draw for each of several agents. X(name) */
#define AGENT_LIST(X)                                                                                                  \
    X(GROUPS)         /* of the agent's launch */                                                                      \
    X(TESTING_GROUPS) /* of these, a multiple of its slots */                                                          \
    X(FIRST)          /* its first testing group among those of all agents */                                          \
    X(SHUFFLE)        /* a position: the number of each of its groups among its own */                                 \
    X(MEET_POLLS)     /* bound on its polls of a meeting */                                                            \
    X(JITTER_STEPS)   /* longest idle time of one of its wavefronts before it plays */

/* Fixed words of the counters buffer; the histogram and the table follow. X(name, kind, label): kind and label as in
 * struct backend_counter, or NONE for a word that is not a result. */
#define COUNTER_LIST(X)                                                                                                \
    X(GAVE_UP, VOID, "gave_up")       /* a spin loop of the test reached its bound */                                  \
    X(STALE, VOID, "stale")           /* a result carried another round's stamp */                                     \
    X(UNMET, VOID, "unmet")           /* the threads did not meet; it is unknown whether all finished */               \
    X(UNRECORDED, VOID, "unrecorded") /* the table was full */                                                         \
    X(ROUNDS, LIVENESS, "rounds")     /* played, summed over testing groups */                                         \
    X(PRE_STRESS_ROUNDS, LIVENESS, "pre_stress_rounds")                                                                \
    X(STRESS_ROUNDS, LIVENESS, "stress_rounds") /* patterns done, summed over stressing groups */                      \
    X(JITTER_PAUSES, LIVENESS, "jitter_pauses") /* pauses of the groups' first items before they played */             \
    X(MET_ALL, LIVENESS, "met_all")             /* meetings of all testing groups, summed over them */                 \
    X(WARMED, LIVENESS, "warmed")               /* reads of an instance's cells before rounds, summed over groups */   \
    X(CLUSTERED, LIVENESS, "clustered")         /* testing groups that were in a cluster of the size asked for */      \
    X(COPIES, LIVENESS, "copies")               /* of scratch memory to local memory and back */                       \
    X(DELAYED, LIVENESS, "delayed")             /* rounds in which a thread rested, summed over testing groups */      \
    X(OVERLAPPED, LIVENESS, BATCH_OVERLAPPED)   /* testing groups that began while a contending one ran */             \
    X(LEFT, NONE, "left")                       /* groups that missed a meeting */                                     \
    X(FINISHED, NONE, "finished")               /* testing groups that are done */                                     \
    X(EARLY, NONE, "early")                     /* testing groups that began before a preceding launch had ended */    \
    X(BEGUN_0, NONE, "begun_0") /* testing groups of launch 0 that have begun to play; then the other launches */      \
    X(BEGUN_1, NONE, "begun_1")                                                                                        \
    X(BEGUN_2, NONE, "begun_2")                                                                                        \
    X(BEGUN_3, NONE, "begun_3")                                                                                        \
    X(ENDED_0, NONE, "ended_0") /* testing groups that have played, in the same order */                               \
    X(ENDED_1, NONE, "ended_1")                                                                                        \
    X(ENDED_2, NONE, "ended_2")                                                                                        \
    X(ENDED_3, NONE, "ended_3")                                                                                        \
    X(PROBE_JOINED, NONE, "probe_joined")                                                                              \
    X(PROBE_CLOSED, NONE, "probe_closed")

#define LAYOUT_DRAW_ENUM(name) DRAW_##name,
enum draw_word { DRAW_LIST(LAYOUT_DRAW_ENUM) DRAW_FIXED_WORDS };
#undef LAYOUT_DRAW_ENUM

#define LAYOUT_COUNTER_ENUM(name, kind, label) COUNTER_##name,
enum counter_word { COUNTER_LIST(LAYOUT_COUNTER_ENUM) COUNTER_HISTOGRAM };
#undef LAYOUT_COUNTER_ENUM

#define LAYOUT_AGENT_ENUM(name) AGENT_##name,
enum agent_word { AGENT_LIST(LAYOUT_AGENT_ENUM) AGENT_WORDS };
#undef LAYOUT_AGENT_ENUM

/* Layout of the shared memory in which agents meet, in words: first a word for each agent, on a
 * line of its own, which reports that one of its groups has left; then a word for each round,
 * phase, team and member, which only that member writes. */
enum { MEETING_LINE = 32 };

/* Bits of DRAW_STEPS, as in the skeleton. */
enum { STEP_INITIALISE = 1, STEP_PLAY = 2, STEP_MEET = 4, STEP_COUNT = 8, STEP_PROBE = 16, STEP_WARM = 32 };

#endif
