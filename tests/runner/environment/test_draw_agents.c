// SPDX-License-Identifier: Apache-2.0
/* Protects draws for tests of several agents: teams take their members from each agent, whatever each holds; homes are
 * spread over all possible ones, or given by the environment; and the sizes of a launch are consistent.
 * tests/kernel/test_skeleton_agents.c plays such draws. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "base/memory.h"
#include "runner/environment/environment.h"
#include "tests/between.h"

enum { LOCATIONS = 3 };
static const char *const names[LOCATIONS] = {"x", "y", NULL}; /* the last one is local */

/* A kernel of several agents, which play the slots in turn. */
static struct kernel make_kernel(unsigned agents, unsigned slots)
{
    struct kernel kernel = {.agents = agents,
                            .slots = slots,
                            .bodies = slots,
                            .cluster_groups = 1,
                            .width = 1,
                            .cell_words = 2,
                            .locations = LOCATIONS,
                            .location_names = (const char **)(uintptr_t)names,
                            .result_words = 2 * slots,
                            .words = 2,
                            .outcomes = 4,
                            .histogram_words = 6,
                            .table_entries = 16,
                            .counter_words = COUNTER_HISTOGRAM + 6 + 16 * 4,
                            .delays = true,
                            .delay_sites = 4,
                            .certain_sites = 15};
    for (unsigned slot = 0; slot < slots; slot++) {
        kernel.agent_of_slot[slot] = slot % agents;
        kernel.slot_of[slot] = slot;
        kernel.first_of_slot[slot] = true;
        kernel.sub_group_of[slot] = LITMUS_NONE;
    }
    return kernel;
}

static struct draw_limits make_limits(unsigned agents)
{
    return (struct draw_limits){.max_group_size = 256,
                                .sub_group_size = 1,
                                .max_cluster_groups = 8,
                                .copies = true,
                                .local_bytes = 32768,
                                .member_groups = {264, 17, 132, 5},
                                .cpus = 2,
                                .homes = (2u << agents) - 1};
}

static struct environment make_environment(void)
{
    const struct backend_device device = {.gpu = true};
    struct environment environment;
    environment_default(&device, &environment);
    environment.testing_percent = (struct environment_range){1, 100};
    environment.stress_percent = (struct environment_range){0, 100};
    environment.teams = (struct environment_range){1, 8};
    environment.meet_all_chance = environment.no_meeting_chance = environment.cluster_chance =
        environment.stress_copy_chance = environment.delay_chance = (struct environment_range){100, 100};
    environment.jitter_chance = (struct environment_range){50, 50};
    environment.cluster_groups = (struct environment_range){2, 8};
    return environment;
}

static void make_draw(const struct environment *environment, const struct kernel *kernel,
                      const struct draw_limits *limits, uint64_t batch, struct draw *draw)
{
    struct error error;
    if (draw_make(environment, kernel, limits, 3, 5, batch, draw, &error) != STATUS_OK)
        fail_msg("%s", error.text);
}

static void check_permutation(const uint32_t *image, uint32_t count)
{
    bool *seen = memory_take(count, sizeof *seen);
    for (uint32_t i = 0; i < count; i++) {
        assert_true(image[i] < count);
        assert_false(seen[image[i]]);
        seen[image[i]] = true;
    }
    free(seen);
}

