// SPDX-License-Identifier: Apache-2.0
/* Protects writing programs from templates: holes, conditions and indentation; and a target's words, except in strings
 * and comments. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "hunt/reproduce/template.h"

/* ---- templates ---- */

static void expect_filled(const char *template, const char *expected)
{
    struct template_values values = {.count = 0};
    struct text text = {0};
    struct error error;
    values_set(&values, "n", "%d", 7);
    values_set(&values, "lines", "a\n\n    b\n");
    values_set(&values, "empty", "%s", "");
    values_note(&values, "yes", true);
    values_note(&values, "no", false);
    assert_int_equal(template_fill(template, TEMPLATE_PROGRAM, &values, &text, &error), STATUS_OK);
    assert_string_equal(text_string(&text), expected);
    text_release(&text);
    template_values_release(&values);
}

static void test_holes(void **state)
{
    (void)state;
    expect_filled("x = @n@ + @n@; a@b\n", "x = 7 + 7; a@b\n");
    expect_filled("{\n    @lines@\n}\n", "{\n    a\n\n        b\n}\n");
    expect_filled("{\n    @empty@\n}\n", "{\n}\n");
    expect_filled("f(@empty@)\n", "f()\n");
}

/* In Markdown, a value is text of any origin. */
static void test_markdown(void **state)
{
    static const char foreign[] = "<b>|\n`x` \\", in_cell[] = "| \\<b\\>\\| \\`x\\` \\\\ | `<b>\\| 'x' \\` |\n",
                      in_block[] = "    <b>|\n    `x` \\\n";
    struct template_values values = {.count = 0};
    struct text text = {0};
    struct error error;
    (void)state;
    values_set(&values, "foreign", "%s", foreign);
    assert_int_equal(template_fill("| @foreign@ | `@foreign@` |\n", TEMPLATE_MARKDOWN, &values, &text, &error),
                     STATUS_OK);
    assert_string_equal(text_string(&text), in_cell);
    text_clear(&text);
    assert_int_equal(template_fill("    @foreign@\n", TEMPLATE_MARKDOWN, &values, &text, &error), STATUS_OK);
    assert_string_equal(text_string(&text), in_block);
    text_release(&text);
    template_values_release(&values);
}

static void test_conditions(void **state)
{
    (void)state;
    expect_filled("//% if yes\na\n//% end\nb\n", "a\nb\n");
    expect_filled("//% if no\na\n//% if yes\nb\n//% end\nc\n//% end\nd\n", "d\n");
    expect_filled("//% unless no\na\n//% unless yes\nb\n//% end\n//% end\n", "a\n");
    expect_filled("//% if no\n@unknown@\n//% end\n", "");
}

static void expect_broken(const char *template, const char *words)
{
    static const struct template_values none;
    struct text text = {0};
    struct error error;
    assert_int_equal(template_fill(template, TEMPLATE_PROGRAM, &none, &text, &error), STATUS_INTERNAL);
    assert_non_null(strstr(error.text, words));
    text_release(&text);
}

static void test_broken_templates(void **state)
{
    (void)state;
    expect_broken("@unknown@\n", "@unknown@");
    expect_broken("f(@unknown@)\n", "@unknown@");
    expect_broken("//% end\n", "does not pair");
    expect_broken("//% if a\n", "lacks 1");
    expect_broken("//% when a\n//% end\n", "does not pair");
}

/* ---- words ---- */

static bool shout(const char *word, struct text *out, const void *context)
{
    (void)context;
    if (strcmp(word, "p0_x1") == 0)
        text_add(out, "P0_y");
    return strcmp(word, "p0_x1") == 0;
}

static void expect_words(const char *source, const char *expected)
{
    static const struct template_word words[] = {
        {"GLOBAL", "", WORD_PLAIN},     {"u32", "unsigned", WORD_PLAIN}, {"barrier", "meet_all()", WORD_CALL},
        {"address", "", WORD_BRACKETS}, {"draw", "", WORD_DRAWN},        {0}};
    struct text text = {0};
    words_replace(source, words, shout, NULL, &text);
    assert_string_equal(text_string(&text), expected);
    text_release(&text);
}

static void test_words(void **state)
{
    (void)state;
    expect_words("GLOBAL u32 *p = (u32)x;", "unsigned *p = (unsigned)x;");
    expect_words("u32_ = xu32 + 0u32;", "u32_ = xu32 + 0u32;");
    expect_words("asm(\"add.u32 \\\"u32\\\"\"); // u32 GLOBAL\nu32",
                 "asm(\"add.u32 \\\"u32\\\"\"); // u32 GLOBAL\nunsigned");
    expect_words("barrier(); barrier", "meet_all(); meet_all()");
    expect_words("\"l\"(address(p0_x1)), (address(f(u32)))", "\"l\"(P0_y), (f(unsigned))");
    expect_words("draw[DRAW_STRIDE] * draw[1]", "STRIDE * [1]");
    assert_true(words_have("a + b1", "b1"));
    assert_false(words_have("a + b12 \"b1\" // b1", "b1"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_holes),      cmocka_unit_test(test_markdown),
        cmocka_unit_test(test_conditions), cmocka_unit_test(test_broken_templates),
        cmocka_unit_test(test_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
