// SPDX-License-Identifier: Apache-2.0
/*
 * Child processes of the supervisor: this binary, started with other arguments, with its three standard
 * streams on pipes. A child dies with its parent.
 */
#ifndef ORCHIL_RUNNER_SUPERVISE_CHILD_H
#define ORCHIL_RUNNER_SUPERVISE_CHILD_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/status.h"
#include "base/text.h"

enum {
    CHILD_STDERR_KEPT = 64 * 1024,         /* bytes of the end of its standard error */
    CHILD_LINE_MAXIMUM = 16 * 1024 * 1024, /* bytes of a line of its output */
    CHILD_READ_AHEAD = 1024 * 1024         /* bytes that one read takes, beyond the line that it completes */
};

struct child {
    pid_t pid;
    int input, output, errors; /* our ends; -1 once closed */
    struct text received;      /* of its output: what was read and is not dropped yet */
    size_t taken;              /* bytes of it that lines already given hold */
    size_t searched;           /* bytes of it without the end of a further line */
    size_t line_size;          /* bytes of the last line that was given, which may hold NULs */
    bool too_long;             /* its output was closed because of a line beyond the maximum */
    bool stopped;              /* child_finish had to end it */
    struct text error_tail;    /* the end of its standard error */
};

/* Starts /proc/self/exe with the arguments (NULL-terminated; the first is argv[0]), in a process group of its own. It ignores
 * SIGTERM and SIGINT, and dies with this process. */
enum status child_start(struct child *child, char *const *arguments, struct error *error);

/* Writes a line (a newline is added). SYSTEM if the child reads no more. */
enum status child_send(struct child *child, const char *line, struct error *error);

enum child_event {
    CHILD_LINE,     /* *line holds the next line of its output, valid until the next call */
    CHILD_ENDED,    /* its output is closed, or is not read further because of too_long: wait for it */
    CHILD_TIMEOUT,  /* nothing came in time */
    CHILD_INTERRUPT /* *wake became readable first */
};

/* Waits until there is a line, the end, `seconds` have passed (negative: no limit) or descriptor wake (-1: none) is
 * readable. Keeps the end of the child's standard error meanwhile. */
enum child_event child_next(struct child *child, int wake, double seconds, const char **line);

/* Bytes that the child has written and that no line given so far holds. */
size_t child_backlog(const struct child *child);

/* Waits at most `seconds` for the end, then kills with SIGKILL; releases everything but error_tail. False if the process cannot be reaped even so (it hangs in its driver). *wait_status is
 * that of waitpid. */
bool child_finish(struct child *child, double seconds, int *wait_status);

void child_release(struct child *child); /* after child_finish: the text of error_tail too */

/* "ended with exit code 3" or "was killed by SIGSEGV (Segmentation fault)". Returns buffer. */
const char *child_fate(int wait_status, char buffer[96]);

#endif
