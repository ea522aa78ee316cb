// SPDX-License-Identifier: Apache-2.0
/*
 * Merges a job. Jobs with the same UUID are the same job at different times. A job only gains
 * batches, a build, judgements and an end, so what the target lacks is added. Nothing else changes
 * except what was open or left out, and the judgements, which a resumed job gets again.
 */
#include <inttypes.h>

#include "results/keep.h"
#include "results/merge/merge.h"

/* The columns that are copied unchanged: references are not among them, and a batch's draw may be
 * left out. */
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

static enum status find_driver(struct merge *merge, const struct merged_job *job, int64_t *driver, struct error *error)
{
    int64_t from = 0;
    TRY(sql_do(merge->into, &from, error, "SELECT driver_id FROM source.job WHERE id = ?", "i", job->from));
    return merge_driver(merge, from, driver, error);
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

static enum status forget_judgements(struct merge *merge, const struct merged_job *job, struct error *error)
{
    TRY(sql_do(merge->into, NULL, error,
               "DELETE FROM main.verdict WHERE judgement_id IN (SELECT id FROM main.judgement WHERE job_id = ?)", "i",
               job->to));
    return sql_do(merge->into, NULL, error, "DELETE FROM main.judgement WHERE job_id = ?", "i", job->to);
}

/* The later end wins: it ends a job that was open, or that was stopped and resumed. A resumed job
 * may have another driver and new judgements. */
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
    return forget_judgements(merge, job, error);
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
    TRY(merge_find_nothing(merge, &nothing, error));
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

/* If both files have the plan of the run, links the job to it, so that resuming the target's run
 * does not begin the job again. */
static enum status link_plan(struct merge *merge, const struct merged_job *job, int64_t to_run, struct error *error)
{
    return sql_do(merge->into, NULL, error,
                  "UPDATE main.planned_job SET job_id = ?1 WHERE run_id = ?2 AND job_id IS NULL AND test_id = ?3 "
                  "AND number = (SELECT p.number FROM source.planned_job p JOIN source.run f ON f.id = p.run_id "
                  "JOIN main.run t ON t.uuid = f.uuid WHERE p.job_id = ?4 AND t.id = ?2)",
                  "iiii", job->to, to_run, job->test, job->from);
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

enum status merge_job(struct merge *merge, int64_t from_job, int64_t to_run, bool *is_new, uint64_t *batches,
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
        TRY(link_plan(merge, &job, to_run, error));
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
