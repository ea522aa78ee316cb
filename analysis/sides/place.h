// SPDX-License-Identifier: Apache-2.0
/* The place of stored jobs, as a command line names it: a database, runs of it, or a folder of
 * databases. */
#ifndef ORCHIL_ANALYSIS_SIDES_PLACE_H
#define ORCHIL_ANALYSIS_SIDES_PLACE_H

#include "analysis/sides/side.h"
#include "base/arena.h"

/* A database and the selected runs; run_count is 0 for all. */
struct stored_place_file {
    const char *file;
    const int64_t *runs;
    size_t run_count;
};

struct stored_place {
    const char *word; /* as it was given */
    struct stored_place_file *files;
    size_t count; /* 1 or more */
    bool is_folder;
    struct arena arena;
};

/*
 * Reads a word:
 *
 *   FILE          a database; a file of exactly this name comes before the other meanings
 *   FOLDER        its databases and files *.db, in order of their names; other files in it, hidden ones and folders are
 *                 passed over
 *   FILE:3        a run of it; FILE:3,5 or FILE:3-5 for several
 *   3, 3,5, 3-5   of usual_file, where that is not NULL
 *
 * UNREADABLE for a folder that cannot be read; USAGE for one without a database, and for malformed
 * runs (3-1). Does not check that files exist. The caller calls place_release, also after an error.
 */
enum status stored_place_read(const char *word, const char *usual_file, struct stored_place *place,
                              struct error *error);
void stored_place_release(struct stored_place *place);

/* Does a file begin as every database does? */
bool stored_place_starts_database(const char *path);

/* Is there a regular file of this name that is a database, or is called *.db? */
bool stored_place_is_database(const char *path);

/* Makes a selector for all jobs of each file: place->count of them, owned by the place. */
struct selector *stored_place_select(struct stored_place *place);

#endif
