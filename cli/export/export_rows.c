// SPDX-License-Identifier: Apache-2.0
/* CSV and JSON lines: the rows of a view, one after the other. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/export/export.h"

struct export
{
    struct store *store;
    enum store_view view;
    FILE *out;
    enum status status;
    struct error *error;
};

/* ---- CSV ---- */

/* The fewest digits that give the same number back. */
static void print_real(FILE *out, double real)
{
    char digits[32];
    for (int precision = 15; precision <= 17; precision++) {
        (void)snprintf(digits, sizeof digits, "%.*g", precision, real);
        if (strtod(digits, NULL) == real)
            break;
    }
    (void)fputs(digits, out);
}

/* RFC 4180, 2: a field with a comma, a quote or the end of a line stands in quotes, and a quote in it is doubled. */
static void print_field(FILE *out, const char *text, size_t size)
{
    bool quoted = size == 0; /* without quotes it would be NULL */
    for (size_t i = 0; i < size; i++)
        quoted |= strchr(",\"\r\n", text[i]) != NULL;
    if (quoted)
        (void)fputc('"', out);
    for (size_t i = 0; i < size; i++) {
        if (text[i] == '"')
            (void)fputc('"', out);
        (void)fputc(text[i], out);
    }
    if (quoted)
        (void)fputc('"', out);
}

static void print_cell(FILE *out, const struct store_cell *cell)
{
    switch (cell->kind) {
    case STORE_CELL_NULL:
        return;
    case STORE_CELL_INTEGER:
        (void)fprintf(out, "%" PRId64, cell->integer);
        return;
    case STORE_CELL_REAL:
        print_real(out, cell->real);
        return;
    case STORE_CELL_TEXT:
        print_field(out, cell->text, cell->size);
    }
}

static bool print_csv_head(const struct store_cell *cells, size_t count, void *context)
{
    struct export *export = context;
    for (size_t i = 0; i < count; i++)
        (void)fprintf(export->out, "%s%s", i > 0 ? "," : "", cells[i].column);
    (void)fputs("\r\n", export->out);
    return !ferror(export->out);
}

static bool print_csv_row(const struct store_cell *cells, size_t count, void *context)
{
    struct export *export = context;
    for (size_t i = 0; i < count; i++) {
        if (i > 0)
            (void)fputc(',', export->out);
        print_cell(export->out, &cells[i]);
    }
    (void)fputs("\r\n", export->out);
    return !ferror(export->out);
}

enum status export_csv(struct store *store, const struct store_wanted *wanted, FILE *out, struct error *error)
{
    struct export export = {store, wanted->view, out, STATUS_OK, error};
    return store_each_row(store, wanted, print_csv_head, print_csv_row, &export, error);
}

/* ---- JSON lines ---- */

/* Where JSON says more than SQLite's types, and where `run --json` has another word. */
static const struct conversion {
    const char *column, *key;
    enum { CONVERT_NAME, CONVERT_BOOL, CONVERT_JSON, CONVERT_NUMBER } how;
} conversions[] = {
    {"witness", "witness", CONVERT_BOOL},
    {"valid", "valid", CONVERT_BOOL},
    {"complete", "complete", CONVERT_BOOL},
    {"racy", "racy", CONVERT_BOOL},
    {"marks", "marks", CONVERT_JSON},
    {"draw", "draw", CONVERT_JSON},
    {"liveness", "liveness", CONVERT_JSON},
    {"left_out", "left_out", CONVERT_JSON},
    {"environment_variables", "environment_variables", CONVERT_JSON},
    {"seed", "seed", CONVERT_NUMBER},
    {"voids", "void", CONVERT_NAME},
    {"environment_hash", "environment", CONVERT_NAME},
};

static const struct conversion *find_conversion(const char *column)
{
    for (size_t i = 0; i < sizeof conversions / sizeof *conversions; i++)
        if (strcmp(conversions[i].column, column) == 0)
            return &conversions[i];
    return NULL;
}

/* A text of the file as a JSON string: bytes that are no UTF-8, which only another program can have stored, become '?'. */
static json_t *pack_text(const char *text, size_t size)
{
    json_t *string = json_stringn(text, size);
    char *copy = string ? NULL : malloc(size + 1);
    for (size_t i = 0; copy && i < size; i++)
        copy[i] = (unsigned char)text[i] < 0x80 ? text[i] : '?';
    if (copy)
        string = json_stringn(copy, size);
    free(copy);
    return string;
}

