// SPDX-License-Identifier: Apache-2.0
/*
 * A library to preload: it makes one call of the C library fail, in one kind of process.
 *
 *   FAIL_CALL    the function, one of CALL_LIST
 *   FAIL_AT      which of its calls, from 1
 *   FAIL_ERRNO   the number that errno gets
 *   FAIL_FOREVER if set: all later calls fail, too, as on a full disk
 *   FAIL_IN      "supervisor" or "worker": where; a worker is a process whose first argument is "worker"
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

static const char *failing_call;
static long failing_at;
static int failing_errno;
static bool failing_forever;
static atomic_long calls;

__attribute__((constructor)) static void begin(void)
{
    char line[4096] = "";
    const char *in = getenv("FAIL_IN");
    FILE *file = fopen("/proc/self/cmdline", "re");
    const size_t size = file ? fread(line, 1, sizeof line - 1, file) : 0;
    if (file)
        (void)fclose(file);
    const char *first = size > 0 ? line + strlen(line) + 1 : line;
    const bool worker = first < line + size && strcmp(first, "worker") == 0;
    if (!in || !getenv("FAIL_CALL") || worker != (strcmp(in, "worker") == 0))
        return;
    failing_at = strtol(getenv("FAIL_AT"), NULL, 10);
    failing_errno = (int)strtol(getenv("FAIL_ERRNO"), NULL, 10);
    failing_forever = getenv("FAIL_FOREVER") != NULL;
    failing_call = getenv("FAIL_CALL");
}

static bool fails(const char *name)
{
    if (!failing_call || strcmp(name, failing_call) != 0)
        return false;
    const long number = atomic_fetch_add(&calls, 1) + 1;
    if (number != failing_at && !(failing_forever && number > failing_at))
        return false;
    errno = failing_errno;
    return true;
}

/* Replaces a function of the C library: its type, its name, its parameters, their names, its value when it fails. */
#define CALL_LIST(X)                                                                                                   \
    X(ssize_t, read, (int descriptor, void *bytes, size_t size), (descriptor, bytes, size), -1)                        \
    X(ssize_t, write, (int descriptor, const void *bytes, size_t size), (descriptor, bytes, size), -1)                 \
    X(ssize_t, pread64, (int descriptor, void *bytes, size_t size, off64_t at), (descriptor, bytes, size, at), -1)     \
    X(ssize_t, pwrite64, (int descriptor, const void *bytes, size_t size, off64_t at), (descriptor, bytes, size, at),  \
      -1)                                                                                                              \
    X(int, fsync, (int descriptor), (descriptor), -1)                                                                  \
    X(int, fdatasync, (int descriptor), (descriptor), -1)                                                              \
    X(int, ftruncate64, (int descriptor, off64_t size), (descriptor, size), -1)                                        \
    X(int, pipe2, (int pair[2], int flags), (pair, flags), -1)                                                         \
    X(pid_t, fork, (void), (), -1)                                                                                     \
    X(int, poll, (struct pollfd * polled, nfds_t count, int timeout), (polled, count, timeout), -1)                    \
    X(int, rename, (const char *from, const char *to), (from, to), -1)                                                 \
    X(int, unlink, (const char *path), (path), -1)                                                                     \
    X(int, mkdir, (const char *path, mode_t mode), (path, mode), -1)                                                   \
    X(void *, mmap64, (void *at, size_t size, int protection, int flags, int descriptor, off64_t offset),              \
      (at, size, protection, flags, descriptor, offset), MAP_FAILED)                                                   \
    X(void *, malloc, (size_t size), (size), NULL)                                                                     \
    X(void *, calloc, (size_t count, size_t size), (count, size), NULL)                                                \
    X(void *, realloc, (void *memory, size_t size), (memory, size), NULL)

#define DEFINE_CALL(type, name, parameters, values, failed)                                                            \
    type name parameters                                                                                               \
    {                                                                                                                  \
        static type(*next) parameters;                                                                                 \
        if (!next)                                                                                                     \
            *(void **)&next = dlsym(RTLD_NEXT, #name);                                                                 \
        return fails(#name) ? (failed) : next values;                                                                  \
    }
CALL_LIST(DEFINE_CALL)

/* A close that fails has closed the descriptor: close(2). */
int close(int descriptor)
{
    static int (*next)(int);
    if (!next)
        *(void **)&next = dlsym(RTLD_NEXT, "close");
    const int closed = next(descriptor);
    return fails("close") ? -1 : closed;
}

/* The functions that open a file take a mode only if they may create it. */
#define DEFINE_OPEN(name)                                                                                              \
    int name(const char *path, int flags, ...)                                                                         \
    {                                                                                                                  \
        static int (*next)(const char *, int, ...);                                                                    \
        mode_t mode = 0;                                                                                               \
        if (flags & (O_CREAT | O_TMPFILE)) {                                                                           \
            va_list more;                                                                                              \
            va_start(more, flags);                                                                                     \
            mode = va_arg(more, mode_t);                                                                               \
            va_end(more);                                                                                              \
        }                                                                                                              \
        if (!next)                                                                                                     \
            *(void **)&next = dlsym(RTLD_NEXT, #name);                                                                 \
        return fails("open") ? -1 : next(path, flags, mode);                                                           \
    }
DEFINE_OPEN(open)
DEFINE_OPEN(open64)
