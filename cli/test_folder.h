// SPDX-License-Identifier: Apache-2.0
/* A folder of generated tests: DIR/FAMILY/DIALECT/NAME.litmus, and the index DIR/@all. */
#ifndef ORCHIL_CLI_TEST_FOLDER_H
#define ORCHIL_CLI_TEST_FOLDER_H

#include "base/arena.h"
#include "litmus/litmus.h"

struct test_folder {
    const char *path;
    bool force; /* overwrite files with other content */
    struct arena arena;
    const char **listed; /* the lines of the index */
    size_t listed_count;
    size_t written, kept; /* kept: files that already had this content */
};

/* Creates the folder. UNREADABLE or SYSTEM, as for file_writer_open, if it cannot be created or
 * written to. Then the caller calls test_folder_close, whatever happens. path must live until
 * then. A process that is killed leaves the index as it was. */
enum status test_folder_open(const char *path, bool force, struct test_folder *folder, struct error *error);

/* Writes one test and its line of the index. USAGE for an existing file with other content that
 * must not be overwritten. */
enum status test_folder_add(struct test_folder *folder, const char *family, const struct litmus_test *test,
                            struct error *error);

/* Puts the index in place; if not `complete`, keeps the existing one. */
enum status test_folder_close(struct test_folder *folder, bool complete, struct error *error);

#endif
