// SPDX-License-Identifier: Apache-2.0
/* Writes the judgements of a job's outcomes: to the file, or only for one reader. */
#include <inttypes.h>

#include "results/results.h"
#include "results/schema.h"
#include "results/sql.h"

static enum status refuse(const struct store *store, const char *why, struct error *error)
{
    return error_set(error, STATUS_INTERNAL, "%s: %s failed: %s", store->path, store->doing, why);
}

static enum status insert_judgement(struct store *store, int64_t job_id, const struct store_judgement *judgement,
                                    struct error *error)
{
    int64_t job = 0, id = 0;
    if (judgement->verdict_count == 0 && !*judgement->unjudged && !*judgement->cut)
        return refuse(store, "there is neither a verdict nor a reason", error);
    if (judgement->verdict_count > 0 && *judgement->unjudged)
        return refuse(store, "there are both verdicts and a reason for having none", error);
    TRY(sql_do(store, &job, error, "SELECT id FROM job WHERE id = ?", "i", job_id));
    if (!job)
        return refuse(store, "there is no such job", error);
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
    for (size_t i = 0; i < judgement->verdict_count; i++) {
        const struct store_verdict *verdict = &judgement->verdicts[i];
        TRY(sql_do(store, NULL, error, "INSERT INTO verdict (judgement_id, label, verdict, axiom) VALUES (?, ?, ?, ?)",
                   "ittt", id, verdict->label, verdict_word(verdict->verdict), verdict->axiom));
    }
    return STATUS_OK;
}

enum status store_put_judgement(struct store *store, int64_t job_id, const struct store_judgement *judgement,
                                struct error *error)
{
    sql_doing(store, "storing the %s judgement of job %" PRId64, judgement->role, job_id);
    TRY(sql_begin(store, error));
    return sql_end(store, insert_judgement(store, job_id, judgement, error), error);
}

/* ---- for one reader ---- */

/*
 * Temporary tables with the same names, filled from the file's, hide those of the file (SQLite
 * searches temp first). The views are created again as temporary views, because a view of the file
 * sees only the file. So every read through this store sees the new judgements, and the file does
 * not change; it may be read-only.
 */
static enum status stand_before(struct store *store, struct error *error)
{
    struct text sql = {0};
    int code =
        sqlite3_db_config(store->db, SQLITE_DBCONFIG_ENABLE_FKEY, 0, NULL); /* none can refer from temp to the file */
    schema_add_temporary(&sql);
    if (code == SQLITE_OK)
        code = sqlite3_exec(store->db, text_string(&sql), NULL, NULL, NULL);
    text_release(&sql);
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
    if (status == STATUS_OK)
        status = insert_judgement(store, job_id, judgement, error);
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
