// SPDX-License-Identifier: Apache-2.0
/* Protects the nearest tests of the catalogue: of the test's family and dialect, with one other word in the name, first
 * those with the other verdict. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "catalogue/catalogue.h"

struct found {
    struct arena arena;
    struct nearest_test *tests;
    size_t count;
};

/* A test of PTX with this name, whatever its instructions. */
static void find(const char *name, bool allowed, struct found *found)
{
    struct litmus_test *test;
    struct error error = {0};
    struct text text = {0};
    text_add(&text, "PTX %s\n{ x=0; }\n P0@cta 0,gpu 0 ;\n ld.relaxed.gpu r0, x ;\nexists (0:r0=1)\n", name);
    *found = (struct found){.count = 0};
    if (litmus_parse("text", text_string(&text), text.size, &test, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    assert_int_equal(nearest_find(test, allowed, &found->arena, &found->tests, &found->count, &error), STATUS_OK);
    litmus_release(test);
    text_release(&text);
}

static void assert_near(const struct found *found, size_t at, const char *name, const char *expect, const char *differs)
{
    assert_true(at < found->count);
    assert_string_equal(found->tests[at].name, name);
    assert_string_equal(found->tests[at].expect, expect);
    assert_string_equal(found->tests[at].differs, differs);
}

/* Protects: a word is replaced, added or missing, and tests with the other verdict come first. */
static void one_word_differs(void **state)
{
    struct found found;
    (void)state;
    find("MP+relaxed+acq", true, &found);
    assert_int_equal(found.count, NEAREST_MAXIMUM);
    bool same_verdict = false;
    for (size_t i = 0; i < found.count; i++) {
        same_verdict |= strcmp(found.tests[i].expect, "forbidden") != 0;
        assert_true(!same_verdict || strcmp(found.tests[i].expect, "forbidden") != 0);
    }
    assert_near(&found, 0, "MP+rel+acq", "forbidden", "rel instead of relaxed");
    arena_release(&found.arena);
    find("MP+rel+acq+cta+01", false, &found);
    assert_near(&found, 0, "MP+rel+acq+cta", "allowed", "without 01");
    arena_release(&found.arena);
    find("MP+rel+acq+cta", true, &found);
    bool placed = false;
    for (size_t i = 0; i < found.count; i++)
        placed |=
            strcmp(found.tests[i].differs, "with 01") == 0 && strcmp(found.tests[i].name, "MP+rel+acq+cta+01") == 0;
    assert_true(placed);
    arena_release(&found.arena);
}

/* Protects: the instances of a template are near to each other. */
static void templates_have_neighbours(void **state)
{
    struct found found;
    (void)state;
    find("cas-sl+fence0", true, &found);
    assert_true(found.count > 0);
    for (size_t i = 0; i < found.count; i++)
        assert_memory_equal(found.tests[i].name, "cas-sl+", strlen("cas-sl+"));
    arena_release(&found.arena);
}

/* Protects: a name without a family of the catalogue has no neighbours, nor has one of too many words. */
static void nothing_is_near(void **state)
{
    struct found found;
    (void)state;
    static const char *const names[] = {"T", "mine+rel+acq", "MP+a+b+c+d+e+f+g+h+i+j+k+l+m+n+o+p"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        find(names[i], true, &found);
        assert_int_equal(found.count, 0);
        arena_release(&found.arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_word_differs),
        cmocka_unit_test(templates_have_neighbours),
        cmocka_unit_test(nothing_is_near),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
