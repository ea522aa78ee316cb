// SPDX-License-Identifier: Apache-2.0
/* Protects the names of a test's controls and mutants. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "litmus/litmus.h"

/* The names after Control= of a test with this line, joined by '/'. */
static void expect_names(const char *line, const char *expected)
{
    struct text text = {0}, found = {0};
    struct litmus_test *test;
    struct error error = {0};
    char name[LITMUS_NAME_SIZE];
    text_add(&text, "PTX t\n%s\n{ x=0; P0:r0=0; }\n P0@cta 0,gpu 0 ;\n ld.weak r0, x ;\nexists (0:r0=0)\n", line);
    if (litmus_parse("t", text_string(&text), text.size, &test, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    for (const char *rest = NULL; litmus_next_name(test, litmus_controls, &rest, name);)
        text_add(&found, "%s/", name);
    assert_string_equal(text_string(&found), expected);
    litmus_release(test);
    text_release(&text);
    text_release(&found);
}

static void names_are_divided_by_commas_and_blanks(void **state)
{
    (void)state;
    expect_names("", "");
    expect_names("Mutants=a", "");
    expect_names("Control=", "");
    expect_names("Control=a+b", "a+b/");
    expect_names("Control=a, b,c d ,", "a/b/c/d/");
}

static void a_long_name_is_cut_and_the_next_one_is_found(void **state)
{
    (void)state;
    struct text line = {0}, expected = {0};
    text_add(&line, "Control=%0300d, b", 0);
    text_add(&expected, "%0255d/b/", 0);
    expect_names(text_string(&line), text_string(&expected));
    text_release(&line);
    text_release(&expected);
}

static void no_test_names_none(void **state)
{
    (void)state;
    char name[LITMUS_NAME_SIZE];
    const char *rest = NULL;
    assert_false(litmus_next_name(NULL, litmus_mutants, &rest, name));
    assert_null(rest);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_divided_by_commas_and_blanks),
        cmocka_unit_test(a_long_name_is_cut_and_the_next_one_is_found),
        cmocka_unit_test(no_test_names_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
