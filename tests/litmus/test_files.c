// SPDX-License-Identifier: Apache-2.0
/* Protects what the parser accepts and its error messages: a text of accepted/ prints as written below it, a text of
 * refused/ gives that message, and one of warned/ those warnings, to the letter. The title of a case is the name of its
 * file in messages. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/corpus.h"
#include "tests/litmus/round_trip.h"

#define FOLDER ORCHIL_SOURCE_DIR "/tests/litmus/"

enum { NAME_SIZE = 256 };

static enum status parse_case(const struct corpus_case *one, char name[NAME_SIZE], struct litmus_test **test,
                              struct error *error)
{
    const struct text *text = corpus_part(one, "");
    (void)snprintf(name, NAME_SIZE, "%s.litmus", one->title);
    return litmus_parse(name, text_string(text), text->size, test, error);
}

static void check_accepted(struct corpus_case *one, void *context)
{
    char name[NAME_SIZE];
    struct text printed = {0};
    struct litmus_test *test;
    struct error error = {0};
    (void)context;
    if (parse_case(one, name, &test, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    litmus_print(test, &printed);
    corpus_expect(one, "printed", text_string(&printed));
    assert_round_trip(test, name);
    litmus_release(test);
    text_release(&printed);
}

static void check_refused(struct corpus_case *one, void *context)
{
    char name[NAME_SIZE];
    struct text message = {0};
    struct litmus_test *test;
    struct error error = {0};
    (void)context;
    const enum status status = parse_case(one, name, &test, &error);
    if (status == STATUS_OK)
        fail_msg("%s is accepted", name);
    assert_null(test);
    assert_true(status == STATUS_SYNTAX || status == STATUS_LIMIT);
    assert_int_equal(error.status, status);
    text_add(&message, "%s\n", error.text);
    corpus_expect(one, "expected", text_string(&message));
    text_release(&message);
}

static void accepted_texts_print_as_written_below_them(void **state)
{
    (void)state;
    assert_true(corpus_each(FOLDER "accepted", check_accepted, NULL) > 0);
}

static void refused_texts_say_what_was_expected(void **state)
{
    (void)state;
    assert_true(corpus_each(FOLDER "refused", check_refused, NULL) > 0);
}

static void check_warned(struct corpus_case *one, void *context)
{
    char name[NAME_SIZE];
    struct text warnings = {0};
    struct litmus_test *test;
    struct error error = {0};
    (void)context;
    if (parse_case(one, name, &test, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    for (size_t i = 0; i < test->warning_count; i++)
        text_add(&warnings, "%u:%u: %s\n", test->warnings[i].place.line, test->warnings[i].place.column,
                 test->warnings[i].text);
    corpus_expect(one, "warnings", text_string(&warnings));
    litmus_release(test);
    text_release(&warnings);
}

static void probable_mistakes_are_warned_of(void **state)
{
    (void)state;
    assert_true(corpus_each(FOLDER "warned", check_warned, NULL) > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(accepted_texts_print_as_written_below_them),
        cmocka_unit_test(refused_texts_say_what_was_expected),
        cmocka_unit_test(probable_mistakes_are_warned_of),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
