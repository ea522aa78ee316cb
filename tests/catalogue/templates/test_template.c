// SPDX-License-Identifier: Apache-2.0
/* Protects what a template means: a text of templates/accepted.txt gives the instances written below it, each of which
 * parses; a text of templates/refused.txt gives that message, to the letter, place included. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "catalogue/templates/template.h"
#include "tests/corpus.h"
#include "tests/litmus/round_trip.h"

#define FOLDER ORCHIL_SOURCE_DIR "/tests/catalogue/templates/"

enum { NAME_SIZE = 256 };

static struct template *parse(const char *text)
{
    struct template *template;
    struct error error = {0};
    if (template_parse("test.litmus", text, strlen(text), &template, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    return template;
}

static void add_instance(const struct template *template, size_t instance, struct text *text)
{
    struct litmus_test *test;
    struct error error = {0};
    text_add(text, "== %s\n", template_name(template, instance));
    assert_int_equal(template_text(template, instance, text, NULL, &error), STATUS_OK);
    if (template_test(template, instance, &test, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    assert_string_equal(test->name, template_name(template, instance));
    assert_int_equal(test->dialect, template_dialect(template));
    litmus_release(test);
}

static void check_accepted(struct corpus_case *one, void *context)
{
    char name[NAME_SIZE];
    const struct text *text = corpus_part(one, "");
    struct text found = {0};
    struct template *template;
    struct error error = {0};
    (void)context;
    (void)snprintf(name, sizeof name, "%s.litmus", one->title);
    if (template_parse(name, text_string(text), text->size, &template, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    text_add(&found, "%zu of %s\n", template_count(template), template_title(template));
    for (size_t i = 0; i < template_count(template); i++)
        add_instance(template, i, &found);
    corpus_expect(one, "instances", text_string(&found));
    template_release(template);
    text_release(&found);
}

/* The first error of a template and its instances. */
static enum status refuse(const char *file, const char *text, size_t size, struct error *error)
{
    struct template *template;
    enum status status = template_parse(file, text, size, &template, error);
    if (status != STATUS_OK) {
        assert_null(template);
        return status;
    }
    for (size_t i = 0; status == STATUS_OK && i < template_count(template); i++) {
        struct litmus_test *test;
        status = template_test(template, i, &test, error);
        litmus_release(test);
    }
    template_release(template);
    return status;
}

static void check_refused(struct corpus_case *one, void *context)
{
    char name[NAME_SIZE];
    const struct text *text = corpus_part(one, "");
    struct text message = {0};
    struct error error = {0};
    (void)context;
    (void)snprintf(name, sizeof name, "%s.litmus", one->title);
    const enum status status = refuse(name, text_string(text), text->size, &error);
    if (status == STATUS_OK)
        fail_msg("%s is accepted", name);
    assert_true(status == STATUS_SYNTAX || status == STATUS_LIMIT);
    assert_int_equal(error.status, status);
    text_add(&message, "%s\n", error.text);
    corpus_expect(one, "expected", text_string(&message));
    text_release(&message);
}

static void accepted_templates_give_the_instances_below_them(void **state)
{
    (void)state;
    assert_true(corpus_each(FOLDER "accepted.txt", check_accepted, NULL) > 0);
}

static void refused_templates_say_what_was_expected(void **state)
{
    (void)state;
    assert_true(corpus_each(FOLDER "refused.txt", check_refused, NULL) > 0);
}

