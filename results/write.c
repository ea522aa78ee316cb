// SPDX-License-Identifier: Apache-2.0
/* Writes: rows that are stored once for each content, runs, jobs, builds, batches, plans, judgements, notes on tests,
 * and the texts of a copy that is to be shared. */
#include <sys/random.h>

#include "results/soundness.h"
#include "results/texts_lists.h"

/* ---- rows that are stored once for each content: each gives the id of an equal row, which it stores if needed ---- */

static enum status keep_content(struct store *store, const char *text, int64_t *id, struct error *error)
{
    char hash[HASH_HEX_SIZE];
    hash_hex(text, strlen(text), hash);
    TRY(sql_do(store, id, error, "SELECT id FROM content WHERE hash = ?", "t", hash));
    return *id ? STATUS_OK
               : sql_add(store, id, error, "INSERT INTO content (hash, text) VALUES (?, ?)", "tt", hash, text);
}

static enum status keep_driver(struct store *store, const struct store_device *device, int64_t *id, struct error *error)
{
    int64_t device_id = 0;
    TRY(sql_expect_json(store, "capabilities", device->capabilities, error));
    TRY(sql_keep(store, &device_id, error, "device", "uuid, name, vendor, architecture, gpu, compute_units", "ttttii",
                 device->uuid, device->name, device->vendor, device->architecture, (int64_t)device->gpu,
                 (int64_t)device->compute_units));
    return sql_keep(store, id, error, "driver", "device_id, backend, platform, version, compiler, capabilities",
                    "ittttt", device_id, device->backend, device->platform, device->driver, device->compiler,
                    device->capabilities);
}

static enum status keep_test(struct store *store, const struct store_test *test, int64_t *id, struct error *error)
{
    int64_t text_id = 0;
    TRY(keep_content(store, test->text, &text_id, error));
    return sql_keep(store, id, error, "test", "hash, dialect, name, text_id, condition, doc", "tttitt", test->hash,
                    test->dialect, test->name, text_id, test->condition, test->doc);
}

static enum status keep_environment(struct store *store, const struct store_environment *environment, int64_t *id,
                                    struct error *error)
{
    int64_t known = 0;
    TRY(sql_do(store, &known, error, "SELECT id FROM environment WHERE hash = ?", "t", environment->hash));
    TRY(sql_do(store, id, error, "SELECT id FROM environment WHERE id = ? AND text = ?", "it", known,
               environment->text));
    if (!known)
        return sql_add(store, id, error, "INSERT INTO environment (hash, text) VALUES (?, ?)", "tt", environment->hash,
                       environment->text);
    return *id ? STATUS_OK
               : sql_refuse(store, error, "the environment %s is stored with another text", environment->hash);
}

/* ---- instances of the jobs that are being written ---- */

/* Sums are kept in memory: summing all batches of a job for each new one would get slower and slower. */
static struct store_sum *sums_find(struct store *store, int64_t job_id)
{
    return FIRST_OF(sum, store->sums, store->sum_count, sum->job_id == job_id);
}

/* INTERNAL if the job would have more than STORE_JOB_INSTANCES_MAX instances with these. */
static enum status sums_expect_room(struct store *store, int64_t job_id, uint64_t instances, struct error *error)
{
    const struct store_sum *known = sums_find(store, job_id);
    int64_t stored = 0;
    if (!known) {
        TRY(sql_do(store, &stored, error, "SELECT sum(instances) FROM batch WHERE job_id = ?", "i", job_id));
        struct store_sum *sum = sums_find(store, 0);
        if (!sum)
            sum = &ARENA_ADD(&store->arena, store->sums, store->sum_count);
        *sum = (struct store_sum){job_id, (uint64_t)stored};
        known = sum;
    }
    return instances <= STORE_JOB_INSTANCES_MAX && known->instances <= STORE_JOB_INSTANCES_MAX - instances
               ? STATUS_OK
               : sql_refuse(store, error, "with them the job would have more than 2^60 instances");
}

/* ---- runs, jobs and builds ---- */

