// SPDX-License-Identifier: Apache-2.0
/* Protects the nearest tests of the catalogue: of one shape, whatever the names of threads and
 * locations, by distance, with the differences, and including some with the other verdict. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "catalogue/nearest.h"

#define PTX(places, a, b, condition) "PTX T\n{ x=0; y=0; }\n " places " ;\n " a " ;\n " b " ;\nexists (" condition ")\n"
#define STALE "1:r0=1 /\\ 1:r1=0"
#define APART "P0@cta 0,gpu 0 | P1@cta 1,gpu 0"

struct found {
    struct arena arena;
    struct nearest_test *tests;
    size_t count;
};

static void find(const char *text, bool allowed, struct found *found)
{
    struct litmus_test *test;
    struct error error = {0};
    *found = (struct found){.count = 0};
    if (litmus_parse("text", text, strlen(text), &test, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    assert_int_equal(nearest_find(test, allowed, &found->arena, &found->tests, &found->count, &error), STATUS_OK);
    litmus_release(test);
}

static const struct nearest_test *named(const struct found *found, const char *name)
{
    for (size_t i = 0; i < found->count; i++)
        if (strcmp(found->tests[i].name, name) == 0)
            return &found->tests[i];
    fail_msg("%s is not among them", name);
    return NULL;
}

/* Protects: names of threads and locations do not count, orders do; the fenced sibling is listed
 * although others are nearer. */
static void shapes_match(void **state)
{
    static const char mp[] = PTX(APART, "ld.relaxed.gpu r0, x | st.relaxed.gpu y, 1",
                                 "ld.relaxed.gpu r1, y | st.relaxed.gpu x, 1", "0:r1=0 /\\ 0:r0=1");
    struct found found;
    (void)state;
    const clock_t start = clock();
    find(mp, true, &found);
    /* Of the processor, in a build with sanitizers; elsewhere a fifth of a second. */
    assert_true(clock() - start < 5 * CLOCKS_PER_SEC);
    assert_int_equal(found.count, NEAREST_MAXIMUM);
    assert_string_equal(named(&found, "MP+rel+relaxed")->differs, "P1 x release");
    assert_string_equal(named(&found, "MP+rel+relaxed")->expect, "allowed");
    assert_string_equal(named(&found, "MP+relaxed+acq")->differs, "P0 x acquire");
    const struct nearest_test *control = named(&found, "MP+rel+acq");
    assert_string_equal(control->expect, "forbidden");
    assert_string_equal(control->differs, "P0 x acquire; P1 x release");
    for (size_t i = 1; i < found.count; i++)
        assert_true(found.tests[i - 1].distance <= found.tests[i].distance);
    arena_release(&found.arena);
}

/* Protects: a scope that all share is one difference, and so is the place of threads. */
static void scopes_and_places(void **state)
{
    static const char mp[] =
        PTX(APART, "st.relaxed.gpu x, 1 | ld.acquire.gpu r0, y", "st.release.gpu y, 1 | ld.relaxed.gpu r1, x", STALE);
    static const char narrow[] = PTX("P0@cta 0,gpu 0 | P1@cta 0,gpu 0", "st.relaxed.cta x, 1 | ld.acquire.cta r0, y",
                                     "st.release.cta y, 1 | ld.relaxed.cta r1, x", STALE);
    struct found found;
    (void)state;
    find(mp, false, &found);
    assert_string_equal(named(&found, "MP+relaxed+acq")->differs, "P0 y relaxed");
    arena_release(&found.arena);
    find(narrow, false, &found);
    assert_string_equal(named(&found, "MP+rel+acq+cta")->differs, "two blocks");
    arena_release(&found.arena);
}

/* Protects: blocks of one cluster and of two are distinguished, and so are threads that share
 * blocks in pairs. */
