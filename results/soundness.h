// SPDX-License-Identifier: Apache-2.0
/* What a sound file contains: the schema, which a new file gets, and rows, columns and pages that may be relied on. */
#pragma once

#include "results/sql.h"

/* ---- the schema, results/schema.sql: its version, and how a file gets it ---- */

enum {
    SCHEMA_APPLICATION = 0x6f726368, /* application_id: "orch" */
    SCHEMA_VERSION = 10              /* user_version; the last one of results/migrations.sql */
};

/* The user_version of the file. */
enum status schema_read_version(struct store *store, int64_t *version, struct error *error);

/* The SHA-256 of a version's tables, and the steps from it to SCHEMA_VERSION; NULL if no release had the version. */
const char *schema_steps(int64_t version);

/* Appends the statements that create temporary copies of the tables of judgements, with the contents of the file's
 * tables, and of all views, because a view of the file sees nothing but the file. */
void schema_add_temporary(struct text *sql);

/* Creates the tables and views of an empty file, or takes the steps from an older version, in one transaction that also
 * sets application_id and user_version. Does nothing if another process has just done it. */
enum status schema_create(struct store *store, struct error *error);

/* ---- the contents of a row's columns ---- */

/*
 * DATABASE unless each column of the statement's row holds what its letter in `kinds` allows. So code that fills a
 * struct from a row need not check again, even if the file was changed or is damaged.
 *
 *   t  a text in UTF-8
 *   b  a text of any bytes: file names, command lines, output of drivers and workers
 *   i  an integer
 *   n  an integer from 0 on
 *   u  an integer from 0 to UINT_MAX
 *   r  a finite number from 0 on
 *   .  as n, but not checked if the store is open for reading: quick_check has done it, and there
 *      may be millions of rows
 *
 * No text may contain a NUL. A capital letter also allows NULL.
 */
enum status columns_expect(struct store *store, sqlite3_stmt *statement, const char *kinds, struct error *error);

/* The same for a view's row: no column may be a blob or a number that is not finite, and no text may contain a NUL. */
enum status columns_expect_any(struct store *store, sqlite3_stmt *statement, struct error *error);

/* DATABASE if a row of a table with few rows refers to a row that does not exist: a view would omit it. References of
 * batches and their counts are checked when they are read. */
enum status columns_expect_references(struct store *store, struct error *error);

/* DATABASE if a row with texts that a merge would copy holds a value that is not allowed. */
enum status columns_expect_tables(struct store *store, struct error *error);

/* DATABASE unless the tables, indices and views of a database of the connection ("main", or an attached one) are those
 * of the schema, word for word except for blanks. Additional views are allowed, because nothing reads them. Additional
 * tables, indices and triggers are refused, because SQLite evaluates the expressions in them. path: the file, for
 * messages. */
enum status soundness_expect_schema(struct store *store, const char *database, const char *path, struct error *error);

/* DATABASE unless tables and indices are those of this version, which has steps: SQLite would evaluate the expressions
 * in others. */
enum status soundness_expect_version(struct store *store, int64_t version, struct error *error);

/* DATABASE if the first or last row of a table cannot be read. Takes the same time whatever the size of the file. */
enum status soundness_expect_ends(struct store *store, struct error *error);

/* DATABASE if quick_check finds damage, or the disk fails to read the file. Reads all of it. */
enum status soundness_expect_pages(struct store *store, struct error *error);
