// SPDX-License-Identifier: Apache-2.0
/* A folder for drivers that have none to write to: a user without a home, or with one that cannot be written. */
#ifndef ORCHIL_RUNNER_SUPERVISE_DRIVER_FOLDER_H
#define ORCHIL_RUNNER_SUPERVISE_DRIVER_FOLDER_H

#include "base/status.h"

enum { DRIVER_FOLDER_PATH = 4096 };

/* Starts as {0}. */
struct driver_folder {
    char path[DRIVER_FOLDER_PATH]; /* empty: none was made */
};

/* Makes one where a driver of some backend lacks it, and names it to the workers that are started from now on
 * (BACKEND_FOLDER_VARIABLE). Does nothing where an outer one is named. Where it cannot be made, the backend's
 * explain_lacks says what the driver could not write to. */
void driver_folder_open(struct driver_folder *folder);

/* Removes it with what drivers have left in it. */
void driver_folder_close(struct driver_folder *folder);

#endif
