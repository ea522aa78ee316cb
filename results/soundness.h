// SPDX-License-Identifier: Apache-2.0
/* Whether a file holds what orchil made, and whether its pages are whole. Private to results/. */
#ifndef ORCHIL_RESULTS_SOUNDNESS_H
#define ORCHIL_RESULTS_SOUNDNESS_H

#include "results/sql.h"

/*
 * DATABASE unless the tables, indices and views of a database of the connection ("main", or one that is attached) are those
 * of the schema, word for word but for blanks. Other views may be there, as nothing reads them. Another table, index or
 * trigger is refused: SQLite evaluates what is written in it. path: the file, for messages.
 */
enum status soundness_expect_schema(struct store *store, const char *database, const char *path, struct error *error);

/* DATABASE where the first or the last row of a table cannot be read. Takes the same time whatever the size of the file. */
enum status soundness_expect_ends(struct store *store, struct error *error);

/* DATABASE where quick_check condemns the file, or the disk fails to read it. Reads all of it. */
enum status soundness_expect_pages(struct store *store, struct error *error);

#endif
