// SPDX-License-Identifier: Apache-2.0
/* A private folder of a process, below TMPDIR. */
#pragma once

#include "base/base.h"

enum { TEMPORARY_FOLDER_PATH = 4096 };

/* A folder "orchil-NAME-......" that does not outlive its process for long: it is locked until it is closed, and after
 * a process was killed, whichever opens a folder next removes it. Starts as {0}. */
struct temporary_folder {
    char path[TEMPORARY_FOLDER_PATH]; /* empty: none */
    int hold;                         /* the lock, if there is a path */
};

/* Makes a new folder, and removes those of this user whose processes have died, whatever their names. Folders that are
 * not this user's, that are links or that were never locked stay. SYSTEM if the folder cannot be made. */
enum status temporary_folder_open(const char *name, struct temporary_folder *folder, struct error *error);

/* Removes the folder with its contents; anything that cannot be removed stays. Does nothing without one. */
void temporary_folder_close(struct temporary_folder *folder);

/* Makes a folder that is not locked, and writes its path. SYSTEM, and an empty path, if it cannot be made. */
enum status temporary_folder_make(const char *name, char *path, size_t size, struct error *error);

/* Removes such a folder with its contents. Empties the path. An empty path is a no-op. */
void temporary_folder_remove(char *path);