enum { UUID_SIZE = 37 };

/* A random UUID (RFC 4122, version 4) from the kernel: SQLite's own generator would repeat itself after a fork. */
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
    TRY(SQL_TRANSACTION(store, error, insert_run(store, run, uuid, &id, error)));
    *run_id = id;
    return STATUS_OK;
}

enum status store_finish_run(struct store *store, int64_t run_id, enum run_state state, struct error *error)
{
    sql_doing(store, "storing the end of run %" PRId64, run_id);
    if (state == RUN_STARTED)
        return sql_refuse(store, error, "'%s' is not a final state", run_state_word(state));
    return SQL_TRANSACTION(
        store, error,
        sql_expect(store, error, "there is no such run",
                   "UPDATE run SET state = ?, finished_at = strftime('%Y-%m-%dT%H:%M:%fZ') WHERE id = ? RETURNING id",
                   "ti", run_state_word(state), run_id));
}

static enum status insert_job(struct store *store, const struct store_job *job, const char *uuid, int64_t *id,
                              struct error *error)
{
    int64_t driver_id = 0, test_id = 0, environment_id = 0;
    TRY(sql_expect(store, error, "there is no such run", "SELECT id FROM run WHERE id = ?", "i", job->run_id));
    TRY(keep_driver(store, &job->device, &driver_id, error));
    TRY(keep_test(store, &job->test, &test_id, error));
    TRY(keep_environment(store, &job->environment, &environment_id, error));
    TRY(sql_do(
        store, id, error,
        "INSERT INTO job (uuid, run_id, driver_id, test_id, environment_id, profile, key, seed, replicate, "
        "controls, lowering, target_instances, batch_instances, state, reason, detail, circumstances, started_at) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 'started', '', '', '{}', strftime('%Y-%m-%dT%H:%M:%fZ')) RETURNING id",
        "tiiiittuittuu", uuid, job->run_id, driver_id, test_id, environment_id, job->environment.profile, job->key,
        job->seed, (int64_t)job->replicate, job->controls, job->lowering ? job->lowering : "", job->extent.instances,
        job->extent.batch_instances));
    return job->planned
               ? sql_do(store, NULL, error, "UPDATE planned_job SET job_id = ? WHERE run_id = ? AND number = ?", "iii",
                        *id, job->run_id, (int64_t)job->planned_number)
               : STATUS_OK;
}

enum status store_join(struct store *store, int64_t job_id, struct error *error)
{
    sql_doing(store, "storing job %" PRId64, job_id);
    TRY(sql_begin(store, error));
    store->joined = true;
    return STATUS_OK;
}

enum status store_joined(struct store *store, enum status status, struct error *error)
{
    store->joined = false;
    return sql_end(store, status, error);
}

/* A sync may take milliseconds, for which the device would wait. The next transaction of the job makes up for it, while
 * the device works; only a rollback journal needs its own. */
enum status store_begin_job(struct store *store, const struct store_job *job, int64_t *job_id, struct error *error)
{
    const bool wal = strcmp(store->journal, "wal") == 0;
    char uuid[UUID_SIZE];
    int64_t id = 0;
    sql_doing(store, "storing a new job of run %" PRId64, job->run_id);
    TRY(make_uuid(uuid, error));
    if (wal)
        TRY(sql_do(store, NULL, error, "PRAGMA synchronous = NORMAL", ""));
    struct error second; /* after a failure, which is reported */
    const enum status status = SQL_TRANSACTION(store, error, insert_job(store, job, uuid, &id, error));
    struct error *const first = status == STATUS_OK ? error : &second;
    const enum status restored = wal ? sql_do(store, NULL, first, "PRAGMA synchronous = FULL", "") : STATUS_OK;
    TRY(status);
    TRY(restored);
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
    int64_t kernel_id = 0, binary_id = 0, log_id = 0;
    LOCAL(text) marks = {0};
    char kernel_hash[HASH_HEX_SIZE];
    TRY(sql_expect(store, error, "there is no such job, or it has ended, or it has a build",
                   "SELECT id FROM job WHERE id = ? AND state = 'started' AND id NOT IN (SELECT job_id FROM build)",
                   "i", job_id));
    TRY(keep_content(store, build->kernel, &kernel_id, error));
    TRY(keep_content(store, build->binary, &binary_id, error));
    TRY(keep_content(store, build->log, &log_id, error));
    hash_hex(build->kernel, strlen(build->kernel), kernel_hash);
    marks_print(build->marks, &marks);
    return sql_do(
        store, NULL, error,
        "INSERT INTO build (job_id, kernel_id, kernel_hash, binary_id, log_id, seconds, resident_groups, marks, "
        "kept, kept_reason) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        "iitiidittt", job_id, kernel_id, kernel_hash, binary_id, log_id, build->seconds,
        (int64_t)build->resident_groups, text_string(&marks), kept_word(build->kept),
        build->kept_reason ? build->kept_reason : "");
}

