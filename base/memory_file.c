// SPDX-License-Identifier: Apache-2.0
/* Files in memory: memfd_create(2), by their path in /proc. */
#include "base/memory_file.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static enum status write_all(int descriptor, const char *bytes, size_t size, struct error *error)
{
    for (size_t written = 0; written < size;) {
        const ssize_t count = write(descriptor, bytes + written, size - written);
        if (count < 0 && errno != EINTR)
            return error_set(error, STATUS_SYSTEM, "cannot write a file in memory: %s", strerror(errno));
        written += count > 0 ? (size_t)count : 0;
    }
    return STATUS_OK;
}

enum status memory_file_make(const char *bytes, size_t size, struct memory_file *file, struct error *error)
{
    file->descriptor = memfd_create("orchil-inspect", MFD_CLOEXEC);
    if (file->descriptor < 0)
        return error_set(error, STATUS_SYSTEM, "cannot create a file in memory: %s", strerror(errno));
    (void)snprintf(file->path, sizeof file->path, "/proc/%ld/fd/%d", (long)getpid(), file->descriptor);
    const enum status status = write_all(file->descriptor, bytes, size, error);
    if (status != STATUS_OK)
        memory_file_close(file);
    return status;
}

enum status memory_file_read(const struct memory_file *file, size_t maximum, struct text *text, struct error *error)
{
    char bytes[16 * 1024];
    off_t at = 0;
    for (;;) {
        const ssize_t count = pread(file->descriptor, bytes, sizeof bytes, at);
        if (count < 0 && errno == EINTR)
            continue;
        if (count < 0)
            return error_set(error, STATUS_SYSTEM, "cannot read a file in memory: %s", strerror(errno));
        if (count == 0)
            return STATUS_OK;
        if ((size_t)at + (size_t)count > maximum)
            return error_set(error, STATUS_LIMIT, "expected at most %zu MiB in a file in memory, found more",
                             maximum >> 20);
        text_add_bytes(text, bytes, (size_t)count);
        at += count;
    }
}

void memory_file_close(struct memory_file *file)
{
    (void)close(file->descriptor);
    file->descriptor = -1;
}
