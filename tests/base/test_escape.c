// SPDX-License-Identifier: Apache-2.0
/* Protects documents and programs from texts of any origin: whatever a text has, it stays within the line, the quotes,
 * the cell or the comment that it was put into. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "base/escape/escape.h"

/* What each form makes of a text. */
static const struct {
    enum escape form;
    const char *from, *to;
} cases[] = {
    {ESCAPE_PLAIN, "a\n\tb\\`", "a??b\\`"},
    {ESCAPE_XML, "<a b='c'>&\x1b", "&lt;a b=&apos;c&apos;&gt;&amp;?"},
    {ESCAPE_HTML, "<\n\x1b\xe2\x80\xae", "&lt; [0x1b][U+202E]"},
    {ESCAPE_MARKDOWN, "a|b", "a&#124;b"},
    {ESCAPE_MARKDOWN, "Tests: 4; 1:r0=1; x2 (1 to 3) 0.1 -> 0.2!", "Tests: 4; 1:r0=1; x2 (1 to 3) 0.1 -> 0.2!"},
    {ESCAPE_MARKDOWN, "> :bug: ::error http://x @me #1 <b>[l](u)",
     "&#62; &#58;bug: &#58;:error http&#58;//x &#64;me &#35;1 "
     "&#60;b>&#91;l&#93;(u)"},
    {ESCAPE_COMMAND, "a\n::b%c", "a?::b%25c"},
    {ESCAPE_PROPERTY, "a,b:c", "a%2Cb%3Ac"},
    {ESCAPE_PROSE, "<b>|_x_\n# y [z](w) \\", "\\<b\\>\\|\\_x\\_ \\# y \\[z\\](w) \\\\"},
    {ESCAPE_CODE, "a`b|c\nd\\", "a'b\\|c d\\"},
    {ESCAPE_LATEX, "a_b -> 1 % {$}\\#\n", "a\\_{}b -\\textgreater{} 1 \\%{} \\{{}\\${}\\}{}\\textbackslash{}\\#{} "},
    {ESCAPE_STRING, "\"a\\ ?\?/ \r\n\xc3\xa9\x1b", "\\\"a\\\\ \\?\\?/   \xc3\xa9?"},
};

static void forms_keep_their_marks(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct text text = {0};
        escape_format(&text, cases[i].form, "$", cases[i].from);
        assert_string_equal(text_string(&text), cases[i].to);
        text_release(&text);
    }
}

/* Code in Markdown stays within its backticks, and in its cell. */
static void spans_end_where_they_should(void **state)
{
    (void)state;
    static const char *const spans[][2] = {{"1:r0=1; 1:r1=0;", "`1:r0=1; 1:r1=0;`"},
                                           {"<b>\\", "`<b>\\`"},
                                           {"a\nb\x1b", "`a b?`"},
                                           {"`", "`` ` ``"},
                                           {"a``b`", "``` a``b` ```"},
                                           {"a|<b>`", "a&#124;&#60;b>&#96;"},
                                           {"", ""}};
    for (size_t i = 0; i < sizeof spans / sizeof *spans; i++) {
        struct text text = {0};
        escape_add_span(&text, spans[i][0]);
        assert_string_equal(text_string(&text), spans[i][1]);
        text_release(&text);
    }
}

/* The lines of a text as comments. */
static void expect_comments(const char *from, const char *expected)
{
    struct text text = {0};
    while (*from) {
        text_add(&text, "//");
        from += escape_add_line(&text, ESCAPE_COMMENT, from);
        text_add(&text, "\n");
    }
    assert_string_equal(text_string(&text), expected);
    text_release(&text);
}

static void lines_end_at_every_line_end(void **state)
{
    (void)state;
    expect_comments("a\nb\rc\r\nd\ve\ff\xc2\x85g\xe2\x80\xa8h\xe2\x80\xa9i",
                    "//a\n//b\n//c\n//d\n//e\n//f\n//g\n//h\n//i\n");
    expect_comments("a\n\r\r\n\tb", "//a\n//\n//\n// b\n");
    expect_comments("\xe2\x80\xae\xd8\x9c\x1b\xff\xe2\x80", "//??????\n");
}

static void a_comment_ends_with_its_line(void **state)
{
    (void)state;
    expect_comments("a\\\nb\\ \t\nc?\?/\nd\\e", "//a\\.\n//b\\  .\n//c?\?/.\n//d\\e\n");
}

/* A text with each byte becomes printable characters in each form; what is not ASCII is UTF-8. */
static void no_byte_is_left(void **state)
{
    (void)state;
    for (enum escape form = ESCAPE_PLAIN; form <= ESCAPE_COMMENT; form++)
        for (unsigned byte = 1; byte < 256; byte++) {
            const char from[] = {'a', (char)byte, 'b', '\0'};
            struct text text = {0};
            escape_format(&text, form, "$", from);
            for (const char *c = text_string(&text); *c; c++)
                assert_in_range((unsigned char)*c, ' ', '~');
            text_release(&text);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(forms_keep_their_marks),
        cmocka_unit_test(spans_end_where_they_should),
        cmocka_unit_test(lines_end_at_every_line_end),
        cmocka_unit_test(a_comment_ends_with_its_line),
        cmocka_unit_test(no_byte_is_left),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