enum status store_add_build(struct store *store, int64_t job_id, const struct build *build, struct error *error)
{
    sql_doing(store, "storing the build of job %" PRId64, job_id);
    return SQL_TRANSACTION(store, error, insert_build(store, job_id, build, error));
}

enum status store_change_kept(struct store *store, int64_t job_id, enum kept kept, const char *reason,
                              struct error *error)
{
    sql_doing(store, "storing whether the test was kept in job %" PRId64, job_id);
    return SQL_TRANSACTION(store, error,
                           sql_expect(store, error, "the job has no build",
                                      "UPDATE build SET kept = ?, kept_reason = ? WHERE job_id = ? RETURNING job_id",
                                      "tti", kept_word(kept), reason, job_id));
}

enum status store_finish_job(struct store *store, int64_t job_id, enum job_state state, const char *reason,
                             const char *detail, double seconds, struct error *error)
{
    sql_doing(store, "storing the end of job %" PRId64, job_id);
    if (state == JOB_STARTED)
        return sql_refuse(store, error, "'%s' is not a final state", job_state_word(state));
    TRY(sql_begin(store, error));
    const enum status status =
        sql_expect(store, error, "there is no such job, or it has ended already",
                   "UPDATE job SET state = ?, reason = ?, detail = ?, seconds = ?, "
                   "finished_at = strftime('%Y-%m-%dT%H:%M:%fZ') WHERE id = ? AND state = 'started' RETURNING id",
                   "tttdi", job_state_word(state), reason, detail, seconds, job_id);
    TRY(sql_end(store, status, error));
    struct store_sum *known = sums_find(store, job_id);
    if (known)
        *known = (struct store_sum){.job_id = 0}; /* it gets no more batches */
    return STATUS_OK;
}

enum status store_put_circumstances(struct store *store, int64_t job_id, const char *circumstances, struct error *error)
{
    sql_doing(store, "storing the circumstances of job %" PRId64, job_id);
    TRY(sql_expect_json(store, "circumstances", circumstances, error));
    return SQL_TRANSACTION(store, error,
                           sql_expect(store, error, "there is no such job",
                                      "UPDATE job SET circumstances = ? WHERE id = ? RETURNING id", "ti", circumstances,
                                      job_id));
}

/* ---- batches: whole, adding up, and many in one transaction ---- */

/* Adds the counts to *sum; false if the sum exceeds SQLite's integers. */
static bool add_counts(const struct count *counts, size_t count, uint64_t *sum)
{
    if (ANY_OF(one, counts, count, one->count > INT64_MAX || __builtin_add_overflow(*sum, one->count, sum)))
        return false;
    return *sum <= INT64_MAX;
}