/* Checks an agent's groups, their numbers among all, its shuffle and its team maps. */
static void check_agent(const struct draw *draw, const struct kernel *kernel, const struct draw_limits *limits,
                        unsigned agent, uint32_t first)
{
    const uint32_t *words = draw->words + draw->words[DRAW_AGENTS] + AGENT_WORDS * agent;
    const uint32_t slots = kernel->slots / kernel->agents + (agent < kernel->slots % kernel->agents);
    const uint32_t testing = draw->testing_groups / kernel->slots * slots;
    uint32_t *image = memory_take(testing, sizeof *image);
    assert_int_equal(words[AGENT_TESTING_GROUPS], testing);
    assert_int_equal(words[AGENT_FIRST], first);
    assert_int_equal(words[AGENT_GROUPS], draw->member_groups[agent]);
    assert_between(draw->member_groups[agent], testing, limits->member_groups[agent]);
    assert_true(words[AGENT_MEET_POLLS] >= (limits->cpus >> agent & 1 ? 1u << 28 : 1u << 22));
    assert_int_equal(words[AGENT_JITTER_STEPS], limits->cpus >> agent & 1 ? 0 : draw->words[DRAW_JITTER_STEPS]);
    assert_true(words[AGENT_SHUFFLE] + words[AGENT_GROUPS] <= draw->word_count);
    check_permutation(draw->words + words[AGENT_SHUFFLE], words[AGENT_GROUPS]);
    for (uint32_t map = 0; map < draw->words[DRAW_TEAM_MAP_COUNT]; map++) {
        const uint32_t *team = draw->words + draw->words[DRAW_TEAM_MAPS] + 3 * (map * kernel->agents + agent);
        for (uint32_t group = 0; group < testing;
             group++) { /* computed as in find_place and group_of of the skeleton */
            image[group] = (group * team[0] + team[1]) % testing;
            assert_int_equal((image[group] + testing - team[1]) % testing * team[2] % testing, group);
        }
        check_permutation(image, testing);
    }
    free(image);
}

static void check_sizes(const struct draw *draw, const struct kernel *kernel)
{
    const size_t instances = (size_t)draw->testing_groups * draw->group_size;
    uint32_t groups = 0;
    for (unsigned agent = 0; agent < kernel->agents; agent++)
        groups += draw->member_groups[agent];
    assert_int_equal(draw->groups, groups);
    assert_int_equal(draw->testing_groups % kernel->slots, 0);
    assert_int_equal(draw->instances, instances * draw->rounds);
    assert_false(draw->detached || draw->separate || draw->requested[DRAW_MEET_ALL_REQUESTED] ||
                 draw->requested[DRAW_CLUSTERS_REQUESTED] || draw->requested[DRAW_COPIES_REQUESTED]);
    assert_int_equal(draw->cluster_groups, 1);
    assert_int_equal(draw->words[DRAW_CLUSTER_GROUPS] + draw->words[DRAW_COPY_BYTES] + draw->words[DRAW_MEET_ALL], 0);
    assert_true(draw->requested[DRAW_DELAYS_REQUESTED]);
    /* The meeting words, then the results; cells have separate memory. */
    assert_int_equal(draw->words[DRAW_MEETING_POINTS], MEETING_LINE * kernel->agents);
    assert_int_equal(draw->meeting_words,
                     draw->words[DRAW_MEETING_POINTS] + 2 * (size_t)draw->rounds * draw->testing_groups);
    assert_true(draw->words[DRAW_RESULTS] >= draw->meeting_words);
    assert_int_equal(draw->words[DRAW_CELLS], 0); /* kernels rely on it */
    assert_int_equal(draw->memory_words, draw->words[DRAW_RESULTS] + instances * kernel->result_words);
    assert_int_equal(draw->words[DRAW_CELLS], 0);
    assert_int_equal(draw->home_words, instances * kernel->cell_words * draw->words[DRAW_STRIDE]);
    assert_int_equal(draw->counter_words, kernel->counter_words);
}

static void teams_have_members_of_each_agent(void **state)
{
    const struct environment environment = make_environment();
    (void)state;
    for (unsigned agents = 2; agents <= LITMUS_MAXIMUM_AGENTS; agents++)
        for (unsigned slots = agents; slots <= 8; slots++)
            for (uint64_t batch = 0; batch < 40; batch++) {
                const struct kernel kernel = make_kernel(agents, slots);
                const struct draw_limits limits = make_limits(agents);
                struct draw draw;
                uint32_t first = 0;
                make_draw(&environment, &kernel, &limits, batch, &draw);
                check_sizes(&draw, &kernel);
                for (unsigned agent = 0; agent < agents; agent++) {
                    check_agent(&draw, &kernel, &limits, agent, first);
                    first += draw.words[draw.words[DRAW_AGENTS] + AGENT_WORDS * agent + AGENT_TESTING_GROUPS];
                }
                assert_int_equal(first, draw.testing_groups);
                draw_release(&draw);
            }
}

