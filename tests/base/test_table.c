// SPDX-License-Identifier: Apache-2.0
/* Protects printed tables: aligned columns, no byte that controls a terminal, colours only on request. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/terminal/table.h"

/* Checks the output to a stream that is not a terminal. */
static void expect_printed(const struct table *table, unsigned indent, const char *expected)
{
    FILE *stream = tmpfile();
    char found[1024] = "";
    assert_non_null(stream);
    struct text text = {0};
    table_add_to(table, &text, terminal_width(stream), terminal_has_colours(stream), indent);
    terminal_end(stream, &text);
    rewind(stream);
    const size_t size = fread(found, 1, sizeof found - 1, stream);
    found[size] = '\0';
    (void)fclose(stream);
    assert_string_equal(found, expected);
}

static int without_colours(void **state)
{
    (void)state;
    return unsetenv("CLICOLOR_FORCE") | unsetenv("NO_COLOR") | unsetenv("COLUMNS") | unsetenv("ORCHIL_PROGRESS");
}

static void columns_are_as_wide_as_their_widest_cell(void **state)
{
    (void)state;
    struct table table = {0};
    table_columns(&table, "Name|>Count|Note");
    table_add(&table, "a");
    table_add(&table, "%d", 1234567);
    table_add(&table, "last");
    table_add(&table, "longer name");
    table_add(&table, "8");
    table_add(&table, "%s", "");
    expect_printed(&table, 2,
                   "  Name           Count  Note\n"
                   "  a            1234567  last\n"
                   "  longer name        8\n");
    table_release(&table);
}

static void empty_titles_are_not_printed(void **state)
{
    (void)state;
    struct table table = {0};
    table_columns(&table, "|");
    table_add(&table, "a");
    table_add(&table, "b");
    expect_printed(&table, 0, "a  b\n");
    table_release(&table);
}

static void characters_count_and_not_bytes(void **state)
{
    (void)state;
    struct table table = {0};
    table_columns(&table, "|");
    table_add(&table, "Gr\xc3\xbc\xc3\x9f"
                      "e");
    table_add(&table, "x");
    table_add(&table, "12345");
    table_add(&table, "y");
    expect_printed(&table, 0,
                   "Gr\xc3\xbc\xc3\x9f"
                   "e  x\n12345  y\n");
    table_release(&table);
}

static void control_bytes_become_question_marks(void **state)
{
    (void)state;
    struct table table = {0};
    table_columns(&table, "|");
    table_add(&table, "\033[31mred\n");
    table_add(&table, "\x7f");
    expect_printed(&table, 0, "?[31mred?  ?\n");
    table_release(&table);
}

static void a_column_that_never_varies_is_left_out(void **state)
{
    (void)state;
    struct table table = {0};
    table_columns(&table, "test|device|state");
    assert_null(table_settle(&table, 1)); /* a table without rows has no common text */
    table_add_heading(&table, "all");
    for (int row = 0; row < 2; row++) {
        table_add(&table, "%d", row);
        table_add(&table, "the same");
        table_add(&table, "%s", row == 0 ? "completed" : "hang");
    }
    assert_string_equal(table_settle(&table, 1), "the same");
    assert_null(table_settle(&table, 2));
    expect_printed(&table, 0, "test  state\nall\n0     completed\n1     hang\n");
    table_release(&table);
}

static void colours_come_where_they_are_forced_and_not_forbidden(void **state)
{
    (void)state;
    struct table table = {0};
    table_columns(&table, "|");
    table_add_styled(&table, TERMINAL_BAD, "no");
    table_add(&table, "plain");
    expect_printed(&table, 0, "no  plain\n");
    assert_int_equal(setenv("CLICOLOR_FORCE", "1", 1), 0);
    expect_printed(&table, 0, "\033[31mno\033[0m  plain\n");
    assert_int_equal(setenv("NO_COLOR", "1", 1), 0);
    expect_printed(&table, 0, "no  plain\n");
    table_release(&table);
}

static void progress_elsewhere_is_a_line_and_then_a_pause(void **state)
{
    (void)state;
    struct progress_line progress = {0};
    char found[64] = "";
    FILE *stream = tmpfile();
    assert_non_null(stream);
    assert_true(progress_due(&progress, stream));
    progress_show(&progress, stream, "job 1 of 2");
    assert_false(progress_due(&progress, stream));
    progress_clear(&progress, stream);
    rewind(stream);
    found[fread(found, 1, sizeof found - 1, stream)] = '\0';
    (void)fclose(stream);
    assert_string_equal(found, "job 1 of 2\n");
}

static void progress_is_never_due_where_the_environment_says_so(void **state)
{
    (void)state;
    const struct progress_line none = {0}, old = {.last = -1000};
    assert_int_equal(setenv("ORCHIL_PROGRESS", "never", 1), 0);
    assert_false(progress_due(&none, stderr));
    assert_false(progress_due(&old, stderr));
    assert_int_equal(setenv("ORCHIL_PROGRESS", "", 1), 0);
    assert_true(progress_due(&none, stderr));
    assert_true(progress_due(&old, stderr));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(columns_are_as_wide_as_their_widest_cell, without_colours),
        cmocka_unit_test_setup(empty_titles_are_not_printed, without_colours),
        cmocka_unit_test_setup(characters_count_and_not_bytes, without_colours),
        cmocka_unit_test_setup(control_bytes_become_question_marks, without_colours),
        cmocka_unit_test_setup(colours_come_where_they_are_forced_and_not_forbidden, without_colours),
        cmocka_unit_test_setup(a_column_that_never_varies_is_left_out, without_colours),
        cmocka_unit_test_setup(progress_elsewhere_is_a_line_and_then_a_pause, without_colours),
        cmocka_unit_test_setup(progress_is_never_due_where_the_environment_says_so, without_colours),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