/* A file without axes is one test, with its dollars. */
static void a_plain_file_is_a_family_of_one(void **state)
{
    static const char plain[] = "OPENCL one\n\"$$ and ${name}\"\n{ x=0; }\n"
                                "P0@wg 0, dev 0 (global atomic_int* x) { int r0 = atomic_load(x); }\n"
                                "exists (0:r0=0)\n";
    struct text text = {0};
    struct error error = {0};
    struct litmus_test *test;
    (void)state;
    struct template *template = parse(plain);
    assert_false(template_is_family(template));
    assert_int_equal(template_count(template), 1);
    assert_string_equal(template_name(template, 0), "one");
    assert_int_equal(template_text(template, 0, &text, NULL, &error), STATUS_OK);
    assert_string_equal(text_string(&text), plain);
    assert_int_equal(template_test(template, 0, &test, &error), STATUS_OK);
    assert_string_equal(test->doc, "$$ and ${name}");
    litmus_release(test);
    template_release(template);
    text_release(&text);
}

/* The parser's messages on a plain file are unchanged, and errors in a head are left to it. */
static void a_plain_file_keeps_the_errors_of_the_parser(void **state)
{
    static const char *const texts[] = {"", "SPIRV x\n{}\n", "OPENCL\n", "OPENCL x\n{ x=0; \n", "PTX x\n\"open\n"};
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct error found = {0}, expected = {0};
        struct litmus_test *test;
        const enum status status = litmus_parse("f", texts[i], strlen(texts[i]), &test, &expected);
        assert_int_not_equal(status, STATUS_OK);
        assert_int_equal(refuse("f", texts[i], strlen(texts[i]), &found), status);
        assert_string_equal(found.text, expected.text);
    }
    struct error error = {0};
    assert_int_equal(refuse("f", "OPENCL a\0b", 10, &error), STATUS_SYNTAX);
    assert_string_equal(error.text, "f:1:9: expected text, found a NUL byte");
}

static void add_axis(struct text *text, char name, unsigned values)
{
    text_add(text, "vary %c = 0", name);
    for (unsigned i = 1; i < values; i++)
        text_add(text, ",%u", i);
    text_add(text, "\n");
}

/* The limits on combinations, instances and the sizes of names and texts. */
static void too_many_instances_are_refused(void **state)
{
    static const struct {
        unsigned a, b;
        const char *expected;
    } cases[] = {
        {64, 64,
         "f:4:1: expected a quoted text, a line Key=value, or '{' of the initial state, found the end of the "
         "file (in the instance t+0+0)"},
        {64, 65, "f:1:8: expected at most 4096 instances, found more: split the template"},
        {257, 257, "f:3:6: expected at most 65536 combinations of values, found more: split the template"},
        {4097, 1, "f:2:6: expected at most 4096 values of an axis"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct text text = {0};
        struct error error = {0};
        text_add(&text, "OPENCL t+$a+$b\n");
        add_axis(&text, 'a', cases[i].a);
        add_axis(&text, 'b', cases[i].b);
        (void)refuse("f", text_string(&text), text.size, &error);
        assert_string_equal(error.text, cases[i].expected);
        text_release(&text);
    }
}

/* Values that name values can grow without bound: an instance ends where a file would, and after so many values
 * (values-many). */
static void values_that_double_each_other_end(void **state)
{
    struct text text = {0};
    struct error error = {0};
    (void)state;
    text_add(&text, "OPENCL t\nvary a0 = \"%01000d\"\n", 0);
    for (unsigned i = 1; i < 15; i++)
        text_add(&text, "vary a%u = \"$a%u$a%u$a%u$a%u\"\n", i, i - 1, i - 1, i - 1, i - 1);
    text_add(&text, "\"$a14\"\n");
    assert_int_equal(refuse("f", text_string(&text), text.size, &error), STATUS_LIMIT);
    assert_string_equal(error.text, "f:1:8: an instance is longer than 1048576 bytes where its text is expected");
    text_release(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(accepted_templates_give_the_instances_below_them),
        cmocka_unit_test(refused_templates_say_what_was_expected),
        cmocka_unit_test(a_plain_file_is_a_family_of_one),
        cmocka_unit_test(a_plain_file_keeps_the_errors_of_the_parser),
        cmocka_unit_test(too_many_instances_are_refused),
        cmocka_unit_test(values_that_double_each_other_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