/* As many teams as the agent that holds least has members for, and not more instances than requested. */
static void the_smallest_agent_decides(void **state)
{
    const struct kernel kernel = make_kernel(2, 3); /* two slots of agent 0, one of agent 1 */
    struct environment environment = make_environment();
    struct draw_limits limits = make_limits(2);
    struct draw draw;
    (void)state;
    environment.testing_percent = environment.stress_percent = (struct environment_range){100, 100};
    environment.rounds = (struct environment_range){7, 7};
    make_draw(&environment, &kernel, &limits, 0, &draw);
    assert_int_equal(draw.testing_groups, 17 * 3);
    assert_int_equal(draw.member_groups[0], 264); /* the other groups stress */
    assert_int_equal(draw.member_groups[1], 17);
    assert_int_equal(draw.member_groups[2], 0);
    draw_release(&draw);
    limits.member_groups[0] = 9;
    make_draw(&environment, &kernel, &limits, 0, &draw);
    assert_int_equal(draw.testing_groups, 4 * 3);
    draw_release(&draw);
    limits.batch_instances = 100;
    make_draw(&environment, &kernel, &limits, 0, &draw);
    assert_true(draw.instances <= 100);
    draw_release(&draw);
}

/* If all agents are CPUs, all of them idle. */
static void cpus_have_jitter_too(void **state)
{
    const struct kernel kernel = make_kernel(2, 2);
    struct environment environment = make_environment();
    struct draw_limits limits = make_limits(2);
    struct draw draw;
    (void)state;
    environment.jitter_chance = (struct environment_range){100, 100};
    limits.cpus = 3;
    make_draw(&environment, &kernel, &limits, 0, &draw);
    for (unsigned agent = 0; agent < 2; agent++)
        assert_int_equal(draw.words[draw.words[DRAW_AGENTS] + AGENT_WORDS * agent + AGENT_JITTER_STEPS],
                         draw.words[DRAW_JITTER_STEPS]);
    assert_true(draw.words[DRAW_JITTER_STEPS] > 0);
    draw_release(&draw);
}

static void who_holds_too_little_is_refused(void **state)
{
    const struct kernel kernel = make_kernel(2, 4);
    const struct environment environment = make_environment();
    struct draw_limits limits = make_limits(2);
    struct draw draw;
    struct error error;
    (void)state;
    limits.member_groups[1] = 1;
    assert_int_equal(draw_make(&environment, &kernel, &limits, 3, 5, 0, &draw, &error), STATUS_UNSUPPORTED);
    assert_string_equal(error.text,
                        "the test needs 2 work-groups at once on member 1, which holds only 1: several devices "
                        "must run all of a test at the same time");
    assert_null(draw.words);
}

static uint32_t home_of(const struct draw *draw, unsigned location)
{
    return draw->words[draw->words[DRAW_HOMES] + location];
}

/* All pairs of homes that all members reach are equally frequent. */
static void homes_are_spread(void **state)
{
    enum { BATCHES = 900 };
    const struct kernel kernel = make_kernel(2, 2);
    const struct environment environment = make_environment();
    struct draw_limits limits = make_limits(2);
    unsigned pairs[3][3] = {{0}}, without_host = 0;
    (void)state;
    for (uint64_t batch = 0; batch < BATCHES; batch++) {
        struct draw draw;
        make_draw(&environment, &kernel, &limits, batch, &draw);
        pairs[home_of(&draw, 0)][home_of(&draw, 1)]++;
        assert_int_equal(draw.homes, 1u << home_of(&draw, 0) | 1u << home_of(&draw, 1));
        assert_int_equal(draw.homes_place, draw.words[DRAW_DISTANCES]);
        assert_true(draw.homes_place + 6 <= draw.word_count);
        draw_release(&draw);
    }
    for (unsigned x = 0; x < 3; x++)
        for (unsigned y = 0; y < 3; y++)
            assert_between(pairs[x][y], 60, 140); /* 100, and four standard deviations of about 10 */
    limits.homes = 5;                             /* not on member 1 */
    for (uint64_t batch = 0; batch < 50; batch++) {
        struct draw draw;
        make_draw(&environment, &kernel, &limits, batch, &draw);
        assert_true(home_of(&draw, 0) != 1 && home_of(&draw, 1) != 1);
        without_host += home_of(&draw, 0) == 0;
        draw_release(&draw);
    }
    assert_between(without_host, 10, 40);
}

