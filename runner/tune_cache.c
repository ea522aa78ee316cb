// SPDX-License-Identifier: Apache-2.0
#include "runner/tune_cache.h"

#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Workers switch these caches off, because a kernel of an older driver might be found there. In a new folder there is
 * none. */
static const struct {
    const char *on_off, *on, *place;
} caches[] = {{"POCL_KERNEL_CACHE", "1", "POCL_CACHE_DIR"}, {"CUDA_CACHE_DISABLE", "0", "CUDA_CACHE_PATH"}};

enum { OPEN_FOLDERS = 16 };

enum status tune_cache_open(struct tune_cache *cache, struct error *error)
{
    const char *place = getenv("TMPDIR");
    const char *folder = place && place[0] == '/' ? place : "/tmp";
    (void)snprintf(cache->folder, sizeof cache->folder, "%.4000s/orchil-tune-XXXXXX", folder);
    if (!mkdtemp(cache->folder)) {
        cache->folder[0] = '\0';
        return error_set(error, STATUS_SYSTEM, "no folder for the drivers' kernels can be made in %s: %s", folder,
                         strerror(errno));
    }
    for (size_t i = 0; i < sizeof caches / sizeof *caches; i++)
        if (!getenv(caches[i].on_off) && !getenv(caches[i].place) &&
            (setenv(caches[i].on_off, caches[i].on, 0) != 0 || setenv(caches[i].place, cache->folder, 0) != 0))
            return error_set(error, STATUS_MEMORY, "no memory for environment variables");
    return STATUS_OK;
}

static int remove_entry(const char *path, const struct stat *status, int kind, struct FTW *where)
{
    (void)status;
    (void)kind;
    (void)where;
    (void)remove(path); /* what stays, stays in a folder for temporary files */
    return 0;
}

void tune_cache_close(struct tune_cache *cache)
{
    if (cache->folder[0] != '\0')
        (void)nftw(cache->folder, remove_entry, OPEN_FOLDERS, FTW_DEPTH | FTW_PHYS);
    cache->folder[0] = '\0';
}
