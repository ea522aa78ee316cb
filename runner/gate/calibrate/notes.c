// SPDX-License-Identifier: Apache-2.0
/* Notes on tests: found for a sample, stored as JSON, and read again. */
#include "runner/gate/calibrate/calibrate.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/memory.h"

/* ---- using them ---- */

/* The note on a sample's test, environment and device, or NULL. */
static const struct calibration_note *notes_find(const struct calibration_notes *notes, const struct sample *sample)
{
    const struct store_job_row *row = &sample->row;
    const char *device = *row->device_uuid ? row->device_uuid : row->device;
    for (size_t i = 0; i < notes->count; i++) {
        const struct calibration_note *note = &notes->notes[i];
        if (strcmp(note->test_hash, row->test_hash) == 0 && strcmp(note->dialect, row->dialect) == 0 &&
            strcmp(note->environment_hash, row->environment_hash) == 0 && strcmp(note->backend, row->backend) == 0 &&
            strcmp(note->device, device) == 0)
            return note;
    }
    return NULL;
}

static struct compare_limit limit_of(const void *limits, const struct sample *sample)
{
    const struct calibration_note *note = notes_find(limits, sample);
    return note ? note->limit : (struct compare_limit){.ungated = false};
}

void notes_apply(const struct calibration_notes *notes, struct compare_options *options)
{
    options->limits = notes;
    options->limit_of = limit_of;
}

/* ---- storing ---- */

static char *print_note(const struct calibration_note *note)
{
    json_t *object = json_pack("{so so so so so so}", "gated", json_boolean(!note->limit.ungated), "tolerance",
                               note->limit.ungated ? json_null() : json_number(note->limit.tolerance), "reason",
                               json_text(note->reason), "runs", json_count(note->runs), "run_deviation",
                               json_number(note->run_deviation), "smallest_change", json_number(note->smallest));
    char *text = json_dumps(object, JSON_COMPACT);
    json_decref(object);
    return text;
}

enum status notes_write(const char *database, const struct calibration_notes *notes, struct error *error)
{
    struct store *store = NULL;
    struct store_calibration *rows = memory_take(notes->count, sizeof *rows);
    char **texts = memory_take(notes->count, sizeof *texts);
    for (size_t i = 0; i < notes->count; i++) {
        const struct calibration_note *note = &notes->notes[i];
        texts[i] = print_note(note);
        rows[i] = (struct store_calibration){.test_hash = note->test_hash,
                                             .dialect = note->dialect,
                                             .environment_hash = note->environment_hash,
                                             .backend = note->backend,
                                             .device = note->device,
                                             .note = texts[i]};
    }
    enum status status = store_open(database, STORE_WRITE, &store, error);
    if (status == STATUS_OK)
        status = store_put_calibrations(store, rows, notes->count, error);
    store_close(store);
    for (size_t i = 0; i < notes->count; i++)
        free(texts[i]);
    free(texts);
    free(rows);
    return status;
}

/* ---- reading ---- */

/* A malformed note is an error: it could hide every change of a test. */
static enum status read_note(const char *database, const struct store_calibration *row, struct arena *arena,
                             struct calibration_note *note, struct error *error)
{
    json_error_t where;
    json_t *object = json_loads(row->note, 0, &where);
    const json_t *gated = json_object_get(object, "gated"), *tolerance = json_object_get(object, "tolerance");
    const json_t *deviation = json_object_get(object, "run_deviation");
    const json_t *smallest = json_object_get(object, "smallest_change");
    const char *reason = json_string_value(json_object_get(object, "reason"));
    const bool is_note = json_is_boolean(gated) && reason &&
                         (json_is_false(gated) || (json_is_number(tolerance) && json_number_value(tolerance) >= 1));
    if (is_note)
        *note =
            (struct calibration_note){.test_hash = row->test_hash,
                                      .dialect = row->dialect,
                                      .environment_hash = row->environment_hash,
                                      .backend = row->backend,
                                      .device = row->device,
                                      .limit = {.ungated = json_is_false(gated),
                                                .tolerance = json_is_true(gated) ? json_number_value(tolerance) : 0},
                                      .reason = arena_copy(arena, reason),
                                      .runs = (uint64_t)json_integer_value(json_object_get(object, "runs")),
                                      .run_deviation = json_is_number(deviation) ? json_number_value(deviation) : NAN,
                                      .smallest = json_is_number(smallest) ? json_number_value(smallest) : NAN};
    json_decref(object);
    return is_note ? STATUS_OK
                   : error_set(error, STATUS_SYNTAX,
                               "%s: the calibration's note on the test %.64s is malformed: expected \"gated\", "
                               "\"tolerance\" and \"reason\"; calibrate again",
                               database, row->test_hash);
}

enum status notes_read(const char *database, struct calibration_notes *notes, struct error *error)
{
    struct store *store = NULL;
    struct store_calibration *rows = NULL;
    size_t count = 0;
    TRY(store_open(database, STORE_READ, &store, error));
    enum status status = store_load_calibrations(store, &notes->arena, &rows, &count, error);
    store_close(store);
    for (size_t i = 0; status == STATUS_OK && i < count; i++) {
        struct calibration_note note;
        status = read_note(database, &rows[i], &notes->arena, &note, error);
        if (status == STATUS_OK)
            ARENA_ADD(&notes->arena, notes->notes, notes->count) = note;
    }
    return status;
}

void notes_release(struct calibration_notes *notes)
{
    arena_release(&notes->arena);
    *notes = (struct calibration_notes){.notes = NULL};
}
