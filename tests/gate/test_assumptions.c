// SPDX-License-Identifier: Apache-2.0
/* Assumptions: no sightings are an answer only if the planted violation was seen, a sighting always is one, and the
 * gravest answer determines the exit code. No text of any origin has control
 * characters. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "gate/assume/assumptions.h"

/* An assumption that holds: each case below changes the part under test. */
static struct assumption holding(void)
{
    return (struct assumption){
        .itself = {.test = "itself", .state = JOB_COMPLETED, .reason = "", .instances = 3000000},
        .planted = {.test = "planted", .state = JOB_COMPLETED, .reason = "", .instances = 1000, .witnesses = 5},
        .assumes = "it is whole",
        .relies = "somebody",
        .promises = "nothing",
        .instead = "a fence"};
}

static void expect_answer(const struct assumption *assumption, enum assumption_answer answer, int code)
{
    const struct assumptions one = {.list = (struct assumption *)(uintptr_t)assumption, .count = 1};
    assert_int_equal(assumption_answer(assumption), answer);
    assert_int_equal(assumptions_exit_code(&one), code);
}

static void expect_figures(const struct assumption *assumption, const char *figures)
{
    struct text text = {0};
    assumption_add_figures(assumption, &text);
    assert_string_equal(text_string(&text), figures);
    text_release(&text);
}

static void silence_is_a_bound_where_the_planted_violation_was_seen(void **state)
{
    (void)state;
    struct assumption assumption = holding();
    expect_answer(&assumption, ASSUMPTION_HOLDS, 0);
    expect_figures(&assumption, "0 of 3,000,000 instances: below 1.0e-06 per instance (95 %)");
}

static void silence_says_nothing_where_it_was_not(void **state)
{
    (void)state;
    struct assumption unseen = holding(), unsupported = holding(), empty = holding(), not_kept = holding(),
                      not_run = holding();
    unseen.planted.witnesses = 0;
    unsupported.planted = (struct assumption_job){.test = "planted", .state = JOB_UNSUPPORTED, .reason = "too old"};
    empty.itself.instances = 0;
    not_kept.itself.not_kept = "a store is gone";
    not_run.itself = (struct assumption_job){.test = "itself", .state = JOB_NOT_RUN, .reason = ""};
    struct assumption invalid = holding(), interrupted = holding();
    invalid.itself.state = JOB_INVALID;
    interrupted.itself.state = JOB_INTERRUPTED;
    expect_answer(&invalid, ASSUMPTION_UNKNOWN, 3);
    expect_answer(&interrupted, ASSUMPTION_HOLDS, 0);
    expect_answer(&unseen, ASSUMPTION_UNKNOWN, 3);
    expect_answer(&unsupported, ASSUMPTION_UNKNOWN, 3);
    expect_answer(&empty, ASSUMPTION_UNKNOWN, 3);
    expect_answer(&not_kept, ASSUMPTION_UNKNOWN, 3);
    expect_answer(&not_run, ASSUMPTION_UNKNOWN, 3);
    expect_figures(&not_kept, "0 of 3,000,000 instances, but the compiled code is not the test: a store is gone");
}

static void a_sighting_breaks_it_whatever_was_planted(void **state)
{
    (void)state;
    struct assumption broken = holding();
    broken.itself.witnesses = 3;
    broken.planted.witnesses = 0;
    expect_answer(&broken, ASSUMPTION_BROKEN, 1);
    expect_figures(&broken, "seen in 3 of 3,000,000 instances, 1 in 1,000,000");
    broken.itself.state = JOB_HANG;
    expect_answer(&broken, ASSUMPTION_BROKEN, 1);
}

static void a_fault_is_told_as_one(void **state)
{
    (void)state;
    struct assumption itself = holding(), planted = holding();
    itself.itself.state = JOB_CRASH;
    itself.itself.reason = "signal 11";
    planted.planted.state = JOB_HANG;
    expect_answer(&itself, ASSUMPTION_FAILED, 4);
    expect_answer(&planted, ASSUMPTION_FAILED, 4);
    expect_figures(&itself, "crash: signal 11");
    struct assumption impossible = holding();
    impossible.itself.impossible = 2;
    expect_answer(&impossible, ASSUMPTION_FAILED, 4);
}

static void the_gravest_answer_is_the_exit_code(void **state)
{
    (void)state;
    struct assumption list[4] = {holding(), holding(), holding(), holding()};
    struct assumptions all = {.list = list, .count = 1};
    list[0].itself = (struct assumption_job){.test = "old", .state = JOB_UNSUPPORTED, .reason = "too old"};
    assert_int_equal(assumptions_exit_code(&all), 3); /* nothing was reported */
    all.count = 2;
    assert_int_equal(assumptions_exit_code(&all), 0);
    list[2].planted.witnesses = 0;
    all.count = 3;
    assert_int_equal(assumptions_exit_code(&all), 3);
    list[3].itself.witnesses = 1;
    all.count = 4;
    assert_int_equal(assumptions_exit_code(&all), 1);
    all.signal = 2;
    assert_int_equal(assumptions_exit_code(&all), 130);
    struct text text = {0};
    assumptions_add_sum(&all, &text);
    assert_string_equal(text_string(&text),
                        "1 assumption holds so far, 1 is broken, 1 cannot be decided, 1 is unsupported");
    text_release(&text);
}

static void texts_of_any_origin_are_no_control_characters(void **state)
{
    (void)state;
    static const char word[] = "<script>\x1b[1m";
    struct assumption assumption = holding();
    assumption.itself.test = assumption.assumes = assumption.relies = assumption.promises = assumption.instead = word;
    const struct backend_device device = {
        .backend = "cuda", .name = "\x1b[1m", .architecture = "\x1b[1m", .driver = "\x1b[1m", .compiler = "\x1b[1m"};
    const struct assumptions all = {.list = &assumption,
                                    .count = 1,
                                    .tool = "orchil",
                                    .when = "2026-11-23",
                                    .device = &device,
                                    .profile = word,
                                    .environment = word,
                                    .database = word};
    struct text text = {0}, json = {0};
    assumptions_print_text(&all, false, 80, &text);
    assumptions_print_json(&all, &json);
    assert_null(strchr(text_string(&text), '\x1b'));
    assert_null(strchr(text_string(&json), '\x1b'));
    text_release(&text);
    text_release(&json);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(silence_is_a_bound_where_the_planted_violation_was_seen),
        cmocka_unit_test(silence_says_nothing_where_it_was_not),
        cmocka_unit_test(a_sighting_breaks_it_whatever_was_planted),
        cmocka_unit_test(a_fault_is_told_as_one),
        cmocka_unit_test(the_gravest_answer_is_the_exit_code),
        cmocka_unit_test(texts_of_any_origin_are_no_control_characters),
    };
    return cmocka_run_group_tests_name("assumptions", tests, NULL, NULL);
}
