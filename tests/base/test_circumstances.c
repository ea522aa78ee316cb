// SPDX-License-Identifier: Apache-2.0
/* Protects: circumstances are written as JSON and read back; unknown values are left out, and impossible ones are
 * rejected. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/circumstances.h"

static void expect_text(const struct circumstances *circumstances, const char *expected)
{
    struct text text = {0};
    circumstances_print(circumstances, &text);
    assert_string_equal(text_string(&text), expected);
    text_release(&text);
}

static bool read_text(const char *json, struct circumstances *circumstances)
{
    json_t *value = json_loads(json, JSON_DECODE_ANY, NULL);
    assert_non_null(value);
    const bool read = circumstances_read(value, circumstances);
    json_decref(value);
    return read;
}

static void what_is_known_comes_back(void **state)
{
    static const char *const texts[] = {
        "{}",
        ("{\"sm_clock_mhz\":1980,\"memory_clock_mhz\":2619,\"temperature_c\":61,\"power_w\":701.25,\"other_processes\":0,"
         "\"host_load\":0.52,\"cpu_mhz\":2596.142,\"throttle\":\"power thermal\"}"),
        "{\"throttle\":\"none\"}",
        "{\"other_processes\":1000000}",
    };
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct circumstances circumstances;
        assert_true(read_text(texts[i], &circumstances));
        expect_text(&circumstances, texts[i]);
    }
}

static void what_cannot_be_true_is_refused(void **state)
{
    static const char *const texts[] = {
        "7",
        "[]",
        "null",
        "{\"wind\":1}",
        "{\"sm_clock_mhz\":-1}",
        "{\"sm_clock_mhz\":100001}",
        "{\"sm_clock_mhz\":\"1980\"}",
        "{\"throttle\":7}",
        "{\"throttle\":\"\"}",
        "{\"throttle\":\"power  thermal\"}",
        "{\"throttle\":\"power \"}",
        "{\"throttle\":\"<b>\"}",
        "{\"throttle\":\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\"}",
        "{\"sm_clock_mhz\":1980,\"power_w\":-1}",
    };
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct circumstances circumstances = {.known = 1};
        if (read_text(texts[i], &circumstances))
            fail_msg("%s is accepted", texts[i]);
        expect_text(&circumstances, "{}");
    }
}

static void a_number_that_is_none_is_not_noted(void **state)
{
    struct circumstances circumstances = {0};
    (void)state;
    assert_false(circumstances_note(&circumstances, CIRCUMSTANCE_HOST_LOAD, NAN));
    assert_false(circumstances_note(&circumstances, CIRCUMSTANCE_HOST_LOAD, INFINITY));
    assert_false(circumstances_note(&circumstances, CIRCUMSTANCE_OTHER_PROCESSES, -1));
    expect_text(&circumstances, "{}");
    assert_true(circumstances_note(&circumstances, CIRCUMSTANCE_HOST_LOAD, 0));
    expect_text(&circumstances, "{\"host_load\":0}");
    assert_string_equal(circumstance_member(CIRCUMSTANCE_CPU_CLOCK), "cpu_mhz");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_known_comes_back),
        cmocka_unit_test(what_cannot_be_true_is_refused),
        cmocka_unit_test(a_number_that_is_none_is_not_noted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
