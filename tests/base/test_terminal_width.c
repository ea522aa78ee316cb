// SPDX-License-Identifier: Apache-2.0
/* Protects tables on a terminal: a line fits its width, and only what may be cut is cut. Skipped without pseudo-terminals. */
#include <fcntl.h>
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

/* Both ends of a new pseudo-terminal; false where there is none: a container without /dev/pts has at most the first end. */
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

/* What a terminal of that width gets, without the carriage returns that it adds. */
static void print_to_terminal(const struct table *table, unsigned short width, char *found, size_t size)
{
    const struct winsize window = {.ws_row = 24, .ws_col = width};
    int terminal, other;
    assert_true(open_terminal(&terminal, &other));
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

int main(void)
{
    static const struct CMUnitTest tests[] = {cmocka_unit_test(a_terminal_gets_lines_of_its_width)};
    int terminal, other;
    if (!open_terminal(&terminal, &other)) {
        print_message("skipped: there is no pseudo-terminal, see /dev/pts\n");
        return 77;
    }
    (void)close(other);
    (void)close(terminal);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
