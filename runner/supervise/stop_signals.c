// SPDX-License-Identifier: Apache-2.0
/* Reading the signals that stop a run. */
#include "runner/supervise/stop_signals.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/signalfd.h>

enum status stop_signals_catch(struct stop_signals *stop, struct error *error)
{
    sigset_t set;
    (void)sigemptyset(&set);
    (void)sigaddset(&set, SIGINT);
    (void)sigaddset(&set, SIGTERM);
    if (sigprocmask(SIG_BLOCK, &set, NULL) != 0 ||
        (stop->descriptor = signalfd(-1, &set, SFD_NONBLOCK | SFD_CLOEXEC)) < 0)
        return error_set(error, STATUS_SYSTEM, "cannot catch signals: %s", strerror(errno));
    return STATUS_OK;
}

void stop_signals_read(struct stop_signals *stop)
{
    struct signalfd_siginfo info;
    while (stop->descriptor >= 0 && read(stop->descriptor, &info, sizeof info) == (ssize_t)sizeof info)
        if (stop->count++ == 0)
            stop->first = (int)info.ssi_signo;
}

bool stop_signals_came(void *stop)
{
    struct stop_signals *signals = stop;
    stop_signals_read(signals);
    return signals->count > 0;
}

void stop_signals_forget(void)
{
    sigset_t set;
    (void)sigemptyset(&set);
    (void)sigaddset(&set, SIGINT);
    (void)sigaddset(&set, SIGTERM);
    (void)sigprocmask(SIG_UNBLOCK, &set, NULL);
}

enum status stop_signals_follow(struct stop_signals *stop, int *writer, struct error *error)
{
    int ends[2];
    if (pipe2(ends, O_CLOEXEC | O_NONBLOCK) != 0)
        return error_set(error, STATUS_SYSTEM, "cannot make a pipe for signals: %s", strerror(errno));
    *stop = (struct stop_signals){.descriptor = ends[0]};
    *writer = ends[1];
    return STATUS_OK;
}

void stop_signals_pass(const struct stop_signals *stop, int writer)
{
    /* In a signalfd's format, so that a follower is read the same way. A pipe that is already full needs no further
     * signal. */
    const struct signalfd_siginfo info = {.ssi_signo = (uint32_t)stop->first};
    (void)!write(writer, &info, sizeof info);
}

void stop_signals_release(struct stop_signals *stop)
{
    if (stop->descriptor >= 0)
        (void)close(stop->descriptor);
    stop->descriptor = -1;
}
