// SPDX-License-Identifier: Apache-2.0
/* Shares memory of one GPU with others, and reaches memory of others or of the host. */
#include "backends/cuda/share.h"

#include "backends/cuda/cuda.h"
#include "backends/driver.h"
#include "backends/host_memory.h"

#define CALL(of, function, ...)                                                                                        \
    do {                                                                                                               \
        const unsigned call_code = (of)->driver->function(__VA_ARGS__);                                                \
        if (call_code != 0)                                                                                            \
            return cuda_call_failed((of)->driver, (of)->device, #function, call_code, error);                          \
    } while (0)

static enum status check_driver(const struct cuda_sharing *of, struct error *error)
{
    return of->driver->cuMemHostRegister ? STATUS_OK
                                         : error_set(error, STATUS_UNSUPPORTED,
                                                     "the driver of cuda:%u (%s) lacks the functions for sharing "
                                                     "memory",
                                                     of->device->index, of->device->name);
}

enum status cuda_zero_shared(const struct cuda_sharing *of, uint64_t address, size_t words, struct error *error)
{
    CALL(of, cuMemsetD32Async, address, 0, words, of->stream);
    CALL(of, cuStreamSynchronize, of->stream);
    return STATUS_OK;
}

enum status cuda_share(const struct cuda_sharing *of, size_t bytes, struct backend_shared *shared, struct error *error)
{
    const size_t words = (bytes + sizeof(uint32_t) - 1) / sizeof(uint32_t);
    unsigned long long address;
    *shared = (struct backend_shared){0};
    TRY(check_driver(of, error));
    CALL(of, cuMemAlloc, &address, words * sizeof(uint32_t));
    const enum status status = cuda_zero_shared(of, address, words, error);
    if (status != STATUS_OK) {
        (void)of->driver->cuMemFree(address);
        return status;
    }
    *shared = (struct backend_shared){
        .owner = &cuda_backend, .index = of->device->index, .address = address, .bytes = bytes, .handle = of->context};
    return STATUS_OK;
}

/* The addresses of all GPUs are in one address space: a peer's memory has its owner's address (CUDA
 * Driver API, "Unified Addressing"). */
static enum status reach_peer(const struct cuda_sharing *of, const struct backend_shared *shared, uint64_t *address,
                              struct error *error)
{
    int peer, can = 0;
    CALL(of, cuDeviceGet, &peer, (int)shared->index);
    CALL(of, cuDeviceCanAccessPeer, &can, of->id, peer);
    if (!can)
        return error_set(error, STATUS_UNSUPPORTED,
                         "cuda:%u (%s) has no peer access to cuda:%u, says the driver; nvidia-smi topo -p2p r lists "
                         "the GPUs that have it",
                         of->device->index, of->device->name, shared->index);
    const unsigned code = of->driver->cuCtxEnablePeerAccess(shared->handle, 0);
    if (code != 0 && code != CUDA_PEER_ACCESS_IS_ENABLED)
        return cuda_call_failed(of->driver, of->device, "cuCtxEnablePeerAccess", code, error);
    *address = shared->address;
    return STATUS_OK;
}

/* Another session may already have pinned the same pages for all contexts. */
static enum status reach_host(const struct cuda_sharing *of, const struct backend_shared *shared, uint64_t *address,
                              struct error *error)
{
    unsigned long long found = 0;
    const unsigned code = of->driver->cuMemHostRegister(shared->host, host_memory_size(shared->bytes),
                                                        CUDA_REGISTER_PORTABLE | CUDA_REGISTER_MAPPED);
    if (code != 0 && code != CUDA_IS_REGISTERED)
        return cuda_call_failed(of->driver, of->device, "cuMemHostRegister", code, error);
    const unsigned result = of->driver->cuMemHostGetDevicePointer(&found, shared->host, 0);
    if (result != 0) {
        if (code == 0)
            (void)of->driver->cuMemHostUnregister(shared->host);
        return cuda_call_failed(of->driver, of->device, "cuMemHostGetDevicePointer", result, error);
    }
    *address = found;
    return STATUS_OK;
}

enum status cuda_reach(const struct cuda_sharing *of, const struct backend_shared *shared, uint64_t *address,
                       struct error *error)
{
    TRY(check_driver(of, error));
    if (shared->owner == &cuda_backend)
        return reach_peer(of, shared, address, error);
    if (shared->host)
        return reach_host(of, shared, address, error);
    return error_set(error, STATUS_UNSUPPORTED, "cuda:%u (%s) cannot access memory on %s:%u", of->device->index,
                     of->device->name, shared->owner->name, shared->index);
}

/* Peer access stays enabled, because other memory may be reached by it; it ends with the context.
 * Several sessions may have pinned the same pages: only the first to unpin them succeeds. */
void cuda_forget(const struct cuda_sharing *of, const struct backend_shared *shared)
{
    if (shared->host)
        (void)of->driver->cuMemHostUnregister(shared->host);
    else if (shared->owner == &cuda_backend && shared->handle == of->context)
        (void)of->driver->cuMemFree(shared->address);
}

bool cuda_describe_link(const struct cuda_sharing *of, const struct backend_shared *shared, struct text *text)
{
    int peer, native = 0;
    const bool is_peer = shared->owner == &cuda_backend;
    const bool known =
        is_peer ? of->driver->cuDeviceGet(&peer, (int)shared->index) == 0 &&
                      of->driver->cuDeviceGetP2PAttribute(&native, CUDA_PEER_NATIVE_ATOMICS, of->id, peer) == 0
                : of->driver->cuDeviceGetAttribute(&native, CUDA_HOST_NATIVE_ATOMICS, of->id) == 0;
    text_add(text, "%s%s", is_peer ? "peer access" : "pinned memory",
             !known   ? ""
             : native ? ", native atomics"
                      : ", no native atomics");
    return known && native;
}
