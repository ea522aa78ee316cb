// SPDX-License-Identifier: Apache-2.0
/* Reads from NVML how a GPU is doing while it computes. */
#include "backends/cuda/nvml.h"

enum { PROCESSES_AT_MOST = 256, PARENT_UNKNOWN = -1 };

#define NVML_ENUM(ours, theirs, value) ours = (value),
enum nvml_constant { CUDA_NVML_CONSTANTS(NVML_ENUM) };

struct nvmlProcessInfo_st {
    unsigned pid;
    unsigned long long memory;
    unsigned gpu_instance, compute_instance;
};

/* As in NVIDIA's header: tests/backends/test_cuda_prototypes.c. */
_Static_assert(sizeof(struct nvmlProcessInfo_st) == 24, "process");

void nvml_device_open(const char *uuid, struct nvml_device *device)
{
    *device = (struct nvml_device){.handle = NULL};
    if (!uuid[0] || !cuda_nvml_open(&device->nvml) || device->nvml.nvmlInit() != 0)
        return;
    const char *const name = PRINTED(64, "GPU-%s", uuid);
    if (device->nvml.nvmlDeviceGetHandleByUUID && device->nvml.nvmlDeviceGetHandleByUUID(name, &device->handle) == 0 &&
        device->handle)
        return;
    device->handle = NULL;
    (void)device->nvml.nvmlShutdown();
}

void nvml_device_close(struct nvml_device *device)
{
    if (device->handle)
        (void)device->nvml.nvmlShutdown();
    *device = (struct nvml_device){.handle = NULL};
}

void nvml_print_reasons(unsigned long long reasons, struct text *words)
{
    static const struct {
        unsigned long long bits;
        const char *word;
    } rows[] = {
        {NVML_IDLE, "idle"},
        {NVML_CLOCKS_SET | NVML_DISPLAY, "clocks-set"},
        {NVML_POWER_CAP | NVML_POWER_BRAKE, "power"},
        {NVML_SOFTWARE_THERMAL | NVML_HARDWARE_THERMAL, "thermal"},
        {NVML_SLOWDOWN, "slowdown"},
        {NVML_SYNC_BOOST, "sync-boost"},
    };
    unsigned long long named = 0;
    const char *between = "";
    for (size_t i = 0; i < COUNT(rows); i++) {
        named |= rows[i].bits;
        if (!(reasons & rows[i].bits))
            continue;
        text_add(words, "%s%s", between, rows[i].word);
        between = " ";
    }
    if (reasons & ~named)
        text_add(words, "%sother", between);
    else if (reasons == 0)
        text_add(words, "none");
}

/* The parent of a process; PARENT_UNKNOWN if the system does not report it. */
static int parent_of(unsigned process)
{
    char line[512];
    int parent;
    const char *const path = PRINTED(64, "/proc/%u/stat", process);
    const char *name_end =
        file_read_start(path, line, sizeof line) > 0 ? strrchr(line, ')') : NULL; /* names may contain any bytes */
    return name_end && sscanf(name_end, ") %*c %d", &parent) == 1 ? parent : PARENT_UNKNOWN;
}

int nvml_count_others(const unsigned *processes, size_t count, unsigned own)
{
    const int run = parent_of(own);
    bool found = false;
    int others = 0;
    for (size_t i = 0; i < count; i++) {
        found |= processes[i] == own;
        others += processes[i] != own && (run == PARENT_UNKNOWN || parent_of(processes[i]) != run);
    }
    return found ? others : -1;
}

static void observe_processes(const struct nvml_device *device, struct circumstances *circumstances)
{
    struct nvmlProcessInfo_st list[PROCESSES_AT_MOST];
    unsigned processes[PROCESSES_AT_MOST], count = PROCESSES_AT_MOST;
    if (!device->nvml.nvmlDeviceGetComputeRunningProcesses ||
        device->nvml.nvmlDeviceGetComputeRunningProcesses(device->handle, &count, list) != 0 ||
        count > PROCESSES_AT_MOST)
        return;
    for (unsigned i = 0; i < count; i++)
        processes[i] = list[i].pid;
    (void)circumstances_note(circumstances, CIRCUMSTANCE_OTHER_PROCESSES,
                             nvml_count_others(processes, count, (unsigned)getpid()));
}

static void observe_reasons(const struct nvml_device *device, struct circumstances *circumstances)
{
    unsigned long long reasons;
    LOCAL(text) words = {0};
    if (!device->nvml.nvmlDeviceGetCurrentClocksThrottleReasons ||
        device->nvml.nvmlDeviceGetCurrentClocksThrottleReasons(device->handle, &reasons) != 0)
        return;
    nvml_print_reasons(reasons, &words);
    (void)circumstances_note_throttle(circumstances, text_string(&words));
}

void nvml_device_observe(const struct nvml_device *device, struct circumstances *circumstances)
{
    const struct cuda_nvml *nvml = &device->nvml;
    unsigned value;
    if (!device->handle)
        return;
    if (nvml->nvmlDeviceGetClockInfo && nvml->nvmlDeviceGetClockInfo(device->handle, NVML_SM_CLOCK, &value) == 0)
        (void)circumstances_note(circumstances, CIRCUMSTANCE_SM_CLOCK, value);
    if (nvml->nvmlDeviceGetClockInfo && nvml->nvmlDeviceGetClockInfo(device->handle, NVML_MEMORY_CLOCK, &value) == 0)
        (void)circumstances_note(circumstances, CIRCUMSTANCE_MEMORY_CLOCK, value);
    if (nvml->nvmlDeviceGetTemperature && nvml->nvmlDeviceGetTemperature(device->handle, NVML_GPU_SENSOR, &value) == 0)
        (void)circumstances_note(circumstances, CIRCUMSTANCE_TEMPERATURE, value);
    if (nvml->nvmlDeviceGetPowerUsage && nvml->nvmlDeviceGetPowerUsage(device->handle, &value) == 0)
        (void)circumstances_note(circumstances, CIRCUMSTANCE_POWER, value / 1000.0);
    observe_reasons(device, circumstances);
    observe_processes(device, circumstances);
}
