// SPDX-License-Identifier: Apache-2.0
/* Writing a page to a file. Private to this folder. */
#ifndef ORCHIL_CLI_PAGE_FILE_H
#define ORCHIL_CLI_PAGE_FILE_H

#include "base/status.h"
#include "base/text.h"

/* Writes the text as the file path, or to standard output where path is "-". A file that is there is replaced at once and
 * whole: its reader never finds half a page, and where writing fails the old one stays. UNREADABLE where it cannot be
 * written, MEMORY where the text has failed. */
enum status page_file_write(const char *path, const struct text *text, struct error *error);

#endif