static enum status refuse_sums(struct store *store, const struct batch *batch, struct error *error)
{
    uint64_t outcomes = 0, voids = 0, all = 0;
    if (batch->number > INT64_MAX || batch->instances > INT64_MAX ||
        !add_counts(batch->outcomes, batch->outcome_count, &outcomes) ||
        !add_counts(batch->voids, batch->void_count, &voids) || __builtin_add_overflow(outcomes, voids, &all))
        return sql_refuse(store, error, "a number of batch %" PRIu64 " is beyond 2^63 - 1", batch->number);
    if (all != batch->instances)
        return sql_refuse(store, error,
                          "batch %" PRIu64 " does not add up: %" PRIu64 " outcomes + %" PRIu64 " voids, but %" PRIu64
                          " instances",
                          batch->number, outcomes, voids, batch->instances);
    return STATUS_OK;
}

static uint64_t sum_instances(const struct batch *batches, size_t count)
{
    uint64_t sum = 0;
    if (ANY_OF(batch, batches, count, __builtin_add_overflow(sum, batch->instances, &sum)))
        return UINT64_MAX;
    return sum;
}

static enum status insert_counts(struct store *store, int64_t batch_id, int64_t test_id, const struct batch *batch,
                                 struct error *error)
{
    FOR_EACH(const struct count, outcome, batch->outcomes, batch->outcome_count) {
        int64_t outcome_id = 0;
        if (outcome->count == 0)
            continue;
        TRY(sql_keep(store, &outcome_id, error, "outcome", "test_id, label, witness", "iti", test_id, outcome->label,
                     (int64_t)outcome->witness));
        TRY(sql_do(store, NULL, error, "INSERT INTO outcome_count (batch_id, outcome_id, count) VALUES (?, ?, ?)",
                   "iiu", batch_id, outcome_id, outcome->count));
    }
    for (size_t i = 0; i < batch->void_count; i++) {
        if (batch->voids[i].count > 0)
            TRY(sql_do(store, NULL, error, "INSERT INTO void_count (batch_id, reason, count) VALUES (?, ?, ?)", "itu",
                       batch_id, batch->voids[i].label, batch->voids[i].count));
    }
    return STATUS_OK;
}

/* Removes the mark at the first valid batch that contradicts it. */
static enum status lose_mark(struct store *store, int64_t job_id, const struct batch *batches, size_t count,
                             struct error *error)
{
    const char *word = mark_word(MARK_NUMBER_NOT_OVERLAPPED);
    const bool overlapped = ANY_OF(one, batches, count, one->overlapped && !one->invalid);
    return !overlapped ? STATUS_OK
                       : sql_do(store, NULL, error,
                                "UPDATE build SET marks = (SELECT json_group_array(value) FROM json_each(marks) "
                                "WHERE value <> ?) WHERE job_id = ? AND instr(marks, ?)",
                                "tit", word, job_id, word);
}

/* The first 64 bits of the hash of a draw's launch arguments; 0 for a draw without one. The draw is JSON. */
static enum status read_arguments(struct store *store, const char *draw, uint64_t *arguments, struct error *error)
{
    struct sql_rows rows = sql_rows(store, error, "SELECT json_extract(?, '$.arguments_hash')", "t", draw);
    while (sql_row(&rows)) {
        const char *hash = sql_text(rows.statement, 0);
        *arguments = strspn(hash, "0123456789abcdef") == HASH_HEX_SIZE - 1 ? hash_number(hash) : 0;
    }
    return sql_end_rows(&rows);
}

static enum status insert_batches(struct store *store, int64_t job_id, const struct batch *batches, size_t count,
                                  struct error *error)
{
    int64_t test_id = 0;
    TRY(sql_do(store, &test_id, error, "SELECT test_id FROM job WHERE id = ? AND state = 'started'", "i", job_id));
    if (!test_id)
        return sql_refuse(store, error, "there is no such job, or it has ended already");
    FOR_EACH(const struct batch, batch, batches, count) {
        int64_t batch_id = 0;
        uint64_t arguments = 0;
        TRY(sql_expect_json(store, "draw", batch->draw, error));
        TRY(read_arguments(store, batch->draw, &arguments, error));
        TRY(sql_expect_json(store, "liveness", batch->liveness, error));
        TRY(sql_do(store, &batch_id, error,
                   "INSERT INTO batch (job_id, number, draw, arguments, instances, seconds, started, valid, invalid, "
                   "liveness) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id",
                   "iutuudditt", job_id, batch->number, batch->draw, arguments, batch->instances, batch->seconds,
                   batch->started, (int64_t)(batch->invalid == NULL), batch->invalid ? batch->invalid : "",
                   batch->liveness));
        TRY(insert_counts(store, batch_id, test_id, batch, error));
    }
    return lose_mark(store, job_id, batches, count, error);
}

