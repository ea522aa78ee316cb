// SPDX-License-Identifier: Apache-2.0
/* What a run set out to do, and taking it up again. */
#include <inttypes.h>

#include "results/keep.h"
#include "results/results.h"
#include "results/sql.h"

static enum status insert_plan(struct store *store, int64_t run_id, const char *options,
                               const struct store_planned *jobs, size_t count, struct error *error)
{
    TRY(sql_expect_json(store, "options", options, error));
    TRY(sql_do(store, NULL, error, "INSERT INTO plan (run_id, options) VALUES (?, ?)", "it", run_id, options));
    for (size_t i = 0; i < count; i++) {
        int64_t test_id = 0, environment_id = 0;
        TRY(keep_test(store, &jobs[i].test, &test_id, error));
        TRY(keep_environment(store, &jobs[i].environment, &environment_id, error));
        TRY(sql_do(store, NULL, error,
                   "INSERT INTO planned_job (run_id, number, device_group, control, test_id, environment_id, profile, "
                   "file) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                   "iiiiiitt", run_id, (int64_t)i, (int64_t)jobs[i].group, (int64_t)jobs[i].control, test_id,
                   environment_id, jobs[i].environment.profile, jobs[i].file));
    }
    return STATUS_OK;
}

enum status store_add_plan(struct store *store, int64_t run_id, const char *options, const struct store_planned *jobs,
                           size_t count, struct error *error)
{
    sql_doing(store, "storing the plan of run %" PRId64, run_id);
    TRY(sql_begin(store, error));
    return sql_end(store, insert_plan(store, run_id, options, jobs, count, error), error);
}

enum status store_read_plan(struct store *store, int64_t run_id, struct text *options, bool *found, struct error *error)
{
    sqlite3_stmt *statement = NULL;
    *found = false;
    sql_doing(store, "reading the plan of run %" PRId64, run_id);
    TRY(sql_open(store, &statement, error, "SELECT options FROM plan WHERE run_id = ?", "i", run_id));
    const enum status status = sql_next(store, statement, found, error);
    if (*found)
        text_add(options, "%s", sql_text(statement, 0));
    sql_done(statement);
    return status;
}

static const char planned_sql[] =
    "SELECT n.number, n.device_group, n.control, n.file, t.dialect, t.name, t.hash, c.text, t.condition, t.doc,\n"
    "    e.hash, e.text, n.profile, coalesce(j.id, 0), coalesce(j.state, ''), coalesce(j.reason, ''),\n"
    "    coalesce(j.detail, ''), coalesce(p.capabilities, ''), coalesce(b.marks, ''), coalesce(b.resident_groups, 0),\n"
    "    (SELECT count(*) FROM batch WHERE job_id = j.id AND valid),\n"
    "    (SELECT count(*) FROM batch WHERE job_id = j.id AND NOT valid),\n"
    "    coalesce((SELECT sum(instances) FROM batch WHERE job_id = j.id AND valid), 0),\n"
    "    coalesce((SELECT sum(instances) FROM batch WHERE job_id = j.id AND NOT valid), 0),\n"
    "    coalesce((SELECT max(started + seconds) FROM batch WHERE job_id = j.id), 0.0),\n"
    "    coalesce((SELECT invalid FROM batch WHERE job_id = j.id AND NOT valid ORDER BY number LIMIT 1), '')\n"
    "FROM planned_job n JOIN test t ON t.id = n.test_id JOIN content c ON c.id = t.text_id\n"
    "    JOIN environment e ON e.id = n.environment_id LEFT JOIN job j ON j.id = n.job_id\n"
    "    LEFT JOIN driver p ON p.id = j.driver_id LEFT JOIN build b ON b.job_id = j.id\n"
    "WHERE n.run_id = ? ORDER BY n.number";

