// SPDX-License-Identifier: Apache-2.0
#include <stdio.h>

#include "results/schema.h"

enum status schema_read_version(struct store *store, int *version, struct error *error)
{
    int64_t value = 0;
    TRY(sql_do(store, &value, error, "PRAGMA user_version", ""));
    *version = (int)value;
    return STATUS_OK;
}

/* Runs a text once: what a migration says is not worth keeping prepared. */
static enum status run_once(struct store *store, const char *sql, struct error *error)
{
    const int code = sqlite3_exec(store->db, sql, NULL, NULL, NULL);
    return code == SQLITE_OK ? STATUS_OK : sql_fail(store, code, error);
}

/* PRAGMA takes no parameters, so its number is printed. */
static enum status set_pragma(struct store *store, const char *name, int value, struct error *error)
{
    char sql[64];
    (void)snprintf(sql, sizeof sql, "PRAGMA %s = %d", name, value);
    return run_once(store, sql, error);
}

static enum status apply(struct store *store, const struct schema_migration *migration, int version,
                         struct error *error)
{
    for (const char *const *sql = migration->statements; *sql; sql++)
        TRY(run_once(store, *sql, error));
    TRY(sql_do(store, NULL, error,
               "INSERT INTO migration (version, name, applied_at) VALUES (?, ?, strftime('%Y-%m-%dT%H:%M:%fZ'))", "it",
               (int64_t)version + 1, migration->name));
    TRY(set_pragma(store, "application_id", SCHEMA_APPLICATION, error));
    return set_pragma(store, "user_version", version + 1, error);
}

enum status schema_migrate(struct store *store, const struct schema_migration *migrations, int count,
                           struct error *error)
{
    int version = 0;
    TRY(schema_read_version(store, &version, error));
    while (version < count) {
        sql_doing(store, "bringing the schema to version %d", version + 1);
        TRY(sql_begin(store, error));
        /* Another process may have done it while this one waited for the lock. */
        int now = 0;
        enum status status = schema_read_version(store, &now, error);
        if (status == STATUS_OK && now == version)
            status = apply(store, &migrations[version], version, error);
        TRY(sql_end(store, status, error));
        TRY(schema_read_version(store, &version, error));
    }
    return STATUS_OK;
}
