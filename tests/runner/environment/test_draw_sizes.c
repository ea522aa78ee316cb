// SPDX-License-Identifier: Apache-2.0
/* Protects the sizes of a batch that depend on the test: rounds of many threads, groups of a portfolio's member. */
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

/* The threads of a test with a lock run one after the other, so a batch must not have 1000 rounds of 512 of them. */
static void test_many_threads(void **state)
{
    static const struct {
        unsigned slots, width, rounds;
    } cases[] = {{1, 1, 1000}, {2, 16, 1000}, {1, 32, 1000}, {2, 32, 256}, {1, 64, 256}, {1, 512, 32}, {16, 512, 2}};
    const struct environment environment = {.group_size = {4096, 4096},
                                            .testing_percent = {100, 100},
                                            .rounds = {1000, 1000},
                                            .teams = {1, 1},
                                            .stride = {1, 1},
                                            .local_stride = {1, 1},
                                            .stress_lines = {1, 1},
                                            .stress_line_words = {1, 1}};
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

/* Small groups of a portfolio have the room that they would have alone. 10 compute units hold 24 groups each of the largest
 * size. */
static void test_resident_of_member(void **state)
{
    static const struct {
        uint32_t largest, own, unit_groups, local_cells, cluster_chance, expected;
    } cases[] = {
        {64, 32, 32, 0, 0, 320}, {64, 32, 48, 0, 0, 480},  {64, 32, 64, 0, 0, 480},  {64, 64, 32, 0, 0, 240},
        {64, 32, 0, 0, 0, 240},  {64, 32, 32, 64, 0, 240}, {64, 32, 32, 0, 50, 240}, {96, 32, 99, 0, 0, 720},
        {96, 64, 99, 0, 0, 240}, {64, 16, 99, 0, 0, 240}, /* a group of 16 takes the place of 32 items */
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct kernel kernel = kernel_of(2, 1, cases[i].local_cells);
        const struct draw_limits limits = {.resident_groups = 240,
                                           .compute_units = 10,
                                           .max_unit_groups = cases[i].unit_groups,
                                           .max_group_size = 1024,
                                           .sub_group_size = 32,
                                           .local_bytes = (uint64_t)200 * 1024};
        const struct environment portfolio = {.group_size = {cases[i].largest, cases[i].largest},
                                              .local_stride = {1, 1},
                                              .cluster_chance = {cases[i].cluster_chance, cases[i].cluster_chance}};
        struct environment member = portfolio;
        member.group_size = (struct environment_range){cases[i].own, cases[i].own};
        assert_int_equal(draw_resident(&portfolio, &member, &kernel, &limits), cases[i].expected);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_many_threads),
        cmocka_unit_test(test_resident_of_member),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
