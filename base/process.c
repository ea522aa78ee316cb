// SPDX-License-Identifier: Apache-2.0
/* Starts a process with a pipe for its output, and waits for it. */
#include "base/process.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

bool process_start(int (*body)(const void *context, int output), const void *context, struct process *process)
{
    const pid_t parent = getpid();
    int ends[2];
    *process = (struct process){-1, -1};
    if (pipe2(ends, O_CLOEXEC) != 0)
        return false;
    process->id = fork();
    if (process->id == 0) {
        (void)setpgid(0, 0);
        (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
        _exit(getppid() == parent ? body(context, ends[1]) : 1); /* the parent may have died before prctl */
    }
    const int why = errno;
    (void)close(ends[1]);
    process->output = ends[0];
    if (process->id > 0)
        (void)setpgid(process->id, process->id); /* the first of the two makes the group */
    else {
        (void)close(ends[0]);
        *process = (struct process){-1, -1};
    }
    errno = why;
    return process->id > 0;
}

bool process_has_ended(pid_t id)
{
    siginfo_t info = {.si_pid = 0};
    return waitid(P_PID, (id_t)id, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == id;
}

int process_wait(struct process *process)
{
    int status = 0;
    if (process->output >= 0)
        (void)close(process->output);
    while (waitpid(process->id, &status, 0) < 0 && errno == EINTR)
        ;
    *process = (struct process){-1, -1};
    return status;
}
