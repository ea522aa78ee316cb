// SPDX-License-Identifier: Apache-2.0
/* Protects the counts that the simulated backend invents, on which every test of statistics depends: they add up, they
 * follow the script's rates with binomial scatter, and equal seeds give equal counts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "backends/simulated/sample.h"
#include "tests/backends/simulated/fixture.h"

/* Six standard deviations: a correct program fails once in half a billion runs, and seeds are fixed. */
static void assert_near(double value, double expected, double deviation)
{
    if (!(fabs(value - expected) <= 6 * deviation))
        fail_msg("%.9g is not within 6 x %.3g of %.9g", value, deviation, expected);
}

static void test_binomial(void **state)
{
    static const struct {
        uint64_t trials;
        double p;
    } cases[] = {{1, 0.5},      {10, 0.3},          {1000, 0.02},       {1000, 0.97},
                 {100000, 0.4}, {2147483647, 1e-9}, {2147483647, 1e-3}, {UINT64_C(1) << 40, 0.7}};
    enum { SAMPLES = 4000 };
    (void)state;
    struct random random = random_start(1, 2, 3, 4);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const double n = (double)cases[i].trials, p = cases[i].p, mean = n * p, variance = mean * (1 - p);
        double sum = 0, squares = 0;
        for (int k = 0; k < SAMPLES; k++) {
            const uint64_t count = sample_binomial(&random, cases[i].trials, p);
            assert_true(count <= cases[i].trials);
            sum += (double)count - mean;
            squares += ((double)count - mean) * ((double)count - mean);
        }
        assert_near(sum / SAMPLES, 0, sqrt(variance / SAMPLES));
        /* The variance of a sample variance: (fourth moment - variance^2) / samples. */
        const double fourth = variance * (1 + 3 * (n - 2) * p * (1 - p));
        assert_near(squares / SAMPLES, variance, sqrt(fabs(fourth - variance * variance) / SAMPLES) + 1e-12);
    }
    assert_int_equal(sample_binomial(&random, 1000, 0), 0);
    assert_int_equal(sample_binomial(&random, 1000, 1), 1000);
    assert_int_equal(sample_binomial(&random, 0, 0.5), 0);
}

static void test_sums(void **state)
{
    static const char *const tests[] = {"plain", "rare", "weighted", "full", "varied", "pattern", "unnamed"};
    static const uint64_t instances[] = {0, 1, 7, 65536, UINT64_C(1) << 31};
    (void)state;
    struct backend_session *session = fixture_open(0);
    for (size_t i = 0; i < sizeof tests / sizeof *tests; i++) {
        struct backend_program *program = fixture_build(session, tests[i]);
        for (size_t j = 0; j < sizeof instances / sizeof *instances; j++)
            for (uint64_t batch = 0; batch < 20; batch++) {
                uint32_t counters[COUNTERS];
                fixture_run(session, program, batch, instances[j], counters);
                assert_int_equal(fixture_sum(counters), instances[j]);
            }
        simulated_backend.release(session, program);
    }
    simulated_backend.close(session);
}

/* Runs batches of a test on a device and compares the totals of a, b, c and gave_up with rates. */
static void check_rates(unsigned device, const char *test, unsigned batches, const double rates[4])
{
    enum { INSTANCES = 1 << 30 };
    static const unsigned which[4] = {OUTCOME_A, OUTCOME_B, OUTCOME_C, GAVE_UP};
    double totals[4] = {0};
    struct backend_session *session = fixture_open(device);
    struct backend_program *program = fixture_build(session, test);
    for (unsigned batch = 0; batch < batches; batch++) {
        uint32_t counters[COUNTERS];
        fixture_run(session, program, batch, INSTANCES, counters);
        for (size_t i = 0; i < 4; i++)
            totals[i] += counters[which[i]];
    }
    const double n = (double)INSTANCES * batches;
    for (size_t i = 0; i < 4; i++)
        assert_near(totals[i], n * rates[i], sqrt(n * rates[i] * (1 - rates[i])));
    simulated_backend.release(session, program);
    simulated_backend.close(session);
}

