// SPDX-License-Identifier: Apache-2.0
/*
 * Protects the candidates of a search: always within bounds, functions of their seed and number, moved by each kind of
 * step, and without differences that do nothing; and that a parameter which is added is either searched or named here.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "runner/environment/search.h"

/* Bounds on spins decide what a hang costs, not how often a witness is seen; launches in which nobody meets are too slow
 * to find any faster. */
static const char *const held[] = {"meet_polls", "spin_bound", "no_meeting_chance"};

static const struct bounds {
    const char *name;
    size_t offset;
    uint32_t lowest, highest;
} bounds[] = {
#define BOUNDS_ROW(name, lowest, highest, meaning) {#name, offsetof(struct environment, name), lowest, highest},
    ENVIRONMENT_LIST(BOUNDS_ROW)
#undef BOUNDS_ROW
};
enum { PARAMETERS = sizeof bounds / sizeof *bounds, CANDIDATES = 2000 };

static struct environment_range range_at(const struct environment *environment, size_t parameter)
{
    struct environment_range range;
    memcpy(&range, (const char *)environment + bounds[parameter].offset, sizeof range);
    return range;
}

static bool equal_at(const struct environment *a, const struct environment *b, size_t parameter)
{
    const struct environment_range x = range_at(a, parameter), y = range_at(b, parameter);
    return x.low == y.low && x.high == y.high;
}

static void check(const struct environment *candidate, const struct environment *start, bool local)
{
    for (size_t i = 0; i < PARAMETERS; i++) {
        const struct environment_range range = range_at(candidate, i);
        if (range.low > range.high || range.low < bounds[i].lowest || range.high > bounds[i].highest)
            fail_msg("%s = %u..%u", bounds[i].name, range.low, range.high);
        const bool idle =
            !search_knows(bounds[i].name) ||
            (strncmp(bounds[i].name, "pre_stress_", 11) == 0 && strcmp(bounds[i].name, "pre_stress_chance") != 0 &&
             candidate->pre_stress_chance.high == 0) ||
            (strncmp(bounds[i].name, "stress_", 7) == 0 && strcmp(bounds[i].name, "stress_percent") != 0 &&
             candidate->stress_percent.high == 0) ||
            (strcmp(bounds[i].name, "local_stride") == 0 && !local);
        if (idle && !equal_at(candidate, start, i))
            fail_msg("%s differs and does nothing", bounds[i].name);
    }
}

/* Each candidate of a chain stands near the one before it, so that bounds are reached. */
static void check_kind(bool gpu, bool local)
{
    const struct backend_device device = {.gpu = gpu};
    struct environment start, candidate, parent, again;
    const struct search search = {.gpu = gpu, .local = local, .seed = 7, .start = &start};
    bool moved[PARAMETERS] = {false};
    environment_default(&device, &start);
    parent = start;
    for (uint64_t number = 0; number < CANDIDATES; number++) {
        unsigned changes = 0;
        search_draw(&search, number, &candidate);
        check(&candidate, &start, local);
        search_near(&search, number, &parent, &candidate);
        check(&candidate, &start, local);
        search_near(&search, number, &parent, &again);
        assert_memory_equal(&candidate, &again, sizeof again);
        for (size_t i = 0; i < PARAMETERS; i++)
            if (!equal_at(&candidate, &parent, i)) {
                changes++;
                moved[i] = true;
            }
        assert_true(changes > 0);
        parent = candidate;
    }
    for (size_t i = 0; i < PARAMETERS; i++)
        if (gpu && search_knows(bounds[i].name) && (local || strcmp(bounds[i].name, "local_stride") != 0))
            assert_true(moved[i]);
}

static void test_gpu(void **state)
{
    (void)state;
    check_kind(true, false);
    check_kind(true, true);
}

/* Stress groups would wait for a core there. */
static void test_cpu(void **state)
{
    const struct backend_device device = {.gpu = false};
    struct environment start, candidate;
    const struct search search = {.gpu = false, .seed = 3, .start = &start};
    (void)state;
    check_kind(false, false);
    environment_default(&device, &start);
    for (uint64_t number = 0; number < 100; number++) {
        search_draw(&search, number, &candidate);
        assert_int_equal(candidate.stress_percent.high, 0);
        assert_int_equal(candidate.testing_percent.low, 100);
    }
}

static void test_seeds(void **state)
{
    const struct backend_device device = {.gpu = true};
    struct environment start, one, other, again;
    struct search search = {.gpu = true, .seed = 1, .start = &start};
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

static void test_every_parameter(void **state)
{
    (void)state;
    assert_false(search_knows("no_such_parameter"));
    for (size_t i = 0; i < PARAMETERS; i++) {
        bool is_held = false;
        for (size_t k = 0; k < sizeof held / sizeof *held; k++)
            is_held |= strcmp(held[k], bounds[i].name) == 0;
        if (search_knows(bounds[i].name) == is_held)
            fail_msg("%s: add it to the dimensions of search.c, or here to what is held", bounds[i].name);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gpu),
        cmocka_unit_test(test_cpu),
        cmocka_unit_test(test_seeds),
        cmocka_unit_test(test_every_parameter),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
