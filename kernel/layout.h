// SPDX-License-Identifier: Apache-2.0
/* What host and kernel know by one name: the parameters of an environment, the words of the draw and counters buffers,
 * and the steps of a launch. The generated kernel text starts with a #define for each word and step, so the two cannot
 * disagree. Increment LAYOUT_VERSION with every change of these: kernels kept from an earlier version must not be
 * replayed. */
#pragma once

#include "base/record.h"

enum { LAYOUT_VERSION = 12 };

/* X(name, words): the mechanisms that parameters belong to. The minimiser removes the parameters of a mechanism
 * together before it removes each by itself. */
#define MECHANISM_GROUP_LIST(X)                                                                                        \
    X(SIZE, "sizes") /* how much is run: never neutral, and never counted */                                           \
    X(STRESS, "memory stress")                                                                                         \
    X(PRE_STRESS, "pre-stress")                                                                                        \
    X(JITTER, "jitter")                                                                                                \
    X(DELAYS, "delays before instructions")                                                                            \
    X(MEETING, "meetings")                                                                                             \
    X(PARTNERS, "changing partners")                                                                                   \
    X(LANES, "permuted items")                                                                                         \
    X(PLACES, "spread locations")                                                                                      \
    X(OCCUPANCY, "idle groups")                                                                                        \
    X(CLUSTERS, "clusters")                                                                                            \
    X(WARM, "warmed caches")                                                                                           \
    X(TICKS, "starts at ticks")

/*
 * The parameters of an environment, one row for each:
 * X(name, kind, lowest, highest, neutral, unnamed, mechanism, title, more...).
 *
 * Each is a range in an environment and one value in a draw, uniform in the range. The range of a CHANCE is in percent;
 * its value in a draw is 0 or 1.
 *
 * neutral: the value without effect, or the simplest; the minimiser sets it.
 * unnamed: the value of an environment that does not name the parameter, or NAMED if each must. The
 *   canonical text leaves a parameter out at this value, so a new parameter at the end of the list
 *   changes no environment's hash and no job's draws.
 * mechanism: of MECHANISM_GROUP_LIST. title: for lists of parameters: "stride".
 *
 * The rest initialises struct environment_parameter (runner/environment/environment.h): .meaning, for users, and what a
 * parameter has of
 * .with_value  "stride %s", of a RANGE
 * .needs       it has no effect if all of these are 0
 * .word        the word of the draw that has its value
 * .gpu, .cpu   the ranges among which `orchil tune` chooses; without them it is not searched
 * .step        how tuning changes its value; by default SEARCH_STEP_SHIFT
 * .searched_with  what a test or a device must have, bits of enum search_has
 */
