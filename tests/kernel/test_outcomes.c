// SPDX-License-Identifier: Apache-2.0
/* Protects the conversion of counters to outcomes: bins, entries of the table (merged if they have the same outcome),
 * and values outside their domains, of 64 bits and below zero. Counters that carry labels must name the bins that
 * kernel_outcomes reads. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/kernel/fixture.h"

static const char small_test[] = "OPENCL small\n{ x=0; y=-3; }\n"
                                 "P0@wg 0, dev 0 (global int* x, global int* y) { *x = 5; int r0 = *y; }\n"
                                 "P1@wg 0, dev 0 (global int* x, global int* y) { *y = 1; int r0 = *x; }\n"
                                 "exists (0:r0=-3 /\\ 1:r0=5 /\\ x=5)\n";
static const char long_test[] =
    "OPENCL wide\n{ long l=-1; ulong u=18446744073709551615; int i=-7; uint j=4294967295; }\n"
    "P0@wg 0, dev 0 (global atomic_long* l, global atomic_ulong* u, global atomic_int* i, global atomic_uint* j) {\n"
    "  long r0 = atomic_load(l);\n  ulong r1 = atomic_load(u);\n  int r2 = atomic_load(i);\n"
    "  uint r3 = atomic_load(j);\n}\nlocations [0:r1; 0:r2; 0:r3;]\nexists (0:r0=-1)\n";
static const char nothing_test[] =
    "OPENCL nothing\n{ x=0; }\nP0@wg 0, dev 0 (global int* x) { *x = 1; }\nexists (true)\n";

/* ---- results ---- */

struct found {
    const struct litmus_test *test;
    struct text text; /* "LABEL COUNT\n" */
};

static void visit(const int64_t *values, uint64_t count, void *context)
{
    struct found *found = context;
    litmus_print_outcome(found->test, values, &found->text);
    text_add(&found->text, " %llu\n", (unsigned long long)count);
}

struct subject {
    struct litmus_test *test;
    struct kernel kernel;
    uint32_t *counters;
};

static void subject_start(struct subject *subject, const char *text)
{
    const struct backend_device device = fixture_device("c11");
    struct error error;
    subject->test = fixture_parse("subject", text);
    assert_int_equal(kernel_generate(subject->test, &device, NULL, false, &subject->kernel, &error), STATUS_OK);
    subject->counters = calloc(subject->kernel.counter_words, sizeof *subject->counters);
    assert_non_null(subject->counters);
}

static void subject_end(struct subject *subject)
{
    free(subject->counters);
    kernel_release(&subject->kernel);
    litmus_release(subject->test);
}

static void expect(struct subject *subject, const char *expected)
{
    struct found found = {.test = subject->test};
    kernel_outcomes(subject->test, &subject->kernel, subject->counters, visit, &found);
    assert_string_equal(text_string(&found.text), expected);
    text_release(&found.text);
}

static void put_entry(struct subject *subject, uint32_t index, uint32_t count, const uint32_t *words)
{
    const struct kernel *kernel = &subject->kernel;
    uint32_t *entry = subject->counters + COUNTER_HISTOGRAM + kernel->histogram_words + index * (kernel->words + 2);
    entry[0] = 2;
    entry[1] = count;
    memcpy(entry + 2, words, kernel->words * sizeof *words);
}

/* ---- the cases ---- */

static void test_bins(void **state)
{
    struct subject subject;
    (void)state;
    subject_start(&subject, small_test);
    assert_int_equal(subject.kernel.variables, 3);
    assert_int_equal(subject.kernel.outcomes, 12); /* 0:r0 in {-3, 0, 1}, 1:r0 in {0, 5}, x in {0, 5} */
    expect(&subject, "");
    subject.counters[COUNTER_HISTOGRAM + 0] = 3;
    subject.counters[COUNTER_HISTOGRAM + 1] = 1;
    subject.counters[COUNTER_HISTOGRAM + 2] = 7;
    subject.counters[COUNTER_HISTOGRAM + 11] = UINT32_MAX;
    expect(&subject, "0:r0=-3; 1:r0=0; [x]=0; 3\n0:r0=-3; 1:r0=0; [x]=5; 1\n0:r0=-3; 1:r0=5; [x]=0; 7\n"
                     "0:r0=1; 1:r0=5; [x]=5; 4294967295\n");
    subject_end(&subject);
}

static void test_table(void **state)
{
    const uint32_t strange[] = {0xffffffff, 0x80000000, 5}, other[] = {0xffffffff, 0x80000000, 6};
    struct subject subject;
    (void)state;
    subject_start(&subject, small_test);
    subject.counters[COUNTER_HISTOGRAM + 11] = 2;
    put_entry(&subject, 0, 4, strange);
    put_entry(&subject, 5, UINT32_MAX, strange); /* claimed by another item at the same moment */
    put_entry(&subject, 3, 1, other);
    put_entry(&subject, subject.kernel.table_entries - 1, 10, other);
    put_entry(&subject, 9, 0, other); /* claimed, never counted */
    expect(&subject, "0:r0=1; 1:r0=5; [x]=5; 2\n0:r0=-1; 1:r0=-2147483648; [x]=5; 4294967299\n"
                     "0:r0=-1; 1:r0=-2147483648; [x]=6; 11\n");
    subject_end(&subject);
}

static void test_wide(void **state)
{
    const uint32_t words[] = {1, 0x80000000, 0xfffffffe, 0xffffffff, 0x80000001, 0x80000001};
    struct subject subject;
    (void)state;
    subject_start(&subject, long_test);
    assert_int_equal(subject.kernel.words, 6);
    subject.counters[COUNTER_HISTOGRAM + 1] = 1;
    put_entry(&subject, 1, 2, words);
    expect(&subject, "0:r0=-1; 0:r1=18446744073709551615; 0:r2=-7; 0:r3=4294967295; 1\n"
                     "0:r0=-9223372036854775807; 0:r1=18446744073709551614; 0:r2=-2147483647; 0:r3=2147483649; 2\n");
    subject_end(&subject);
}

static void test_nothing_observed(void **state)
{
    struct subject subject;
    (void)state;
    subject_start(&subject, nothing_test);
    assert_int_equal(subject.kernel.outcomes, 1);
    subject.counters[COUNTER_HISTOGRAM] = 9;
    expect(&subject, "- 9\n");
    subject_end(&subject);
}

/* Each labelled counter, set alone, is read back as the outcome of its label. */
static void test_labels(void **state)
{
    struct subject subject;
    struct backend_counter *counters;
    size_t count, outcomes = 0;
    (void)state;
    subject_start(&subject, small_test);
    kernel_counters(subject.test, &subject.kernel, &counters, &count);
    for (size_t i = 0; i < count; i++) {
        char expected[128];
        assert_true(counters[i].index < subject.kernel.counter_words);
        memset(subject.counters, 0, subject.kernel.counter_words * sizeof *subject.counters);
        subject.counters[counters[i].index] = 6;
        (void)snprintf(expected, sizeof expected, "%s 6\n", counters[i].label);
        expect(&subject, counters[i].kind == BACKEND_COUNTER_OUTCOME ? expected : "");
        outcomes += counters[i].kind == BACKEND_COUNTER_OUTCOME;
    }
    assert_int_equal(outcomes, 12);
    kernel_release_counters(counters, count);
    subject_end(&subject);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bins),   cmocka_unit_test(test_table),
        cmocka_unit_test(test_wide),   cmocka_unit_test(test_nothing_observed),
        cmocka_unit_test(test_labels),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
