// SPDX-License-Identifier: Apache-2.0
/* The tests below a folder, within bounds: links may form cycles, and entries need not be files. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/memory.h"
#include "base/whole_file.h"
#include "catalogue/selection_parts.h"

enum { MAXIMUM_DEPTH = 64 }; /* of folders */

/* A folder that is being read, with those above it. */
struct folder_walk {
    struct maker *maker;
    struct hash_index entered; /* the folders so far, by their identity */
    struct stat *folders;
    size_t count, room;
};

/* Whether a folder is new: links may lead to it in many ways, all with the same files. */
static bool walk_enter(struct folder_walk *walk, const struct stat *what)
{
    const uint64_t key = selection_file_key(what);
    size_t item;
    for (size_t step = 0; hash_index_next(&walk->entered, key, &step, &item);)
        if (walk->folders[item].st_dev == what->st_dev && walk->folders[item].st_ino == what->st_ino)
            return false;
    hash_index_add(&walk->entered, key, walk->count);
    LIST_ADD(walk->folders, walk->count, walk->room) = *what;
    return true;
}

static enum status walk_folder(struct folder_walk *walk, const char *path, const struct stat *what, unsigned depth);

/* The caller skips errors that concern only this entry. */
static enum status walk_entry(struct folder_walk *walk, const char *path, unsigned depth)
{
    struct maker *maker = walk->maker;
    struct stat what;
    const bool is_test = selection_ends_in(path, ".litmus");
    if (stat(path, &what) == 0)
        return S_ISDIR(what.st_mode) ? walk_folder(walk, path, &what, depth + 1)
               : is_test             ? selection_add_file(maker, path, true)
                                     : STATUS_OK;
    if (!is_test)
        return STATUS_OK;
    return error_set(maker->error, STATUS_UNREADABLE, "%s: %s%s", path,
                     errno == ENOENT ? "broken link" : "cannot be read: ", errno == ENOENT ? "" : strerror(errno));
}

static enum status walk_folder(struct folder_walk *walk, const char *path, const struct stat *what, unsigned depth)
{
    struct maker *maker = walk->maker;
    struct folder folder;
    struct text child = {0};
    enum status status = STATUS_OK;
    if (!walk_enter(walk, what))
        return STATUS_OK;
    if (depth > MAXIMUM_DEPTH)
        return error_set(maker->error, STATUS_LIMIT, "%s: more than %d folders deep", path, MAXIMUM_DEPTH);
    TRY(folder_read(path, SELECTION_MAXIMUM_ENTRIES, &folder, maker->error));
    for (size_t i = 0; i < folder.count && status == STATUS_OK; i++) {
        text_clear(&child);
        text_add(&child, "%s%s%s", path, selection_ends_in(path, "/") ? "" : "/", folder.names[i]);
        status = selection_count_entry(maker);
        if (status == STATUS_OK)
            status = selection_pass_over(maker, walk_entry(walk, text_string(&child), depth));
    }
    text_release(&child);
    folder_release(&folder);
    return status;
}

enum status selection_add_folder(struct maker *maker, const char *path, const struct stat *what)
{
    struct folder_walk walk = {.maker = maker};
    char *copy = memory_copy(path);
    for (size_t length = strlen(copy); length > 1 && copy[length - 1] == '/'; length--)
        copy[length - 1] = '\0';
    enum status status = walk_folder(&walk, copy, what, 0);
    if (status == STATUS_OK && maker->matched == 0)
        status = error_set(maker->error, STATUS_USAGE, "%s: no .litmus file below this folder", path);
    hash_index_release(&walk.entered);
    free(walk.folders);
    free(copy);
    return status;
}