/* clang-format off */
#define ENVIRONMENT_LIST(X)                                                                                            \
    X(group_size, RANGE, 1, 4096, 1, NAMED, SIZE, "group size",                                                        \
      .with_value = "groups of %s", .step = SEARCH_STEP_DOUBLE,                                                        \
      .gpu = {ONE(32), ONE(64), ONE(128), TIMES(4, 256), ONE(384), ONE(512), ONE(1024)},                               \
      .cpu = {ONE(4096), ONE(1024), ONE(512), TIMES(4, 256), ONE(64), ONE(16)},                                        \
      .meaning = "items per group; rounded to whole instances, and cut to the device's largest group and its "         \
                 "local memory. On a CPU a group runs in one thread: large groups make meetings cheap, but partners "  \
                 "drift apart")                                                                                        \
    X(testing_percent, RANGE, 1, 100, 100, NAMED, OCCUPANCY, "idle groups",                                            \
      .with_value = "testing groups on %s %% of the device",                                                           \
      .gpu = {ONE(50), ONE(75), ONE(85), ONE(90), TIMES(4, 95), ONE(98), ONE(100)}, .cpu = {ONE(100)},                 \
      .meaning = "percentage of the resident groups that play the test. Fewer groups run more evenly, which "          \
                 "reveals outcomes that need two accesses to take nearly the same time")                               \
    X(stress_percent, RANGE, 0, 100, 0, NAMED, STRESS, "stress",                                                       \
      .with_value = "stress by %s %% of the groups", .gpu = {TIMES(8, 0), ONE(1), ONE(2), ONE(5), ONE(15)},            \
      .cpu = {ONE(0)},                                                                                                 \
      .meaning = "percentage of the resident groups that access memory to disturb the test; cut to the groups "        \
                 "that do not test")                                                                                   \
    X(rounds, RANGE, 1, 65535, 1, NAMED, SIZE, "rounds",                                                               \
      .with_value = "%s rounds", .step = SEARCH_STEP_DOUBLE,                                                           \
      .gpu = {ONE(50), ONE(100), ONE(250), TIMES(4, 500), ONE(1000), ONE(2000)},                                       \
      .cpu = {ONE(30), ONE(100), ONE(300), TIMES(4, 1000)},                                                            \
      .meaning = "rounds per batch; fewer if fewer instances are left to do. More rounds make batches longer and "     \
                 "launches cheaper")                                                                                   \
    X(teams, RANGE, 1, 256, 1, NAMED, PARTNERS, "partner arrangements",                                                \
      .with_value = "%s partner arrangements", .word = DRAW_TEAM_MAP_COUNT, .step = SEARCH_STEP_DOUBLE,                \
      .gpu = {ONE(1), ONE(2), ONE(4), ONE(8), TIMES(4, 16), ONE(64), ONE(256)},                                        \
      .cpu = {ONE(1), ONE(2), ONE(4), BETWEEN(1, 4)},                                                                  \
      .meaning = "number of ways in which groups are combined into teams; the rounds cycle through them")              \
    X(shuffle_chance, CHANCE, 0, 100, 0, NAMED, PARTNERS, "shuffled groups",                                           \
      .gpu = {ONE(0), ONE(50), ONE(100)}, .cpu = {ONE(0), ONE(50), ONE(100)},                                          \
      .meaning = "the numbers of the groups are permuted, so that partners run on different compute units")            \
    X(lane_chance, CHANCE, 0, 100, 0, NAMED, LANES, "permuted items",                                                  \
      .gpu = {TIMES(6, 0), ONE(10), ONE(50), ONE(100)}, .cpu = {TIMES(4, 0), ONE(5), ONE(50), ONE(100)},               \
      .meaning = "the items of each test thread are permuted, so that an instance is played by items of different "    \
                 "numbers")                                                                                            \
    X(lane_offset, RANGE, 0, 4095, 0, NAMED, LANES, "displaced items",                                                 \
      .with_value = "partners displaced by %s",                                                                        \
      .gpu = {TIMES(4, 0), ONE(1), ONE(8), ONE(16), ONE(32), ONE(64), BETWEEN(0, 31), BETWEEN(0, 255)},                \
      .cpu = {TIMES(4, 0), ONE(1), ONE(2), ONE(4), ONE(8), ONE(16), ONE(64), BETWEEN(0, 2), BETWEEN(0, 16)},           \
      .meaning = "without that permutation: the number of items by which the second and further threads are "          \
                 "shifted, modulo the group size")                                                                     \
    X(cell_chance, CHANCE, 0, 100, 0, NAMED, PLACES, "locations far apart",                                            \
      .gpu = {TIMES(4, 0), ONE(50), TIMES(4, 100)}, .cpu = {TIMES(4, 0), ONE(20), TIMES(4, 100)},                      \
      .meaning = "the locations of an instance are far apart; otherwise they are next to each other. On GPUs this "    \
                 "is what weak outcomes across work-groups depend on most")                                            \
    X(stride, RANGE, 1, 1024, 1, NAMED, PLACES, "stride",                                                              \
      .with_value = "stride %s", .word = DRAW_STRIDE, .step = SEARCH_STEP_DOUBLE,                                      \
      .gpu = {TIMES(4, 1), ONE(2), ONE(3), ONE(4), ONE(8), ONE(16), ONE(32), BETWEEN(1, 2), BETWEEN(1, 8)},            \
      .cpu = {TIMES(4, 1), ONE(2), ONE(4), ONE(8), ONE(16), ONE(32), BETWEEN(1, 4), BETWEEN(1, 16)},                   \
      .meaning = "32-bit words from one location to the next in test memory. A small stride puts many instances "      \
                 "on a cache line and fits more of them into the cache")                                               \
    X(local_stride, RANGE, 1, 64, 1, NAMED, PLACES, "stride in local memory",                                          \
      .with_value = "stride %s in local memory", .word = DRAW_LOCAL_STRIDE, .step = SEARCH_STEP_DOUBLE,                \
      .searched_with = SEARCH_LOCAL,                                                                                   \
      .gpu = {TIMES(4, 1), ONE(2), ONE(4), ONE(8), ONE(32), ONE(33), BETWEEN(1, 4)},                                   \
      .cpu = {TIMES(4, 1), ONE(2), ONE(4), BETWEEN(1, 2)},                                                             \
      .meaning = "the same in local memory, where it decides which banks conflict; cut to the device's local "         \
                 "memory")                                                                                             \
    X(pre_stress_chance, CHANCE, 0, 100, 0, NAMED, PRE_STRESS, "pre-stress",                                           \
      .gpu = {TIMES(8, 0), ONE(5), ONE(20), ONE(50), ONE(100)}, .cpu = {TIMES(6, 0), ONE(10), ONE(50), ONE(100)},      \
      .meaning = "testing groups access scratch memory before each round")                                             \
    X(pre_stress_rounds, RANGE, 1, 65535, 1, NAMED, PRE_STRESS, "its rounds",                                          \
      .with_value = "%s rounds of it", .needs = BIT(pre_stress_chance), .word = DRAW_PRE_STRESS_ROUNDS,                \
      .step = SEARCH_STEP_DOUBLE, .gpu = {TIMES(4, 1), ONE(2), ONE(4), ONE(8), ONE(32), BETWEEN(1, 4)},                \
      .cpu = {TIMES(4, 1), ONE(2), ONE(4), BETWEEN(1, 4)},                                                             \
      .meaning = "repetitions of the pattern before each round")                                                       \
    X(pre_stress_pattern, RANGE, 0, 61, 0, NAMED, PRE_STRESS, "its pattern",                                           \
      .with_value = "pre-stress pattern %s", .needs = BIT(pre_stress_chance), .step = SEARCH_STEP_ANY,                 \
      .gpu = PATTERNS, .cpu = PATTERNS,                                                                                \
      .meaning = "the pattern of pre-stress: the number of a sequence of loads and stores")                            \
    X(stress_pattern, RANGE, 0, 61, 0, NAMED, STRESS, "its pattern",                                                   \
      .with_value = "stress pattern %s", .needs = BIT(stress_percent), .step = SEARCH_STEP_ANY,                        \
      .gpu = PATTERNS, .cpu = PATTERNS,                                                                                \
      .meaning = "the pattern of stressing groups: the number of a sequence of loads and stores")                      \
    X(stress_lines, RANGE, 1, 256, 1, NAMED, STRESS, "its lines",                                                      \
      .with_value = "%s stressed lines", .needs = BIT(stress_percent), .word = DRAW_STRESS_LINE_COUNT,                 \
      .step = SEARCH_STEP_DOUBLE, .gpu = {ONE(1), TIMES(4, 2), ONE(4), ONE(16), ONE(64), BETWEEN(1, 16)},              \
      .cpu = {ONE(1), TIMES(4, 2), ONE(4), ONE(16), BETWEEN(1, 4)},                                                    \
      .meaning = "number of lines of scratch memory that stress accesses")                                             \
    X(stress_line_words, RANGE, 1, 1024, 32, NAMED, STRESS, "its line size",                                           \
      .with_value = "lines of %s words", .needs = BIT(stress_percent), .word = DRAW_STRESS_LINE_WORDS,                 \
      .step = SEARCH_STEP_DOUBLE, .gpu = {ONE(16), TIMES(4, 32), ONE(64), ONE(128), BETWEEN(32, 64)},                  \
      .cpu = {ONE(16), ONE(32), ONE(64), BETWEEN(16, 64)},                                                             \
      .meaning = "32-bit words per line; neighbouring items access neighbouring words")                                \
    X(stress_chunked_chance, CHANCE, 0, 100, 0, NAMED, STRESS, "shared stress lines",                                  \
      .needs = BIT(stress_percent), .word = DRAW_STRESS_CHUNKED, .gpu = {ONE(0), ONE(50), ONE(100)},                   \
      .cpu = {ONE(0), ONE(50), ONE(100)},                                                                              \
      .meaning = "neighbouring groups share a line; otherwise lines are dealt to the groups in turn")                  \
    X(stress_cached_chance, CHANCE, 0, 100, 0, NAMED, STRESS, "cached stress loads",                                   \
      .needs = BIT(stress_percent) | BIT(pre_stress_chance), .word = DRAW_STRESS_CACHED,                               \
      .gpu = {TIMES(4, 0), ONE(50), ONE(100)}, .cpu = {ONE(0)},                                                        \
      .meaning = "loads of stress and pre-stress may be served by the L1 cache")                                       \
    X(meet_all_chance, CHANCE, 0, 100, 0, NAMED, MEETING, "meetings of all groups",                                    \
      .gpu = {TIMES(8, 0), ONE(50), ONE(100)}, .cpu = {TIMES(8, 0), ONE(50), ONE(100)},                                \
      .meaning = "all testing groups meet before a round, instead of each team on its own")                            \
    X(no_meeting_chance, CHANCE, 0, 100, 0, NAMED, MEETING, "no meetings",                                             \
      .meaning = "nobody meets; the batch is a single round in fresh memory, and initialising, playing and "           \
                 "counting are launches of their own")                                                                 \
    X(jitter_chance, CHANCE, 0, 100, 0, NAMED, JITTER, "jitter",                                                       \
      .gpu = {TIMES(8, 0), ONE(20), ONE(50), ONE(100)}, .cpu = {TIMES(8, 0), ONE(50), ONE(100)},                       \
      .meaning = "every 32 neighbouring items idle for a random time before they play")                                \
    X(jitter_steps, RANGE, 1, 65535, 1, NAMED, JITTER, "its steps",                                                    \
      .with_value = "up to %s steps of it", .needs = BIT(jitter_chance), .word = DRAW_JITTER_STEPS,                    \
      .step = SEARCH_STEP_DOUBLE, .gpu = {ONE(4), ONE(16), TIMES(4, 64), ONE(256), ONE(1024)},                         \
      .cpu = {ONE(4), ONE(16), ONE(64), ONE(256)},                                                                     \
      .meaning = "the longest such time, in steps of a few clock cycles")                                              \
    X(meet_polls, RANGE, 1, 2147483647, 1, NAMED, SIZE, "polls of a meeting",                                          \
      .with_value = "%s polls of a meeting", .word = DRAW_MEET_POLLS,                                                  \
      .meaning = "how often a group looks whether its partners have arrived before it gives up; its instances "        \
                 "then count as void (`unmet`)")                                                                       \
    X(spin_bound, RANGE, 1, 2147483647, 1, NAMED, SIZE, "bound on spins",                                              \
      .with_value = "%s spins", .word = DRAW_SPIN_BOUND,                                                               \
      .meaning = "iterations that the loops of a thread may take in one instance; after that the instance is void "    \
                 "(`gave_up`)")                                                                                        \
    X(warm_chance, CHANCE, 0, 100, 0, 50, WARM, "warmed caches",                                                       \
      .word = DRAW_WARM, .searched_with = SEARCH_PATHS, .gpu = {ONE(0), ONE(50), ONE(100)}, .cpu = {ONE(0)},           \
      .meaning = "before a round, items read what they will read by an alias or through a proxy, so that a stale "     \
                 "cache line can exist; 0 for tests that have neither")                                                \
    X(cluster_chance, CHANCE, 0, 100, 0, 0, CLUSTERS, "clusters",                                                      \
      .searched_with = SEARCH_CLUSTERS, .gpu = {TIMES(8, 0), ONE(20), ONE(50), ONE(100)}, .cpu = {ONE(0)},             \
      .meaning = "groups are launched in clusters")                                                                    \
    X(cluster_groups, RANGE, 2, 8, 2, 2, CLUSTERS, "their size",                                                       \
      .with_value = "%s work-groups in each", .needs = BIT(cluster_chance), .step = SEARCH_STEP_DOUBLE,                \
      .searched_with = SEARCH_CLUSTERS, .gpu = {TIMES(4, 2), ONE(4), ONE(8), BETWEEN(2, 8)}, .cpu = {ONE(2)},          \
      .meaning = "groups per cluster; cut to the device's limit, and so that whole teams fill the clusters")           \
    X(cluster_partners_chance, CHANCE, 0, 100, 0, 0, CLUSTERS, "partners in a cluster",                                \
      .needs = BIT(cluster_chance), .searched_with = SEARCH_CLUSTERS,                                                  \
      .gpu = {ONE(0), ONE(50), ONE(100)}, .cpu = {ONE(0)},                                                             \
      .meaning = "most teams lie within one cluster, if it is large enough for a team")                                \
    X(stress_copy_chance, CHANCE, 0, 100, 0, 0, STRESS, "stress by bulk copies",                                       \
      .needs = BIT(stress_percent), .searched_with = SEARCH_COPIES,                                                    \
      .gpu = {TIMES(4, 0), ONE(20), ONE(50), ONE(100)}, .cpu = {ONE(0)},                                               \
      .meaning = "stressing groups make bulk copies (`cp.async.bulk`) instead of loads and stores; NVIDIA GPUs "       \
                 "from sm_90 on")                                                                                      \
    X(stress_copy_bytes, RANGE, 16, 16384, 16, 16, STRESS, "their bytes",                                              \
      .with_value = "copies of %s bytes", .needs = BIT(stress_copy_chance), .word = DRAW_COPY_BYTES,                   \
      .step = SEARCH_STEP_DOUBLE, .searched_with = SEARCH_COPIES,                                                      \
      .gpu = {ONE(16), ONE(128), TIMES(4, 1024), ONE(4096), BETWEEN(16, 4096)}, .cpu = {ONE(16)},                      \
      .meaning = "bytes per bulk copy, rounded down to multiples of 16 and cut to the local memory that the test "     \
                 "leaves")                                                                                             \
    X(delay_chance, CHANCE, 0, 100, 0, 0, DELAYS, "delays before instructions",                                        \
      .gpu = {TIMES(8, 0), ONE(20), ONE(50), ONE(100)}, .cpu = {TIMES(8, 0), ONE(50), ONE(100)},                       \
      .meaning = "threads rest before some of their instructions")                                                     \
    X(delay_sites, RANGE, 1, 32, 1, 1, DELAYS, "their number",                                                         \
      .with_value = "delays before %s instructions", .needs = BIT(delay_chance),                                       \
      .step = SEARCH_STEP_DOUBLE, .gpu = {TIMES(4, 1), ONE(2), ONE(4), BETWEEN(1, 4)},                                 \
      .cpu = {TIMES(4, 1), ONE(2), ONE(4), BETWEEN(1, 4)},                                                             \
      .meaning = "number of instructions of the test that threads rest before; cut to what the test has")              \
    X(delay_nanoseconds, RANGE, 1, 65535, 1, 1, DELAYS, "their time",                                                  \
      .with_value = "delays of %s ns", .needs = BIT(delay_chance), .word = DRAW_DELAY_NANOSECONDS,                     \
      .step = SEARCH_STEP_DOUBLE, .gpu = {ONE(20), ONE(100), TIMES(4, 500), ONE(2000), BETWEEN(20, 2000)},             \
      .cpu = {ONE(20), ONE(100), ONE(500), BETWEEN(20, 2000)},                                                         \
      .meaning = "time of each rest, in nanoseconds")                                                                  \
    X(item_instances, RANGE, 1, 8, 1, 1, SIZE, "instances of an item",                                                 \
      .with_value = "%s instances of an item", .word = DRAW_REPEATS, .step = SEARCH_STEP_DOUBLE,                       \
      .gpu = {ONE(1), ONE(2), TIMES(4, 4), ONE(8)}, .cpu = {ONE(1)},                                                   \
      .meaning = "instances that an item plays one after the other between two meetings. More make meetings cheaper. " \
                 "1 for tests with barriers, local memory, several launches or several agents")                        \
    X(tick_chance, CHANCE, 0, 100, 0, 0, TICKS, "starts at ticks",                                                     \
      .searched_with = SEARCH_CLOCK, .gpu = {TIMES(2, 0), ONE(50), TIMES(3, 100)},                                     \
      .cpu = {TIMES(2, 0), ONE(50), TIMES(3, 100)},                                                                    \
      .meaning = "groups that play an instance together start each instance at the same tick of a clock that they "    \
                 "share, so that all its threads run at one time; only where there is such a clock")                   \
    X(tick_nanoseconds, RANGE, 64, 65535, 1024, 1024, TICKS, "their distance",                                         \
      .with_value = "ticks of %s ns", .needs = BIT(tick_chance), .word = DRAW_TICK_NANOSECONDS,                        \
      .step = SEARCH_STEP_DOUBLE, .searched_with = SEARCH_CLOCK,                                                       \
      .gpu = {ONE(768), TIMES(4, 1024), ONE(1536), ONE(2048), ONE(4096), BETWEEN(1024, 1792)},                         \
      .cpu = {ONE(96), TIMES(4, 128), ONE(160), ONE(256), BETWEEN(96, 160)},                                           \
      .meaning = "time from one tick to the next, in nanoseconds. It should be a little longer than a group needs "    \
                 "from one instance to the next. On a CPU each item waits by itself, so long ticks make rounds very "  \
                 "long")                                                                                               \
    X(load_lag_nanoseconds, RANGE, 0, 65535, 0, 0, TICKS, "lag of loads",                                              \
      .with_value = "loads %s ns later", .needs = BIT(tick_chance), .word = DRAW_LOAD_LAG,                             \
      .searched_with = SEARCH_CLOCK, .gpu = {TIMES(2, 0), TIMES(2, 32), ONE(64)}, .cpu = {ONE(0)},                     \
      .meaning = "groups whose threads all begin with a load start so many nanoseconds after the tick, and the other " \
                 "groups at the tick: a store takes longer than a load to reach the memory")                           \
    X(load_group_size, RANGE, 0, 4096, 0, 0, SIZE, "group size of loads",                                              \
      .with_value = "groups of %s if loads come first",                                                                \
      .meaning = "the group size for tests whose threads all begin with a load, such as LB; 0: `group_size`")
