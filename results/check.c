// SPDX-License-Identifier: Apache-2.0
/* Checks the whole file: SQLite's own checks, and rules that only orchil knows. */
#include <string.h>

#include "base/hash.h"
#include "results/results.h"
#include "results/sql.h"

/* Each row of a probe is a finding, as text; "ok" is not a finding. */
static const struct probe {
    const char *doing;
    const char *sql;
} probes[] = {
    {"checking its pages and indices", "PRAGMA integrity_check"},
    {"checking its foreign keys",
     "SELECT printf('a row of %s refers to a row of %s that is not there', \"table\", \"parent\") "
     "FROM pragma_foreign_key_check"},
    {"checking that batches add up",
     "SELECT printf('batch %lld of job %lld does not add up: %lld outcomes + %lld voids, but %lld instances', "
     "number, job_id, outcomes, voids, instances) FROM (SELECT number, job_id, instances, "
     "coalesce((SELECT sum(count) FROM outcome_count WHERE batch_id = batch.id), 0) AS outcomes, "
     "coalesce((SELECT sum(count) FROM void_count WHERE batch_id = batch.id), 0) AS voids FROM batch) "
     "WHERE outcomes + voids <> instances"},
    {"checking that no job has too many instances",
     "SELECT printf('job %lld has more instances than any job can have: %lld', job_id, sum(instances)) FROM batch "
     "GROUP BY job_id HAVING sum(instances) > (1 << 60)"},
};

static enum status run_probe(struct store *store, const struct probe *probe, struct text *findings, struct error *error)
{
    sqlite3_stmt *statement = NULL;
    bool row = false;
    sql_doing(store, "%s", probe->doing);
    TRY(sql_open(store, &statement, error, probe->sql, ""));
    enum status status = sql_next(store, statement, &row, error);
    while (row) {
        if (strcmp(sql_text(statement, 0), "ok") != 0)
            text_add(findings, "%s\n", sql_text(statement, 0));
        status = sql_next(store, statement, &row, error);
    }
    sql_done(statement);
    return status;
}

/* SQLite has no checksums of pages; a text that no longer matches its hash means that a bit has
 * changed on the disk. */
static enum status check_contents(struct store *store, struct text *findings, struct error *error)
{
    sqlite3_stmt *statement = NULL;
    bool row = false;
    sql_doing(store, "checking its texts");
    TRY(sql_open(store, &statement, error, "SELECT hash, text FROM content", ""));
    enum status status = sql_next(store, statement, &row, error);
    while (row) {
        char hash[HASH_HEX_SIZE];
        const char *text = sql_text(statement, 1);
        hash_hex(text, (size_t)sqlite3_column_bytes(statement, 1), hash);
        if (strcmp(hash, sql_text(statement, 0)) != 0)
            text_add(findings, "the text %s does not have that hash\n", sql_text(statement, 0));
        status = sql_next(store, statement, &row, error);
    }
    sql_done(statement);
    return status;
}

enum status store_check(struct store *store, struct text *findings, struct error *error)
{
    for (size_t i = 0; i < sizeof probes / sizeof *probes; i++)
        TRY(run_probe(store, &probes[i], findings, error));
    return check_contents(store, findings, error);
}
