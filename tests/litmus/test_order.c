// SPDX-License-Identifier: Apache-2.0
/* Protects what orders, scopes and operations imply: strength is a partial order, a join is its least upper bound, the
 * halves of a read-modify-write make the whole, and scopes nest. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "litmus/language/order.h"

#define EACH_ORDER(name) for (enum litmus_order name = LITMUS_PLAIN; name < LITMUS_ORDER_COUNT; name++)

static void strength_is_a_partial_order(void **state)
{
    (void)state;
    EACH_ORDER(a)
    {
        assert_true(order_at_least(a, a) && order_at_least(a, LITMUS_PLAIN) && order_at_least(LITMUS_SEQ_CST, a));
        EACH_ORDER(b)
        {
            const bool both = order_at_least(a, b) && order_at_least(b, a);
            const bool relaxed =
                (a == LITMUS_VOLATILE || a == LITMUS_RELAXED) && (b == LITMUS_VOLATILE || b == LITMUS_RELAXED);
            assert_true(both == (a == b || relaxed));
            EACH_ORDER(c)
            assert_true(!order_at_least(a, b) || !order_at_least(b, c) || order_at_least(a, c));
        }
    }
    assert_false(order_at_least(LITMUS_ACQUIRE, LITMUS_RELEASE));
    assert_false(order_at_least(LITMUS_RELEASE, LITMUS_ACQUIRE));
    assert_false(order_at_least(LITMUS_ACQ_REL, LITMUS_SEQ_CST));
}

static void a_join_is_the_least_that_covers_both(void **state)
{
    (void)state;
    EACH_ORDER(a)
    EACH_ORDER(b)
    {
        const enum litmus_order joined = order_joined(a, b);
        assert_true(order_at_least(joined, a) && order_at_least(joined, b));
        EACH_ORDER(c)
        assert_true(!order_at_least(c, a) || !order_at_least(c, b) || order_at_least(c, joined));
    }
    assert_int_equal(order_joined(LITMUS_RELEASE, LITMUS_ACQUIRE), LITMUS_ACQ_REL);
}

static void halves_make_the_whole(void **state)
{
    (void)state;
    EACH_ORDER(order)
    {
        const enum litmus_order read = order_of_read(order), write = order_of_write(order);
        assert_int_equal(order_joined(read, write), order);
        assert_true(operation_has_order(LITMUS_LOAD, read) && operation_has_order(LITMUS_STORE, write));
        assert_true(order_acquires(read) == order_acquires(order));
        assert_true(order_releases(write) == order_releases(order));
        assert_true(order == LITMUS_SEQ_CST || (!order_releases(read) && !order_acquires(write)));
    }
}

static void scopes_nest(void **state)
{
    static const enum litmus_scope narrow_to_wide[] = {LITMUS_SUB_GROUP,    LITMUS_WORK_GROUP, LITMUS_CLUSTER,
                                                       LITMUS_QUEUE_FAMILY, LITMUS_DEVICE,     LITMUS_ALL_DEVICES};
    const struct litmus_placement own = {.sub_group = 0, .work_group = 0, .cluster = 0, .queue_family = 0, .device = 0};
    struct litmus_placement others[] = {own, own, own, own, own};
    others[0].sub_group = 1;
    others[1].work_group = 1;
    others[2].cluster = 1;
    others[3].queue_family = 1;
    others[4].device = 1;
    (void)state;
    for (size_t i = 0; i < sizeof narrow_to_wide / sizeof *narrow_to_wide; i++) {
        assert_true(scope_includes(narrow_to_wide[i], &own, &own));
        assert_true(scope_includes(narrow_to_wide[i], &own, &others[0]) == (i >= 1));
        assert_true(scope_includes(narrow_to_wide[i], &own, &others[1]) == (i >= 2));
        assert_true(scope_includes(narrow_to_wide[i], &own, &others[2]) == (i >= 3));
        assert_true(scope_includes(narrow_to_wide[i], &own, &others[4]) == (i >= 5));
    }
    assert_false(scope_includes(LITMUS_QUEUE_FAMILY, &own, &others[3]));
    assert_true(scope_includes(LITMUS_DEVICE, &own, &others[3]));
    assert_false(scope_includes(LITMUS_WORK_GROUP, &litmus_unplaced, &litmus_unplaced));
    assert_true(scope_includes(LITMUS_DEVICE, &litmus_unplaced, &litmus_unplaced));
    const struct litmus_placement host = {.host = true, .device = LITMUS_NONE};
    assert_false(scope_includes(LITMUS_DEVICE, &host, &host));
    assert_true(scope_includes(LITMUS_ALL_DEVICES, &host, &own));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(strength_is_a_partial_order),
        cmocka_unit_test(a_join_is_the_least_that_covers_both),
        cmocka_unit_test(halves_make_the_whole),
        cmocka_unit_test(scopes_nest),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