/* clang-format on */

/* What a draw may request, and the counter that shows that it happened: X(name, counter, parameter, title, label): the
 * parameter that requests it, and the label in a batch's liveness. */
#define MECHANISM_LIST(X)                                                                                              \
    X(STRESS, STRESS_ROUNDS, stress_percent, "memory stress", "stress_rounds")                                         \
    X(PRE_STRESS, PRE_STRESS_ROUNDS, pre_stress_chance, "pre-stress", "pre_stress_rounds")                             \
    X(JITTER, JITTER_PAUSES, jitter_chance, "jitter", "jitter_pauses")                                                 \
    X(MEET_ALL, MET_ALL, meet_all_chance, "meeting of all groups", "met_all")                                          \
    X(WARM, WARMED, warm_chance, "warming", "warmed")                                                                  \
    X(CLUSTERS, CLUSTERED, cluster_chance, "clusters", "clustered")                                                    \
    X(COPIES, COPIES, stress_copy_chance, "bulk copies", "copies")                                                     \
    X(DELAYS, DELAYED, delay_chance, "delays", "delayed")                                                              \
    X(TICKS, TICKED, tick_chance, "starts at ticks", "ticked")

/* Fixed words of the draw buffer. Tables follow; words described as "a position" give their offsets. X(name) */
#define DRAW_LIST(X)                                                                                                       \
    X(STEPS)          /* bits STEP_* */                                                                                    \
    X(GROUPS)         /* of the launch */                                                                                  \
    X(TESTING_GROUPS) /* a multiple of SLOTS */                                                                            \
    X(ROUNDS)                                                                                                              \
    X(FIRST_STAMP)  /* stamp of round 0; the next 65,535 batches use other stamps */                                       \
    X(STRIDE)       /* words between neighbouring cells of test memory */                                                  \
    X(LOCAL_STRIDE) /* the same in local memory */                                                                         \
    X(MEET_ALL)     /* before a round: all testing groups (1) or the team (0) */                                           \
    X(JITTER_STEPS) /* longest idle time of a wavefront before it plays */                                                 \
    X(MEET_POLLS)   /* bound on polls of a meeting */                                                                      \
    X(SPIN_BOUND)   /* iterations that one thread's loops may take together in one instance */                             \
    X(PRE_STRESS_ROUNDS)                                                                                                   \
    X(PRE_STRESS_PATTERN) /* bit k: access k is a store */                                                                 \
    X(PRE_STRESS_LENGTH)                                                                                                   \
    X(STRESS_PATTERN)                                                                                                      \
    X(STRESS_LENGTH)                                                                                                       \
    X(STRESS_LIMIT)  /* bound on a stressing item's rounds */                                                              \
    X(STRESS_CACHED) /* its loads may be served by the compute unit's own cache */                                         \
    X(STRESS_LINE_COUNT)                                                                                                   \
    X(STRESS_LINE_WORDS)                                                                                                   \
    X(STRESS_CHUNKED) /* groups share lines in chunks (1) or round-robin (0) */                                            \
    X(STRESS_LINES)   /* a position: first word of each line in scratch */                                                 \
    X(SHUFFLE)        /* a position: logical number of each group */                                                       \
    X(TEAM_MAPS)      /* a position: {multiplier, offset, inverse of the multiplier} modulo TESTING_GROUPS */              \
    X(TEAM_MAP_COUNT)                                                                                                      \
    X(LANE_MAPS) /* a position: {multiplier, offset, width, reciprocal of the width, shift} for each body: which       \
                    instance a lane plays */   \
    X(CELL_MAPS)      /* a position: {multiplier, offset, group shift} for each location: where its cell lies */           \
    X(CELLS)          /* first word of the cells in memory */                                                              \
    X(RESULTS)        /* first word of the results in memory */                                                            \
    X(MEETING_POINTS) /* first meeting point in counters */                                                                \
    X(WARM)           /* 1: before a round, items read what they will read by an alias or through a proxy */               \
    X(CLUSTER_GROUPS) /* groups that share a cluster; 0: no clusters */                                                    \
    X(COPY_BYTES)     /* bytes of each bulk copy of stress; 0: it loads and stores */                                      \
    X(COPY_PLACE)     /* in words, of the copies' local memory: an mbarrier, 2 unused words, the bytes */                  \
    X(DELAY_SITES)    /* bit k: threads rest before the instruction at site k */                                           \
    X(DELAY_NANOSECONDS)                                                                                                   \
    X(AGENTS) /* a position: AGENT_* of each agent, with several agents; else 0 */                                         \
    X(HOMES)  /* a position, with several agents: the number of each location's home */                                    \
    X(DISTANCES) /* a position, with several agents: the number of the agent that gets this copy of the draw; then       \
                    {low, high}, distance of each home from `memory`, in words */ \
    X(LAUNCH)  /* the number of this launch of a test of several; else 0 */                                                \
    X(REPEATS) /* instances that an item plays one after the other in a round */                                           \
    X(REGIONS) /* of test memory: one for each testing group and each of these */                                          \
    /* Reciprocals: 2^32 - 1 divided by the number, by which the kernel reduces other numbers modulo it. */                \
    X(INSTANCES_RECIPROCAL) /* of the instances that a group plays at once */                                              \
    X(TESTING_RECIPROCAL)   /* of the testing groups; with several agents each has its own */                              \
    X(TICK_RECIPROCAL)      /* of the next word */                                                                         \
    X(TICK_NANOSECONDS) /* from one tick to the next, at which the groups of a team start; 0: they start at once */        \
    X(LOAD_LAG)         /* nanoseconds after a tick at which groups start whose threads all begin with a load */

