// SPDX-License-Identifier: Apache-2.0
/* Starts the processes of this program, those that become another program included. Nothing else forks. */
#pragma once

#include <sys/types.h>

#include "base/base.h"

struct process {
    pid_t id;   /* also of the group that it leads; -1: none */
    int output; /* of the pipe that it writes to: the end to read; -1 once closed */
};

/* Starts a process that calls body(context, output) and ends with the exit code that this returns, unless it becomes
 * another program, which closes `output`. It leads a group of its own, and dies with the thread that started it. If
 * this program has other threads, body makes only calls that are safe after a fork. False, with errno, if there is
 * none. */
bool process_start(int (*body)(const void *context, int output), const void *context, struct process *process);

/* Whether it has ended. It stays a zombie, so that its number and its group's are not reused. */
bool process_has_ended(pid_t id);

/* Closes its output and waits for its end; its status, as waitpid sets it. */
int process_wait(struct process *process);
