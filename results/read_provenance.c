// SPDX-License-Identifier: Apache-2.0
/* Reading what is needed to trust and to repeat a job: its run, its device, its build, its voids. */
#include <inttypes.h>

#include "results/results.h"
#include "results/sql.h"

enum status store_each_run(struct store *store, int64_t run_id,
                           bool (*visit)(const struct store_run_row *row, void *context), void *context,
                           struct error *error)
{
    sqlite3_stmt *statement = NULL;
    bool row = false;
    sql_doing(store, "reading its runs");
    TRY(sql_open(store, &statement, error,
                 "SELECT id, tool_version, command_line, host, environment_variables, seed, state, started_at, "
                 "coalesce(finished_at, '') FROM run WHERE ?1 = 0 OR id = ?1 ORDER BY id",
                 "i", run_id));
    enum status status = sql_next(store, statement, &row, error);
    while (row) {
        const struct store_run_row run = {.run_id = sqlite3_column_int64(statement, 0),
                                          .run = {.tool_version = sql_text(statement, 1),
                                                  .command_line = sql_text(statement, 2),
                                                  .host = sql_text(statement, 3),
                                                  .environment_variables = sql_text(statement, 4),
                                                  .seed = (uint64_t)sqlite3_column_int64(statement, 5)},
                                          .state = sql_text(statement, 6),
                                          .started_at = sql_text(statement, 7),
                                          .finished_at = sql_text(statement, 8)};
        if (!visit(&run, context))
            break;
        sql_doing(store, "reading its runs"); /* visit may have used the store */
        status = sql_next(store, statement, &row, error);
    }
    sql_done(statement);
    return status;
}

enum status store_read_facts(struct store *store, int64_t job_id,
                             void (*visit)(const struct store_job_facts *facts, void *context), void *context,
                             struct error *error)
{
    sqlite3_stmt *statement = NULL;
    bool row = false;
    sql_doing(store, "reading the build and the device of job %" PRId64, job_id);
    TRY(sql_open(store, &statement, error,
                 "SELECT j.run_id, d.vendor, d.architecture, d.gpu, d.compute_units, j.detail, j.started_at, "
                 "coalesce(b.marks, '[]'), coalesce(b.resident_groups, 0), coalesce(b.seconds, 0), "
                 "coalesce(l.text, ''), coalesce(k.hash, '') "
                 "FROM job j JOIN driver p ON p.id = j.driver_id JOIN device d ON d.id = p.device_id "
                 "LEFT JOIN build b ON b.job_id = j.id LEFT JOIN content l ON l.id = b.log_id "
                 "LEFT JOIN content k ON k.id = b.kernel_id WHERE j.id = ?",
                 "i", job_id));
    const enum status status = sql_next(store, statement, &row, error);
    if (row) {
        const struct store_job_facts facts = {.run_id = sqlite3_column_int64(statement, 0),
                                              .vendor = sql_text(statement, 1),
                                              .architecture = sql_text(statement, 2),
                                              .gpu = sqlite3_column_int(statement, 3) != 0,
                                              .compute_units = (unsigned)sqlite3_column_int64(statement, 4),
                                              .detail = sql_text(statement, 5),
                                              .started_at = sql_text(statement, 6),
                                              .marks = sql_text(statement, 7),
                                              .resident_groups = (unsigned)sqlite3_column_int64(statement, 8),
                                              .build_seconds = sqlite3_column_double(statement, 9),
                                              .log = sql_text(statement, 10),
                                              .kernel_hash = sql_text(statement, 11)};
        visit(&facts, context);
    }
    sql_done(statement);
    return status;
}

enum status store_each_void(struct store *store, int64_t job_id,
                            bool (*visit)(const struct count *reason, void *context), void *context,
                            struct error *error)
{
    sqlite3_stmt *statement = NULL;
    bool row = false;
    sql_doing(store, "reading the voids of job %" PRId64, job_id);
    TRY(sql_open(store, &statement, error, "SELECT reason, count FROM v_void WHERE job = ? ORDER BY reason", "i",
                 job_id));
    enum status status = sql_next(store, statement, &row, error);
    while (row) {
        const struct count reason = {.label = sql_text(statement, 0),
                                     .count = (uint64_t)sqlite3_column_int64(statement, 1)};
        if (!visit(&reason, context))
            break;
        sql_doing(store, "reading the voids of job %" PRId64, job_id);
        status = sql_next(store, statement, &row, error);
    }
    sql_done(statement);
    return status;
}
