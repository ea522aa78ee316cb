// SPDX-License-Identifier: Apache-2.0
/* Sets up a connection: safely, and with a journal that suits the file system. */
#include "results/settings.h"

#include <string.h>

#include "base/clock.h"
#include "results/sums.h"

enum {
    LONGEST_TEXT = 1 << 28
}; /* bytes of a row: more than a kernel or a build log needs, so that a file cannot demand more */

enum status settings_apply(struct store *store, struct error *error)
{
    static const struct {
        int option, value;
    } options[] = {
        {SQLITE_DBCONFIG_ENABLE_FKEY, 1},    {SQLITE_DBCONFIG_DQS_DML, 0},   {SQLITE_DBCONFIG_DQS_DDL, 0},
        {SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0}, {SQLITE_DBCONFIG_DEFENSIVE, 1}, {SQLITE_DBCONFIG_ENABLE_TRIGGER, 0},
    };
    sql_doing(store, "setting its options");
    int code = sqlite3_busy_timeout(store->db, STORE_BUSY_SECONDS * 1000);
    for (size_t i = 0; i < sizeof options / sizeof *options && code == SQLITE_OK; i++)
        code = sqlite3_db_config(store->db, options[i].option, options[i].value, NULL);
    if (code != SQLITE_OK)
        return sql_fail(store, code, error);
    (void)sqlite3_limit(store->db, SQLITE_LIMIT_LENGTH, LONGEST_TEXT);
    TRY(sums_install(store, error));
    TRY(sql_do(store, NULL, error, "PRAGMA cell_size_check = ON", ""));
    return sql_do(store, NULL, error, "PRAGMA mmap_size = 0", "");
}

enum { JOURNAL_RETRY_MS = 20 };

/* One attempt. The change is committed only after the row that reports it, so the statement is run
 * to its end. */
static enum status change_journal(struct store *store, sqlite3_stmt *statement, bool *wal, struct error *error)
{
    bool row = false;
    enum status status = sql_next(store, statement, &row, error);
    *wal = row && strcmp(sql_text(statement, 0), "wal") == 0;
    while (row)
        status = sql_next(store, statement, &row, error);
    return status;
}

enum status settings_choose_journal(struct store *store, bool shared, struct error *error)
{
    sqlite3_stmt *statement = NULL;
    bool wal = false;
    sql_doing(store, "choosing its journal");
    TRY(sql_open(store, &statement, error, shared ? "PRAGMA journal_mode = DELETE" : "PRAGMA journal_mode = WAL", ""));
    const double deadline = clock_seconds() + STORE_BUSY_SECONDS;
    enum status status = change_journal(store, statement, &wal, error);
    /* If two processes switch at once, SQLite refuses one immediately instead of waiting, because
     * each holds what the other needs. */
    while (status != STATUS_OK && (store->failure & 0xff) == SQLITE_BUSY && clock_seconds() < deadline) {
        (void)sqlite3_reset(statement);
        (void)sqlite3_sleep(JOURNAL_RETRY_MS);
        status = change_journal(store, statement, &wal, error);
    }
    sql_done(statement);
    TRY(status);
    store->journal = wal ? "wal" : "delete";
    return sql_do(store, NULL, error, wal ? "PRAGMA synchronous = FULL" : "PRAGMA synchronous = EXTRA", "");
}
