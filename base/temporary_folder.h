// SPDX-License-Identifier: Apache-2.0
/* A private folder of a process, below TMPDIR. */
#ifndef ORCHIL_BASE_TEMPORARY_FOLDER_H
#define ORCHIL_BASE_TEMPORARY_FOLDER_H

#include <stddef.h>

#include "base/status.h"

/* Makes a new folder "orchil-NAME-......" and writes its path. SYSTEM, and an empty path, if it
 * cannot be made. */
enum status temporary_folder_make(const char *name, char *path, size_t size, struct error *error);

/* Removes the folder with its contents; anything that cannot be removed stays. Empties the path.
 * An empty path is a no-op. */
void temporary_folder_remove(char *path);

/*
 * A process that is killed removes nothing, so it locks its folder: the folder is in use as long as
 * the descriptor is open. The caller closes it. -1 if it cannot be locked: then the folder stays
 * when the process is killed.
 */
int temporary_folder_lock(const char *path);

/* Removes the folders "orchil-NAME-......" of this user whose owners have died. A folder that
 * was never locked stays. */
void temporary_folder_sweep(const char *name);

#endif
