// SPDX-License-Identifier: Apache-2.0
/* The open store, and this room's interface to SQLite: prepared statements with typed bindings, immediate transactions,
 * and the one place that turns SQLite's codes into a status and a text. */
#pragma once

#include <sqlite3.h>
#include <sys/types.h>

#include "base/temporary_folder.h"
#include "results/results.h"

/* The files of a store; see below why they are watched. */
enum presence { PRESENCE_DATABASE, PRESENCE_LOG, PRESENCE_INDEX, PRESENCE_FILES };

struct presence_file {
    char *name; /* absolute; NULL: not watched */
    dev_t device;
    ino_t inode;
};

/* The instances of a job that is being written. */
struct store_sum {
    int64_t job_id; /* 0: the entry is free */
    uint64_t instances;
};

struct store {
    sqlite3 *db;
    char *path; /* as the caller wrote it, for messages */
    bool writable;
    bool resumes;                   /* opened as STORE_RESUME */
    struct temporary_folder folder; /* with a copy, which is read in place of a file of an older version */
    const char *journal;            /* "wal" or "delete"; "immutable" if the file is in a read-only folder */
    int failure;                    /* SQLite's extended result code of the last failure; 0: none */
    char doing[160];                /* the work in progress, as a noun phrase: "storing batches 3 to 5 of job 7" */
    const void *reader;             /* the cursor that set it, or NULL */
    struct presence_file files[PRESENCE_FILES];
    bool joined;            /* between store_join and store_joined */
    bool judged_again;      /* temporary tables and views hide those of the file, see results/write.c */
    bool expected_pages;    /* quick_check has read the whole file */
    struct store_sum *sums; /* of jobs that are being written, see results/write.c */
    size_t sum_count;
    struct arena arena; /* of changes and sums */
    struct store_change *changes;
    size_t change_count;
};

enum { STORE_BUSY_SECONDS = 10 }; /* how long a statement waits for another process */