static struct store_planned_row read_row(sqlite3_stmt *row)
{
    return (struct store_planned_row){
        .planned = {.group = (size_t)sqlite3_column_int64(row, 1),
                    .control = sqlite3_column_int(row, 2) != 0,
                    .file = sql_text(row, 3),
                    .test = {.dialect = sql_text(row, 4),
                             .name = sql_text(row, 5),
                             .hash = sql_text(row, 6),
                             .text = sql_text(row, 7),
                             .condition = sql_text(row, 8),
                             .doc = sql_text(row, 9)},
                    .environment = {.hash = sql_text(row, 10),
                                    .text = sql_text(row, 11),
                                    .profile = sql_text(row, 12)}},
        .job_id = sqlite3_column_int64(row, 13),
        .state = sql_text(row, 14),
        .reason = sql_text(row, 15),
        .detail = sql_text(row, 16),
        .device = sql_text(row, 17),
        .marks = sql_text(row, 18),
        .resident_groups = (unsigned)sqlite3_column_int64(row, 19),
        .batches = (uint64_t)sqlite3_column_int64(row, 20),
        .invalid_batches = (uint64_t)sqlite3_column_int64(row, 21),
        .instances = (uint64_t)sqlite3_column_int64(row, 22),
        .invalid_instances = (uint64_t)sqlite3_column_int64(row, 23),
        .seconds = sqlite3_column_double(row, 24),
        .invalid = sql_text(row, 25),
    };
}

enum status store_each_planned(struct store *store, int64_t run_id,
                               bool (*visit)(const struct store_planned_row *row, void *context), void *context,
                               struct error *error)
{
    sqlite3_stmt *statement = NULL;
    bool row = false;
    sql_doing(store, "reading the plan of run %" PRId64, run_id);
    TRY(sql_open(store, &statement, error, planned_sql, "i", run_id));
    enum status status = sql_next(store, statement, &row, error);
    while (row) {
        const struct store_planned_row planned = read_row(statement);
        if (!visit(&planned, context))
            break;
        sql_doing(store, "reading the plan of run %" PRId64, run_id); /* visit may have used the store */
        status = sql_next(store, statement, &row, error);
    }
    sql_done(statement);
    return status;
}

static enum status resume_run(struct store *store, int64_t run_id, const struct store_run *by, struct error *error)
{
    int64_t id = 0;
    TRY(sql_expect_json(store, "environment_variables", by->environment_variables, error));
    TRY(sql_do(store, &id, error, "UPDATE run SET state = 'started', finished_at = NULL WHERE id = ? RETURNING id", "i",
               run_id));
    TRY(keep_expect_row(store, id, "there is no such run", error));
    return sql_do(store, NULL, error,
                  "INSERT INTO resumption (run_id, tool_version, command_line, host, environment_variables, "
                  "started_at) VALUES (?, ?, ?, ?, ?, strftime('%Y-%m-%dT%H:%M:%fZ'))",
                  "itttt", run_id, by->tool_version, by->command_line, by->host, by->environment_variables);
}

enum status store_resume_run(struct store *store, int64_t run_id, const struct store_run *by, struct error *error)
{
    sql_doing(store, "taking up run %" PRId64, run_id);
    TRY(sql_begin(store, error));
    return sql_end(store, resume_run(store, run_id, by, error), error);
}

static enum status resume_job(struct store *store, int64_t job_id, const struct store_device *device,
                              struct error *error)
{
    int64_t id = 0, driver_id = 0;
    TRY(keep_driver(store, device, &driver_id, error));
    TRY(sql_do(store, &id, error,
               "UPDATE job SET state = 'started', reason = '', detail = '', seconds = NULL, finished_at = NULL, "
               "driver_id = ? WHERE id = ? AND state IN ('started', 'interrupted', 'not-run') RETURNING id",
               "ii", driver_id, job_id));
    TRY(keep_expect_row(store, id, "there is no such job, or it has ended for good", error));
    TRY(sql_do(store, NULL, error,
               "DELETE FROM verdict WHERE judgement_id IN (SELECT id FROM judgement WHERE job_id = ?)", "i", job_id));
    return sql_do(store, NULL, error, "DELETE FROM judgement WHERE job_id = ?", "i", job_id);
}

enum status store_resume_job(struct store *store, int64_t job_id, const struct store_device *device,
                             struct error *error)
{
    sql_doing(store, "taking up job %" PRId64, job_id);
    TRY(sql_begin(store, error));
    return sql_end(store, resume_job(store, job_id, device, error), error);
}
