// SPDX-License-Identifier: Apache-2.0
/*
 * The store: one SQLite file that keeps every outcome histogram, with everything needed to trust
 * and to repeat it. This is the only room that uses SQL. The tables are private; the views
 * described in docs/reference/database.md are the stable interface for other tools.
 *
 * Guarantees. A transaction holds whole batches, each with its outcomes and its voids, which add up
 * to its instances (a batch that does not is refused as INTERNAL). Once a function has returned
 * STATUS_OK, its data survives a crash, a kill and, if the disk honours a sync, a power cut; and
 * the file was still where it had been opened. If the file, its -wal or its -shm has been moved,
 * removed or replaced, every function that writes fails with STATUS_DATABASE. Several processes may
 * write to one file.
 *
 * Ownership: the store copies its arguments. Strings are UTF-8 and never NULL unless the comment
 * says so.
 */
#ifndef ORCHIL_RESULTS_H
#define ORCHIL_RESULTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"
#include "base/text.h"
#include "results/read.h"
#include "results/write.h"

/*
 * The texts of a database, for a copy that is to be shared: each text column of the schema, with the kind of its texts.
 */

struct store;

enum store_mode {
    STORE_WRITE, /* created if missing */
    STORE_READ   /* must exist */
};

/* Opens path. Refuses, with a text that says why, and UNREADABLE: a file that is missing, cannot be
 * read, is not a SQLite database, a database of another application, or one written by a newer or
 * older orchil, and a folder that cannot be written to; with DATABASE: a file with other tables,
 * views, indexes or triggers than orchil's (additional views are allowed). STORE_READ checks all pages, and refuses a file with damaged ones;
 * STORE_WRITE takes the same time whatever the size of the file, and checks the first and last rows
 * of its tables. */
enum status store_open(const char *path, enum store_mode mode, struct store **store, struct error *error);
void store_close(struct store *store);

/* The journal of the file: "wal"; "delete" if the file system is shared between machines (a
 * write-ahead log is unsafe there, so commits are slower and readers wait for writers); "immutable"
 * for reading in a folder that cannot be written to, which is correct only while nobody else writes
 * to the file. */
const char *store_journal(const struct store *store);

/* Merging: the runs of one file into another. Runs and jobs are identified by their UUIDs,
 * everything else by content (docs/reference/database.md, "Merging"). So merging a file twice is a
 * no-op, and merging a file that has grown adds only what is new. */

/* Parts that a merge may leave out, as bits; sums and verdicts never depend on them. */
enum store_leave {
    STORE_LEAVE_KERNELS = 1,  /* kernel texts */
    STORE_LEAVE_BINARIES = 2, /* device code */
    STORE_LEAVE_LOGS = 4,     /* build logs */
    STORE_LEAVE_DRAWS = 8     /* the launch arguments of batches */
};

struct store_merge_options {
    const int64_t *runs; /* ids of the wanted runs, in the source file */
    size_t run_count;    /* 0: all */
    unsigned leave_out;  /* bits of enum store_leave */
    bool unfinished;     /* also merge runs in state "started", as far as they have got */
    /* NULL: each run stays a separate run. Otherwise all runs are shards of one run of the target, and this is that run's
     * id. If it is 0, the first run that is merged becomes that run, and its id is stored here. */
    int64_t *one_run;
    const char *tool_version, *host; /* of this process, recorded as provenance, as in struct store_run */
};

/* The result of a merge. For a file that was merged before, only runs_same counts. */
struct store_merge_tally {
    uint64_t runs_new, runs_grown, runs_same; /* new to the target; updated; already complete */
    uint64_t jobs, batches;                   /* new to the target */
};

/*
 * Merges the runs of the file `from` into the store. The file is not changed. Each run is merged in
 * one transaction, so a run is there with all its jobs or not at all, and a merge that was stopped
 * can be completed by another. Adds to *tally, even if it fails. Refuses:
 *   - what store_open refuses; the target is checked like a store opened for reading;
 *   - the store's own file, a run that does not exist, a run in state "started" unless
 *     options->unfinished is set, and runs that cannot become one run (USAGE);
 *   - a run that does not add up, has a job with more than STORE_JOB_INSTANCES_MAX instances, or
 *     contradicts what the store holds of the same run (DATABASE).
 */
enum status store_merge(struct store *into, const char *from, const struct store_merge_options *options,
                        struct store_merge_tally *tally, struct error *error);

/* The store's run that one of the wanted runs of a file is, or is a part of; 0 if the store has
 * none of them. Changes nothing. */
enum status store_merge_find(struct store *into, const char *from, const struct store_merge_options *options,
                             int64_t *run_id, struct error *error);

/* Checks the whole file: SQLite's integrity_check, foreign keys, and that every batch adds up.
 * Appends one line per finding to *findings; nothing for a sound file. */
enum status store_check(struct store *store, struct text *findings, struct error *error);

struct store;

/* What a text is, and so how names in it are found. */
enum store_text {
    STORE_TEXT_FIXED, /* a test, a label, a hash, a time, JSON of numbers: other rows depend on it, so it cannot change */
    STORE_TEXT_WORDS,     /* written by a driver, a compiler, a system or orchil */
    STORE_TEXT_NAME,      /* a name, or the path of a file in its place */
    STORE_TEXT_COMMAND,   /* a command line, quoted for a shell */
    STORE_TEXT_HOST,      /* "NAME, SYSTEM RELEASE, MACHINE" */
    STORE_TEXT_VARIABLES, /* a JSON object: names of variables and their values */
    STORE_TEXT_PLACE      /* the path of a file */
};

/* Receives a text, and changes it or not. place: "job.reason", for messages. */
typedef enum status store_text_visitor(enum store_text kind, const char *place, struct text *text, void *data,
                                       struct error *error);

/* Calls visit once for each distinct text of each text column, and stores the texts that it changed, all in one transaction.
 * The tables of plans are left out. Changing a FIXED text is an INTERNAL error. */
enum status store_visit_texts(struct store *store, store_text_visitor *visit, void *data, struct error *error);

/* Forgets all merges of each run but the last. */
enum status store_forget_merges(struct store *store, struct error *error);

/* Writes the database as a new file without free pages, so that nothing that was deleted or changed is in it. */
enum status store_save(struct store *store, const char *path, struct error *error);

#endif
