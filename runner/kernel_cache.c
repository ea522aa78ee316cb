// SPDX-License-Identifier: Apache-2.0
#include "runner/kernel_cache.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/hash.h"

/* Raised when code is compiled otherwise (options, layout): part of each name. */
enum { CODE_VERSION = 1 };

enum { MAXIMUM_FILES = 8192, PRUNED_FILES = 6144 }; /* kept at most; left by a pruning */

static const char suffix[] = ".code";

/* ---- names ---- */

static bool code_path(const char *folder, const struct backend_device *device, const char *kernel,
                      char path[KERNEL_CACHE_PATH])
{
    struct text key = {0};
    char hex[HASH_HEX_SIZE];
    const struct backend *backend = backend_find(device->backend);
    text_add(&key, "%d\n%s\n%s\n%s\n%s\n%s\n%s\n%s%s", CODE_VERSION, device->backend, device->name,
             device->architecture, device->platform, device->driver, device->compiler, backend ? backend->prelude : "",
             kernel);
    const bool good = !key.failed;
    hash_hex(text_string(&key), key.size, hex);
    text_release(&key);
    const int length = snprintf(path, KERNEL_CACHE_PATH, "%s/%s%s", folder, hex, suffix);
    return good && length > 0 && length < KERNEL_CACHE_PATH;
}

/* ---- reading and writing ---- */

/* Takes the hash from the head of what was read, and says whether the rest has it: a disk may lose the end of a file. */
static bool take_hash(struct text *code)
{
    char hex[HASH_HEX_SIZE];
    if (code->failed || code->size < HASH_HEX_SIZE)
        return false;
    const size_t size = code->size - (HASH_HEX_SIZE - 1);
    hash_hex(code->data + HASH_HEX_SIZE - 1, size, hex);
    if (memcmp(hex, code->data, HASH_HEX_SIZE - 1) != 0)
        return false;
    memmove(code->data, code->data + HASH_HEX_SIZE - 1, size + 1);
    code->size = size;
    return true;
}

bool kernel_cache_read(const char *folder, const struct backend_device *device, const char *kernel, struct text *code)
{
    char path[KERNEL_CACHE_PATH], part[16 * 1024];
    size_t got;
    if (!code_path(folder, device, kernel, path))
        return false;
    FILE *file = fopen(path, "rbe");
    if (!file)
        return false;
    while ((got = fread(part, 1, sizeof part, file)) > 0)
        text_add_bytes(code, part, got);
    const bool good = !ferror(file) && take_hash(code);
    (void)fclose(file); /* nothing was written to it */
    if (!good)
        (void)unlink(path); /* damaged: compiled anew and written again */
    if (good)
        (void)utimensat(AT_FDCWD, path, NULL, 0); /* the oldest are pruned; one that is used is not old */
    else
        text_clear(code);
    return good;
}

bool kernel_cache_write(const char *folder, const struct backend_device *device, const char *kernel,
                        const struct text *code)
{
    char path[KERNEL_CACHE_PATH], unfinished[KERNEL_CACHE_PATH + 8];
    if (!code_path(folder, device, kernel, path))
        return false;
    (void)snprintf(unfinished, sizeof unfinished, "%s.XXXXXX", path);
    const int descriptor = mkstemp(unfinished);
    if (descriptor < 0)
        return false;
    FILE *file = fdopen(descriptor, "wb");
    char hex[HASH_HEX_SIZE];
    hash_hex(code->data, code->size, hex);
    bool good = file && fwrite(hex, 1, HASH_HEX_SIZE - 1, file) == HASH_HEX_SIZE - 1 &&
                fwrite(code->data, 1, code->size, file) == code->size && fflush(file) == 0 && fsync(descriptor) == 0;
    if (file)
        good = fclose(file) == 0 && good;
    else
        (void)close(descriptor);
    if (!good || rename(unfinished, path) != 0) {
        (void)unlink(unfinished);
        return false;
    }
    return true;
}

