// SPDX-License-Identifier: Apache-2.0
/* Creates, locks and removes a folder below TMPDIR. */
#include "base/temporary_folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    OPEN_FOLDERS = 16,
    SWEPT_ENTRIES = 100000 /* of TMPDIR, examined in one sweep */
};

/* The lock is taken under the first name, so a file with the second name is locked unless its
 * process is dead. */
static const char new_lock_name[] = ".held.new", lock_name[] = ".held";

static const char *temporary_root(void)
{
    const char *wanted = getenv("TMPDIR");
    return wanted && wanted[0] == '/' ? wanted : "/tmp";
}

enum status temporary_folder_make(const char *name, char *path, size_t size, struct error *error)
{
    const int length = snprintf(path, size, "%s/orchil-%s-XXXXXX", temporary_root(), name);
    if (length > 0 && (size_t)length < size && mkdtemp(path))
        return STATUS_OK;
    path[0] = '\0';
    return error_set(error, STATUS_SYSTEM, "cannot create a folder for %s in %s: %s", name, temporary_root(),
                     (size_t)length < size ? strerror(errno) : "its name is too long");
}

static int remove_entry(const char *path, const struct stat *status, int kind, struct FTW *where)
{
    (void)status;
    (void)kind;
    (void)where;
    (void)remove(path); /* leftovers are in a folder for temporary files */
    return 0;
}

void temporary_folder_remove(char *path)
{
    if (path[0] != '\0')
        (void)nftw(path, remove_entry, OPEN_FOLDERS, FTW_DEPTH | FTW_PHYS);
    path[0] = '\0';
}

/* ---- locking ---- */

int temporary_folder_lock(const char *path)
{
    const int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0)
        return -1;
    int lock = openat(folder, new_lock_name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (lock >= 0 && (flock(lock, LOCK_EX | LOCK_NB) != 0 || renameat(folder, new_lock_name, folder, lock_name) != 0)) {
        (void)close(lock);
        lock = -1;
    }
    (void)close(folder);
    return lock;
}

/* Whether the folder was held by a process that has died. If so, the descriptor keeps other sweeps
 * away. */
static bool take_over(int parent, const char *name, int *lock)
{
    struct stat facts;
    const int folder = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    *lock = -1;
    if (folder >= 0 && fstat(folder, &facts) == 0 && facts.st_uid == geteuid())
        *lock = openat(folder, lock_name, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (folder >= 0)
        (void)close(folder);
    return *lock >= 0 && flock(*lock, LOCK_EX | LOCK_NB) == 0;
}

static void sweep_one(int parent, const char *name)
{
    char path[PATH_MAX];
    int lock;
    const int length = snprintf(path, sizeof path, "%s/%s", temporary_root(), name);
    if (take_over(parent, name, &lock) && length > 0 && (size_t)length < sizeof path)
        temporary_folder_remove(path);
    if (lock >= 0)
        (void)close(lock);
}

void temporary_folder_sweep(const char *name)
{
    char start[NAME_MAX + 1];
    const struct dirent *entry;
    const int length = snprintf(start, sizeof start, "orchil-%s-", name);
    DIR *folder = opendir(temporary_root());
    for (int i = 0; folder && i < SWEPT_ENTRIES && (entry = readdir(folder)) != NULL; i++)
        if (strncmp(entry->d_name, start, (size_t)length) == 0 && strlen(entry->d_name) == (size_t)length + 6)
            sweep_one(dirfd(folder), entry->d_name);
    if (folder)
        (void)closedir(folder);
}
