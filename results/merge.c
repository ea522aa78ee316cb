// SPDX-License-Identifier: Apache-2.0
/* Merges run by run, each in its own transaction. The source file is attached to the target's connection as "source",
 * for reading only; the target is "main". Every statement names one of the two. */
#include <sys/stat.h>

#include "base/hash.h"
#include "results/soundness.h"

/* The columns of a run, or of a part that was a run, that a merge copies unchanged. */
#define MERGE_RUN_COLUMNS                                                                                              \
    "uuid, tool_version, command_line, host, environment_variables, seed, state, started_at, finished_at"

/* The last known event of a run in one of the two schemas: its own start or end, or a job's. At equal times, the end of
 * the run is later. */
#define LAST_EVENT(schema)                                                                                             \
    "(SELECT max(r.started_at, coalesce(r.finished_at, ''), coalesce((SELECT max(coalesce(finished_at, started_at)) "  \
    "FROM " schema ".job WHERE run_id = r.id), '')) || iif(r.finished_at IS NULL, '', '+') "                           \
    "FROM " schema ".run r WHERE r.id = ?)"

/* An existing part is updated. */
#define PART_KNOWN                                                                                                     \
    " ON CONFLICT (uuid) DO UPDATE SET state = excluded.state, finished_at = excluded.finished_at "                    \
    "WHERE coalesce(excluded.finished_at, '') > coalesce(part.finished_at, '')"

struct merge {
    struct store *into;
    const char *from; /* as the caller wrote it, for messages */
    const struct store_merge_options *options;
    int64_t one_run; /* with options->one_run: its new value once the transaction has been committed */
};

/* Merges the row of a run. Two copies of a run may show it at different times; the copy that saw more determines the
 * state. Runs that became one run of the target are its parts: each keeps its row, and together they determine the
 * state of that run. */

/* The target's run that a run of the source is, or is a part of; 0 if there is none. */
static enum status merge_find_run(struct merge *merge, int64_t from_run, int64_t *to_run, struct error *error)
{
    TRY(sql_do(merge->into, to_run, error,
               "SELECT t.id FROM source.run f JOIN main.run t ON t.uuid = f.uuid WHERE f.id = ?", "i", from_run));
    return *to_run ? STATUS_OK
                   : sql_do(merge->into, to_run, error,
                            "SELECT t.run_id FROM source.run f JOIN main.part t ON t.uuid = f.uuid WHERE f.id = ?", "i",
                            from_run);
}

#define HAS_PARTS(schema) "SELECT EXISTS (SELECT 1 FROM " schema ".part WHERE run_id = ?)"

/* A run with parts gets its state from them, and lasts from their first start to their last end. */
#define SUM_PARTS(parts)                                                                                               \
    "UPDATE main.run SET (state, started_at, finished_at) = (SELECT "                                                  \
    "CASE WHEN max(state = 'started') THEN 'started' WHEN max(state = 'failed') THEN 'failed' "                        \
    "WHEN max(state = 'interrupted') THEN 'interrupted' ELSE 'completed' END, min(started_at), "                       \
    "iif(max(state = 'started'), NULL, max(finished_at)) FROM " parts ") WHERE id = ?1"

/* The same if parts were only added, after the part `last`. The run's row sums up the earlier parts, so the time that a
 * shard takes does not grow with their number. */
static enum status sum_new_parts(struct merge *merge, int64_t to_run, int64_t last, struct error *error)
{
    return sql_do(merge->into, NULL, error,
                  SUM_PARTS("(SELECT state, started_at, finished_at FROM main.run WHERE id = ?1 UNION ALL "
                            "SELECT state, started_at, finished_at FROM main.part WHERE run_id = ?1 AND id > ?2)"),
                  "ii", to_run, last);
}

/* Keeps the run of the source, or its parts, as parts of the target's run. joins: that run already has parts, and its
 * row is their sum. */