/* ---- the folder ---- */

struct kept_file {
    char name[128];
    struct timespec used;
};

static int by_age(const void *left, const void *right)
{
    const struct kept_file *a = left, *b = right;
    if (a->used.tv_sec != b->used.tv_sec)
        return a->used.tv_sec < b->used.tv_sec ? -1 : 1;
    return (a->used.tv_nsec > b->used.tv_nsec) - (a->used.tv_nsec < b->used.tv_nsec);
}

/* Lists the folder's files. A name that is longer than any of ours is not ours. */
static size_t list_files(DIR *folder, struct kept_file **files)
{
    size_t count = 0, room = 0;
    struct stat status;
    *files = NULL;
    for (const struct dirent *entry; (entry = readdir(folder)) != NULL;) {
        if (entry->d_name[0] == '.' || strlen(entry->d_name) >= sizeof(*files)->name ||
            fstatat(dirfd(folder), entry->d_name, &status, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(status.st_mode))
            continue;
        if (count == room) {
            room = room ? 2 * room : 256;
            struct kept_file *grown = realloc(*files, room * sizeof **files);
            if (!grown)
                return count;
            *files = grown;
        }
        memcpy((*files)[count].name, entry->d_name, strlen(entry->d_name) + 1);
        (*files)[count++].used = status.st_mtim;
    }
    return count;
}

/* Removes the oldest files until `left` remain. Another process may do the same: a file that is gone is no failure. */
static void remove_oldest(const char *path, size_t maximum, size_t left)
{
    struct kept_file *files;
    DIR *folder = opendir(path);
    if (!folder)
        return;
    const size_t count = list_files(folder, &files);
    if (count > maximum) {
        qsort(files, count, sizeof *files, by_age);
        for (size_t i = 0; i < count - left; i++)
            (void)unlinkat(dirfd(folder), files[i].name, 0);
    }
    free(files);
    (void)closedir(folder);
}

/* Makes the folder and those above it. */
static bool make_folders(char *path)
{
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        const bool made = mkdir(path, 0700) == 0 || errno == EEXIST;
        *slash = '/';
        if (!made)
            return false;
    }
    return mkdir(path, 0700) == 0 || errno == EEXIST;
}

static enum status open_temporary(struct kernel_cache *cache, struct error *error)
{
    const char *place = getenv("TMPDIR");
    (void)snprintf(cache->folder, sizeof cache->folder, "%.4000s/orchil-kernels-XXXXXX",
                   place && place[0] == '/' ? place : "/tmp");
    cache->temporary = true;
    if (mkdtemp(cache->folder))
        return STATUS_OK;
    const enum status status = error_set(error, STATUS_SYSTEM, "no folder for compiled kernels can be made in %s: %s",
                                         place ? place : "/tmp", strerror(errno));
    cache->folder[0] = '\0';
    return status;
}

enum status kernel_cache_open(bool temporary, struct kernel_cache *cache, struct error *error)
{
    const char *base = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    *cache = (struct kernel_cache){0};
    if (base && base[0] == '/')
        (void)snprintf(cache->folder, sizeof cache->folder, "%.4000s/orchil/kernels", base);
    else if (home && home[0] == '/')
        (void)snprintf(cache->folder, sizeof cache->folder, "%.4000s/.cache/orchil/kernels", home);
    else
        temporary = true;
    if (temporary || !make_folders(cache->folder))
        return open_temporary(cache, error);
    remove_oldest(cache->folder, MAXIMUM_FILES, PRUNED_FILES);
    return STATUS_OK;
}

void kernel_cache_close(struct kernel_cache *cache)
{
    if (cache->temporary && cache->folder[0]) {
        remove_oldest(cache->folder, 0, 0);
        (void)rmdir(cache->folder); /* a file of someone else's keeps it, and says whose it is */
    }
    cache->folder[0] = '\0';
}
