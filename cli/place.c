// SPDX-License-Identifier: Apache-2.0
/* Where databases are: a file, or a folder of them. */
#include "cli/place.h"

#include <dirent.h>
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static bool is_folder(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

static int is_database(const struct dirent *entry)
{
    static const char end[] = ".db";
    const size_t length = strlen(entry->d_name);
    return entry->d_name[0] != '.' && length >= sizeof end &&
           strcmp(entry->d_name + length - (sizeof end - 1), end) == 0;
}

/* By their bytes, not by the language of whoever calls. */
static int compare_names(const struct dirent **left, const struct dirent **right)
{
    return strcmp((*left)->d_name, (*right)->d_name);
}

static enum status list_folder(const char *folder, struct arena *arena, struct place_list *places, struct error *error)
{
    struct dirent **entries;
    const size_t before = places->count, length = strlen(folder);
    const int count = scandir(folder, &entries, is_database, compare_names);
    if (count < 0)
        return error_set(error, STATUS_UNREADABLE, "%s: the folder cannot be listed: %s", folder, strerror(errno));
    for (int i = 0; i < count; i++) {
        const char *path =
            arena_print(arena, "%s%s%s", folder, folder[length - 1] == '/' ? "" : "/", entries[i]->d_name);
        if (!is_folder(path))
            ARENA_ADD(arena, places->paths, places->count) = path;
        free(entries[i]);
    }
    free(entries);
    return places->count > before
               ? STATUS_OK
               : error_set(error, STATUS_USAGE, "%s: the folder has no database: no file *.db is in it", folder);
}

enum status place_list(const char *word, struct arena *arena, struct place_list *places, struct error *error)
{
    if (is_folder(word))
        return list_folder(word, arena, places, error);
    ARENA_ADD(arena, places->paths, places->count) = arena_copy(arena, word);
    return STATUS_OK;
}