static void places_are_told(void **state)
{
    static const char clusters[] = PTX(APART, "st.relaxed.cluster x, 1 | ld.acquire.cluster r0, y",
                                       "st.release.cluster y, 1 | ld.relaxed.cluster r1, x", STALE);
    static const char iriw[] =
        "PTX T\n{ x=0; y=0; }\n P0@cta 0,gpu 0 | P1@cta 1,gpu 0 | P2@cta 2,gpu 0 | P3@cta 3,gpu 0 ;\n"
        " st.relaxed.gpu x, 1 | ld.relaxed.gpu r0, x | st.relaxed.gpu y, 1 | ld.relaxed.gpu r0, y ;\n"
        "  | ld.relaxed.gpu r1, y |  | ld.relaxed.gpu r1, x ;\nexists (1:r0=1 /\\ 1:r1=0 /\\ 3:r0=1 /\\ 3:r1=0)\n";
    struct found found;
    (void)state;
    find(clusters, true, &found);
    assert_string_equal(named(&found, "book-scope+rel+acq+cluster+c0-1")->differs, "two blocks of one cluster");
    arena_release(&found.arena);
    find(iriw, true, &found);
    assert_string_equal(named(&found, "IRIW+relaxed+01-23")->differs, "blocks P0+P1, P2+P3");
    arena_release(&found.arena);
}

/* Protects: conditions count, whatever the names of registers: swapped reads are reported, and
 * another condition is named. */
static void conditions_are_told(void **state)
{
    static const char swapped[] =
        "PTX T\n{ x=0; }\n P0@cta 0,gpu 0 | P1@cta 0,gpu 0 ;\n st.relaxed.gpu x, 1 | ld.relaxed.gpu r5, x ;\n"
        "  | ld.relaxed.gpu r7, x ;\nexists (1:r7=0 /\\ 1:r5=1)\n";
    static const char flags[] =
        "OPENCL T\n{ x=0; }\nP0@wg 0, dev 0 (global int* x) {\n  *x = 1;\n  barrier(CLK_LOCAL_MEM_FENCE);\n}\n"
        "P1@wg 0, dev 0 (global int* x) {\n  barrier(CLK_LOCAL_MEM_FENCE);\n  int r0 = *x;\n}\nexists (1:r0=0)\n";
    struct found found;
    (void)state;
    find(swapped, false, &found);
    assert_string_equal(named(&found, "CoRR-reversed+relaxed+01")->differs, "P1's two reads swapped");
    arena_release(&found.arena);
    find(flags, true, &found);
    assert_string_equal(named(&found, "MP+barrier+01")->differs, "P0 barrier flag global; P1 barrier flag global");
    arena_release(&found.arena);
}

/* Protects: a test without siblings gets none, and a test with many threads is not compared. */
static void nothing_is_near(void **state)
{
    static const char alone[] =
        "PTX T\n{ x=0; }\n P0@cta 0,gpu 0 ;\n ld.relaxed.gpu r0, x ;\n ld.relaxed.gpu r1, x ;\n"
        " ld.relaxed.gpu r2, x ;\n st.relaxed.gpu x, 1 ;\n ld.relaxed.gpu r3, x ;\nexists (0:r0=1)\n";
    static const char many[] =
        "PTX T\n{ x=0; P0:r0=0; }\n P0..P7@cta 0,gpu 0 ;\n ld.relaxed.gpu r0, x ;\nexists (0:r0=1)\n";
    struct found found;
    (void)state;
    find(alone, true, &found);
    assert_int_equal(found.count, 0);
    arena_release(&found.arena);
    find(many, true, &found);
    assert_int_equal(found.count, 0);
    arena_release(&found.arena);
}

/* Protects: a copy has another shape than an ordinary access, and the proxy fence with its memory
 * is the difference. */
static void copies_match(void **state)
{
    static const char copied[] = "PTX T\n{ a=0; b=0; P0:r0=0; }\n P0@cta 0,gpu 0 ;\n st.weak b, 1 ;\n"
                                 " cp.async.bulk.global.shared::cta.bulk_group [a], [b], 16 ;\n"
                                 " cp.async.bulk.commit_group ;\n cp.async.bulk.wait_group 0 ;\n ld.weak r0, a ;\n"
                                 "regions: b: shared\nexists (P0:r0=0)\n";
    struct found found;
    (void)state;
    find(copied, true, &found);
    assert_string_equal(named(&found, "async-s2g-own+fence")->differs, "fence.proxy.async in P0");
    assert_string_equal(named(&found, "async-s2g-own+fence.global")->differs, "fence.proxy.async.global in P0");
    assert_string_equal(named(&found, "async-s2g-own+fencesc")->differs, "fence sc gpu in P0");
    arena_release(&found.arena);
}

