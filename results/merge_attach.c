// SPDX-License-Identifier: Apache-2.0
/* The source of a merge: attached to the target's connection for reading only, and what its schema has. */
#include <inttypes.h>
#include <stdlib.h>

#include "results/merge.h"
#include "results/open.h"

/* $ stands for the columns of the table that both sides have, without those in except. A column that a later schema adds
 * is merged with the others unless it refers to a row; tests/results/test_merge.c sees to it that nothing is forgotten. */
static const struct {
    const char *table, *except, *sql;
} statements[MERGE_SQL_COUNT] = {
    [MERGE_RUN_INSERT] = {"run", ",id,", "INSERT INTO main.run ($) SELECT $ FROM source.run WHERE id = ? RETURNING id"},
    [MERGE_RUN_UPDATE] = {"run", ",id,uuid,",
                          "UPDATE main.run SET ($) = (SELECT $ FROM source.run WHERE id = ?) WHERE id = ?"},
    [MERGE_JOB_INSERT] = {"job", ",id,run_id,driver_id,test_id,environment_id,",
                          "INSERT INTO main.job (run_id, driver_id, test_id, environment_id, $) SELECT ?, ?, ?, ?, $ "
                          "FROM source.job WHERE id = ? RETURNING id"},
    [MERGE_JOB_UPDATE] =
        {"job", ",id,uuid,run_id,driver_id,test_id,environment_id,",
         "UPDATE main.job SET driver_id = ?, ($) = (SELECT $ FROM source.job WHERE id = ?) WHERE id = ?"},
    [MERGE_BUILD] = {"build", ",job_id,kernel_id,binary_id,log_id,",
                     "INSERT INTO main.build (job_id, kernel_id, binary_id, log_id, $) SELECT ?, ?, ?, ?, $ "
                     "FROM source.build WHERE job_id = ?"},
    [MERGE_BATCHES] = {"batch", ",id,job_id,draw,",
                       "INSERT INTO main.batch (job_id, draw, $) SELECT ?, iif(?, '{}', draw), $ FROM source.batch "
                       "WHERE job_id = ? ORDER BY number ON CONFLICT (job_id, number) DO NOTHING"},
    [MERGE_JUDGEMENTS] = {"judgement", ",id,job_id,",
                          "INSERT INTO main.judgement (job_id, $) SELECT ?, $ FROM source.judgement WHERE job_id = ? "
                          "ORDER BY id ON CONFLICT (job_id, role) DO NOTHING"},
    [MERGE_ORIGINS] = {"merge", ",id,run_id,",
                       "INSERT INTO main.merge (run_id, $) SELECT ?, $ FROM source.merge WHERE run_id = ? ORDER BY id "
                       "ON CONFLICT (run_id, source, host, merged_at) DO NOTHING"},
};

static enum status add_columns(struct merge *merge, const char *table, const char *except, struct text *columns,
                               struct error *error)
{
    sqlite3_stmt *statement = NULL;
    bool row = false;
    TRY(sql_open(merge->into, &statement, error,
                 "SELECT t.name FROM pragma_table_info(?1, 'main') t JOIN pragma_table_info(?1, 'source') f "
                 "ON f.name = t.name WHERE instr(?2, ',' || t.name || ',') = 0 ORDER BY t.cid",
                 "tt", table, except));
    enum status status = sql_next(merge->into, statement, &row, error);
    while (row) {
        text_add(columns, "%s%s", columns->size > 0 ? ", " : "", sql_text(statement, 0));
        status = sql_next(merge->into, statement, &row, error);
    }
    sql_done(statement);
    return status;
}

static enum status make_statement(struct merge *merge, enum merge_sql number, struct error *error)
{
    struct text columns = {0}, sql = {0};
    enum status status = add_columns(merge, statements[number].table, statements[number].except, &columns, error);
    for (const char *c = statements[number].sql; *c; c++) {
        if (*c == '$')
            text_add(&sql, "%s", text_string(&columns));
        else
            text_add_bytes(&sql, c, 1);
    }
    if (status == STATUS_OK && !(columns.failed || sql.failed))
        merge->sql[number] = text_take(&sql);
    if (status == STATUS_OK && !merge->sql[number])
        status = error_set(error, STATUS_MEMORY, "%s: out of memory", merge->from);
    text_release(&columns);
    text_release(&sql);
    return status;
}

static enum status has_table(struct merge *merge, const char *name, bool *has, struct error *error)
{
    int64_t tables = 0;
    TRY(sql_do(merge->into, &tables, error,
               "SELECT count(*) FROM source.sqlite_schema WHERE type = 'table' AND rootpage > 0 AND name = ?", "t",
               name));
    *has = tables == 1;
    return STATUS_OK;
}

/* A file that bears orchil's mark but has a view or a virtual table in a table's place was not made by orchil. */
static enum status examine(struct merge *merge, struct error *error)
{
    static const char *const first[] = {"content", "device", "driver", "test",    "environment",   "run",
                                        "job",     "build",  "batch",  "outcome", "outcome_count", "void_count"};
    bool has = true, verdicts = false;
    for (size_t i = 0; i < sizeof first / sizeof *first && has; i++) {
        TRY(has_table(merge, first[i], &has, error));
        if (!has)
            return merge_refuse(merge, error, "is damaged: it bears orchil's mark but has no table '%s'", first[i]);
    }
    TRY(has_table(merge, "verdict", &verdicts, error));
    TRY(has_table(merge, "judgement", &merge->has_judgements, error));
    TRY(has_table(merge, "merge", &merge->has_merges, error));
    TRY(has_table(merge, "part", &merge->has_parts, error));
    TRY(has_table(merge, "planned_job", &merge->has_plans, error));
    TRY(has_table(merge, "resumption", &merge->has_resumptions, error));
    merge->has_judgements &= verdicts;
    for (int i = 0; i < MERGE_SQL_COUNT; i++)
        if ((i != MERGE_JUDGEMENTS || merge->has_judgements) && (i != MERGE_ORIGINS || merge->has_merges))
            TRY(make_statement(merge, (enum merge_sql)i, error));
    return STATUS_OK;
}

enum status merge_attach(struct merge *merge, const struct store *source, struct error *error)
{
    struct text uri = {0};
    const bool immutable = source->journal[0] == 'i';
    sql_doing(merge->into, "opening %.100s to merge it", merge->from);
    open_add_uri(&uri, source->path, immutable ? "mode=ro&immutable=1" : "mode=ro");
    enum status status = uri.failed ? error_set(error, STATUS_MEMORY, "%s: out of memory", merge->from)
                                    : sql_do(merge->into, NULL, error, "ATTACH ? AS source", "t", text_string(&uri));
    text_release(&uri);
    TRY(status);
    status = examine(merge, error);
    if (status != STATUS_OK)
        merge_detach(merge);
    return status;
}

void merge_detach(struct merge *merge)
{
    for (int i = 0; i < MERGE_SQL_COUNT; i++) {
        free(merge->sql[i]);
        merge->sql[i] = NULL;
    }
    /* It was only read: a failure loses nothing, and the next attachment would tell. */
    (void)sql_do(merge->into, NULL, NULL, "DETACH source", "");
}