static void test_rates(void **state)
{
    (void)state;
    check_rates(0, "plain", 10, (const double[]){1e-3, (1 - 1e-3 - 1e-6) / 2, (1 - 1e-3 - 1e-6) / 2, 1e-6});
    check_rates(0, "rare", 300, (const double[]){1e-9, (1 - 1e-9) / 2, (1 - 1e-9) / 2, 0});
    check_rates(0, "weighted", 10, (const double[]){0.1, 0.6, 0.3, 0});
    check_rates(0, "full", 10, (const double[]){0.2, 0.4, 0.2, 0.2}); /* 0.1 : 0.2 : 0.1 of what the voids leave */
    check_rates(0, "pattern+x", 1, (const double[]){1, 0, 0, 0});
    check_rates(0, "unnamed", 10, (const double[]){1.0 / 3, 1.0 / 3, 1.0 / 3, 0});
    check_rates(1, "plain", 10, (const double[]){0.25, 0.375, 0.375, 0}); /* the device's own entry */
}

static void test_variation(void **state)
{
    enum { BATCHES = 2000, INSTANCES = 1 << 24 };
    (void)state;
    struct backend_session *session = fixture_open(0);
    struct backend_program *program = fixture_build(session, "varied");
    double sum = 0, squares = 0;
    for (uint64_t batch = 0; batch < BATCHES; batch++) {
        uint32_t counters[COUNTERS];
        fixture_run(session, program, batch, INSTANCES, counters);
        const double rate = (double)counters[OUTCOME_A] / INSTANCES / 0.01;
        sum += rate;
        squares += rate * rate;
    }
    const double mean = sum / BATCHES, deviation = sqrt(squares / BATCHES - mean * mean);
    assert_near(mean, 1, 0.3 / sqrt(BATCHES));
    assert_near(deviation, 0.3, 0.3 * 0.8 / sqrt(BATCHES)); /* a gamma's excess kurtosis is 6 x 0.09 */
    simulated_backend.release(session, program);
    simulated_backend.close(session);
}

static void test_determinism(void **state)
{
    uint32_t first[COUNTERS], again[COUNTERS], other[COUNTERS];
    (void)state;
    struct backend_session *session = fixture_open(0), *elsewhere = fixture_open(0);
    struct backend_program *program = fixture_build(session, "varied"), *same = fixture_build(elsewhere, "varied");
    struct backend_program *renamed = fixture_build(session, "unnamed"), *third = fixture_build(session, "unnamed2");
    fixture_run(session, program, 5, 1 << 20, first);
    fixture_run(elsewhere, same, 4, 1 << 20, other); /* an earlier call changes nothing */
    fixture_run(elsewhere, same, 5, 1 << 20, again);
    assert_memory_equal(first, again, sizeof first);
    assert_memory_not_equal(first, other, sizeof first);
    fixture_run(session, renamed, 5, 1 << 20, first);
    fixture_run(session, third, 5, 1 << 20, other);
    assert_memory_not_equal(first, other, sizeof first); /* tests draw differently */
    simulated_backend.release(session, program);
    simulated_backend.release(elsewhere, same);
    simulated_backend.release(session, renamed);
    simulated_backend.release(session, third);
    simulated_backend.close(session);
    simulated_backend.close(elsewhere);
}

static void test_devices_differ(void **state)
{
    uint32_t counters[2][COUNTERS];
    (void)state;
    for (unsigned device = 0; device < 2; device++) {
        struct backend_session *session = fixture_open(device);
        struct backend_program *program = fixture_build(session, "unnamed");
        fixture_run(session, program, 0, 1 << 20, counters[device]);
        simulated_backend.release(session, program);
        simulated_backend.close(session);
    }
    assert_memory_not_equal(counters[0], counters[1], sizeof counters[0]);
}

