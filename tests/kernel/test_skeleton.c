// SPDX-License-Identifier: Apache-2.0
/* Protects the calls that a launch of an ordinary kernel makes: a launch with all steps initialises, plays and counts
 * each round once, and the teams of a test of several work-groups meet by releases and acquires. Kernels that warm
 * caches are in test_skeleton_warmed.c. Protects the words of the skeleton, too: a prelude without pointers and casts
 * of C can serve it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/kernel/fixture.h"
#include "tests/kernel/skeleton_host.h"

static void one_launch_does_all(void **state)
{
    (void)state;
    host_launch(1, STEP_INITIALISE | STEP_PLAY | STEP_MEET | STEP_COUNT);
    assert_int_equal(host.initialised, HOST_ROUNDS);
    assert_int_equal(host.played, HOST_ROUNDS);
    assert_int_equal(host.classified, HOST_ROUNDS);
}

static void teams_meet_by_release_and_acquire(void **state)
{
    (void)state;
    host_launch(2, STEP_INITIALISE | STEP_PLAY | STEP_MEET | STEP_COUNT);
    assert_int_equal(host.played, 2 * HOST_ROUNDS);        /* a slot of each subset */
    assert_int_equal(host.acquires, 2 * HOST_ROUNDS);      /* before a round and after it */
    assert_int_equal(host.arrivals, 2 * HOST_ROUNDS + 1u); /* plus one at the end of the launch */
}

static void without_meetings_the_steps_have_a_launch_each(void **state)
{
    (void)state;
    host_launch(2, STEP_INITIALISE);
    assert_int_equal(host.initialised, HOST_ROUNDS);
    assert_int_equal(host.played + host.classified + host.acquires, 0);
    host_launch(2, STEP_PLAY);
    assert_int_equal(host.played, 2 * HOST_ROUNDS);
    assert_int_equal(host.initialised + host.classified + host.acquires, 0);
    host_launch(2, STEP_COUNT);
    assert_int_equal(host.classified, HOST_ROUNDS);
    assert_int_equal(host.initialised + host.played + host.acquires, 0);
}

/* Ends each line of a text where a comment begins. */
static void cut_comments(char *text)
{
    char *to = text;
    for (const char *from = text; *from; from++) {
        if (strncmp(from, "//", 2) == 0)
            from += strcspn(from, "\n");
        *to++ = *from;
    }
    *to = '\0';
}

static void a_prelude_without_pointers_can_serve_it(void **state)
{
    static const char *const foreign[] = {"GLOBAL ", "LOCAL ", "CONSTANT ", "->",    "&draw",  "&mem",
                                          "&local",  "&count", "&scratch",  "*)",    "**",     "(u32)",
                                          "(u64)",   "(LONG)", "(INDEX)",   "(int)", "(bool)", " *draw",
                                          " *mem",   " *p",    "u32 *",     "goto",  "sizeof"};
    char *text = fixture_read(ORCHIL_SOURCE_DIR "/kernel/skeleton.cl");
    (void)state;
    cut_comments(text);
    assert_non_null(strstr(text, "ENTRY(draw, memory, scratch, counters, local_memory)"));
    for (size_t i = 0; i < sizeof foreign / sizeof *foreign; i++)
        if (strstr(text, foreign[i]))
            fail_msg("the skeleton has '%s'", foreign[i]);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_launch_does_all),
        cmocka_unit_test(teams_meet_by_release_and_acquire),
        cmocka_unit_test(without_meetings_the_steps_have_a_launch_each),
        cmocka_unit_test(a_prelude_without_pointers_can_serve_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
