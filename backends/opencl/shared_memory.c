// SPDX-License-Identifier: Apache-2.0
/* Buffers over host pages. */
#include "backends/opencl/shared_memory.h"

#include <stdlib.h>

#include "backends/driver.h"
#include "backends/host_memory.h"
#include "backends/opencl/opencl.h"
#include "base/memory.h"

static enum status check_device(const struct opencl_sharing *of, struct error *error)
{
    cl_device_svm_capabilities has = 0;
    const struct backend_device *device = of->device;
    if (device->gpu)
        return error_set(error, STATUS_UNSUPPORTED,
                         "opencl:%u (%s) cannot share memory while kernels run: OpenCL on a GPU shares it only after a "
                         "kernel has ended",
                         device->index, device->name);
    if (of->library->clGetDeviceInfo(of->id, CL_DEVICE_SVM_CAPABILITIES, sizeof has, &has, NULL) != CL_SUCCESS ||
        !(has & CL_DEVICE_SVM_FINE_GRAIN_BUFFER) || !(has & CL_DEVICE_SVM_ATOMICS))
        return error_set(error, STATUS_UNSUPPORTED,
                         "opencl:%u (%s) cannot share memory while kernels run: its driver (%s) has no fine-grained "
                         "shared virtual memory with atomics",
                         device->index, device->name, device->platform);
    return STATUS_OK;
}

static enum status add_buffer(const struct opencl_sharing *of, struct opencl_shared_list *list, void *host,
                              size_t bytes, bool owned, struct error *error)
{
    cl_int code;
    const size_t size = host_memory_size(bytes);
    const cl_mem buffer =
        of->library->clCreateBuffer(of->context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, size, host, &code);
    if (!buffer)
        return driver_call_failed(of->device, "clCreateBuffer over host memory", opencl_error_name(code), NULL, error);
    LIST_ADD(list->items, list->count, list->room) = (struct opencl_shared){host, bytes, buffer, owned};
    return STATUS_OK;
}

enum status opencl_share(const struct opencl_sharing *of, struct opencl_shared_list *list, size_t bytes,
                         struct backend_shared *shared, struct error *error)
{
    *shared = (struct backend_shared){0};
    TRY(check_device(of, error));
    void *host = host_memory_take(bytes);
    if (!host)
        return driver_buffer_refused(of->device, DRIVER_MEMORY, bytes / sizeof(uint32_t), "out of memory", error);
    const enum status status = add_buffer(of, list, host, bytes, true, error);
    if (status != STATUS_OK) {
        host_memory_release(host, bytes);
        return status;
    }
    *shared = (struct backend_shared){.owner = &opencl_backend,
                                      .index = of->device->index,
                                      .host = host,
                                      .address = (uint64_t)(uintptr_t)host,
                                      .bytes = bytes};
    return STATUS_OK;
}

enum status opencl_reach(const struct opencl_sharing *of, struct opencl_shared_list *list,
                         const struct backend_shared *shared, uint64_t *address, struct error *error)
{
    TRY(check_device(of, error));
    if (!shared->host)
        return error_set(error, STATUS_UNSUPPORTED, "opencl:%u (%s) cannot access memory on %s:%u", of->device->index,
                         of->device->name, shared->owner->name, shared->index);
    TRY(add_buffer(of, list, shared->host, shared->bytes, false, error));
    *address = (uint64_t)(uintptr_t)shared->host;
    return STATUS_OK;
}

static void release(const struct opencl_sharing *of, struct opencl_shared *item)
{
    (void)of->library->clReleaseMemObject(item->buffer);
    if (item->owned)
        host_memory_release(item->host, item->bytes);
}

void opencl_forget(const struct opencl_sharing *of, struct opencl_shared_list *list,
                   const struct backend_shared *shared)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->items[i].host == shared->host) {
            release(of, &list->items[i]);
            list->items[i] = list->items[--list->count];
            return;
        }
}

void opencl_forget_all(const struct opencl_sharing *of, struct opencl_shared_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        release(of, &list->items[i]);
    free(list->items);
    *list = (struct opencl_shared_list){0};
}

cl_mem opencl_shared_buffer(const struct opencl_shared_list *list, uint64_t address)
{
    for (size_t i = 0; i < list->count; i++)
        if ((uint64_t)(uintptr_t)list->items[i].host == address)
            return list->items[i].buffer;
    return NULL;
}
