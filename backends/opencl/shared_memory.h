// SPDX-License-Identifier: Apache-2.0
/*
 * Memory that kernels of several contexts reach while they run. In a processor's kernels, a buffer
 * made with CL_MEM_USE_HOST_PTR has the host's own address, so host pages serve as such memory. A
 * GPU has coarse-grained sharing at most, which makes nothing visible before a kernel ends.
 */
#ifndef ORCHIL_OPENCL_SHARED_MEMORY_H
#define ORCHIL_OPENCL_SHARED_MEMORY_H

#include "backends/backend.h"
#include "backends/opencl/library.h"

struct opencl_sharing {
    const struct opencl_library *library;
    const struct backend_device *device;
    cl_device_id id;
    cl_context context;
};

struct opencl_shared {
    void *host;
    size_t bytes;
    cl_mem buffer; /* over it */
    bool owned;    /* the pages are this session's */
};

struct opencl_shared_list {
    struct opencl_shared *items;
    size_t count, room;
};

/* As share, reach and forget in backend.h. */
enum status opencl_share(const struct opencl_sharing *of, struct opencl_shared_list *list, size_t bytes,
                         struct backend_shared *shared, struct error *error);
enum status opencl_reach(const struct opencl_sharing *of, struct opencl_shared_list *list,
                         const struct backend_shared *shared, uint64_t *address, struct error *error);
void opencl_forget(const struct opencl_sharing *of, struct opencl_shared_list *list,
                   const struct backend_shared *shared);
/* Forgets all that is left. */
void opencl_forget_all(const struct opencl_sharing *of, struct opencl_shared_list *list);

/* The buffer over the shared memory that begins at an address; NULL: none. */
cl_mem opencl_shared_buffer(const struct opencl_shared_list *list, uint64_t address);

#endif
