// SPDX-License-Identifier: Apache-2.0
/* Reading jobs and histograms, through the published views wherever they say enough. */
#include <inttypes.h>
#include <stdlib.h>

#include "results/results.h"
#include "results/sql.h"

static void fill_job(sqlite3_stmt *statement, struct store_job_row *row)
{
    *row = (struct store_job_row){
        .job_id = sqlite3_column_int64(statement, 0),
        .run_id = sqlite3_column_int64(statement, 1),
        .test = sql_text(statement, 2),
        .dialect = sql_text(statement, 3),
        .condition = sql_text(statement, 4),
        .backend = sql_text(statement, 5),
        .device = sql_text(statement, 6),
        .driver = sql_text(statement, 7),
        .state = sql_text(statement, 8),
        .controls = sql_text(statement, 9),
        .marks = sql_text(statement, 10),
        .seed = strtoull(sql_text(statement, 11), NULL, 10),
        .batches = (uint64_t)sqlite3_column_int64(statement, 12),
        .instances = (uint64_t)sqlite3_column_int64(statement, 13),
        .voids = (uint64_t)sqlite3_column_int64(statement, 14),
        .witnesses = (uint64_t)sqlite3_column_int64(statement, 15),
        .seconds = sqlite3_column_double(statement, 16),
        .test_hash = sql_text(statement, 17),
        .device_uuid = sql_text(statement, 18),
        .platform = sql_text(statement, 19),
        .compiler = sql_text(statement, 20),
        .environment_hash = sql_text(statement, 21),
        .profile = sql_text(statement, 22),
        .key = sql_text(statement, 23),
        .reason = sql_text(statement, 24),
        .replicate = (uint64_t)sqlite3_column_int64(statement, 25),
        .invalid_batches = (uint64_t)sqlite3_column_int64(statement, 26),
    };
}

#define JOB_COLUMNS                                                                                                    \
    "SELECT job, run, test, dialect, condition, backend, device, driver, state, controls, marks, seed, "               \
    "batches, instances, voids, witnesses, seconds, test_hash, device_uuid, platform, compiler, "                      \
    "environment_hash, profile, key, reason, replicate, invalid_batches FROM v_job "

static enum status visit_jobs(struct store *store, const char *sql, int64_t id,
                              bool (*visit)(const struct store_job_row *row, void *context), void *context,
                              struct error *error)
{
    sqlite3_stmt *statement = NULL;
    struct store_job_row job;
    bool row = false;
    sql_doing(store, "reading its jobs");
    TRY(sql_open(store, &statement, error, sql, "i", id));
    enum status status = sql_next(store, statement, &row, error);
    while (row) {
        fill_job(statement, &job);
        if (!visit(&job, context))
            break;
        sql_doing(store, "reading its jobs"); /* visit may have used the store */
        status = sql_next(store, statement, &row, error);
    }
    sql_done(statement);
    return status;
}

enum status store_each_job(struct store *store, int64_t run_id,
                           bool (*visit)(const struct store_job_row *row, void *context), void *context,
                           struct error *error)
{
    return visit_jobs(store, JOB_COLUMNS "WHERE ?1 = 0 OR run = ?1 ORDER BY job", run_id, visit, context, error);
}

enum status store_visit_job(struct store *store, int64_t job_id,
                            bool (*visit)(const struct store_job_row *row, void *context), void *context,
                            struct error *error)
{
    return visit_jobs(store, JOB_COLUMNS "WHERE job = ?1", job_id, visit, context, error);
}

enum status store_each_outcome(struct store *store, int64_t job_id,
                               bool (*visit)(const struct count *outcome, void *context), void *context,
                               struct error *error)
{
    sqlite3_stmt *statement = NULL;
    bool row = false;
    sql_doing(store, "reading the outcomes of job %" PRId64, job_id);
    TRY(sql_open(store, &statement, error,
                 "SELECT outcome, count, witness FROM v_outcome WHERE job = ? ORDER BY count DESC, outcome, witness",
                 "i", job_id));
    enum status status = sql_next(store, statement, &row, error);
    while (row) {
        const struct count outcome = {.label = sql_text(statement, 0),
                                      .count = (uint64_t)sqlite3_column_int64(statement, 1),
                                      .witness = sqlite3_column_int(statement, 2) != 0};
        if (!visit(&outcome, context))
            break;
        sql_doing(store, "reading the outcomes of job %" PRId64, job_id);
        status = sql_next(store, statement, &row, error);
    }
    sql_done(statement);
    return status;
}
