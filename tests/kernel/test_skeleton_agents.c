// SPDX-License-Identifier: Apache-2.0
/* Protects launches of several agents: the skeleton as C, with each agent's items as threads, plays real draws. Each
 * slot of each instance is played once in each round, by its agent; every instance is counted and none is void;
 * outcomes that the meetings and the test's own orders forbid are not seen; locations are where the draw places them;
 * and meeting words have one writer each. If a group is missing, the others end and report that the result is
 * unknown. */
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"
#include "runner/environment/environment.h"
#include "tests/kernel/skeleton_types.h"

#define INDEX int64_t

/* The launch that is played: the numbers of a kernel's text, and what the test observes. */
static struct {
    u32 agents, slots, slots_of[LITMUS_MAXIMUM_AGENTS], before[LITMUS_MAXIMUM_AGENTS], agent_of_slot[8];
    u32 group_size, cell_words;
    u32 *memory;
    const struct draw *draw;
    u32 *writers; /* by meeting word: whether it was written */
    u32 *played;  /* by round, owner, instance and slot */
    u32 *turns;   /* by group, among all launched ones, and slot */
    u32 two_writers, strangers, outside, polls;
    u32 *scratch; /* of all agents */
} launched;

static _Thread_local u32 this_agent, this_group, this_lane, this_number; /* this_number: among all launched groups */
static _Thread_local pthread_barrier_t *this_barrier;

enum { BINS = 4, ROOM = 6 };

#define ENTRY(draw, memory, scratch, counters, local_memory)                                                           \
    static void launch_item(const u32 *draw, u32 *memory, u32 *scratch, u32 *counters, u32 *local_memory)
#define KERNEL_ENTRY ENTRY
#define REPEATS 1u
#define ROLLED
#define MEMORY_PARAMETERS                                                                                              \
    __attribute__((unused)) const u32 *draw, __attribute__((unused)) u32 *memory,                                      \
        __attribute__((unused)) u32 *scratch, __attribute__((unused)) u32 *counters,                                   \
        __attribute__((unused)) u32 *local_memory
#define MEMORY_ARGUMENTS draw, memory, scratch, counters, local_memory
#define AT(array, start, k) ((array) + (start))[k]
#define CELL(array, index) ((array) + (index))
#define SEVERAL_AGENTS
#define AGENTS launched.agents
#define AGENT this_agent
#define SLOTS_OF(agent) launched.slots_of[agent]
#define MEMBERS_BEFORE(agent) launched.before[agent]
#define AGENT_OF(member) agent_of(member)
#define SLOTS launched.slots
#define GROUP this_group
#define LANE this_lane
#define GROUP_SIZE launched.group_size
#define WIDTH 1u
#define WORDS 1u
#define OUTCOMES BINS
#define HISTOGRAM_WORDS ROOM
#define TABLE_ENTRIES 1u
#define SPINS 0u
#define CELL_WORDS launched.cell_words
#define LOCAL_CELLS 1u
#define COUNTER_TABLE (COUNTER_HISTOGRAM + HISTOGRAM_WORDS)

#define group_barrier() ((void)pthread_barrier_wait(this_barrier))
#define cluster_groups() 1u
#define unranged(n) (n)
#define agreed(n) (n)
#define high_product(a, b) ((u32)((u64)(a) * (b) >> 32))

static u32 agent_of(u32 member)
{
    u32 agent = 0;
    while (member >= launched.before[agent] + launched.slots_of[agent])
        agent++;
    return agent;
}

FUNCTION void add(u32 *array, u32 i, u32 n)
{
    (void)__atomic_fetch_add(array + i, n, __ATOMIC_RELAXED);
}

FUNCTION void add_local(u32 *array, u32 i, u32 n)
{
    add(array, i, n);
}

FUNCTION void arrive(u32 *array, u32 i)
{
    (void)__atomic_fetch_add(array + i, 1, __ATOMIC_RELEASE);
}

FUNCTION u32 peek(u32 *array, u32 i)
{
    (void)sched_yield();
    return __atomic_load_n(array + i, __ATOMIC_RELAXED);
}

FUNCTION void signal(u32 *array, u32 i, u32 n)
{
    const size_t word = (size_t)(array + i - launched.memory);
    if (word >= launched.draw->meeting_words)
        add(&launched.outside, 0, 1);
    else if (word >= MEETING_LINE * AGENTS && __atomic_exchange_n(&launched.writers[word], 1, __ATOMIC_RELAXED) != 0)
        add(&launched.two_writers, 0, 1);
    __atomic_store_n(array + i, n, __ATOMIC_RELEASE);
}

