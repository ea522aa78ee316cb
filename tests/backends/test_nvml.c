// SPDX-License-Identifier: Apache-2.0
/* Protects: values that NVML reports become circumstances in the right units, values that it does not report are left
 * out, and the processes of a run are not counted as others. The functions below play NVML. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "backends/cuda/nvml.h"

struct nvmlProcessInfo_st {
    unsigned pid;
    unsigned long long memory;
    unsigned gpu_instance, compute_instance;
};

static unsigned clock_of(struct nvmlDevice_st *device, unsigned type, unsigned *megahertz)
{
    (void)device;
    *megahertz = type == 1 ? 1980 : 2619;
    return type == 1 || type == 2 ? 0 : 2;
}

static unsigned temperature_of(struct nvmlDevice_st *device, unsigned sensor, unsigned *celsius)
{
    (void)device;
    *celsius = 61;
    return sensor;
}

static unsigned power_of(struct nvmlDevice_st *device, unsigned *milliwatts)
{
    (void)device;
    *milliwatts = 701250;
    return 0;
}

static unsigned reasons_of(struct nvmlDevice_st *device, unsigned long long *reasons)
{
    (void)device;
    *reasons = 0x44;
    return 0;
}

/* This process and the first process of the system. */
static unsigned processes_of(struct nvmlDevice_st *device, unsigned *count, struct nvmlProcessInfo_st *processes)
{
    (void)device;
    assert_true(*count >= 2);
    *count = 2;
    processes[0].pid = (unsigned)getpid();
    processes[1].pid = 1;
    return 0;
}

static unsigned refuse(struct nvmlDevice_st *device, unsigned *value)
{
    (void)device, (void)value;
    return 3; /* not supported */
}

static void expect_observed(const struct nvml_device *device, const char *expected)
{
    struct circumstances circumstances = {0};
    struct text text = {0};
    nvml_device_observe(device, &circumstances);
    circumstances_print(&circumstances, &text);
    assert_string_equal(text_string(&text), expected);
    text_release(&text);
}

static void test_observed(void **state)
{
    int some;
    struct nvml_device device = {.nvml = {.nvmlDeviceGetClockInfo = clock_of,
                                          .nvmlDeviceGetTemperature = temperature_of,
                                          .nvmlDeviceGetPowerUsage = power_of,
                                          .nvmlDeviceGetCurrentClocksThrottleReasons = reasons_of,
                                          .nvmlDeviceGetComputeRunningProcesses = processes_of}};
    (void)state;
    expect_observed(&device, "{}"); /* NVML does not know this device */
    device.handle = (struct nvmlDevice_st *)(void *)&some;
    expect_observed(&device, "{\"sm_clock_mhz\":1980,\"memory_clock_mhz\":2619,\"temperature_c\":61,\"power_w\":701.25,"
                             "\"other_processes\":1,\"throttle\":\"power thermal\"}");
    device.nvml.nvmlDeviceGetPowerUsage = refuse;
    device.nvml.nvmlDeviceGetTemperature = NULL;
    device.nvml.nvmlDeviceGetCurrentClocksThrottleReasons = NULL;
    device.nvml.nvmlDeviceGetComputeRunningProcesses = NULL;
    expect_observed(&device, "{\"sm_clock_mhz\":1980,\"memory_clock_mhz\":2619}");
}

static void test_reasons(void **state)
{
    static const struct {
        unsigned long long reasons;
        const char *words;
    } cases[] = {
        {0, "none"},
        {0x1, "idle"},
        {0x2, "clocks-set"},
        {0x4, "power"},
        {0x80, "power"},
        {0x84, "power"},
        {0x48, "thermal slowdown"},
        {0x100, "clocks-set"},
        {0x1000, "other"},
        {~0ull, "idle clocks-set power thermal slowdown sync-boost other"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct circumstances circumstances = {0};
        struct text words = {0};
        nvml_print_reasons(cases[i].reasons, &words);
        assert_string_equal(text_string(&words), cases[i].words);
        assert_true(circumstances_note_throttle(&circumstances, text_string(&words)));
        text_release(&words);
    }
}

static void test_others(void **state)
{
    const unsigned own = (unsigned)getpid();
    (void)state;
    const pid_t first = fork();
    if (first == 0)
        pause();
    const pid_t second = fork();
    if (second == 0)
        pause();
    assert_true(first > 0 && second > 0);
    const unsigned list[] = {1, (unsigned)first, (unsigned)second, own};
    assert_int_equal(nvml_count_others(list, 4, own), 3);
    assert_int_equal(nvml_count_others(list, 3, (unsigned)first), 1); /* its sibling is of the same run */
    assert_int_equal(nvml_count_others(list, 3, own), -1); /* not listed: processes cannot be distinguished */
    assert_int_equal(nvml_count_others(NULL, 0, own), -1);
    assert_int_equal(kill(first, SIGKILL) | kill(second, SIGKILL), 0);
    assert_int_equal(waitpid(first, NULL, 0), first);
    assert_int_equal(waitpid(second, NULL, 0), second);
}

/* Without NVML, or without such a device, nothing is known and nothing fails. */
static void test_no_device(void **state)
{
    static const char *const uuids[] = {"", "00000000-0000-0000-0000-000000000000", "no uuid"};
    (void)state;
    for (size_t i = 0; i < sizeof uuids / sizeof *uuids; i++) {
        struct nvml_device device;
        nvml_device_open(uuids[i], &device);
        assert_null(device.handle);
        expect_observed(&device, "{}");
        nvml_device_close(&device);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_observed), cmocka_unit_test(test_reasons),
                                       cmocka_unit_test(test_others), cmocka_unit_test(test_no_device)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
