// SPDX-License-Identifier: Apache-2.0
/* Files that are written at once and read at once, and their folders. */
#include "base/whole_file.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/memory.h"

static enum status cannot(const char *path, const char *what, struct error *error)
{
    return error_set(error, STATUS_SYSTEM, "%s cannot be %s: %s", path, what, strerror(errno));
}

enum { ATTEMPTS = 100 };

/* A new file beside path, whose name goes to unfinished, with the permissions that the umask leaves. mkostemp would give
 * them to the owner alone; and to ask for the umask is to change it for a moment, for every thread of the process. */
static int create_beside(const char *path, char unfinished[PATH_MAX])
{
    int descriptor = -1;
    errno = EEXIST;
    for (int i = 0; i < ATTEMPTS && descriptor < 0 && errno == EEXIST; i++) {
        uint32_t number = 0;
        if (getrandom(&number, sizeof number, 0) != (ssize_t)sizeof number)
            return -1;
        const int length = snprintf(unfinished, PATH_MAX, "%s.%06" PRIx32, path, number >> 8);
        if (length < 0 || length >= PATH_MAX) {
            errno = ENAMETOOLONG;
            return -1;
        }
        descriptor = open(unfinished, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    }
    return descriptor;
}

enum status file_write_whole(const char *path, const char *bytes, size_t size, struct error *error)
{
    char unfinished[PATH_MAX];
    const int descriptor = create_beside(path, unfinished);
    if (descriptor < 0)
        return cannot(path, "created", error);
    FILE *file = fdopen(descriptor, "wb");
    if (!file)
        (void)close(descriptor);
    bool good = file && fwrite(bytes, 1, size, file) == size && fflush(file) == 0 && fsync(descriptor) == 0;
    if (file)
        good = fclose(file) == 0 && good;
    if (good && rename(unfinished, path) == 0)
        return STATUS_OK;
    const enum status status = cannot(path, "written", error);
    (void)unlink(unfinished);
    return status;
}

enum status file_read_whole(const char *path, size_t maximum, struct text *bytes, struct error *error)
{
    char part[16 * 1024];
    struct stat facts;
    ssize_t got;
    const size_t start = bytes->size;
    /* Without O_NONBLOCK the opening of a pipe would wait for its writer. */
    const int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0 || fstat(descriptor, &facts) != 0) {
        const enum status status = error_set(error, STATUS_UNREADABLE, "%s cannot be read: %s", path, strerror(errno));
        if (descriptor >= 0)
            (void)close(descriptor);
        return status;
    }
    enum status status = STATUS_OK;
    if (!S_ISREG(facts.st_mode))
        status = error_set(error, STATUS_UNREADABLE, "%s is no file", path);
    while (status == STATUS_OK && (got = read(descriptor, part, sizeof part)) != 0) {
        if (got < 0 && errno != EINTR)
            status = error_set(error, STATUS_UNREADABLE, "%s cannot be read: %s", path, strerror(errno));
        if (got > 0)
            text_add_bytes(bytes, part, (size_t)got);
        if (status == STATUS_OK && (bytes->failed || bytes->size - start > maximum))
            status = error_set(error, STATUS_UNREADABLE, "%s has more than %zu bytes", path, maximum);
    }
    (void)close(descriptor);
    return status;
}

static bool is_folder(const char *path)
{
    struct stat facts;
    return stat(path, &facts) == 0 && S_ISDIR(facts.st_mode);
}

enum status file_make_folders(const char *path, mode_t mode, struct error *error)
{
    enum status status = STATUS_OK;
    char *part = memory_copy(path);
    for (char *slash = part; slash && status == STATUS_OK;) {
        slash = strchr(slash + 1, '/');
        if (slash)
            *slash = '\0';
        if (mkdir(part, mode) != 0 && (errno != EEXIST || !is_folder(part)))
            status = error_set(error, STATUS_UNREADABLE, "%s: cannot be made a folder: %s", part, strerror(errno));
        if (slash)
            *slash = '/';
    }
    free(part); /* which keeps errno */
    return status;
}
