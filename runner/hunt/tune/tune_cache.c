// SPDX-License-Identifier: Apache-2.0
/* The drivers' own caches, in a folder of this process. */
#include "runner/hunt/tune/tune_cache.h"

#include <stdlib.h>

#include "base/memory.h"

/* Workers switch these caches off, because they may hold kernels of an older driver. A new folder
 * holds none. */
static const struct {
    const char *on_off, *on, *place;
} caches[] = {{"POCL_KERNEL_CACHE", "1", "POCL_CACHE_DIR"}, {"CUDA_CACHE_DISABLE", "0", "CUDA_CACHE_PATH"}};

enum status tune_cache_open(struct temporary_folder *folder, struct error *error)
{
    TRY(temporary_folder_open("tune", folder, error));
    for (size_t i = 0; i < sizeof caches / sizeof *caches; i++)
        if (!getenv(caches[i].on_off) && !getenv(caches[i].place) &&
            (setenv(caches[i].on_off, caches[i].on, 0) != 0 || setenv(caches[i].place, folder->path, 0) != 0))
            memory_fail(sizeof folder->path);
    return STATUS_OK;
}
