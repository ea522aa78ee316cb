// SPDX-License-Identifier: Apache-2.0
/* A folder for drivers that have none to write to, because the user has no home folder or cannot
 * write it. */
#ifndef ORCHIL_RUNNER_SUPERVISE_DRIVER_FOLDER_H
#define ORCHIL_RUNNER_SUPERVISE_DRIVER_FOLDER_H

#include "base/temporary_folder.h"

/* Makes a folder if a backend's driver lacks one, and names it to the workers started from now on
 * (BACKEND_FOLDER_VARIABLE). Does nothing if that variable is already set. If the folder cannot be
 * made, the backend's explain_lacks says where the driver could not write. */
void driver_folder_open(struct temporary_folder *folder);

/* Removes the folder with its content. */
void driver_folder_close(struct temporary_folder *folder);

#endif
