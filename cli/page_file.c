// SPDX-License-Identifier: Apache-2.0
/* A page, written to its file or to standard output. */
#include "cli/page_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/whole_file.h"

static bool page_write_all(int file, const char *bytes, size_t size)
{
    while (size > 0) {
        const ssize_t written = write(file, bytes, size);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return false;
        bytes += written;
        size -= (size_t)written;
    }
    return true;
}

static enum status page_fail(const char *path, int why, struct error *error)
{
    return error_set(error, STATUS_UNREADABLE, "%s: cannot be written: %s", path, strerror(why));
}

/* What is no ordinary file (a pipe, a terminal) cannot be replaced. */
static enum status page_write_into(const char *path, const struct text *text, struct error *error)
{
    const int file = open(path, O_WRONLY | O_CLOEXEC);
    if (file < 0)
        return page_fail(path, errno, error);
    const bool written = page_write_all(file, text_string(text), text->size);
    const int why = errno;
    const bool closed = close(file) == 0;
    return written && closed ? STATUS_OK : page_fail(path, written ? errno : why, error);
}

enum status page_text_check(const struct text *text, const char *what, struct error *error)
{
    return text->failed
               ? error_set(error, STATUS_LIMIT, "%s is larger than %d MiB: take fewer tests", what, TEXT_MAXIMUM >> 20)
               : STATUS_OK;
}

enum status page_file_write(const char *path, const struct text *text, struct error *error)
{
    struct stat there;
    TRY(page_text_check(text, "the page", error));
    if (strcmp(path, "-") == 0) {
        (void)fwrite(text_string(text), 1, text->size, stdout); /* main says what is wrong with standard output */
        return STATUS_OK;
    }
    if (stat(path, &there) == 0 && !S_ISREG(there.st_mode))
        return S_ISDIR(there.st_mode) ? page_fail(path, EISDIR, error) : page_write_into(path, text, error);
    const enum status status = file_write_whole(path, text_string(text), text->size, error);
    return status == STATUS_OK ? STATUS_OK : (error->status = STATUS_UNREADABLE); /* of what the command line names */
}
