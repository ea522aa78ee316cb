// SPDX-License-Identifier: Apache-2.0
/* Merges run by run, each in its own transaction. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "results/columns.h"
#include "results/merge/merge.h"
#include "results/soundness.h"

enum status merge_refuse(const struct merge *merge, struct error *error, const char *why, ...)
{
    char text[600];
    va_list arguments;
    va_start(arguments, why);
    (void)vsnprintf(text, sizeof text, why, arguments);
    va_end(arguments);
    return error_set(error, STATUS_DATABASE, "%s: %s", merge->from, text);
}

/* ---- a run ---- */

/* A run that is still being written, or whose process was killed; the file does not show which. */
static enum status refuse_unfinished(struct merge *merge, int64_t from_run, struct error *error)
{
    int64_t open = 0;
    TRY(sql_do(merge->into, &open, error, "SELECT state = 'started' FROM source.run WHERE id = ?", "i", from_run));
    return open && !merge->options->unfinished
               ? error_set(error, STATUS_USAGE,
                           "%s: run %" PRId64
                           " has not ended, or was killed: wait for it, or use --unfinished to merge what it has",
                           merge->from, from_run)
               : STATUS_OK;
}

static enum status refuse_sums(struct merge *merge, int64_t from_run, struct error *error)
{
    int64_t job = 0;
    TRY(sql_do(merge->into, &job, error,
               "SELECT b.job_id FROM source.job j JOIN source.batch b ON b.job_id = j.id WHERE j.run_id = ? "
               "AND b.instances <> coalesce((SELECT sum(c.count) FROM source.outcome_count c JOIN source.outcome o "
               "ON o.id = c.outcome_id WHERE c.batch_id = b.id), 0) "
               "+ coalesce((SELECT sum(count) FROM source.void_count WHERE batch_id = b.id), 0) LIMIT 1",
               "i", from_run));
    return job ? merge_refuse(merge, error, "is damaged: a batch of job %" PRId64 " does not add up", job) : STATUS_OK;
}

static enum status refuse_counts(struct merge *merge, int64_t from_run, struct error *error)
{
    int64_t job = 0;
    TRY(sql_do(merge->into, &job, error,
               "SELECT b.job_id FROM source.job j JOIN source.batch b ON b.job_id = j.id WHERE j.run_id = ? "
               "GROUP BY b.job_id HAVING sum(b.instances) > ? LIMIT 1",
               "iu", from_run, STORE_JOB_INSTANCES_MAX));
    return job ? merge_refuse(merge, error, "is damaged: job %" PRId64 " has more than 2^60 instances", job)
               : STATUS_OK;
}

static enum status merge_jobs(struct merge *merge, int64_t from_run, int64_t to_run, struct store_merge_tally *tally,
                              struct error *error)
{
    sqlite3_stmt *statement = NULL;
    bool row = false;
    TRY(sql_open(merge->into, &statement, error, "SELECT id FROM source.job WHERE run_id = ? ORDER BY id", "i",
                 from_run));
    enum status status = sql_next(merge->into, statement, &row, error);
    while (row && status == STATUS_OK) {
        bool is_new = false;
        uint64_t batches = 0;
        status = merge_job(merge, sqlite3_column_int64(statement, 0), to_run, &is_new, &batches, error);
        tally->jobs += is_new;
        tally->batches += batches;
        if (status == STATUS_OK)
            status = sql_next(merge->into, statement, &row, error);
    }
    sql_done(statement);
    return status;
}

/* The parts left out, as a JSON array for v_merge. */
static void add_left_out(unsigned leave_out, struct text *text)
{
    static const struct {
        unsigned bit;
        const char *word;
    } words[] = {{STORE_LEAVE_KERNELS, "kernels"},
                 {STORE_LEAVE_BINARIES, "binaries"},
                 {STORE_LEAVE_LOGS, "logs"},
                 {STORE_LEAVE_DRAWS, "draws"}};
    text_add(text, "[");
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (leave_out & words[i].bit)
            text_add(text, "%s\"%s\"", text->size > 1 ? "," : "", words[i].word);
    text_add(text, "]");
}

#define ORIGIN_COLUMNS "source, host, tool_version, merged_at, jobs, batches, left_out"

