// SPDX-License-Identifier: Apache-2.0
/*
 * The open store and the few ways in which this room talks to SQLite: prepared statements with typed bindings,
 * immediate transactions, and the one place that turns SQLite's codes into a status and a text. Private to results/.
 */
#ifndef ORCHIL_RESULTS_SQL_H
#define ORCHIL_RESULTS_SQL_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/arena.h"
#include "base/status.h"

/* The files of a store; results/presence.h says why they are watched. */
enum presence { PRESENCE_DATABASE, PRESENCE_LOG, PRESENCE_INDEX, PRESENCE_FILES };

struct presence_file {
    char *name; /* absolute; NULL: not watched */
    dev_t device;
    ino_t inode;
};

/* How many instances a job has that is being written. */
struct store_sum {
    int64_t job_id; /* 0: the place is free */
    uint64_t instances;
};

struct store {
    sqlite3 *db;
    char *path; /* as the caller wrote it, for messages */
    bool writable;
    const char *journal; /* "wal" or "delete"; "immutable" where a read-only folder holds the file */
    int failure;         /* SQLite's extended result code of the last failure, 0 before any */
    char doing[160];     /* what is under way, as a noun phrase: "storing batches 3 to 5 of job 7" */
    const void *reader;  /* the cursor that said so; NULL where it was none */
    struct presence_file files[PRESENCE_FILES];
    bool judged_again;      /* temporary tables and views hide the file's, see results/judgements.c */
    bool expected_pages;    /* quick_check has read the whole file */
    struct store_sum *sums; /* of the jobs that get batches, see results/sums.h */
    size_t sum_count;
    struct arena arena; /* of changes and sums */
    struct store_change *changes;
    size_t change_count;
};

enum { STORE_BUSY_SECONDS = 10 }; /* how long a statement waits for another process */

/* Says what the following calls are for; every failure's text names it. */
void sql_doing(struct store *store, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Fills *error for SQLite's result code, with the file, what was being done, the cause and what helps. */
enum status sql_fail(struct store *store, int code, struct error *error);

/* Fills *error for a file that SQLite condemns; finding, its own words, becomes the detail. Where the disk failed to read
 * something since the file was opened, the disk is to blame. */
enum status sql_damaged(const struct store *store, const char *finding, struct error *error);

/*
 * Binds and starts a statement. types has a letter per argument: t const char *, i int64_t, u uint64_t (kept as the
 * int64_t with the same bits), d double. Texts must live until sql_done. Statements are kept prepared in the
 * connection, so asking twice costs once.
 */
enum status sql_open(struct store *store, sqlite3_stmt **statement, struct error *error, const char *sql,
                     const char *types, ...);

/* Advances a statement; *row: whether there is one. */
enum status sql_next(struct store *store, sqlite3_stmt *statement, bool *row, struct error *error);

/* Ends all statements of the connection, which then can be closed. */
void sql_finalize(struct store *store);

/* Ends the use of a statement; NULL is fine. */
void sql_done(sqlite3_stmt *statement);

/* Runs one statement. Where value is not NULL, it gets the first column of the first row, or 0 if there was none. */
enum status sql_do(struct store *store, int64_t *value, struct error *error, const char *sql, const char *types, ...);

/* The id of the row of a table whose columns ("uuid, name") have these values; the row is stored now unless it was before. */
enum status sql_keep(struct store *store, int64_t *id, struct error *error, const char *table, const char *columns,
                     const char *types, ...);

/* Refuses a text that is not JSON, under its name. Asked here and not by a CHECK: SQLite 3.40 counts its JSON functions
 * among those that a schema may not call while trusted_schema is off. */
enum status sql_expect_json(struct store *store, const char *name, const char *text, struct error *error);

/* A text column, never NULL. */
const char *sql_text(sqlite3_stmt *statement, int column);

/* BEGIN IMMEDIATE: the write lock is taken before anything is read, so that two writers queue and never fail. Fails where
 * a file of the store was moved or removed. */
enum status sql_begin(struct store *store, struct error *error);

/* Commits if status is STATUS_OK, else rolls back; returns how it ended. A commit to a file that is not where it was
 * opened is a failure: it would be lost. */
enum status sql_end(struct store *store, enum status status, struct error *error);

#endif
