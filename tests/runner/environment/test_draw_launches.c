// SPDX-License-Identifier: Apache-2.0
/* Protects draws for tests of several launches: one round without meetings; more groups than the device holds if
 * launches are ordered; launches that fit on the device together in half of the batches if they may run at the same
 * time; few enough stressing groups to leave room for testing ones; and every order of launches that the edges
 * allow. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "runner/environment/environment.h"
#include "tests/between.h"

enum { RESIDENT = 132, BATCHES = 200 };

/* A kernel of launches with one slot each; after[k] as in struct litmus_launch. */
static struct kernel make_kernel(unsigned launches, const unsigned *after)
{
    struct kernel kernel = {.slots = launches,
                            .bodies = launches,
                            .agents = 1,
                            .launches.count = launches,
                            .cluster_groups = 1,
                            .width = 1,
                            .cell_words = 2,
                            .locations = 2,
                            .alignment = 2,
                            .result_words = 2 * launches,
                            .words = 2,
                            .outcomes = 4,
                            .histogram_words = 6,
                            .table_entries = 16,
                            .counter_words = COUNTER_HISTOGRAM + 6 + 16 * 4};
    for (unsigned launch = 0; launch < launches; launch++) {
        kernel.launches.of_body[launch] = kernel.launch_of_slot[launch] = kernel.slot_of[launch] = launch;
        kernel.launches.launches[launch].after = after[launch];
        kernel.first_of_slot[launch] = true;
        kernel.sub_group_of[launch] = LITMUS_NONE;
    }
    return kernel;
}

static struct environment make_environment(void)
{
    const struct backend_device device = {.gpu = true};
    struct environment environment;
    environment_default(&device, &environment);
    environment.testing_percent = (struct environment_range){1, 100};
    environment.stress_percent = (struct environment_range){0, 100};
    environment.stride = (struct environment_range){1, 64};
    environment.cluster_chance = environment.meet_all_chance = (struct environment_range){100, 100};
    return environment;
}

static void make_draw(const struct kernel *kernel, uint32_t resident, uint64_t batch, struct draw *draw)
{
    const struct environment environment = make_environment();
    const struct draw_limits limits = {.resident_groups = resident,
                                       .max_group_size = 1024,
                                       .sub_group_size = 32,
                                       .max_cluster_groups = 8,
                                       .local_bytes = 32768};
    struct error error;
    if (draw_make(&environment, kernel, &limits, 3, 5, batch, draw, &error) != STATUS_OK)
        fail_msg("%s", error.text);
}

/* The number of the order, of at most three launches, or -1 if it violates the edges. */
static int check_order(const struct kernel *kernel, const struct draw *draw)
{
    unsigned placed = 0;
    int number = 0;
    assert_int_equal(draw->launches, kernel->launches.count);
    for (unsigned i = 0; i < draw->launches; i++) {
        assert_true(draw->order[i] < draw->launches);
        assert_int_equal(kernel->launches.launches[draw->order[i]].after & ~placed, 0);
        assert_false(placed >> draw->order[i] & 1);
        placed |= 1U << draw->order[i];
        number = number * 3 + (int)draw->order[i];
    }
    return number;
}

struct seen {
    unsigned fits, waves; /* batches whose launches fit on the device together; with more groups than it holds */
    bool orders[27];
    unsigned order_count;
};

static struct seen draw_batches(const struct kernel *kernel, uint32_t resident)
{
    struct seen seen = {0};
    for (uint64_t batch = 0; batch < BATCHES; batch++) {
        struct draw draw, again;
        make_draw(kernel, resident, batch, &draw);
        make_draw(kernel, resident, batch, &again);
        assert_string_equal(text_string(&draw.json), text_string(&again.json)); /* repeatable */
        assert_true(draw.detached && !draw.separate);
        assert_int_equal(draw.rounds, 1);
        assert_int_equal(draw.cluster_groups, 1);
        assert_false(draw.requested[DRAW_MEET_ALL_REQUESTED]);
        assert_int_equal(draw.testing_groups % kernel->slots, 0);
        assert_int_equal(draw.instances, (uint64_t)draw.testing_groups * draw.group_size);
        assert_between(draw.instances, 1, 1 << 20);
        assert_true(draw.words[DRAW_CELLS] >= draw.instances * kernel->result_words);
        assert_true(draw.groups - draw.testing_groups < resident);
        assert_non_null(strstr(text_string(&draw.json), ",\"order\":["));
        seen.fits += draw.groups * kernel->launches.count <= resident;
        seen.waves += draw.groups > resident;
        const int order = check_order(kernel, &draw);
        seen.order_count += !seen.orders[order];
        seen.orders[order] = true;
        draw_release(&draw);
        draw_release(&again);
    }
    return seen;
}

static void launches_after_each_other_have_many_groups(void **state)
{
    const struct kernel kernel = make_kernel(3, (const unsigned[]){0, 1, 2});
    (void)state;
    const struct seen seen = draw_batches(&kernel, RESIDENT);
    assert_true(seen.waves > BATCHES / 3);
    assert_int_equal(seen.order_count, 1);
}

static void launches_beside_each_other_fit_together(void **state)
{
    const struct kernel kernel = make_kernel(2, (const unsigned[]){0, 0});
    (void)state;
    const struct seen seen = draw_batches(&kernel, RESIDENT);
    assert_true(seen.fits > BATCHES * 4 / 10);
    assert_true(seen.waves > 0);
    assert_int_equal(seen.order_count, 2);
}

static void every_order_that_edges_allow_is_drawn(void **state)
{
    const struct kernel free_ones = make_kernel(3, (const unsigned[]){0, 0, 0});
    const struct kernel joined = make_kernel(3, (const unsigned[]){0, 0, 3});
    (void)state;
    assert_int_equal(draw_batches(&free_ones, RESIDENT).order_count, 6);
    assert_int_equal(draw_batches(&joined, RESIDENT).order_count, 2);
}

static void a_device_that_holds_one_group_plays_them_too(void **state)
{
    const struct kernel kernel = make_kernel(2, (const unsigned[]){0, 0});
    (void)state;
    (void)draw_batches(&kernel, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(launches_after_each_other_have_many_groups),
        cmocka_unit_test(launches_beside_each_other_fit_together),
        cmocka_unit_test(every_order_that_edges_allow_is_drawn),
        cmocka_unit_test(a_device_that_holds_one_group_plays_them_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
