// SPDX-License-Identifier: Apache-2.0
/* Protects: marks are written and read back, in one order, as the database and JSON have them. */
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

static void words_that_are_not_known_are_left_out(void **state)
{
    (void)state;
    assert_int_equal(marks_parse("[\"unseen\",\"frozen\"]"), MARK_FROZEN);
    assert_int_equal(marks_parse("[\"frozenx\"]"), 0);
    assert_int_equal(marks_parse(""), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(marks_become_an_array_of_words_and_come_back),
        cmocka_unit_test(words_that_are_not_known_are_left_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