/* Words of the draw for each of several agents. X(name) */
#define AGENT_LIST(X)                                                                                                  \
    X(GROUPS)         /* of the agent's launch */                                                                      \
    X(TESTING_GROUPS) /* of these, a multiple of its slots */                                                          \
    X(TESTING_RECIPROCAL)                                                                                              \
    X(FIRST)        /* its first testing group among those of all agents */                                            \
    X(SHUFFLE)      /* a position: the number of each of its groups among its own */                                   \
    X(MEET_POLLS)   /* bound on its polls of a meeting */                                                              \
    X(JITTER_STEPS) /* longest idle time of one of its wavefronts before it plays */

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
    X(TICKED, LIVENESS, "ticked") /* rounds in which groups waited for ticks and the clock ran, summed over groups */  \
    X(OVERLAPPED, LIVENESS, BATCH_OVERLAPPED) /* testing groups that began while a contending one ran */               \
    X(LEFT, NONE, "left")                     /* groups that missed a meeting */                                       \
    X(FINISHED, NONE, "finished")             /* testing groups that are done */                                       \
    X(EARLY, NONE, "early")                   /* testing groups that began before a preceding launch had ended */      \
    X(BEGUN_0, NONE, "begun_0") /* testing groups of launch 0 that have begun to play; then the other launches */      \
    X(BEGUN_1, NONE, "begun_1")                                                                                        \
    X(BEGUN_2, NONE, "begun_2")                                                                                        \
    X(BEGUN_3, NONE, "begun_3")                                                                                        \
    X(BEGUN_4, NONE, "begun_4")                                                                                        \
    X(BEGUN_5, NONE, "begun_5")                                                                                        \
    X(BEGUN_6, NONE, "begun_6")                                                                                        \
    X(BEGUN_7, NONE, "begun_7")                                                                                        \
    X(ENDED_0, NONE, "ended_0") /* testing groups that have played, in the same order */                               \
    X(ENDED_1, NONE, "ended_1")                                                                                        \
    X(ENDED_2, NONE, "ended_2")                                                                                        \
    X(ENDED_3, NONE, "ended_3")                                                                                        \
    X(ENDED_4, NONE, "ended_4")                                                                                        \
    X(ENDED_5, NONE, "ended_5")                                                                                        \
    X(ENDED_6, NONE, "ended_6")                                                                                        \
    X(ENDED_7, NONE, "ended_7")                                                                                        \
    X(PROBE_JOINED, NONE, "probe_joined")                                                                              \
    X(PROBE_CLOSED, NONE, "probe_closed")