/* Protects: a vector has the shape of one access; the number of words and whether they are accessed
 * at once are differences. */
static void vectors_match(void **state)
{
    static const char torn[] = "PTX T\n{ u64 y[2]; }\n P0@cta 0,gpu 0 | P1@cta 1,gpu 0 ;\n"
                               " st.relaxed.gpu.v2.u64 [y], {1, 1} | ld.relaxed.gpu.v2.u64 {a, b}, [y] ;\n"
                               "exists (1:b=1 /\\ 1:a=0)\n";
    struct found found;
    (void)state;
    find(torn, true, &found);
    assert_string_equal(named(&found, "vector-flag.v4+relaxed")->differs,
                        "P0 y of 4 words; P1 y of 4 words; y of 4 bytes");
    assert_string_equal(named(&found, "vector-whole+b128")->differs,
                        "P0 y of 2 words at once; P1 y of 2 words at once");
    arena_release(&found.arena);
}

/* Protects: edges between launches are a difference, also from a test without them. */
static void launches_are_told(void **state)
{
    static const char after[] =
        "PTX T\n{ x=0; y=0; }\n " APART " ;\n st.relaxed.gpu x, 1 | ld.relaxed.gpu r0, y ;\n"
        " st.relaxed.gpu y, 1 | ld.relaxed.gpu r1, x ;\nP1 after P0 by queue\nexists (" STALE ")\n";
    struct found found;
    (void)state;
    find(after, false, &found);
    assert_string_equal(named(&found, "MP+relaxed")->differs, "P0 and P1 launched at once");
    arena_release(&found.arena);
}

/* Protects: of tests that differ in the same way except for the host's call, one is listed, so that
 * others have room; the test itself is not, even if its condition is a disjunction. */
static void calls_are_listed_once(void **state)
{
    static const char plain[] =
        "OPENCL T\n{ x=0; y=0; }\nP0@wg 0, dev 0 (global int* x, global int* y) {\n*x = 1;\n*y = 1;\n}\n"
        "P1@wg 1, dev 0 (global int* x, global int* y) {\nint r0 = *y;\nint r1 = *x;\n}\n"
        "exists (1:r0=1 /\\ 1:r1=0)\n";
    static const char fork[] =
        "PTX T\n{ x=0; }\n P0@cta 0,gpu 0 | P1@cta 1,gpu 0 | P2@cta 2,gpu 0 ;\n st.weak x, 1 | ld.weak r0, x | "
        "ld.weak r0, x ;\nP1 after P0 by queue\nP2 after P0 by event\nP2 beside P1\nexists (2:r0=0 \\/ 1:r0=0)\n";
    struct found found;
    (void)state;
    find(plain, true, &found);
    assert_int_equal(found.count, NEAREST_MAXIMUM);
    size_t by_call = 0;
    for (size_t i = 0; i < found.count; i++)
        by_call += strncmp(found.tests[i].differs, "P1 after P0 by ", strlen("P1 after P0 by ")) == 0;
    assert_int_equal(by_call, 1);
    assert_string_equal(named(&found, "book-G1-handoff+queue")->expect, "forbidden");
    arena_release(&found.arena);
    find(fork, false, &found);
    for (size_t i = 0; i < found.count; i++)
        assert_string_not_equal(found.tests[i].name, "fork+queue-event");
    assert_string_equal(named(&found, "fork+queue-beside")->differs, "P2 beside P0");
    arena_release(&found.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shapes_match),          cmocka_unit_test(scopes_and_places),
        cmocka_unit_test(places_are_told),       cmocka_unit_test(conditions_are_told),
        cmocka_unit_test(nothing_is_near),       cmocka_unit_test(copies_match),
        cmocka_unit_test(vectors_match),         cmocka_unit_test(launches_are_told),
        cmocka_unit_test(calls_are_listed_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
