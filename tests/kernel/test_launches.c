// SPDX-License-Identifier: Apache-2.0
/* Protects what a kernel knows of its launches: which slots each plays, which launches come before it, directly or not,
 * and which may run at the same time. Also: tests without edges have no launch tables; launches do not need orders of
 * the device; and only kernels with launches ask a simulated device for overlap. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/text.h"
#include "tests/kernel/fixture.h"

/* Four threads, and these lines after them. */
static void generate(const char *edges, struct litmus_test **test, struct kernel *kernel)
{
    const struct backend_device device = fixture_device("ptx");
    struct text text = {0};
    struct error error;
    text_add(&text,
             "PTX t\n{ x=0; }\n P0@cta 0,gpu 0 | P1@cta 1,gpu 0 | P2@cta 2,gpu 0 | P3@cta 3,gpu 0 ;\n"
             " st.weak x, 1   | st.weak x, 2   | ld.weak r0, x  | ld.weak r0, x  ;\n%sexists (2:r0=0 /\\ 3:r0=0)\n",
             edges);
    *test = fixture_parse("launches", text_string(&text));
    if (kernel_generate(*test, &device, NULL, false, kernel, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    text_release(&text);
}

static void check_lines(const char *edges, const char *const *lines, size_t count)
{
    struct litmus_test *test;
    struct kernel kernel;
    generate(edges, &test, &kernel);
    for (size_t i = 0; i < count; i++)
        if (!strstr(kernel.source, lines[i]))
            fail_msg("%s lacks %s", edges, lines[i]);
    kernel_release(&kernel);
    litmus_release(test);
}

#define CHECK_LINES(edges, ...)                                                                                        \
    check_lines(edges, (const char *const[]){__VA_ARGS__}, sizeof(const char *const[]){__VA_ARGS__} / sizeof(char *))

static void numbers_of_launches(void **state)
{
    (void)state;
    CHECK_LINES("P2 after P0 by queue\nP3 after P0 by queue\nP2 after P1 by queue\nP3 after P1 by queue\n",
                "#define LAUNCHES 2u\n",
                "#define LAUNCH_OF(slot) ((slot) == 0u ? 0u : (slot) == 1u ? 0u : (slot) == 2u ? 1u : 1u)\n",
                "#define AFTER_OF(launch) ((launch) == 0u ? 0u : 1u)\n",
                "#define CONTENDS_OF(launch) ((launch) == 0u ? 0u : 0u)\n");
    CHECK_LINES("P1 after P0 by event\nP2 after P1 by host\nP3 after P2 by queue\n", "#define LAUNCHES 4u\n",
                "#define AFTER_OF(launch) ((launch) == 0u ? 0u : (launch) == 1u ? 1u : (launch) == 2u ? 3u : 7u)\n");
    CHECK_LINES("P1 beside P0\nP2 beside P0\nP3 beside P0\n", "#define LAUNCHES 2u\n",
                "#define LAUNCH_OF(slot) ((slot) == 0u ? 0u : (slot) == 1u ? 1u : (slot) == 2u ? 1u : 1u)\n",
                "#define AFTER_OF(launch) ((launch) == 0u ? 0u : 0u)\n",
                "#define CONTENDS_OF(launch) ((launch) == 0u ? 2u : 1u)\n");
}

static void kernels_know_what_runs_beside(void **state)
{
    struct litmus_test *test;
    struct kernel kernel;
    (void)state;
    generate("P1 beside P0\nP2 after P0 by event\nP2 after P1 by event\nP3 after P2 by host\n", &test, &kernel);
    assert_true(kernel_has_launches(&kernel));
    assert_int_equal(kernel.launches.count, 4);
    assert_int_equal(kernel_beside(&kernel, kernel.launch_of_slot[0]), 1U << kernel.launch_of_slot[1]);
    assert_int_equal(kernel_beside(&kernel, kernel.launch_of_slot[2]), 0);
    assert_int_equal(kernel_beside_count(&kernel), 2);
    assert_int_equal(kernel_slots_at_once(&kernel), 1);
    assert_true(kernel_counts_overlap(&kernel));
    assert_int_equal(kernel.contends[kernel.launch_of_slot[1]], 1U << kernel.launch_of_slot[0]);
    assert_int_equal(kernel.contends[kernel.launch_of_slot[2]], 0);
    kernel_release(&kernel);
    litmus_release(test);
}

/* Whether two launches that only read overlap makes no difference to the test. */
static void readers_do_not_contend(void **state)
{
    struct litmus_test *test;
    struct kernel kernel;
    (void)state;
    generate("P1 after P0 by queue\nP2 after P1 by event\nP3 after P1 by event\nP3 beside P2\n", &test, &kernel);
    assert_int_equal(kernel_beside(&kernel, kernel.launch_of_slot[2]), 1U << kernel.launch_of_slot[3]);
    assert_false(kernel_counts_overlap(&kernel));
    kernel_release(&kernel);
    litmus_release(test);
}

static bool counts_overlap(const char *edges)
{
    struct litmus_test *test;
    struct kernel kernel;
    struct backend_counter *counters;
    size_t count;
    bool found = false;
    generate(edges, &test, &kernel);
    kernel_counters(test, &kernel, &counters, &count);
    for (size_t i = 0; i < count; i++)
        found |= strcmp(counters[i].label, BATCH_OVERLAPPED) == 0 && counters[i].index == COUNTER_OVERLAPPED;
    kernel_release_counters(counters, count);
    kernel_release(&kernel);
    litmus_release(test);
    return found;
}

static void one_launch_is_no_launches(void **state)
{
    struct litmus_test *test;
    struct kernel kernel;
    (void)state;
    generate("", &test, &kernel);
    assert_false(kernel_has_launches(&kernel));
    assert_int_equal(kernel_beside_count(&kernel), 0);
    assert_int_equal(kernel_slots_at_once(&kernel), 4);
    assert_null(strstr(kernel.source, "#define LAUNCHES"));
    assert_null(strstr(kernel.source, "#define LAUNCH_OF"));
    kernel_release(&kernel);
    litmus_release(test);
    assert_false(counts_overlap(""));
    assert_true(counts_overlap("P1 beside P0\n"));
    assert_true(counts_overlap("P1 after P0 by queue\n")); /* which must stay 0 */
}

/* Every OpenCL device orders memory at the end of a kernel; a meeting of work-groups needs orders that some lack. */
static void launches_need_no_orders(void **state)
{
    static const struct {
        const char *edge;
        bool undeclared;
    } rows[] = {{"P1 after P0 by queue\n", false}, {"", true}};
    struct backend_device device = fixture_device("c11");
    (void)state;
    device.atomic_orders = device.fence_orders = BACKEND_ORDER_RELAXED;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct text text = {0};
        struct kernel kernel = {0};
        struct error error;
        text_add(&text,
                 "OPENCL t\n{ x=0; }\nP0@wg 0, dev 0 (global int* x) { *x = 1; }\n"
                 "P1@wg 1, dev 0 (global int* x) { int r0 = *x; }\n%sexists (1:r0=0)\n",
                 rows[i].edge);
        struct litmus_test *test = fixture_parse("orders", text_string(&text));
        if (kernel_generate(test, &device, NULL, false, &kernel, &error) != STATUS_OK)
            fail_msg("%s", error.text);
        assert_int_equal(kernel.undeclared, rows[i].undeclared);
        kernel_release(&kernel);
        litmus_release(test);
        text_release(&text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_of_launches),       cmocka_unit_test(kernels_know_what_runs_beside),
        cmocka_unit_test(readers_do_not_contend),    cmocka_unit_test(launches_need_no_orders),
        cmocka_unit_test(one_launch_is_no_launches),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
