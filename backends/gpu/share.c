// SPDX-License-Identifier: Apache-2.0
/* Shares memory of one GPU with others, and reaches memory of others or of the host. */
#include "backends/gpu/share.h"

#include "backends/driver.h"
#include "backends/host_memory.h"

#define CALL(of, function, ...)                                                                                        \
    do {                                                                                                               \
        const unsigned call_code = (of)->api->function(__VA_ARGS__);                                                   \
        if (call_code != 0)                                                                                            \
            return gpu_call_failed((of)->api, (of)->device, #function, call_code, error);                              \
    } while (0)

static enum status check_driver(const struct gpu_sharing *of, struct error *error)
{
    return of->api->cuMemHostRegister ? STATUS_OK
                                      : error_set(error, STATUS_UNSUPPORTED,
                                                  "the driver of %s:%u (%s) lacks the functions for sharing "
                                                  "memory",
                                                  of->device->backend, of->device->index, of->device->name);
}

enum status gpu_zero_shared(const struct gpu_sharing *of, uint64_t address, size_t words, struct error *error)
{
    CALL(of, cuMemsetD32Async, address, 0, words, of->stream);
    CALL(of, cuStreamSynchronize, of->stream);
    return STATUS_OK;
}

enum status gpu_share(const struct gpu_sharing *of, size_t bytes, struct backend_shared *shared, struct error *error)
{
    const size_t words = (bytes + sizeof(uint32_t) - 1) / sizeof(uint32_t);
    unsigned long long address;
    *shared = (struct backend_shared){0};
    TRY(check_driver(of, error));
    if (of->api->allocate_shared)
        CALL(of, allocate_shared, &address, words * sizeof(uint32_t));
    else
        CALL(of, cuMemAlloc, &address, words * sizeof(uint32_t));
    const enum status status = gpu_zero_shared(of, address, words, error);
    if (status != STATUS_OK) {
        (void)of->api->cuMemFree(address);
        return status;
    }
    *shared = (struct backend_shared){.owner = of->api->driver->backend,
                                      .index = of->device->index,
                                      .address = address,
                                      .bytes = bytes,
                                      .handle = of->context};
    return STATUS_OK;
}

/* The addresses of all GPUs are in one address space: a peer's memory has its owner's address (CUDA
 * Driver API, "Unified Addressing"). */
static enum status reach_peer(const struct gpu_sharing *of, const struct backend_shared *shared, uint64_t *address,
                              struct error *error)
{
    int peer, can = 0;
    CALL(of, cuDeviceGet, &peer, (int)shared->index);
    CALL(of, cuDeviceCanAccessPeer, &can, of->id, peer);
    if (!can)
        return error_set(error, STATUS_UNSUPPORTED,
                         "%s:%u (%s) has no peer access to %s:%u, says the driver; %s lists the GPUs that have it",
                         of->device->backend, of->device->index, of->device->name, of->device->backend, shared->index,
                         of->api->driver->is_hip ? "rocm-smi --showtopo" : "nvidia-smi topo -p2p r");
    const unsigned code = of->api->cuCtxEnablePeerAccess(shared->handle, 0);
    if (code != 0 && code != CUDA_PEER_ACCESS_IS_ENABLED)
        return gpu_call_failed(of->api, of->device, "cuCtxEnablePeerAccess", code, error);
    *address = shared->address;
    return STATUS_OK;
}

/* Another session may already have pinned the same pages for all contexts. */
static enum status reach_host(const struct gpu_sharing *of, const struct backend_shared *shared, uint64_t *address,
                              struct error *error)
{
    unsigned long long found = 0;
    const unsigned code = of->api->cuMemHostRegister(shared->host, host_memory_size(shared->bytes),
                                                     CUDA_REGISTER_PORTABLE | CUDA_REGISTER_MAPPED);
    if (code != 0 && code != CUDA_IS_REGISTERED)
        return gpu_call_failed(of->api, of->device, "cuMemHostRegister", code, error);
    const unsigned result = of->api->cuMemHostGetDevicePointer(&found, shared->host, 0);
    if (result != 0) {
        if (code == 0)
            (void)of->api->cuMemHostUnregister(shared->host);
        return gpu_call_failed(of->api, of->device, "cuMemHostGetDevicePointer", result, error);
    }
    *address = found;
    return STATUS_OK;
}

enum status gpu_reach(const struct gpu_sharing *of, const struct backend_shared *shared, uint64_t *address,
                      struct error *error)
{
    TRY(check_driver(of, error));
    if (shared->owner == of->api->driver->backend)
        return reach_peer(of, shared, address, error);
    if (shared->host)
        return reach_host(of, shared, address, error);
    return error_set(error, STATUS_UNSUPPORTED, "%s:%u (%s) cannot access memory on %s:%u", of->device->backend,
                     of->device->index, of->device->name, shared->owner->name, shared->index);
}

/* Peer access stays enabled, because other memory may be reached by it; it ends with the context.
 * Several sessions may have pinned the same pages: only the first to unpin them succeeds. */
void gpu_forget(const struct gpu_sharing *of, const struct backend_shared *shared)
{
    if (shared->host)
        (void)of->api->cuMemHostUnregister(shared->host);
    else if (shared->owner == of->api->driver->backend && shared->handle == of->context)
        (void)of->api->cuMemFree(shared->address);
}

bool gpu_describe_link(const struct gpu_sharing *of, const struct backend_shared *shared, struct text *text)
{
    int peer, native = 0;
    const bool is_peer = shared->owner == of->api->driver->backend;
    const bool known = is_peer
                           ? of->api->cuDeviceGet(&peer, (int)shared->index) == 0 &&
                                 of->api->cuDeviceGetP2PAttribute(&native, CUDA_PEER_NATIVE_ATOMICS, of->id, peer) == 0
                           : of->api->cuDeviceGetAttribute(&native, CUDA_HOST_NATIVE_ATOMICS, of->id) == 0;
    text_add(text, "%s%s", is_peer ? "peer access" : "pinned memory",
             !known   ? ""
             : native ? ", native atomics"
                      : ", no native atomics");
    return known && native;
}
