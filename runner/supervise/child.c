// SPDX-License-Identifier: Apache-2.0
/* A child process: its output, its standard error and its end. */
#include "runner/supervise/child.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <time.h>

#include "base/process.h"

static const double send_seconds = 10;  /* a waiting child reads a line at once */
static const double killed_seconds = 5; /* after SIGKILL: longer only in a driver call that cannot be interrupted */
static const double look_seconds = 0.1; /* between checks of a child whose pipes another process may hold open */

/* ---- starting ---- */

/* What a new process needs to become a worker; its output is the pipe of process_start. The ends of a pipe: read,
 * write. */
struct launch {
    char *const *arguments;
    int input[2], errors[2], outcome[2];
};

static void close_end(int *end)
{
    if (*end >= 0)
        (void)close(*end); /* closing a pipe loses no data */
    *end = -1;
}

static void close_ends(int ends[2])
{
    close_end(&ends[0]);
    close_end(&ends[1]);
}

static bool set_stream(int descriptor, int stream)
{
    return descriptor >= 0 && dup2(descriptor, stream) == stream;
}

/* Runs in the new process, whose own group keeps a terminal's Ctrl-C from it: the supervisor handles that. */
static int child_become(const void *context, int written)
{
    const struct launch *launch = context;
    sigset_t none;
    for (int number = 1; number < NSIG; number++)
        (void)signal(number, SIG_DFL);
    /* Batch systems and service managers send these to every process of a job. Only the supervisor handles them: a
     * worker, or a compiler that it started, would seem to have crashed. */
    (void)signal(SIGTERM, SIG_IGN);
    (void)signal(SIGINT, SIG_IGN);
    (void)sigemptyset(&none);
    (void)sigprocmask(SIG_SETMASK, &none, NULL);

    /* Duplicated first because a pipe may have the number of a standard stream that is closed in the parent. */
    const int input = fcntl(launch->input[0], F_DUPFD_CLOEXEC, 3);
    const int output = fcntl(written, F_DUPFD_CLOEXEC, 3);
    const int errors = fcntl(launch->errors[1], F_DUPFD_CLOEXEC, 3);
    const int outcome = fcntl(launch->outcome[1], F_DUPFD_CLOEXEC, 3);
    if (outcome >= 0 && set_stream(input, STDIN_FILENO) && set_stream(output, STDOUT_FILENO) &&
        set_stream(errors, STDERR_FILENO))
        (void)execv("/proc/self/exe", launch->arguments);
    const int why = errno;
    if (outcome >= 0)
        (void)!write(outcome, &why, sizeof why);
    return 1;
}

/* Whether exec succeeded: then the pipe closes without data. */
static bool outcome_is_good(int descriptor, int *why)
{
    ssize_t got;
    do
        got = read(descriptor, why, sizeof *why);
    while (got < 0 && errno == EINTR);
    if (got < 0)
        *why = errno;
    return got == 0;
}

enum status child_start(struct child *child, char *const *arguments, struct error *error)
{
    struct launch launch = {arguments, {-1, -1}, {-1, -1}, {-1, -1}};
    struct process process;
    enum status status = STATUS_OK;
    int why = 0;
    *child = (struct child){.pid = -1, .input = -1, .output = -1, .errors = -1};
    if (pipe2(launch.input, O_CLOEXEC) != 0 || pipe2(launch.errors, O_CLOEXEC) != 0 ||
        pipe2(launch.outcome, O_CLOEXEC) != 0 || !process_start(child_become, &launch, &process)) {
        status = error_set(error, STATUS_SYSTEM, "starting a worker: %s", strerror(errno));
        goto cleanup;
    }
    close_end(&launch.outcome[1]);
    if (!outcome_is_good(launch.outcome[0], &why)) {
        (void)kill(process.id, SIGKILL); /* if the pipe failed, not the child */
        (void)process_wait(&process);
        status = error_set(error, STATUS_SYSTEM,
                           "starting a worker: cannot run /proc/self/exe: %s; check that /proc is mounted and that the "
                           "program's file still exists",
                           strerror(why));
        goto cleanup;
    }
    child->pid = process.id;
    child->input = launch.input[1];
    child->output = process.output;
    child->errors = launch.errors[0];
    launch.input[1] = launch.errors[0] = -1;
    /* So that writes and reads never block. */
    (void)fcntl(child->input, F_SETFL, O_NONBLOCK);
    (void)fcntl(child->output, F_SETFL, O_NONBLOCK);
    (void)fcntl(child->errors, F_SETFL, O_NONBLOCK);
cleanup:
    close_ends(launch.input);
    close_ends(launch.errors);
    close_ends(launch.outcome);
    return status;
}

