// SPDX-License-Identifier: Apache-2.0
/* Reading the rows of a view as they are. */
#include <inttypes.h>

#include "results/results.h"
#include "results/sql.h"

enum { COLUMNS_AT_MOST = 64 };

/* A view of jobs is read job by job: SQLite then neither sorts nor gathers more than one job's rows. */
static const struct {
    const char *name;
    const char *of_run; /* the rows of run ?1, or of all runs where that is 0; NULL: read job by job */
    const char *of_job; /* the rows of job ?1 */
} views[STORE_VIEW_COUNT] = {
    [STORE_VIEW_RUNS] = {"v_run", "SELECT * FROM v_run WHERE ?1 IN (0, run) ORDER BY run", NULL},
    [STORE_VIEW_JOBS] = {"v_job", NULL, "SELECT * FROM v_job WHERE job = ?1"},
    [STORE_VIEW_OUTCOMES] = {"v_outcome", NULL,
                             "SELECT * FROM v_outcome WHERE job = ?1 ORDER BY count DESC, outcome, witness"},
    [STORE_VIEW_BATCHES] = {"v_batch", NULL, "SELECT * FROM v_batch WHERE job = ?1 ORDER BY batch"},
    [STORE_VIEW_VOIDS] = {"v_void", NULL, "SELECT * FROM v_void WHERE job = ?1 ORDER BY reason"},
    [STORE_VIEW_JUDGEMENTS] = {"v_judgement", NULL, "SELECT * FROM v_judgement WHERE job = ?1 ORDER BY role"},
    [STORE_VIEW_PARTS] = {"v_part", "SELECT * FROM v_part WHERE ?1 IN (0, run) ORDER BY run, started_at, part_uuid",
                          NULL},
    [STORE_VIEW_RESUMPTIONS] = {"v_resumption",
                                "SELECT * FROM v_resumption WHERE ?1 IN (0, run) ORDER BY run, started_at", NULL},
    [STORE_VIEW_MERGES] = {"v_merge", "SELECT * FROM v_merge WHERE ?1 IN (0, run) ORDER BY run, merged_at, source",
                           NULL},
};

struct rows {
    struct store *store;
    const struct store_wanted *wanted;
    store_visit_row *head, *visit;
    void *context;
    bool stopped;
};

static void fill_cell(sqlite3_stmt *statement, int column, struct store_cell *cell)
{
    switch (sqlite3_column_type(statement, column)) {
    case SQLITE_NULL:
        return;
    case SQLITE_INTEGER:
        cell->kind = STORE_CELL_INTEGER;
        cell->integer = sqlite3_column_int64(statement, column);
        return;
    case SQLITE_FLOAT:
        cell->kind = STORE_CELL_REAL;
        cell->real = sqlite3_column_double(statement, column);
        return;
    default:
        cell->kind = STORE_CELL_TEXT;
        cell->text = sql_text(statement, column);
        cell->size = (size_t)sqlite3_column_bytes(statement, column);
    }
}

static size_t fill_cells(sqlite3_stmt *statement, bool with_values, struct store_cell cells[COLUMNS_AT_MOST])
{
    const int count = sqlite3_column_count(statement);
    int i = 0;
    for (; i < count && i < COLUMNS_AT_MOST; i++) {
        cells[i] = (struct store_cell){.column = sqlite3_column_name(statement, i)};
        if (with_values)
            fill_cell(statement, i, &cells[i]);
    }
    return (size_t)i;
}

/* Runs the statement for a job or a run; id < 0: only for its columns. */
static enum status read_rows(struct rows *rows, const char *sql, int64_t id, struct error *error)
{
    struct store_cell cells[COLUMNS_AT_MOST];
    sqlite3_stmt *statement = NULL;
    bool row = false;
    TRY(sql_open(rows->store, &statement, error, sql, "i", id));
    enum status status = STATUS_OK;
    if (id < 0)
        rows->stopped = !rows->head(cells, fill_cells(statement, false, cells), rows->context);
    else
        status = sql_next(rows->store, statement, &row, error);
    while (row && status == STATUS_OK) {
        rows->stopped = !rows->visit(cells, fill_cells(statement, true, cells), rows->context);
        if (rows->stopped)
            break;
        sql_doing(rows->store, "reading the rows of %s", views[rows->wanted->view].name); /* visit may use the store */
        status = sql_next(rows->store, statement, &row, error);
    }
    sql_done(statement);
    return status;
}

static enum status read_jobs(struct rows *rows, const char *sql, struct error *error)
{
    sqlite3_stmt *statement = NULL;
    bool row = false;
    TRY(sql_open(rows->store, &statement, error,
                 rows->wanted->run_id > 0 ? "SELECT id FROM job WHERE run_id = ?1 ORDER BY id"
                                          : "SELECT id FROM job WHERE ?1 <= 0 ORDER BY id",
                 "i", rows->wanted->run_id));
    enum status status = sql_next(rows->store, statement, &row, error);
    while (row && status == STATUS_OK && !rows->stopped) {
        status = read_rows(rows, sql, sqlite3_column_int64(statement, 0), error);
        if (status == STATUS_OK && !rows->stopped)
            status = sql_next(rows->store, statement, &row, error);
    }
    sql_done(statement);
    return status;
}

static enum status read_wanted(struct rows *rows, struct error *error)
{
    const struct store_wanted *wanted = rows->wanted;
    const char *of_run = views[wanted->view].of_run, *of_job = views[wanted->view].of_job;
    TRY(read_rows(rows, of_run ? of_run : of_job, -1, error));
    if (rows->stopped)
        return STATUS_OK;
    if (of_run)
        return read_rows(rows, of_run, wanted->run_id, error);
    return wanted->job_id > 0 ? read_rows(rows, of_job, wanted->job_id, error) : read_jobs(rows, of_job, error);
}

enum status store_each_row(struct store *store, const struct store_wanted *wanted, store_visit_row *head,
                           store_visit_row *visit, void *context, struct error *error)
{
    struct rows rows = {store, wanted, head, visit, context, false};
    sql_doing(store, "reading the rows of %s", views[wanted->view].name);
    if (!sqlite3_get_autocommit(store->db))
        return read_wanted(&rows, error); /* called by visit: the moment is chosen */
    TRY(sql_do(store, NULL, error, "BEGIN", ""));
    return sql_end(store, read_wanted(&rows, error), error);
}
