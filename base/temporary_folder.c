// SPDX-License-Identifier: Apache-2.0
/* Makes, locks, sweeps and removes folders below TMPDIR. */
#include "base/temporary_folder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    OPEN_FOLDERS = 16,
    SUFFIX = 6, /* characters that mkdtemp chooses */
    ATTEMPTS = 16,
    SWEPT_ENTRIES = 100000 /* of TMPDIR, examined in one sweep */
};

/* A folder has the first name until it is locked. */
static const char new_name[] = "new", lock_name[] = ".held";

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

static int remove_entry(const char *path, UNUSED const struct stat *status, UNUSED int kind, UNUSED struct FTW *where)
{
    (void)remove(path); /* leftovers are in a folder for temporary files */
    return 0;
}

void temporary_folder_remove(char *path)
{
    if (path[0] != '\0')
        (void)nftw(path, remove_entry, OPEN_FOLDERS, FTW_DEPTH | FTW_PHYS);
    path[0] = '\0';
}

/* ---- sweeping ---- */

/* Takes the lock of a folder, and makes its file if asked to. -1 with errno set if another process has it, or if there
 * is no such file. */
static int take_lock(int folder, int flags)
{
    const int lock = openat(folder, lock_name, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC | flags, 0600);
    if (lock >= 0 && flock(lock, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) {
        (void)close(lock);
        errno = EWOULDBLOCK;
        return -1;
    }
    return lock;
}

/* A new folder without a lock is of a process that died, or is about to lock it: that one makes another. */
static void sweep_one(int parent, const char *name, bool is_new)
{
    char path[PATH_MAX];
    struct stat facts;
    const int folder = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    const int length = snprintf(path, sizeof path, "%s/%s", temporary_root(), name);
    if (folder < 0)
        return;
    if (fstat(folder, &facts) == 0 && facts.st_uid == geteuid() && (size_t)length < sizeof path) {
        const int lock = take_lock(folder, 0);
        if (lock >= 0)
            temporary_folder_remove(path);
        else if (is_new && errno == ENOENT)
            (void)unlinkat(parent, name, AT_REMOVEDIR);
        if (lock >= 0)
            (void)close(lock);
    }
    (void)close(folder);
}

static void sweep(void)
{
    static const char start[] = "orchil-", new_start[] = "orchil-new-";
    const struct dirent *entry;
    DIR *folder = opendir(temporary_root());
    for (int i = 0; folder && i < SWEPT_ENTRIES && (entry = readdir(folder)) != NULL; i++) {
        const char *const end = strrchr(entry->d_name, '-');
        if (strncmp(entry->d_name, start, strlen(start)) == 0 && strlen(end) == 1 + SUFFIX)
            sweep_one(dirfd(folder), entry->d_name, strncmp(entry->d_name, new_start, strlen(new_start)) == 0);
    }
    if (folder)
        (void)closedir(folder);
}

/* ---- folders that are swept ---- */

/* Locks a new folder, then gives it its name. False if a sweep, or another folder of that name, was faster. */
static bool hold(const char *name, struct temporary_folder *folder)
{
    char path[TEMPORARY_FOLDER_PATH];
    const char *const suffix = folder->path + strlen(folder->path) - SUFFIX;
    const int opened = open(folder->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    const int length = snprintf(path, sizeof path, "%s/orchil-%s-%s", temporary_root(), name, suffix);
    folder->hold = opened >= 0 ? take_lock(opened, O_CREAT | O_EXCL) : -1;
    if (opened >= 0)
        (void)close(opened);
    if (folder->hold >= 0 && (size_t)length < sizeof path && rename(folder->path, path) == 0) {
        memcpy(folder->path, path, sizeof path);
        return true;
    }
    const int why = errno;
    if (folder->hold >= 0)
        (void)close(folder->hold);
    temporary_folder_remove(folder->path);
    errno = why;
    return false;
}

enum status temporary_folder_open(const char *name, struct temporary_folder *folder, struct error *error)
{
    sweep();
    for (int i = 0; i < ATTEMPTS; i++) {
        TRY(temporary_folder_make(new_name, folder->path, sizeof folder->path, error));
        if (hold(name, folder))
            return STATUS_OK;
    }
    return error_set(error, STATUS_SYSTEM, "cannot lock a folder for %s in %s: %s", name, temporary_root(),
                     strerror(errno));
}

void temporary_folder_close(struct temporary_folder *folder)
{
    if (folder->path[0] == '\0')
        return;
    temporary_folder_remove(folder->path);
    (void)close(folder->hold);
}
