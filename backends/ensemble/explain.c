// SPDX-License-Identifier: Apache-2.0
/* For `doctor`: which ensembles this machine could have. */
#include <stdlib.h>

#include "backends/cuda/cuda.h"
#include "backends/ensemble/ensemble.h"
#include "backends/ensemble/session.h"
#include "backends/opencl/opencl.h"
#include "backends/simulated/simulated.h"

/* Whether a device may be able to share memory with others while kernels run, judging by what is
 * known without opening it. */
static bool may_share(const struct backend *backend, const struct backend_device *device)
{
    return device->takes && (backend != &opencl_backend || (!device->gpu && device->takes & BACKEND_TAKES_C11));
}

static void add_pair(const struct backend *backend, unsigned first, const char *second, struct text *pairs)
{
    text_add(pairs, "    --device %s:%u+%s\n", backend->name, first, second);
}

/* The first two devices of a backend together, and each of them with the host. */
static void add_backend(const struct backend *backend, bool has_host, struct text *pairs)
{
    struct backend_device *devices;
    struct error ignored;
    const struct backend_device *first = NULL;
    size_t count;
    if (backend->list(&devices, &count, &ignored) != STATUS_OK)
        return;
    for (size_t i = 0; i < count; i++) {
        struct text second = {0};
        if (!may_share(backend, &devices[i]))
            continue;
        text_add(&second, "%s:%u", backend->name, devices[i].index);
        if (first)
            add_pair(backend, first->index, text_string(&second), pairs);
        else if (has_host)
            add_pair(backend, devices[i].index, "host", pairs);
        text_release(&second);
        if (first)
            break;
        first = &devices[i];
    }
    free(devices);
}

static bool find_host(void)
{
    struct backend_device *devices;
    struct error ignored;
    size_t count;
    bool found = false;
    if (opencl_backend.list(&devices, &count, &ignored) != STATUS_OK)
        return false;
    for (size_t i = 0; i < count; i++)
        found |= may_share(&opencl_backend, &devices[i]);
    free(devices);
    return found;
}

void ensemble_explain(struct text *text)
{
    struct text pairs = {0};
    const bool has_host = find_host();
    text_add(text, "Ensemble\n");
    add_backend(&cuda_backend, has_host, &pairs);
    add_backend(&opencl_backend, has_host, &pairs);
    if (backend_offered(&simulated_backend))
        add_backend(&simulated_backend, false, &pairs);
    if (pairs.size > 0)
        text_add(text, "  devices that may share memory, for tests of several devices:\n%s", text_string(&pairs));
    else
        text_add(text, "  no devices that may share memory: that needs two GPUs with CUDA, or a GPU and PoCL\n");
    if (!has_host)
        text_add(text, "  no host: apt-get install pocl-opencl-icd makes the CPU an OpenCL device\n");
    text_release(&pairs);
}
