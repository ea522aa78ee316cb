// SPDX-License-Identifier: Apache-2.0
/* Lists a folder, within a bound. */
#include "base/folder.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int compare_names(const void *left, const void *right)
{
    return strcmp(*(const char *const *)left, *(const char *const *)right);
}

static enum status read_names(DIR *entries, const char *path, size_t maximum, struct folder *folder,
                              struct error *error)
{
    const struct dirent *entry;
    while (errno = 0, (entry = readdir(entries)) != NULL) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        if (folder->count == maximum)
            return error_set(error, STATUS_LIMIT, "%s: expected a folder of at most %zu entries, found more", path,
                             maximum);
        ARENA_ADD(&folder->arena, folder->names, folder->count) = arena_copy(&folder->arena, entry->d_name);
    }
    return errno == 0 ? STATUS_OK
                      : error_set(error, STATUS_UNREADABLE, "%s: cannot be read completely: %s", path, strerror(errno));
}

enum status folder_read(const char *path, size_t maximum, struct folder *folder, struct error *error)
{
    *folder = (struct folder){.names = NULL};
    DIR *entries = opendir(path);
    if (!entries)
        return error_set(error, STATUS_UNREADABLE, "%s: cannot be read: %s", path, strerror(errno));
    const enum status status = read_names(entries, path, maximum, folder, error);
    const int why = errno;
    (void)closedir(entries);
    if (status == STATUS_OK && folder->count > 0)
        qsort(folder->names, folder->count, sizeof *folder->names, compare_names);
    else
        folder_release(folder);
    errno = why;
    return status;
}

void folder_release(struct folder *folder)
{
    arena_release(&folder->arena);
    *folder = (struct folder){.names = NULL};
}
