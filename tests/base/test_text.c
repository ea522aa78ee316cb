// SPDX-License-Identifier: Apache-2.0
/* Protects all printed, generated and stored text from loss at the edges of its buffer and beyond its maximum. */
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#include <cmocka.h>

#include "base/text.h"

static void an_empty_text_is_an_empty_string(void **state)
{
    (void)state;
    struct text text = {0};
    assert_string_equal(text_string(&text), "");
    text_clear(&text);
    assert_string_equal(text_string(&text), "");
    char *taken = text_take(&text);
    assert_non_null(taken);
    assert_string_equal(taken, "");
    free(taken);
    text_release(&text);
}

static void additions_stand_in_order(void **state)
{
    (void)state;
    struct text text = {0};
    text_add(&text, "%d", 12);
    text_add(&text, "%s", "");
    text_add_bytes(&text, "; x", 2);
    text_add(&text, "%c%5.2f", '|', 1.5);
    assert_string_equal(text_string(&text), "12; | 1.50");
    assert_int_equal(text.size, strlen("12; | 1.50"));
    text_release(&text);
    assert_string_equal(text_string(&text), "");
}

/* What text_add formats itself is what the C library makes of it. */
static void plain_formats_are_those_of_the_c_library(void **state)
{
    char expected[400];
    (void)state;
#define SAME(...)                                                                                                      \
    do {                                                                                                               \
        struct text text = {0};                                                                                        \
        assert_true(snprintf(expected, sizeof expected, __VA_ARGS__) < (int)sizeof expected);                          \
        text_add(&text, __VA_ARGS__);                                                                                  \
        assert_string_equal(text_string(&text), expected);                                                             \
        assert_int_equal(text.size, strlen(expected));                                                                 \
        text_release(&text);                                                                                           \
    } while (0)
    SAME("%d %d %d %d", 0, -1, INT_MAX, INT_MIN);
    SAME("%u %u %x %x", 0u, UINT_MAX, 0u, UINT_MAX);
    SAME("%ld %ld %lu %lx", LONG_MAX, LONG_MIN, ULONG_MAX, ULONG_MAX);
    SAME("%lld %lld %llu %llx", LLONG_MAX, LLONG_MIN, ULLONG_MAX, ULLONG_MAX);
    SAME("%zu %zd %zx", SIZE_MAX, (ssize_t)-1, (size_t)0xabcdef);
    SAME("[%s][%.*s][%.*s][%.*s][%c]%%", "word", 2, "word", 9, "word", -1, "word", 'x');
    SAME("%s%s", "", "last");
    SAME("%5d|%-5s|%05u|%#x|%+d|%.3s|%*d", 12, "ab", 12u, 12u, 12, "abcdef", 6, 12);
    SAME("%d %5s %d", 1, "two", 3); /* one of them is not plain */
    SAME("100%%");
#undef SAME
}

/* The first capacity is 256: every length around it, in one piece and byte by byte. */
static void growth_keeps_every_byte(void **state)
{
    char expected[1100];
    (void)state;
    for (size_t length = 250; length < 260; length++) {
        struct text whole = {0}, pieces = {0};
        for (size_t i = 0; i < length; i++)
            expected[i] = (char)('a' + i % 26);
        expected[length] = '\0';
        text_add(&whole, "%s", expected);
        for (size_t i = 0; i < length; i++)
            text_add(&pieces, "%c", expected[i]);
        assert_string_equal(text_string(&whole), expected);
        assert_string_equal(text_string(&pieces), expected);
        text_release(&whole);
        text_release(&pieces);
    }
}

static void past_the_maximum_a_text_fails_and_stays_failed(void **state)
{
    (void)state;
    const size_t half = TEXT_MAXIMUM / 2;
    char *bytes = malloc(half);
    assert_non_null(bytes);
    memset(bytes, 'x', half);
    struct text text = {0};
    text_add_bytes(&text, bytes, half);
    assert_false(text.failed);
    text_add_bytes(&text, bytes, half);
    assert_true(text.failed);
    text_add(&text, "more");
    assert_int_equal(text.size, half);
    assert_null(text_take(&text));
    free(bytes);

    text_add(&text, "usable again");
    assert_string_equal(text_string(&text), "usable again");
    text_release(&text);
}

static void a_taken_string_belongs_to_the_caller(void **state)
{
    (void)state;
    struct text text = {0};
    text_add(&text, "mine");
    char *taken = text_take(&text);
    text_add(&text, "other");
    assert_string_equal(taken, "mine");
    assert_string_equal(text_string(&text), "other");
    text_clear(&text);
    assert_string_equal(text_string(&text), "");
    free(taken);
    text_release(&text);
}

static void words_are_quoted_for_a_shell(void **state)
{
    static const char *const cases[][2] = {
        {"orchil.db", "orchil.db"}, {"a b.db", "'a b.db'"}, {"it's", "'it'\\''s'"}, {"", "''"}, {"$HOME", "'$HOME'"}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct text text = {0};
        text_add_shell_word(&text, cases[i][0]);
        assert_string_equal(text_string(&text), cases[i][1]);
        text_release(&text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_empty_text_is_an_empty_string),
        cmocka_unit_test(additions_stand_in_order),
        cmocka_unit_test(plain_formats_are_those_of_the_c_library),
        cmocka_unit_test(growth_keeps_every_byte),
        cmocka_unit_test(past_the_maximum_a_text_fails_and_stays_failed),
        cmocka_unit_test(a_taken_string_belongs_to_the_caller),
        cmocka_unit_test(words_are_quoted_for_a_shell),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
