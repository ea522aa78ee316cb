// SPDX-License-Identifier: Apache-2.0
/*
 * The files of one command line, compared with each other before anything runs: what one option writes must not be what
 * another reads or writes.
 */
#ifndef ORCHIL_CLI_OPTION_FILES_H
#define ORCHIL_CLI_OPTION_FILES_H

#include "base/status.h"
#include "cli/options.h"

/* The value of an option whose row has a kind of file. */
struct option_value {
    const struct option_row *row;
    const char *value;
};

struct option_files {
    struct option_value *list; /* with the default values of options that were not given */
    size_t count;
    struct verb_arguments arguments; /* of the verb: files that are read, if they are files */
    bool json;                       /* standard output is taken by --json */
};

/* Adds a value. The last value of an option that is a text replaces the one before. The list has room for it. */
void option_files_add(struct option_files *files, const struct option_row *row, const char *value);

/*
 * USAGE, with both options named, if
 * - an output is the same file as another output, a database that is written, an input or an argument, by any path, or is
 *   a file that SQLite keeps beside a database;
 * - an output is a database, which would be overwritten, or is a file that this process's standard streams go to;
 * - two outputs go to standard output, or one and --json.
 * Devices and pipes may be named repeatedly, and a file that only adds to another's or replaces it (see .replaces).
 */
enum status option_files_check(const struct option_files *files, struct error *error);

#endif