/* Records where the run came from: what the source knows about that, and the source itself. */
static enum status keep_origin(struct merge *merge, int64_t from_run, int64_t to_run,
                               const struct store_merge_tally *brought, struct error *error)
{
    struct text left_out = {0};
    TRY(sql_do(merge->into, NULL, error,
               "INSERT INTO main.merge (run_id, " ORIGIN_COLUMNS ") SELECT ?, " ORIGIN_COLUMNS " FROM source.merge "
               "WHERE run_id = ? ORDER BY id ON CONFLICT (run_id, source, host, merged_at) DO NOTHING",
               "ii", to_run, from_run));
    char *path = realpath(merge->from, NULL);
    add_left_out(merge->options->leave_out, &left_out);
    const enum status status =
        sql_do(merge->into, NULL, error,
               "INSERT INTO main.merge (run_id, source, host, tool_version, merged_at, jobs, batches, left_out) "
               "VALUES (?, ?, ?, ?, strftime('%Y-%m-%dT%H:%M:%fZ'), ?, ?, ?) ON CONFLICT (run_id, source, host, "
               "merged_at) DO UPDATE SET jobs = jobs + excluded.jobs, batches = batches + excluded.batches",
               "itttuut", to_run, path ? path : merge->from, merge->options->host, merge->options->tool_version,
               brought->jobs, brought->batches, text_string(&left_out));
    text_release(&left_out);
    free(path);
    return status;
}

/* Shards share no job. last: the last job that the target had before the merge. */
static enum status refuse_twins(struct merge *merge, int64_t to_run, int64_t last, struct error *error)
{
    int64_t twin = 0;
    TRY(sql_do(
        merge->into, &twin, error,
        "SELECT b.id FROM main.job b JOIN main.job a ON a.key = b.key AND a.test_id = b.test_id "
        "AND a.driver_id = b.driver_id AND a.controls = b.controls AND a.lowering = b.lowering AND a.replicate = b.replicate "
        "AND a.run_id = b.run_id AND a.id <= ?2 WHERE b.run_id = ?1 AND b.id > ?2 LIMIT 1",
        "ii", to_run, last));
    return twin ? error_set(
                      error, STATUS_USAGE,
                      "%s: two of the runs have the same test on the same device, so they are not shards of one run",
                      merge->from)
                : STATUS_OK;
}

static enum status merge_run_rows(struct merge *merge, int64_t from_run, struct store_merge_tally *tally,
                                  struct error *error)
{
    int64_t to_run = 0, last = 0;
    bool is_new = false;
    struct store_merge_tally brought = {0};
    TRY(refuse_unfinished(merge, from_run, error));
    TRY(refuse_sums(merge, from_run, error));
    TRY(refuse_counts(merge, from_run, error));
    const sqlite3_int64 before = sqlite3_total_changes64(merge->into->db);
    TRY(sql_do(merge->into, &last, error, "SELECT max(id) FROM main.job", ""));
    TRY(merge_run_row(merge, from_run, &to_run, &is_new, error));
    TRY(merge_jobs(merge, from_run, to_run, &brought, error));
    if (merge->options->one_run && is_new)
        TRY(refuse_twins(merge, to_run, last, error));
    const bool changed = sqlite3_total_changes64(merge->into->db) != before;
    if (changed)
        TRY(keep_origin(merge, from_run, to_run, &brought, error));
    if (merge->options->one_run)
        merge->one_run = to_run;
    *tally = brought;
    tally->runs_new = is_new;
    tally->runs_grown = changed && !is_new;
    tally->runs_same = !changed;
    return STATUS_OK;
}

static enum status merge_run(struct merge *merge, int64_t from_run, struct store_merge_tally *tally,
                             struct error *error)
{
    struct store_merge_tally brought = {0};
    sql_doing(merge->into, "merging run %" PRId64 " of %.100s", from_run, merge->from);
    TRY(sql_begin(merge->into, error));
    TRY(sql_end(merge->into, merge_run_rows(merge, from_run, &brought, error), error));
    if (merge->options->one_run)
        *merge->options->one_run = merge->one_run;
    tally->runs_new += brought.runs_new;
    tally->runs_grown += brought.runs_grown;
    tally->runs_same += brought.runs_same;
    tally->jobs += brought.jobs;
    tally->batches += brought.batches;
    return STATUS_OK;
}

/* ---- the file ---- */