/* Sets what the following calls are for; the text of every failure names it. */
void sql_doing(struct store *store, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Fills *error for SQLite's result code, with the file, the work in progress, the cause and what helps. */
enum status sql_fail(struct store *store, int code, struct error *error);

/* Fills *error for a file that SQLite reports as damaged; finding, its own words, becomes the detail. If the disk has
 * failed to read the file since it was opened, the error names the disk. */
enum status sql_damaged(const struct store *store, const char *finding, struct error *error);

/* Binds and starts a statement. types has a letter for each argument: t const char *, i int64_t, u uint64_t (stored as
 * the int64_t with the same bits), d double. Texts must live until sql_done. Statements stay prepared in the
 * connection, so repeating one is cheap. */
enum status sql_open(struct store *store, sqlite3_stmt **statement, struct error *error, const char *sql,
                     const char *types, ...);

/* The rows of a statement, for a loop: `while (sql_row(&rows))`, with columns of rows.statement, then sql_end_rows.
 * Arguments as for sql_open. */
struct sql_rows {
    struct store *store;
    struct error *error;
    sqlite3_stmt *statement;
    enum status status; /* of the first failure; a caller that sets another than STATUS_OK gets no more rows */
};

struct sql_rows sql_rows(struct store *store, struct error *error, const char *sql, const char *types, ...);
bool sql_row(struct sql_rows *rows);
enum status sql_end_rows(struct sql_rows *rows);

/* Advances a statement; *row: whether there is a row. */
enum status sql_next(struct store *store, sqlite3_stmt *statement, bool *row, struct error *error);

/* Finalizes all statements of the connection, which can then be closed. */
void sql_finalize(struct store *store);

/* Ends the use of a statement; NULL is allowed. */
void sql_done(sqlite3_stmt *statement);

/* Runs one statement. value receives the first column of the first row, or 0 if there is none; id the id of the row
 * that it inserts. Both may be NULL. With why: INTERNAL for that reason if it has found no row, or the id 0. */
enum status sql_run(struct store *store, int64_t *value, int64_t *id, const char *why, struct error *error,
                    const char *sql, const char *types, ...);
#define sql_do(store, value, error, ...) sql_run(store, value, NULL, NULL, error, __VA_ARGS__)
#define sql_add(store, id, error, ...) sql_run(store, NULL, id, NULL, error, __VA_ARGS__)
#define sql_expect(store, error, why, ...) sql_run(store, NULL, NULL, why, error, __VA_ARGS__)

/* The id of the row of a table whose columns ("uuid, name") have these values; the row is stored if there is none. */
enum status sql_keep(struct store *store, int64_t *id, struct error *error, const char *table, const char *columns,
                     const char *types, ...);

/* INTERNAL: the work in progress cannot be done as the caller asks. The text after "failed: " is from the format. */
enum status sql_refuse(const struct store *store, struct error *error, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Refuses a text that is not JSON; name is for the message. This is not a CHECK because a schema may not call SQLite
 * 3.40's JSON functions while trusted_schema is off. */
enum status sql_expect_json(struct store *store, const char *name, const char *text, struct error *error);

/* A text column, never NULL. */
const char *sql_text(sqlite3_stmt *statement, int column);

/* BEGIN IMMEDIATE: takes the write lock before anything is read, so that two writers queue and never fail. Fails if a
 * file of the store was moved or removed. */
enum status sql_begin(struct store *store, struct error *error);

/* Commits if status is STATUS_OK, else rolls back; returns the result. A commit to a file that is not where it was
 * opened is a failure, because its data would be lost. */
enum status sql_end(struct store *store, enum status status, struct error *error);

/* The status of an expression that is evaluated between the two. */
#define SQL_TRANSACTION(store, error, ...)                                                                             \
    ({                                                                                                                 \
        const enum status sql_status = sql_begin(store, error);                                                        \
        sql_status == STATUS_OK ? sql_end(store, (__VA_ARGS__), error) : sql_status;                                   \
    })

/* ---- presence: whether the files of an open store are still where they were opened ----
 * A file that was moved or removed can still be written through its descriptor, so SQLite reports success while the
 * data is lost. */

/* Notes which file is at the store's path, just after SQLite opened it. DATABASE if it is already gone. */
enum status presence_note_database(struct store *store, struct error *error);

/* Notes which files are the write-ahead log and its index, if the store has them. SQLite must have opened them, and
 * does not replace them while the store is open. DATABASE if one is already gone. */
enum status presence_note_log(struct store *store, struct error *error);

/* Forgets the noted files. */
void presence_release(struct store *store);

/* ---- facts about the file system that the store is on ---- */

/* Whether a file system of this kind (f_type of statfs(2)) may be shared between machines. SQLite's write-ahead log
 * needs memory shared by all processes that open the file, which such file systems do not provide
 * (sqlite.org/wal.html). */
bool filesystem_shared(unsigned long type);

/* The same for the file system that holds path. True if that cannot be determined: the slower journal is always
 * correct. */
bool filesystem_holds_shared(const char *path);

/* Gives the connection a sum() that stops at the largest integer, where SQLite's own fails with "integer overflow", so
 * that the views can be read whatever a file holds; it takes only integers, as all sums of the schema do. And
 * sha256(text). */
enum status functions_install(struct store *store, struct error *error);

/* ---- opening, with the choice of the journal left to the caller, so that tests cover both journals ---- */

/* Whether the file is on a file system shared between machines. */
typedef bool open_shared(const char *path);

/* Appends the name of a file as a URI for SQLite. parameters: the part after '?'. */
void open_add_uri(struct text *uri, const char *path, const char *parameters);

/* As store_open, but `shared` answers for the file system. */
enum status open_store(const char *path, enum store_mode mode, open_shared *shared, struct store **store,
                       struct error *error);
