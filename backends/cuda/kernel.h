// SPDX-License-Identifier: Apache-2.0
/* A kernel and the shape of its launches, in a stream or as a node of a graph. Private to this folder. */
#ifndef ORCHIL_CUDA_KERNEL_H
#define ORCHIL_CUDA_KERNEL_H

#include "backends/backend.h"
#include "backends/cuda/library.h"

struct cuda_kernel {
    const struct cuda_driver *driver;
    const struct backend_device *device;
    struct CUfunc_st *function; /* which may have local_bytes of shared memory */
    unsigned groups, group_size;
    unsigned cluster_groups; /* 0 or 1: no clusters; else groups is a multiple of it */
    size_t local_bytes;
};

/* Launches it in a stream; parameters are pointers to the kernel's, which are read before this returns. */
enum status cuda_start_kernel(const struct cuda_kernel *kernel, struct CUstream_st *stream, void **parameters,
                              struct error *error);

/* Makes it a node of a graph that runs when those others have ended. Parameters are read before this returns. */
enum status cuda_add_kernel(const struct cuda_kernel *kernel, struct CUgraph_st *graph,
                            struct CUgraphNode_st *const *after, size_t count, void **parameters,
                            struct CUgraphNode_st **node, struct error *error);

/* As backend.h says of resident, but for the size of a group. */
unsigned cuda_count_resident(const struct cuda_kernel *kernel);

#endif
