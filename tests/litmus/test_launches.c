// SPDX-License-Identifier: Apache-2.0
/* Protects: which threads of a test are launched together, in which order, and which launch ends before which begins;
 * contradictory lines are refused. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "litmus/litmus.h"

enum { MOST = 6 };

/* A PTX test with these columns, and their code if it follows, and these lines. */
static struct litmus_test *parse(const char *header, const char *lines, struct error *error)
{
    struct litmus_test *test = NULL;
    struct text text = {0};
    text_add(&text, "PTX T\n{ x[2]; a @ generic aliases x; y=0; P0:r0=%%tid; P0:r8=x; }\n %s ;\n%s\nexists (y=0)",
             header, lines);
    (void)litmus_parse("test", text_string(&text), text.size, &test, error);
    text_release(&text);
    return test;
}

static struct litmus_test *must_parse(const char *header, const char *lines)
{
    struct error error = {0};
    struct litmus_test *test = parse(header, lines, &error);
    if (!test)
        fail_msg("%s", error.text);
    return test;
}

static const struct {
    const char *header, *lines;
    unsigned count, of_body[MOST];
    const char *precedes; /* "01": launch 0 ends before launch 1; in the order of their numbers */
} rows[] = {
    /* Without a line all threads are one launch. */
    {"P0 | P1 | P2", "", 1, {0, 0, 0}, ""},
    /* Two launches, in an order in which they can be made, whatever the threads' numbers. */
    {"P0 | P1", "P1 after P0 by queue", 2, {0, 1}, "01"},
    {"P0 | P1", "P0 after P1 by queue", 2, {1, 0}, "01"},
    {"P0 | P1", "P1 beside P0", 2, {0, 1}, ""},
    /* Threads with the same lines are launched together. */
    {"P0 | P1 | P2", "P1 after P0 by queue P2 after P0 by queue", 2, {0, 1, 1}, "01"},
    {"P0 | P1 | P2", "P2 after P0 by host P2 after P1 by host", 2, {0, 0, 1}, "01"},
    {"P0 | P1 | P2 | P3",
     "P2 after P0 by event P3 after P0 by event P3 after P1 by event P2 after P1 by event",
     2,
     {0, 0, 1, 1},
     "01"},
    /* Different calls, or a line between them, separate them. */
    {"P0 | P1 | P2", "P1 after P0 by queue P2 after P0 by event", 3, {0, 1, 2}, "01 02"},
    {"P0 | P1 | P2", "P1 after P0 by event P2 after P0 by event P2 beside P1", 3, {0, 1, 2}, "01 02"},
    /* A thread without a line is concurrent with all others. */
    {"P0 | P1 | P2", "P2 after P0 by queue", 3, {0, 1, 2}, "02"},
    /* By several edges, and by both ways of a diamond. */
    {"P0 | P1 | P2", "P0 after P1 by queue P1 after P2 by event", 3, {2, 1, 0}, "01 02 12"},
    {"P0 | P1 | P2 | P3",
     "P1 after P0 by event P2 after P0 by event P3 after P1 by event P3 after P2 by event P1 beside P2",
     4,
     {0, 1, 2, 3},
     "01 02 03 13 23"},
    /* Each agent has launches of its own. */
    {"P0@gpu 0 | P1@gpu 1 | P2@gpu 0", "P1 after P0 by event", 3, {0, 1, 2}, "01"},
    {"P0@gpu 0 | P1@gpu 1 | P2@gpu 0", "P2 after P0 by event P2 after P1 by event", 3, {0, 1, 2}, "02 12"},
    /* A range is one. */
    {"P0..P63@cta 0,gpu 0 | P64@cta 1,gpu 0", "P64 after P63 by queue", 2, {0, 1}, "01"},
};

static void launches_are_threads_with_the_same_lines(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct litmus_test *test = must_parse(rows[i].header, rows[i].lines);
        struct litmus_launches launches;
        struct error error = {0};
        char pairs[64] = "";
        assert_int_equal(litmus_find_launches(test, &launches, &error), STATUS_OK);
        assert_int_equal(launches.count, rows[i].count);
        for (size_t body = 0; body < test->body_count; body++)
            assert_int_equal(launches.of_body[body], rows[i].of_body[body]);
        for (unsigned a = 0; a < launches.count; a++)
            for (unsigned b = 0; b < launches.count; b++)
                if (litmus_launch_precedes(&launches, a, b))
                    (void)snprintf(pairs + strlen(pairs), sizeof pairs - strlen(pairs), "%s%u%u", *pairs ? " " : "", a,
                                   b);
        assert_string_equal(pairs, rows[i].precedes);
        litmus_release(test);
    }
}

