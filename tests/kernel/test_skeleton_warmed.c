// SPDX-License-Identifier: Apache-2.0
/* Protects the calls that each launch makes for a test that reads by an alias or through a proxy, whatever its number
 * of work-groups. Only the playing launch may play or warm: reads in the initialising launch would leave wrong values
 * in caches, and a round played again by the counting launch would find other caches. Meetings must not acquire, which
 * would empty warmed caches. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define WARMS
#define SEPARATE
#include "tests/kernel/skeleton_host.h"

static void check_launches(u32 slots)
{
    host_launch(slots, STEP_INITIALISE);
    assert_int_equal(host.initialised, HOST_ROUNDS);
    assert_int_equal(host.warmed + host.played + host.classified, 0);
    host_launch(slots, STEP_PLAY | STEP_MEET);
    assert_int_equal(host.warmed, slots * HOST_ROUNDS);
    assert_int_equal(host.played, slots * HOST_ROUNDS);
    assert_int_equal(host.initialised + host.classified, 0);
    host_launch(slots, STEP_COUNT);
    assert_int_equal(host.classified, HOST_ROUNDS);
    assert_int_equal(host.initialised + host.warmed + host.played, 0);
}

static void each_launch_of_one_group_has_its_step(void **state)
{
    (void)state;
    check_launches(1);
}

static void each_launch_of_two_groups_has_its_step(void **state)
{
    (void)state;
    check_launches(2);
}

static void meetings_leave_caches_alone(void **state)
{
    (void)state;
    host_launch(2, STEP_PLAY | STEP_MEET);
    assert_int_equal(host.played, 2 * HOST_ROUNDS); /* so it has met its team */
    assert_int_equal(host.acquires, 0);
    assert_int_equal(host.arrivals, 1); /* only at the end of the launch */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_launch_of_one_group_has_its_step),
        cmocka_unit_test(each_launch_of_two_groups_has_its_step),
        cmocka_unit_test(meetings_leave_caches_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