static enum status expect_run(struct merge *merge, int64_t run, struct error *error)
{
    int64_t there = 0, last = 0;
    TRY(sql_do(merge->into, &there, error, "SELECT count(*) FROM source.run WHERE id = ?", "i", run));
    TRY(sql_do(merge->into, &last, error, "SELECT max(id) FROM source.run", ""));
    return there ? STATUS_OK
                 : error_set(error, STATUS_USAGE, "%s: there is no run %" PRId64 "; the last one is %" PRId64,
                             merge->from, run, last);
}

/* Calls act for every wanted run. The runs of a file are queried one by one, because no statement
 * may be open when a transaction ends. */
static enum status each_run(struct merge *merge, struct store_merge_tally *tally,
                            enum status (*act)(struct merge *merge, int64_t run, struct store_merge_tally *tally,
                                               struct error *error),
                            struct error *error)
{
    const struct store_merge_options *options = merge->options;
    int64_t run = 0;
    for (size_t i = 0; i < options->run_count; i++)
        TRY(expect_run(merge, options->runs[i], error));
    for (size_t i = 0; i < options->run_count; i++)
        TRY(act(merge, options->runs[i], tally, error));
    if (options->run_count > 0)
        return STATUS_OK;
    TRY(sql_do(merge->into, &run, error, "SELECT min(id) FROM source.run", ""));
    while (run) {
        TRY(act(merge, run, tally, error));
        TRY(sql_do(merge->into, &run, error, "SELECT min(id) FROM source.run WHERE id > ?", "i", run));
    }
    return STATUS_OK;
}

static enum status merge_runs(struct merge *merge, struct store_merge_tally *tally, struct error *error)
{
    TRY(each_run(merge, tally, merge_run, error));
    return merge_calibrations(merge, error);
}

static enum status find_run(struct merge *merge, int64_t from_run, struct store_merge_tally *tally, struct error *error)
{
    (void)tally;
    return merge->one_run ? STATUS_OK : merge_find_run(merge, from_run, &merge->one_run, error);
}

static enum status find_runs(struct merge *merge, struct store_merge_tally *tally, struct error *error)
{
    return each_run(merge, tally, find_run, error);
}

static bool same_file(const struct store *into, const char *from)
{
    struct stat a, b;
    return stat(into->path, &a) == 0 && stat(from, &b) == 0 && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

/* The whole target is checked when the first file is merged into it, because a merge reads much of
 * it. */
static enum status expect_target(struct store *into, struct error *error)
{
    if (into->expected_pages)
        return STATUS_OK;
    TRY(soundness_expect_pages(into, error));
    into->expected_pages = true;
    return STATUS_OK;
}

/* Opens the source and calls act for it. Refuses what store_open refuses; opening repairs what an
 * interrupted writer left. */
static enum status with_source(struct merge *merge, struct store_merge_tally *tally,
                               enum status (*act)(struct merge *merge, struct store_merge_tally *tally,
                                                  struct error *error),
                               struct error *error)
{
    struct store *source = NULL;
    if (same_file(merge->into, merge->from))
        return error_set(error, STATUS_USAGE, "%s: is the target of the merge", merge->from);
    TRY(expect_target(merge->into, error));
    TRY(store_open(merge->from, STORE_READ, &source, error));
    enum status status = columns_expect_tables(source, error); /* rows are copied unchanged */
    if (status == STATUS_OK)
        status = merge_attach(merge, source, error);
    if (status == STATUS_OK) {
        status = act(merge, tally, error);
        merge_detach(merge);
    }
    store_close(source);
    return status;
}

enum status store_merge(struct store *into, const char *from, const struct store_merge_options *options,
                        struct store_merge_tally *tally, struct error *error)
{
    struct merge merge = {.into = into, .from = from, .options = options};
    return with_source(&merge, tally, merge_runs, error);
}

enum status store_merge_find(struct store *into, const char *from, const struct store_merge_options *options,
                             int64_t *run_id, struct error *error)
{
    struct merge merge = {.into = into, .from = from, .options = options};
    int64_t any = 0;
    *run_id = 0;
    sql_doing(into, "looking for its runs");
    TRY(sql_do(into, &any, error, "SELECT EXISTS (SELECT 1 FROM main.run)", ""));
    if (!any)
        return STATUS_OK;
    TRY(with_source(&merge, NULL, find_runs, error));
    *run_id = merge.one_run;
    return STATUS_OK;
}
