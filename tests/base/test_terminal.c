// SPDX-License-Identifier: Apache-2.0
/* Protects terminals from texts of other people: which bytes are printed, that a name cannot start a line, that the
 * program's own styles are kept, and how lines are broken. JSON keeps such characters, escaped by number. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/json.h"
#include "base/terminal/terminal.h"

static const struct {
    const char *from, *line, *lines;
} texts[] = {
    {"plain", "plain", "plain"},
    {"Gr\xc3\xbc\xc3\x9f \xe4\xb8\xad \xf0\x9f\x98\x80", "Gr\xc3\xbc\xc3\x9f \xe4\xb8\xad \xf0\x9f\x98\x80",
     "Gr\xc3\xbc\xc3\x9f \xe4\xb8\xad \xf0\x9f\x98\x80"},
    {"\033[31mred", "?[31mred", "?[31mred"},
    {"a\nb\tc\r\nd\re", "a?b?c??d?e", "a\nb\tc\r\nd?e"},
    {"\x01\x7f\b", "???", "???"},
    {"\xc2\x9b"
     "1m\xc2\x85",
     "??1m??", "??1m??"},                             /* C1 */
    {"\x9b\xff\xc0\x9b\xe2\x80", "??????", "??????"}, /* not UTF-8 */
    {"\xed\xa0\x80\xf4\x90\x80\x80", "???????", "???????"},
    {"\xe2\x80\xae"
     "abc\xe2\x81\xa9",
     "?abc?", "?abc?"}, /* overrides and isolates */
};

static void what_steers_a_terminal_becomes_a_question_mark(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct text line = {0}, lines = {0};
        terminal_add_safe(&line, texts[i].from);
        terminal_add_safe_lines(&lines, texts[i].from);
        assert_string_equal(text_string(&line), texts[i].line);
        assert_string_equal(text_string(&lines), texts[i].lines);
        text_release(&line);
        text_release(&lines);
    }
}

static void formats_are_the_programs_and_arguments_are_not(void **state)
{
    struct text text = {0};
    (void)state;
    terminal_add(&text, "%s\n%-6s|%6s|%.*s|%*d|%u|%zu|%lld|%5.1f|%c|%%|%lu\n", "a\nb", "x\033", "y", 2, "cut", 4, 7, 8U,
                 (size_t)9, 1LL << 40, 2.25, 'c', 10UL);
    assert_string_equal(text_string(&text), "a?b\nx?    |     y|cu|   7|8|9|1099511627776|  2.2|c|%|10\n");
    text_clear(&text);
    terminal_add(&text, "%s%s%s", terminal_style(true, TERMINAL_BAD), "\033[31m", terminal_style(true, TERMINAL_PLAIN));
    assert_string_equal(text_string(&text),
                        "\033[31m?[31m\033[0m"); /* a style is recognised by its address, not by its bytes */
    text_clear(&text);
    terminal_add_indented(&text, "  | ", "one\n\033two\n\nend");
    assert_string_equal(text_string(&text), "  | one\n  | ?two\n  | \n  | end\n");
    text_release(&text);
}

static void expect_wrapped(const char *from, size_t width, const char *expected)
{
    struct text text = {0};
    terminal_wrap(&text, from, width);
    assert_string_equal(text_string(&text), expected);
    text_release(&text);
}

static void lines_are_broken_at_blanks_and_numbers_never(void **state)
{
    (void)state;
    expect_wrapped("short\nlines\n", 10, "short\nlines\n");
    expect_wrapped("as long as it is", 0, "as long as it is");
    expect_wrapped("one two three four", 10, "one two\n  three\n  four");
    expect_wrapped("    one two three four", 12, "    one two\n    three\n    four");
    expect_wrapped("  * one two three\n", 12, "  * one two\n    three\n");
    expect_wrapped("seen 1,234,567,890 times\n", 20, "seen 1,234,567,890\n  times\n");
    expect_wrapped("at 18.8 M per second", 8, "at\n  18.8 M\n  per\n  second");
    expect_wrapped("in 3 Men", 5, "in 3\n  Men");
    expect_wrapped("a lock+fence+relaxed+acq b", 14, "a\n  lock+fence\n  +relaxed+acq\n  b");
    expect_wrapped("xy 1,234,567,890,123", 19, "xy\n  1,234,567,890,123");
    expect_wrapped("\033[1mstyles take\033[0m none", 16, "\033[1mstyles take\033[0m none");
}