#define LAYOUT_DRAW_ENUM(name) DRAW_##name,
enum draw_word { DRAW_LIST(LAYOUT_DRAW_ENUM) DRAW_FIXED_WORDS };
enum { LANE_MAP_WORDS = 5 /* of each body, at DRAW_LANE_MAPS */ };

#define LAYOUT_COUNTER_ENUM(name, kind, label) COUNTER_##name,
enum counter_word { COUNTER_LIST(LAYOUT_COUNTER_ENUM) COUNTER_HISTOGRAM };

#define LAYOUT_AGENT_ENUM(name) AGENT_##name,
enum agent_word { AGENT_LIST(LAYOUT_AGENT_ENUM) AGENT_WORDS };

/* Layout of the shared memory in which agents meet, in words: first a word for each agent, on a line of its own, which
 * reports that one of its groups has left; then a word for each round, phase, team and member, which only that member
 * writes. */
enum { MEETING_LINE = 32 };

/* Where the histogram lies in local memory, in words; in a kernel with delays the skeleton keeps more words before
 * it. */
enum { LOCAL_HISTOGRAM = 4, LOCAL_HISTOGRAM_DELAYS = 8 };

/* Bits of the word DRAW_STEPS: what a launch does. X(name, bit) */
#define STEP_LIST(X)                                                                                                   \
    X(INITIALISE, 1) /* owners initialise their instances before a round */                                            \
    X(PLAY, 2)       /* threads are played */                                                                          \
    X(MEET, 4)       /* teams meet before and after a round */                                                         \
    X(COUNT, 8)      /* owners count their instances' outcomes after a round */                                        \
    X(PROBE, 16)     /* only measures how many groups run at once */                                                   \
    X(WARM, 32)      /* in a test of several launches: warms caches */

#define LAYOUT_STEP_ENUM(name, bit) STEP_##name = (bit),
enum step_bit { STEP_LIST(LAYOUT_STEP_ENUM) };
