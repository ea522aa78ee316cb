// SPDX-License-Identifier: Apache-2.0
/* Protects the count of delays: a thread rests only at the sites that the draw chose, and each round in which a thread
 * rested counts once, however many sites it passed; other rounds do not count. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define DELAYS
#define HOST_DELAY_SITES sites
static unsigned sites; /* bit k: site k */
#include "tests/kernel/skeleton_host.h"

static void check(unsigned chosen, unsigned slots, unsigned rests, unsigned rounds)
{
    sites = chosen;
    host_launch(slots, STEP_INITIALISE | STEP_PLAY | STEP_MEET | STEP_COUNT);
    assert_int_equal(host.played, slots * HOST_ROUNDS);
    assert_int_equal(host.rested, 100 * rests);
    assert_int_equal(host.delayed, rounds);
}

static void rounds_in_which_a_thread_rests_are_counted(void **state)
{
    (void)state;
    check(0, 1, 0, 0);
    check(1, 1, 2, 2); /* the first round passes no site */
    check(2, 1, 2, 2);
    check(3, 1, 4, 2);
    check(4, 1, 0, 0); /* there is no such site */
    check(3, 2, 10, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(rounds_in_which_a_thread_rests_are_counted)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
