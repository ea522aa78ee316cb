// SPDX-License-Identifier: Apache-2.0
/* Files that are written at once and read at once, and the folders that they are in. */
#ifndef ORCHIL_BASE_WHOLE_FILE_H
#define ORCHIL_BASE_WHOLE_FILE_H

#include <stddef.h>
#include <sys/types.h>

#include "base/status.h"
#include "base/text.h"

/* Writes a file anew, under another name until it is whole: a reader sees the old file or the new one, also after a power
 * cut. SYSTEM, and nothing is left behind, if that fails. */
enum status file_write_whole(const char *path, const char *bytes, size_t size, struct error *error);

/* Appends a regular file of at most `maximum` bytes. UNREADABLE, with the reason, for anything else. */
enum status file_read_whole(const char *path, size_t maximum, struct text *bytes, struct error *error);

/* Makes a folder and those above it that are not there. UNREADABLE, with errno set, where one cannot be made; EEXIST where
 * something else has its name. */
enum status file_make_folders(const char *path, mode_t mode, struct error *error);

#endif
