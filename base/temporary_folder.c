// SPDX-License-Identifier: Apache-2.0
/* A folder below TMPDIR, made and removed. */
#include "base/temporary_folder.h"

#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { OPEN_FOLDERS = 16 };

enum status temporary_folder_make(const char *name, char *path, size_t size, struct error *error)
{
    const char *wanted = getenv("TMPDIR");
    const char *place = wanted && wanted[0] == '/' ? wanted : "/tmp";
    const int length = snprintf(path, size, "%s/orchil-%s-XXXXXX", place, name);
    if (length > 0 && (size_t)length < size && mkdtemp(path))
        return STATUS_OK;
    path[0] = '\0';
    return error_set(error, STATUS_SYSTEM, "no folder for %s can be made in %s: %s", name, place,
                     (size_t)length < size ? strerror(errno) : "its name is too long");
}

static int remove_entry(const char *path, const struct stat *status, int kind, struct FTW *where)
{
    (void)status;
    (void)kind;
    (void)where;
    (void)remove(path); /* what stays, stays in a folder for temporary files */
    return 0;
}

void temporary_folder_remove(char *path)
{
    if (path[0] != '\0')
        (void)nftw(path, remove_entry, OPEN_FOLDERS, FTW_DEPTH | FTW_PHYS);
    path[0] = '\0';
}
