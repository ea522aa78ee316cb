// SPDX-License-Identifier: Apache-2.0
/* Runs an external program within limits; files in memory for it. */
#include "base/tool.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/process.h"

/* ---- files in memory ---- */

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

/* ---- programs ---- */

/* env's exit codes if there is no such program, or none that may be run: a folder of PATH that may not be read hides
 * it. */
enum { MAXIMUM_ARGUMENTS = 48, NOT_RUNNABLE = 126, NOT_FOUND = 127 };

/* What a tool needs to start: its arguments, the file for its standard error or -1, and the largest file that it may
 * write. */
struct tool {
    char *const *arguments;
    int errors;
    size_t maximum;
};

/* Runs in the new process. */
static int tool_become(const void *context, int output)
{
    const struct tool *tool = context;
    struct rlimit size = {0}, memory = {TOOL_MEMORY, TOOL_MEMORY};
    if (getrlimit(RLIMIT_FSIZE, &size) == 0 && size.rlim_cur > tool->maximum) {
        size.rlim_cur = tool->maximum;
        (void)setrlimit(RLIMIT_FSIZE, &size);
    }
    if (tool->errors >= 0)
        (void)setrlimit(RLIMIT_AS, &memory);
    const int copy = fcntl(output, F_DUPFD_CLOEXEC, 3), null = open("/dev/null", O_RDWR | O_CLOEXEC);
    if (dup2(null, STDIN_FILENO) >= 0 && dup2(copy, STDOUT_FILENO) >= 0 &&
        dup2(tool->errors >= 0 ? tool->errors : null, STDERR_FILENO) >= 0)
        (void)execvp(tool->arguments[0], tool->arguments);
    return NOT_FOUND;
}

/* Reads to the end; false if a limit is passed first. */
static bool read_all(int from, double deadline, size_t maximum, struct text *output)
{
    const size_t before = output->size;
    static const size_t most = 64 * 1024;
    char bytes[64 * 1024];
    for (;;) {
        struct pollfd wait = {from, POLLIN, 0};
        const double left = deadline - clock_seconds();
        const int ready = left > 0 ? poll(&wait, 1, (int)(1000 * left) + 1) : 0;
        if (ready == 0)
            return false;
        if (ready < 0 && errno == EINTR)
            continue;
        const ssize_t count = ready < 0 ? -1 : read(from, bytes, most);
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            return count == 0;
        if (output->size - before + (size_t)count > maximum)
            return false;
        text_add_bytes(output, bytes, (size_t)count);
    }
}

/* Waits until it has ended, but not past the deadline; it stays to be reaped. */
static bool wait_until(pid_t process, double deadline)
{
    static const struct timespec pause = {.tv_nsec = 2000000};
    while (!process_has_ended(process)) {
        if (clock_seconds() >= deadline)
            return false;
        (void)nanosleep(&pause, NULL);
    }
    return true;
}

/* In seconds and bytes. grace: how long it may go on after an interrupt that comes after `seconds`. */
struct tool_limits {
    double seconds, grace;
    size_t maximum;
};

/* errors: a file for its standard error; or -1. */
static enum status run_child(const char *const *arguments, int errors, struct tool_limits limits, struct text *output,
                             struct error *error)
{
    char *all[MAXIMUM_ARGUMENTS + 3] = {"env", "LC_ALL=C"}; /* so that its output can be parsed */
    const struct tool tool = {all, errors, limits.maximum};
    struct process process;
    for (size_t i = 0; arguments[i] && i < MAXIMUM_ARGUMENTS; i++)
        all[i + 2] = (char *)(uintptr_t)arguments[i]; /* which exec does not change */
    double deadline = clock_seconds() + limits.seconds;
    if (!process_start(tool_become, &tool, &process))
        return error_set(error, STATUS_SYSTEM, "%s cannot be started: %s", arguments[0], strerror(errno));
    bool whole = read_all(process.output, deadline, limits.maximum, output) && wait_until(process.id, deadline);
    if (!whole && limits.grace > 0 && clock_seconds() >= deadline) {
        deadline += limits.grace;
        (void)kill(process.id, SIGINT);
        whole = read_all(process.output, deadline, limits.maximum, output) && wait_until(process.id, deadline);
    }
    (void)kill(-process.id, SIGKILL); /* what it has left behind, and itself if it has not ended */
    const int ended = process_wait(&process);
    if (!whole)
        return error_set(error, STATUS_LIMIT, "%s was stopped because it ran for over %.0f s or wrote over %zu MiB",
                         arguments[0], limits.seconds + limits.grace, limits.maximum >> 20);
    if (WIFEXITED(ended) && (WEXITSTATUS(ended) == NOT_FOUND || WEXITSTATUS(ended) == NOT_RUNNABLE))
        return error_set(error, STATUS_UNSUPPORTED, "there is no %s on PATH", arguments[0]);
    if (WIFSIGNALED(ended))
        return error_set(error, STATUS_SYSTEM, "%s was killed by signal %d (%s)", arguments[0], WTERMSIG(ended),
                         sigdescr_np(WTERMSIG(ended)) ? sigdescr_np(WTERMSIG(ended)) : "unknown");
    if (WEXITSTATUS(ended) != 0)
        return error_set(error, STATUS_SYSTEM, "%s failed (exit status %d)", arguments[0], WEXITSTATUS(ended));
    return STATUS_OK;
}

