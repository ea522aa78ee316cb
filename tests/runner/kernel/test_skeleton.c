// SPDX-License-Identifier: Apache-2.0
/*
 * Protects the calls that a launch of an ordinary kernel makes: a launch with all steps
 * initialises, plays and counts each round once, and the teams of a test of several work-groups
 * meet by releases and acquires. Kernels that warm caches are in test_skeleton_warmed.c.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/runner/kernel/skeleton_host.h"

static void one_launch_does_all(void **state)
{
    (void)state;
    host_launch(1, STEP_INITIALISE | STEP_PLAY | STEP_MEET | STEP_COUNT);
    assert_int_equal(host.initialised, HOST_ROUNDS);
    assert_int_equal(host.played, HOST_ROUNDS);
    assert_int_equal(host.classified, HOST_ROUNDS);
}

static void teams_meet_by_release_and_acquire(void **state)
{
    (void)state;
    host_launch(2, STEP_INITIALISE | STEP_PLAY | STEP_MEET | STEP_COUNT);
    assert_int_equal(host.played, 2 * HOST_ROUNDS);        /* a slot of each subset */
    assert_int_equal(host.acquires, 2 * HOST_ROUNDS);      /* before a round and after it */
    assert_int_equal(host.arrivals, 2 * HOST_ROUNDS + 1u); /* plus one at the end of the launch */
}

static void without_meetings_the_steps_have_a_launch_each(void **state)
{
    (void)state;
    host_launch(2, STEP_INITIALISE);
    assert_int_equal(host.initialised, HOST_ROUNDS);
    assert_int_equal(host.played + host.classified + host.acquires, 0);
    host_launch(2, STEP_PLAY);
    assert_int_equal(host.played, 2 * HOST_ROUNDS);
    assert_int_equal(host.initialised + host.classified + host.acquires, 0);
    host_launch(2, STEP_COUNT);
    assert_int_equal(host.classified, HOST_ROUNDS);
    assert_int_equal(host.initialised + host.played + host.acquires, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_launch_does_all),
        cmocka_unit_test(teams_meet_by_release_and_acquire),
        cmocka_unit_test(without_meetings_the_steps_have_a_launch_each),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
