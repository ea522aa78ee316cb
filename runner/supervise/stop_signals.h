// SPDX-License-Identifier: Apache-2.0
/* The signals by which a user stops a run, read like a file. */
#ifndef ORCHIL_RUNNER_SUPERVISE_STOP_SIGNALS_H
#define ORCHIL_RUNNER_SUPERVISE_STOP_SIGNALS_H

#include <stdbool.h>

#include "base/status.h"

/* The user's wish to stop. The first signal lets the present batch end, the second does not. */
struct stop_signals {
    int descriptor; /* non-blocking: a signalfd, or what follows one; -1: there will be none */
    unsigned count; /* signals read so far */
    int first;      /* number of the first, or 0 */
};

/* From now on SIGINT and SIGTERM are the user's wish to stop, and end nothing by themselves. */
enum status stop_signals_catch(struct stop_signals *stop, struct error *error);

/* Reads what signals there are. */
void stop_signals_read(struct stop_signals *stop);

/* Reads them, and says whether there was any by now: for struct judge_options, whose context is then the
 * stop_signals. */
bool stop_signals_came(void *stop);

/* From now on SIGINT and SIGTERM end the process again, one that came meanwhile too. */
void stop_signals_forget(void);

/* For another thread: *stop reads what stop_signals_pass writes to *writer, which the caller closes. */
enum status stop_signals_follow(struct stop_signals *stop, int *writer, struct error *error);

/* Passes a signal that was read from stop on to a follower. */
void stop_signals_pass(const struct stop_signals *stop, int writer);

/* Closes the descriptor. The signals of stop_signals_catch stay blocked. */
void stop_signals_release(struct stop_signals *stop);

#endif
