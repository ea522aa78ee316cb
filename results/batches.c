// SPDX-License-Identifier: Apache-2.0
/* Writes batches: whole, adding up, and many in one transaction. */
#include <inttypes.h>
#include <string.h>

#include "base/hash.h"
#include "results/results.h"
#include "results/sql.h"
#include "results/sums.h"

/* Adds the counts to *sum; false if the sum exceeds SQLite's integers. */
static bool add_counts(const struct count *counts, size_t count, uint64_t *sum)
{
    for (size_t i = 0; i < count; i++)
        if (counts[i].count > INT64_MAX || __builtin_add_overflow(*sum, counts[i].count, sum))
            return false;
    return *sum <= INT64_MAX;
}

static enum status refuse_sums(struct store *store, const struct batch *batch, struct error *error)
{
    uint64_t outcomes = 0, voids = 0, all = 0;
    if (batch->number > INT64_MAX || batch->instances > INT64_MAX ||
        !add_counts(batch->outcomes, batch->outcome_count, &outcomes) ||
        !add_counts(batch->voids, batch->void_count, &voids) || __builtin_add_overflow(outcomes, voids, &all))
        return error_set(error, STATUS_INTERNAL, "%s: %s failed: a number of batch %" PRIu64 " is beyond 2^63 - 1",
                         store->path, store->doing, batch->number);
    if (all != batch->instances)
        return error_set(error, STATUS_INTERNAL,
                         "%s: %s failed: batch %" PRIu64 " does not add up: %" PRIu64 " outcomes + %" PRIu64
                         " voids, but %" PRIu64 " instances",
                         store->path, store->doing, batch->number, outcomes, voids, batch->instances);
    return STATUS_OK;
}

static uint64_t sum_instances(const struct batch *batches, size_t count)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < count; i++)
        if (__builtin_add_overflow(sum, batches[i].instances, &sum))
            return UINT64_MAX;
    return sum;
}

static enum status insert_counts(struct store *store, int64_t batch_id, int64_t test_id, const struct batch *batch,
                                 struct error *error)
{
    for (size_t i = 0; i < batch->outcome_count; i++) {
        const struct count *outcome = &batch->outcomes[i];
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
    bool overlapped = false;
    for (size_t i = 0; i < count; i++)
        overlapped |= batches[i].overlapped && !batches[i].invalid;
    return !overlapped ? STATUS_OK
                       : sql_do(store, NULL, error,
                                "UPDATE build SET marks = (SELECT json_group_array(value) FROM json_each(marks) "
                                "WHERE value <> ?) WHERE job_id = ? AND instr(marks, ?)",
                                "tit", word, job_id, word);
}

/* The first 64 bits of the hash of a draw's launch arguments; 0 for a draw without one. The draw is JSON. */
static enum status read_arguments(struct store *store, const char *draw, uint64_t *arguments, struct error *error)
{
    sqlite3_stmt *statement = NULL;
    bool row = false;
    TRY(sql_open(store, &statement, error, "SELECT json_extract(?, '$.arguments_hash')", "t", draw));
    const enum status status = sql_next(store, statement, &row, error);
    const char *hash = row ? sql_text(statement, 0) : "";
    *arguments = strspn(hash, "0123456789abcdef") == HASH_HEX_SIZE - 1 ? hash_number(hash) : 0;
    sql_done(statement);
    return status;
}

static enum status insert_batches(struct store *store, int64_t job_id, const struct batch *batches, size_t count,
                                  struct error *error)
{
    int64_t test_id = 0;
    TRY(sql_do(store, &test_id, error, "SELECT test_id FROM job WHERE id = ? AND state = 'started'", "i", job_id));
    if (!test_id)
        return error_set(error, STATUS_INTERNAL, "%s: %s failed: there is no such job, or it has ended already",
                         store->path, store->doing);
    for (size_t i = 0; i < count; i++) {
        const struct batch *batch = &batches[i];
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
    TRY(sql_begin(store, error));
    TRY(sql_end(store, insert_batches(store, job_id, batches, count, error), error));
    sums_add(store, job_id, instances);
    return STATUS_OK;
}