static enum status keep_parts(struct merge *merge, int64_t from_run, int64_t to_run, bool joins, struct error *error)
{
    int64_t parts = 0, last = 0, added = 0;
    const sqlite3_int64 before = sqlite3_total_changes64(merge->into->db);
    TRY(sql_do(merge->into, &last, error, "SELECT coalesce(max(id), 0) FROM main.part", ""));
    TRY(sql_do(merge->into, &parts, error, HAS_PARTS("source"), "i", from_run));
    if (parts > 0)
        /* A run of the target that is not a part stays one. */
        TRY(sql_do(
            merge->into, NULL, error,
            "INSERT INTO main.part (run_id, " MERGE_RUN_COLUMNS ") SELECT ?1, " MERGE_RUN_COLUMNS " FROM source.part f "
            "WHERE run_id = ?2 AND NOT EXISTS (SELECT 1 FROM main.run WHERE uuid = f.uuid AND id <> ?1)" PART_KNOWN,
            "ii", to_run, from_run));
    else
        TRY(sql_do(merge->into, NULL, error,
                   "INSERT INTO main.part (run_id, " MERGE_RUN_COLUMNS ") SELECT ?, " MERGE_RUN_COLUMNS
                   " FROM source.run "
                   "WHERE id = ?" PART_KNOWN,
                   "ii", to_run, from_run));
    const sqlite3_int64 changes = sqlite3_total_changes64(merge->into->db) - before;
    TRY(sql_do(merge->into, &added, error, "SELECT count(*) FROM main.part WHERE id > ?", "i", last));
    if (changes == 0)
        return STATUS_OK;
    return joins && added == changes
               ? sum_new_parts(merge, to_run, last, error)
               : sql_do(merge->into, NULL, error, SUM_PARTS("main.part WHERE run_id = ?1"), "i", to_run);
}

static enum status insert_run(struct merge *merge, int64_t from_run, int64_t *to_run, struct error *error)
{
    int64_t parts = 0;
    TRY(sql_do(merge->into, to_run, error,
               "INSERT INTO main.run (" MERGE_RUN_COLUMNS ") SELECT " MERGE_RUN_COLUMNS " FROM source.run WHERE id = ? "
               "RETURNING id",
               "i", from_run));
    TRY(sql_do(merge->into, &parts, error, HAS_PARTS("source"), "i", from_run));
    return parts > 0 ? keep_parts(merge, from_run, *to_run, false, error) : STATUS_OK;
}

/* Makes the run a part of the target's run to_run, which becomes the first of its own parts. */
static enum status join_run(struct merge *merge, int64_t from_run, int64_t to_run, struct error *error)
{
    int64_t same = 0, parts = 0;
    TRY(sql_do(
        merge->into, &same, error,
        "SELECT count(*) FROM source.run f JOIN main.run t ON t.seed = f.seed AND t.tool_version = f.tool_version "
        "WHERE f.id = ? AND t.id = ?",
        "ii", from_run, to_run));
    if (!same)
        return error_set(error, STATUS_USAGE,
                         "%s: run %" PRId64 " and run %" PRId64
                         " of %s have different seeds or versions of orchil, so they are not shards of one run",
                         merge->from, from_run, to_run, merge->into->path);
    TRY(sql_do(merge->into, &parts, error, HAS_PARTS("main"), "i", to_run));
    if (parts == 0)
        TRY(sql_do(merge->into, NULL, error,
                   "INSERT INTO main.part (run_id, " MERGE_RUN_COLUMNS ") SELECT id, " MERGE_RUN_COLUMNS
                   " FROM main.run "
                   "WHERE id = ?",
                   "i", to_run));
    return keep_parts(merge, from_run, to_run, true, error);
}

static enum status update_run(struct merge *merge, int64_t from_run, int64_t to_run, struct error *error)
{
    int64_t from_parts = 0, to_parts = 0, later = 0;
    TRY(sql_do(merge->into, &from_parts, error, HAS_PARTS("source"), "i", from_run));
    TRY(sql_do(merge->into, &to_parts, error, HAS_PARTS("main"), "i", to_run));
    if (from_parts + to_parts > 0)
        return keep_parts(merge, from_run, to_run, false, error);
    TRY(sql_do(merge->into, &later, error, "SELECT " LAST_EVENT("source") " > " LAST_EVENT("main"), "ii", from_run,
               to_run));
    return later ? sql_do(merge->into, NULL, error,
                          "UPDATE main.run SET (" MERGE_RUN_COLUMNS ") = (SELECT " MERGE_RUN_COLUMNS
                          " FROM source.run WHERE id = ?) WHERE id = ?",
                          "ii", from_run, to_run)
                 : STATUS_OK;
}

static enum status place_run(struct merge *merge, int64_t from_run, int64_t *to_run, bool *is_new, struct error *error)
{
    const int64_t one = merge->options->one_run ? *merge->options->one_run : 0;
    TRY(merge_find_run(merge, from_run, to_run, error));
    *is_new = *to_run == 0;
    if (*to_run && one && *to_run != one)
        return error_set(error, STATUS_USAGE,
                         "%s: run %" PRId64 " was merged before as run %" PRId64
                         " of %s, and the others as run %" PRId64 ": they cannot become one run",
                         merge->from, from_run, *to_run, merge->into->path, one);
    if (*to_run)
        return update_run(merge, from_run, *to_run, error);
    if (!one)
        return insert_run(merge, from_run, to_run, error);
    *to_run = one;
    return join_run(merge, from_run, one, error);
}