static void test_liveness(void **state)
{
    uint32_t counters[COUNTERS];
    (void)state;
    struct backend_session *session = fixture_open(0);
    struct backend_program *alive = fixture_build(session, "plain"), *dead = fixture_build(session, "pattern");
    fixture_run(session, alive, 0, 100, counters);
    assert_true(counters[STRESS_ROUNDS] > 0 && counters[ROUNDS] > 0);
    fixture_run(session, dead, 0, 100, counters);
    assert_int_equal(counters[STRESS_ROUNDS], 0);
    assert_true(counters[ROUNDS] > 0);
    simulated_backend.release(session, alive);
    simulated_backend.release(session, dead);
    simulated_backend.close(session);
}

/* Steps of a batch: only the step that reads has counters; its time follows from the script's speed. */
static void test_steps(void **state)
{
    uint32_t counters[COUNTERS] = {99};
    struct backend_launch launch = {.groups = 1,
                                    .group_size = 1,
                                    .counter_words = COUNTERS,
                                    .clear_counters = true,
                                    .counters = counters,
                                    .instances = 2000,
                                    .seed = 1};
    struct error error = {0};
    double seconds = -1;
    (void)state;
    struct backend_session *session = fixture_open(0);
    struct backend_program *program = fixture_build(session, "plain");
    assert_int_equal(simulated_backend.launch(session, program, &launch, &seconds, &error), STATUS_OK);
    assert_int_equal(counters[0], 99);
    assert_true(seconds == 0);
    launch.clear_counters = false;
    launch.read_words = COUNTERS;
    assert_int_equal(simulated_backend.launch(session, program, &launch, &seconds, &error), STATUS_OK);
    assert_int_equal(fixture_sum(counters), 2000);
    assert_true(fabs(seconds - 2000 / 1e9) < 1e-12);
    assert_int_equal(simulated_backend.resident(session, program, 0, 32, 1, 0), 12);
    simulated_backend.release(session, program);
    simulated_backend.close(session);
}

static void test_wrong_labels(void **state)
{
    struct backend_program *program;
    struct text log = {0};
    struct error error = {0};
    (void)state;
    struct backend_session *session = fixture_open(0);
    assert_int_equal(fixture_try_build(session, "slip", &program, &log, &error), STATUS_USAGE);
    assert_null(program);
    assert_string_equal(error.text, "the script of the simulated devices gives slip a rate for 'd', which is not one "
                                    "of its outcomes");
    assert_int_equal(fixture_try_build(session, "slip-void", &program, &log, &error), STATUS_USAGE);
    assert_string_equal(error.text, "the script of the simulated devices gives slip-void a rate for 'gave-up', which "
                                    "is not one of its void reasons");
    simulated_backend.close(session);
}

static void test_without_outcomes(void **state)
{
    static const struct backend_counter counters[] = {{BACKEND_COUNTER_VOID, "gave_up", 0}};
    const struct backend_source source = {.name = "large", .kernel = "", .counters = counters, .counter_count = 1};
    struct backend_program *program;
    struct text log = {0}, binary = {0};
    struct error error = {0};
    (void)state;
    struct backend_session *session = fixture_open(0);
    assert_int_equal(backend_build(&simulated_backend, session, &source, &program, &log, &binary, &error),
                     STATUS_UNSUPPORTED);
    assert_null(program);
    simulated_backend.close(session);
}

static void test_count_too_large(void **state)
{
    uint32_t counters[COUNTERS];
    struct error error = {0};
    (void)state;
    struct backend_session *session = fixture_open(0);
    struct backend_program *program = fixture_build(session, "pattern");
    assert_int_equal(fixture_try(session, program, 0, UINT64_C(1) << 32, counters, &error), STATUS_INTERNAL);
    assert_string_equal(error.text, "the simulated device cannot count 4294967296 in counter 0 of 8 for pattern");
    simulated_backend.release(session, program);
    simulated_backend.close(session);
}

