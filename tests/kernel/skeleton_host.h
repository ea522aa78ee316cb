// SPDX-License-Identifier: Apache-2.0
/* The kernel skeleton as C, for one item of one work-group, with functions that count their calls in place of a test's
 * own. The including file may define WARMS or DELAYS, LAUNCHES with what it needs, or SHARED_CLOCK with shared_clock()
 * and host_started(), before. This prelude passes no pointers: the five arrays of memory are variables of the file, as
 * in a language without pointers. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "kernel/layout.h"
#include "tests/kernel/skeleton_types.h"

#define INDEX u32

#define ENTRY(draw, memory, scratch, counters, local_memory) static void launch_item(void)
#define KERNEL_ENTRY ENTRY
#define REPEATS 1u
#define ROLLED
#define MEMORY_PARAMETERS __attribute__((unused)) u32 none
#define MEMORY_ARGUMENTS 0
#define AT(array, start, k) array[(start) + (k)]

#define GROUP 0u
#define LANE 0u
#define GROUP_SIZE 1u
#define WIDTH 1u
#define WORDS 1u
#define OUTCOMES 1u
#define HISTOGRAM_WORDS 2u
#define TABLE_ENTRIES 1u
#define SPINS 0u
#define AGENTS 1u
#define AGENT 0u
#define SLOTS_OF(agent) SLOTS
#define MEMBERS_BEFORE(agent) 0u
#define AGENT_OF(member) 0u
#define CELL_WORDS 1u
#define LOCAL_CELLS 1u
#ifdef DELAYS
#define LOCAL_HISTOGRAM LOCAL_HISTOGRAM_DELAYS
#endif
#define COUNTER_TABLE (COUNTER_HISTOGRAM + HISTOGRAM_WORDS)

enum {
    HOST_SLOTS = 4,
    HOST_ROUNDS = 3,
    HOST_DRAW_WORDS = DRAW_FIXED_WORDS + 16,
    HOST_MEETING_POINTS = COUNTER_HISTOGRAM + 16
};

/* The delay sites that the draw chose, and its ticks. */
#ifndef HOST_DELAY_SITES
#define HOST_DELAY_SITES 0
#endif
#ifndef HOST_TICK
#define HOST_TICK 0
#endif

/* How often the skeleton called a function, since the last host_launch began. */
static struct {
    u32 slots; /* the value of SLOTS */
    u32 initialised, warmed, played, classified;
    u32 rested;             /* nanoseconds */
    u32 delayed, ticked;    /* COUNTER_DELAYED and COUNTER_TICKED at the end */
    u32 arrivals, acquires; /* releases into words, and acquiring reads of them */
    u32 played_slots[HOST_SLOTS];
} host;

static u32 draw[HOST_DRAW_WORDS], scratch[1], local_memory[16];
__attribute__((unused)) static u32 memory[1];
static u32 counters[HOST_MEETING_POINTS + 2 * HOST_ROUNDS]; /* of the launches since host_forget */
static u32 host_launch_number;                              /* the value of DRAW_LAUNCH */
#define SLOTS host.slots

#define group_barrier() ((void)0)
#define cluster_groups() 1u
#define unranged(n) (n)
#define agreed(n) (n)
#define high_product(a, b) ((u32)((u64)(a) * (b) >> 32))

#define add(array, i, n) ((void)(array[i] += n))
#define add_local(array, i, n) ((void)(array[i] += n))
#define publish(array, i, n) ((void)(array[i] = n))
#define arrive(array, i) ((void)(host.arrivals++, array[i]++))
/* The other groups of the team, which are not played, have always arrived. */
#define arrived(array, i) (host.acquires++, array[i] + host.slots)
#ifdef LAUNCHES /* which have no meetings */
#define peek(array, i) (array[i])
#else
#define peek(array, i) (array[i] + host.slots - 1)
#endif
#define claim(array, i, old, new) host_claim(&array[i], old, new)
#define stress_load(array, i) (array[i])
#define stress_load_cached(array, i) (array[i])
#define stress_store(array, i, n) ((void)(array[i] = n))

