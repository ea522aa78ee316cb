// SPDX-License-Identifier: Apache-2.0
/* Protects the launches of a test of several: each plays only its own slots, has no meetings, warms only if asked to,
 * and releases nothing. It counts groups that began before a preceding launch had ended, and groups that began while a
 * launch beside their own was running. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define WARMS
#define SEPARATE
#define LAUNCHES 3u
#define LAUNCH_OF(slot) (slot) /* the first three slots have a launch each */
static unsigned after, beside; /* of the current launch */
#define AFTER_OF(launch) after
#define CONTENDS_OF(launch) beside
#include "tests/kernel/skeleton_host.h"

/* Sets the counters before a launch: groups of another launch that have begun and ended. */
static void others(unsigned launch, unsigned begun, unsigned ended)
{
    counters[COUNTER_BEGUN_0 + launch] = begun;
    counters[COUNTER_ENDED_0 + launch] = ended;
}

static void play_launch(unsigned launch)
{
    host_launch_number = launch;
    host_launch(3, STEP_PLAY);
}

static void a_launch_plays_its_own_slot(void **state)
{
    (void)state;
    for (unsigned launch = 0; launch < 3; launch++) {
        after = beside = 0;
        play_launch(launch);
        assert_int_equal(host.played, 3 * HOST_ROUNDS); /* once in each subset, */
        assert_int_equal(host.played_slots[launch], HOST_ROUNDS);
        assert_int_equal(host.played_slots[3], 2 * HOST_ROUNDS); /* but twice for a slot that does not exist */
        assert_int_equal(host.initialised + host.warmed + host.classified + host.acquires + host.arrivals, 0);
        assert_int_equal(counters[COUNTER_BEGUN_0 + launch], 1);
        assert_int_equal(counters[COUNTER_ENDED_0 + launch], 1);
        host_forget();
    }
}

static void other_steps_play_nothing(void **state)
{
    (void)state;
    host_launch(3, STEP_INITIALISE);
    assert_int_equal(host.initialised, HOST_ROUNDS);
    assert_int_equal(host.played + host.warmed + host.classified + host.arrivals, 0);
    host_launch(3, STEP_WARM);
    assert_int_equal(host.warmed, 3 * HOST_ROUNDS);
    assert_int_equal(host.played + host.initialised + host.classified, 0);
    host_launch(3, STEP_COUNT);
    assert_int_equal(host.classified, HOST_ROUNDS);
    assert_int_equal(host.played + host.initialised + host.warmed, 0);
    assert_int_equal(counters[COUNTER_BEGUN_0], 0);
    host_forget();
}

static void check_early(unsigned comes_after, unsigned begun, unsigned ended, unsigned early)
{
    after = comes_after;
    beside = 0;
    others(0, begun, ended);
    play_launch(2);
    assert_int_equal(counters[COUNTER_EARLY], early);
    assert_int_equal(counters[COUNTER_OVERLAPPED], 0);
    host_forget();
}

static void a_group_that_begins_early_is_counted(void **state)
{
    (void)state;
    check_early(1, 3, 3, 0);
    check_early(1, 3, 2, 1);
    check_early(1, 0, 0, 1); /* the launch has not even begun */
    check_early(0, 3, 2, 0); /* nothing orders them */
    check_early(3, 3, 3, 1); /* launch 1 has not ended either */
}

static void check_overlap(unsigned runs_beside, unsigned begun, unsigned ended, unsigned overlapped)
{
    after = 0;
    beside = runs_beside;
    others(1, begun, ended);
    play_launch(2);
    assert_int_equal(counters[COUNTER_OVERLAPPED], overlapped);
    assert_int_equal(counters[COUNTER_EARLY], 0);
    host_forget();
}

static void a_group_that_begins_while_another_launch_runs_is_counted(void **state)
{
    (void)state;
    check_overlap(2, 1, 0, 1);
    check_overlap(2, 3, 2, 1);
    check_overlap(2, 3, 3, 0);
    check_overlap(2, 0, 0, 0);
    check_overlap(1, 1, 0, 0); /* launch 0 runs beside it */
    check_overlap(0, 1, 0, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_launch_plays_its_own_slot),
        cmocka_unit_test(other_steps_play_nothing),
        cmocka_unit_test(a_group_that_begins_early_is_counted),
        cmocka_unit_test(a_group_that_begins_while_another_launch_runs_is_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
