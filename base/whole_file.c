// SPDX-License-Identifier: Apache-2.0
/* Reads and writes whole files, creates their folders, and lists folders. */
#include "base/whole_file.h"

#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/random.h>
#include <sys/stat.h>

#include "base/base.h"

/* ---- reading ---- */

/* Without O_NONBLOCK, opening a pipe would wait for its writer, and reading it for the next byte; without O_NOCTTY, a
 * terminal could become the controlling terminal of this process. */
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
        return cannot_read(path, S_ISDIR(facts.st_mode) ? strerror(EISDIR) : "it is a block device", error);
    if (!S_ISREG(facts.st_mode) && terms->patience <= 0)
        return cannot_read(path, "it is not a regular file", error);
    if (terms->trusted && facts.st_uid != geteuid() && facts.st_uid != 0)
        return cannot_read(path, "it belongs to another user", error);
    if (terms->trusted && (facts.st_mode & (S_IWGRP | S_IWOTH)) != 0)
        return cannot_read(path, "other users may change it", error);
    return STATUS_OK;
}

/* Waits for bytes to read, or the end. False after the time limit. A pipe that nobody has opened for writing yet has
 * not reached its end; only read sees the difference. */
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
    const double begin = clock_seconds(), end = begin + terms->patience;
    double limit = begin + fmin(terms->patience, FILE_WRITER_SECONDS);
    for (;;) {
        const bool ready = terms->patience <= 0 || wait_for_bytes(descriptor, limit);
        const ssize_t got = read(descriptor, part, sizeof part);
        if (!ready && got == 0)
            return cannot_read(path, "it is a pipe that no program writes to", error);
        if (!ready && limit >= end)
            return error_set(error, STATUS_UNREADABLE, "%s: cannot be read: no end of file within %g seconds", path,
                             terms->patience);
        limit = end;
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
    THEN(status, read_all(path, descriptor, terms, bytes, error));
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

/* ---- writing that fails ---- */

/* The status of a failure to write that left errno: SYSTEM or UNREADABLE, as above. */
static enum status file_write_status(int why)
{
    static const int machine[] = {ENOSPC, EDQUOT, EFBIG, EIO, ENOMEM, EMFILE, ENFILE, EPIPE, EINTR};
    if (ANY_OF(one, machine, COUNT(machine), why == *one))
        return STATUS_SYSTEM;
    return STATUS_UNREADABLE;
}

/* errno says why. */
static enum status write_failed(const char *path, const char *what, struct error *error)
{
    return error_set(error, file_write_status(errno), "%s: cannot be %s: %s", path, what, strerror(errno));
}

/* ---- where to write ---- */

enum write_target { TARGET_NEW, TARGET_REPLACED, TARGET_WRITTEN_INTO, TARGET_REFUSED };

/* This process's own streams. If one leads to a file, output is appended to the file, because others write to it
 * too. */
static bool is_stream(const char *path)
{
    static const char *const starts[] = {"/dev/std", "/dev/fd/", "/proc/"};
    return ANY_OF(start, starts, COUNT(starts), strncmp(path, *start, strlen(*start)) == 0);
}

/* What is at the path; errno says why it cannot be written to. resolved receives the path without links. */
static enum write_target find_target(const char *path, char resolved[PATH_MAX], mode_t *mode)
{
    struct stat there;
    const int length = snprintf(resolved, PATH_MAX, "%s", path);
    if (length < 0 || length >= PATH_MAX) {
        errno = ENAMETOOLONG;
        return TARGET_REFUSED;
    }
    if (stat(path, &there) != 0)
        return errno == ENOENT && (lstat(path, &there) != 0) ? TARGET_NEW : TARGET_REFUSED;
    if (S_ISDIR(there.st_mode)) {
        errno = EISDIR;
        return TARGET_REFUSED;
    }
    if (access(path, W_OK) != 0)
        return TARGET_REFUSED;
    if (!S_ISREG(there.st_mode) || is_stream(path))
        return TARGET_WRITTEN_INTO;
    *mode = there.st_mode & 07777;
    return realpath(path, resolved) ? TARGET_REPLACED : TARGET_REFUSED;
}

enum { ATTEMPTS = 100 };

/* Creates a new file next to path, with the permissions that the umask leaves; unfinished receives its name. mkostemp
 * would give access to the owner only, and reading the umask means changing it for a moment for every thread of the
 * process. */
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

enum status file_check_writable(const char *path, struct error *error)
{
    char resolved[PATH_MAX];
    mode_t mode;
    const enum write_target target = find_target(path, resolved, &mode);
    if (target == TARGET_REFUSED)
        return write_failed(path, "written", error);
    if (target == TARGET_WRITTEN_INTO)
        return STATUS_OK;
    char *slash = strrchr(resolved, '/');
    if (slash)
        slash[slash == resolved] = '\0'; /* the root folder keeps its slash */
    return access(slash ? resolved : ".", W_OK | X_OK) == 0 ? STATUS_OK : write_failed(path, "created", error);
}

/* ---- writing ---- */

enum status file_writer_open(struct file_writer *writer, const char *path, struct error *error)
{
    mode_t mode = 0;
    *writer = (struct file_writer){.file = NULL};
    (void)snprintf(writer->name, sizeof writer->name, "%s", path);
    const enum write_target target = find_target(path, writer->path, &mode);
    if (target == TARGET_REFUSED)
        return write_failed(path, "written", error);
    const int descriptor = target == TARGET_WRITTEN_INTO ? open(path, O_WRONLY | O_APPEND | O_CLOEXEC | O_NOCTTY)
                                                         : create_beside(writer->path, writer->unfinished);
    if (descriptor < 0)
        return write_failed(path, "created", error);
    if (target != TARGET_REPLACED || fchmod(descriptor, mode) == 0)
        writer->file = fdopen(descriptor, "wb");
    if (writer->file)
        return STATUS_OK;
    const enum status status = write_failed(path, "created", error);
    (void)close(descriptor);
    if (writer->unfinished[0])
        (void)unlink(writer->unfinished);
    return status;
}

/* SYSTEM, with a reason, unless everything given to stdio was written. A failure that stdio met earlier has left no
 * errno. */
static enum status flush(struct file_writer *writer, struct error *error)
{
    errno = 0;
    const bool flushed = fflush(writer->file) == 0 && !ferror(writer->file);
    if (flushed && (!writer->unfinished[0] || writer->quick || fsync(fileno(writer->file)) == 0))
        return STATUS_OK;
    if (errno != 0)
        return write_failed(writer->name, "written", error);
    return error_set(error, STATUS_SYSTEM, "%s: cannot be written completely; is the disk full?", writer->name);
}

enum status file_writer_close(struct file_writer *writer, bool complete, struct error *error)
{
    enum status status = complete ? flush(writer, error) : STATUS_OK;
    if (fclose(writer->file) != 0 && complete && status == STATUS_OK)
        status = write_failed(writer->name, "written", error);
    writer->file = NULL;
    if (!writer->unfinished[0])
        return status;
    if (complete && status == STATUS_OK && rename(writer->unfinished, writer->path) == 0)
        return STATUS_OK;
    if (complete && status == STATUS_OK)
        status = write_failed(writer->name, "written", error);
    (void)unlink(writer->unfinished);
    return status;
}

static enum status write_whole(const char *path, const char *bytes, size_t size, bool quick, struct error *error)
{
    struct file_writer writer;
    TRY(file_writer_open(&writer, path, error));
    writer.quick = quick;
    if (fwrite(bytes, 1, size, writer.file) == size)
        return file_writer_close(&writer, true, error);
    const enum status status = write_failed(path, "written", error);
    (void)file_writer_close(&writer, false, NULL);
    return status;
}

enum status file_write_whole(const char *path, const char *bytes, size_t size, struct error *error)
{
    return write_whole(path, bytes, size, false, error);
}

enum status file_write_quick(const char *path, const char *bytes, size_t size, struct error *error)
{
    return write_whole(path, bytes, size, true, error);
}

/* ---- folders ---- */

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
            status = write_failed(part, "created as a folder", error);
        if (slash)
            *slash = '/';
    }
    free(part); /* which preserves errno */
    return status;
}

const char *file_path_from_here(const char *path)
{
    char here[PATH_MAX];
    if (*path == '/' && getcwd(here, sizeof here)) {
        const size_t size = strlen(here);
        if (strncmp(path, here, size) == 0 && path[size] == '/')
            path += size + strspn(path + size, "/");
    }
    while (strncmp(path, "./", 2) == 0)
        path += 1 + strspn(path + 1, "/");
    return path;
}

/* ---- listing a folder ---- */

ORDERED_BY(whole_file_compare_names, const char *const, strcmp(*a, *b))

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
        SORT(folder->names, folder->count, whole_file_compare_names);
    else
        folder_release(folder);
    errno = why;
    return status;
}

ARENA_RELEASES(, folder)
