// SPDX-License-Identifier: Apache-2.0
/* Protects the look-up of names: every added item is found, in order, even if keys collide. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "base/hash_index.h"

static void expect_items(const struct hash_index *index, uint64_t key, const size_t *items, size_t count)
{
    size_t step = 0, item;
    for (size_t i = 0; i < count; i++) {
        assert_true(hash_index_next(index, key, &step, &item));
        assert_int_equal(item, items[i]);
    }
    assert_false(hash_index_next(index, key, &step, &item));
}

static void an_empty_index_holds_nothing(void **state)
{
    (void)state;
    struct hash_index index = {0};
    expect_items(&index, hash_index_key(0, "a"), NULL, 0);
    hash_index_clear(&index);
    hash_index_release(&index);
}

static void items_of_a_key_come_in_their_order_through_growth(void **state)
{
    (void)state;
    struct hash_index index = {0};
    size_t same[200];
    /* Keys that differ only in bits that do not choose the slot: they all collide, at the end of the table and past it
     * to the start. */
    for (size_t i = 0; i < 200; i++) {
        same[i] = i;
        hash_index_add(&index, UINT64_C(0x3f), i);
        hash_index_add(&index, UINT64_C(0x100000000001003e), 1000 + i);
    }
    expect_items(&index, UINT64_C(0x3f), same, 200);
    expect_items(&index, UINT64_C(0x40), NULL, 0);
    hash_index_clear(&index);
    expect_items(&index, UINT64_C(0x3f), NULL, 0);
    hash_index_release(&index);
}

static void names_and_kinds_have_keys_of_their_own(void **state)
{
    (void)state;
    struct hash_index index = {0};
    char name[32];
    for (size_t i = 0; i < 5000; i++) {
        (void)snprintf(name, sizeof name, "MP+%zu", i);
        hash_index_add(&index, hash_index_key((int)(i % 2), name), i);
    }
    for (size_t i = 0; i < 5000; i++) {
        (void)snprintf(name, sizeof name, "MP+%zu", i);
        expect_items(&index, hash_index_key((int)(i % 2), name), &i, 1);
        expect_items(&index, hash_index_key((int)(1 - i % 2), name), NULL, 0);
    }
    hash_index_release(&index);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_empty_index_holds_nothing),
        cmocka_unit_test(items_of_a_key_come_in_their_order_through_growth),
        cmocka_unit_test(names_and_kinds_have_keys_of_their_own),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