enum status tool_run(const char *const *arguments, double seconds, size_t maximum, struct text *output,
                     struct error *error)
{
    return run_child(arguments, -1, (struct tool_limits){seconds, 0, maximum}, output, error);
}

enum status tool_run_interrupted(const char *const *arguments, double seconds, double grace, size_t maximum,
                                 struct text *output, struct error *error)
{
    return run_child(arguments, -1, (struct tool_limits){seconds, grace, maximum}, output, error);
}

enum status tool_run_heard(const char *const *arguments, double seconds, size_t maximum, struct text *output,
                           struct text *said, struct error *error)
{
    struct memory_file file;
    struct error ignored; /* what it said is lost, not the result */
    TRY(memory_file_make("", 0, &file, error));
    const enum status status =
        run_child(arguments, file.descriptor, (struct tool_limits){seconds, 0, maximum}, output, error);
    (void)memory_file_read(&file, maximum, said, &ignored);
    memory_file_close(&file);
    return status;
}

/* ---- the CUDA Toolkit ---- */

static bool is_program(const char *folder, size_t length, const char *middle, const char *name, char path[PATH_MAX])
{
    const int size = snprintf(path, PATH_MAX, "%.*s%s/%s", (int)length, folder, middle, name);
    return length > 0 && size > 0 && size < PATH_MAX && access(path, X_OK) == 0;
}

bool tool_is_on_path(const char *name, char path[PATH_MAX])
{
    for (const char *at = getenv("PATH"); at && *at;) {
        const size_t length = strcspn(at, ":");
        if (is_program(at, length, "", name, path))
            return true;
        at += length + (at[length] == ':');
    }
    return false;
}

enum status tool_find_self(char path[PATH_MAX], struct error *error)
{
    const ssize_t size = readlink("/proc/self/exe", path, PATH_MAX - 1);
    path[size < 0 ? 0 : size] = '\0';
    return size < 0 ? error_set(error, STATUS_SYSTEM, "cannot find this program's file: %s", strerror(errno))
                    : STATUS_OK;
}

enum status tool_find_cuda(const char *name, char path[PATH_MAX], struct error *error)
{
    static const struct {
        const char *name, *part;
    } parts[] = {{"ptxas", "compiler (cuda-nvcc)"},
                 {"nvdisasm", "disassembler (cuda-nvdisasm)"},
                 {"cuobjdump", "extractor (cuda-cuobjdump)"}};
    static const char *const variables[] = {"CUDA_HOME", "CUDA_PATH"};
    static const char usual[] = "/usr/local/cuda";
    size_t part = 0;
    if (tool_is_on_path(name, path))
        return STATUS_OK;
    for (size_t i = 0; i < COUNT(variables); i++) {
        const char *home = getenv(variables[i]);
        if (home && is_program(home, strlen(home), "/bin", name, path))
            return STATUS_OK;
    }
    if (is_program(usual, strlen(usual), "/bin", name, path))
        return STATUS_OK;
    while (strcmp(parts[part].name, name) != 0)
        part++;
    return error_set(error, STATUS_UNSUPPORTED,
                     "there is no %s on PATH, in $CUDA_HOME/bin, $CUDA_PATH/bin or /usr/local/cuda/bin: install the "
                     "CUDA Toolkit's %s, or set CUDA_HOME",
                     name, parts[part].part);
}
