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

#endif
