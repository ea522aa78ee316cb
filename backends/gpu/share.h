// SPDX-License-Identifier: Apache-2.0
/*
 * Memory that kernels of several sessions reach while they run: plain memory of one GPU, to which
 * another has peer access (CUDA Driver API, "Peer Context Memory Access"), and host pages that are
 * pinned and mapped ("Memory Management", cuMemHostRegister). Managed memory, which migrates, and
 * multicast are never used.
 */
#ifndef ORCHIL_GPU_SHARE_H
#define ORCHIL_GPU_SHARE_H

#include "backends/backend.h"
#include "backends/gpu/api.h"

/* Of a session, whose context is current in the calling thread. */
struct gpu_sharing {
    const struct gpu_api *api;
    const struct backend_device *device;
    int id; /* the driver's number of the device */
    struct CUctx_st *context;
    struct CUstream_st *stream;
};

/* As share, reach, forget, describe_link and zero_shared in backend.h. */
enum status gpu_share(const struct gpu_sharing *of, size_t bytes, struct backend_shared *shared, struct error *error);
enum status gpu_reach(const struct gpu_sharing *of, const struct backend_shared *shared, uint64_t *address,
                      struct error *error);
void gpu_forget(const struct gpu_sharing *of, const struct backend_shared *shared);
bool gpu_describe_link(const struct gpu_sharing *of, const struct backend_shared *shared, struct text *text);
enum status gpu_zero_shared(const struct gpu_sharing *of, uint64_t address, size_t words, struct error *error);

#endif
