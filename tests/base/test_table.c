// SPDX-License-Identifier: Apache-2.0
/* Protects what people read: aligned columns, no byte that steers a terminal, colours only where they are wanted. */
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/terminal/table.h"

/* What is printed to a stream that is no terminal. */
static void expect_printed(const struct table *table, unsigned indent, const char *expected)
{
    FILE *stream = tmpfile();
    char found[1024] = "";
    assert_non_null(stream);
    table_print(table, stream, indent);
    rewind(stream);
    const size_t size = fread(found, 1, sizeof found - 1, stream);
    found[size] = '\0';
    (void)fclose(stream);
    assert_string_equal(found, expected);
}

static int without_colours(void **state)
{
    (void)state;
    return unsetenv("CLICOLOR_FORCE") | unsetenv("NO_COLOR");
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

/* What a terminal of that width gets, without the carriage returns that it adds. */
static void print_to_terminal(const struct table *table, unsigned short width, char *found, size_t size)
{
    const struct winsize window = {.ws_row = 24, .ws_col = width};
    const int terminal = posix_openpt(O_RDWR | O_NOCTTY);
    if (terminal < 0 || grantpt(terminal) != 0 || unlockpt(terminal) != 0)
        skip();
    const int other = open(ptsname(terminal), O_RDWR | O_NOCTTY);
    if (other < 0) { /* a container without /dev/pts has the one end only */
        (void)close(terminal);
        skip();
    }
    assert_int_equal(ioctl(other, TIOCSWINSZ, &window), 0);
    FILE *stream = fdopen(other, "w");
    assert_non_null(stream);
    table_print(table, stream, 0);
    assert_int_equal(fflush(stream), 0);
    const ssize_t got = read(terminal, found, size - 1);
    assert_true(got > 0);
    size_t kept = 0;
    for (ssize_t i = 0; i < got; i++)
        if (found[i] != '\r')
            found[kept++] = found[i];
    found[kept] = '\0';
    (void)fclose(stream);
    (void)close(terminal);
}

static void a_terminal_gets_lines_of_its_width(void **state)
{
    (void)state;
    char found[1024];
    struct table table = {0};
    assert_int_equal(setenv("TERM", "xterm", 1), 0);
    assert_int_equal(setenv("NO_COLOR", "1", 1), 0);
    table_columns(&table, "||<|");
    table_add(&table, "name");
    table_add(&table, "kept");
    table_add(&table, "this may be cut");
    table_add(&table, "a sentence that goes on");
    print_to_terminal(&table, 60, found, sizeof found);
    assert_string_equal(found, "name  kept  this may be cut  a sentence that goes on\n");
    print_to_terminal(&table, 50, found, sizeof found);
    assert_string_equal(found, "name  kept  this may be \xe2\x80\xa6  a sentence that goes on\n");
    print_to_terminal(&table, 32, found, sizeof found);
    assert_string_equal(found, "name  kept  this ma\xe2\x80\xa6  a sentenc\xe2\x80\xa6\n");
    print_to_terminal(&table, 20, found, sizeof found); /* too narrow for anything: whole lines */
    assert_string_equal(found, "name  kept  this ma\xe2\x80\xa6  a sentence that goes on\n");
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
    struct progress progress = {0};
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(columns_are_as_wide_as_their_widest_cell, without_colours),
        cmocka_unit_test_setup(empty_titles_are_not_printed, without_colours),
        cmocka_unit_test_setup(characters_count_and_not_bytes, without_colours),
        cmocka_unit_test_setup(control_bytes_become_question_marks, without_colours),
        cmocka_unit_test_setup(colours_come_where_they_are_forced_and_not_forbidden, without_colours),
        cmocka_unit_test_setup(a_terminal_gets_lines_of_its_width, without_colours),
        cmocka_unit_test_setup(progress_elsewhere_is_a_line_and_then_a_pause, without_colours),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
