// SPDX-License-Identifier: Apache-2.0
/* Launches, nodes, and how many work-groups run at once. */
#include "backends/gpu/play.h"

#define CALL(kernel, function, ...)                                                                                    \
    do {                                                                                                               \
        const unsigned call_code = (kernel)->api->function(__VA_ARGS__);                                               \
        if (call_code != 0)                                                                                            \
            return gpu_call_failed((kernel)->api, (kernel)->device, #function, call_code, error);                      \
    } while (0)

static struct CUlaunchAttribute_st cluster_attribute(const struct gpu_kernel *kernel)
{
    return (struct CUlaunchAttribute_st){.id = CUDA_CLUSTER_DIMENSION, .value.cluster = {kernel->cluster_groups, 1, 1}};
}

/* The shape for the functions that take clusters; attribute is the caller's, and must outlive the
 * shape. */
static struct CUlaunchConfig_st clustered(const struct gpu_kernel *kernel, struct CUstream_st *stream,
                                          struct CUlaunchAttribute_st *attribute)
{
    *attribute = cluster_attribute(kernel);
    return (struct CUlaunchConfig_st){
        .grid_x = kernel->groups,
        .grid_y = 1,
        .grid_z = 1,
        .block_x = kernel->group_size,
        .block_y = 1,
        .block_z = 1,
        .shared_bytes = (unsigned)kernel->local_bytes,
        .stream = stream,
        .attributes = attribute,
        .attribute_count = 1,
    };
}

static enum status refuse_clusters(const struct gpu_kernel *kernel, struct error *error)
{
    return error_set(error, STATUS_DEVICE_FAILED, "%s:%u (%s) has no clusters: the driver or the device is too old",
                     kernel->device->backend, kernel->device->index, kernel->device->name);
}

enum status gpu_start_kernel(const struct gpu_kernel *kernel, struct CUstream_st *stream, void **parameters,
                             struct error *error)
{
    struct CUlaunchAttribute_st attribute;
    if (kernel->cluster_groups < 2) {
        CALL(kernel, cuLaunchKernel, kernel->function, kernel->groups, 1, 1, kernel->group_size, 1, 1,
             (unsigned)kernel->local_bytes, stream, parameters, NULL);
        return STATUS_OK;
    }
    if (!kernel->api->cuLaunchKernelEx)
        return refuse_clusters(kernel, error);
    const struct CUlaunchConfig_st config = clustered(kernel, stream, &attribute);
    CALL(kernel, cuLaunchKernelEx, &config, kernel->function, parameters, NULL);
    return STATUS_OK;
}

enum status gpu_add_kernel(const struct gpu_kernel *kernel, struct CUgraph_st *graph,
                           struct CUgraphNode_st *const *after, size_t count, void **parameters,
                           struct CUgraphNode_st **node, struct error *error)
{
    const struct CUDA_KERNEL_NODE_PARAMS_v2_st shape = {
        .function = kernel->function,
        .grid_x = kernel->groups,
        .grid_y = 1,
        .grid_z = 1,
        .block_x = kernel->group_size,
        .block_y = 1,
        .block_z = 1,
        .shared_bytes = (unsigned)kernel->local_bytes,
        .parameters = parameters,
    };
    const struct CUlaunchAttribute_st attribute = cluster_attribute(kernel);
    CALL(kernel, cuGraphAddKernelNode, node, graph, count > 0 ? after : NULL, count, &shape);
    if (kernel->cluster_groups < 2)
        return STATUS_OK;
    if (!kernel->api->cuLaunchKernelEx)
        return refuse_clusters(kernel, error);
    CALL(kernel, cuGraphKernelNodeSetAttribute, *node, CUDA_CLUSTER_DIMENSION, &attribute.value);
    return STATUS_OK;
}

static unsigned resident_clusters(const struct gpu_kernel *kernel)
{
    int clusters = 0;
    struct CUlaunchAttribute_st attribute;
    struct gpu_kernel one = *kernel;
    one.groups = kernel->cluster_groups;
    const struct CUlaunchConfig_st config = clustered(&one, NULL, &attribute);
    if (!kernel->api->cuOccupancyMaxActiveClusters ||
        kernel->api->cuOccupancyMaxActiveClusters(&clusters, kernel->function, &config) != 0 || clusters < 0)
        return 0;
    return (unsigned)clusters * kernel->cluster_groups;
}

unsigned gpu_count_resident(const struct gpu_kernel *kernel)
{
    int groups = 0;
    if (kernel->cluster_groups > 1)
        return resident_clusters(kernel);
    if (kernel->api->cuOccupancyMaxActiveBlocksPerMultiprocessor(&groups, kernel->function, (int)kernel->group_size,
                                                                 kernel->local_bytes) != 0 ||
        groups < 0)
        return 0;
    return (unsigned)groups * kernel->device->compute_units;
}
