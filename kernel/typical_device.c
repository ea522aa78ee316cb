// SPDX-License-Identifier: Apache-2.0
/* The devices that kernels are shown and inspected for. */
#include "kernel/typical_device.h"

enum {
    ALL_DIALECTS = (1 << LITMUS_DIALECT_COUNT) - 1,
    ALL_EDGES = (1 << LAUNCH_EDGE_COUNT) - 1,
    OPENCL_EDGES = ALL_EDGES & ~(1 << LAUNCH_EDGE_GRAPH | 1 << LAUNCH_EDGE_PROGRAMMATIC),
    VULKAN_EDGES = 1 << LAUNCH_EDGE_BESIDE | 1 << LAUNCH_EDGE_EVENT | 1 << LAUNCH_EDGE_BARRIER | 1 << LAUNCH_EDGE_HOST,
    CUDA_EDGES = ALL_EDGES & ~(1 << LAUNCH_EDGE_BARRIER | 1 << LAUNCH_EDGE_MAP)
};

#define ATOMICS(scopes)                                                                                                \
    .atomic_orders = BACKEND_ALL_ORDERS, .atomic_scopes = (scopes), .fence_orders = BACKEND_ALL_ORDERS,                \
    .fence_scopes = (scopes), .types = BACKEND_ALL_TYPES

/* The same GPU, whichever driver presents it. */
#define NVIDIA_GPU                                                                                                     \
    .name = "a typical NVIDIA GPU", .gpu = true, ATOMICS(BACKEND_ALL_SCOPES), .compute_units = 100,                    \
    .max_group_size = 1024, .sub_group_size = 32, .memory_bytes = (uint64_t)1 << 34, .local_bytes = 48 * 1024

/* The first device of a backend that takes the test's dialect. */
static const struct {
    unsigned dialects; /* bits, by enum litmus_dialect */
    struct backend_device device;
} typical_devices[] = {
    {1 << LITMUS_OPENCL | 1 << LITMUS_C,
     {.backend = "opencl",
      .name = "a typical CPU",
      .takes = BACKEND_TAKES_C11,
      .edges = OPENCL_EDGES,
      ATOMICS(BACKEND_ALL_SCOPES & ~BACKEND_SCOPE_CLUSTER),
      .compute_units = 8,
      .max_group_size = 4096,
      .sub_group_size = 1,
      .memory_bytes = (uint64_t)1 << 32,
      .local_bytes = 48 * 1024}},
    {1 << LITMUS_PTX | 1 << LITMUS_CUDA,
     {.backend = "opencl", .takes = BACKEND_TAKES_C11 | BACKEND_TAKES_PTX, .edges = OPENCL_EDGES, NVIDIA_GPU}},
    {1 << LITMUS_VULKAN | 1 << LITMUS_OPENCL | 1 << LITMUS_C,
     {.backend = "vulkan", .takes = BACKEND_TAKES_GLSL, .edges = VULKAN_EDGES, NVIDIA_GPU}},
    {1 << LITMUS_VULKAN | 1 << LITMUS_OPENCL | 1 << LITMUS_C,
     {.backend = "webgpu",
      .name = "a typical browser",
      .gpu = true,
      .takes = BACKEND_TAKES_WGSL,
      .atomic_orders = BACKEND_ORDER_RELAXED,
      .atomic_scopes = BACKEND_SCOPE_WORK_GROUP | BACKEND_SCOPE_DEVICE,
      .compute_units = 16,
      .max_group_size = 1024,
      .sub_group_size = 1,
      .memory_bytes = (uint64_t)1 << 30,
      .local_bytes = 16 * 1024}},
    {1 << LITMUS_OPENCL | 1 << LITMUS_C | 1 << LITMUS_CUDA,
     {.backend = "hip",
      .architecture = "gfx90a",
      .name = "a typical AMD GPU",
      .gpu = true,
      .takes = BACKEND_TAKES_C11 | BACKEND_TAKES_CUDA,
      ATOMICS(BACKEND_ALL_SCOPES & ~BACKEND_SCOPE_CLUSTER),
      .paths = BACKEND_PATH_ALIAS,
      .edges = CUDA_EDGES,
      .compute_units = 100,
      .max_group_size = 1024,
      .sub_group_size = 64,
      .memory_bytes = (uint64_t)1 << 34,
      .local_bytes = 64 * 1024}},
    {ALL_DIALECTS,
     {.backend = "cuda",
      .architecture = "sm_90",
      .takes = BACKEND_TAKES_PTX | BACKEND_TAKES_CUDA,
      .max_cluster_groups = 8,
      .paths = BACKEND_ALL_PATHS,
      .edges = CUDA_EDGES,
      NVIDIA_GPU}},
};

const struct backend_device *typical_device(const char *backend, enum litmus_dialect dialect)
{
    return VALUE_OF(const struct backend_device *, one, typical_devices, COUNT(typical_devices),
                    strcmp(one->device.backend, backend) == 0 && (one->dialects & 1u << dialect), &one->device, NULL);
}

const struct backend_device *typical_device_for(const char *backend, const struct litmus_test *test,
                                                struct typical_ensemble *ensemble)
{
    const struct backend_device *one = typical_device(backend, test->dialect);
    const struct backend_device *host = typical_device("opencl", LITMUS_OPENCL);
    struct litmus_agents agents;
    struct error ignored; /* generating the kernel reports it */
    if (!one || litmus_find_agents(test, &agents, &ignored) != STATUS_OK || agents.count < 2)
        return one;
    ensemble->device = *one;
    ensemble->device.members = ensemble->members;
    ensemble->device.member_count = agents.count;
    ensemble->device.host = agents.host;
    ensemble->device.homes = ensemble->device.atomic_homes = (2u << agents.count) - 1;
    for (unsigned k = 0; k < agents.count; k++) {
        ensemble->members[k] = agents.host && k == agents.count - 1 ? *host : *one;
        ensemble->members[k].index = k;
    }
    return &ensemble->device;
}