/* STATUS_DATABASE: the source contradicts itself or the target. why completes "FILE: ". */
static enum status merge_refuse(const struct merge *merge, struct error *error, const char *why, ...)
{
    char text[600];
    va_list arguments;
    va_start(arguments, why);
    (void)vsnprintf(text, sizeof text, why, arguments);
    va_end(arguments);
    return error_set(error, STATUS_DATABASE, "%s: %s", merge->from, text);
}

/* Matches rows by content: texts, devices, drivers, tests and environments of the source and the target. */

/* The target's id for a text, a driver, a test or an environment of the source, which is stored if it is new. */
static enum status merge_content(struct merge *merge, int64_t from, int64_t *to, struct error *error)
{
    TRY(sql_do(merge->into, to, error,
               "SELECT t.id FROM source.content f JOIN main.content t ON t.hash = f.hash WHERE f.id = ?", "i", from));
    if (*to)
        return STATUS_OK;
    /* A text that was damaged on a bad disk, so that it does not match its hash, must not spread. */
    struct sql_rows rows =
        sql_rows(merge->into, error, "SELECT hash, text FROM source.content WHERE id = ?", "i", from);
    while (sql_row(&rows)) {
        char hash[HASH_HEX_SIZE];
        const char *text = sql_text(rows.statement, 1), *stored = sql_text(rows.statement, 0);
        hash_hex(text, strlen(text), hash); /* a text that contains a NUL fails too, because it is cut */
        if (strcmp(hash, stored) != 0)
            rows.status = merge_refuse(merge, error, "is damaged: the text %s does not have that hash", stored);
    }
    TRY(sql_end_rows(&rows));
    return sql_do(merge->into, to, error,
                  "INSERT INTO main.content (hash, text) SELECT hash, text FROM source.content WHERE id = ? "
                  "RETURNING id",
                  "i", from);
}

/* MATCH: the target's row that equals a row of the source in these columns. BRING copies that row; BRING_WITH also sets
 * another column to an id of the target. */
#define MATCH(table, columns) "SELECT t.id FROM source." table " f JOIN main." table " t USING (" columns ") "
#define BRING(table, columns) "INSERT INTO main." table " (" columns ") SELECT " columns " FROM source." table " "
#define BRING_WITH(table, other, columns)                                                                              \
    "INSERT INTO main." table " (" other ", " columns ") SELECT ?, " columns " FROM source." table " "
#define DEVICE_COLUMNS "uuid, name, vendor, architecture, gpu, compute_units"
#define DRIVER_COLUMNS "backend, platform, version, compiler, capabilities"
#define TEST_COLUMNS "hash, dialect, name, condition, doc"

static enum status merge_device(struct merge *merge, int64_t from, int64_t *to, struct error *error)
{
    TRY(sql_do(merge->into, to, error, MATCH("device", DEVICE_COLUMNS) "WHERE f.id = ?", "i", from));
    return *to ? STATUS_OK
               : sql_do(merge->into, to, error, BRING("device", DEVICE_COLUMNS) "WHERE id = ? RETURNING id", "i", from);
}

static enum status merge_test(struct merge *merge, int64_t from, int64_t *to, struct error *error)
{
    int64_t from_text = 0, text = 0;
    TRY(sql_do(merge->into, &from_text, error, "SELECT text_id FROM source.test WHERE id = ?", "i", from));
    TRY(merge_content(merge, from_text, &text, error));
    TRY(sql_do(merge->into, to, error, MATCH("test", TEST_COLUMNS) "WHERE t.text_id = ? AND f.id = ?", "ii", text,
               from));
    return *to ? STATUS_OK
               : sql_do(merge->into, to, error, BRING_WITH("test", "text_id", TEST_COLUMNS) "WHERE id = ? RETURNING id",
                        "ii", text, from);
}

static enum status merge_environment(struct merge *merge, int64_t from, int64_t *to, struct error *error)
{
    int64_t same = 0;
    TRY(sql_do(merge->into, to, error,
               "SELECT t.id FROM source.environment f JOIN main.environment t ON t.hash = f.hash WHERE f.id = ?", "i",
               from));
    if (!*to)
        return sql_do(merge->into, to, error, BRING("environment", "hash, text") "WHERE id = ? RETURNING id", "i",
                      from);
    TRY(sql_do(merge->into, &same, error,
               "SELECT count(*) FROM source.environment f JOIN main.environment t ON t.text = f.text "
               "WHERE f.id = ? AND t.id = ?",
               "ii", from, *to));
    return same ? STATUS_OK
                : merge_refuse(merge, error, "an environment has the hash of another one in '%s'", merge->into->path);
}

/* The columns that are copied unchanged: references are not among them, and a batch's draw may be left out. */
#define JOB_COLUMNS                                                                                                      \
    "uuid, profile, key, seed, replicate, controls, lowering, state, reason, detail, seconds, started_at, finished_at, " \
    "circumstances, target_instances, batch_instances"
