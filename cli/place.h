// SPDX-License-Identifier: Apache-2.0
/* The place of stored jobs, as a command line names it: a database, runs of it, or a folder of
 * databases. */
#ifndef ORCHIL_CLI_PLACE_H
#define ORCHIL_CLI_PLACE_H

#include "analysis/sides/side.h"
#include "base/arena.h"

/* A database and the selected runs; run_count is 0 for all. */
struct place_file {
    const char *file;
    const int64_t *runs;
    size_t run_count;
};

struct place {
    const char *word; /* as it was given */
    struct place_file *files;
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
enum status place_read(const char *word, const char *usual_file, struct place *place, struct error *error);
void place_release(struct place *place);

/* Is there a regular file of this name that is a database, or is called *.db? */
bool place_is_database(const char *path);

/* Makes a selector for all jobs of each file: place->count of them, owned by the place. */
struct selector *place_select(struct place *place);

/* Reports on standard error which databases of a folder could not be read, and why. Returns their
 * number. */
size_t place_tell_unread(const char *verb, const struct side *side);

#endif