/* Protects: the result of an inspection is what the script says, and nothing if the script does not say. */
static void test_kept(void **state)
{
    static const struct {
        const char *test;
        enum kept kept;
        const char *reason;
    } cases[] = {{"plain", TEST_KEPT, ""},
                 {"dropped", TEST_NOT_KEPT, "P0 line 2: the store is missing"},
                 {"unread", TEST_NOT_INSPECTED, "no disassembler"},
                 {"rare", TEST_NOT_INSPECTED, "a simulated device cannot compile code"},
                 {"unknown", TEST_NOT_INSPECTED, "a simulated device cannot compile code"}};
    (void)state;
    struct backend_session *session = fixture_open(0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct text reason = {0};
        struct backend_program *program = fixture_build(session, cases[i].test);
        assert_int_equal(simulated_backend.invent_kept(session, program, 0, &reason), cases[i].kept);
        assert_string_equal(text_string(&reason), cases[i].reason);
        simulated_backend.release(session, program);
        text_release(&reason);
    }
    simulated_backend.close(session);
}

static void test_list(void **state)
{
    struct backend_device *devices;
    struct backend_session *session;
    struct error error = {0};
    size_t count;
    (void)state;
    assert_int_equal(simulated_backend.list(&devices, &count, &error), STATUS_OK);
    assert_int_equal(count, 2);
    assert_string_equal(devices[0].backend, "simulated");
    assert_string_equal(devices[1].name, "Beta");
    assert_int_equal(devices[1].index, 1);
    free(devices);
    assert_int_equal(backend_open(&simulated_backend, 2, &session, &error), STATUS_NO_DEVICE);
    assert_null(session);
    assert_string_equal(error.text, "there is no simulated:2: the script names 2 device(s)");
}

static void test_table(void **state)
{
    (void)state;
    assert_ptr_equal(backend_find("simulated"), &simulated_backend);
    assert_null(backend_find("metal"));
    assert_string_equal(backends[0]->name, "cuda");
    assert_string_equal(backends[1]->name, "hip");
    assert_string_equal(backends[2]->name, "opencl");
    assert_string_equal(backends[3]->name, "vulkan");
    assert_string_equal(backends[4]->name, "webgpu");
    assert_ptr_equal(backends[5], &simulated_backend);
    assert_string_equal(backends[6]->name, "ensemble");
    assert_null(backends[7]);
    assert_false(backend_offered(backends[4]->replay)); /* no browser has counted anything */
    assert_ptr_equal(backend_find("webgpu"), backends[4]);
    assert_int_equal(setenv("ORCHIL_BROWSER_RESULTS", "results.json", 1), 0);
    assert_ptr_equal(backend_find("webgpu"), backends[4]->replay);
    assert_int_equal(unsetenv("ORCHIL_BROWSER_RESULTS"), 0);
    assert_false(backend_offered(backends[6])); /* none is defined */
    assert_true(backend_offered(&simulated_backend));
    assert_int_equal(unsetenv("ORCHIL_SIMULATED"), 0);
    assert_false(backend_offered(&simulated_backend));
    assert_true(backend_offered(backends[0]) && backend_offered(backends[1]));
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_binomial),
        cmocka_unit_test(test_sums),
        cmocka_unit_test(test_rates),
        cmocka_unit_test(test_variation),
        cmocka_unit_test(test_determinism),
        cmocka_unit_test(test_devices_differ),
        cmocka_unit_test(test_liveness),
        cmocka_unit_test(test_steps),
        cmocka_unit_test(test_wrong_labels),
        cmocka_unit_test(test_without_outcomes),
        cmocka_unit_test(test_count_too_large),
        cmocka_unit_test(test_list),
        cmocka_unit_test(test_kept),
        cmocka_unit_test(test_table),
    };
    fixture_use("rates.json");
    return cmocka_run_group_tests(tests, NULL, NULL);
}
