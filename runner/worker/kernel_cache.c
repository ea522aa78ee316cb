// SPDX-License-Identifier: Apache-2.0
/* Device code that was compiled before, in files. */
#include "runner/worker/kernel_cache.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <jansson.h>

#include "base/hash.h"
#include "base/json.h"
#include "base/memory.h"
#include "base/temporary_folder.h"
#include "base/whole_file.h"

/* Raised when code is compiled or kept otherwise (options, layout, the form of an entry): part of each name. */
enum { CODE_VERSION = 2 };

enum { MAXIMUM_FILES = 8192, PRUNED_FILES = 6144 }; /* kept at most; left by a pruning */

static const char suffix[] = ".code";

/* ---- names ---- */

/* A portable part that is given does not depend on the compiler that made it, nor on the kernel's text. */
static void add_what_is_compiled(const struct backend_device *device, const struct backend_source *source,
                                 struct text *key)
{
    const struct backend *backend = backend_find(device->backend);
    if (source->code) {
        char hex[HASH_HEX_SIZE];
        hash_hex(source->code, source->code_size, hex);
        text_add(key, "code\n%s", hex);
    } else {
        text_add(key, "%s\n%d\n%d\n%s%s", device->compiler, source->portable, source->clusters,
                 backend ? backend->prelude : "", source->kernel);
    }
}

static bool code_path(const char *folder, const struct backend_device *device, const struct backend_source *source,
                      char path[KERNEL_CACHE_PATH])
{
    struct text key = {0};
    char hex[HASH_HEX_SIZE];
    text_add(&key, "%d\n%s\n%s\n%s\n%s\n%s\n", CODE_VERSION, device->backend, device->name, device->architecture,
             device->platform, device->driver);
    add_what_is_compiled(device, source, &key);
    hash_hex(text_string(&key), key.size, hex);
    text_release(&key);
    const int length = snprintf(path, KERNEL_CACHE_PATH, "%s/%s%s", folder, hex, suffix);
    return length > 0 && length < KERNEL_CACHE_PATH;
}

/* ---- reading and writing ---- */

/*
 * An entry: the hash of the rest, a line of JSON that says how the code was made, the code.
 */

/* Takes the hash from the head of what was read, and says whether the rest has it: a disk may lose the end of a file. */
static bool check_hash(const struct text *entry)
{
    char hex[HASH_HEX_SIZE];
    if (entry->size < HASH_HEX_SIZE)
        return false;
    hash_hex(entry->data + HASH_HEX_SIZE - 1, entry->size - (HASH_HEX_SIZE - 1), hex);
    return memcmp(hex, entry->data, HASH_HEX_SIZE - 1) == 0;
}

static bool read_entry(const struct text *entry, struct backend_code *code)
{
    const char *head = entry->data + HASH_HEX_SIZE - 1, *log, *compiler, *options, *target;
    const char *end = memchr(head, '\n', entry->size - (HASH_HEX_SIZE - 1));
    json_int_t portable = 0;
    if (!end)
        return false;
    json_t *facts = json_loadb(head, (size_t)(end - head), 0, NULL);
    const size_t size = entry->size - (size_t)(end + 1 - entry->data);
    const bool good = facts &&
                      json_unpack(facts, "{s:s, s:s, s:s, s:s, s:I}", "log", &log, "compiler", &compiler, "options",
                                  &options, "target", &target, "portable", &portable) == 0 &&
                      portable >= 0 && (size_t)portable <= size;
    if (good) {
        text_add_bytes(&code->bytes, end + 1, size);
        text_add(&code->log, "%s", log);
        code->portable = (size_t)portable;
        (void)snprintf(code->compiler, sizeof code->compiler, "%s", compiler);
        (void)snprintf(code->options, sizeof code->options, "%s", options);
        (void)snprintf(code->target, sizeof code->target, "%s", target);
    }
    json_decref(facts);
    return good;
}

bool kernel_cache_read(const char *folder, const struct backend_device *device, const struct backend_source *source,
                       struct backend_code *code)
{
    char path[KERNEL_CACHE_PATH];
    struct text entry = {0};
    struct error ignored;
    if (!code_path(folder, device, source, path) || access(path, F_OK) != 0)
        return false;
    const bool good = file_read_whole(path, TEXT_MAXIMUM, &entry, &ignored) == STATUS_OK && check_hash(&entry) &&
                      read_entry(&entry, code);
    text_release(&entry);
    if (good) {
        (void)utimensat(AT_FDCWD, path, NULL, 0); /* the oldest are pruned; one that is used is not old */
    } else {
        (void)unlink(path); /* damaged: compiled anew and written again */
        backend_code_release(code);
    }
    return good;
}

static void write_entry(const struct backend_code *code, struct text *entry)
{
    struct text rest = {0};
    char hex[HASH_HEX_SIZE];
    json_t *facts =
        json_pack("{s:o, s:s, s:s, s:s, s:I}", "log", json_text(text_string(&code->log)), "compiler", code->compiler,
                  "options", code->options, "target", code->target, "portable", (json_int_t)code->portable);
    char *line = json_dumps(facts, JSON_COMPACT);
    json_decref(facts);
    text_add(&rest, "%s\n", line);
    text_add_bytes(&rest, code->bytes.data, code->bytes.size);
    hash_hex(text_string(&rest), rest.size, hex);
    text_add(entry, "%s", hex);
    text_add_bytes(entry, text_string(&rest), rest.size);
    free(line);
    text_release(&rest);
}

bool kernel_cache_write(const char *folder, const struct backend_device *device, const struct backend_source *source,
                        const struct backend_code *code)
{
    char path[KERNEL_CACHE_PATH];
    struct text entry = {0};
    struct error ignored;
    if (!code_path(folder, device, source, path))
        return false;
    write_entry(code, &entry);
    const bool good = file_write_whole(path, entry.data, entry.size, &ignored) == STATUS_OK;
    text_release(&entry);
    return good;
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
        struct kept_file *file = &LIST_ADD(*files, count, room);
        memcpy(file->name, entry->d_name, strlen(entry->d_name) + 1);
        file->used = status.st_mtim;
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
    if (temporary || file_make_folders(cache->folder, 0700, error) != STATUS_OK) {
        cache->temporary = true;
        return temporary_folder_make("kernels", cache->folder, sizeof cache->folder, error);
    }
    remove_oldest(cache->folder, MAXIMUM_FILES, PRUNED_FILES);
    return STATUS_OK;
}

void kernel_cache_close(struct kernel_cache *cache)
{
    if (cache->temporary)
        temporary_folder_remove(cache->folder);
    cache->folder[0] = '\0';
}