#define BUILD_COLUMNS "kernel_hash, seconds, resident_groups, marks, kept, kept_reason"
#define JUDGEMENT_COLUMNS "role, model, model_hash, mapping, unjudged, cut, racy"
#define BATCH_COLUMNS "number, arguments, instances, seconds, started, valid, liveness, invalid"

struct merged_job {
    int64_t from, to; /* ids of the job */
    int64_t test;     /* the target's id */
};

/* Merges a job. Jobs with the same UUID are the same job at different times. A job only gains batches, a build,
 * judgements and an end, so what the target lacks is added. Nothing else changes except what was open or left out, and
 * the judgements, which a resumed job gets again. */

/* ---- a job ---- */

static enum status find_driver(struct merge *merge, const struct merged_job *job, int64_t *driver, struct error *error)
{
    int64_t from = 0;
    TRY(sql_do(merge->into, &from, error, "SELECT driver_id FROM source.job WHERE id = ?", "i", job->from));
    int64_t from_device = 0, device = 0;
    TRY(sql_do(merge->into, &from_device, error, "SELECT device_id FROM source.driver WHERE id = ?", "i", from));
    TRY(merge_device(merge, from_device, &device, error));
    TRY(sql_do(merge->into, driver, error, MATCH("driver", DRIVER_COLUMNS) "WHERE t.device_id = ? AND f.id = ?", "ii",
               device, from));
    return *driver ? STATUS_OK
                   : sql_do(merge->into, driver, error,
                            BRING_WITH("driver", "device_id", DRIVER_COLUMNS) "WHERE id = ? RETURNING id", "ii", device,
                            from);
}

static enum status insert_job(struct merge *merge, struct merged_job *job, int64_t to_run, struct error *error)
{
    int64_t from_environment = 0, driver = 0, environment = 0;
    TRY(sql_do(merge->into, &from_environment, error, "SELECT environment_id FROM source.job WHERE id = ?", "i",
               job->from));
    TRY(find_driver(merge, job, &driver, error));
    TRY(merge_environment(merge, from_environment, &environment, error));
    return sql_do(merge->into, &job->to, error,
                  "INSERT INTO main.job (run_id, driver_id, test_id, environment_id, " JOB_COLUMNS ") "
                  "SELECT ?, ?, ?, ?, " JOB_COLUMNS " FROM source.job WHERE id = ? RETURNING id",
                  "iiiii", to_run, driver, job->test, environment, job->from);
}

/* What never changes in a job must be equal. */
static enum status expect_same(struct merge *merge, const struct merged_job *job, struct error *error)
{
    int64_t same = 0, number = 0;
    TRY(sql_do(
        merge->into, &same, error,
        "SELECT count(*) FROM source.job f JOIN main.job t ON t.id = ? AND t.key = f.key AND t.seed = f.seed "
        "AND t.replicate = f.replicate AND t.controls = f.controls AND t.lowering = f.lowering AND t.test_id = ? WHERE f.id = ?",
        "iii", job->to, job->test, job->from));
    if (!same)
        return merge_refuse(merge, error,
                            "job %" PRId64 " has the UUID of another job, %" PRId64 " of %s: one of them was changed",
                            job->from, job->to, merge->into->path);
    TRY(sql_do(merge->into, &number, error,
               "SELECT 1 + f.number FROM source.batch f JOIN main.batch t ON t.job_id = ? AND t.number = f.number "
               "WHERE f.job_id = ? AND (t.instances <> f.instances OR t.valid <> f.valid OR t.started <> f.started "
               "OR t.seconds <> f.seconds) ORDER BY f.number LIMIT 1",
               "ii", job->to, job->from));
    return number == 0 ? STATUS_OK
                       : merge_refuse(merge, error,
                                      "batch %" PRId64 " of job %" PRId64 " differs from the same batch of job %" PRId64
                                      " in %s: the job was resumed in two copies of a database, and only one of "
                                      "them can be merged",
                                      number - 1, job->from, job->to, merge->into->path);
}

/* The later end wins: it ends a job that was open, or that was stopped and resumed. A resumed job may have another
 * driver and new judgements. */
