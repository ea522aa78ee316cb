// SPDX-License-Identifier: Apache-2.0
/* The reference pages name every parameter, with its range and its defaults, every built-in
 * profile, and nothing else. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/whole_file.h"
#include "runner/environment/environment.h"

/* Calls `check` for each row of a page's tables that starts with a name in backquotes, and returns
 * their number. */
static size_t each_row(const char *page, void (*check)(const char *row))
{
    struct text text = {0};
    struct error error;
    char path[512], row[1024];
    size_t count = 0;
    (void)snprintf(path, sizeof path, "%s/docs/reference/%s", ORCHIL_SOURCE_DIR, page);
    if (file_read_input(path, 1 << 20, &text, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    for (const char *line = text_string(&text); *line;) {
        const size_t length = strcspn(line, "\n");
        if (strncmp(line, "| `", 3) == 0) {
            (void)snprintf(row, sizeof row, "%.*s", (int)length, line);
            check(row);
            count++;
        }
        line += length + (line[length] == '\n');
    }
    text_release(&text);
    return count;
}

static size_t print_range(char *text, size_t size, struct environment_range range)
{
    const int length = range.low == range.high ? snprintf(text, size, " %u |", range.low)
                                               : snprintf(text, size, " %u..%u |", range.low, range.high);
    return (size_t)length;
}

/* "| `stride` | 1 to 1024 | 1..2 | 1..16 |", compared with the tables of the code. */
static void check_parameter(const char *row)
{
    const struct backend_device devices[] = {{.gpu = true}, {.gpu = false}};
    const size_t length = strcspn(row + 3, "`");
    char expected[256];
    for (enum parameter p = 0; p < PARAMETER_COUNT; p++) {
        const struct environment_parameter *parameter = &environment_parameters[p];
        if (strlen(parameter->name) != length || strncmp(parameter->name, row + 3, length) != 0)
            continue;
        size_t used = (size_t)snprintf(expected, sizeof expected, "| `%s` | %u to %u |", parameter->name,
                                       parameter->lowest, parameter->highest);
        for (size_t i = 0; i < 2; i++) {
            struct environment environment;
            struct error error;
            assert_int_equal(environment_load(i == 0 ? "gpu" : "cpu", &devices[i], &environment, &error), STATUS_OK);
            used += print_range(expected + used, sizeof expected - used, environment_range_in(&environment, p));
        }
        if (strncmp(row, expected, used) != 0)
            fail_msg("environment.md: expected\n%s\nfound\n%s", expected, row);
        return;
    }
    fail_msg("environment.md has a parameter that does not exist: %s", row);
}

static void test_parameters(void **state)
{
    (void)state;
    assert_int_equal(each_row("environment.md", check_parameter), PARAMETER_COUNT);
}

static void check_profile(const char *row)
{
    const size_t length = strcspn(row + 3, "`");
    if (length == 4 && strncmp(row + 3, "rule", 4) == 0) /* computed, not a file */
        return;
    for (size_t i = 0; environment_profile_names[i]; i++)
        if (strlen(environment_profile_names[i]) == length &&
            strncmp(environment_profile_names[i], row + 3, length) == 0)
            return;
    fail_msg("profiles.md has a profile that does not exist: %s", row);
}

static void test_profiles(void **state)
{
    size_t count = 1; /* rule */
    (void)state;
    for (size_t i = 0; environment_profile_names[i]; i++)
        count++;
    assert_int_equal(each_row("profiles.md", check_profile), count);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_parameters), cmocka_unit_test(test_profiles)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