enum status store_add_batches(struct store *store, int64_t job_id, const struct batch *batches, size_t count,
                              struct error *error)
{
    if (count == 0)
        return STATUS_OK;
    sql_doing(store, "storing batches %" PRIu64 " to %" PRIu64 " of job %" PRId64, batches[0].number,
              batches[count - 1].number, job_id);
    for (size_t i = 0; i < count; i++)
        TRY(refuse_sums(store, &batches[i], error));
    const uint64_t instances = sum_instances(batches, count);
    TRY(sums_expect_room(store, job_id, instances, error));
    TRY(SQL_TRANSACTION(store, error, insert_batches(store, job_id, batches, count, error)));
    struct store_sum *known = sums_find(store, job_id);
    if (known)
        known->instances += instances;
    return STATUS_OK;
}

/* ---- the plan of a run, and resuming it ---- */

/* tests: room for the ids of the jobs' tests. */
static enum status insert_plan(struct store *store, int64_t run_id, const char *options,
                               const struct store_planned *jobs, size_t count, int64_t *tests, struct error *error)
{
    int64_t environment_id = 0;
    TRY(sql_expect_json(store, "options", options, error));
    TRY(sql_do(store, NULL, error, "INSERT INTO plan (run_id, options) VALUES (?, ?)", "it", run_id, options));
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
    FREED int64_t *tests = memory_take(count, sizeof *tests);
    const enum status status = insert_plan(store, run_id, options, jobs, count, tests, error);
    return sql_end(store, status, error);
}

static enum status resume_run(struct store *store, int64_t run_id, const struct store_run *by, struct error *error)
{
    TRY(sql_expect_json(store, "environment_variables", by->environment_variables, error));
    TRY(sql_expect(store, error, "there is no such run",
                   "UPDATE run SET state = 'started', finished_at = NULL WHERE id = ? RETURNING id", "i", run_id));
    return sql_do(store, NULL, error,
                  "INSERT INTO resumption (run_id, tool_version, command_line, host, environment_variables, "
                  "started_at) VALUES (?, ?, ?, ?, ?, strftime('%Y-%m-%dT%H:%M:%fZ'))",
                  "itttt", run_id, by->tool_version, by->command_line, by->host, by->environment_variables);
}

enum status store_resume_run(struct store *store, int64_t run_id, const struct store_run *by, struct error *error)
{
    sql_doing(store, "taking up run %" PRId64, run_id);
    return SQL_TRANSACTION(store, error, resume_run(store, run_id, by, error));
}

static enum status resume_job(struct store *store, int64_t job_id, const struct store_device *device,
                              struct error *error)
{
    int64_t driver_id = 0;
    TRY(keep_driver(store, device, &driver_id, error));
    TRY(sql_expect(store, error, "there is no such job, or it has ended for good",
                   "UPDATE job SET state = 'started', reason = '', detail = '', seconds = NULL, finished_at = NULL, "
                   "driver_id = ? WHERE id = ? AND state IN ('started', 'interrupted', 'not-run') RETURNING id",
                   "ii", driver_id, job_id));
    TRY(sql_do(store, NULL, error,
               "DELETE FROM verdict WHERE judgement_id IN (SELECT id FROM judgement WHERE job_id = ?)", "i", job_id));
    return sql_do(store, NULL, error, "DELETE FROM judgement WHERE job_id = ?", "i", job_id);
}

enum status store_resume_job(struct store *store, int64_t job_id, const struct store_device *device,
                             struct error *error)
{
    sql_doing(store, "taking up job %" PRId64, job_id);
    return SQL_TRANSACTION(store, error, resume_job(store, job_id, device, error));
}

