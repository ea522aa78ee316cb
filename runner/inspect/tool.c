// SPDX-License-Identifier: Apache-2.0
/* Runs an external program within limits. */
#include "runner/inspect/tool.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"

enum { MAXIMUM_ARGUMENTS = 16, NOT_FOUND = 127 /* env's exit code if there is no such program */ };

extern char **environ;

/* Starts it with its standard output on a pipe, whose other end is *output. */
static int start(char *const *arguments, pid_t *process, int *output)
{
    int ends[2];
    posix_spawn_file_actions_t actions;
    if (pipe2(ends, O_CLOEXEC) != 0)
        return errno;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    const int why = posix_spawnp(process, arguments[0], &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    if (why != 0)
        close(ends[0]);
    *output = ends[0];
    return why;
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

enum status tool_run(const char *const *arguments, double seconds, size_t maximum, struct text *output,
                     struct error *error)
{
    char *all[MAXIMUM_ARGUMENTS + 3] = {"env", "LC_ALL=C"}; /* so that its output can be parsed */
    pid_t process;
    int from = -1, ended = 0;
    for (size_t i = 0; arguments[i] && i < MAXIMUM_ARGUMENTS; i++)
        all[i + 2] = (char *)(uintptr_t)arguments[i]; /* which exec does not change */
    const int why = start(all, &process, &from);
    if (why == ENOENT) /* env is missing */
        return error_set(error, STATUS_UNSUPPORTED, "there is no %s on PATH", arguments[0]);
    if (why != 0)
        return error_set(error, STATUS_SYSTEM, "%s cannot be started: %s", arguments[0], strerror(why));
    const bool whole = read_all(from, clock_seconds() + seconds, maximum, output);
    close(from);
    if (!whole)
        (void)kill(process, SIGKILL);
    while (waitpid(process, &ended, 0) < 0 && errno == EINTR)
        ;
    if (!whole)
        return error_set(error, STATUS_LIMIT, "%s was stopped: it took over %.0f s or wrote over %zu MiB", arguments[0],
                         seconds, maximum >> 20);
    if (WIFEXITED(ended) && WEXITSTATUS(ended) == NOT_FOUND)
        return error_set(error, STATUS_UNSUPPORTED, "there is no %s on PATH", arguments[0]);
    if (!WIFEXITED(ended) || WEXITSTATUS(ended) != 0)
        return error_set(error, STATUS_SYSTEM, "%s failed (wait status %d)", arguments[0], ended);
    return STATUS_OK;
}
