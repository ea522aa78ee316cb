// SPDX-License-Identifier: Apache-2.0
/* Writing what models say of a job's outcomes. */
#include <inttypes.h>

#include "results/results.h"
#include "results/sql.h"

static enum status refuse(const struct store *store, const char *why, struct error *error)
{
    return error_set(error, STATUS_INTERNAL, "%s: %s failed: %s", store->path, store->doing, why);
}

static enum status insert_judgement(struct store *store, int64_t job_id, const struct store_judgement *judgement,
                                    struct error *error)
{
    int64_t job = 0, id = 0;
    TRY(sql_do(store, &job, error, "SELECT id FROM job WHERE id = ?", "i", job_id));
    if (!job)
        return refuse(store, "there is no such job", error);
    TRY(sql_do(store, NULL, error,
               "DELETE FROM verdict WHERE judgement_id IN (SELECT id FROM judgement WHERE job_id = ? AND role = ?)",
               "it", job_id, judgement->role));
    TRY(sql_do(store, NULL, error, "DELETE FROM judgement WHERE job_id = ? AND role = ?", "it", job_id,
               judgement->role));
    TRY(sql_do(store, &id, error,
               "INSERT INTO judgement (job_id, role, model, unjudged, cut, racy) VALUES (?, ?, ?, ?, ?, ?) "
               "RETURNING id",
               "itttti", job_id, judgement->role, judgement->model, judgement->unjudged, judgement->cut,
               (int64_t)judgement->racy));
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
    if (judgement->verdict_count == 0 && !*judgement->unjudged && !*judgement->cut)
        return refuse(store, "there is no verdict, and no reason why", error);
    if (judgement->verdict_count > 0 && *judgement->unjudged)
        return refuse(store, "there are verdicts, and a reason why there are none", error);
    TRY(sql_begin(store, error));
    return sql_end(store, insert_judgement(store, job_id, judgement, error), error);
}