/* ---- the judgements of a job's outcomes: to the file, or only for one reader ---- */

static enum status insert_judgement(struct store *store, int64_t job_id, const struct store_judgement *judgement,
                                    struct error *error)
{
    int64_t id = 0;
    if (judgement->verdict_count == 0 && !*judgement->unjudged && !*judgement->cut)
        return sql_refuse(store, error, "there is neither a verdict nor a reason");
    if (judgement->verdict_count > 0 && *judgement->unjudged)
        return sql_refuse(store, error, "there are both verdicts and a reason for having none");
    TRY(sql_expect(store, error, "there is no such job", "SELECT id FROM job WHERE id = ?", "i", job_id));
    TRY(sql_do(store, NULL, error,
               "DELETE FROM verdict WHERE judgement_id IN (SELECT id FROM judgement WHERE job_id = ? AND role = ?)",
               "it", job_id, judgement->role));
    TRY(sql_do(store, NULL, error, "DELETE FROM judgement WHERE job_id = ? AND role = ?", "it", job_id,
               judgement->role));
    TRY(sql_do(store, &id, error,
               "INSERT INTO judgement (job_id, role, model, model_hash, mapping, unjudged, cut, racy) "
               "VALUES (?, ?, ?, ?, ?, ?, ?, ?) "
               "RETURNING id",
               "itttitti", job_id, judgement->role, judgement->model, judgement->model_hash,
               (int64_t)judgement->mapping, judgement->unjudged, judgement->cut, (int64_t)judgement->racy));
    FOR_EACH(const struct store_verdict, verdict, judgement->verdicts, judgement->verdict_count)
        TRY(sql_do(store, NULL, error, "INSERT INTO verdict (judgement_id, label, verdict, axiom) VALUES (?, ?, ?, ?)",
                   "ittt", id, verdict->label, verdict_word(verdict->verdict), verdict->axiom));
    return STATUS_OK;
}

enum status store_put_judgement(struct store *store, int64_t job_id, const struct store_judgement *judgement,
                                struct error *error)
{
    sql_doing(store, "storing the %s judgement of job %" PRId64, judgement->role, job_id);
    return SQL_TRANSACTION(store, error, insert_judgement(store, job_id, judgement, error));
}

/* ---- judgements for one reader ---- */

/* Temporary tables with the same names, filled from the file's, hide those of the file (SQLite searches temp first).
 * The views are created again as temporary views, because a view of the file sees only the file. So every read through
 * this store sees the new judgements, and the file does not change; it may be read-only. */
static enum status stand_before(struct store *store, struct error *error)
{
    LOCAL(text) sql = {0};
    int code =
        sqlite3_db_config(store->db, SQLITE_DBCONFIG_ENABLE_FKEY, 0, NULL); /* none can refer from temp to the file */
    schema_add_temporary(&sql);
    if (code == SQLITE_OK)
        code = sqlite3_exec(store->db, text_string(&sql), NULL, NULL, NULL);
    return code == SQLITE_OK ? STATUS_OK : sql_fail(store, code, error);
}

enum status store_rejudge(struct store *store, int64_t job_id, const struct store_judgement *judgement,
                          struct error *error)
{
    sql_doing(store, "keeping a new %s judgement of job %" PRId64 " in memory", judgement->role, job_id);
    if (store->writable)
        return error_set(error, STATUS_INTERNAL, "%s: was not opened for reading", store->path);
    TRY(sql_do(store, NULL, error, "BEGIN", ""));
    enum status status = store->judged_again ? STATUS_OK : stand_before(store, error);
    THEN(status, insert_judgement(store, job_id, judgement, error));
    status = sql_end(store, status, error);
    store->judged_again |= status == STATUS_OK;
    return status;
}

const char *store_path(const struct store *store)
{
    return store->path;
}