static enum status update_job(struct merge *merge, const struct merged_job *job, struct error *error)
{
    int64_t later = 0, driver = 0;
    TRY(sql_do(merge->into, &later, error,
               "SELECT coalesce(f.finished_at, '') > coalesce(t.finished_at, '') FROM source.job f JOIN main.job t "
               "ON t.id = ? WHERE f.id = ?",
               "ii", job->to, job->from));
    if (!later)
        return STATUS_OK;
    TRY(find_driver(merge, job, &driver, error));
    TRY(sql_do(merge->into, NULL, error,
               "UPDATE main.job SET driver_id = ?, (" JOB_COLUMNS ") = (SELECT " JOB_COLUMNS " FROM source.job "
               "WHERE id = ?) WHERE id = ?",
               "iii", driver, job->from, job->to));
    TRY(sql_do(
        merge->into, NULL, error,
        "UPDATE main.build AS t SET kept = f.kept, kept_reason = f.kept_reason, marks = f.marks FROM source.build f "
        "WHERE f.job_id = ? AND t.job_id = ?",
        "ii", job->from, job->to)); /* the other columns stay: a resumed job keeps its first build */
    TRY(sql_do(merge->into, NULL, error,
               "DELETE FROM main.verdict WHERE judgement_id IN (SELECT id FROM main.judgement WHERE job_id = ?)", "i",
               job->to));
    return sql_do(merge->into, NULL, error, "DELETE FROM main.judgement WHERE job_id = ?", "i", job->to);
}

static enum status keep_build_text(struct merge *merge, unsigned bit, int64_t from, int64_t *to, struct error *error)
{
    return merge->options->leave_out & bit ? keep_content(merge->into, "", to, error)
                                           : merge_content(merge, from, to, error);
}

/* A build that was merged without its texts gets those that are not left out now. */
static enum status complete_build(struct merge *merge, int64_t job, const int64_t texts[3], int64_t nothing,
                                  struct error *error)
{
    return sql_do(merge->into, NULL, error,
                  "UPDATE main.build SET kernel_id = iif(kernel_id = ?1, ?2, kernel_id), "
                  "binary_id = iif(binary_id = ?1, ?3, binary_id), log_id = iif(log_id = ?1, ?4, log_id) "
                  "WHERE job_id = ?5 AND (kernel_id = ?1 AND ?2 <> ?1 OR binary_id = ?1 AND ?3 <> ?1 "
                  "OR log_id = ?1 AND ?4 <> ?1)",
                  "iiiii", nothing, texts[0], texts[1], texts[2], job);
}

static enum status merge_build(struct merge *merge, const struct merged_job *job, struct error *error)
{
    int64_t from[3] = {0}, to[3] = {0}, built = 0, nothing = 0;
    TRY(sql_do(merge->into, &from[0], error, "SELECT kernel_id FROM source.build WHERE job_id = ?", "i", job->from));
    TRY(sql_do(merge->into, &from[1], error, "SELECT binary_id FROM source.build WHERE job_id = ?", "i", job->from));
    TRY(sql_do(merge->into, &from[2], error, "SELECT log_id FROM source.build WHERE job_id = ?", "i", job->from));
    TRY(sql_do(merge->into, &built, error, "SELECT count(*) FROM main.build WHERE job_id = ?", "i", job->to));
    /* The target's id for the empty text, which replaces texts that are left out; 0 if the target does not have it
     * yet. */
    char hash[HASH_HEX_SIZE];
    hash_hex("", 0, hash);
    TRY(sql_do(merge->into, &nothing, error, "SELECT id FROM main.content WHERE hash = ?", "t", hash));
    if (!from[0] || (built && !nothing))
        return STATUS_OK;
    TRY(keep_build_text(merge, STORE_LEAVE_KERNELS, from[0], &to[0], error));
    TRY(keep_build_text(merge, STORE_LEAVE_BINARIES, from[1], &to[1], error));
    TRY(keep_build_text(merge, STORE_LEAVE_LOGS, from[2], &to[2], error));
    return built ? complete_build(merge, job->to, to, nothing, error)
                 : sql_do(merge->into, NULL, error,
                          "INSERT INTO main.build (job_id, kernel_id, binary_id, log_id, " BUILD_COLUMNS ") "
                          "SELECT ?, ?, ?, ?, " BUILD_COLUMNS " FROM source.build WHERE job_id = ?",
                          "iiiii", job->to, to[0], to[1], to[2], job->from);
}

static enum status merge_judgements(struct merge *merge, const struct merged_job *job, struct error *error)
{
    int64_t last = 0, older = 0;
    TRY(sql_do(merge->into, &older, error,
               "SELECT coalesce(f.finished_at, '') < coalesce(t.finished_at, '') FROM source.job f JOIN main.job t "
               "ON t.id = ? WHERE f.id = ?",
               "ii", job->to, job->from));
    if (older) /* the target's job has been judged since */
        return STATUS_OK;
    TRY(sql_do(merge->into, &last, error, "SELECT max(id) FROM main.judgement", ""));
    TRY(sql_do(merge->into, NULL, error,
               "INSERT INTO main.judgement (job_id, " JUDGEMENT_COLUMNS ") SELECT ?, " JUDGEMENT_COLUMNS
               " FROM source.judgement WHERE job_id = ? ORDER BY id ON CONFLICT (job_id, role) DO NOTHING",
               "ii", job->to, job->from));
    return sql_do(merge->into, NULL, error,
                  "INSERT INTO main.verdict (judgement_id, label, verdict, axiom) "
                  "SELECT t.id, v.label, v.verdict, v.axiom FROM source.judgement f "
                  "JOIN main.judgement t ON t.job_id = ? AND t.role = f.role AND t.id > ? "
                  "JOIN source.verdict v ON v.judgement_id = f.id WHERE f.job_id = ?",
                  "iii", job->to, last, job->from);
}