static void chinese_lines_are_broken_between_characters(void **state)
{
    (void)state;
    expect_wrapped("内存模型与屏障", 8, "内存模型\n  与屏障");
    expect_wrapped("内存模型与屏障", 9, "内存模型\n  与屏障");     /* half a character does not fit */
    expect_wrapped("写入数据，再读", 8, "写入数\n  据，再\n  读"); /* no line begins with a comma */
    expect_wrapped("读（见下）到", 6, "读（见\n  下）\n  到");
    expect_wrapped("读到（见）", 8, "读到\n  （见）"); /* no line ends with an opening bracket */
    expect_wrapped("中中 中中", 8, "中中 中\n  中");
    expect_wrapped("线程P0写x", 6, "线程P0\n  写x");
    expect_wrapped("线程 release 写", 9, "线程\n  release\n  写");
}

static void the_language_is_that_of_the_locale(void **state)
{
    (void)state;
    (void)unsetenv("LC_ALL");
    (void)unsetenv("LC_CTYPE");
    (void)unsetenv("LC_MESSAGES");
    (void)setenv("LANG", "zh_CN.UTF-8", 1);
    assert_true(terminal_wants("zh"));
    assert_false(terminal_wants("en"));
    (void)setenv("LC_MESSAGES", "en_GB.UTF-8", 1);
    assert_false(terminal_wants("zh"));
    (void)setenv("LC_ALL", "zh_CN.utf8", 1);
    assert_true(terminal_wants("zh"));
    (void)setenv("LC_ALL", "zh_CN.GB18030", 1); /* its encoding is not UTF-8 */
    assert_false(terminal_wants("zh"));
    (void)setenv("LC_ALL", "zhx_CN.UTF-8", 1);
    assert_false(terminal_wants("zh"));
    (void)unsetenv("LC_ALL");
    (void)unsetenv("LC_MESSAGES");
    (void)unsetenv("LANG");
    assert_false(terminal_wants("zh"));
}

static void json_has_what_steers_a_terminal_by_number(void **state)
{
    struct text text = {0};
    (void)state;
    json_add_document(JSON_LIST, json_pack("[s]", "\033\x7f\xc2\x9b\xe2\x80\xae\xf3\xa0\x80\x81 \xc3\xbc"), &text);
    assert_string_equal(text_string(&text), "[\n  \"\\u001B\\u007F\\u009B\\u202E\\uDB40\\uDC01 \xc3\xbc\"\n]\n");
    json_t *back = json_loads(text_string(&text), 0, NULL);
    assert_string_equal(json_string_value(json_array_get(back, 0)),
                        "\033\x7f\xc2\x9b\xe2\x80\xae\xf3\xa0\x80\x81 \xc3\xbc");
    json_decref(back);
    text_release(&text);
}

static void columns_are_what_the_environment_says(void **state)
{
    (void)state;
    FILE *stream = tmpfile();
    assert_non_null(stream);
    assert_int_equal(setenv("COLUMNS", "60", 1), 0);
    assert_int_equal(terminal_width(stream), 60);
    for (size_t i = 0; i < 5; i++) {
        assert_int_equal(setenv("COLUMNS", (const char *[]){"", "0", "-1", "x", "80x"}[i], 1), 0);
        assert_int_equal(terminal_width(stream), 0);
    }
    assert_int_equal(unsetenv("COLUMNS"), 0);
    assert_int_equal(terminal_width(stream), 0);
    (void)fclose(stream);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_steers_a_terminal_becomes_a_question_mark),
        cmocka_unit_test(formats_are_the_programs_and_arguments_are_not),
        cmocka_unit_test(lines_are_broken_at_blanks_and_numbers_never),
        cmocka_unit_test(chinese_lines_are_broken_between_characters),
        cmocka_unit_test(the_language_is_that_of_the_locale),
        cmocka_unit_test(json_has_what_steers_a_terminal_by_number),
        cmocka_unit_test(columns_are_what_the_environment_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