/* Locations in which several devices count have homes with atomic read-modify-writes. */
static void homes_of_shared_counts_have_atomics(void **state)
{
    static const bool atomic[LOCATIONS] = {true, false, false};
    struct environment environment = make_environment();
    struct kernel kernel = make_kernel(2, 2);
    struct draw_limits limits = make_limits(2);
    unsigned seen[2] = {0};
    (void)state;
    kernel.atomic_locations = atomic;
    limits.atomic_homes = 3; /* not on the host */
    for (uint64_t batch = 0; batch < 50; batch++) {
        struct draw draw;
        make_draw(&environment, &kernel, &limits, batch, &draw);
        seen[0] |= 1u << home_of(&draw, 0);
        seen[1] |= 1u << home_of(&draw, 1);
        draw_release(&draw);
    }
    assert_int_equal(seen[0], 3);
    assert_int_equal(seen[1], 7);
}

static void check_json(const struct draw *draw, const char *homes)
{
    json_t *object = json_loads(text_string(&draw->json), 0, NULL);
    json_t *expected = json_loads(homes, 0, NULL);
    assert_non_null(object);
    assert_true(json_equal(json_object_get(object, "homes"), expected));
    json_decref(object);
    json_decref(expected);
}

/* Given homes are used, and do not change the others. */
static void homes_lie_where_the_environment_says(void **state)
{
    const struct kernel kernel = make_kernel(2, 2);
    struct environment environment = make_environment();
    struct draw_limits limits = make_limits(2);
    struct draw draw, free_draw;
    struct error error;
    (void)state;
    for (uint64_t batch = 0; batch < 20; batch++) {
        environment.homes[0] = '\0';
        make_draw(&environment, &kernel, &limits, batch, &free_draw);
        assert_int_equal(environment_set_homes(&environment, "x=1", &error), STATUS_OK);
        make_draw(&environment, &kernel, &limits, batch, &draw);
        assert_int_equal(home_of(&draw, 0), 1);
        assert_int_equal(home_of(&draw, 1), home_of(&free_draw, 1));
        draw_release(&draw);
        draw_release(&free_draw);
    }
    assert_int_equal(environment_set_homes(&environment, "x=1,*=host", &error), STATUS_OK);
    make_draw(&environment, &kernel, &limits, 0, &draw);
    assert_int_equal(draw.homes, 6);
    check_json(&draw, "{\"x\":\"1\",\"y\":\"host\"}");
    draw_release(&draw);
}

static void homes_that_are_not_there_are_refused(void **state)
{
    static const struct {
        const char *homes;
        unsigned mask;
        const char *reason;
        bool atomic; /* all locations */
    } cases[] = {
        {"x=2", 7, "x cannot lie on member 2: the device has 2 members", false},
        {"x=3", 7, "x cannot lie on member 3: the device has 2 members", false},
        {"y=1", 5, "y cannot lie on member 1: not all members of the device can access its memory", false},
        {"y=host", 3, "y cannot lie on the host: not all members of the device can access its memory", false},
        {"", 0, "no memory is accessible to all members of the device", false},
        {"", 7, "no memory is accessible to all members of the device with native atomics", true},
    };
    static const bool all[LOCATIONS] = {true, true, true};
    struct kernel kernel = make_kernel(2, 2);
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct environment environment = make_environment();
        struct draw_limits limits = make_limits(2);
        struct draw draw;
        struct error error;
        limits.homes = cases[i].mask;
        kernel.atomic_locations = cases[i].atomic ? all : NULL;
        assert_int_equal(environment_set_homes(&environment, cases[i].homes, &error), STATUS_OK);
        assert_int_equal(draw_make(&environment, &kernel, &limits, 3, 5, 0, &draw, &error), STATUS_UNSUPPORTED);
        assert_string_equal(error.text, cases[i].reason);
        assert_null(draw.words);
    }
}