/* Adds draws that an earlier merge left out. */
static enum status complete_draws(struct merge *merge, const struct merged_job *job, struct error *error)
{
    if (merge->options->leave_out & STORE_LEAVE_DRAWS)
        return STATUS_OK;
    return sql_do(merge->into, NULL, error,
                  "UPDATE main.batch AS t SET draw = f.draw FROM source.batch f WHERE t.job_id = ? AND f.job_id = ? "
                  "AND f.number = t.number AND t.draw = '{}' AND f.draw <> '{}'",
                  "ii", job->to, job->from);
}

static enum status merge_batches(struct merge *merge, const struct merged_job *job, uint64_t *count,
                                 struct error *error)
{
    int64_t last = 0;
    const int64_t without_draws = (merge->options->leave_out & STORE_LEAVE_DRAWS) != 0;
    TRY(sql_do(merge->into, &last, error, "SELECT max(id) FROM main.batch", ""));
    TRY(sql_do(merge->into, NULL, error,
               "INSERT INTO main.batch (job_id, draw, " BATCH_COLUMNS ") SELECT ?, iif(?, '{}', draw), " BATCH_COLUMNS
               " FROM source.batch WHERE job_id = ? ORDER BY number ON CONFLICT (job_id, number) DO NOTHING",
               "iii", job->to, without_draws, job->from));
    *count = (uint64_t)sqlite3_changes64(merge->into->db);
    if (*count == 0)
        return STATUS_OK;
    TRY(sql_do(merge->into, NULL, error,
               "INSERT INTO main.outcome (test_id, label, witness) SELECT DISTINCT ?, o.label, o.witness "
               "FROM source.batch b JOIN source.outcome_count c ON c.batch_id = b.id "
               "JOIN source.outcome o ON o.id = c.outcome_id WHERE b.job_id = ? ORDER BY o.id "
               "ON CONFLICT (test_id, label, witness) DO NOTHING",
               "ii", job->test, job->from));
    TRY(sql_do(merge->into, NULL, error,
               "INSERT INTO main.outcome_count (batch_id, outcome_id, count) SELECT t.id, p.id, c.count "
               "FROM main.batch t JOIN source.batch f ON f.job_id = ? AND f.number = t.number "
               "JOIN source.outcome_count c ON c.batch_id = f.id JOIN source.outcome o ON o.id = c.outcome_id "
               "JOIN main.outcome p ON p.test_id = ? AND p.label = o.label AND p.witness = o.witness "
               "WHERE t.job_id = ? AND t.id > ?",
               "iiii", job->from, job->test, job->to, last));
    return sql_do(merge->into, NULL, error,
                  "INSERT INTO main.void_count (batch_id, reason, count) SELECT t.id, v.reason, v.count "
                  "FROM main.batch t JOIN source.batch f ON f.job_id = ? AND f.number = t.number "
                  "JOIN source.void_count v ON v.batch_id = f.id WHERE t.job_id = ? AND t.id > ?",
                  "iii", job->from, job->to, last);
}

/* For a job with batches from both files: the source's batches alone were counted before. */
static enum status refuse_joint_count(struct merge *merge, const struct merged_job *job, struct error *error)
{
    int64_t overfull = 0;
    TRY(sql_do(merge->into, &overfull, error, "SELECT sum(instances) > ? FROM main.batch WHERE job_id = ?", "ui",
               STORE_JOB_INSTANCES_MAX, job->to));
    return overfull ? merge_refuse(merge, error, "with it, job %" PRId64 " of %s would have more than 2^60 instances",
                                   job->to, merge->into->path)
                    : STATUS_OK;
}

/* Merges a job and everything that belongs to it into the run to_run, or adds what the target's job with the same UUID
 * lacks. *is_new: the target did not have the job. *batches: how many batches were added. Runs in the caller's
 * transaction. */
