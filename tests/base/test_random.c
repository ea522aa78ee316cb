// SPDX-License-Identifier: Apache-2.0
/* Protects replay: a seed must give the same draws in every version and on every machine, so these numbers never
 * change. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/memory.h"
#include "base/random.h"
#include "tests/between.h"

/* The published output of splitmix64 for the seed 1234567; the state advances by the golden gamma. */
static void mix_gives_the_published_numbers(void **state)
{
    static const uint64_t published[] = {
        UINT64_C(6457827717110365317), UINT64_C(3203168211198807973),  UINT64_C(9817491932198370423),
        UINT64_C(4593380528125082431), UINT64_C(16408922859458223821),
    };
    (void)state;
    uint64_t at = 1234567;
    for (size_t i = 0; i < COUNT(published); i++) {
        assert_int_equal(random_mix(at), published[i]);
        at += UINT64_C(0x9e3779b97f4a7c15);
    }
}

static void a_number_depends_on_every_argument(void **state)
{
    (void)state;
    const uint64_t number = random_at(1, 2, 3, 4);
    assert_int_equal(number, random_at(1, 2, 3, 4));
    assert_int_not_equal(number, random_at(0, 2, 3, 4));
    assert_int_not_equal(number, random_at(1, 0, 3, 4));
    assert_int_not_equal(number, random_at(1, 2, 0, 4));
    assert_int_not_equal(number, random_at(1, 2, 3, 0));
    assert_int_not_equal(number, random_at(2, 1, 3, 4));
    assert_int_not_equal(number, random_at(1, 2, 4, 3));
    assert_int_equal(number, random_mix(random_mix(random_mix(random_mix(1) ^ 2) ^ 3) ^ 4));
}

static void a_sequence_is_splitmix_from_its_base(void **state)
{
    (void)state;
    struct random random = random_start(7, 8, 9, 10);
    const uint64_t base = random_at(7, 8, 9, 10);
    for (uint64_t i = 0; i < 4; i++)
        assert_int_equal(random_next(&random), random_mix(base + i * UINT64_C(0x9e3779b97f4a7c15)));
    struct random again = random_start(7, 8, 9, 10);
    again.position = 4;
    assert_int_equal(random_next(&again), random_next(&random));
}

/* With this bound a plain modulus would give the lowest third twice its share, and multiplication without rejection
 * would give it to the multiples of three. */
static void below_is_uniform(void **state)
{
    enum { DRAWS = 30000 };
    const uint32_t third = UINT32_C(1) << 30;
    (void)state;
    struct random random = random_start(1, 1, 1, 1);
    unsigned thirds[3] = {0}, residues[3] = {0};
    for (int i = 0; i < DRAWS; i++) {
        const uint32_t number = random_below(&random, 3 * third);
        assert_true(number < 3 * third);
        thirds[number / third]++;
        residues[number % 3]++;
    }
    for (size_t i = 0; i < 3; i++) { /* six standard deviations */
        assert_between(thirds[i], DRAWS / 3 - 500, DRAWS / 3 + 500);
        assert_between(residues[i], DRAWS / 3 - 500, DRAWS / 3 + 500);
    }
    for (int i = 0; i < 100; i++)
        assert_int_equal(random_below(&random, 1), 0);
}

static void between_reaches_both_ends(void **state)
{
    (void)state;
    struct random random = random_start(1, 1, 1, 2);
    unsigned seen[4] = {0};
    for (int i = 0; i < 1000; i++) {
        const uint32_t number = random_between(&random, 5, 8);
        assert_between(number, 5, 8);
        seen[number - 5]++;
    }
    for (size_t i = 0; i < COUNT(seen); i++)
        assert_between(seen[i], 150, 350);
    assert_int_equal(random_between(&random, 9, 9), 9);

    uint32_t all_ones = 0, all_zeros = UINT32_MAX; /* the whole range is handled separately */
    for (int i = 0; i < 200; i++) {
        const uint32_t number = random_between(&random, 0, UINT32_MAX);
        all_ones |= number;
        all_zeros &= number;
    }
    assert_int_equal(all_ones, UINT32_MAX);
    assert_int_equal(all_zeros, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mix_gives_the_published_numbers),
        cmocka_unit_test(a_number_depends_on_every_argument),
        cmocka_unit_test(a_sequence_is_splitmix_from_its_base),
        cmocka_unit_test(below_is_uniform),
        cmocka_unit_test(between_reaches_both_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
