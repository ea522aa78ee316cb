// SPDX-License-Identifier: Apache-2.0
/* Protects the short form of placements, which is part of test names. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "cli/tests.h"

enum { NONE = LITMUS_NONE, MAXIMUM_BODIES = 4 };

#define HOST                                                                                                           \
    {                                                                                                                  \
        NONE, NONE, NONE, NONE, NONE, true                                                                             \
    }

/* Placements: sub-group, work-group, cluster, device, queue family, whether it is the host. */
static const struct {
    const char *expected;
    size_t bodies;
    unsigned first, count; /* number of the first thread; threads of each body */
    struct litmus_placement placements[MAXIMUM_BODIES];
} cases[] = {
    {"0", 1, 0, 1, {{NONE, 0, NONE, 0, NONE, false}}},
    {"0-1", 2, 0, 1, {{NONE, 0, NONE, 0, NONE, false}, {NONE, 1, NONE, 0, NONE, false}}},
    {"01", 2, 0, 1, {{NONE, 0, NONE, 0, NONE, false}, {NONE, 0, NONE, 0, NONE, false}}},
    {"01-2",
     3,
     0,
     1,
     {{NONE, 3, NONE, 0, NONE, false}, {NONE, 3, NONE, 0, NONE, false}, {NONE, 1, NONE, 0, NONE, false}}},
    {"02-1",
     3,
     0,
     1,
     {{NONE, 0, NONE, 0, NONE, false}, {NONE, 1, NONE, 0, NONE, false}, {NONE, 0, NONE, 0, NONE, false}}},
    {"0-1",
     2,
     0,
     1,
     {{NONE, NONE, NONE, NONE, NONE, false}, {NONE, NONE, NONE, NONE, NONE, false}}}, /* no placement: not together */
    {"w01", 2, 0, 1, {{0, 0, NONE, 0, NONE, false}, {0, 0, NONE, 0, NONE, false}}},
    {"01",
     2,
     0,
     1,
     {{0, 0, NONE, 0, NONE, false}, {1, 0, NONE, 0, NONE, false}}}, /* two sub-groups of one work-group */
    {"w012", 3, 0, 1, {{0, 0, NONE, 0, NONE, false}, {0, 0, NONE, 0, NONE, false}, {1, 0, NONE, 0, NONE, false}}},
    {"0-1",
     2,
     0,
     1,
     {{0, 0, NONE, 0, NONE, false}, {0, 1, NONE, 0, NONE, false}}}, /* sub-group 0 of either is not the same one */
    {"[0-1]-[2]", 3, 0, 1, {{NONE, 0, 0, 0, NONE, false}, {NONE, 1, 0, 0, NONE, false}, {NONE, 0, 1, 0, NONE, false}}},
    {"0|1", 2, 0, 1, {{NONE, 0, NONE, 0, NONE, false}, {NONE, 0, NONE, 1, NONE, false}}},
    {"0|h1", 2, 0, 1, {{NONE, 0, NONE, 0, NONE, false}, HOST}},
    {"h0|1", 2, 0, 1, {HOST, {NONE, NONE, NONE, NONE, NONE, false}}}, /* a device without a number is not the host */
    {"0|h1-2", 3, 0, 1, {{NONE, 0, NONE, 0, NONE, false}, HOST, HOST}},
    {"9,10-11",
     3,
     9,
     1,
     {{NONE, 0, NONE, 0, NONE, false}, {NONE, 0, NONE, 0, NONE, false}, {NONE, 1, NONE, 0, NONE, false}}},
    {"0..7-8..15", 2, 0, 8, {{NONE, 0, NONE, 0, NONE, false}, {NONE, 1, NONE, 0, NONE, false}}},
    {"0..7,8..15", 2, 0, 8, {{NONE, 0, NONE, 0, NONE, false}, {NONE, 0, NONE, 0, NONE, false}}},
};

static void placements_are_written_as_in_names(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct litmus_thread threads[MAXIMUM_BODIES] = {0};
        const struct litmus_test test = {.threads = threads, .body_count = cases[i].bodies};
        struct text text = {0};
        for (size_t body = 0; body < cases[i].bodies; body++) {
            threads[body].first = cases[i].first + (unsigned)body * cases[i].count;
            threads[body].count = cases[i].count;
            threads[body].placement = cases[i].placements[body];
        }
        placement_print(&test, &text);
        assert_string_equal(text_string(&text), cases[i].expected);
        text_release(&text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(placements_are_written_as_in_names)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
