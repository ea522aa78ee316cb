// SPDX-License-Identifier: Apache-2.0
/*
 * Compiled device code, kept in files. A file's name is the hash of everything that its content depends on: kernel
 * text, device, driver and compiler. So a cache never goes stale, and a new driver compiles again.
 *
 * Code from a cache is executed. So a folder or a file is used only if it belongs to this user or to root and no other
 * user may change it, and only regular files of a bounded size are read. Anything else is compiled again.
 */
#pragma once

#include "backends/backend.h"
#include "base/temporary_folder.h"

enum {
    KERNEL_CACHE_PATH = TEMPORARY_FOLDER_PATH,
    KERNEL_CACHE_ENTRY = 32 * 1024 * 1024 /* bytes of an entry; larger code is compiled every time */
};

/* A folder for device code: the user's cache folder (XDG_CACHE_HOME, else ~/.cache), which is kept between runs and
 * pruned to a bounded size; or, if temporary, a new folder that kernel_cache_close removes. Many processes may use a
 * cache at once. */
struct kernel_cache {
    char folder[KERNEL_CACHE_PATH];
    bool temporary;
    struct temporary_folder own; /* the folder, if it is temporary */
};

enum status kernel_cache_open(bool temporary, struct kernel_cache *cache, struct error *error);
void kernel_cache_close(struct kernel_cache *cache);

/* Reads the code compiled for a source on a device, with its log; *code starts as {0} and is released by the caller.
 * False if the folder has none. */
bool kernel_cache_read(const char *folder, const struct backend_device *device, const struct backend_source *source,
                       struct backend_code *code);

/* An entry, the content of a cache file, from its bytes and back. For bytes that are not an entry, kernel_cache_unpack
 * returns false and leaves *code as {0}. */
bool kernel_cache_unpack(const char *bytes, size_t size, struct backend_code *code);
void kernel_cache_pack(const struct backend_code *code, struct text *entry);

/* Keeps code; a reader sees all of it or nothing. False on failure, which only costs the next build time. */
bool kernel_cache_write(const char *folder, const struct backend_device *device, const struct backend_source *source,
                        const struct backend_code *code);
