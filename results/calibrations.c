// SPDX-License-Identifier: Apache-2.0
/* Notes on tests: stores them, reads them, and merges them from another file. */
#include "results/merge.h"

#define KEY_COLUMNS "test_hash, dialect, environment_hash, backend, device"

static enum status put(struct store *store, const struct store_calibration *note, struct error *error)
{
    TRY(sql_expect_json(store, "the note", note->note, error));
    return sql_do(store, NULL, error,
                  "INSERT INTO calibration (" KEY_COLUMNS ", note, noted_at) VALUES (?, ?, ?, ?, ?, ?, "
                  "strftime('%Y-%m-%dT%H:%M:%fZ')) ON CONFLICT (" KEY_COLUMNS ") DO UPDATE SET note = excluded.note, "
                  "noted_at = excluded.noted_at",
                  "tttttt", note->test_hash, note->dialect, note->environment_hash, note->backend, note->device,
                  note->note);
}

static enum status put_all(struct store *store, const struct store_calibration *notes, size_t count,
                           struct error *error)
{
    for (size_t i = 0; i < count; i++)
        TRY(put(store, &notes[i], error));
    return STATUS_OK;
}

enum status store_put_calibrations(struct store *store, const struct store_calibration *notes, size_t count,
                                   struct error *error)
{
    sql_doing(store, "storing a calibration");
    TRY(sql_begin(store, error));
    return sql_end(store, put_all(store, notes, count, error), error);
}

enum status store_load_calibrations(struct store *store, struct arena *arena, struct store_calibration **notes,
                                    size_t *count, struct error *error)
{
    sqlite3_stmt *statement = NULL;
    bool row = false;
    *notes = NULL;
    *count = 0;
    sql_doing(store, "reading its calibration");
    TRY(sql_open(store, &statement, error, "SELECT " KEY_COLUMNS ", note FROM calibration ORDER BY " KEY_COLUMNS, ""));
    enum status status = sql_next(store, statement, &row, error);
    while (row && status == STATUS_OK) {
        ARENA_ADD(arena, *notes, *count) =
            (struct store_calibration){.test_hash = arena_copy(arena, sql_text(statement, 0)),
                                       .dialect = arena_copy(arena, sql_text(statement, 1)),
                                       .environment_hash = arena_copy(arena, sql_text(statement, 2)),
                                       .backend = arena_copy(arena, sql_text(statement, 3)),
                                       .device = arena_copy(arena, sql_text(statement, 4)),
                                       .note = arena_copy(arena, sql_text(statement, 5))};
        status = sql_next(store, statement, &row, error);
    }
    sql_done(statement);
    return status;
}

/* Of two notes on the same test, environment and device, the later one is kept. */
enum status merge_calibrations(struct merge *merge, struct error *error)
{
    sql_doing(merge->into, "merging the calibration of %.100s", merge->from);
    TRY(sql_begin(merge->into, error));
    return sql_end(merge->into,
                   sql_do(merge->into, NULL, error,
                          "INSERT INTO main.calibration (" KEY_COLUMNS ", note, noted_at) SELECT " KEY_COLUMNS
                          ", note, noted_at FROM source.calibration WHERE true ON CONFLICT (" KEY_COLUMNS
                          ") DO UPDATE SET note = excluded.note, noted_at = excluded.noted_at "
                          "WHERE excluded.noted_at > calibration.noted_at",
                          ""),
                   error);
}
