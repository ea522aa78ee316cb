// SPDX-License-Identifier: Apache-2.0
/* Writes runs, jobs and builds. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>

#include "base/hash.h"
#include "results/keep.h"
#include "results/results.h"
#include "results/sql.h"
#include "results/sums.h"

enum { UUID_SIZE = 37 };

/* A random UUID (RFC 4122, version 4) from the kernel: SQLite's own generator would repeat itself
 * after a fork. */
static enum status make_uuid(char uuid[UUID_SIZE], struct error *error)
{
    unsigned char b[16];
    if (getrandom(b, sizeof b, 0) != (ssize_t)sizeof b)
        return error_set(error, STATUS_SYSTEM, "getrandom failed: %s", strerror(errno));
    b[6] = (unsigned char)((b[6] & 0x0f) | 0x40);
    b[8] = (unsigned char)((b[8] & 0x3f) | 0x80);
    (void)snprintf(uuid, UUID_SIZE, "%02x%02x%02x%02x-%02x%02x-%02x%02x-%02x%02x-%02x%02x%02x%02x%02x%02x", b[0], b[1],
                   b[2], b[3], b[4], b[5], b[6], b[7], b[8], b[9], b[10], b[11], b[12], b[13], b[14], b[15]);
    return STATUS_OK;
}

/* Two processes may both have found that there is no such run yet; only one of them begins it. */
static enum status refuse_second(struct store *store, const struct store_run *run, struct error *error)
{
    int64_t earlier = 0;
    if (run->only)
        TRY(sql_do(store, &earlier, error, "SELECT max(id) FROM run WHERE command_line = ?", "t", run->command_line));
    if (earlier == 0)
        return STATUS_OK;
    return error_set(error, STATUS_USAGE,
                     "%s: another process has just begun run %" PRId64 " with the same command: wait for it to end, or "
                     "stop it",
                     store->path, earlier);
}

static enum status insert_run(struct store *store, const struct store_run *run, const char *uuid, int64_t *id,
                              struct error *error)
{
    TRY(refuse_second(store, run, error));
    return sql_do(store, id, error,
                  "INSERT INTO run (uuid, tool_version, command_line, host, environment_variables, seed, state, "
                  "started_at) VALUES (?, ?, ?, ?, ?, ?, 'started', strftime('%Y-%m-%dT%H:%M:%fZ')) RETURNING id",
                  "tttttu", uuid, run->tool_version, run->command_line, run->host, run->environment_variables,
                  run->seed);
}

enum status store_begin_run(struct store *store, const struct store_run *run, int64_t *run_id, struct error *error)
{
    char uuid[UUID_SIZE];
    int64_t id = 0;
    sql_doing(store, "storing a new run");
    TRY(sql_expect_json(store, "environment_variables", run->environment_variables, error));
    TRY(make_uuid(uuid, error));
    TRY(sql_begin(store, error));
    TRY(sql_end(store, insert_run(store, run, uuid, &id, error), error));
    *run_id = id;
    return STATUS_OK;
}

static enum status refuse_state(const struct store *store, const char *state, struct error *error)
{
    return error_set(error, STATUS_INTERNAL, "%s: %s failed: '%s' is not a final state", store->path, store->doing,
                     state);
}

enum status store_finish_run(struct store *store, int64_t run_id, enum run_state state, struct error *error)
{
    int64_t id = 0;
    sql_doing(store, "storing the end of run %" PRId64, run_id);
    if (state == RUN_STARTED)
        return refuse_state(store, run_state_word(state), error);
    TRY(sql_begin(store, error));
    enum status status = sql_do(store, &id, error,
                                "UPDATE run SET state = ?, finished_at = strftime('%Y-%m-%dT%H:%M:%fZ') WHERE id = ? "
                                "RETURNING id",
                                "ti", run_state_word(state), run_id);
    if (status == STATUS_OK)
        status = keep_expect_row(store, id, "there is no such run", error);
    return sql_end(store, status, error);
}

static enum status insert_job(struct store *store, const struct store_job *job, const char *uuid, int64_t *id,
                              struct error *error)
{
    int64_t run_id = 0, driver_id = 0, test_id = 0, environment_id = 0;
    TRY(sql_do(store, &run_id, error, "SELECT id FROM run WHERE id = ?", "i", job->run_id));
    TRY(keep_expect_row(store, run_id, "there is no such run", error));
    TRY(keep_driver(store, &job->device, &driver_id, error));
    TRY(keep_test(store, &job->test, &test_id, error));
    TRY(keep_environment(store, &job->environment, &environment_id, error));
    TRY(sql_do(
        store, id, error,
        "INSERT INTO job (uuid, run_id, driver_id, test_id, environment_id, profile, key, seed, replicate, "
        "controls, lowering, target_instances, batch_instances, state, reason, detail, circumstances, started_at) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'started', '', '', '{}', strftime('%Y-%m-%dT%H:%M:%fZ')) RETURNING id",
        "tiiiittuittuu", uuid, run_id, driver_id, test_id, environment_id, job->environment.profile, job->key,
        job->seed, (int64_t)job->replicate, job->controls, job->lowering ? job->lowering : "", job->extent.instances,
        job->extent.batch_instances));
    return job->planned
               ? sql_do(store, NULL, error, "UPDATE planned_job SET job_id = ? WHERE run_id = ? AND number = ?", "iii",
                        *id, job->run_id, (int64_t)job->planned_number)
               : STATUS_OK;
}

