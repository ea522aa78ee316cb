// SPDX-License-Identifier: Apache-2.0
/* Files that are read at once, within bounds of size, kind and time. */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/whole_file.h"

/* Without O_NONBLOCK the opening of a pipe would wait for its writer, and reading it for the next byte; without O_NOCTTY a
 * terminal could become this process's own. */
enum { READING = O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY };

static enum status cannot_read(const char *path, const char *why, struct error *error)
{
    return error_set(error, STATUS_UNREADABLE, "%s: cannot be read: %s", path, why);
}

static enum status check_kind(const char *path, int descriptor, const struct file_terms *terms, struct error *error)
{
    struct stat facts;
    if (fstat(descriptor, &facts) != 0)
        return cannot_read(path, strerror(errno), error);
    if (S_ISDIR(facts.st_mode) || S_ISBLK(facts.st_mode))
        return cannot_read(path, S_ISDIR(facts.st_mode) ? strerror(EISDIR) : "it is a disk", error);
    if (!S_ISREG(facts.st_mode) && terms->patience <= 0)
        return cannot_read(path, "it is not a regular file", error);
    if (terms->trusted && facts.st_uid != geteuid() && facts.st_uid != 0)
        return cannot_read(path, "it belongs to another user", error);
    if (terms->trusted && (facts.st_mode & (S_IWGRP | S_IWOTH)) != 0)
        return cannot_read(path, "other users may change it", error);
    return STATUS_OK;
}

/* Waits until there is something to read, or the end. False when the time is over. A pipe that nobody has opened for
 * writing yet has no end. */
static bool wait_for_bytes(int descriptor, double end)
{
    for (;;) {
        struct pollfd input = {.fd = descriptor, .events = POLLIN};
        const double left = end - clock_seconds();
        if (left <= 0)
            return false;
        if (poll(&input, 1, (int)ceil(left * 1000)) > 0)
            return true;
    }
}

static enum status read_all(const char *path, int descriptor, const struct file_terms *terms, struct text *bytes,
                            struct error *error)
{
    char part[16 * 1024];
    const size_t start = bytes->size;
    const double end = clock_seconds() + terms->patience;
    for (;;) {
        if (terms->patience > 0 && !wait_for_bytes(descriptor, end))
            return error_set(error, STATUS_UNREADABLE, "%s: cannot be read: it has not ended within %g seconds", path,
                             terms->patience);
        const ssize_t got = read(descriptor, part, sizeof part);
        if (got == 0)
            return STATUS_OK;
        if (got < 0 && errno != EINTR && (errno != EAGAIN || terms->patience <= 0))
            return cannot_read(path, strerror(errno), error);
        if (got > 0)
            text_add_bytes(bytes, part, (size_t)got);
        if (bytes->failed || bytes->size - start > terms->maximum)
            return error_set(error, STATUS_LIMIT, "%s: expected a file of at most %zu bytes, found more", path,
                             terms->maximum);
    }
}

enum status file_read(const char *path, const struct file_terms *terms, struct text *bytes, struct error *error)
{
    const int descriptor = open(path, READING);
    if (descriptor < 0)
        return cannot_read(path, strerror(errno), error);
    enum status status = check_kind(path, descriptor, terms, error);
    if (status == STATUS_OK)
        status = read_all(path, descriptor, terms, bytes, error);
    (void)close(descriptor);
    return status;
}

enum status file_read_whole(const char *path, size_t maximum, struct text *bytes, struct error *error)
{
    return file_read(path, &(struct file_terms){.maximum = maximum}, bytes, error);
}

enum status file_read_input(const char *path, size_t maximum, struct text *bytes, struct error *error)
{
    return file_read(path, &(struct file_terms){.maximum = maximum, .patience = FILE_INPUT_SECONDS}, bytes, error);
}

static size_t read_start(int descriptor, char *bytes, size_t room)
{
    size_t size = 0;
    struct stat facts;
    if (fstat(descriptor, &facts) != 0)
        return 0;
    if (!S_ISREG(facts.st_mode)) {
        errno = S_ISDIR(facts.st_mode) ? EISDIR : EINVAL;
        return 0;
    }
    while (size < room) {
        const ssize_t got = read(descriptor, bytes + size, room - size);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return size;
        if (got == 0)
            break;
        size += (size_t)got;
    }
    errno = 0;
    return size;
}

size_t file_read_start(const char *path, char *bytes, size_t size)
{
    bytes[0] = '\0';
    const int descriptor = open(path, READING);
    if (descriptor < 0)
        return 0;
    const size_t got = read_start(descriptor, bytes, size - 1);
    const int why = errno;
    bytes[got] = '\0';
    (void)close(descriptor);
    errno = why;
    return got;
}
