// SPDX-License-Identifier: Apache-2.0
/* Protects starts at ticks: each subset starts at the next tick, shifted by a time of the group's team; a clock that
 * passes 0 or stands still ends no run; without ticks nothing waits; and rounds count only if the clock ran. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/kernel/skeleton_types.h"

#define SHARED_CLOCK
#define HOST_TICK tick_drawn
static u32 tick_drawn, time_now, step; /* the clock advances by `step` with each read */
static u32 starts[64], start_count, reads;

static u32 shared_clock(void)
{
    reads++;
    return time_now += step;
}

static void host_started(void)
{
    starts[start_count++] = time_now;
}

#include "tests/kernel/skeleton_host.h"

static void launch(u32 nanoseconds, u32 from, u32 by, u32 slots)
{
    tick_drawn = nanoseconds;
    time_now = from;
    step = by;
    start_count = reads = 0;
    host_launch(slots, STEP_INITIALISE | STEP_PLAY | STEP_MEET | STEP_COUNT);
    assert_int_equal(host.played, slots * HOST_ROUNDS);
    assert_int_equal(start_count, slots * HOST_ROUNDS);
}

/* The group is in team 0, whose ticks are not shifted. */
static void subsets_start_at_ticks(void **state)
{
    static const u32 ticks[] = {64, 1000, 1024, 65535};
    (void)state;
    for (size_t i = 0; i < sizeof ticks / sizeof *ticks; i++) {
        launch(ticks[i], 12345, 3, 2);
        assert_int_equal(host.ticked, HOST_ROUNDS);
        for (u32 k = 0; k < start_count; k++)
            assert_true(starts[k] % ticks[i] < 3); /* at the first read after the tick */
        for (u32 k = 1; k < start_count; k++)
            assert_true(starts[k] - starts[k - 1] >= ticks[i] - 3);
    }
}

static void teams_have_shifts_of_their_own(void **state)
{
    u32 shifts[8];
    (void)state;
    tick_drawn = 1024;
    step = 1;
    draw[DRAW_TICK_NANOSECONDS] = tick_drawn;
    draw[DRAW_TICK_RECIPROCAL] = UINT32_MAX / tick_drawn;
    for (u32 team = 0; team < 8; team++) {
        for (u32 again = 0; again < 2; again++) { /* a group that comes later starts at a tick of the same team */
            time_now = 5000 + 777 * again;
            wait_for_tick(0, team, 0);
            assert_true(again == 0 || shifts[team] == time_now % tick_drawn);
            shifts[team] = time_now % tick_drawn;
        }
        for (u32 other = 0; other < team; other++)
            assert_int_not_equal(shifts[team], shifts[other]);
    }
}

/* The polls of a wait are enough for the longest one with its lag. */
static void a_lag_comes_after_the_tick(void **state)
{
    (void)state;
    step = 1;
    draw[DRAW_TICK_NANOSECONDS] = 1024;
    draw[DRAW_TICK_RECIPROCAL] = UINT32_MAX / 1024;
    for (u32 from = 1; from < 3000; from += 50)
        for (u32 lag = 0; lag < 2000; lag += 640) {
            time_now = from;
            wait_for_tick(0, 0, lag);
            const u32 began = from / 1024 * 1024 + 1024;
            assert_in_range(time_now, began + lag, began + lag + 3);
        }
}

static void the_clock_may_pass_zero(void **state)
{
    (void)state;
    launch(1000, UINT32_MAX - 1500, 1, 2);
    assert_true(reads < 2 * HOST_ROUNDS * 2000);
}

static void a_clock_that_stands_still_ends_no_run(void **state)
{
    (void)state;
    launch(1000, 12345, 0, 2);
    assert_int_equal(host.ticked, 0);
}

static void without_ticks_nothing_waits(void **state)
{
    (void)state;
    launch(0, 12345, 1, 2);
    assert_int_equal(reads, HOST_ROUNDS); /* the one before a round */
    assert_int_equal(host.ticked, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(subsets_start_at_ticks),      cmocka_unit_test(teams_have_shifts_of_their_own),
        cmocka_unit_test(the_clock_may_pass_zero),     cmocka_unit_test(a_clock_that_stands_still_ends_no_run),
        cmocka_unit_test(without_ticks_nothing_waits), cmocka_unit_test(a_lag_comes_after_the_tick),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
