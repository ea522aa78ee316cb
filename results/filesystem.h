// SPDX-License-Identifier: Apache-2.0
/* Facts about the file system that the store is on. */
#ifndef ORCHIL_RESULTS_FILESYSTEM_H
#define ORCHIL_RESULTS_FILESYSTEM_H

#include <stdbool.h>

enum { FILESYSTEM_ROOM_SIZE = 64 };

/* Whether a file system of this kind (f_type of statfs(2)) may be shared between machines. SQLite's
 * write-ahead log needs memory shared by all processes that open the file, which such file systems
 * do not provide (sqlite.org/wal.html). */
bool filesystem_shared(unsigned long type);

/* The same for the file system that holds path. True if that cannot be determined: the slower
 * journal is always correct. */
bool filesystem_holds_shared(const char *path);

/* "12 MiB are free there", or that the free space is unknown. Returns buffer. */
const char *filesystem_room(const char *path, char buffer[FILESYSTEM_ROOM_SIZE]);

#endif