/* A seed as a number; one beyond what JSON's readers hold stays a text. */
static json_t *pack_number(const char *text)
{
    const uint64_t number = strtoull(text, NULL, 10);
    return number <= INT64_MAX ? json_integer((json_int_t)number) : json_string(text);
}

static json_t *pack_cell(const struct store_cell *cell, const struct conversion *conversion)
{
    json_t *parsed;
    switch (cell->kind) {
    case STORE_CELL_NULL:
        return json_null();
    case STORE_CELL_INTEGER:
        return conversion && conversion->how == CONVERT_BOOL ? json_boolean(cell->integer != 0)
                                                             : json_integer(cell->integer);
    case STORE_CELL_REAL:
        return json_real(cell->real);
    case STORE_CELL_TEXT:
        break;
    }
    if (conversion && conversion->how == CONVERT_NUMBER)
        return pack_number(cell->text);
    if (!conversion || conversion->how != CONVERT_JSON)
        return pack_text(cell->text, cell->size);
    parsed = json_loadb(cell->text, cell->size, JSON_DECODE_ANY, NULL);
    return parsed ? parsed : pack_text(cell->text, cell->size);
}

/* Adds the cells to an object, and leaves what it has already. */
static bool add_cells(json_t *object, const struct store_cell *cells, size_t count)
{
    bool good = object != NULL;
    for (size_t i = 0; good && i < count; i++) {
        const struct conversion *conversion = find_conversion(cells[i].column);
        const char *key = conversion ? conversion->key : cells[i].column;
        if (!json_object_get(object, key))
            good = json_object_set_new(object, key, pack_cell(&cells[i], conversion)) == 0;
    }
    return good;
}

static bool print_object(struct export *export, json_t *object, bool good)
{
    if (!good && export->status == STATUS_OK)
        export->status = error_set(export->error, STATUS_MEMORY, "no memory for a row");
    if (good && json_dumpf(object, export->out, JSON_COMPACT) == 0)
        (void)fputc('\n', export->out);
    json_decref(object);
    return good && !ferror(export->out);
}

static bool print_no_head(const struct store_cell *cells, size_t count, void *context)
{
    (void)cells;
    (void)count;
    (void)context;
    return true;
}

static bool print_json_row(const struct store_cell *cells, size_t count, void *context)
{
    json_t *object = json_object();
    return print_object(context, object, add_cells(object, cells, count));
}

/* ---- jobs as JSON lines ---- */

struct exported_job {
    struct export *export;
    json_t *object;
};

static bool add_view(const struct store_cell *cells, size_t count, void *context)
{
    struct exported_job *exported = context;
    return add_cells(exported->object, cells, count);
}

/* What the view says better than the report: a job without an end is "started", and a seed may be beyond 2^63 - 1. */
static bool correct(json_t *object, const struct store_job_row *row)
{
    char seed[24];
    (void)snprintf(seed, sizeof seed, "%" PRIu64, row->seed);
    return object && json_object_set_new(object, "state", json_string(row->state)) == 0 &&
           json_object_set_new(object, "seed", pack_number(seed)) == 0;
}

static bool print_job(const struct store_job_row *row, void *context)
{
    struct export *export = context;
    struct stored_job job = {.test = NULL};
    struct exported_job exported = {.export = export};
    const struct store_wanted wanted = {.view = STORE_VIEW_JOBS, .job_id = row->job_id};
    export->status = stored_job_read(export->store, row, &job, export->error);
    tally_sort(&job.tally);
    if (export->status == STATUS_OK)
        exported.object = report_job_json(&job.report);
    const bool packed = correct(exported.object, row);
    if (packed)
        export->status = store_each_row(export->store, &wanted, print_no_head, add_view, &exported, export->error);
    stored_job_release(&job);
    return print_object(export, exported.object, packed && export->status == STATUS_OK);
}

enum status export_json_lines(struct store *store, const struct store_wanted *wanted, FILE *out, struct error *error)
{
    struct export export = {store, wanted->view, out, STATUS_OK, error};
    if (wanted->view == STORE_VIEW_JOBS)
        TRY(store_each_job(store, wanted->run_id, print_job, &export, error));
    else
        TRY(store_each_row(store, wanted, print_no_head, print_json_row, &export, error));
    return export.status;
}
