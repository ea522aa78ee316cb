// SPDX-License-Identifier: Apache-2.0
/* Protects the siblings of a generated test: its control is forbidden and its mutant allowed, by the model that judges
 * the dialect, and each is the intended sibling. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "catalogue/judge_variant.h"
#include "kernel/target.h"

static struct variant parse(enum litmus_dialect dialect, const char *name)
{
    struct variant variant;
    struct error error = {0};
    if (variant_parse_name(dialect, name, &variant, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    return variant;
}

static const struct {
    enum litmus_dialect dialect;
    const char *name, *expect, *control, *mutants;
} cases[] = {
    {LITMUS_PTX, "MP+relaxed", "allowed", "MP+rel+acq", NULL},
    /* release and acquire do not forbid it; fences that order everything do */
    {LITMUS_PTX, "SB+relaxed", "allowed", "SB+fencesc", NULL},
    {LITMUS_OPENCL, "SB+ra", "allowed", "SB+sc", NULL},
    /* orders have no effect at too narrow a scope: the control is wider */
    {LITMUS_PTX, "MP+ra+cta", "allowed", "MP+rel+acq", NULL},
    {LITMUS_PTX, "MP+relaxed+cta+01", "allowed", "MP+rel+acq+cta+01", NULL},
    {LITMUS_PTX, "MP+ra", "forbidden", NULL, "MP+relaxed+ra, MP+ra+relaxed, MP+ra+cta"},
    {LITMUS_PTX, "MP+ra+01", "forbidden", NULL, "MP+relaxed+ra+01, MP+ra+relaxed+01"},
    {LITMUS_C, "MP+rel+acq", "forbidden", NULL, "MP+relaxed+acq, MP+rel+relaxed"},
    {LITMUS_CUDA, "LB+ra", "forbidden", NULL, "LB+relaxed+ra, LB+ra+relaxed, LB+ra+cta"},
    /* the weak thread may have one access */
    {LITMUS_OPENCL, "IRIW+sc", "forbidden", NULL,
     "IRIW+relaxed+sc+sc+sc, IRIW+sc+relaxed+sc+sc, IRIW+sc+sc+relaxed+sc, IRIW+sc+sc+sc+relaxed"},
    /* only plain accesses are weaker than coherence */
    {LITMUS_PTX, "CoRR+relaxed+sys+01", "forbidden", NULL, "CoRR+weak+01"},
    {LITMUS_PTX, "CoRR+relaxed", "forbidden", NULL, "CoRR+relaxed+cta"},
    /* VULKAN has no sequentially consistent order; a scope that is too narrow is a race, and so is no mutant */
    {LITMUS_VULKAN, "SB+ra", "allowed", "SB+fencear+rmw", NULL},
    {LITMUS_VULKAN, "MP+rel+acq", "forbidden", NULL, "MP+relaxed+acq, MP+rel+relaxed, MP+rel+acq+semsc1"},
    {LITMUS_VULKAN, "MP+fencear+localx+01", "forbidden", NULL,
     "MP+relaxed+fencear+localx+01, MP+fencear+relaxed+localx+01, MP+fencear+localx+semsc0+01, "
     "MP+fencear+localx+semsc1+01"},
    {LITMUS_VULKAN, "MP+rel+acq+semsc1", "allowed", "MP+rel+acq", NULL},
    {LITMUS_VULKAN, "MP+plainrel+ctrlacqpln+noav", NULL, "MP+plainrel+ctrlacqpln", NULL},
    {LITMUS_VULKAN, "MP+rel+acq+wg", NULL, "MP+rel+acq", NULL},
};

static void expect_text(const char *found, const char *expected)
{
    if (expected)
        assert_string_equal(found ? found : "(nothing)", expected);
    else
        assert_null(found);
}

static void siblings_are_those_that_are_meant(void **state)
{
    struct variant_judge *judge;
    struct error error = {0};
    (void)state;
    judge = variant_judge_open(kernel_judge);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct variant variant = parse(cases[i].dialect, cases[i].name);
        enum variant_verdict verdict;
        struct litmus_test *test;
        if (variant_judge_test(judge, &variant, &test, &verdict, &error) != STATUS_OK)
            fail_msg("%s", error.text);
        assert_string_equal(test->name, cases[i].name);
        expect_text(litmus_metadata(test, "Expect"), cases[i].expect);
        expect_text(litmus_metadata(test, "Control"), cases[i].control);
        expect_text(litmus_metadata(test, "Mutants"), cases[i].mutants);
        litmus_release(test);
    }
    variant_judge_release(judge);
}

/* A test with a race has no verdict; the reason is reported even if the verdict was known. */
static void a_race_is_undefined(void **state)
{
    const struct variant variant = parse(LITMUS_OPENCL, "MP+plain");
    struct variant_judge *judge;
    struct error error = {0};
    (void)state;
    judge = variant_judge_open(kernel_judge);
    for (int i = 0; i < 2; i++) {
        enum variant_verdict verdict;
        struct litmus_test *test;
        assert_int_equal(variant_judge_test(judge, &variant, &test, &verdict, &error), STATUS_OK);
        assert_int_equal(verdict, VARIANT_RACY);
        assert_string_equal(variant_judge_reason(judge), "the test is racy");
        assert_null(litmus_metadata(test, "Expect"));
        assert_non_null(strstr(test->doc, "the test is racy"));
        litmus_release(test);
    }
    variant_judge_release(judge);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(siblings_are_those_that_are_meant),
        cmocka_unit_test(a_race_is_undefined),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