static enum status merge_job(struct merge *merge, int64_t from_job, int64_t to_run, bool *is_new, uint64_t *batches,
                             struct error *error)
{
    struct merged_job job = {.from = from_job};
    int64_t from_test = 0;
    TRY(sql_do(merge->into, &from_test, error, "SELECT test_id FROM source.job WHERE id = ?", "i", from_job));
    TRY(merge_test(merge, from_test, &job.test, error));
    TRY(sql_do(merge->into, &job.to, error,
               "SELECT t.id FROM source.job f JOIN main.job t ON t.uuid = f.uuid WHERE f.id = ?", "i", from_job));
    *is_new = job.to == 0;
    if (*is_new) {
        TRY(insert_job(merge, &job, to_run, error));
        /* If both files have the plan of the run, links the job to it, so that resuming the target's run does not begin
         * the job again. */
        TRY(sql_do(merge->into, NULL, error,
                   "UPDATE main.planned_job SET job_id = ?1 WHERE run_id = ?2 AND job_id IS NULL AND test_id = ?3 "
                   "AND number = (SELECT p.number FROM source.planned_job p JOIN source.run f ON f.id = p.run_id "
                   "JOIN main.run t ON t.uuid = f.uuid WHERE p.job_id = ?4 AND t.id = ?2)",
                   "iiii", job.to, to_run, job.test, job.from));
    } else {
        TRY(expect_same(merge, &job, error));
        TRY(update_job(merge, &job, error));
        TRY(complete_draws(merge, &job, error));
    }
    TRY(merge_build(merge, &job, error));
    TRY(merge_judgements(merge, &job, error));
    TRY(merge_batches(merge, &job, batches, error));
    return !*is_new && *batches > 0 ? refuse_joint_count(merge, &job, error) : STATUS_OK;
}

static void merge_detach(struct merge *merge)
{
    /* It was only read, so a failure loses nothing, and the next attachment would report it. */
    (void)sql_do(merge->into, NULL, NULL, "DETACH source", "");
}

/* Attaches the file, which was opened for reading as source; merge_detach ends that. */
static enum status merge_attach(struct merge *merge, const struct store *source, struct error *error)
{
    LOCAL(text) uri = {0};
    const bool immutable = source->journal[0] == 'i';
    sql_doing(merge->into, "opening %.100s to merge it", merge->from);
    open_add_uri(&uri, source->path, immutable ? "mode=ro&immutable=1" : "mode=ro");
    enum status status = sql_do(merge->into, NULL, error, "ATTACH ? AS source", "t", text_string(&uri));
    TRY(status);
    status = soundness_expect_schema(merge->into, "source", merge->from, error);
    if (status != STATUS_OK)
        merge_detach(merge);
    return status;
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
    struct sql_rows jobs =
        sql_rows(merge->into, error, "SELECT id FROM source.job WHERE run_id = ? ORDER BY id", "i", from_run);
    while (sql_row(&jobs)) {
        bool is_new = false;
        uint64_t batches = 0;
        jobs.status = merge_job(merge, sqlite3_column_int64(jobs.statement, 0), to_run, &is_new, &batches, error);
        tally->jobs += is_new;
        tally->batches += batches;
    }
    return sql_end_rows(&jobs);
}

#define ORIGIN_COLUMNS "source, host, tool_version, merged_at, jobs, batches, left_out"

