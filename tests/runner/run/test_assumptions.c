// SPDX-License-Identifier: Apache-2.0
/* Protects: of an assumption, no sightings are an answer only if the planted violation was seen; a sighting always is
 * one; a fault is told as one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "litmus/litmus.h"
#include "runner/run/assumptions.h"

static const struct litmus_test itself = {.name = "itself"}, planted = {.name = "planted"};

/* An assumption that holds: each case below changes the part under test. */
struct holding {
    struct assumption_job itself, planted;
};

static struct holding holding(void)
{
    return (struct holding){
        .itself = {.test = &itself, .state = JOB_COMPLETED, .reason = "", .instances = 3000000},
        .planted = {.test = &planted, .state = JOB_COMPLETED, .reason = "", .instances = 1000, .witnesses = 5}};
}

static void expect_answer(const struct holding *of, enum assumption_answer answer)
{
    assert_int_equal(assumption_answer(&(struct assumption){&of->itself, &of->planted}), answer);
}

static void expect_figures(const struct holding *of, const char *figures)
{
    struct text text = {0};
    assumption_add_figures(&(struct assumption){&of->itself, &of->planted}, &text);
    assert_string_equal(text_string(&text), figures);
    text_release(&text);
}

static void silence_is_a_bound_where_the_planted_violation_was_seen(void **state)
{
    (void)state;
    struct holding assumption = holding();
    expect_answer(&assumption, ASSUMPTION_HOLDS);
    expect_figures(&assumption, "0 of 3,000,000 instances: below 1.0e-06 per instance (95 %)");
}

static void silence_says_nothing_where_it_was_not(void **state)
{
    (void)state;
    struct holding unseen = holding(), unsupported = holding(), empty = holding(), not_kept = holding(),
                   not_run = holding();
    unseen.planted.witnesses = 0;
    unsupported.planted = (struct assumption_job){.test = &planted, .state = JOB_UNSUPPORTED, .reason = "too old"};
    empty.itself.instances = 0;
    not_kept.itself.not_kept = "a store is gone";
    not_run.itself = (struct assumption_job){.test = &itself, .state = JOB_NOT_RUN, .reason = ""};
    struct holding invalid = holding(), interrupted = holding();
    invalid.itself.state = JOB_INVALID;
    interrupted.itself.state = JOB_INTERRUPTED;
    expect_answer(&invalid, ASSUMPTION_UNKNOWN);
    expect_answer(&interrupted, ASSUMPTION_HOLDS);
    expect_answer(&unseen, ASSUMPTION_UNKNOWN);
    expect_answer(&unsupported, ASSUMPTION_UNKNOWN);
    expect_answer(&empty, ASSUMPTION_UNKNOWN);
    expect_answer(&not_kept, ASSUMPTION_UNKNOWN);
    expect_answer(&not_run, ASSUMPTION_UNKNOWN);
    expect_figures(&not_kept, "0 of 3,000,000 instances, but the compiled code is not the test: a store is gone");
}

static void a_sighting_breaks_it_whatever_was_planted(void **state)
{
    (void)state;
    struct holding broken = holding();
    broken.itself.witnesses = 3;
    broken.planted.witnesses = 0;
    expect_answer(&broken, ASSUMPTION_BROKEN);
    expect_figures(&broken, "seen in 3 of 3,000,000 instances, 1 in 1,000,000");
    broken.itself.state = JOB_HANG;
    expect_answer(&broken, ASSUMPTION_BROKEN);
}

static void a_fault_is_told_as_one(void **state)
{
    (void)state;
    struct holding one = holding(), two = holding();
    one.itself.state = JOB_CRASH;
    one.itself.reason = "signal 11";
    two.planted.state = JOB_HANG;
    expect_answer(&one, ASSUMPTION_FAILED);
    expect_answer(&two, ASSUMPTION_FAILED);
    expect_figures(&one, "crash: signal 11");
    struct holding impossible = holding();
    impossible.itself.impossible = 2;
    expect_answer(&impossible, ASSUMPTION_FAILED);
}

static void the_planted_violation_is_found_by_its_name(void **state)
{
    (void)state;
    static char text[] = "PTX mine\nPlanted=planted\n{ x=0; }\n P0 ;\n ld.weak r0, x ;\nexists (0:r0=0)\n";
    struct litmus_test *mine = NULL;
    struct error error;
    struct holding jobs = holding();
    const struct backend_device here = {.index = 0}, there = {.index = 1};
    assert_int_equal(litmus_parse("mine", text, strlen(text), &mine, &error), STATUS_OK);
    const struct litmus_test other = {.name = "planted", .dialect = mine->dialect};
    jobs.itself.test = mine;
    jobs.planted.test = &other;
    jobs.itself.device = &here;
    jobs.planted.device = &there;
    const struct assumptions all = {.jobs = &jobs.itself, .count = 2};
    struct assumption found;
    size_t at = 0;
    assert_true(assumptions_next(&all, &at, &found));
    assert_null(found.planted); /* that of another device says nothing */
    assert_int_equal(assumption_answer(&found), ASSUMPTION_UNKNOWN);
    assert_false(assumptions_next(&all, &at, &found));
    jobs.planted.device = &here;
    at = 0;
    assert_true(assumptions_next(&all, &at, &found));
    assert_ptr_equal(found.planted, &jobs.planted);
    litmus_release(mine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(silence_is_a_bound_where_the_planted_violation_was_seen),
        cmocka_unit_test(silence_says_nothing_where_it_was_not),
        cmocka_unit_test(a_sighting_breaks_it_whatever_was_planted),
        cmocka_unit_test(a_fault_is_told_as_one),
        cmocka_unit_test(the_planted_violation_is_found_by_its_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