/* ---- reading ---- */

/* Reads the available bytes, at most `most`, into text. False at the end of the stream. */
static bool drain(int descriptor, struct text *text, size_t most)
{
    char bytes[16 * 1024];
    for (size_t total = 0; total < most;) {
        const ssize_t got = read(descriptor, bytes, sizeof bytes);
        if (got > 0) {
            text_add_bytes(text, bytes, (size_t)got);
            total += (size_t)got;
        } else if (got == 0)
            return false;
        else if (errno != EINTR)
            return errno == EAGAIN;
    }
    return true;
}

/* Drops the first bytes of a text. */
static void drop(struct text *text, size_t bytes)
{
    if (bytes == 0)
        return;
    text->size -= bytes;
    memmove(text->data, text->data + bytes, text->size);
    text->data[text->size] = '\0';
}

/* Reads what the child has written to standard error so far. Each call is bounded, so that a flood cannot block the
 * caller. */
static void read_errors(struct child *child)
{
    if (child->errors < 0)
        return;
    if (!drain(child->errors, &child->error_tail, CHILD_STDERR_KEPT))
        close_end(&child->errors);
    if (child->error_tail.failed)
        text_clear(&child->error_tail);
    if (child->error_tail.size > CHILD_STDERR_KEPT)
        drop(&child->error_tail, child->error_tail.size - CHILD_STDERR_KEPT);
}

static void read_output(struct child *child)
{
    if (child->output < 0)
        return;
    drop(&child->received, child->taken);
    child->searched -= child->taken;
    child->taken = 0;
    if (!drain(child->output, &child->received, CHILD_READ_AHEAD))
        close_end(&child->output);
}

/* Whether there is a whole line beyond those already given. */
static bool has_line(struct child *child)
{
    const char *data = text_string(&child->received);
    const char *end = memchr(data + child->searched, '\n', child->received.size - child->searched);
    child->searched = end ? (size_t)(end - data) : child->received.size;
    return end != NULL;
}

/* The next whole line received, or NULL. A line without an end is at most part of a message. */
static const char *child_take_line(struct child *child)
{
    if (!has_line(child) || child->searched - child->taken > CHILD_LINE_MAXIMUM)
        return NULL;
    char *start = child->received.data + child->taken;
    child->line_size = child->searched - child->taken;
    start[child->line_size] = '\0';
    child->taken = ++child->searched;
    return start;
}

/* Stops waiting for a line that is too long. */
static void refuse_long_line(struct child *child)
{
    if (child->searched - child->taken <= CHILD_LINE_MAXIMUM)
        return;
    child->too_long = true;
    close_end(&child->output);
}

size_t child_backlog(const struct child *child)
{
    int waiting = 0;
    if (child->output < 0 || ioctl(child->output, FIONREAD, &waiting) != 0)
        waiting = 0;
    return child->received.size - child->taken + (size_t)waiting;
}

/* What to wait for in addition to the child's standard error. */
enum { FOR_OUTPUT = 1 << 0, FOR_INPUT = 1 << 1 };

/* Waits at most `seconds` until a descriptor is ready; then reads. True if wake is readable. */
static bool wait_and_read(struct child *child, int wake, unsigned what, double seconds)
{
    struct pollfd polled[] = {
        {.fd = wake, .events = POLLIN},
        {.fd = what & FOR_OUTPUT ? child->output : -1, .events = POLLIN},
        {.fd = child->errors, .events = POLLIN},
        {.fd = what & FOR_INPUT ? child->input : -1, .events = POLLOUT},
    };
    if (seconds > look_seconds)
        seconds = look_seconds;
    /* Rounded up: a poll of 0 ms at the end of a wait would spin. */
    const int milliseconds = seconds <= 0 ? 0 : (int)(seconds * 1000) + 1;
    if (poll(polled, COUNT(polled), milliseconds) <= 0)
        return false;
    if (polled[1].revents)
        read_output(child);
    if (polled[2].revents)
        read_errors(child);
    return polled[0].revents != 0;
}