void store_note_change(struct store *store, const struct store_change *change)
{
    struct arena *arena = &store->arena;
    struct store_change *kept = &ARENA_ADD(arena, store->changes, store->change_count);
    *kept = *change;
    kept->model = arena_copy(arena, change->model);
    kept->stored_hash = arena_copy(arena, change->stored_hash);
    kept->hash = arena_copy(arena, change->hash);
    kept->why = arena_copy(arena, change->why);
}

const struct store_change *store_changes(const struct store *store, size_t *count)
{
    *count = store->change_count;
    return store->changes;
}

/* ---- the texts of a database, for a copy that is to be shared ---- */

static const struct {
    const char *table;
    enum store_text kind;
    const char *columns; /* "hash, text" */
} rows[] = {
#define TEXT_ROW(table, kind, ...) {#table, STORE_TEXT_##kind, #__VA_ARGS__},
    STORE_TEXT_LIST(TEXT_ROW)};

struct text_visit {
    struct store *store;
    store_text_visitor *visit;
    void *data;
};

static enum status visit_text(const struct text_visit *visit, const char *table, const char *column,
                              enum store_text kind, const char *old, struct error *error)
{
    LOCAL(text) text = {0};
    const char *const place = PRINTED(64, "%s.%s", table, column);
    const char *const sql = PRINTED(160, "UPDATE %s SET %s = ? WHERE %s = ?", table, column, column);
    text_add(&text, "%s", old);
    TRY(visit->visit(kind, place, &text, visit->data, error));
    if (strcmp(text_string(&text), old) != 0)
        return kind == STORE_TEXT_FIXED
                   ? error_set(error, STATUS_INTERNAL, "%s: a text of %s cannot change", visit->store->path, place)
                   : sql_do(visit->store, NULL, error, sql, "tt", text_string(&text), old);
    return STATUS_OK;
}

/* The texts are read before the first one changes. */
static enum status visit_column(const struct text_visit *visit, const char *table, const char *column,
                                enum store_text kind, struct error *error)
{
    LOCAL(arena) arena = {0};
    const char **texts = NULL;
    size_t count = 0;
    const char *const sql = PRINTED(160, "SELECT DISTINCT %s FROM %s WHERE %s <> ''", column, table, column);
    struct sql_rows found = sql_rows(visit->store, error, sql, "");
    while (sql_row(&found))
        ARENA_ADD(&arena, texts, count) = arena_copy(&arena, sql_text(found.statement, 0));
    TRY(sql_end_rows(&found));
    for (size_t i = 0; i < count; i++)
        TRY(visit_text(visit, table, column, kind, texts[i], error));
    return STATUS_OK;
}

static enum status visit_all(const struct text_visit *visit, struct error *error)
{
    for (size_t i = 0; i < COUNT(rows); i++)
        for (const char *at = rows[i].columns, *end; *at; at = end + strspn(end, ", ")) {
            end = at + strcspn(at, ",");
            const char *const column = PRINTED(64, "%.*s", (int)(end - at), at);
            TRY(visit_column(visit, rows[i].table, column, rows[i].kind, error));
        }
    return STATUS_OK;
}

enum status store_visit_texts(struct store *store, store_text_visitor *visit, void *data, struct error *error)
{
    const struct text_visit visiting = {store, visit, data};
    sql_doing(store, "leaving names out");
    return SQL_TRANSACTION(store, error, visit_all(&visiting, error));
}

enum status store_forget(struct store *store, struct error *error)
{
    sql_doing(store, "forgetting merges and messages of compilers");
    TRY(sql_begin(store, error));
    enum status status =
        sql_do(store, NULL, error, "DELETE FROM merge WHERE id NOT IN (SELECT max(id) FROM merge GROUP BY run_id)", "");
    THEN(status, sql_do(store, NULL, error,
                        "UPDATE job SET detail = '', reason = iif(state = 'build-failed', 'the compiler refused the "
                        "header', reason) WHERE instr(lowering, '+')",
                        ""));
    return sql_end(store, status, error);
}

enum status store_save(struct store *store, const char *path, struct error *error)
{
    sql_doing(store, "writing a copy to %.100s", path);
    return sql_do(store, NULL, error, "VACUUM INTO ?", "t", path);
}