enum status store_begin_job(struct store *store, const struct store_job *job, int64_t *job_id, struct error *error)
{
    char uuid[UUID_SIZE];
    int64_t id = 0;
    sql_doing(store, "storing a new job of run %" PRId64, job->run_id);
    TRY(make_uuid(uuid, error));
    TRY(sql_begin(store, error));
    TRY(sql_end(store, insert_job(store, job, uuid, &id, error), error));
    *job_id = id;
    return STATUS_OK;
}

static enum status insert_skipped(struct store *store, const struct store_job *job, const char *reason,
                                  struct error *error)
{
    char uuid[UUID_SIZE];
    int64_t id = 0;
    TRY(make_uuid(uuid, error));
    TRY(insert_job(store, job, uuid, &id, error));
    return sql_do(store, NULL, error,
                  "UPDATE job SET state = 'not-run', reason = ?, seconds = 0.0, "
                  "finished_at = strftime('%Y-%m-%dT%H:%M:%fZ') WHERE id = ?",
                  "ti", reason, id);
}

enum status store_skip_jobs(struct store *store, const struct store_job *jobs, size_t count, const char *reason,
                            struct error *error)
{
    enum status status = STATUS_OK;
    sql_doing(store, "storing %zu jobs that are not run", count);
    TRY(sql_begin(store, error));
    for (size_t i = 0; i < count && status == STATUS_OK; i++)
        status = insert_skipped(store, &jobs[i], reason, error);
    return sql_end(store, status, error);
}

static enum status insert_build(struct store *store, int64_t job_id, const struct build *build, struct error *error)
{
    int64_t job = 0, kernel_id = 0, binary_id = 0, log_id = 0;
    struct text marks = {0};
    char kernel_hash[HASH_HEX_SIZE];
    TRY(sql_do(store, &job, error,
               "SELECT id FROM job WHERE id = ? AND state = 'started' AND id NOT IN (SELECT job_id FROM build)", "i",
               job_id));
    TRY(keep_expect_row(store, job, "there is no such job, or it has ended, or it has a build", error));
    TRY(keep_content(store, build->kernel, &kernel_id, error));
    TRY(keep_content(store, build->binary, &binary_id, error));
    TRY(keep_content(store, build->log, &log_id, error));
    hash_hex(build->kernel, strlen(build->kernel), kernel_hash);
    marks_print(build->marks, &marks);
    const enum status status =
        sql_do(store, NULL, error,
               "INSERT INTO build (job_id, kernel_id, kernel_hash, binary_id, log_id, seconds, resident_groups, marks, "
               "kept, kept_reason) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
               "iitiidittt", job_id, kernel_id, kernel_hash, binary_id, log_id, build->seconds,
               (int64_t)build->resident_groups, text_string(&marks), kept_word(build->kept),
               build->kept_reason ? build->kept_reason : "");
    text_release(&marks);
    return status;
}

enum status store_add_build(struct store *store, int64_t job_id, const struct build *build, struct error *error)
{
    sql_doing(store, "storing the build of job %" PRId64, job_id);
    TRY(sql_begin(store, error));
    return sql_end(store, insert_build(store, job_id, build, error), error);
}

enum status store_change_kept(struct store *store, int64_t job_id, enum kept kept, const char *reason,
                              struct error *error)
{
    int64_t job = 0;
    sql_doing(store, "storing whether the test was kept in job %" PRId64, job_id);
    TRY(sql_begin(store, error));
    enum status status =
        sql_do(store, &job, error, "UPDATE build SET kept = ?, kept_reason = ? WHERE job_id = ? RETURNING job_id",
               "tti", kept_word(kept), reason, job_id);
    if (status == STATUS_OK)
        status = keep_expect_row(store, job, "the job has no build", error);
    return sql_end(store, status, error);
}

enum status store_finish_job(struct store *store, int64_t job_id, enum job_state state, const char *reason,
                             const char *detail, double seconds, struct error *error)
{
    int64_t id = 0;
    sql_doing(store, "storing the end of job %" PRId64, job_id);
    if (state == JOB_STARTED)
        return refuse_state(store, job_state_word(state), error);
    TRY(sql_begin(store, error));
    enum status status = sql_do(store, &id, error,
                                "UPDATE job SET state = ?, reason = ?, detail = ?, seconds = ?, "
                                "finished_at = strftime('%Y-%m-%dT%H:%M:%fZ') WHERE id = ? AND state = 'started' "
                                "RETURNING id",
                                "tttdi", job_state_word(state), reason, detail, seconds, job_id);
    if (status == STATUS_OK)
        status = keep_expect_row(store, id, "there is no such job, or it has ended already", error);
    TRY(sql_end(store, status, error));
    sums_forget(store, job_id);
    return STATUS_OK;
}

enum status store_put_circumstances(struct store *store, int64_t job_id, const char *circumstances, struct error *error)
{
    int64_t id = 0;
    sql_doing(store, "storing the circumstances of job %" PRId64, job_id);
    TRY(sql_expect_json(store, "circumstances", circumstances, error));
    TRY(sql_begin(store, error));
    enum status status = sql_do(store, &id, error, "UPDATE job SET circumstances = ? WHERE id = ? RETURNING id", "ti",
                                circumstances, job_id);
    if (status == STATUS_OK)
        status = keep_expect_row(store, id, "there is no such job", error);
    return sql_end(store, status, error);
}
