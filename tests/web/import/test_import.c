// SPDX-License-Identifier: Apache-2.0
/* A stranger's results.json is a run only as far as it can be true: each of its parts, changed, is noticed; and of any
 * bytes nothing is taken that does not add up. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/json.h"
#include "base/random.h"
#include "tests/web/import/browser.h"
#include "web/import.h"

static const char sb[] = "OPENCL SB\n{ global atomic_int x = 0; global atomic_int y = 0; }\n"
                         "P0@wg 0, dev 0 (global atomic_int *x, global atomic_int *y) {\n"
                         "  atomic_store_explicit(x, 1, memory_order_relaxed, memory_scope_device);\n"
                         "  int r0 = atomic_load_explicit(y, memory_order_relaxed, memory_scope_device);\n}\n"
                         "P1@wg 1, dev 0 (global atomic_int *x, global atomic_int *y) {\n"
                         "  atomic_store_explicit(y, 1, memory_order_relaxed, memory_scope_device);\n"
                         "  int r0 = atomic_load_explicit(x, memory_order_relaxed, memory_scope_device);\n}\n"
                         "exists (0:r0=0 /\\ 1:r0=0)\n";

static json_t *play(unsigned batches)
{
    struct litmus_test *test;
    struct error error = {0};
    if (litmus_parse("sb.litmus", sb, strlen(sb), &test, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    const struct browser browser = {.seed = 7, .batches = batches, .bin = 1};
    json_t *results = browser_play(&browser, &test, 1);
    litmus_release(test);
    return results;
}

static enum status take(const json_t *results, struct import *import, struct error *error)
{
    char *text = json_dumps(results, JSON_COMPACT);
    const enum status status = import_take(text, strlen(text), import, error);
    free(text);
    return status;
}

static void test_taken(void **state)
{
    json_t *results = play(3);
    struct import import;
    struct error error = {0};
    (void)state;
    if (take(results, &import, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    assert_int_equal(import.plan.job_count, 1);
    assert_int_equal(import.batches, 3);
    assert_int_equal(import.refusal_count, 0);
    assert_string_equal(import.own.driver, "Firefox 153");
    assert_string_equal(import.own.name, "Pixel 11");
    assert_string_equal(import.own.uuid, "");
    assert_true(import.plan.jobs[0].extent.instances > 0);
    import_release(&import);
    json_decref(results);
}

static json_t *job_of(json_t *results)
{
    return json_array_get(json_object_get(results, "jobs"), 0);
}

static json_t *batch_of(json_t *results)
{
    return json_array_get(json_object_get(job_of(results), "batches"), 1);
}

/* Changes a file in one place, and expects these words in the reason. */
static void refused(void (*change)(json_t *results), const char *reason)
{
    json_t *results = play(2);
    struct import import;
    struct error error = {0};
    change(results);
    assert_int_not_equal(take(results, &import, &error), STATUS_OK);
    if (!strstr(error.text, reason))
        fail_msg("expected '%s' in '%s'", reason, error.text);
    import_release(&import);
    json_decref(results);
}

static void other_text(json_t *results)
{
    char *text = memory_copy(json_string_value(json_object_get(job_of(results), "text")));
    *strstr(text, "x, 1") = 'y';
    (void)json_object_set_new(job_of(results), "text", json_string(text));
    free(text);
}

static void other_name(json_t *results)
{
    (void)json_object_set_new(job_of(results), "name", json_string("LB"));
}

static void other_kernel(json_t *results)
{
    (void)json_object_set_new(job_of(results), "kernel_hash", json_string("00"));
}

static void other_key(json_t *results)
{
    (void)json_object_set_new(job_of(results), "key", json_string("12"));
}

static void other_seed(json_t *results)
{
    (void)json_object_set_new(results, "seed", json_string("8"));
}

static void other_groups(json_t *results)
{
    (void)json_object_set_new(job_of(results), "resident_groups", json_integer(6));
}

static void other_ranges(json_t *results)
{
    (void)json_object_set_new(json_object_get(results, "ranges"), "stride", json_pack("[i,i]", 3, 3));
}

