// SPDX-License-Identifier: Apache-2.0
/*
 * The store: one SQLite file that keeps every outcome histogram with all that is needed to trust and to repeat it.
 * This is the only room that speaks SQL. The tables are private; the views that docs/reference/database.md describes are the
 * stable interface for other tools.
 *
 * What is promised. A transaction holds whole batches, each with its outcomes and its voids, which add up to its
 * instances (a batch that does not is refused as INTERNAL). When a function returned STATUS_OK, what it stored
 * survives a crash, a kill and, if the disk honours a sync, a power cut. Several processes may write into one file.
 * The file was then where it had been opened: whatever writes fails with STATUS_DATABASE once the file was moved, removed
 * or replaced, or its -wal or -shm was.
 *
 * Ownership: the store copies what it is given. Strings are UTF-8 and never NULL unless the comment says so.
 */
#ifndef ORCHIL_RESULTS_H
#define ORCHIL_RESULTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "base/text.h"
#include "results/calibration/calibration.h"
#include "results/read.h"
#include "results/write.h"

struct store;

enum store_mode {
    STORE_WRITE, /* created where missing */
    STORE_READ   /* must exist */
};

/* Opens path. Refuses, with STATUS_DATABASE and a text that says why: a file that is not a SQLite database, a database of
 * another application, one written by a newer or an older orchil, one with other tables, views, indexes or triggers than
 * orchil's (other views are fine), a folder that cannot be written. For STORE_READ all pages are checked, and damaged ones
 * refused; STORE_WRITE takes the same time whatever the size of the file, and the first and last rows of its tables
 * are checked. */
enum status store_open(const char *path, enum store_mode mode, struct store **store, struct error *error);
void store_close(struct store *store);

/* How the file is kept: "wal"; "delete" where the file system is shared between machines (a write-ahead log is unsafe
 * there, so commits are slower and readers wait for writers); "immutable" for reading in a folder that cannot be
 * written: right only while nobody else writes the file. */
const char *store_journal(const struct store *store);

/* Merging: the runs of one file into another. A run and a job are recognised by their UUIDs, everything else by content
 * (docs/reference/database.md, "Merging"), so merging a file again adds nothing, and merging one that has grown adds what it lacks. */

/* What a merge may leave out; sums and verdicts never depend on it. Bits. */
enum store_leave {
    STORE_LEAVE_KERNELS = 1,  /* kernel texts */
    STORE_LEAVE_BINARIES = 2, /* device code */
    STORE_LEAVE_LOGS = 4,     /* build logs */
    STORE_LEAVE_DRAWS = 8     /* the launch arguments of batches */
};

struct store_merge_options {
    const int64_t *runs; /* ids, in the file that is read, of the runs wanted */
    size_t run_count;    /* 0: all */
    unsigned leave_out;  /* bits of enum store_leave */
    bool unfinished;     /* take runs in state "started" too, as far as they are */
    /* NULL: every run stays a run of its own. Else all become one run of the target, as the shards of a run: its id, or 0
     * for the first that comes, whose id is then set. */
    int64_t *one_run;
    const char *tool_version, *host; /* of this process, for the provenance, as in struct store_run */
};

/* What a merge has done. A file that was merged before has only runs_same. */
struct store_merge_tally {
    uint64_t runs_new, runs_grown, runs_same; /* new to the target; brought up to date; nothing was lacking */
    uint64_t jobs, batches;                   /* that the target did not have */
};

/*
 * Brings the runs of the file from into the store, and leaves the file as it is: each run in one transaction, so that a
 * run is there with all its jobs or not at all, and a merge that was stopped is completed by another. Adds to *tally,
 * also where it fails. Refuses what store_open refuses, the target too as if it was to be read; the store's own file; a run that is not there, a run in state
 * "started" unless such are asked for, and runs that cannot become one (USAGE); a run that does not add up, that
 * has a job with more than STORE_JOB_INSTANCES_MAX instances, or that contradicts what the store holds of the same run
 * (DATABASE).
 */
enum status store_merge(struct store *into, const char *from, const struct store_merge_options *options,
                        struct store_merge_tally *tally, struct error *error);

/* The store's run that one of the wanted runs of a file is, or is a part of; 0 where the store has none of them. Nothing is
 * changed. */
enum status store_merge_find(struct store *into, const char *from, const struct store_merge_options *options,
                             int64_t *run_id, struct error *error);

/* Checks the whole file: SQLite's integrity_check, foreign keys, and that every batch adds up. Appends one line per
 * finding to *findings; nothing for a sound file. */
enum status store_check(struct store *store, struct text *findings, struct error *error);

#endif
