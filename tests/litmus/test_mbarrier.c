// SPDX-License-Identifier: Apache-2.0
/* Protects the arithmetic of mbarriers, row by row from the rules of the PTX ISA ("mbarrier": phase of the mbarrier
 * object, expect-tx, complete-tx and arrive-on operation). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "litmus/language/value.h"

static void assert_mbarrier(int64_t value, struct mbarrier wanted)
{
    const struct mbarrier found = mbarrier_unpack(value);
    assert_int_equal(found.expected, wanted.expected);
    assert_int_equal(found.pending, wanted.pending);
    assert_int_equal(found.bytes, wanted.bytes);
    assert_int_equal(found.phase, wanted.phase);
}

/* All fields at their limits fit in one value, which is not negative, so that values keep their order. */
static void a_packed_value_keeps_every_field(void **state)
{
    static const struct mbarrier rows[] = {
        {1, 1, 0, 0},
        {MBARRIER_MOST, MBARRIER_MOST, MBARRIER_MOST, 3},
        {MBARRIER_MOST, 0, -MBARRIER_MOST, 1},
        {2, 1, -1, 2},
        {1, 0, 16, 3},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const int64_t value = mbarrier_pack(rows[i]);
        assert_true(value >= 0);
        assert_mbarrier(value, rows[i]);
    }
}

static void an_operation_changes_counts_and_may_end_the_phase(void **state)
{
    static const struct {
        struct mbarrier before;
        enum litmus_operation operation;
        int64_t operand;
        struct mbarrier after;
    } rows[] = {
        /* The last arrival ends the phase, if no bytes are pending. */
        {{2, 2, 0, 0}, LITMUS_ARRIVE, 1, {2, 1, 0, 0}},
        {{2, 1, 0, 0}, LITMUS_ARRIVE, 1, {2, 2, 0, 1}},
        {{5, 5, 0, 3}, LITMUS_ARRIVE, 5, {5, 5, 0, 0}},
        {{1, 1, 16, 0}, LITMUS_ARRIVE, 1, {1, 0, 16, 0}},
        {{1, 1, -16, 0}, LITMUS_ARRIVE, 1, {1, 0, -16, 0}},
        /* The last byte ends it, if no arrival is pending. */
        {{1, 0, 16, 0}, LITMUS_COMPLETE_TX, 16, {1, 1, 0, 1}},
        {{1, 0, 32, 0}, LITMUS_COMPLETE_TX, 16, {1, 0, 16, 0}},
        {{1, 1, 16, 0}, LITMUS_COMPLETE_TX, 16, {1, 1, 0, 0}},
        {{1, 1, 0, 0}, LITMUS_COMPLETE_TX, 16, {1, 1, -16, 0}},
        /* An expectation ends none, even where it meets what came before it. */
        {{1, 1, 0, 0}, LITMUS_EXPECT_TX, 16, {1, 1, 16, 0}},
        {{1, 0, -16, 2}, LITMUS_EXPECT_TX, 16, {1, 0, 0, 2}},
        {{1, 1, 0, 0}, LITMUS_EXPECT_ARRIVE, 1, {1, 2, 0, 0}},
        {{0, 0, 0, 0}, LITMUS_MBARRIER_INIT, 3, {3, 3, 0, 0}},
        {{1, 1, 16, 1}, LITMUS_MBARRIER_INIT, 3, {3, 3, 0, 0}},
        /* arrive.expect_tx expects first, and so ends the phase only where the bytes are there already. */
        {{1, 1, 0, 0}, LITMUS_ARRIVE_EXPECT_TX, 16, {1, 0, 16, 0}},
        {{1, 1, -16, 0}, LITMUS_ARRIVE_EXPECT_TX, 16, {1, 1, 0, 1}},
        {{2, 2, -16, 0}, LITMUS_ARRIVE_EXPECT_TX, 16, {2, 1, 0, 0}},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const int64_t before = mbarrier_pack(rows[i].before);
        assert_mbarrier(mbarrier_modify(rows[i].operation, before, rows[i].operand), rows[i].after);
        assert_mbarrier(litmus_value_modify(rows[i].operation, LITMUS_MBARRIER, before, rows[i].operand),
                        rows[i].after);
    }
}

/* A phase that has ended is not entered again: its parity is seen until the phase after the next one. */
static void a_wait_sees_the_phase_before_the_current_one(void **state)
{
    (void)state;
    for (unsigned phase = 0; phase < 4; phase++) {
        const int64_t value = mbarrier_pack((struct mbarrier){1, 1, 0, phase});
        assert_int_equal(mbarrier_test(value, 0), phase % 2 == 1);
        assert_int_equal(mbarrier_test(value, 1), phase % 2 == 0);
    }
}

static void what_the_isa_leaves_open_stays_in_its_fields(void **state)
{
    static const struct {
        struct mbarrier before;
        enum litmus_operation operation;
        int64_t operand;
    } rows[] = {
        {{2, 1, 0, 0}, LITMUS_ARRIVE, 2},
        {{1, 0, 16, 0}, LITMUS_ARRIVE_EXPECT_TX, 16},
        {{1, 1, MBARRIER_MOST, 0}, LITMUS_EXPECT_TX, 1},
        {{1, 1, -MBARRIER_MOST, 0}, LITMUS_COMPLETE_TX, 1},
        {{1, MBARRIER_MOST, 0, 0}, LITMUS_EXPECT_ARRIVE, 1},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const int64_t before = mbarrier_pack(rows[i].before);
        const struct mbarrier after = mbarrier_unpack(mbarrier_modify(rows[i].operation, before, rows[i].operand));
        assert_int_equal(after.expected, rows[i].before.expected);
    }
}

static void an_object_starts_with_all_its_arrivals_pending(void **state)
{
    int64_t arrivals = 3;
    struct litmus_location location = {.type = LITMUS_MBARRIER, .initial = &arrivals, .elements = 1};
    (void)state;
    assert_mbarrier(mbarrier_start(3), (struct mbarrier){3, 3, 0, 0});
    assert_int_equal(litmus_initial(&location, 0), mbarrier_start(3));
    location.type = LITMUS_INT;
    assert_int_equal(litmus_initial(&location, 0), 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_packed_value_keeps_every_field),
        cmocka_unit_test(an_operation_changes_counts_and_may_end_the_phase),
        cmocka_unit_test(a_wait_sees_the_phase_before_the_current_one),
        cmocka_unit_test(what_the_isa_leaves_open_stays_in_its_fields),
        cmocka_unit_test(an_object_starts_with_all_its_arrivals_pending),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
