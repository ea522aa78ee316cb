// SPDX-License-Identifier: Apache-2.0
/* Protects what the parser accepts and how it refuses: accepted/NAME.litmus prints as NAME.printed, refused/NAME.litmus
 * gives the message NAME.expected, to the letter. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/litmus/round_trip.h"

#define FOLDER ORCHIL_SOURCE_DIR "/tests/litmus/"

enum { PATH_SIZE = 4096 };

/* Reads the file that stands beside path with another ending. */
static void read_neighbour(const char *path, const char *ending, struct text *text)
{
    char neighbour[PATH_SIZE];
    const size_t length = strlen(path) - strlen("litmus");
    (void)snprintf(neighbour, sizeof neighbour, "%.*s%s", (int)length, path, ending);
    read_text(neighbour, text);
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static void check_accepted(const char *path, void *context)
{
    struct text text = {0}, expected = {0}, printed = {0};
    struct litmus_test *test;
    struct error error = {0};
    (void)context;
    read_text(path, &text);
    read_neighbour(path, "printed", &expected);
    if (litmus_parse(base_name(path), text_string(&text), text.size, &test, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    litmus_print(test, &printed);
    if (strcmp(text_string(&printed), text_string(&expected)) != 0)
        fail_msg("%s prints as\n%s", path, text_string(&printed));
    assert_round_trip(test, base_name(path));
    litmus_release(test);
    text_release(&text);
    text_release(&expected);
    text_release(&printed);
}

static void check_refused(const char *path, void *context)
{
    struct text text = {0}, expected = {0}, message = {0};
    struct litmus_test *test;
    struct error error = {0};
    (void)context;
    read_text(path, &text);
    read_neighbour(path, "expected", &expected);
    const enum status status = litmus_parse(base_name(path), text_string(&text), text.size, &test, &error);
    if (status == STATUS_OK)
        fail_msg("%s is accepted", path);
    assert_null(test);
    assert_true(status == STATUS_SYNTAX || status == STATUS_LIMIT);
    assert_int_equal(error.status, status);
    text_add(&message, "%s\n", error.text);
    if (strcmp(text_string(&message), text_string(&expected)) != 0)
        fail_msg("%s says\n%snot\n%s", path, text_string(&message), text_string(&expected));
    text_release(&text);
    text_release(&expected);
    text_release(&message);
}

static void accepted_files_print_as_written_beside_them(void **state)
{
    (void)state;
    assert_true(each_litmus_file(FOLDER "accepted", check_accepted, NULL) > 0);
}

static void refused_files_say_what_was_expected(void **state)
{
    (void)state;
    assert_true(each_litmus_file(FOLDER "refused", check_refused, NULL) > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(accepted_files_print_as_written_beside_them),
        cmocka_unit_test(refused_files_say_what_was_expected),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