/* Records where the run came from: what the source knows about that, and the source itself. */
static enum status keep_origin(struct merge *merge, int64_t from_run, int64_t to_run,
                               const struct store_merge_tally *brought, struct error *error)
{
    LOCAL(text) left_out = {0};
    TRY(sql_do(merge->into, NULL, error,
               "INSERT INTO main.merge (run_id, " ORIGIN_COLUMNS ") SELECT ?, " ORIGIN_COLUMNS " FROM source.merge "
               "WHERE run_id = ? ORDER BY id ON CONFLICT (run_id, source, host, merged_at) DO NOTHING",
               "ii", to_run, from_run));
    FREED char *path = realpath(merge->from, NULL);
    /* The parts left out, as a JSON array for v_merge. */
    static const struct {
        unsigned bit;
        const char *word;
    } words[] = {{STORE_LEAVE_KERNELS, "kernels"},
                 {STORE_LEAVE_BINARIES, "binaries"},
                 {STORE_LEAVE_LOGS, "logs"},
                 {STORE_LEAVE_DRAWS, "draws"}};
    text_add(&left_out, "[");
    for (size_t i = 0; i < COUNT(words); i++)
        if (merge->options->leave_out & words[i].bit)
            text_add(&left_out, "%s\"%s\"", left_out.size > 1 ? "," : "", words[i].word);
    text_add(&left_out, "]");
    return sql_do(merge->into, NULL, error,
                  "INSERT INTO main.merge (run_id, source, host, tool_version, merged_at, jobs, batches, left_out) "
                  "VALUES (?, ?, ?, ?, strftime('%Y-%m-%dT%H:%M:%fZ'), ?, ?, ?) ON CONFLICT (run_id, source, host, "
                  "merged_at) DO UPDATE SET jobs = jobs + excluded.jobs, batches = batches + excluded.batches",
                  "itttuut", to_run, path ? path : merge->from, merge->options->host, merge->options->tool_version,
                  brought->jobs, brought->batches, text_string(&left_out));
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
    TRY(place_run(merge, from_run, &to_run, &is_new, error));
    /* Records who resumed the run. */
    TRY(sql_do(merge->into, NULL, error,
               "INSERT INTO main.resumption (run_id, tool_version, command_line, host, environment_variables, "
               "started_at) SELECT ?1, tool_version, command_line, host, environment_variables, started_at "
               "FROM source.resumption f WHERE run_id = ?2 AND NOT EXISTS (SELECT 1 FROM main.resumption t "
               "WHERE t.run_id = ?1 AND t.started_at = f.started_at AND t.host = f.host "
               "AND t.command_line = f.command_line) ORDER BY id",
               "ii", to_run, from_run));
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

void store_merge_tally_add(struct store_merge_tally *sum, const struct store_merge_tally *tally)
{
    sum->runs_new += tally->runs_new;
    sum->runs_grown += tally->runs_grown;
    sum->runs_same += tally->runs_same;
    sum->jobs += tally->jobs;
    sum->batches += tally->batches;
}

static enum status merge_run(struct merge *merge, int64_t from_run, struct store_merge_tally *tally,
                             struct error *error)
{
    struct store_merge_tally brought = {0};
    sql_doing(merge->into, "merging run %" PRId64 " of %.100s", from_run, merge->from);
    TRY(SQL_TRANSACTION(merge->into, error, merge_run_rows(merge, from_run, &brought, error)));
    if (merge->options->one_run)
        *merge->options->one_run = merge->one_run;
    store_merge_tally_add(tally, &brought);
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

/* Merges a run; tally: NULL: looks only for the run that it, or one before it, is in the target. */
static enum status take_run(struct merge *merge, int64_t run, struct store_merge_tally *tally, struct error *error)
{
    if (tally)
        return merge_run(merge, run, tally, error);
    return merge->one_run ? STATUS_OK : merge_find_run(merge, run, &merge->one_run, error);
}

/* Takes every wanted run. The runs of a file are queried one by one, because no statement may be open when a
 * transaction ends. */
static enum status take_runs(struct merge *merge, struct store_merge_tally *tally, struct error *error)
{
    const struct store_merge_options *options = merge->options;
    int64_t run = 0;
    for (size_t i = 0; i < options->run_count; i++)
        TRY(expect_run(merge, options->runs[i], error));
    for (size_t i = 0; i < options->run_count; i++)
        TRY(take_run(merge, options->runs[i], tally, error));
    if (options->run_count > 0)
        return STATUS_OK;
    TRY(sql_do(merge->into, &run, error, "SELECT min(id) FROM source.run", ""));
    while (run) {
        TRY(take_run(merge, run, tally, error));
        TRY(sql_do(merge->into, &run, error, "SELECT min(id) FROM source.run WHERE id > ?", "i", run));
    }
    return STATUS_OK;
}

static bool same_file(const struct store *into, const char *from)
{
    struct stat a, b;
    return stat(into->path, &a) == 0 && stat(from, &b) == 0 && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

/* The whole target is checked when the first file is merged into it, because a merge reads much of it. */
static enum status expect_target(struct store *into, struct error *error)
{
    if (into->expected_pages)
        return STATUS_OK;
    TRY(soundness_expect_pages(into, error));
    into->expected_pages = true;
    return STATUS_OK;
}

/* Opens the source and takes its runs. Refuses what store_open refuses; opening repairs what an interrupted writer
 * left. */
static enum status take_source(struct merge *merge, struct store_merge_tally *tally, struct error *error)
{
    struct store *source = NULL;
    if (same_file(merge->into, merge->from))
        return error_set(error, STATUS_USAGE, "%s: is the target of the merge", merge->from);
    TRY(expect_target(merge->into, error));
    TRY(store_open(merge->from, STORE_READ, &source, error));
    enum status status = columns_expect_tables(source, error); /* rows are copied unchanged */
    THEN(status, merge_attach(merge, source, error));
    if (status == STATUS_OK) {
        status = take_runs(merge, tally, error);
        merge_detach(merge);
    }
    store_close(source);
    return status;
}

enum status store_merge(struct store *into, const char *from, const struct store_merge_options *options,
                        struct store_merge_tally *tally, struct error *error)
{
    struct merge merge = {.into = into, .from = from, .options = options};
    return take_source(&merge, tally, error);
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
    TRY(take_source(&merge, NULL, error));
    *run_id = merge.one_run;
    return STATUS_OK;
}
