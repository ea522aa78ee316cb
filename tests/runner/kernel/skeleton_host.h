// SPDX-License-Identifier: Apache-2.0
/*
 * The kernel skeleton as C, for one item of one work-group, with functions that count their calls
 * in place of a test's own. The including file may define WARMS or DELAYS, or LAUNCHES with what it
 * needs, before.
 */
#ifndef ORCHIL_TESTS_SKELETON_HOST_H
#define ORCHIL_TESTS_SKELETON_HOST_H

#include <stdint.h>
#include <string.h>

#include "runner/kernel/layout.h"

typedef uint32_t u32;
typedef uint64_t u64;
#define LONG int64_t

#define GLOBAL
#define LOCAL
#define FUNCTION __attribute__((unused)) static
#define ENTRY(draw, memory, scratch, counters, local_memory)                                                           \
    static void launch_item(const u32 *draw, u32 *memory, u32 *scratch, u32 *counters, u32 *local_memory)

#define GROUP 0u
#define LANE 0u
#define GROUP_SIZE 1u
#define WIDTH 1u
#define WORDS 1u
#define OUTCOMES 1u
#define HISTOGRAM_WORDS 2u
#define TABLE_ENTRIES 1u
#define SPINS 0u
#define CELL_WORDS 1u
#define COUNTER_TABLE (COUNTER_HISTOGRAM + HISTOGRAM_WORDS)

enum {
    HOST_SLOTS = 4,
    HOST_ROUNDS = 3,
    HOST_DRAW_WORDS = DRAW_FIXED_WORDS + 16,
    HOST_MEETING_POINTS = COUNTER_HISTOGRAM + 16
};

/* The delay sites that the draw chose. */
#ifndef HOST_DELAY_SITES
#define HOST_DELAY_SITES 0
#endif

/* How often the skeleton called a function, since the last host_launch began. */
static struct {
    u32 slots; /* the value of SLOTS */
    u32 initialised, warmed, played, classified;
    u32 rested;             /* nanoseconds */
    u32 delayed;            /* COUNTER_DELAYED at the end */
    u32 arrivals, acquires; /* releases into words, and acquiring reads of them */
    u32 played_slots[HOST_SLOTS];
} host;

/* Counters of the launches since host_forget. */
static u32 host_counters[HOST_MEETING_POINTS + 2 * HOST_ROUNDS];
static u32 host_launch_number; /* the value of DRAW_LAUNCH */
#define SLOTS host.slots

#define group_barrier() ((void)0)
#define cluster_groups() 1u
#define unranged(n) (n)

FUNCTION void add(u32 *p, u32 n)
{
    *p += n;
}

FUNCTION void add_local(u32 *p, u32 n)
{
    *p += n;
}

FUNCTION void arrive(u32 *p)
{
    host.arrivals++;
    *p += 1;
}

/* The other groups of the team, which are not played, have always arrived. */
FUNCTION u32 arrived(u32 *p)
{
    host.acquires++;
    return *p + host.slots;
}

FUNCTION u32 peek(u32 *p)
{
#ifdef LAUNCHES /* which have no meetings */
    return *p;
#else
    return *p + host.slots - 1;
#endif
}

FUNCTION u32 claim(u32 *p, u32 expected, u32 desired)
{
    const u32 old = *p;
    if (old == expected)
        *p = desired;
    return old;
}

FUNCTION void publish(u32 *p, u32 n)
{
    *p = n;
}

FUNCTION u32 stress_load(const u32 *p)
{
    return *p;
}

FUNCTION u32 stress_load_cached(const u32 *p)
{
    return *p;
}

FUNCTION void stress_store(u32 *p, u32 n)
{
    *p = n;
}

FUNCTION void rest(u32 nanoseconds)
{
    host.rested += nanoseconds;
}

#include "runner/kernel/skeleton.cl"

FUNCTION void initialise(const u32 *draw, u32 *memory, u32 owner, u32 instance, u32 instances)
{
    (void)draw, (void)memory, (void)owner, (void)instance, (void)instances;
    host.initialised++;
}

FUNCTION void play(const u32 *draw, u32 *memory, u32 *spins, u32 *cells, u32 slot, u32 owner, u32 lane, u32 instances,
                   u32 stamp)
{
    (void)draw, (void)memory, (void)spins, (void)cells, (void)owner, (void)lane, (void)instances, (void)stamp;
    host.played++;
    host.played_slots[slot]++;
#ifdef DELAYS
    for (u32 site = 0; site < 2 && host.played > 1; site++) /* two sites; the first subset played passes neither */
        delay(draw, draw[DRAW_DELAY_SITES], spins, site);
#endif
}

#ifdef WARMS
FUNCTION u32 warm(const u32 *draw, u32 *memory, u32 *scratch, u32 slot, u32 owner, u32 lane, u32 instances)
{
    (void)draw, (void)memory, (void)scratch, (void)slot, (void)owner, (void)lane, (void)instances;
    host.warmed++;
    return 1;
}
#endif

FUNCTION u32 classify(const u32 *draw, u32 *memory, u32 owner, u32 instance, u32 instances, u32 stamp, u32 *words)
{
    (void)draw, (void)memory, (void)owner, (void)instance, (void)instances, (void)stamp, (void)words;
    host.classified++;
    return 0;
}

FUNCTION void host_forget(void)
{
    memset(host_counters, 0, sizeof host_counters);
}

/* Runs a launch of a single group with these steps, for a test with `slots` work-groups; its caches
 * are warmed if WARMS is defined. */
static void host_launch(u32 slots, u32 steps)
{
    u32 draw[HOST_DRAW_WORDS] = {[DRAW_STEPS] = steps,
                                 [DRAW_GROUPS] = 1,
                                 [DRAW_TESTING_GROUPS] = slots,
                                 [DRAW_ROUNDS] = HOST_ROUNDS,
                                 [DRAW_STRIDE] = 1,
                                 [DRAW_MEET_POLLS] = 1,
                                 [DRAW_WARM] = 1,
                                 [DRAW_DELAY_SITES] = HOST_DELAY_SITES,
                                 [DRAW_DELAY_NANOSECONDS] = 100,
                                 [DRAW_SHUFFLE] = DRAW_FIXED_WORDS, /* the group has number 0 */
                                 [DRAW_TEAM_MAPS] = DRAW_FIXED_WORDS + 1,
                                 [DRAW_TEAM_MAP_COUNT] = 1,
                                 [DRAW_LAUNCH] = host_launch_number,
                                 [DRAW_MEETING_POINTS] = HOST_MEETING_POINTS};
    u32 memory[1] = {0}, scratch[1] = {0}, local_memory[16] = {0};
    draw[DRAW_FIXED_WORDS + 1] = draw[DRAW_FIXED_WORDS + 3] = 1; /* the identity of groups */
    memset(&host, 0, sizeof host);
    host.slots = slots;
#ifndef LAUNCHES
    host_forget();
#endif
    launch_item(draw, memory, scratch, host_counters, local_memory);
    host.delayed = host_counters[COUNTER_DELAYED];
}

#endif
