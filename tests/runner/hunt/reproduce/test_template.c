// SPDX-License-Identifier: Apache-2.0
/*
 * Protects writing programs from templates: holes, conditions and indentation; a target's words,
 * except in strings and comments; and inlined calls, only where the meaning is the same.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "runner/hunt/reproduce/inline.h"
#include "runner/hunt/reproduce/template.h"

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
    values_release(&values);
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
    values_release(&values);
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

/* ---- calls ---- */

static const char functions[] =
    "FUNCTION int load(GLOBAL u32 *p)\n{\n    return atomic_load((atomic_int *)p);\n}\n\n"
    "FUNCTION void store(GLOBAL u32 *p, LONG value)\n{\n    atomic_store((atomic_long *)p, value);\n}\n\n"
    "FUNCTION void fence(void)\n{\n    asm volatile(\"fence.sc.gpu;\" ::: \"memory\");\n}\n\n"
    "FUNCTION int get(GLOBAL u32 *p)\n{\n    int result; asm volatile(\"ld;\" : \"=r\"(result) : \"l\"(p)); return result;\n}\n\n"
    "FUNCTION int twice(GLOBAL u32 *p)\n{\n    int a = 1; return a + load(p);\n}\n\n";

static bool fits_int(const char *variable, const char *type, const void *context)
{
    (void)context;
    return strcmp(type, "int") == 0 && strncmp(variable, "i", 1) == 0;
}

static void expect_inlined(const char *calling, const char *expected, const char *kept_name)
{
    struct text code = {0}, kept = {0};
    text_add(&code, "%s", calling);
    inline_functions(functions, fits_int, NULL, &code, &kept);
    assert_string_equal(text_string(&code), expected);
    assert_int_equal(strstr(text_string(&kept), "FUNCTION") != NULL, kept_name != NULL);
    if (kept_name)
        assert_non_null(strstr(text_string(&kept), kept_name));
    text_release(&code);
    text_release(&kept);
}

static void test_calls(void **state)
{
    (void)state;
    expect_inlined("    r = load(x);\n", "    r = atomic_load((atomic_int *)x);\n", NULL);
    expect_inlined("    r = load(x + 2);\n", "    r = atomic_load((atomic_int *)(x + 2));\n", NULL);
    expect_inlined("    store(x, load(y));\n",
                   "    atomic_store((atomic_long *)x, (LONG)(atomic_load((atomic_int *)y)));\n", NULL);
    expect_inlined("    fence();\n    unload(x);\n",
                   "    asm volatile(\"fence.sc.gpu;\" ::: \"memory\");\n    unload(x);\n", NULL);
    expect_inlined("    i = get(x);\n", "    asm volatile(\"ld;\" : \"=r\"(i) : \"l\"(x));\n", NULL);
    /* Inline PTX sets only a variable of its own type, and cannot be part of an expression. */
    expect_inlined("    u = get(x);\n", "    u = get(x);\n", "int get(");
    expect_inlined("    if (get(x) == 1)\n", "    if (get(x) == 1)\n", "int get(");
    expect_inlined("    i = twice(x);\n", "    i = twice(x);\n", "int twice(");
}

static void test_replacing(void **state)
{
    struct text text = {0};
    (void)state;
    text_add(&text, "aXbXX");
    inline_replace(&text, "X", "yX");
    assert_string_equal(text_string(&text), "ayXbyXyX");
    inline_replace(&text, "none", "some");
    assert_string_equal(text_string(&text), "ayXbyXyX");
    text_release(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_holes),      cmocka_unit_test(test_markdown),
        cmocka_unit_test(test_conditions), cmocka_unit_test(test_broken_templates),
        cmocka_unit_test(test_words),      cmocka_unit_test(test_calls),
        cmocka_unit_test(test_replacing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
