// SPDX-License-Identifier: Apache-2.0
/* A folder of a process's own, below TMPDIR. */
#ifndef ORCHIL_BASE_TEMPORARY_FOLDER_H
#define ORCHIL_BASE_TEMPORARY_FOLDER_H

#include <stddef.h>

#include "base/status.h"

/* Makes a new folder "orchil-NAME-......" and writes its path. SYSTEM, and an empty path, if it cannot be made. */
enum status temporary_folder_make(const char *name, char *path, size_t size, struct error *error);

/* Removes it with everything in it; what cannot be removed stays. Empties the path. Nothing to do for an empty path. */
void temporary_folder_remove(char *path);

/*
 * A process that is killed removes nothing. So it holds its folder: as long as the descriptor is open, which the caller
 * closes, the folder is in use. -1 where it cannot be locked: then the folder is left when the process is killed.
 */
int temporary_folder_hold(const char *path);

/* Removes the folders "orchil-NAME-......" of this user whose holders have died. A folder that nobody ever held stays. */
void temporary_folder_sweep(const char *name);

#endif
