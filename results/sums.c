// SPDX-License-Identifier: Apache-2.0
/* Sums of counts that cannot exceed SQLite's integers. */
#include "results/sums.h"

#include <inttypes.h>
#include <stdbool.h>

#include "results/results.h"

/* ---- in SQL ---- */

struct saturating {
    int64_t sum;
    bool some; /* the sum of nothing is NULL */
};

static void saturating_step(sqlite3_context *context, int count, sqlite3_value **values)
{
    struct saturating *state = sqlite3_aggregate_context(context, (int)sizeof *state);
    (void)count;
    if (!state || sqlite3_value_type(values[0]) == SQLITE_NULL)
        return;
    const int64_t value = sqlite3_value_int64(values[0]);
    state->some = true;
    if (__builtin_add_overflow(state->sum, value, &state->sum))
        state->sum = INT64_MAX;
}

static void saturating_final(sqlite3_context *context)
{
    const struct saturating *state = sqlite3_aggregate_context(context, 0);
    if (state && state->some)
        sqlite3_result_int64(context, state->sum);
    else
        sqlite3_result_null(context);
}

enum status sums_install(struct store *store, struct error *error)
{
    /* Innocuous: the views may call it although the schema is not trusted. */
    const int flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS;
    const int code =
        sqlite3_create_function_v2(store->db, "sum", 1, flags, NULL, NULL, saturating_step, saturating_final, NULL);
    return code == SQLITE_OK ? STATUS_OK : sql_fail(store, code, error);
}

/* ---- of jobs that are being written ---- */

/* Sums are kept in memory: summing all batches of a job for each new one would get slower and
 * slower. */
static struct store_sum *sums_find(struct store *store, int64_t job_id)
{
    for (size_t i = 0; i < store->sum_count; i++)
        if (store->sums[i].job_id == job_id)
            return &store->sums[i];
    return NULL;
}

enum status sums_expect_room(struct store *store, int64_t job_id, uint64_t instances, struct error *error)
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
               : error_set(error, STATUS_INTERNAL,
                           "%s: %s failed: with them the job would have more than 2^60 instances", store->path,
                           store->doing);
}

void sums_add(struct store *store, int64_t job_id, uint64_t instances)
{
    struct store_sum *known = sums_find(store, job_id);
    if (known)
        known->instances += instances;
}

void sums_forget(struct store *store, int64_t job_id)
{
    struct store_sum *known = sums_find(store, job_id);
    if (known)
        *known = (struct store_sum){.job_id = 0};
}
