// SPDX-License-Identifier: Apache-2.0
/* A lock that lets one process at a time work on a run. */
#pragma once

#include "base/base.h"

/* The lock of a run that this process works on; zeros: none. */
struct resume_lock {
    char *path; /* of the lock file; NULL: none */
    int descriptor;
};

/* Takes a run of the database for this process, until resume_lock_release or the end of the process; workers do not
 * inherit it. It is a lock on the file DATABASE-run-ID (fcntl(2), F_OFD_SETLK), so it works between containers, and
 * between machines that share the folder if the file system has locks; without locks it guards nothing. Only users who
 * may write the database can open the file. USAGE if another process has the run, with its number and its machine;
 * DATABASE if the file cannot be made. */
enum status resume_lock_take(const char *database, int64_t run_id, struct resume_lock *hold, struct error *error);

/* Releases the lock and removes its file. Zeros are fine. */
void resume_lock_release(struct resume_lock *hold);
