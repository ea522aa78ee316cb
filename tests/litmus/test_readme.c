// SPDX-License-Identifier: Apache-2.0
/* Protects: the listings of litmus/README.md are tests as they stand there, and those with a host thread, and those with
 * launches that the host orders, cover each dialect that has them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "litmus/litmus.h"

static const char path[] = ORCHIL_SOURCE_DIR "/litmus/README.md";

enum { INDENT = 4 };

static bool is_indented(const char *line)
{
    return strncmp(line, "    ", INDENT) == 0;
}

/* A listing starts with a dialect and a name; one whose lines have notes to their right is for readers only. */
static bool starts_listing(const char *line)
{
    static const char *const dialects[] = {"OPENCL ", "PTX ", "CUDA ", "C "};
    const size_t size = strcspn(line, "\n");
    for (size_t i = 0; i < sizeof dialects / sizeof *dialects; i++)
        if (is_indented(line) && strncmp(line + INDENT, dialects[i], strlen(dialects[i])) == 0)
            return size > INDENT && !memmem(line + INDENT, size - INDENT, "  ", 2);
    return false;
}

static const char *next_line(const char *line)
{
    const char *end = strchr(line, '\n');
    return end ? end + 1 : line + strlen(line);
}

/* Takes the lines of a listing, without their indent; an empty line is part of it where an indented one follows. */
static const char *take_listing(const char *line, struct text *text)
{
    while (is_indented(line) || (*line == '\n' && is_indented(line + 1))) {
        const char *end = next_line(line);
        const size_t skip = is_indented(line) ? INDENT : 0;
        text_add_bytes(text, line + skip, (size_t)(end - line) - skip);
        line = end;
    }
    return line;
}

struct seen {
    unsigned count, hosts[LITMUS_DIALECT_COUNT], several[LITMUS_DIALECT_COUNT], launches[LITMUS_DIALECT_COUNT];
};

static void check_listing(const struct text *listing, struct seen *seen)
{
    struct litmus_test *test;
    struct litmus_agents agents;
    struct error error = {0};
    if (litmus_parse("README.md", listing->data, listing->size, &test, &error) != STATUS_OK)
        fail_msg("%s\n%.*s", error.text, (int)listing->size, listing->data);
    assert_int_equal(litmus_find_agents(test, &agents, &error), STATUS_OK);
    seen->count++;
    seen->hosts[test->dialect] += agents.host;
    seen->several[test->dialect] += agents.count - agents.host > 1;
    seen->launches[test->dialect] += test->edge_count > 0;
    litmus_release(test);
}

static void listings_are_tests(void **state)
{
    struct text readme = {0}, listing = {0};
    struct error error = {0};
    struct seen seen = {0};
    (void)state;
    assert_int_equal(litmus_read_file(path, &readme, &error), STATUS_OK);
    for (const char *line = text_string(&readme); *line;) {
        if (!starts_listing(line)) {
            line = next_line(line);
            continue;
        }
        text_clear(&listing);
        line = take_listing(line, &listing);
        check_listing(&listing, &seen);
    }
    text_release(&listing);
    text_release(&readme);
    assert_true(seen.count >= 7);
    for (enum litmus_dialect dialect = LITMUS_OPENCL; dialect <= LITMUS_CUDA; dialect++) {
        assert_true(seen.hosts[dialect] > 0);
        assert_true(seen.launches[dialect] > 0);
    }
    assert_true(seen.several[LITMUS_PTX] > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(listings_are_tests)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
