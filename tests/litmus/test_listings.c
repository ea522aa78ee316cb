// SPDX-License-Identifier: Apache-2.0
/* Protects: every listing of docs/reference/language*.md parses, and those with a host thread or with kernel launches
 * cover each dialect that has them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "litmus/litmus.h"

#define REFERENCE ORCHIL_SOURCE_DIR "/docs/reference/"

static const char *const paths[] = {REFERENCE "language.md",     REFERENCE "language-opencl.md",
                                    REFERENCE "language-ptx.md", REFERENCE "language-cuda.md",
                                    REFERENCE "language-c.md",   REFERENCE "language-vulkan.md"};

static const char *next_line(const char *line)
{
    const char *end = strchr(line, '\n');
    return end ? end + 1 : line + strlen(line);
}

/* Whether the line opens a block whose info string is a dialect. */
static bool opens_listing(const char *line)
{
    static const char *const openings[] = {"```opencl\n", "```ptx\n", "```cuda\n", "```c\n", "```vulkan\n"};
    for (size_t i = 0; i < sizeof openings / sizeof *openings; i++)
        if (strncmp(line, openings[i], strlen(openings[i])) == 0)
            return true;
    return false;
}

/* Appends the lines up to the end of the block, and gives the line after it. */
static const char *take_listing(const char *line, struct text *text)
{
    while (*line && strncmp(line, "```", 3) != 0) {
        const char *end = next_line(line);
        text_add_bytes(text, line, (size_t)(end - line));
        line = end;
    }
    return next_line(line);
}

struct seen {
    unsigned count, hosts[LITMUS_DIALECT_COUNT], several[LITMUS_DIALECT_COUNT], launches[LITMUS_DIALECT_COUNT];
};

static void check_listing(const char *path, const struct text *listing, struct seen *seen)
{
    struct litmus_test *test;
    struct litmus_agents agents;
    struct error error = {0};
    if (litmus_parse(path, listing->data, listing->size, &test, &error) != STATUS_OK)
        fail_msg("%s\n%.*s", error.text, (int)listing->size, listing->data);
    assert_int_equal(litmus_find_agents(test, &agents, &error), STATUS_OK);
    seen->count++;
    seen->hosts[test->dialect] += agents.host;
    seen->several[test->dialect] += agents.count - agents.host > 1;
    seen->launches[test->dialect] += test->edge_count > 0;
    litmus_release(test);
}

static void check_page(const char *path, struct seen *seen)
{
    struct text page = {0}, listing = {0};
    struct error error = {0};
    const unsigned before = seen->count;
    assert_int_equal(litmus_read_file(path, &page, &error), STATUS_OK);
    for (const char *line = text_string(&page); *line;) {
        if (!opens_listing(line)) {
            line = next_line(line);
            continue;
        }
        text_clear(&listing);
        line = take_listing(next_line(line), &listing);
        check_listing(path, &listing, seen);
    }
    text_release(&listing);
    text_release(&page);
    assert_true(seen->count > before);
}

static void listings_are_tests(void **state)
{
    struct seen seen = {0};
    (void)state;
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
        check_page(paths[i], &seen);
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
