// SPDX-License-Identifier: Apache-2.0
/* Protects a user's choice of homes: it is read, stored and read back unchanged, in one canonical text, and malformed
 * text is refused. An environment without homes has a text and a hash without them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "runner/environment/environment.h"

static struct environment make_environment(void)
{
    const struct backend_device device = {.gpu = true};
    struct environment environment;
    environment_default(&device, &environment);
    return environment;
}

static void check_text(const char *said, const char *canonical)
{
    struct environment environment = make_environment();
    struct error error;
    if (environment_set_homes(&environment, said, &error) != STATUS_OK)
        fail_msg("%s: %s", said, error.text);
    assert_string_equal(environment.homes, canonical);
    assert_int_equal(environment_set_homes(&environment, environment.homes, &error), STATUS_OK);
    assert_string_equal(environment.homes, canonical);
}

static void texts_have_one_form(void **state)
{
    (void)state;
    check_text("x=1", "x=1");
    check_text("y=host,x=1", "x=1,y=host");
    check_text(" y = host ,\tx =0 ", "x=0,y=host");
    check_text("x=1,*=host", "*=host,x=1");
    check_text("", "");
    check_text("  ", "");
}

static void what_is_no_home_is_refused(void **state)
{
    static const char *const wrong[] = {
        "x",        "x=",      "=1",   "x=4",  "x=-1",           "x=10",  "x=Host", "x=1 y=0", "x=1,", ",x=1",
        "x=1,,y=0", "x=1,x=1", "x=1;", "**=1", "x=1,y=0,x=host", "x y=1", "x\"=1",  "x=\"1\"", "x*=1", "x=1\n"};
    struct environment environment = make_environment();
    struct error error;
    (void)state;
    assert_int_equal(environment_set_homes(&environment, "z=2", &error), STATUS_OK);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        if (environment_set_homes(&environment, wrong[i], &error) != STATUS_SYNTAX)
            fail_msg("'%s' was taken: %s", wrong[i], environment.homes);
        assert_string_equal(environment.homes, "z=2");
    }
    struct text text = {0};
    for (unsigned i = 0; i < 60; i++)
        text_add(&text, "%slocation%u=1", i > 0 ? "," : "", i);
    assert_int_equal(environment_set_homes(&environment, text_string(&text), &error), STATUS_SYNTAX);
    text_release(&text);
    text_add(&text, "%0300d=1", 0); /* one name that is too long */
    assert_int_equal(environment_set_homes(&environment, text_string(&text), &error), STATUS_SYNTAX);
    text_release(&text);
}

static void locations_find_their_homes(void **state)
{
    struct environment environment = make_environment();
    struct error error;
    (void)state;
    assert_int_equal(environment_home_of(&environment, "x"), ENVIRONMENT_HOME_DRAWN);
    assert_int_equal(environment_set_homes(&environment, "x=1,xy=host", &error), STATUS_OK);
    assert_int_equal(environment_home_of(&environment, "x"), 1);
    assert_int_equal(environment_home_of(&environment, "xy"), ENVIRONMENT_HOME_HOST);
    assert_int_equal(environment_home_of(&environment, "xyz"), ENVIRONMENT_HOME_DRAWN);
    assert_int_equal(environment_home_of(&environment, "y"), ENVIRONMENT_HOME_DRAWN);
    assert_int_equal(environment_set_homes(&environment, "x=1,*=0", &error), STATUS_OK);
    assert_int_equal(environment_home_of(&environment, "x"), 1);
    assert_int_equal(environment_home_of(&environment, "y"), 0);
}

static void they_are_kept(void **state)
{
    struct environment environment = make_environment(), again;
    struct text before = {0}, text = {0};
    struct error error;
    char hash[65], other[65];
    (void)state;
    environment_print(&environment, &before);
    assert_null(strstr(text_string(&before), "homes"));
    environment_hash(&environment, hash);
    assert_int_equal(environment_set_homes(&environment, "y=host,x=1", &error), STATUS_OK);
    environment_print(&environment, &text);
    assert_memory_equal(text_string(&text), text_string(&before), before.size - 1); /* without the closing brace */
    assert_string_equal(text_string(&text) + before.size - 1, ",\"homes\":\"x=1,y=host\"}");
    environment_hash(&environment, other);
    assert_string_not_equal(hash, other);
    assert_int_equal(environment_parse(text_string(&text), &again, &error), STATUS_OK);
    assert_string_equal(again.homes, "x=1,y=host");
    assert_int_equal(environment_parse(text_string(&before), &again, &error), STATUS_OK);
    assert_string_equal(again.homes, "");
    text_release(&text);
    text_add(&text, "%.*s,\"homes\":7}", (int)before.size - 1, text_string(&before));
    assert_int_equal(environment_parse(text_string(&text), &again, &error), STATUS_SYNTAX);
    text_release(&text);
    text_release(&before);
}

static void profiles_say_them(void **state)
{
    struct environment environment = make_environment();
    struct error error;
    (void)state;
    assert_int_equal(environment_read("p", "[environment]\nhome = y=host, x=1\nrounds = 5\n", &environment, &error),
                     STATUS_OK);
    assert_string_equal(environment.homes, "x=1,y=host");
    /* All members of a portfolio have them. */
    environment = make_environment();
    assert_int_equal(environment_read("p", "[environment]\nhome = *=0\n[portfolio]\nhunt = 1\nenvironment = 2\n",
                                      &environment, &error),
                     STATUS_SYNTAX); /* hunt is a portfolio itself */
    environment = make_environment();
    assert_int_equal(environment_read("p", "[environment]\nhome = *=0\n[portfolio]\ngpu = 1\nenvironment = 2\n",
                                      &environment, &error),
                     STATUS_OK);
    for (uint64_t batch = 0; batch < 3; batch++) {
        const struct environment member = environment_of_batch(&environment, batch);
        assert_int_equal(environment_home_of(&member, "x"), 0);
    }
    environment = make_environment();
    assert_int_equal(environment_read("p", "[environment]\nrounds = 5\nhome = x=9\n", &environment, &error),
                     STATUS_SYNTAX);
    assert_string_equal(error.text, "p:3:1: home: homes: expected LOCATION=MEMBER, a number from 0 to 3 or 'host', "
                                    "separated by commas, found 'x=9'");
    assert_int_equal(environment_read("p", "[environment]\nhome = x=1\nhome = y=1\n", &environment, &error),
                     STATUS_SYNTAX);
    assert_string_equal(error.text, "p:3:1: home: expected one line for all locations");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_have_one_form),        cmocka_unit_test(what_is_no_home_is_refused),
        cmocka_unit_test(locations_find_their_homes), cmocka_unit_test(they_are_kept),
        cmocka_unit_test(profiles_say_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
