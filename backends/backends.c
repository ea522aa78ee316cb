// SPDX-License-Identifier: Apache-2.0
/* The table of backends. */
#include "backends/backend.h"

#include <stdlib.h>
#include <string.h>

#include "backends/cuda/cuda.h"
#include "backends/opencl/opencl.h"
#include "backends/simulated/simulated.h"

const struct backend *const backends[] = {&cuda_backend, &opencl_backend, &simulated_backend, NULL};

bool backend_offered(const struct backend *backend)
{
    return backend != &simulated_backend || getenv("ORCHIL_SIMULATED");
}

const struct backend *backend_find(const char *name)
{
    for (const struct backend *const *at = backends; *at; at++)
        if ((*at)->abi == BACKEND_ABI && strcmp((*at)->name, name) == 0)
            return *at;
    return NULL;
}

void backend_code_release(struct backend_code *code)
{
    text_release(&code->bytes);
    text_release(&code->log);
    *code = (struct backend_code){0};
}
