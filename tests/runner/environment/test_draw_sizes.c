// SPDX-License-Identifier: Apache-2.0
/* Protects what of a draw depends on the test and the device: rounds of many threads, and ticks. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "runner/environment/environment.h"

/* A kernel whose slots have one body each. */
static struct kernel kernel_of(unsigned slots, unsigned width, unsigned local_cells)
{
    struct kernel kernel = {.slots = slots,
                            .bodies = slots,
                            .width = width,
                            .cell_words = 2,
                            .locations = 2,
                            .result_words = 2 * slots + 1,
                            .local_cells = local_cells,
                            .variables = slots,
                            .words = slots,
                            .outcomes = 4,
                            .histogram_words = 6,
                            .table_entries = 16,
                            .cluster_groups = 1};
    kernel.counter_words = (uint32_t)COUNTER_HISTOGRAM + kernel.histogram_words + 16 * (kernel.words + 2);
    for (unsigned body = 0; body < slots; body++) {
        kernel.slot_of[body] = body;
        kernel.first_of_slot[body] = true;
        kernel.sub_group_of[body] = LITMUS_NONE;
    }
    return kernel;
}

/* All groups test, and nothing else happens. */
static struct environment environment_of(uint32_t group_size, uint32_t rounds)
{
    return (struct environment){.group_size = {group_size, group_size},
                                .testing_percent = {100, 100},
                                .rounds = {rounds, rounds},
                                .teams = {1, 1},
                                .stride = {1, 1},
                                .local_stride = {1, 1},
                                .stress_lines = {1, 1},
                                .stress_line_words = {1, 1}};
}

/* The threads of a test with a lock run one after the other, so a batch must not have 1000 rounds of 512 of them. */
static void test_many_threads(void **state)
{
    static const struct {
        unsigned slots, width, rounds;
    } cases[] = {{1, 1, 1000}, {2, 16, 1000}, {1, 32, 1000}, {2, 32, 256}, {1, 64, 256}, {1, 512, 32}, {16, 512, 2}};
    const struct environment environment = environment_of(4096, 1000);
    const struct draw_limits limits = {
        .resident_groups = 16, .max_group_size = 512, .sub_group_size = 32, .local_bytes = 1024};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct kernel kernel = kernel_of(cases[i].slots, cases[i].width, 0);
        struct draw draw;
        struct error error;
        assert_int_equal(draw_make(&environment, &kernel, &limits, 1, 1, 0, &draw, &error), STATUS_OK);
        assert_int_equal(draw.rounds, cases[i].rounds);
        draw_release(&draw);
    }
}

/* Only groups that meet, on one device with a clock that is fine enough, start at ticks. */
static void test_ticks(void **state)
{
    static const struct {
        unsigned slots, no_meeting;
        bool clock, ticks;
        uint32_t grain;
    } cases[] = {{2, 0, true, true, 0},   {4, 0, true, true, 0},    {1, 0, true, false, 0},
                 {2, 0, false, false, 0}, {2, 100, true, false, 0}, {16, 0, true, false, 0},
                 {2, 0, true, true, 250}, {2, 0, true, false, 251}, {2, 0, true, false, UINT32_MAX}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct environment environment = environment_of(32, 10);
        environment.no_meeting_chance = (struct environment_range){cases[i].no_meeting, cases[i].no_meeting};
        environment.tick_chance = (struct environment_range){100, 100};
        environment.tick_nanoseconds = (struct environment_range){1000, 1000};
        environment.load_lag_nanoseconds = (struct environment_range){32, 32};
        const struct draw_limits limits = {.resident_groups = 8,
                                           .max_group_size = 512,
                                           .sub_group_size = 32,
                                           .local_bytes = 1024,
                                           .shared_clock = cases[i].clock,
                                           .clock_grain = cases[i].grain};
        const struct kernel kernel = kernel_of(cases[i].slots, 1, 0);
        struct draw draw;
        struct error error;
        assert_int_equal(draw_make(&environment, &kernel, &limits, 1, 1, 0, &draw, &error), STATUS_OK);
        assert_int_equal(draw.words[DRAW_TICK_NANOSECONDS], cases[i].ticks ? 1000 : 0);
        assert_int_equal(draw.words[DRAW_TICK_RECIPROCAL], cases[i].ticks ? UINT32_MAX / 1000 : 0);
        assert_int_equal(draw.words[DRAW_LOAD_LAG], cases[i].ticks ? 32 : 0);
        assert_int_equal(draw.requested[DRAW_TICKS_REQUESTED], cases[i].ticks);
        draw_release(&draw);
    }
}

/* Groups have another size where a test has two threads in a group each, if the environment says so. */
static void test_pair_groups(void **state)
{
    static const struct {
        uint32_t pair_group_size;
        unsigned bodies, width;
        uint32_t size;
    } cases[] = {{64, 2, 1, 64}, {64, 3, 1, 32}, {64, 2, 2, 32}, {0, 2, 1, 32}, {1024, 2, 1, 512}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct environment environment = environment_of(32, 10);
        environment.pair_group_size = (struct environment_range){cases[i].pair_group_size, cases[i].pair_group_size};
        const struct draw_limits limits = {
            .resident_groups = 8, .max_group_size = 512, .sub_group_size = 32, .local_bytes = 1024};
        struct kernel kernel = kernel_of(2, cases[i].width, 0);
        kernel.bodies = cases[i].bodies;
        struct draw draw;
        struct error error;
        assert_int_equal(draw_make(&environment, &kernel, &limits, 1, 1, 0, &draw, &error), STATUS_OK);
        assert_int_equal(draw.group_size, cases[i].size);
        draw_release(&draw);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_many_threads),
        cmocka_unit_test(test_ticks),
        cmocka_unit_test(test_pair_groups),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
