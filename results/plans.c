// SPDX-License-Identifier: Apache-2.0
/* The plan of a run, and resuming it. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/memory.h"
#include "results/keep.h"
#include "results/results.h"
#include "results/sql.h"

static enum status insert_plan(struct store *store, int64_t run_id, const char *options, struct error *error)
{
    TRY(sql_expect_json(store, "options", options, error));
    TRY(sql_do(store, NULL, error, "INSERT INTO plan (run_id, options) VALUES (?, ?)", "it", run_id, options));
    return STATUS_OK;
}

/* tests: room for the ids of the jobs' tests. */
static enum status insert_jobs(struct store *store, int64_t run_id, const struct store_planned *jobs, size_t count,
                               int64_t *tests, struct error *error)
{
    int64_t environment_id = 0;
    for (size_t i = 0; i < count; i++) {
        const struct store_environment *environment = &jobs[i].environment;
        const struct job_extent *extent = &jobs[i].extent;
        if (jobs[i].twin)
            tests[i] = tests[jobs[i].twin - 1];
        else
            TRY(keep_test(store, &jobs[i].test, &tests[i], error));
        if (i == 0 || environment->text != jobs[i - 1].environment.text) /* jobs of one device share theirs */
            TRY(keep_environment(store, environment, &environment_id, error));
        TRY(sql_do(store, NULL, error,
                   "INSERT INTO planned_job (run_id, number, device_group, control, test_id, environment_id, profile, "
                   "lowering, file, target_instances, batch_instances, resident_limit, seconds_limit) "
                   "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                   "iiiiiitttuuid", run_id, (int64_t)i, (int64_t)jobs[i].group, (int64_t)jobs[i].control, tests[i],
                   environment_id, environment->profile, jobs[i].lowering ? jobs[i].lowering : "", jobs[i].file,
                   extent->instances, extent->batch_instances, (int64_t)extent->resident_groups, extent->seconds));
    }
    return STATUS_OK;
}

enum status store_add_plan(struct store *store, int64_t run_id, const char *options, const struct store_planned *jobs,
                           size_t count, struct error *error)
{
    sql_doing(store, "storing the plan of run %" PRId64, run_id);
    /* At most 64 MiB of pages in memory: a plan is one transaction, which is tens of megabytes. */
    TRY(sql_do(store, NULL, error, "PRAGMA cache_size = -65536", ""));
    TRY(sql_begin(store, error));
    int64_t *tests = memory_take(count, sizeof *tests);
    enum status status = insert_plan(store, run_id, options, error);
    if (status == STATUS_OK)
        status = insert_jobs(store, run_id, jobs, count, tests, error);
    free(tests);
    return sql_end(store, status, error);
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