FUNCTION u32 signalled(u32 *array, u32 i)
{
    add(&launched.polls, 0, 1);
    (void)sched_yield();
    return __atomic_load_n(array + i, __ATOMIC_ACQUIRE);
}

FUNCTION u32 claim(u32 *array, u32 i, u32 expected, u32 desired)
{
    (void)__atomic_compare_exchange_n(array + i, &expected, desired, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
    return expected;
}

FUNCTION void publish(u32 *array, u32 i, u32 n)
{
    __atomic_store_n(array + i, n, __ATOMIC_RELEASE);
}

/* Checks that a word of stress is in the line of its group; if not, returns one that is. */
static u32 *within_line(u32 *p)
{
    const u32 *draw = launched.draw->words, *own = draw + draw[DRAW_AGENTS] + AGENT_WORDS * this_agent;
    const u32 group = draw[own[AGENT_SHUFFLE] + this_group], lines = draw[DRAW_STRESS_LINE_COUNT];
    const u32 line = draw[DRAW_STRESS_CHUNKED] ? group * lines / own[AGENT_GROUPS] : group % lines;
    u32 *first = launched.scratch + this_agent * launched.draw->scratch_words + draw[draw[DRAW_STRESS_LINES] + line];
    const bool within = p >= first && p < first + draw[DRAW_STRESS_LINE_WORDS];
    if (!within)
        add(&launched.outside, 0, 1);
    return within ? p : first;
}

FUNCTION u32 stress_load(u32 *array, u32 i)
{
    return __atomic_load_n(within_line(array + i), __ATOMIC_RELAXED);
}

FUNCTION u32 stress_load_cached(u32 *array, u32 i)
{
    return stress_load(array, i);
}

FUNCTION void stress_store(u32 *array, u32 i, u32 n)
{
    __atomic_store_n(within_line(array + i), n, __ATOMIC_RELAXED);
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-parameter" /* some are for several agents only, or for one */
#include "kernel/skeleton.cl"
#pragma GCC diagnostic pop

/* ---- the test: a chain of releases and acquires, message passing if it has two threads. Each has a slot of its own
 * ---- */

/* The cell of a location, which must be inside its home. */
static u32 *cell_of(MEMORY_PARAMETERS, u32 location, u32 owner, u32 instance, u32 instances)
{
    u32 *at = CELL(memory, cell(MEMORY_ARGUMENTS, location, location, owner, instance, instances));
    const u32 *distance = draw + draw[DRAW_DISTANCES] + 1 + 2 * draw[draw[DRAW_HOMES] + location];
    const u32 *home = memory + (int64_t)(distance[0] | (u64)distance[1] << 32);
    if (at < home || at >= home + launched.draw->home_words)
        add(&launched.outside, 0, 1);
    return at;
}

FUNCTION void initialise(MEMORY_PARAMETERS, u32 owner, u32 instance, u32 instances)
{
    for (u32 location = 0; location < launched.slots; location++)
        *cell_of(MEMORY_ARGUMENTS, location, owner, instance, instances) = 0;
}

/* Plays thread `slot` of an instance. The first writes location 0, then 1. The others do not wait: each reads the
 * location with its number and passes the value on; the last then reads location
 * 0. */
static void play_slot(MEMORY_PARAMETERS, u32 slot, u32 owner, u32 instance, u32 instances, u32 *result, u32 all)
{
    const u32 last = launched.slots - 1;
    u32 value = 1;
    if (slot == 0)
        __atomic_store_n(cell_of(MEMORY_ARGUMENTS, 0, owner, instance, instances), 1, __ATOMIC_RELAXED);
    else
        value = __atomic_load_n(cell_of(MEMORY_ARGUMENTS, slot, owner, instance, instances), __ATOMIC_ACQUIRE);
    if (slot < last)
        __atomic_store_n(cell_of(MEMORY_ARGUMENTS, slot + 1, owner, instance, instances), value, __ATOMIC_RELEASE);
    else {
        result[0] = value;
        result[all] = __atomic_load_n(cell_of(MEMORY_ARGUMENTS, 0, owner, instance, instances), __ATOMIC_RELAXED);
    }
}

FUNCTION void play(MEMORY_PARAMETERS, u32 slot, u32 owner, u32 lane, u32 instances, u32 stamp,
                   __attribute__((unused)) u32 team)
{
    const u32 instance = permuted(MEMORY_ARGUMENTS, 0, lane), all = draw[DRAW_TESTING_GROUPS] * instances;
    const u32 round = stamp - draw[DRAW_FIRST_STAMP];
    u32 *result = memory + result_of(MEMORY_ARGUMENTS, owner, instance, instances);
    u32 number = 0, before = launched.before[this_agent];
    for (; number < launched.slots;
         number++) /* the slot of that number; an agent's come after those of earlier agents */
        if (launched.agent_of_slot[number] == this_agent && before++ == slot)
            break;
    if (number == launched.slots) {
        add(&launched.strangers, 0, 1);
        return;
    }
    play_slot(MEMORY_ARGUMENTS, number, owner, instance, instances, result, all);
    result[(2 + number) * all] = stamp;
    add(launched.turns, this_number * launched.slots + number, 1);
    add(launched.played, (round * all + owner * instances + instance) * launched.slots + number, 1);
}

FUNCTION u32 classify(MEMORY_PARAMETERS, u32 owner, u32 instance, u32 instances, u32 stamp, OUT u32 words[WORDS])
{
    const u32 *result = memory + result_of(MEMORY_ARGUMENTS, owner, instance, instances);
    const u32 all = draw[DRAW_TESTING_GROUPS] * instances;
    for (u32 slot = 0; slot < launched.slots; slot++)
        if (result[(2 + slot) * all] != stamp)
            return BIN_STALE;
    words[0] = 0;
    return result[0] > 1 || result[all] > 1 ? BIN_OUTSIDE : 2 * result[0] + result[all];
}

/* ---- launches ---- */

/* Which agent plays each slot. */
struct arrangement {
    u32 agents, slots, agent_of_slot[8];
};

static const struct arrangement arrangements[] = {
    {2, 2, {0, 1}}, {2, 3, {0, 1, 0}}, {3, 3, {0, 1, 2}}, {2, 4, {1, 1, 0, 0}}, {3, 4, {2, 0, 1, 0}},
};
enum { ARRANGEMENTS = sizeof arrangements / sizeof *arrangements };

static struct kernel kernel_of(const struct arrangement *arrangement)
{
    static const char *const names[] = {"x", "y", "z", "w"};
    struct kernel kernel = {.agents = arrangement->agents,
                            .slots = arrangement->slots,
                            .bodies = arrangement->slots,
                            .cluster_groups = 1,
                            .width = 1,
                            .cell_words = (arrangement->slots + 1) / 2 * 2,
                            .locations = arrangement->slots,
                            .location_names = (const char **)(uintptr_t)names,
                            .result_words = 2 + arrangement->slots,
                            .words = 1,
                            .outcomes = BINS,
                            .histogram_words = ROOM,
                            .table_entries = 1,
                            .counter_words = COUNTER_HISTOGRAM + ROOM + 3};
    for (u32 slot = 0; slot < arrangement->slots; slot++) {
        kernel.agent_of_slot[slot] = arrangement->agent_of_slot[slot];
        kernel.slot_of[slot] = slot;
        kernel.first_of_slot[slot] = true;
        kernel.sub_group_of[slot] = LITMUS_NONE;
    }
    return kernel;
}

static struct environment make_environment(void)
{
    const struct backend_device device = {.gpu = true};
    struct environment environment;
    environment_default(&device, &environment);
    environment.group_size = (struct environment_range){1, 3};
    environment.testing_percent = (struct environment_range){50, 100};
    environment.rounds = (struct environment_range){12, 12};
    environment.teams = (struct environment_range){1, 5};
    environment.stress_percent = (struct environment_range){0, 30};
    environment.pre_stress_chance = environment.stress_chunked_chance = (struct environment_range){60, 60};
    environment.pre_stress_rounds = (struct environment_range){1, 2};
    environment.jitter_steps = (struct environment_range){1, 100};
    environment.stride = (struct environment_range){1, 9};
    return environment;
}

static void begin(const struct arrangement *arrangement, struct draw *draw)
{
    const size_t played = (size_t)draw->rounds * draw->testing_groups * draw->group_size * arrangement->slots;
    memset(&launched, 0, sizeof launched);
    launched.agents = arrangement->agents;
    launched.slots = arrangement->slots;
    launched.group_size = draw->group_size;
    launched.cell_words = kernel_of(arrangement).cell_words;
    launched.draw = draw;
    memcpy(launched.agent_of_slot, arrangement->agent_of_slot, sizeof launched.agent_of_slot);
    for (u32 slot = 0; slot < arrangement->slots; slot++)
        launched.slots_of[arrangement->agent_of_slot[slot]]++;
    for (u32 agent = 1; agent < arrangement->agents; agent++)
        launched.before[agent] = launched.before[agent - 1] + launched.slots_of[agent - 1];
    launched.writers = memory_take(draw->meeting_words, sizeof *launched.writers);
    launched.played = memory_take(played, sizeof *launched.played);
    launched.turns = memory_take((size_t)draw->groups * arrangement->slots, sizeof *launched.turns);
    draw->words[DRAW_STEPS] = STEP_INITIALISE | STEP_PLAY | STEP_MEET | STEP_COUNT;
}

struct item {
    u32 agent, group, lane, number;
    pthread_barrier_t *barrier;
    const u32 *draw;
    u32 *scratch, *counters, *local_memory;
    pthread_t thread;
};

static void *run_item(void *context)
{
    const struct item *item = context;
    this_agent = item->agent;
    this_group = item->group;
    this_number = item->number;
    this_lane = item->lane;
    this_barrier = item->barrier;
    launch_item(item->draw, launched.memory, item->scratch, item->counters, item->local_memory);
    return NULL;
}

/* Places the homes around `memory`, one of them before it, and their distances in the table.
 * *whole: to be freed. */
static void place_memory(struct draw *draw, u32 **whole)
{
    const size_t homes = AGENTS + 1;
    u32 *table = draw->words + draw->homes_place + 1;
    *whole = memory_take(homes * draw->home_words + draw->memory_words, sizeof **whole);
    launched.memory = *whole + draw->home_words;
    for (size_t home = 0; home < homes; home++) {
        const ptrdiff_t distance =
            home == 0 ? -(ptrdiff_t)draw->home_words : (ptrdiff_t)(draw->memory_words + (home - 1) * draw->home_words);
        table[2 * home] = draw->homes >> home & 1 ? (u32)(uint64_t)distance : 0;
        table[2 * home + 1] = draw->homes >> home & 1 ? (u32)((uint64_t)distance >> 32) : 0;
    }
}

/* Runs all agents' groups at the same time, except one (absent: its number among all launched groups). counters: those
 * of each agent, consecutively. */
static void play_launch(struct draw *draw, u32 absent, u32 *counters)
{
    enum { LOCAL_WORDS = 32 };
    const size_t items = (size_t)draw->groups * draw->group_size;
    struct item *list = memory_take(items, sizeof *list);
    pthread_barrier_t *barriers = memory_take(draw->groups, sizeof *barriers);
    u32 *locals = memory_take((size_t)draw->groups * LOCAL_WORDS, sizeof *locals), *whole;
    u32 *scratch = memory_take(AGENTS * draw->scratch_words, sizeof *scratch);
    u32 number = 0;
    size_t started = 0;
    launched.scratch = scratch;
    place_memory(draw, &whole);
    for (u32 agent = 0; agent < AGENTS; agent++)
        for (u32 group = 0; group < draw->member_groups[agent]; group++, number++) {
            assert_int_equal(pthread_barrier_init(&barriers[number], NULL, draw->group_size), 0);
            for (u32 lane = 0; lane < draw->group_size && number != absent; lane++)
                list[started++] = (struct item){agent,
                                                group,
                                                lane,
                                                number,
                                                &barriers[number],
                                                draw->words,
                                                scratch + agent * draw->scratch_words,
                                                counters + agent * draw->counter_words,
                                                locals + number * (size_t)LOCAL_WORDS,
                                                0};
        }
    for (size_t i = 0; i < started; i++)
        assert_int_equal(pthread_create(&list[i].thread, NULL, run_item, &list[i]), 0);
    for (size_t i = 0; i < started; i++)
        assert_int_equal(pthread_join(list[i].thread, NULL), 0);
    free(list);
    free(barriers);
    free(locals);
    free(scratch);
    free(whole);
}

static void make_draw(const struct arrangement *arrangement, u32 batch, struct draw *draw)
{
    const struct kernel kernel = kernel_of(arrangement);
    const struct environment environment = make_environment();
    const struct draw_limits limits = {.max_group_size = 3,
                                       .sub_group_size = 1,
                                       .local_bytes = 4096,
                                       .member_groups = {5, 4, 3},
                                       .homes = (2u << arrangement->agents) - 1};
    struct error error;
    if (draw_make(&environment, &kernel, &limits, 7, 11, batch, draw, &error) != STATUS_OK)
        fail_msg("%s", error.text);
}

static void end(struct draw *draw)
{
    free(launched.writers);
    free(launched.played);
    free(launched.turns);
    draw_release(draw);
}

static uint64_t sum_of(const u32 *counters, const struct draw *draw, u32 word)
{
    uint64_t sum = 0;
    for (u32 agent = 0; agent < AGENTS; agent++)
        sum += counters[agent * draw->counter_words + word];
    return sum;
}

/* Checks that every testing group had each of its agent's slots in turn. */
static void check_turns(const struct draw *draw)
{
    u32 number = 0;
    for (u32 agent = 0; agent < AGENTS; agent++) {
        const u32 *words = draw->words + draw->words[DRAW_AGENTS] + AGENT_WORDS * agent;
        for (u32 group = 0; group < draw->member_groups[agent]; group++, number++)
            for (u32 slot = 0; slot < SLOTS; slot++)
                assert_int_equal(launched.turns[number * SLOTS + slot] > 0,
                                 launched.agent_of_slot[slot] == agent &&
                                     draw->words[words[AGENT_SHUFFLE] + group] < words[AGENT_TESTING_GROUPS]);
    }
}

static void check_complete(const struct draw *draw, const u32 *counters)
{
    const size_t played = (size_t)draw->instances * SLOTS;
    uint64_t counted = 0;
    for (u32 bin = 0; bin < BINS; bin++)
        counted += sum_of(counters, draw, COUNTER_HISTOGRAM + bin);
    assert_int_equal(counted, draw->instances);
    assert_int_equal(sum_of(counters, draw, COUNTER_HISTOGRAM + 2), 0); /* the flag without the preceding write */
    assert_int_equal(sum_of(counters, draw, COUNTER_STALE) + sum_of(counters, draw, COUNTER_UNMET) +
                         sum_of(counters, draw, COUNTER_UNRECORDED) + sum_of(counters, draw, COUNTER_GAVE_UP) +
                         sum_of(counters, draw, COUNTER_LEFT),
                     0);
    assert_int_equal(sum_of(counters, draw, COUNTER_FINISHED), draw->testing_groups);
    for (size_t i = 0; i < played; i++)
        assert_int_equal(launched.played[i], 1);
    check_turns(draw);
    for (size_t word = MEETING_LINE * AGENTS; word < draw->meeting_words; word++)
        assert_int_equal(launched.writers[word], 1);
    assert_int_equal(launched.two_writers + launched.strangers + launched.outside, 0);
}

static void all_instances_are_played_and_counted(void **state)
{
    unsigned homes = 0;
    (void)state;
    for (u32 i = 0; i < ARRANGEMENTS; i++)
        for (u32 batch = 0; batch < 6; batch++) {
            struct draw draw;
            make_draw(&arrangements[i], batch, &draw);
            begin(&arrangements[i], &draw);
            u32 *counters = memory_take(AGENTS * draw.counter_words, sizeof *counters);
            play_launch(&draw, UINT32_MAX, counters);
            check_complete(&draw, counters);
            homes |= draw.homes;
            free(counters);
            end(&draw);
        }
    assert_int_equal(homes, 15); /* every home of the largest arrangement was drawn */
}

static void who_does_not_come_holds_nobody_up(void **state)
{
    (void)state;
    for (u32 i = 0; i < ARRANGEMENTS; i++) {
        struct draw draw;
        make_draw(&arrangements[i], 0, &draw);
        begin(&arrangements[i], &draw);
        u32 *counters = memory_take(AGENTS * draw.counter_words, sizeof *counters);
        u32 absent = draw.member_groups[0]; /* the first testing group of agent 1 */
        const u32 *words = draw.words + draw.words[DRAW_AGENTS];
        while (draw.words[words[AGENT_WORDS + AGENT_SHUFFLE] + absent - draw.member_groups[0]] >=
               words[AGENT_WORDS + AGENT_TESTING_GROUPS])
            absent++;
        for (u32 agent = 0; agent < AGENTS; agent++)
            draw.words[draw.words[DRAW_AGENTS] + AGENT_WORDS * agent + AGENT_MEET_POLLS] = agent == 2 ? 1u << 18 : 1500;
        play_launch(&draw, absent, counters);
        uint64_t counted = sum_of(counters, &draw, COUNTER_UNMET);
        for (u32 bin = 0; bin < BINS; bin++)
            counted += sum_of(counters, &draw, COUNTER_HISTOGRAM + bin);
        assert_int_equal(counted, (draw.testing_groups - 1) * draw.group_size * draw.rounds);
        assert_true(sum_of(counters, &draw, COUNTER_UNMET) > 0 && sum_of(counters, &draw, COUNTER_LEFT) > 0);
        assert_int_equal(sum_of(counters, &draw, COUNTER_STALE), 0);
        assert_true(launched.polls < 1u << 18); /* the third agent, which would wait long, sees that others have left */
        free(counters);
        end(&draw);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_instances_are_played_and_counted),
        cmocka_unit_test(who_does_not_come_holds_nobody_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
