// SPDX-License-Identifier: Apache-2.0
/* The drivers' own caches, in a folder of this process. */
#include "runner/hunt/tune/tune_cache.h"

#include <stdlib.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/temporary_folder.h"

static const char folder_name[] = "tune";

/* Workers switch these caches off, because they may hold kernels of an older driver. A new folder
 * holds none. */
static const struct {
    const char *on_off, *on, *place;
} caches[] = {{"POCL_KERNEL_CACHE", "1", "POCL_CACHE_DIR"}, {"CUDA_CACHE_DISABLE", "0", "CUDA_CACHE_PATH"}};

enum status tune_cache_open(struct tune_cache *cache, struct error *error)
{
    cache->hold = -1;
    temporary_folder_sweep(folder_name);
    TRY(temporary_folder_make(folder_name, cache->folder, sizeof cache->folder, error));
    cache->hold = temporary_folder_lock(cache->folder);
    for (size_t i = 0; i < sizeof caches / sizeof *caches; i++)
        if (!getenv(caches[i].on_off) && !getenv(caches[i].place) &&
            (setenv(caches[i].on_off, caches[i].on, 0) != 0 || setenv(caches[i].place, cache->folder, 0) != 0))
            memory_fail(sizeof cache->folder);
    return STATUS_OK;
}

void tune_cache_close(struct tune_cache *cache)
{
    const bool is_held = cache->folder[0] != '\0' && cache->hold >= 0;
    temporary_folder_remove(cache->folder);
    if (is_held)
        (void)close(cache->hold);
    cache->hold = -1;
}
