// SPDX-License-Identifier: Apache-2.0
/*
 * The schema as a list of migrations, forward only. Migration i brings a file from user_version i to i + 1; a new
 * schema is a new row at the end of the list, and a published row never changes. Private to results/.
 */
#ifndef ORCHIL_RESULTS_SCHEMA_H
#define ORCHIL_RESULTS_SCHEMA_H

#include <stddef.h>

#include "results/sql.h"

enum {
    SCHEMA_APPLICATION = 0x6f726368, /* application_id: "orch" */
    SCHEMA_OLDEST_READABLE = 1       /* STORE_READ takes files from this user_version on, unmigrated */
};

struct schema_migration {
    const char *name;
    const char *const *statements; /* ends with NULL; the runner supplies the transaction and user_version */
};

extern const struct schema_migration schema_migrations[];
extern const int schema_version; /* how many there are: the user_version that this orchil writes */

/* The user_version of the file. */
enum status schema_read_version(struct store *store, int *version, struct error *error);

/*
 * Applies the rows of migrations that the file lacks, each in a transaction of its own that also sets
 * application_id and user_version. A failure leaves the file at the last version that it reached.
 */
enum status schema_migrate(struct store *store, const struct schema_migration *migrations, int count,
                           struct error *error);

#endif
