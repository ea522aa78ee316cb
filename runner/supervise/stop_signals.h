// SPDX-License-Identifier: Apache-2.0
/* The signals that stop a run, read from a descriptor. */
#pragma once

#include "base/base.h"

/* The stop signals of a user. The first lets the current batch end, the second does not. */
struct stop_signals {
    int descriptor; /* non-blocking: a signalfd, or a follower of one; -1: no signals */
    unsigned count; /* signals read so far */
    int first;      /* number of the first, or 0 */
};

/* From now on SIGINT and SIGTERM are only read here and do not end the process. */
enum status stop_signals_catch(struct stop_signals *stop, struct error *error);

/* Reads the pending signals. */
void stop_signals_read(struct stop_signals *stop);

/* Reads them and returns whether any has come so far: for struct judge_options, with the stop_signals as context. */
bool stop_signals_came(void *stop);

/* From now on SIGINT and SIGTERM end the process again, including one that is pending. */
void stop_signals_forget(void);

/* For another thread: *stop then reads the signals that stop_signals_pass writes to *writer, which the caller
 * closes. */
enum status stop_signals_follow(struct stop_signals *stop, int *writer, struct error *error);

/* Passes a signal read from stop to a follower. */
void stop_signals_pass(const struct stop_signals *stop, int writer);

/* Closes the descriptor. The signals of stop_signals_catch stay blocked. */
void stop_signals_release(struct stop_signals *stop);
