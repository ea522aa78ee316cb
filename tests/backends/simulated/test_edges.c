// SPDX-License-Identifier: Apache-2.0
/* Protects plays of the simulated device: counts add up as in a launch, unordered launches overlap unless the script
 * says otherwise, a script can break an edge, and steps that the device does not support are refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "tests/backends/simulated/fixture.h"

enum { GROUPS = 6 };

static enum status play(struct backend_session *session, struct backend_program *program,
                        const struct backend_step *steps, size_t count, uint32_t *counters, struct error *error)
{
    double seconds = -1;
    struct backend_launch launch = {.groups = GROUPS,
                                    .group_size = 1,
                                    .counter_words = COUNTERS,
                                    .clear_counters = true,
                                    .instances = 1000,
                                    .seed = 42};
    assert_int_equal(simulated_backend.launch(session, program, &launch, &seconds, error), STATUS_OK);
    launch.counters = counters;
    launch.read_words = COUNTERS;
    const enum status status = simulated_backend.play(session, program, &launch, steps, count, &seconds, error);
    assert_true(seconds >= 0);
    return status;
}

static const struct backend_step ordered[] = {{0}, {.after = 1, .edges = {LAUNCH_EDGE_MAP}}};
static const struct backend_step beside[] = {{0}, {0}, {.after = 1, .edges = {LAUNCH_EDGE_QUEUE}}};

static void check_overlap(const char *test, const struct backend_step *steps, size_t count, uint32_t expected)
{
    uint32_t counters[COUNTERS];
    struct error error = {0};
    struct backend_session *session = fixture_open(0);
    struct backend_program *program = fixture_build(session, test);
    if (play(session, program, steps, count, counters, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    assert_int_equal(fixture_sum(counters), 1000);
    assert_int_equal(counters[OVERLAPPED], expected);
    assert_true(counters[ROUNDS] > 0);
    simulated_backend.release(session, program);
    simulated_backend.close(session);
}

static void test_overlaps(void **state)
{
    (void)state;
    check_overlap("plain", ordered, 2, 0);
    check_overlap("plain", beside, 3, GROUPS);
    check_overlap("serial", beside, 3, 0);
    check_overlap("broken", ordered, 2, GROUPS);
}

/* The runner counts in a later launch, whose counters describe the play before it. */
static void test_counted_by_a_later_launch(void **state)
{
    uint32_t counters[COUNTERS];
    double seconds;
    struct error error = {0};
    struct backend_launch launch = {
        .groups = GROUPS, .group_size = 1, .counter_words = COUNTERS, .clear_counters = true, .instances = 1000};
    (void)state;
    struct backend_session *session = fixture_open(0);
    struct backend_program *program = fixture_build(session, "plain");
    assert_int_equal(simulated_backend.launch(session, program, &launch, &seconds, &error), STATUS_OK);
    launch.clear_counters = false;
    assert_int_equal(simulated_backend.play(session, program, &launch, beside, 2, &seconds, &error), STATUS_OK);
    launch.counters = counters;
    launch.read_words = COUNTERS;
    assert_int_equal(simulated_backend.launch(session, program, &launch, &seconds, &error), STATUS_OK);
    assert_int_equal(fixture_sum(counters), 1000);
    assert_int_equal(counters[OVERLAPPED], GROUPS);
    simulated_backend.release(session, program);
    simulated_backend.close(session);
}

static void test_refused_edges(void **state)
{
    uint32_t counters[COUNTERS];
    struct error error = {0};
    (void)state;
    struct backend_session *session = fixture_open(1);
    struct backend_program *program = fixture_build(session, "plain");
    assert_int_equal(play(session, program, ordered, 2, counters, &error), STATUS_UNSUPPORTED);
    assert_string_equal(error.text, "simulated:1 (Beta) has no 'map' between launches; it has: beside, queue, host");
    assert_int_equal(play(session, program, beside, 3, counters, &error), STATUS_OK);
    simulated_backend.release(session, program);
    simulated_backend.close(session);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_overlaps),
        cmocka_unit_test(test_counted_by_a_later_launch),
        cmocka_unit_test(test_refused_edges),
    };
    fixture_use("edges.json");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
