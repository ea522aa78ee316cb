// SPDX-License-Identifier: Apache-2.0
/* Protects the candidates of a search: always within bounds, functions of their seed and number, moved by each kind of
 * step, and without differences that have no effect; a new parameter is either searched or listed here. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "runner/environment/environment.h"

/* Bounds on spins affect the cost of a hang, not how often a witness is seen; launches without meetings are too slow to
 * show witnesses more often; a size for some tests is chosen by hand. */
static const char *const held[] = {"meet_polls", "spin_bound", "no_meeting_chance", "pair_group_size"};

enum { CANDIDATES = 2000, EVERYTHING = SEARCH_LOCAL | SEARCH_CLUSTERS | SEARCH_PATHS | SEARCH_COPIES | SEARCH_CLOCK };

static bool is_held(const char *name)
{
    for (size_t i = 0; i < sizeof held / sizeof *held; i++)
        if (strcmp(held[i], name) == 0)
            return true;
    return false;
}

static bool equal_at(const struct environment *a, const struct environment *b, enum parameter parameter)
{
    const struct environment_range x = a->ranges[parameter], y = b->ranges[parameter];
    return x.low == y.low && x.high == y.high;
}

static void check(const struct environment *candidate, const struct environment *start, unsigned has)
{
    for (enum parameter i = 0; i < PARAMETER_COUNT; i++) {
        const struct environment_range range = candidate->ranges[i];
        if (range.low > range.high || range.low < environment_parameters[i].lowest ||
            range.high > environment_parameters[i].highest)
            fail_msg("%s = %u..%u", environment_parameters[i].name, range.low, range.high);
        const bool idle =
            is_held(environment_parameters[i].name) ||
            (strncmp(environment_parameters[i].name, "pre_stress_", 11) == 0 &&
             strcmp(environment_parameters[i].name, "pre_stress_chance") != 0 &&
             candidate->pre_stress_chance.high == 0) ||
            (strncmp(environment_parameters[i].name, "stress_", 7) == 0 &&
             strcmp(environment_parameters[i].name, "stress_percent") != 0 && candidate->stress_percent.high == 0 &&
             !(i == PARAMETER_stress_cached_chance && candidate->pre_stress_chance.high > 0)) ||
            (strcmp(environment_parameters[i].name, "local_stride") == 0 && !(has & SEARCH_LOCAL)) ||
            (i == PARAMETER_warm_chance && !(has & SEARCH_PATHS)) ||
            (strncmp(environment_parameters[i].name, "stress_copy_", 12) == 0 && !(has & SEARCH_COPIES)) ||
            (i == PARAMETER_stress_copy_bytes && candidate->stress_copy_chance.high == 0) ||
            (strncmp(environment_parameters[i].name, "cluster_", 8) == 0 && !(has & SEARCH_CLUSTERS)) ||
            (i != PARAMETER_cluster_chance && strncmp(environment_parameters[i].name, "cluster_", 8) == 0 &&
             candidate->cluster_chance.high == 0);
        if (idle && !equal_at(candidate, start, i))
            fail_msg("%s differs and does nothing", environment_parameters[i].name);
    }
}

/* Each candidate of a chain is near the previous one, so that bounds are reached. */
static void check_kind(bool gpu, unsigned has)
{
    const struct backend_device device = {.gpu = gpu};
    struct environment start, candidate, parent, again;
    const struct environment_search search = {.gpu = gpu, .has = has, .seed = 7, .start = &start};
    bool moved[PARAMETER_COUNT] = {false};
    environment_default(&device, &start);
    parent = start;
    for (uint64_t number = 0; number < CANDIDATES; number++) {
        unsigned changes = 0;
        search_draw(&search, number, &candidate);
        check(&candidate, &start, has);
        search_near(&search, number, &parent, &candidate);
        check(&candidate, &start, has);
        search_near(&search, number, &parent, &again);
        assert_memory_equal(&candidate, &again, sizeof again);
        for (enum parameter i = 0; i < PARAMETER_COUNT; i++)
            if (!equal_at(&candidate, &parent, i)) {
                changes++;
                moved[i] = true;
            }
        assert_true(changes > 0);
        parent = candidate;
    }
    for (enum parameter i = 0; i < PARAMETER_COUNT; i++)
        if (gpu && !is_held(environment_parameters[i].name) && has == EVERYTHING)
            assert_true(moved[i]);
}

static void test_gpu(void **state)
{
    (void)state;
    check_kind(true, 0);
    check_kind(true, SEARCH_LOCAL);
    check_kind(true, SEARCH_CLUSTERS);
    check_kind(true, EVERYTHING);
}

/* On a CPU, stress groups would wait for a core. */
static void test_cpu(void **state)
{
    const struct backend_device device = {.gpu = false};
    struct environment start, candidate;
    const struct environment_search search = {.gpu = false, .seed = 3, .start = &start};
    (void)state;
    check_kind(false, 0);
    environment_default(&device, &start);
    for (uint64_t number = 0; number < 100; number++) {
        search_draw(&search, number, &candidate);
        assert_int_equal(candidate.stress_percent.high, 0);
        assert_int_equal(candidate.testing_percent.low, 100);
    }
}

/* A search that starts from a portfolio looks for one environment, which is compared with the portfolio. */
static void test_portfolio(void **state)
{
    const struct backend_device device = {.gpu = true};
    struct environment start, candidate;
    struct error error;
    const struct environment_search search = {.gpu = true, .has = EVERYTHING, .seed = 7, .start = &start};
    (void)state;
    assert_int_equal(environment_load("hunt", &device, &start, &error), STATUS_OK);
    assert_int_equal(start.other_count, 1);
    search_draw(&search, 1, &candidate);
    assert_int_equal(candidate.other_count, 0);
    search_near(&search, 1, &start, &candidate);
    assert_int_equal(candidate.other_count, 0);
}

static void test_seeds(void **state)
{
    const struct backend_device device = {.gpu = true};
    struct environment start, one, other, again;
    struct environment_search search = {.gpu = true, .seed = 1, .start = &start};
    unsigned equal = 0;
    (void)state;
    environment_default(&device, &start);
    for (uint64_t number = 0; number < 100; number++) {
        search.seed = 1;
        search_draw(&search, number, &one);
        search_draw(&search, number, &again);
        assert_memory_equal(&one, &again, sizeof one);
        search.seed = 2;
        search_draw(&search, number, &other);
        equal += memcmp(&one, &other, sizeof one) == 0;
    }
    assert_true(equal < 10);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gpu),
        cmocka_unit_test(test_cpu),
        cmocka_unit_test(test_seeds),
        cmocka_unit_test(test_portfolio),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
