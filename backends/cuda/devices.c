// SPDX-License-Identifier: Apache-2.0
/* What the CUDA driver, NVML and NVRTC report about the machine and about each device. */
#include "backends/cuda/devices.h"

#include <stdio.h>
#include <string.h>

#include "backends/cuda/cuda.h"
#include "backends/driver.h"
#include "backends/gpu/paths.h"
#include "backends/gpu/play.h"
#include "base/whole_file.h"

struct CUuuid_st {
    unsigned char bytes[16];
};

bool cuda_read_version(const char *text, char *version, size_t size)
{
    /* The first word of digits and at least one dot; the words before it name the module and the
     * machine. */
    while (*text) {
        text += strspn(text, " \t\n");
        const size_t length = strcspn(text, " \t\n");
        const size_t digits = strspn(text, "0123456789");
        if (digits > 0 && text[digits] == '.' && strspn(text, "0123456789.") == length && length < size) {
            memcpy(version, text, length);
            version[length] = '\0';
            return true;
        }
        text += length;
    }
    return false;
}

static bool read_module_version(char *version, size_t size)
{
    char line[256];
    if (file_read_start("/proc/driver/nvidia/version", line, sizeof line) == 0)
        return false;
    line[strcspn(line, "\n")] = '\0';
    return cuda_read_version(line, version, size);
}

static bool read_nvml_version(char *version, unsigned size)
{
    struct cuda_nvml nvml;
    if (!cuda_nvml_open(&nvml) || nvml.nvmlInit() != 0)
        return false;
    const bool read = nvml.nvmlSystemGetDriverVersion(version, size) == 0;
    (void)nvml.nvmlShutdown();
    return read;
}

void cuda_describe_software(const struct gpu_api *driver, struct cuda_software *software)
{
    struct cuda_nvrtc nvrtc;
    *software = (struct cuda_software){0};
    if (!read_nvml_version(software->driver, sizeof software->driver) &&
        !read_module_version(software->driver, sizeof software->driver))
        (void)snprintf(software->driver, sizeof software->driver, "CUDA %d.%d", driver->version / 1000,
                       driver->version % 1000 / 10);
    if (cuda_nvrtc_open(&nvrtc, driver->version, NULL) == STATUS_OK)
        (void)snprintf(software->compiler, sizeof software->compiler, "NVRTC %d.%d", nvrtc.major, nvrtc.minor);
}

/* PTX has all orders at all scopes from sm_70 on; clusters need sm_90. */
static void describe_atomics(unsigned capability, struct backend_device *device)
{
    if (capability < CUDA_OLDEST)
        return;
    device->takes = BACKEND_TAKES_PTX | BACKEND_TAKES_CUDA;
    device->types = BACKEND_ALL_TYPES;
    device->atomic_orders = BACKEND_ALL_ORDERS;
    device->atomic_scopes = BACKEND_ALL_SCOPES;
    if (capability < CUDA_CLUSTERS)
        device->atomic_scopes &= ~(unsigned)BACKEND_SCOPE_CLUSTER;
    device->fence_orders = device->atomic_orders;
    device->fence_scopes = device->atomic_scopes;
}

enum status cuda_describe(const struct gpu_api *driver, const struct cuda_software *software, unsigned index,
                          struct backend_device *device, struct error *error)
{
    int id;
    size_t memory = 0;
    struct CUuuid_st uuid;
    *device = (struct backend_device){.backend = "cuda", .index = index, .vendor = "NVIDIA Corporation", .gpu = true};
    unsigned code = driver->cuDeviceGet(&id, (int)index);
    if (code == 0)
        code = driver->cuDeviceGetName(device->name, (int)sizeof device->name, id);
    if (code == 0)
        code = driver->cuDeviceTotalMem(&memory, id);
    if (code != 0)
        return error_set(error, STATUS_DEVICE_FAILED, "the CUDA driver cannot describe cuda:%u: %s", index,
                         gpu_error_name(driver, code));
    if (driver->cuDeviceGetUuid(&uuid, id) == 0)
        driver_uuid(device->uuid, uuid.bytes);
    driver_copy(device->driver, sizeof device->driver, software->driver);
    driver_copy(device->compiler, sizeof device->compiler, software->compiler);
    const unsigned capability =
        gpu_attribute(driver, id, CUDA_CAPABILITY_MAJOR) * 10 + gpu_attribute(driver, id, CUDA_CAPABILITY_MINOR);
    (void)snprintf(device->architecture, sizeof device->architecture, "sm_%u", capability);
    describe_atomics(capability, device);
    /* For these two the architecture's number is enough. */
    device->paths |= BACKEND_PATH_ASYNC | BACKEND_PATH_READ_ONLY;
    device->compute_units = gpu_attribute(driver, id, CUDA_MULTIPROCESSORS);
    device->l2_bytes = gpu_attribute(driver, id, CUDA_L2_BYTES);
    device->max_group_size = gpu_attribute(driver, id, CUDA_MAX_THREADS_PER_BLOCK);
    device->shared_clock = true;
    device->sub_group_size = gpu_attribute(driver, id, CUDA_WARP_SIZE);
    if (capability >= CUDA_CLUSTERS && driver->cuLaunchKernelEx && gpu_attribute(driver, id, CUDA_CLUSTER_LAUNCH))
        device->max_cluster_groups = CUDA_CLUSTER_GROUPS;
    if (device->takes) {
        device->paths |= gpu_paths_describe(driver, id);
        device->edges = gpu_edges(driver);
    }
    device->memory_bytes = memory;
    device->local_bytes = gpu_attribute(driver, id, CUDA_SHARED_PER_BLOCK_OPTIN);
    if (device->local_bytes == 0)
        device->local_bytes = gpu_attribute(driver, id, CUDA_SHARED_PER_BLOCK);
    return STATUS_OK;
}

static enum status describe(const struct gpu_api *api, unsigned first, size_t count, struct backend_device *devices,
                            struct error *error)
{
    struct cuda_software software;
    cuda_describe_software(api, &software);
    for (unsigned i = 0; i < count; i++)
        TRY(cuda_describe(api, &software, first + i, &devices[i], error));
    return STATUS_OK;
}

const struct gpu_driver cuda_driver = {
    .backend = &cuda_backend,
    .title = "CUDA",
    .hiding_variable = "CUDA_VISIBLE_DEVICES",
    .shared_unasked = 48 * 1024,
    .open = cuda_driver_open,
    .describe = describe,
    .lacks = "orchil needs sm_70 or later, where the PTX memory model begins",
};
