// SPDX-License-Identifier: Apache-2.0
/* Protects types and operations: every legal one is read, prints as what it is and has a kernel, and the models compute
 * with each as the language does. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "kernel/target.h"
#include "tests/kernel/fixture.h"
#include "tests/kernel/types/sweep.h"
#include "tests/litmus/round_trip.h"

static void check_kernel(const struct litmus_test *test, const char *takes)
{
    const struct backend_device device = fixture_device(takes);
    struct kernel kernel;
    struct error error;
    if (kernel_generate(test, &device, NULL, false, &kernel, &error) != STATUS_OK)
        fail_msg("%s for %s: %s", test->name, takes, error.text);
    kernel_release(&kernel);
}

/* Constant memory is the one thing that inline PTX has not. */
static bool has_constant(const struct litmus_test *test)
{
    return test->locations[0].constant;
}

static void check_orders(struct litmus_test *test, void *context)
{
    (void)context;
    assert_round_trip(test, test->name);
    if (test->dialect == LITMUS_OPENCL || test->dialect == LITMUS_C)
        check_kernel(test, "c11");
    if (!has_constant(test))
        check_kernel(test, "ptx");
    litmus_release(test);
}

static void every_access_is_read_and_lowered(void **state)
{
    (void)state;
    assert_int_equal(sweep_orders(LITMUS_OPENCL, check_orders, NULL), 20 * (8 * 80 + 2 * 45 + 4 * 2 + 10) + 13);
    assert_int_equal(sweep_orders(LITMUS_PTX, check_orders, NULL), 8 * (14 * 8 + 26 * 4 + 21 * 2));
    assert_int_equal(sweep_orders(LITMUS_CUDA, check_orders, NULL), 6 * (10 * 4 + 34));
    assert_int_equal(sweep_orders(LITMUS_C, check_orders, NULL), 8 * 70 + 2 * 45 + 4 * 2 + 10);
}

/* The one outcome is the one that the condition names. */
static void check_results(struct litmus_test *test, void *context)
{
    const struct judge_options options = {.unroll = 0};
    struct judgement judgement;
    struct model *model;
    struct error error;
    unsigned allowed = 0;
    (void)context;
    assert_round_trip(test, test->name);
    assert_int_equal(model_load(model_default(test->dialect), &model, &error), STATUS_OK);
    if (kernel_judge(model, test, &options, &judgement, &error) != STATUS_OK)
        fail_msg("%s: %s", test->name, error.text);
    for (size_t i = 0; i < judgement.outcome_count; i++) {
        if (judgement.outcomes[i].verdict == VERDICT_FORBIDDEN)
            continue;
        struct text text = {0};
        litmus_print_outcome(test, judgement.outcomes[i].values, &text);
        if (!judgement.outcomes[i].witness || !litmus_label_is_witness(test, text_string(&text)))
            fail_msg("%s gives %s", test->name, text_string(&text));
        text_release(&text);
        allowed++;
    }
    assert_int_equal(allowed, 1);
    judgement_release(&judgement);
    model_release(model);
    litmus_release(test);
}

static void every_operation_has_its_result(void **state)
{
    (void)state;
    assert_int_equal(sweep_results(LITMUS_OPENCL, 3, check_results, NULL), 8 * 10 + 2 + 4);
    assert_int_equal(sweep_results(LITMUS_PTX, 3, check_results, NULL), 8 * 8 + 6 + 2 * 2 + 1);
    assert_int_equal(sweep_results(LITMUS_CUDA, 3, check_results, NULL), 3 * 10 + 6 + 2 + 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_access_is_read_and_lowered),
        cmocka_unit_test(every_operation_has_its_result),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
