// SPDX-License-Identifier: Apache-2.0
/* Checks the contents of a row's columns. */
#ifndef ORCHIL_RESULTS_COLUMNS_H
#define ORCHIL_RESULTS_COLUMNS_H

#include "results/sql.h"

/*
 * DATABASE unless each column of the statement's row holds what its letter in `kinds` allows. So
 * code that fills a struct from a row need not check again, even if the file was changed or is
 * damaged.
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

/* The same for a view's row: no column may be a blob or a number that is not finite, and no text
 * may contain a NUL. */
enum status columns_expect_any(struct store *store, sqlite3_stmt *statement, struct error *error);

/* DATABASE if a row of a table with few rows refers to a row that does not exist: a view would omit
 * it. References of batches and their counts are checked when they are read. */
enum status columns_expect_references(struct store *store, struct error *error);

/* DATABASE if a row with texts that a merge would copy holds a value that is not allowed. */
enum status columns_expect_tables(struct store *store, struct error *error);

#endif
