// SPDX-License-Identifier: Apache-2.0
/* The files of the kernel cache. */
#include "kernel/kernel_cache.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>

#include <jansson.h>

#include "base/json.h"

/* Part of each name; incremented when code is compiled or kept differently (options, layout, the form of an entry). */
enum { CODE_VERSION = 4 };

enum {
    MAXIMUM_FILES = 8192, /* most files kept */
    PRUNED_FILES = 6144,  /* files left after pruning */
    LISTED_FILES = 65536  /* files examined when pruning */
};

static const char suffix[] = ".code";

/* ---- names ---- */

/* If a portable part is given, the code depends neither on the compiler that made this part nor on the kernel's
 * text. */
static void add_what_is_compiled(const struct backend_device *device, const struct backend_source *source,
                                 struct text *key)
{
    const struct backend *backend = backend_find(device->backend);
    if (source->code) {
        char hex[HASH_HEX_SIZE];
        hash_hex(source->code, source->code_size, hex);
        text_add(key, "code\n%s", hex);
    } else {
        text_add(key, "%s\n%d\n%s\n%s%s%s", device->compiler, source->clusters, source->headers ? source->headers : "",
                 source->prologue ? source->prologue : "", backend ? backend->prelude : "", source->kernel);
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

/* An entry: the hash of the rest, a line of JSON about how the code was made, the code. */

/* Whether the rest matches the hash at the start of the entry: a disk may lose the end of a file. */
static bool check_hash(const char *bytes, size_t size)
{
    char hex[HASH_HEX_SIZE];
    if (size < HASH_HEX_SIZE)
        return false;
    hash_hex(bytes + HASH_HEX_SIZE - 1, size - (HASH_HEX_SIZE - 1), hex);
    return memcmp(hex, bytes, HASH_HEX_SIZE - 1) == 0;
}

bool kernel_cache_unpack(const char *bytes, size_t size, struct backend_code *code)
{
    const char *log, *compiler, *options, *target;
    json_int_t portable = 0;
    if (!check_hash(bytes, size))
        return false;
    const char *head = bytes + HASH_HEX_SIZE - 1, *end = memchr(head, '\n', size - (HASH_HEX_SIZE - 1));
    if (!end)
        return false;
    json_t *facts = json_loadb(head, (size_t)(end - head), 0, NULL);
    const size_t code_size = size - (size_t)(end + 1 - bytes);
    const bool good = facts &&
                      json_unpack(facts, "{s:s, s:s, s:s, s:s, s:I}", "log", &log, "compiler", &compiler, "options",
                                  &options, "target", &target, "portable", &portable) == 0 &&
                      portable >= 0 && (size_t)portable <= code_size;
    if (good) {
        text_add_bytes(&code->bytes, end + 1, code_size);
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
    static const struct file_terms terms = {.maximum = KERNEL_CACHE_ENTRY, .trusted = true};
    char path[KERNEL_CACHE_PATH];
    struct text entry = {0};
    if (!code_path(folder, device, source, path) || access(path, F_OK) != 0)
        return false;
    const bool good =
        file_read(path, &terms, &entry, NULL) == STATUS_OK && kernel_cache_unpack(entry.data, entry.size, code);
    text_release(&entry);
    if (good)
        (void)utimensat(AT_FDCWD, path, NULL, 0); /* marks it as used: the oldest are pruned */
    else
        (void)unlink(path); /* damaged, or another user's: compiled and written again */
    return good;
}

void kernel_cache_pack(const struct backend_code *code, struct text *entry)
{
    LOCAL(text) rest = {0};
    char hex[HASH_HEX_SIZE];
    json_t *facts =
        json_pack("{s:o, s:s, s:s, s:s, s:I}", "log", json_text(text_string(&code->log)), "compiler", code->compiler,
                  "options", code->options, "target", code->target, "portable", (json_int_t)code->portable);
    FREED char *line = json_dumps(facts, JSON_COMPACT);
    json_decref(facts);
    text_add(&rest, "%s\n", line);
    text_add_bytes(&rest, code->bytes.data, code->bytes.size);
    hash_hex(text_string(&rest), rest.size, hex);
    text_add(entry, "%s", hex);
    text_add_bytes(entry, text_string(&rest), rest.size);
}

/* Only this user may change the file, whatever the umask: else it would not be read. */
static bool write_private(const char *path, const struct text *entry)
{
    struct file_writer writer;
    if (file_writer_open(&writer, path, NULL) != STATUS_OK)
        return false;
    writer.quick = true; /* without fsync: an entry lost by the disk is detected as damaged */
    const bool good = fchmod(fileno(writer.file), S_IRUSR | S_IWUSR) == 0 &&
                      fwrite(entry->data, 1, entry->size, writer.file) == entry->size;
    return file_writer_close(&writer, good, NULL) == STATUS_OK && good;
}

bool kernel_cache_write(const char *folder, const struct backend_device *device, const struct backend_source *source,
                        const struct backend_code *code)
{
    char path[KERNEL_CACHE_PATH];
    LOCAL(text) entry = {0};
    if (!code_path(folder, device, source, path))
        return false;
    kernel_cache_pack(code, &entry);
    return !entry.failed && entry.size <= KERNEL_CACHE_ENTRY && write_private(path, &entry);
}

/* ---- the folder ---- */

struct kept_file {
    char name[128];
    struct timespec used;
};

static int by_age(const void *left, const void *right)
{
    const struct kept_file *a = left, *b = right;
    return ORDER(a->used.tv_sec, b->used.tv_sec) ?: ORDER(a->used.tv_nsec, b->used.tv_nsec);
}

/* Lists the folder's files, up to a bound. Skips names that are longer than an entry's. */
static size_t list_files(DIR *folder, struct kept_file **files)
{
    size_t count = 0, room = 0;
    struct stat status;
    *files = NULL;
    for (const struct dirent *entry; count < LISTED_FILES && (entry = readdir(folder)) != NULL;) {
        if (entry->d_name[0] == '.' || strlen(entry->d_name) >= sizeof(*files)->name ||
            fstatat(dirfd(folder), entry->d_name, &status, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(status.st_mode))
            continue;
        struct kept_file *file = &LIST_ADD(*files, count, room);
        memcpy(file->name, entry->d_name, strlen(entry->d_name) + 1);
        file->used = status.st_mtim;
    }
    return count;
}

/* Removes the oldest files until `left` remain. Another process may do the same, so a missing file is not a failure. */
static void remove_oldest(const char *path, size_t maximum, size_t left)
{
    struct kept_file *files;
    DIR *folder = opendir(path);
    if (!folder)
        return;
    const size_t count = list_files(folder, &files);
    if (count > maximum) {
        SORT(files, count, by_age);
        for (size_t i = 0; i < count - left; i++)
            (void)unlinkat(dirfd(folder), files[i].name, 0);
    }
    free(files);
    (void)closedir(folder);
}

/* Whether the folder belongs to this user or root, and no other user may put files there. */
static bool is_trusted(const char *path)
{
    struct stat facts;
    return stat(path, &facts) == 0 && S_ISDIR(facts.st_mode) && (facts.st_uid == geteuid() || facts.st_uid == 0) &&
           (facts.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

/* The user's cache folder; false if there is no place for one, or no safe one. */
static bool find_kept(char folder[KERNEL_CACHE_PATH])
{
    const char *base = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    int length = 0;
    if (base && base[0] == '/')
        length = snprintf(folder, KERNEL_CACHE_PATH, "%s/orchil/kernels", base);
    else if (home && home[0] == '/')
        length = snprintf(folder, KERNEL_CACHE_PATH, "%s/.cache/orchil/kernels", home);
    return length > 0 && length < KERNEL_CACHE_PATH && file_make_folders(folder, 0700, NULL) == STATUS_OK &&
           is_trusted(folder);
}

enum status kernel_cache_open(bool temporary, struct kernel_cache *cache, struct error *error)
{
    *cache = (struct kernel_cache){.temporary = false};
    if (!temporary && find_kept(cache->folder)) {
        remove_oldest(cache->folder, MAXIMUM_FILES, PRUNED_FILES);
        return STATUS_OK;
    }
    cache->temporary = true;
    TRY(temporary_folder_open("kernels", &cache->own, error));
    memcpy(cache->folder, cache->own.path, sizeof cache->folder);
    return STATUS_OK;
}

void kernel_cache_close(struct kernel_cache *cache)
{
    temporary_folder_close(&cache->own);
    cache->folder[0] = '\0';
}
