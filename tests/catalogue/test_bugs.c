// SPDX-License-Identifier: Apache-2.0
/* Protects: what tests-litmus/field/bugs.txt says can be read, and a test that it names exists and can show
 * something. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/memory.h"
#include "catalogue/catalogue.h"
#include "catalogue/selection.h"
#include "kernel/target.h"
#include "litmus/litmus.h"

enum { NAME_SIZE = 200, MAXIMUM_TESTS = 2000 };

static const char *name_of(const struct text_part *words)
{
    static char name[NAME_SIZE];
    (void)snprintf(name, sizeof name, "%.*s", (int)words->size, words->start);
    return name;
}

static bool has(const struct bug *bug, const char *key)
{
    struct text value = {0};
    bug_add_value(bug, key, &value);
    const bool there = value.size > 0;
    text_release(&value);
    return there;
}

static void bugs_have_fields_and_other_names(void **state)
{
    static const char *const needed[] = {"link",   "date",  "project", "kind",   "api",   "vendor", "device", "what",
                                         "broken", "fixed", "seen",    "status", "shape", "grade",  "read"};
    (void)state;
    size_t count = 0;
    for (struct bug bug = {0}; bug_next(&bug); count++) {
        for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
            if (!has(&bug, needed[i]))
                fail_msg("%s has no %s", name_of(&bug.name), needed[i]);
        if (has(&bug, "test") == has(&bug, "not"))
            fail_msg("%s names tests or says why there are none", name_of(&bug.name));
        for (struct bug other = bug; bug_next(&other);)
            if (other.name.size == bug.name.size && memcmp(other.name.start, bug.name.start, bug.name.size) == 0)
                fail_msg("%s is there twice", name_of(&bug.name));
    }
    assert_true(count > 0);
}

static void values_are_one_line(void **state)
{
    (void)state;
    for (struct bug bug = {0}; bug_next(&bug);)
        for (struct text_part key = {0}, lines = {0}; bug_next_field(&bug, &key, &lines);) {
            struct text value = {0};
            bug_add_value(&bug, name_of(&key), &value);
            if (value.size == 0 || strchr(text_string(&value), '\n'))
                fail_msg("%.*s: '%s'", (int)bug.name.size, bug.name.start, text_string(&value));
            text_release(&value);
        }
}

/* A control shows that an outcome means something, a mutant that silence does. A test of progress needs neither, and of
 * a bug of a specification the test may be undefined. */
static bool can_show(const struct bug *bug, const struct litmus_test *test)
{
    struct text kind = {0};
    bug_add_value(bug, "kind", &kind);
    const bool specification = strcmp(text_string(&kind), "specification") == 0;
    text_release(&kind);
    return litmus_metadata(test, "Control") || litmus_metadata(test, "Mutants") || litmus_metadata(test, "Progress") ||
           specification;
}

/* All tests that bugs name. */
static void select_tests(struct selection *selection)
{
    char *words[MAXIMUM_TESTS];
    size_t count = 0;
    struct error error;
    for (struct bug bug = {0}; bug_next(&bug);)
        for (struct text_part name = {0}; bug_next_test(&bug, &name);) {
            assert_true(count < MAXIMUM_TESTS);
            words[count++] = memory_copy_part(name.start, name.size);
        }
    if (selection_make(words, count, kernel_judge, selection, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    while (count > 0)
        free(words[--count]);
}

static const struct litmus_test *find(const struct selection *selection, const struct text_part *name)
{
    for (size_t i = 0; i < selection->count; i++)
        if (bug_is_test(name, selection->tests[i].test))
            return selection->tests[i].test;
    fail_msg("%s is an alias or several tests, and no test's own name", name_of(name));
    return NULL;
}

static void bugs_name_tests_that_can_show_something(void **state)
{
    (void)state;
    struct selection selection;
    select_tests(&selection);
    for (struct bug bug = {0}; bug_next(&bug);) {
        bool good = !has(&bug, "test");
        for (struct text_part name = {0}; bug_next_test(&bug, &name);)
            good = can_show(&bug, find(&selection, &name)) || good;
        if (!good)
            fail_msg("%s: no test has a control or mutants", name_of(&bug.name));
    }
    selection_release(&selection);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bugs_have_fields_and_other_names),
        cmocka_unit_test(values_are_one_line),
        cmocka_unit_test(bugs_name_tests_that_can_show_something),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
