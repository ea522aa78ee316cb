// SPDX-License-Identifier: Apache-2.0
/* One process at a time works on a run. Private to this folder. */
#ifndef ORCHIL_RUNNER_RUN_RUN_HOLD_H
#define ORCHIL_RUNNER_RUN_RUN_HOLD_H

#include <stdint.h>

#include "base/status.h"

/* A run that this process works on; zeros: none. */
struct run_hold {
    char *path; /* of the lock file; NULL: none */
    int descriptor;
};

/*
 * Takes a run of the database for this process, until run_let_go or the end of the process, however it ends; workers do not
 * inherit it. It is a lock on the file DATABASE-run-ID (fcntl(2), F_OFD_SETLK), so it holds between containers and between
 * machines that share the folder and whose file system has locks. Only those who may write the database can open that
 * file. USAGE where another process has the run, with its number and its machine; DATABASE where the file cannot be made.
 * On a file system without locks nothing is guarded.
 */
enum status run_hold(const char *database, int64_t run_id, struct run_hold *hold, struct error *error);

/* Gives it back and removes the lock file. Zeros are fine. */
void run_let_go(struct run_hold *hold);

#endif
