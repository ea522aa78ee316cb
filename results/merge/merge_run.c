// SPDX-License-Identifier: Apache-2.0
/*
 * Merges the row of a run. Two copies of a run may show it at different times; the copy that saw
 * more determines the state. Runs that became one run of the target are its parts: each keeps its
 * row, and together they determine the state of that run.
 */
#include <inttypes.h>

#include "results/merge/merge.h"

/* The last known event of a run in one of the two schemas: its own start or end, or a job's. At
 * equal times, the end of the run is later. */
#define LAST_EVENT(schema)                                                                                             \
    "(SELECT max(r.started_at, coalesce(r.finished_at, ''), coalesce((SELECT max(coalesce(finished_at, started_at)) "  \
    "FROM " schema ".job WHERE run_id = r.id), '')) || iif(r.finished_at IS NULL, '', '+') "                           \
    "FROM " schema ".run r WHERE r.id = ?)"

/* An existing part is updated. */
#define PART_KNOWN                                                                                                     \
    " ON CONFLICT (uuid) DO UPDATE SET state = excluded.state, finished_at = excluded.finished_at "                    \
    "WHERE coalesce(excluded.finished_at, '') > coalesce(part.finished_at, '')"

enum status merge_find_run(struct merge *merge, int64_t from_run, int64_t *to_run, struct error *error)
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

static enum status sum_parts(struct merge *merge, int64_t to_run, struct error *error)
{
    return sql_do(merge->into, NULL, error, SUM_PARTS("main.part WHERE run_id = ?1"), "i", to_run);
}

/* The same if parts were only added, after the part `last`. The run's row sums up the earlier
 * parts, so the time that a shard takes does not grow with their number. */
static enum status sum_new_parts(struct merge *merge, int64_t to_run, int64_t last, struct error *error)
{
    return sql_do(merge->into, NULL, error,
                  SUM_PARTS("(SELECT state, started_at, finished_at FROM main.run WHERE id = ?1 UNION ALL "
                            "SELECT state, started_at, finished_at FROM main.part WHERE run_id = ?1 AND id > ?2)"),
                  "ii", to_run, last);
}

/* Keeps the run of the source, or its parts, as parts of the target's run. joins: that run already
 * has parts, and its row is their sum. */
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
    return joins && added == changes ? sum_new_parts(merge, to_run, last, error) : sum_parts(merge, to_run, error);
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

/* Records who resumed the run. */
static enum status keep_resumptions(struct merge *merge, int64_t from_run, int64_t to_run, struct error *error)
{
    return sql_do(merge->into, NULL, error,
                  "INSERT INTO main.resumption (run_id, tool_version, command_line, host, environment_variables, "
                  "started_at) SELECT ?1, tool_version, command_line, host, environment_variables, started_at "
                  "FROM source.resumption f WHERE run_id = ?2 AND NOT EXISTS (SELECT 1 FROM main.resumption t "
                  "WHERE t.run_id = ?1 AND t.started_at = f.started_at AND t.host = f.host "
                  "AND t.command_line = f.command_line) ORDER BY id",
                  "ii", to_run, from_run);
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

enum status merge_run_row(struct merge *merge, int64_t from_run, int64_t *to_run, bool *is_new, struct error *error)
{
    TRY(place_run(merge, from_run, to_run, is_new, error));
    return keep_resumptions(merge, from_run, *to_run, error);
}
