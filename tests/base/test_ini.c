// SPDX-License-Identifier: Apache-2.0
/* Protects INI texts: lines arrive with their sections and numbers, the first wrong line is the one that is reported,
 * and a line too long for inih is never split. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "base/ini.h"
#include "base/text.h"

static bool take(struct ini_reader *reader, const char *section, const char *name, const char *value)
{
    text_add(reader->context, "%d [%s] %s=%s\n", reader->line, section, name, value);
    return strcmp(value, "wrong") != 0 || ini_refuse(reader, "'%s' is wrong", name);
}

static void begin_section(struct ini_reader *reader)
{
    text_add(reader->context, "%d begins\n", reader->line);
}

static void check(const char *from, const char *lines, const char *message)
{
    struct text taken = {0};
    struct ini_reader reader = {.take = take, .begin_section = begin_section, .context = &taken};
    struct error error = {.text = ""};
    assert_int_equal(ini_read(&reader, "file.ini", from, "expected a line", &error),
                     message[0] ? STATUS_SYNTAX : STATUS_OK);
    assert_string_equal(text_string(&taken), lines);
    assert_string_equal(error.text, message);
    text_release(&taken);
}

static void test_lines(void **state)
{
    (void)state;
    check("", "", "");
    check("a = 1\n\n; a remark\n[s]\nb=2 ; another\n[t]\nc = 3", "1 [] a=1\n4 begins\n5 [s] b=2\n6 begins\n7 [t] c=3\n",
          "");
}

static void test_wrong_lines(void **state)
{
    (void)state;
    check("a = wrong\nb = wrong\nmalformed\n", "1 [] a=wrong\n2 [] b=wrong\n", "file.ini:1:1: 'a' is wrong");
    check("malformed\na = wrong\n", "2 [] a=wrong\n", "file.ini:1:1: expected a line");
}

/* inih takes 198 characters. The rest of a longer line is not taken for another, even if it looks like one. */
static void test_long_lines(void **state)
{
    char from[512], blanks[256];
    (void)state;
    memset(blanks, ' ', sizeof blanks);
    (void)snprintf(from, sizeof from, "a =%.194s1\nb = 2\n", blanks);
    check(from, "1 [] a=1\n2 [] b=2\n", "");
    (void)snprintf(from, sizeof from, ";%.198sb = 1\na = wrong\n", blanks);
    check(from, "2 [] b=1\n3 [] a=wrong\n", "file.ini:1:1: expected at most 198 characters in a line");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lines),
        cmocka_unit_test(test_wrong_lines),
        cmocka_unit_test(test_long_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
