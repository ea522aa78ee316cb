// SPDX-License-Identifier: Apache-2.0
/* What HIP, HIPRTC and the kernel's driver report about the machine and about each AMD GPU. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "backends/gpu/paths.h"
#include "backends/gpu/play.h"
#include "backends/hip/devices.h"
#include "backends/hip/hip.h"
#include "base/whole_file.h"

struct CUuuid_st {
    unsigned char bytes[16];
};

/* The first word of a file; false if it cannot be read. */
static bool read_word(const char *path, char *word, size_t size)
{
    char line[128];
    if (file_read_start(path, line, sizeof line) == 0)
        return false;
    line[strcspn(line, " \n")] = '\0';
    driver_copy(word, size, line);
    return word[0] != '\0';
}

void hip_describe_software(const struct gpu_api *api, struct hip_software *software)
{
    char version[64];
    struct hiprtc hiprtc;
    *software = (struct hip_software){0};
    const bool module = read_word("/sys/module/amdgpu/version", version, sizeof version);
    (void)snprintf(software->driver, sizeof software->driver, "HIP %d.%d.%d%s%s", api->version / 10000000,
                   api->version / 100000 % 100, api->version % 100000, module ? ", amdgpu " : "",
                   module ? version : "");
    if (read_word("/opt/rocm/.info/version", version, sizeof version))
        (void)snprintf(software->platform, sizeof software->platform, "ROCm %s", version);
    if (hiprtc_open(&hiprtc, NULL) == STATUS_OK)
        (void)snprintf(software->compiler, sizeof software->compiler, "HIPRTC %d.%d", hiprtc.major, hiprtc.minor);
}

/* A value in a file of names and values, one pair to a line; -1 if it lacks the name. */
static long long find_value(const char *text, const char *name)
{
    const size_t length = strlen(name);
    for (const char *at = text; *at; at += strcspn(at, "\n"), at += *at == '\n')
        if (strncmp(at, name, length) == 0 && at[length] == ' ')
            return strtoll(at + length, NULL, 10);
    return -1;
}

unsigned hip_count_dies(const char *folder, const char *place)
{
    enum { MOST_NODES = 64 };
    unsigned domain, bus, slot, function;
    if (sscanf(place, "%4x:%2x:%2x.%1x", &domain, &bus, &slot, &function) != 4)
        return 0;
    for (int node = 0; node < MOST_NODES; node++) {
        char path[256], text[8192];
        (void)snprintf(path, sizeof path, "%s/%d/properties", folder, node);
        if (file_read_start(path, text, sizeof text) > 0 &&
            find_value(text, "location_id") == (long long)(bus << 8 | slot << 3 | function) &&
            find_value(text, "domain") == (long long)domain && find_value(text, "simd_count") > 0) {
            const long long dies = find_value(text, "num_xcc");
            return dies > 0 ? (unsigned)dies : 0;
        }
    }
    return 0;
}

/* The atomic builtins of HIP C++ have all orders, and all scopes but clusters. */
static void describe_atomics(struct backend_device *device)
{
    device->takes = BACKEND_TAKES_C11 | BACKEND_TAKES_CUDA;
    device->types = BACKEND_ALL_TYPES;
    device->atomic_orders = device->fence_orders = BACKEND_ALL_ORDERS;
    device->atomic_scopes = device->fence_scopes = BACKEND_ALL_SCOPES & ~(unsigned)BACKEND_SCOPE_CLUSTER;
}

static void describe_hardware(const struct gpu_api *api, int id, struct backend_device *device)
{
    device->compute_units = gpu_attribute(api, id, CUDA_MULTIPROCESSORS);
    device->l2_bytes = gpu_attribute(api, id, CUDA_L2_BYTES);
    device->max_group_size = gpu_attribute(api, id, CUDA_MAX_THREADS_PER_BLOCK);
    device->sub_group_size = gpu_attribute(api, id, CUDA_WARP_SIZE);
    device->local_bytes = gpu_attribute(api, id, CUDA_SHARED_PER_BLOCK);
    if (gpu_paths_describe(api, id) & BACKEND_PATH_ALIAS)
        device->paths = BACKEND_PATH_ALIAS; /* the others are words of PTX */
    device->edges = gpu_edges(api);
}

static void describe_platform(const struct hip_software *software, int id, struct backend_device *device)
{
    char place[32];
    hip_read_place(id, place);
    const unsigned dies = hip_count_dies("/sys/class/kfd/kfd/topology/nodes", place);
    if (dies > 0)
        (void)snprintf(device->platform, sizeof device->platform, "%s%s%u XCD%s", software->platform,
                       software->platform[0] ? ", " : "", dies, dies == 1 ? "" : "s");
    else
        driver_copy(device->platform, sizeof device->platform, software->platform);
}

static enum status describe(const struct gpu_api *api, const struct hip_software *software, unsigned index,
                            struct backend_device *device, struct error *error)
{
    int id;
    size_t memory = 0;
    struct CUuuid_st uuid;
    char processor[64];
    *device = (struct backend_device){.backend = "hip", .index = index, .vendor = "AMD", .gpu = true};
    unsigned code = api->cuDeviceGet(&id, (int)index);
    if (code == 0)
        code = api->cuDeviceGetName(device->name, (int)sizeof device->name, id);
    if (code == 0)
        code = api->cuDeviceTotalMem(&memory, id);
    if (code != 0)
        return error_set(error, STATUS_DEVICE_FAILED, "HIP cannot describe hip:%u: %s", index,
                         gpu_error_name(api, code));
    if (api->cuDeviceGetUuid(&uuid, id) == 0)
        driver_uuid(device->uuid, uuid.bytes);
    hip_read_processor(id, processor);
    driver_copy(device->architecture, sizeof device->architecture, processor);
    driver_copy(device->driver, sizeof device->driver, software->driver);
    driver_copy(device->compiler, sizeof device->compiler, software->compiler);
    describe_platform(software, id, device);
    device->memory_bytes = memory;
    describe_hardware(api, id, device);
    if (strncmp(processor, "gfx", 3) == 0)
        describe_atomics(device);
    return STATUS_OK;
}

static enum status describe_all(const struct gpu_api *api, unsigned first, size_t count, struct backend_device *devices,
                                struct error *error)
{
    struct hip_software software;
    hip_describe_software(api, &software);
    for (unsigned i = 0; i < count; i++)
        TRY(describe(api, &software, first + i, &devices[i], error));
    return STATUS_OK;
}

const struct gpu_driver hip_driver = {
    .backend = &hip_backend,
    .title = "HIP",
    .hiding_variable = "HIP_VISIBLE_DEVICES and ROCR_VISIBLE_DEVICES",
    .is_hip = true,
    .shared_unasked = SIZE_MAX, /* a kernel may use all */
    .open = hip_open,
    .describe = describe_all,
    .lacks = "orchil needs HIP's name for its processor, such as gfx90a",
};