/* The launches that a launch waits for by its own lines, and the calls; not those that follow from other lines. */
static void a_launch_knows_its_edges_and_its_agent(void **state)
{
    struct litmus_test *test =
        must_parse("P0@gpu 1 | P1@gpu 1 | P2@host", "P1 after P0 by queue P2 after P1 by host P2 after P0 by host");
    struct litmus_launches launches;
    struct error error = {0};
    (void)state;
    assert_int_equal(litmus_find_launches(test, &launches, &error), STATUS_OK);
    assert_int_equal(launches.count, 3);
    assert_int_equal(launches.launches[0].after, 0);
    assert_int_equal(launches.launches[1].after, 1);
    assert_int_equal(launches.launches[2].after, 3);
    assert_int_equal(launches.launches[1].edges[0], LAUNCH_EDGE_QUEUE);
    assert_int_equal(launches.launches[2].edges[0], LAUNCH_EDGE_HOST);
    assert_int_equal(launches.launches[2].edges[1], LAUNCH_EDGE_HOST);
    assert_int_equal(launches.launches[0].agent, 0);
    assert_int_equal(launches.launches[1].agent, 0);
    assert_int_equal(launches.launches[2].agent, 1);
    litmus_release(test);
}

/* For a launch that runs the first code and one that runs the second. */
static bool conflict(const char *first, const char *second)
{
    struct litmus_launches launches;
    struct error error = {0};
    struct text columns = {0};
    text_add(&columns, "P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;\n %s | %s", first, second);
    struct litmus_test *test = must_parse(text_string(&columns), "P1 beside P0");
    text_release(&columns);
    assert_int_equal(litmus_find_launches(test, &launches, &error), STATUS_OK);
    const bool found = litmus_launches_conflict(test, &launches, 0, 1);
    assert_int_equal(litmus_launches_conflict(test, &launches, 1, 0), found);
    litmus_release(test);
    return found;
}

static void launches_conflict_where_one_writes_what_both_access(void **state)
{
    (void)state;
    assert_true(conflict("st.weak x, 1", "ld.weak r0, x"));
    assert_true(conflict("st.weak x, 1", "st.weak x, 2"));
    assert_true(conflict("red.relaxed.gpu.add x, 1", "ld.weak r0, x"));
    assert_true(conflict("ld.weak r0, x", "st.weak.v2.u32 [x], {1, 2}"));
    assert_true(conflict("st.weak [r8], 1", "ld.weak r0, x"));
    assert_true(conflict("ld.weak r0, a", "st.weak x, 1"));
    assert_false(conflict("ld.weak r0, x", "ld.weak r0, a"));
    assert_false(conflict("st.weak x, 1", "ld.weak r0, y"));
    assert_false(conflict("fence.sc.gpu", "st.weak x, 1"));
}

/* Whether x may change while the second of two threads runs. */
static bool may_change(const char *columns, const char *edges)
{
    struct litmus_launches launches;
    struct error error = {0};
    struct litmus_test *test = must_parse(columns, edges);
    assert_int_equal(litmus_find_launches(test, &launches, &error), STATUS_OK);
    const bool found = litmus_may_change(test, &launches, 1, 0);
    litmus_release(test);
    return found;
}

static void memory_changes_where_another_thread_may_write_it(void **state)
{
    (void)state;
    const char *written = "P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;\n st.weak x, 1 | ld.weak r0, x ";
    const char *own = "P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;\n ld.weak r0, x | st.weak x, 1 ";
    assert_false(may_change(written, "P1 after P0 by queue"));
    assert_true(may_change(written, "P1 beside P0"));
    assert_true(may_change(written, ""));
    assert_false(may_change(own, "P1 beside P0"));
    assert_true(
        may_change("P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;\n ld.weak r0, y | cp.async.ca.shared.global [x], [y], 4 ", ""));
}

