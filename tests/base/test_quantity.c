// SPDX-License-Identifier: Apache-2.0
/* Protects --instances and --time from misread numbers, and printed numbers from impossible forms. */
#include <float.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/memory.h"
#include "base/quantity.h"

static void counts_are_read(void **state)
{
    static const struct {
        const char *text;
        uint64_t count;
    } cases[] = {
        {"1", 1},
        {"007", 7},
        {"100M", 100000000},
        {"2k", 2000},
        {"3G", UINT64_C(3000000000)},
        {"4T", UINT64_C(4000000000000)},
        {"1e9", 1000000000},
        {"1e+3", 1000},
        {"2.5M", 2500000},
        {"2.500k", 2500},
        {"1.0", 1},
        {"0.001k", 1},
        {"250e-1", 25},
        {"1.5e3k", 1500000},
        {"9223372036854775807", INT64_MAX},
        {"9223372036854775.807k", INT64_MAX},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        uint64_t count = 0;
        if (!quantity_parse_count(cases[i].text, &count))
            fail_msg("'%s' was refused", cases[i].text);
        assert_int_equal(count, cases[i].count);
    }
}

static void other_texts_are_no_counts(void **state)
{
    static const char *const cases[] = {
        "",
        " 1",
        "1 ",
        "+1",
        "-1",
        "0",
        "0.0",
        "0k",
        "0e9",
        "k",
        ".5k",
        "1.",
        "1.5",
        "2.5001k",
        "1KB",
        "1m",
        "1kk",
        "1e",
        "1e+",
        "1e-1",
        "12e-1",
        "1,000",
        "0x10",
        "inf",
        "nan",
        "1e19",
        "1e99999",
        "1e9999999999999999999",
        "9223372036854775808",
        "9.3e18",
        "10000000T",
        "18446744073709551617",
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        uint64_t count = 77;
        if (quantity_parse_count(cases[i], &count))
            fail_msg("'%s' was taken as a count", cases[i]);
        assert_int_equal(count, 77);
    }
}

static void seconds_are_read(void **state)
{
    static const struct {
        const char *text;
        double seconds;
    } cases[] = {
        {"1", 1}, {"90s", 90}, {"2m", 120}, {"1.5h", 5400}, {"0.1", 0.1}, {"0.25s", 0.25}, {"1e3", 1000}, {"5e-1m", 30},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        double seconds = 0;
        if (!quantity_parse_seconds(cases[i].text, &seconds))
            fail_msg("'%s' was refused", cases[i].text);
        assert_true(seconds == cases[i].seconds);
    }
}

static void other_texts_are_no_seconds(void **state)
{
    static const char *const cases[] = {
        "",  "0",   "0s",  "-1",    "+1",     " 1",     "1 s",   "1ms", "1d",
        "s", "inf", "nan", "1e999", "1e308h", "1e-999", "0x1p3", "1,5",
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        double seconds = 77;
        if (quantity_parse_seconds(cases[i], &seconds))
            fail_msg("'%s' was taken as seconds", cases[i]);
        assert_true(seconds == 77);
    }
}

static void counts_are_printed_in_groups(void **state)
{
    char buffer[QUANTITY_SIZE];
    (void)state;
    assert_string_equal(quantity_count(0, buffer), "0");
    assert_string_equal(quantity_count(999, buffer), "999");
    assert_string_equal(quantity_count(1000, buffer), "1,000");
    assert_string_equal(quantity_count(1234567, buffer), "1,234,567");
    assert_string_equal(quantity_count(UINT64_MAX, buffer), "18,446,744,073,709,551,615");
}

static void seconds_are_printed_with_their_unit(void **state)
{
    static const struct {
        double seconds;
        const char *text;
    } cases[] = {
        {0, "0 s"},           {-1, "0 s"},          {12e-6, "12 us"},        {0.0009996, "1 ms"},
        {0.532, "532 ms"},    {0.9996, "1.0 s"},    {3.2, "3.2 s"},          {59.94, "59.9 s"},
        {59.96, "1 min 0 s"}, {75.2, "1 min 15 s"}, {3599.4, "59 min 59 s"}, {3599.6, "1 h 0 min"},
        {7500, "2 h 5 min"},  {1e13, "1e+13 s"},    {DBL_MAX, "1.8e+308 s"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        char buffer[QUANTITY_SIZE];
        assert_string_equal(quantity_seconds(cases[i].seconds, buffer), cases[i].text);
    }
}

static void estimates_are_rounded(void **state)
{
    static const struct {
        double seconds;
        const char *text;
    } cases[] = {
        {0, "1 s"},       {0.3, "1 s"},        {41.2, "41 s"},          {59.6, "1 min"},
        {64, "1 min"},    {107, "1 min 50 s"}, {597, "10 min"},         {642, "11 min"},
        {3569, "59 min"}, {3571, "1 h"},       {24000, "6 h 40 min"},   {7100, "2 h"},
        {35900, "10 h"},  {100000, "28 h"},    {1e300, "1000000000 h"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        char buffer[QUANTITY_SIZE];
        assert_string_equal(quantity_about(cases[i].seconds, buffer), cases[i].text);
    }
}

static void short_numbers_have_three_digits(void **state)
{
    static const struct {
        double value;
        const char *text;
    } cases[] = {
        {0, "0"},           {5, "5"},           {532, "532"},         {12.345, "12.3"},
        {0.0034, "0.0034"}, {999.6, "1.00 k"},  {9996, "10.0 k"},     {99960, "100 k"},
        {1000, "1.00 k"},   {24.3e6, "24.3 M"}, {999.6e6, "1.00 G"},  {1.5e12, "1.50 T"},
        {999e12, "999 T"},  {1e15, "1e+15"},    {-24.3e6, "-24.3 M"}, {DBL_MAX, "1.8e+308"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        char buffer[QUANTITY_SIZE];
        assert_string_equal(quantity_short(cases[i].value, buffer), cases[i].text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counts_are_read),
        cmocka_unit_test(other_texts_are_no_counts),
        cmocka_unit_test(seconds_are_read),
        cmocka_unit_test(other_texts_are_no_seconds),
        cmocka_unit_test(counts_are_printed_in_groups),
        cmocka_unit_test(seconds_are_printed_with_their_unit),
        cmocka_unit_test(estimates_are_rounded),
        cmocka_unit_test(short_numbers_have_three_digits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
