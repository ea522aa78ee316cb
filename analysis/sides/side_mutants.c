// SPDX-License-Identifier: Apache-2.0
/* Which jobs count for the mutation score of their run: only a run whose plan asks for a score has one. */
#include <jansson.h>

#include "analysis/sides/side_job.h"
#include "analysis/statistics/mutation_score.h"

/* The plan of a merged run is in the database where it was begun, so a merged run asks for nothing. */
static enum status asks_for_score(struct store *store, int64_t run, bool *asks, struct error *error)
{
    struct arena arena = {0};
    struct store_text_row plan;
    const enum status status = store_load_text(store, STORE_PLAN, run, &arena, &plan, error);
    json_t *options = status == STATUS_OK && plan.text ? json_loads(plan.text, 0, NULL) : NULL;
    *asks = json_is_true(json_object_get(options, "score"));
    json_decref(options);
    arena_release(&arena);
    return status;
}

enum status side_mark_mutants(struct store *store, struct side_claims *claims, struct side *side, struct error *error)
{
    bool asks = false, forbidden = false;
    for (size_t i = 0; i < side->job_count; i++) {
        struct side_job *job = &side->jobs[i];
        if (i == 0 || job->row.run_id != side->jobs[i - 1].row.run_id)
            TRY(asks_for_score(store, job->row.run_id, &asks, error));
        if (!asks)
            continue;
        TRY(side_read_claim(store, claims, job, &forbidden, error));
        job->mutant = mutation_score_has(*job->row.controls, forbidden, job->row.state);
    }
    return STATUS_OK;
}
