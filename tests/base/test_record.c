// SPDX-License-Identifier: Apache-2.0
/* Protects: marks are written and read back in one order, as in the database and JSON; of two inspections of a job, the
 * worse counts; two jobs together have a mark if one has it, but NOT_OVERLAPPED only if both have it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/record.h"

static void marks_become_an_array_of_words_and_come_back(void **state)
{
    static const char *const expected[] = {"[]",
                                           "[\"undeclared\"]",
                                           "[\"not-co-resident\"]",
                                           "[\"undeclared\",\"not-co-resident\"]",
                                           "[\"frozen\"]",
                                           "[\"undeclared\",\"frozen\"]",
                                           "[\"not-co-resident\",\"frozen\"]",
                                           "[\"undeclared\",\"not-co-resident\",\"frozen\"]"};
    (void)state;
    for (unsigned marks = 0; marks < 8; marks++) {
        struct text text = {0};
        marks_print(marks, &text);
        assert_string_equal(text_string(&text), expected[marks]);
        assert_int_equal(marks_parse(text_string(&text)), marks);
        text_release(&text);
    }
}

static void launches_that_overlapped_once_have_overlapped(void **state)
{
    (void)state;
    assert_int_equal(marks_unite(MARK_UNDECLARED, MARK_FROZEN), MARK_UNDECLARED | MARK_FROZEN);
    assert_int_equal(marks_unite(MARK_NOT_OVERLAPPED, MARK_NOT_OVERLAPPED), MARK_NOT_OVERLAPPED);
    assert_int_equal(marks_unite(MARK_NOT_OVERLAPPED | MARK_FROZEN, 0), MARK_FROZEN);
    assert_int_equal(marks_unite(0, MARK_NOT_OVERLAPPED), 0);
}

static void words_that_are_not_known_are_left_out(void **state)
{
    (void)state;
    assert_int_equal(marks_parse("[\"unseen\",\"frozen\"]"), MARK_FROZEN);
    assert_int_equal(marks_parse("[\"frozenx\"]"), 0);
    assert_int_equal(marks_parse(""), 0);
}

static void of_two_inspections_the_worse_counts(void **state)
{
    static const enum kept from_good[] = {TEST_KEPT, TEST_MERGED, TEST_NOT_INSPECTED, TEST_NOT_KEPT};
    (void)state;
    for (size_t i = 0; i < KEPT_COUNT; i++) {
        for (size_t j = 0; j < KEPT_COUNT; j++)
            assert_int_equal(kept_is_worse(from_good[i], from_good[j]), i > j);
        assert_int_equal(kept_from_word(kept_word(from_good[i]), KEPT_COUNT), from_good[i]);
    }
    assert_int_equal(kept_from_word("keptx", KEPT_COUNT), KEPT_COUNT);
}

static void of_two_verdicts_the_more_permissive_is_the_witness_s(void **state)
{
    static const enum verdict from_permissive[] = {VERDICT_SC,          VERDICT_WEAK,      VERDICT_UNDEFINED,
                                                   VERDICT_UNSPECIFIED, VERDICT_FORBIDDEN, VERDICT_NONE};
    (void)state;
    for (size_t i = 0; i <= VERDICT_COUNT; i++)
        for (size_t j = 0; j <= VERDICT_COUNT; j++)
            assert_int_equal(verdict_permissive(from_permissive[i], from_permissive[j]),
                             from_permissive[i < j ? i : j]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(marks_become_an_array_of_words_and_come_back),
        cmocka_unit_test(launches_that_overlapped_once_have_overlapped),
        cmocka_unit_test(words_that_are_not_known_are_left_out),
        cmocka_unit_test(of_two_inspections_the_worse_counts),
        cmocka_unit_test(of_two_verdicts_the_more_permissive_is_the_witness_s),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
