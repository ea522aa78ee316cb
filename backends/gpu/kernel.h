// SPDX-License-Identifier: Apache-2.0
/* A kernel and the shape of its launches, in a stream or as a node of a graph. Private to this
 * folder. */
#ifndef ORCHIL_GPU_KERNEL_H
#define ORCHIL_GPU_KERNEL_H

#include "backends/backend.h"
#include "backends/gpu/api.h"

struct gpu_kernel {
    const struct gpu_api *api;
    const struct backend_device *device;
    struct CUfunc_st *function; /* may use local_bytes of shared memory */
    unsigned groups, group_size;
    unsigned cluster_groups; /* 0 or 1: no clusters; else divides groups */
    size_t local_bytes;
};

/* Launches it in a stream; parameters are pointers to the kernel's parameters, which are read
 * before this returns. */
enum status gpu_start_kernel(const struct gpu_kernel *kernel, struct CUstream_st *stream, void **parameters,
                             struct error *error);

/* Adds it to a graph as a node that runs after the nodes in `after` have ended. Parameters are read
 * before this returns. */
enum status gpu_add_kernel(const struct gpu_kernel *kernel, struct CUgraph_st *graph,
                           struct CUgraphNode_st *const *after, size_t count, void **parameters,
                           struct CUgraphNode_st **node, struct error *error);

/* As `resident` in backend.h; the group size is the kernel's. */
unsigned gpu_count_resident(const struct gpu_kernel *kernel);

#endif