static void contradictions_are_refused(void **state)
{
    static const struct {
        const char *header, *lines, *message;
    } refused[] = {
        {"P0 | P1", "P1 after P0 by queue P0 after P1 by event", "test:4:22: expected one line for"},
        {"P0 | P1 | P2", "P1 after P0 by event P2 after P1 by event P0 after P2 by event", "form a cycle"},
        /* One queue has P0 and P1, and P0 and P2: so it would order P1 and P2. */
        {"P0 | P1 | P2", "P1 after P0 by queue P2 after P0 by queue P1 beside P2", "in one queue"},
        {"P0 | P1 | P2", "P2 after P0 by queue P2 after P1 by copy", "in one queue"},
        /* The copy may overwrite what P2 writes. */
        {"P0 | P1 | P2", "P1 after P0 by copy", "the copy between P0 and P1 may overwrite what P2 writes at that time"},
        {"P0 | P1 | P2", "P1 after P0 by event P2 after P1 by event P2 after P0 by copy",
         "may overwrite what P1 writes"},
        {"P0 | P1 | P2 | P3", "P1 after P0 by queue P2 after P1 by queue P2 after P3 by queue P1 after P3 by event",
         "in one queue"},
        {"P0 | P1 | P2", "P1 after P0 by event P2 after P1 by event P2 beside P0", "P2 and P0 are beside each other"},
        {"P0 | P1 | P2", "P1 after P0 by graph P2 after P1 by event", "expected all edges of the test by graph"},
        {"P0 | P1 | P2 | P3 | P4 | P5 | P6 | P7 | P8",
         "P1 after P0 by queue P2 after P1 by queue P3 after P2 by queue P4 after P3 by queue P5 after P4 by queue "
         "P6 after P5 by queue P7 after P6 by queue P8 after P7 by queue",
         "the test has 9 launches; at most 8"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        struct error error = {0};
        assert_null(parse(refused[i].header, refused[i].lines, &error));
        if (!strstr(error.text, refused[i].message))
            fail_msg("%s", error.text);
    }
}

/* An edge of ranges becomes one between each two of their threads, so that the launches stay what they were. */
static void expanded_tests_have_the_same_launches(void **state)
{
    struct litmus_test *test = must_parse("P0..P2@cta 0,gpu 0 | P3..P4@cta 1,gpu 0 | P5@cta 2,gpu 0",
                                          "P3 after P1 by queue P5 after P4 by host");
    struct litmus_test *expanded = litmus_expand(test);
    static const unsigned of_body[] = {0, 0, 0, 1, 1, 2};
    struct litmus_launches launches;
    struct error error = {0};
    (void)state;
    assert_non_null(expanded);
    assert_int_equal(expanded->edge_count, 3 * 2 + 2);
    assert_int_equal(litmus_find_launches(expanded, &launches, &error), STATUS_OK);
    assert_int_equal(launches.count, 3);
    for (size_t body = 0; body < expanded->body_count; body++)
        assert_int_equal(launches.of_body[body], of_body[body]);
    assert_int_equal(launches.launches[1].edges[0], LAUNCH_EDGE_QUEUE);
    assert_int_equal(launches.launches[2].edges[1], LAUNCH_EDGE_HOST);
    assert_true(litmus_launch_precedes(&launches, 0, 2));
    litmus_release(expanded);
    litmus_release(test);
}

/* Tests that differ in an edge alone are different tests. */
static void edges_are_part_of_the_hash(void **state)
{
    static const char *const lines[] = {"", "P1 beside P0", "P1 after P0 by queue", "P1 after P0 by event",
                                        "P0 after P1 by queue"};
    enum { COUNT = sizeof lines / sizeof *lines };
    char hashes[COUNT][65];
    (void)state;
    for (size_t i = 0; i < COUNT; i++) {
        struct litmus_test *test = must_parse("P0 | P1", lines[i]);
        litmus_hash(test, hashes[i]);
        litmus_release(test);
        for (size_t k = 0; k < i; k++)
            assert_string_not_equal(hashes[i], hashes[k]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(launches_are_threads_with_the_same_lines),
        cmocka_unit_test(a_launch_knows_its_edges_and_its_agent),
        cmocka_unit_test(launches_conflict_where_one_writes_what_both_access),
        cmocka_unit_test(memory_changes_where_another_thread_may_write_it),
        cmocka_unit_test(contradictions_are_refused),
        cmocka_unit_test(expanded_tests_have_the_same_launches),
        cmocka_unit_test(edges_are_part_of_the_hash),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
