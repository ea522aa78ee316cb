// SPDX-License-Identifier: Apache-2.0
/*
 * Device code that was compiled before, in files. A file's name is the hash of everything that its content depends on:
 * kernel text, device, driver and compiler. So nothing in a cache is ever out of date, and a new driver compiles again.
 *
 * Code from a cache is run. So a folder or a file is used only if it belongs to this user or to root and nobody else
 * may change it, and only regular files of a bounded size are read. Whatever else is there is compiled again.
 */
#ifndef ORCHIL_RUNNER_WORKER_KERNEL_CACHE_H
#define ORCHIL_RUNNER_WORKER_KERNEL_CACHE_H

#include "backends/backend.h"

enum {
    KERNEL_CACHE_PATH = 4096,
    KERNEL_CACHE_ENTRY = 32 * 1024 * 1024 /* bytes of an entry; larger code is compiled every time */
};

/*
 * A folder for device code: the user's cache folder (XDG_CACHE_HOME, else ~/.cache), which is kept from run to run and
 * pruned to a bounded size; or, if temporary, a new one that kernel_cache_close removes. One cache may serve many
 * processes at once.
 */
struct kernel_cache {
    char folder[KERNEL_CACHE_PATH];
    bool temporary;
    int hold; /* of a temporary folder, which the next run removes if this one is killed */
};

enum status kernel_cache_open(bool temporary, struct kernel_cache *cache, struct error *error);
void kernel_cache_close(struct kernel_cache *cache);

/* The code that was compiled for a source on a device, with its log; *code starts as {0} and is released by the caller.
 * False if the folder has none. */
bool kernel_cache_read(const char *folder, const struct backend_device *device, const struct backend_source *source,
                       struct backend_code *code);

/* An entry, which is what a file of the cache holds, from its bytes and back. kernel_cache_unpack is false, and *code
 * is left as {0}, for bytes that are not an entry. */
bool kernel_cache_unpack(const char *bytes, size_t size, struct backend_code *code);
void kernel_cache_pack(const struct backend_code *code, struct text *entry);

/* Keeps code; a reader sees all of it or nothing. False if it could not be kept, which costs the next build time and
 * nothing else. */
bool kernel_cache_write(const char *folder, const struct backend_device *device, const struct backend_source *source,
                        const struct backend_code *code);

#endif
