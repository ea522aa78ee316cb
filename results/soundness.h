// SPDX-License-Identifier: Apache-2.0
/* Whether a file contains what orchil creates, and whether its pages are intact. */
#ifndef ORCHIL_RESULTS_SOUNDNESS_H
#define ORCHIL_RESULTS_SOUNDNESS_H

#include "results/sql.h"

/*
 * DATABASE unless the tables, indices and views of a database of the connection ("main", or an
 * attached one) are those of the schema, word for word except for blanks. Additional views are
 * allowed, because nothing reads them. Additional tables, indices and triggers are refused, because
 * SQLite evaluates the expressions in them. path: the file, for messages.
 */
enum status soundness_expect_schema(struct store *store, const char *database, const char *path, struct error *error);

/* DATABASE if the first or last row of a table cannot be read. Takes the same time whatever the
 * size of the file. */
enum status soundness_expect_ends(struct store *store, struct error *error);

/* DATABASE if quick_check finds damage, or the disk fails to read the file. Reads all of it. */
enum status soundness_expect_pages(struct store *store, struct error *error);

#endif
