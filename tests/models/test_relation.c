// SPDX-License-Identifier: Apache-2.0
/* Protects the algebra of relations, up to its last row and bit. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "models/execution.h"

/* A cycle through all events, in steps of one. */
static struct relation ring(unsigned count)
{
    struct relation relation = {0};
    for (unsigned i = 0; i < count; i++)
        relation_add(&relation, i, (i + 1) % count);
    return relation;
}

static void sets(void **state)
{
    (void)state;
    assert_true(set_all(64) == UINT64_MAX);
    assert_true(set_all(63) == UINT64_MAX >> 1);
    assert_true(set_all(0) == 0);
    assert_int_equal(set_first(set_of(63)), 63);
    assert_int_equal(set_size(set_all(17)), 17);
}

static void composition_and_inverse(void **state)
{
    struct relation two, inverse, step = ring(64);
    (void)state;
    relation_compose(&two, &step, &step, 64);
    for (unsigned i = 0; i < 64; i++)
        assert_true(two.row[i] == set_of((i + 2) % 64));
    relation_invert(&inverse, &step, 64);
    for (unsigned i = 0; i < 64; i++)
        assert_true(inverse.row[(i + 1) % 64] == set_of(i));
    relation_invert(&two, &inverse, 64);
    assert_true(relation_equal(&two, &step, 64));
    relation_clear(&two, 64);
    assert_true(relation_is_empty(&two, 64));
    assert_false(relation_is_empty(&step, 64));
}

static void closure(void **state)
{
    struct relation all, chain = ring(64);
    (void)state;
    relation_close(&all, &chain, 64);
    for (unsigned i = 0; i < 64; i++)
        assert_true(all.row[i] == UINT64_MAX);
    chain.row[63] = 0;
    relation_close(&chain, &chain, 64);
    for (unsigned i = 0; i < 64; i++)
        assert_true(chain.row[i] == (i == 63 ? 0 : UINT64_MAX << (i + 1)));
}

static void cycles(void **state)
{
    unsigned cycle[EVENTS_MAXIMUM];
    struct relation relation = ring(64);
    (void)state;
    assert_false(relation_is_acyclic(&relation, 64));
    assert_int_equal(relation_cycle(&relation, 64, cycle), 64);
    for (unsigned i = 0; i < 64; i++)
        assert_true(relation_has(&relation, cycle[i], cycle[(i + 1) % 64]));
    relation_add(&relation, 40, 38); /* a shorter one: 38, 39, 40 */
    assert_int_equal(relation_cycle(&relation, 64, cycle), 3);
    for (unsigned i = 0; i < 3; i++)
        assert_true(cycle[i] >= 38 && cycle[i] <= 40 && relation_has(&relation, cycle[i], cycle[(i + 1) % 3]));
    relation_add(&relation, 63, 63);
    assert_int_equal(relation_cycle(&relation, 64, cycle), 1);
    assert_int_equal(cycle[0], 63);
    relation = ring(64);
    relation.row[10] = 0;
    assert_true(relation_is_acyclic(&relation, 64));
    assert_int_equal(relation_cycle(&relation, 64, cycle), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sets),
        cmocka_unit_test(composition_and_inverse),
        cmocka_unit_test(closure),
        cmocka_unit_test(cycles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