/* An impossible fixed home is reported with the reason. */
static void a_fixed_home_without_atomics_is_refused(void **state)
{
    static const bool atomic[LOCATIONS] = {true, false, false};
    struct environment environment = make_environment();
    struct kernel kernel = make_kernel(2, 2);
    struct draw_limits limits = make_limits(2);
    struct draw draw;
    struct error error;
    (void)state;
    kernel.atomic_locations = atomic;
    limits.atomic_homes = 3;
    assert_int_equal(environment_set_homes(&environment, "*=host", &error), STATUS_OK);
    assert_int_equal(draw_make(&environment, &kernel, &limits, 3, 5, 0, &draw, &error), STATUS_UNSUPPORTED);
    assert_non_null(strstr(error.text, "x cannot lie on the host: a link to it lacks native atomics"));
    assert_int_equal(environment_set_homes(&environment, "x=1,y=host", &error), STATUS_OK);
    make_draw(&environment, &kernel, &limits, 0, &draw);
    draw_release(&draw);
}

/* Draws for one agent have no homes. */
static void one_agent_has_no_homes(void **state)
{
    struct environment environment = make_environment();
    struct kernel kernel = make_kernel(2, 2);
    struct draw_limits limits = make_limits(1);
    struct draw draw;
    struct error error;
    (void)state;
    kernel.agents = 1;
    kernel.agent_of_slot[1] = 0;
    kernel.location_names = NULL;
    limits.resident_groups = 10;
    assert_int_equal(environment_set_homes(&environment, "x=1", &error), STATUS_OK);
    make_draw(&environment, &kernel, &limits, 0, &draw);
    assert_int_equal(draw.homes + draw.home_words + draw.meeting_words + draw.homes_place + draw.member_groups[0], 0);
    assert_int_equal(draw.words[DRAW_AGENTS] + draw.words[DRAW_HOMES] + draw.words[DRAW_DISTANCES], 0);
    assert_null(strstr(text_string(&draw.json), "homes"));
    draw_release(&draw);
}

static void a_probe_asks_each_member(void **state)
{
    const struct kernel kernel = make_kernel(3, 3);
    const uint32_t groups[BACKEND_MAXIMUM_MEMBERS] = {1, 4, 200}, sought[BACKEND_MAXIMUM_MEMBERS] = {1, 4, UINT32_MAX};
    struct draw draw;
    (void)state;
    draw_probe_members(&kernel, groups, sought, 64, 1000, &draw);
    assert_int_equal(draw.words[DRAW_STEPS], STEP_PROBE);
    for (unsigned agent = 0; agent < 3; agent++) {
        const uint32_t *words = draw.words + draw.words[DRAW_AGENTS] + AGENT_WORDS * agent;
        assert_int_equal(draw.member_groups[agent], groups[agent]);
        assert_int_equal(words[AGENT_TESTING_GROUPS], sought[agent]);
        assert_true(words[AGENT_SHUFFLE] + groups[agent] <= draw.word_count);
    }
    assert_true(draw.words[DRAW_AGENTS] + 3 * AGENT_WORDS <= draw.word_count);
    assert_true(draw.homes_place + 2 * 4 <= draw.word_count);
    assert_int_equal(draw.homes, 0);
    draw_release(&draw);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(teams_have_members_of_each_agent),
        cmocka_unit_test(the_smallest_agent_decides),
        cmocka_unit_test(cpus_have_jitter_too),
        cmocka_unit_test(who_holds_too_little_is_refused),
        cmocka_unit_test(homes_are_spread),
        cmocka_unit_test(homes_lie_where_the_environment_says),
        cmocka_unit_test(homes_of_shared_counts_have_atomics),
        cmocka_unit_test(a_fixed_home_without_atomics_is_refused),
        cmocka_unit_test(homes_that_are_not_there_are_refused),
        cmocka_unit_test(one_agent_has_no_homes),
        cmocka_unit_test(a_probe_asks_each_member),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
