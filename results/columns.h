// SPDX-License-Identifier: Apache-2.0
/* What the columns of a row may hold. Private to results/. */
#ifndef ORCHIL_RESULTS_COLUMNS_H
#define ORCHIL_RESULTS_COLUMNS_H

#include "results/sql.h"

/*
 * DATABASE unless each column of the statement's row holds what its letter of `kinds` says. So code that fills a struct from a
 * row need not ask again, whatever a changed or damaged file holds.
 *
 *   t  a text in UTF-8                     b  a text of any bytes: file names, command lines, what drivers and workers said
 *   i  an integer                          n  an integer from 0 on
 *   u  an integer from 0 to UINT_MAX       r  a finite number from 0 on
 *
 *   .  as n; of a store that is open for reading it is not looked at, as quick_check has done so: for millions of rows
 *
 * No text has a NUL in it. A capital letter allows NULL, too.
 */
enum status columns_expect(struct store *store, sqlite3_stmt *statement, const char *kinds, struct error *error);

/* The same of a view's row: no column is a blob or a number that is not finite, and no text has a NUL in it. */
enum status columns_expect_any(struct store *store, sqlite3_stmt *statement, struct error *error);

/* DATABASE where a row of a table that has few rows refers to one that is not there: a view would leave it out. References
 * of batches and their counts are found when they are read. */
enum status columns_expect_references(struct store *store, struct error *error);

/* DATABASE where a row of a table whose texts a merge would copy holds what it may not. */
enum status columns_expect_tables(struct store *store, struct error *error);

#endif