static u32 host_claim(u32 *word, u32 expected, u32 desired)
{
    const u32 old = *word;
    if (old == expected)
        *word = desired;
    return old;
}

FUNCTION void rest(u32 nanoseconds)
{
    host.rested += nanoseconds;
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter" /* some are for several agents only, or for one */
#include "kernel/skeleton.cl"
#pragma GCC diagnostic pop

FUNCTION void initialise(MEMORY_PARAMETERS, u32 owner, u32 instance, u32 instances)
{
    (void)owner, (void)instance, (void)instances;
    host.initialised++;
}

FUNCTION void play(MEMORY_PARAMETERS, u32 slot, u32 owner, u32 lane, u32 instances, u32 stamp, u32 team)
{
    (void)owner, (void)lane, (void)instances, (void)stamp, (void)team;
    START_AT_TICK(team, 0u);
#ifdef SHARED_CLOCK
    host_started();
#endif
    host.played++;
    host.played_slots[slot]++;
#ifdef DELAYS
    for (u32 site = 0; site < 2 && host.played > 1; site++) /* two sites; the first subset played passes neither */
        delay(MEMORY_ARGUMENTS, draw[DRAW_DELAY_SITES], site);
#endif
}

#ifdef WARMS
FUNCTION u32 warm(MEMORY_PARAMETERS, u32 slot, u32 owner, u32 lane, u32 instances)
{
    (void)slot, (void)owner, (void)lane, (void)instances;
    host.warmed++;
    return 1;
}
#endif

FUNCTION u32 classify(MEMORY_PARAMETERS, u32 owner, u32 instance, u32 instances, u32 stamp, OUT u32 words[WORDS])
{
    (void)owner, (void)instance, (void)instances, (void)stamp, (void)words;
    host.classified++;
    return 0;
}

FUNCTION void host_forget(void)
{
    memset(counters, 0, sizeof counters);
}

/* Runs a launch of a single group with these steps, for a test with `slots` work-groups; its caches are warmed if WARMS
 * is defined. */
static void host_launch(u32 slots, u32 steps)
{
    const u32 words[HOST_DRAW_WORDS] = {[DRAW_STEPS] = steps,
                                        [DRAW_GROUPS] = 1,
                                        [DRAW_TESTING_GROUPS] = slots,
                                        [DRAW_ROUNDS] = HOST_ROUNDS,
                                        [DRAW_STRIDE] = 1,
                                        [DRAW_MEET_POLLS] = 1,
                                        [DRAW_WARM] = 1,
                                        [DRAW_DELAY_SITES] = HOST_DELAY_SITES,
                                        [DRAW_DELAY_NANOSECONDS] = 100,
                                        [DRAW_TICK_NANOSECONDS] = HOST_TICK,
                                        [DRAW_TICK_RECIPROCAL] =
                                            HOST_TICK > 0 ? UINT32_MAX / (HOST_TICK + !HOST_TICK) : 0,
                                        [DRAW_SHUFFLE] = DRAW_FIXED_WORDS, /* the group has number 0 */
                                        [DRAW_TEAM_MAPS] = DRAW_FIXED_WORDS + 1,
                                        [DRAW_TEAM_MAP_COUNT] = 1,
                                        [DRAW_LAUNCH] = host_launch_number,
                                        [DRAW_MEETING_POINTS] = HOST_MEETING_POINTS};
    memcpy(draw, words, sizeof draw);
    draw[DRAW_FIXED_WORDS + 1] = draw[DRAW_FIXED_WORDS + 3] = 1; /* the identity of groups */
    memset(local_memory, 0, sizeof local_memory);
    memset(&host, 0, sizeof host);
    host.slots = slots;
#ifndef LAUNCHES
    host_forget();
#endif
    launch_item();
    host.delayed = counters[COUNTER_DELAYED];
    host.ticked = counters[COUNTER_TICKED];
}
