// SPDX-License-Identifier: Apache-2.0
/* Protects tables on a terminal: lines fit its width, and only cells that may be cut are cut. Skipped without
 * pseudo-terminals. */
#include <fcntl.h>
#include <poll.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/terminal/table.h"

/* Opens both ends of a new pseudo-terminal; false if there is none: a container without /dev/pts has at most the first
 * end. */
static bool open_terminal(int *terminal, int *other)
{
    *terminal = posix_openpt(O_RDWR | O_NOCTTY);
    if (*terminal < 0)
        return false;
    const char *name = grantpt(*terminal) == 0 && unlockpt(*terminal) == 0 ? ptsname(*terminal) : NULL;
    *other = name ? open(name, O_RDWR | O_NOCTTY) : -1;
    if (*other < 0)
        (void)close(*terminal);
    return *other >= 0;
}

/* Reads what a terminal of that width receives, without the carriage returns that it adds. */
static void print_to_terminal(const struct table *table, unsigned short width, char *found, size_t size)
{
    const struct winsize window = {.ws_row = 24, .ws_col = width};
    int terminal, other;
    assert_true(open_terminal(&terminal, &other));
    assert_int_equal(ioctl(other, TIOCSWINSZ, &window), 0);
    FILE *stream = fdopen(other, "w");
    assert_non_null(stream);
    struct text text = {0};
    table_add_to(table, &text, terminal_width(stream), terminal_has_colours(stream), 0);
    terminal_end(stream, &text);
    assert_int_equal(fflush(stream), 0);
    /* A busy kernel delivers the bytes in parts. */
    struct pollfd ready = {.fd = terminal, .events = POLLIN};
    size_t got = 0, kept = 0;
    while (got < size - 1 && poll(&ready, 1, got > 0 ? 100 : 5000) == 1) {
        const ssize_t part = read(terminal, found + got, size - 1 - got);
        assert_true(part > 0);
        got += (size_t)part;
    }
    for (size_t i = 0; i < got; i++)
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
    table_columns(&table, "|~|<|");
    table_add(&table, "name");
    table_add(&table, "to be broken");
    table_add(&table, "this may be cut");
    table_add(&table, "a sentence that goes on");
    print_to_terminal(&table, 66, found, sizeof found);
    assert_string_equal(found, "name  to be broken  this may be cut  a sentence that goes on\n");
    print_to_terminal(&table, 56, found, sizeof found);
    assert_string_equal(found, "name  to be broken  this may b\xe2\x80\xa6  a sentence that goes on\n");
    print_to_terminal(&table, 46, found, sizeof found);
    assert_string_equal(found, "name  to be     this ma\xe2\x80\xa6  a sentence that goe\xe2\x80\xa6\n      broken\n");
    table_release(&table);
}

static void what_does_not_fit_yields_in_turn_and_numbers_stay(void **state)
{
    (void)state;
    char found[1024];
    struct table table = {0};
    table_columns(&table, "test|>count|->rate|~remark");
    table_add_heading(&table, "heading");
    table_add(&table, "a-name+of+letters");
    table_add(&table, "1,234,567,890,123");
    table_add(&table, "12.5 M");
    table_add(&table, "not promised");
    table_add(&table, "short");
    table_add(&table, "1");
    table_add(&table, "1");
    table_add(&table, "%s", "");
    print_to_terminal(&table, 58, found, sizeof found);
    assert_string_equal(found, "test                           count    rate  remark\nheading\n"
                               "a-name+of+letters  1,234,567,890,123  12.5 M  not promised\n"
                               "short                              1       1\n");
    print_to_terminal(&table, 56, found, sizeof found);
    assert_string_equal(found, "test                           count  remark\nheading\n"
                               "a-name+of+letters  1,234,567,890,123  not promised\n"
                               "short                              1\n");
    print_to_terminal(&table, 46, found, sizeof found);
    assert_string_equal(found, "test                       count  remark\nheading\n"
                               "a-name+of+letters\n"
                               "               1,234,567,890,123  not promised\n"
                               "short                          1\n");
    print_to_terminal(&table, 31, found, sizeof found);
    assert_string_equal(found, "test\n                count  remark\nheading\na-name+of+letters\n"
                               "    1,234,567,890,123  not\n"
                               "                       promised\n"
                               "short\n                    1\n");
    table_release(&table);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_terminal_gets_lines_of_its_width),
        cmocka_unit_test(what_does_not_fit_yields_in_turn_and_numbers_stay),
    };
    int terminal, other;
    if (!open_terminal(&terminal, &other)) {
        print_message("skipped: there is no pseudo-terminal, see /dev/pts\n");
        return 77;
    }
    (void)close(other);
    (void)close(terminal);
    if (setenv("TERM", "xterm", 1) != 0 || setenv("NO_COLOR", "1", 1) != 0)
        return 1;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