static void one_more(json_t *results)
{
    json_t *pairs = json_object_get(batch_of(results), "counters");
    (void)json_array_set_new(pairs, 1, json_integer(json_integer_value(json_array_get(pairs, 1)) + 1));
}

static void stale(json_t *results)
{
    json_t *pairs = json_object_get(batch_of(results), "counters");
    (void)json_array_set_new(pairs, 0, json_integer(COUNTER_STALE));
}

static void outside(json_t *results)
{
    (void)json_array_append_new(json_object_get(batch_of(results), "counters"), json_integer(1 << 20));
    (void)json_array_append_new(json_object_get(batch_of(results), "counters"), json_integer(1));
}

static void twice(json_t *results)
{
    json_t *pairs = json_object_get(batch_of(results), "counters");
    (void)json_array_append(pairs, json_array_get(pairs, 0));
    (void)json_array_append_new(pairs, json_integer(0));
}

static void missing(json_t *results)
{
    (void)json_object_set_new(batch_of(results), "number", json_integer(2));
}

static void other_format(json_t *results)
{
    (void)json_object_set_new(results, "format", json_integer(2));
}

static void test_refused(void **state)
{
    (void)state;
    refused(other_text, "does not match the name and hash");
    refused(other_name, "does not match the name and hash");
    refused(other_kernel, "generates another kernel");
    refused(other_key, "its key does not match the test");
    refused(other_seed, "another draw than its seed gives");
    refused(other_groups, "another draw than its seed gives");
    refused(other_ranges, "its key does not match the test");
    refused(one_more, "does not add up");
    refused(stale, "does not add up");
    refused(outside, "does not add up");
    refused(twice, "does not add up");
    refused(missing, "its batch 1 is malformed");
    refused(other_format, "its format is 2");
}

/* A file with a job twice keeps the first. */
static void test_twice(void **state)
{
    json_t *results = play(1);
    struct import import;
    struct error error = {0};
    (void)state;
    (void)json_array_append_new(json_object_get(results, "jobs"), json_deep_copy(job_of(results)));
    assert_int_equal(take(results, &import, &error), STATUS_OK);
    assert_int_equal(import.plan.job_count, 1);
    assert_int_equal(import.refusal_count, 1);
    import_release(&import);
    json_decref(results);
}

/* Whatever bytes of a file are changed, a job that is taken has its text, its seed and its sums. */
static void test_mutated(void **state)
{
    const char *asked = getenv("ORCHIL_MUTATIONS");
    const unsigned long count = asked ? strtoul(asked, NULL, 10) : 2000;
    json_t *results = play(2);
    char *text = json_dumps(results, JSON_COMPACT);
    const size_t size = strlen(text);
    unsigned long taken = 0;
    struct import whole, import;
    struct error error = {0};
    (void)state;
    assert_int_equal(import_take(text, size, &whole, &error), STATUS_OK);
    for (unsigned long i = 0; i < count; i++) {
        static const char likely[] = "0123456789-.,:[]{}\"enul\\";
        struct random random = random_start(i, 1, 2, 3);
        char *changed = memory_copy(text);
        for (uint32_t left = 1 + random_below(&random, 4); left > 0; left--)
            changed[random_below(&random, (uint32_t)size)] = random_below(&random, 4) > 0
                                                                 ? likely[random_below(&random, sizeof likely - 1)]
                                                                 : (char)(1 + random_below(&random, 255));
        if (import_take(changed, strlen(changed), &import, &error) == STATUS_OK) {
            taken++;
            assert_int_equal(import.seed, whole.seed);
            assert_int_equal(import.plan.job_count, 1);
            assert_string_equal(import.plan.jobs[0].key, whole.plan.jobs[0].key);
            assert_int_equal(import.plan.jobs[0].extent.instances, whole.plan.jobs[0].extent.instances);
        } else {
            assert_true(error.text[0] != '\0');
        }
        import_release(&import);
        free(changed);
    }
    assert_in_range(taken, 1, count - 1); /* names of the device and times may be anything */
    import_release(&whole);
    free(text);
    json_decref(results);
}

int main(void)
{
    json_start();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_taken),
        cmocka_unit_test(test_refused),
        cmocka_unit_test(test_twice),
        cmocka_unit_test(test_mutated),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