enum child_event child_next(struct child *child, int wake, double seconds, const char **line)
{
    const double end = clock_seconds() + seconds;
    /* Complete lines come before new output: a child that writes faster than it is read has to wait. */
    bool lines = has_line(child);
    for (;;) {
        const bool ended = child->pid > 0 && process_has_ended(child->pid);
        const double left = seconds < 0 ? look_seconds : end - clock_seconds();
        if (wait_and_read(child, wake, lines ? 0 : FOR_OUTPUT, lines || ended ? 0 : left))
            return CHILD_INTERRUPT;
        lines = false;
        *line = child_take_line(child);
        if (*line)
            return CHILD_LINE;
        refuse_long_line(child);
        if (ended) /* its pipe has been read; other processes may still write to it */
            close_end(&child->output);
        if (child->output < 0)
            return CHILD_ENDED;
        if (seconds >= 0 && left <= 0)
            return CHILD_TIMEOUT;
    }
}

/* ---- writing ---- */

enum status child_send(struct child *child, const char *line, struct error *error)
{
    const double end = clock_seconds() + send_seconds;
    const size_t size = strlen(line) + 1;
    for (size_t sent = 0; sent < size;) {
        /* The newline goes with the last piece of the line. */
        const char *from = sent < size - 1 ? line + sent : "\n";
        const size_t count = sent < size - 1 ? size - 1 - sent : 1;
        const ssize_t wrote = child->input < 0 ? -1 : write(child->input, from, count);
        if (wrote > 0) {
            sent += (size_t)wrote;
            continue;
        }
        if (child->input < 0 || (errno != EAGAIN && errno != EINTR))
            return error_set(error, STATUS_SYSTEM, "cannot send work to a worker: %s",
                             child->input < 0 ? "its input is closed" : strerror(errno));
        if (clock_seconds() > end)
            return error_set(error, STATUS_SYSTEM, "a worker has not read its work for %.0f s", send_seconds);
        /* Its output is read meanwhile, so that neither waits for the other to read; but not an endless flood. */
        const bool flooded = child->received.size - child->taken > CHILD_LINE_MAXIMUM;
        (void)wait_and_read(child, -1, flooded ? FOR_INPUT : FOR_INPUT | FOR_OUTPUT, send_seconds);
    }
    return STATUS_OK;
}

/* ---- the end ---- */

/* Waits at most `seconds` for the end, reading meanwhile, so that the child can write its last output. */
static bool wait_for_end(struct child *child, double seconds)
{
    const double end = clock_seconds() + seconds;
    double nap = 0.0005;
    while (!process_has_ended(child->pid)) {
        if (clock_seconds() >= end)
            return false;
        if (child->output >= 0 || child->errors >= 0)
            (void)wait_and_read(child, -1, FOR_OUTPUT, nap);
        else {
            const struct timespec pause = {.tv_nsec = (long)(nap * 1e9)};
            (void)nanosleep(&pause, NULL);
        }
        child->taken = child->searched = child->received.size;
        if (nap < 0.02)
            nap *= 2;
    }
    return true;
}

bool child_finish(struct child *child, double seconds, int *wait_status)
{
    bool reaped = true;
    int status = 0;
    close_end(&child->input);
    if (child->pid > 0) {
        reaped = wait_for_end(child, seconds);
        child->stopped |= !reaped;
        /* Also kills what it started and left running; the number is still its group's. */
        (void)kill(-child->pid, SIGKILL);
        if (!reaped)
            reaped = wait_for_end(child, killed_seconds);
        if (reaped)
            reaped = waitpid(child->pid, &status, 0) == child->pid;
        read_errors(child);
    }
    if (wait_status)
        *wait_status = status;
    close_end(&child->output);
    close_end(&child->errors);
    text_release(&child->received);
    child->taken = child->searched = 0;
    child->pid = -1;
    return reaped;
}

void child_release(struct child *child)
{
    text_release(&child->error_tail);
}

const char *child_fate(int wait_status, char buffer[96])
{
    enum { SIZE = 96 };
    if (WIFSIGNALED(wait_status)) {
        const int number = WTERMSIG(wait_status);
        const char *name = sigabbrev_np(number), *description = sigdescr_np(number);
        if (name && description)
            (void)snprintf(buffer, SIZE, "was killed by SIG%s (%s)", name, description);
        else
            (void)snprintf(buffer, SIZE, "was killed by signal %d", number);
    } else if (WIFEXITED(wait_status))
        (void)snprintf(buffer, SIZE, "ended with exit code %d", WEXITSTATUS(wait_status));
    else
        (void)snprintf(buffer, SIZE, "ended in an unknown way (wait status %#x)", (unsigned)wait_status);
    return buffer;
}
