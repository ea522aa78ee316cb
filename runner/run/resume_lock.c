// SPDX-License-Identifier: Apache-2.0
/* A lock that lets one process at a time work on a run. */
#include "runner/run/resume_lock.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/utsname.h>

/* The result of one attempt. AGAIN: the process that had the run has just removed the file. */
enum attempt { ATTEMPT_HELD, ATTEMPT_TAKEN, ATTEMPT_AGAIN, ATTEMPT_UNGUARDED, ATTEMPT_FAILED };

enum { HOLDER_SIZE = 160 }; /* bytes of the text that a holder writes to its file */

/* Next to the file itself, with links resolved. */
static char *lock_name(const char *database, int64_t run_id)
{
    struct text name = {0};
    char path[PATH_MAX];
    text_add(&name, "%s-run-%" PRId64, realpath(database, path) ? path : database, run_id);
    return text_take(&name);
}

static int open_lock(const char *path, const char *database)
{
    struct stat about;
    const int flags = O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK;
    int descriptor = open(path, flags | O_CREAT | O_EXCL, S_IRUSR | S_IWUSR);
    if (descriptor >= 0 && stat(database, &about) == 0) {
        /* Anyone who can open the file, even for reading only, can take an exclusive lock on it. So only users who may
         * write the database may open it, and it has the database's owner. */
        const mode_t writers = about.st_mode & (S_IWUSR | S_IWGRP | S_IWOTH);
        if (geteuid() == 0)
            (void)!fchown(descriptor, about.st_uid, about.st_gid);
        else
            (void)!fchown(descriptor, (uid_t)-1, about.st_gid);
        (void)fchmod(descriptor, writers | writers << 1); /* the bit for reading is one above the bit for writing */
    }
    if (descriptor < 0 && errno == EEXIST)
        descriptor = open(path, flags);
    return descriptor;
}

/* Whether the path still names the open file. */
static bool is_there(const char *path, int descriptor)
{
    struct stat open_file, named;
    return fstat(descriptor, &open_file) == 0 && stat(path, &named) == 0 && open_file.st_dev == named.st_dev &&
           open_file.st_ino == named.st_ino;
}

/* Writes the holder's name, for the error message of another process that asks for the run. */
static void leave_name(int descriptor)
{
    struct utsname system;
    char holder[HOLDER_SIZE];
    const int size = snprintf(holder, sizeof holder, "process %ld on %s", (long)getpid(),
                              uname(&system) == 0 ? system.nodename : "?");
    if (ftruncate(descriptor, 0) == 0)
        (void)!pwrite(descriptor, holder, size < HOLDER_SIZE ? (size_t)size : HOLDER_SIZE - 1, 0);
}

static enum attempt attempt_hold(const char *path, const char *database, int *descriptor, char holder[HOLDER_SIZE])
{
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    *descriptor = open_lock(path, database);
    if (*descriptor < 0)
        return errno == ENOENT ? ATTEMPT_AGAIN : ATTEMPT_FAILED;
    if (fcntl(*descriptor, F_OFD_SETLK, &whole) != 0) {
        /* The file system's locks are off, or the kernel is too old for this kind. */
        if (errno == ENOLCK || errno == EINVAL || errno == ENOSYS || errno == EOPNOTSUPP)
            return ATTEMPT_UNGUARDED;
        if (errno != EAGAIN && errno != EACCES)
            return ATTEMPT_FAILED;
        const ssize_t size = pread(*descriptor, holder, HOLDER_SIZE - 1, 0);
        holder[size < 0 ? 0 : size] = '\0';
        if (!holder[0])
            (void)snprintf(holder, HOLDER_SIZE, "another process");
        return ATTEMPT_TAKEN;
    }
    if (!is_there(path, *descriptor))
        return ATTEMPT_AGAIN;
    leave_name(*descriptor);
    return ATTEMPT_HELD;
}

enum status resume_lock_take(const char *database, int64_t run_id, struct resume_lock *hold, struct error *error)
{
    enum { ATTEMPTS = 100 };
    char holder[HOLDER_SIZE] = "another process";
    enum attempt attempt = ATTEMPT_AGAIN;
    enum status status = STATUS_OK;
    *hold = (struct resume_lock){.path = lock_name(database, run_id), .descriptor = -1};
    for (int i = 0; i < ATTEMPTS && attempt == ATTEMPT_AGAIN; i++) {
        if (hold->descriptor >= 0)
            (void)close(hold->descriptor);
        attempt = attempt_hold(hold->path, database, &hold->descriptor, holder);
    }
    if (attempt == ATTEMPT_HELD)
        return STATUS_OK;
    if (attempt == ATTEMPT_TAKEN || attempt == ATTEMPT_AGAIN)
        status =
            error_set(error, STATUS_USAGE,
                      "run %" PRId64 " of %s is still running: %s is working on it; wait for it to end, or stop it",
                      run_id, database, holder);
    else if (attempt == ATTEMPT_FAILED)
        status = error_set(error, STATUS_DATABASE,
                           "%s: cannot open the lock file of a run: %s; remove it if no run is active, or name a "
                           "database in another folder",
                           hold->path, strerror(errno));
    if (hold->descriptor >= 0)
        (void)close(hold->descriptor);
    free(hold->path);
    *hold = (struct resume_lock){.path = NULL};
    return status;
}

void resume_lock_release(struct resume_lock *hold)
{
    if (!hold->path)
        return;
    /* Removed while locked: a process that has opened it meanwhile gets the lock and sees that the file is gone. */
    if (is_there(hold->path, hold->descriptor))
        (void)unlink(hold->path);
    (void)close(hold->descriptor);
    free(hold->path);
    *hold = (struct resume_lock){.path = NULL};
}
