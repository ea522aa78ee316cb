// SPDX-License-Identifier: Apache-2.0
/* The schema, results/schema.sql: its version, and how a file gets it. */
#ifndef ORCHIL_RESULTS_SCHEMA_H
#define ORCHIL_RESULTS_SCHEMA_H

#include "base/text.h"
#include "results/sql.h"

enum {
    SCHEMA_APPLICATION = 0x6f726368, /* application_id: "orch" */
    SCHEMA_VERSION = 9               /* user_version; files of other versions are refused */
};

/* The user_version of the file. */
enum status schema_read_version(struct store *store, int64_t *version, struct error *error);

/* Appends the statements that create temporary copies of the tables of judgements, with the
 * contents of the file's tables, and of all views, because a view of the file sees nothing but the
 * file. */
void schema_add_temporary(struct text *sql);

/* Creates the tables and views of an empty file, in one transaction that also sets application_id
 * and user_version. Does nothing if the file has them, which another process may just have
 * created. */
enum status schema_create(struct store *store, struct error *error);

#endif
