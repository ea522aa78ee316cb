// SPDX-License-Identifier: Apache-2.0
/* Child processes of the supervisor: this binary, started with other arguments, with pipes for its three standard
 * streams. A child dies with its parent. */
#pragma once

#include <sys/types.h>

#include "base/base.h"

enum {
    CHILD_STDERR_KEPT = 64 * 1024,         /* bytes kept of the end of standard error */
    CHILD_LINE_MAXIMUM = 16 * 1024 * 1024, /* bytes of a line of its output */
    CHILD_READ_AHEAD = 1024 * 1024         /* bytes of one read beyond the line that it completes */
};

struct child {
    pid_t pid;
    int input, output, errors; /* our ends; -1 once closed */
    struct text received;      /* of its output: read and not dropped yet */
    size_t taken;              /* bytes of it in lines already given */
    size_t searched;           /* bytes of it in which no further line ends */
    size_t line_size;          /* bytes of the last line given, which may hold NULs */
    bool too_long;             /* its output was closed because of a line over the maximum */
    bool stopped;              /* child_finish had to end it */
    struct text error_tail;    /* the end of its standard error */
};

/* Starts /proc/self/exe with the arguments (NULL-terminated; the first is argv[0]) in its own process group. The child
 * ignores SIGTERM and SIGINT, and dies with this process. */
enum status child_start(struct child *child, char *const *arguments, struct error *error);

/* Writes a line (a newline is added). SYSTEM if the child no longer reads. */
enum status child_send(struct child *child, const char *line, struct error *error);

enum child_event {
    CHILD_LINE,     /* *line holds the next line of its output, valid until the next call */
    CHILD_ENDED,    /* its output is closed, or too_long: wait for the child */
    CHILD_TIMEOUT,  /* nothing came in time */
    CHILD_INTERRUPT /* *wake became readable first */
};

/* Waits for a line, for the end, for `seconds` (negative: no limit), or until descriptor wake (-1: none) is readable.
 * Keeps the end of the child's standard error meanwhile. */
enum child_event child_next(struct child *child, int wake, double seconds, const char **line);

/* Bytes that the child has written beyond the lines given so far. */
size_t child_backlog(const struct child *child);

/* Waits at most `seconds` for the child to end, then kills it with SIGKILL; releases everything except error_tail.
 * False if the process still cannot be reaped (it hangs in its driver).
 * *wait_status is as waitpid sets it. */
bool child_finish(struct child *child, double seconds, int *wait_status);

void child_release(struct child *child); /* after child_finish: releases error_tail */

/* "ended with exit code 3" or "was killed by SIGSEGV (Segmentation fault)". Returns buffer. */
const char *child_fate(int wait_status, char buffer[96]);
