// SPDX-License-Identifier: Apache-2.0
/* No output is written over a database. */
#include "cli/output_path.h"

#include <stdbool.h>
#include <string.h>

#include "base/whole_file.h"

/* The first bytes of every database (SQLite's file format, 1.3.1), with the NUL. */
static const char magic[16] = "SQLite format 3";

static bool is_database(const char *path)
{
    char start[sizeof magic + 1];
    return file_read_start(path, start, sizeof start) == sizeof magic && memcmp(start, magic, sizeof magic) == 0;
}

enum status output_path_check(const char *option, const char *path, const char *database, struct error *error)
{
    if ((database && strcmp(path, database) == 0) || is_database(path))
        return error_set(error, STATUS_USAGE, "--%s: '%s' is a database and would be overwritten: choose another file",
                         option, path);
    return STATUS_OK;
}
