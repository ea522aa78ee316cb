// SPDX-License-Identifier: Apache-2.0
/* CSV and JSON lines: the rows of a view, one after the other. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/memory.h"
#include "base/terminal/terminal.h"
#include "cli/export/export.h"

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

/* The file may be read on a terminal. JSON has the bytes. */
static void add_safe(struct text *safe, const char *text, size_t size)
{
    for (size_t at = 0; at < size; at++) {
        char *part = memory_copy_part(text + at, size - at);
        terminal_add_safe_lines(safe, part);
        at += strlen(part);
        text_add(safe, "%s", at < size ? "?" : ""); /* for a NUL */
        free(part);
    }
}

/*
 * RFC 4180, 2: a field with a comma, a quote or the end of a line is quoted, and a quote in it is doubled.
 *
 * Spreadsheets run a field that starts with one of `= + - @`, a tab or the end of a line as a formula, quoted or not.
 * Such a text gets an apostrophe before it, which marks it as text (OWASP, "CSV Injection"). Our own texts never start
 * like this, but names of tests and devices and the texts of errors may. Numbers do not pass here, and keep their sign.
 */
static void print_field(FILE *out, const char *text, size_t size)
{
    const bool formula = size > 0 && strchr("=+-@\t\r\n", text[0]) != NULL && text[0] != '\0';
    struct text clean = {0}, safe = {0};
    bool quoted = size == 0; /* without quotes it would be NULL */
    add_safe(&clean, text, size);
    terminal_add_inert(&safe, text_string(&clean));
    text = text_string(&safe);
    size = safe.size;
    for (size_t i = 0; i < size; i++)
        quoted |= strchr(",\"\r\n", text[i]) != NULL;
    if (quoted)
        (void)fputc('"', out);
    if (formula)
        (void)fputc('\'', out);
    for (size_t i = 0; i < size; i++) {
        if (text[i] == '"')
            (void)fputc('"', out);
        (void)fputc(text[i], out);
    }
    if (quoted)
        (void)fputc('"', out);
    text_release(&clean);
    text_release(&safe);
}

static void export_rows_print_cell(FILE *out, const struct store_cell *cell)
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

enum status export_csv(struct store *store, const struct store_wanted *wanted, FILE *out, struct error *error)
{
    struct store_cursor rows;
    store_query_view(store, wanted, &rows, error);
    for (size_t i = 0; i < rows.row.count; i++)
        (void)fprintf(out, "%s%s%s", i > 0 ? "," : "", rows.row.cells[i].column, i + 1 == rows.row.count ? "\r\n" : "");
    while (!ferror(out) && store_next(&rows)) {
        for (size_t i = 0; i < rows.row.count; i++) {
            if (i > 0)
                (void)fputc(',', out);
            export_rows_print_cell(out, &rows.row.cells[i]);
        }
        (void)fputs("\r\n", out);
    }
    return store_end(&rows, STATUS_OK);
}

/* ---- JSON lines ---- */

/* Columns for which JSON has a more precise type than SQLite, or `run --json` has another word. */
static const struct cell_conversion {
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
    {"circumstances", "circumstances", CONVERT_JSON},
    {"environment_variables", "environment_variables", CONVERT_JSON},
    {"seed", "seed", CONVERT_NUMBER},
    {"voids", "void", CONVERT_NAME},
    {"environment_hash", "environment", CONVERT_NAME},
};

static const struct cell_conversion *find_conversion(const char *column)
{
    for (size_t i = 0; i < sizeof conversions / sizeof *conversions; i++)
        if (strcmp(conversions[i].column, column) == 0)
            return &conversions[i];
    return NULL;
}

/* A text of the file as a JSON string: bytes that are not UTF-8, which only another program can have stored, become
 * '?'. */
static json_t *export_rows_pack_text(const char *text, size_t size)
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

/* A seed as a number; a seed beyond the range of JSON's readers stays a text. */
static json_t *pack_number(const char *text)
{
    const uint64_t number = strtoull(text, NULL, 10);
    return number <= INT64_MAX ? json_integer((json_int_t)number) : json_string(text);
}

static json_t *pack_cell(const struct store_cell *cell, const struct cell_conversion *conversion)
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
        return export_rows_pack_text(cell->text, cell->size);
    parsed = json_loadb(cell->text, cell->size, JSON_DECODE_ANY, NULL);
    return parsed ? parsed : export_rows_pack_text(cell->text, cell->size);
}

/* Adds the cells to an object, and keeps members that it already has. */
static void add_cells(json_t *object, const struct store_cell *cells, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct cell_conversion *conversion = find_conversion(cells[i].column);
        const char *key = conversion ? conversion->key : cells[i].column;
        if (!json_object_get(object, key))
            (void)json_object_set_new(object, key, pack_cell(&cells[i], conversion));
    }
}

static void print_object(FILE *out, enum store_view view, json_t *object)
{
    static const enum json_schema schemas[STORE_VIEW_COUNT] = {
        [STORE_VIEW_RUNS] = JSON_EXPORT_RUNS,         [STORE_VIEW_JOBS] = JSON_EXPORT_JOBS,
        [STORE_VIEW_OUTCOMES] = JSON_EXPORT_OUTCOMES, [STORE_VIEW_BATCHES] = JSON_EXPORT_BATCHES,
        [STORE_VIEW_VOIDS] = JSON_EXPORT_VOIDS,       [STORE_VIEW_JUDGEMENTS] = JSON_EXPORT_JUDGEMENTS,
        [STORE_VIEW_PARTS] = JSON_EXPORT_PARTS,       [STORE_VIEW_RESUMPTIONS] = JSON_EXPORT_RESUMPTIONS,
        [STORE_VIEW_MERGES] = JSON_EXPORT_MERGES};
    (void)json_write_line(schemas[view], object, out); /* the stream's owner checks for errors */
}

static enum status export_rows(struct store *store, const struct store_wanted *wanted, FILE *out, struct error *error)
{
    struct store_cursor rows;
    store_query_view(store, wanted, &rows, error);
    while (!ferror(out) && store_next(&rows)) {
        json_t *object = json_object();
        add_cells(object, rows.row.cells, rows.row.count);
        print_object(out, wanted->view, object);
    }
    return store_end(&rows, STATUS_OK);
}

/* ---- jobs as JSON lines ---- */

/* Adds the job's row of the view. */
static enum status add_view(struct store *store, int64_t job_id, json_t *object, struct error *error)
{
    const struct store_wanted wanted = {.view = STORE_VIEW_JOBS, .job_id = job_id};
    struct store_cursor rows;
    store_query_view(store, &wanted, &rows, error);
    if (store_next(&rows))
        add_cells(object, rows.row.cells, rows.row.count);
    return store_end(&rows, STATUS_OK);
}

static enum status export_job(struct store *store, const struct store_job_row *row, FILE *out, struct error *error)
{
    struct stored_job job = {.test = NULL};
    json_t *object = NULL;
    char seed[24];
    enum status status = stored_job_read(store, row, &job, error);
    if (status == STATUS_OK) {
        tally_sort(&job.tally);
        object = report_job_json(&job.report);
        /* Corrects the report: a job without an end is "started", and a seed may be beyond 2^63 -
         * 1. */
        (void)snprintf(seed, sizeof seed, "%" PRIu64, row->seed);
        (void)json_object_set_new(object, "state", json_string(job_state_word(row->state)));
        (void)json_object_set_new(object, "seed", pack_number(seed));
        status = add_view(store, row->job_id, object, error);
    }
    if (status == STATUS_OK)
        print_object(out, STORE_VIEW_JOBS, json_incref(object));
    json_decref(object);
    stored_job_release(&job);
    return status;
}

enum status export_json_lines(struct store *store, const struct store_wanted *wanted, FILE *out, struct error *error)
{
    struct store_cursor jobs;
    enum status status = STATUS_OK;
    if (wanted->view != STORE_VIEW_JOBS)
        return export_rows(store, wanted, out, error);
    store_query(store, STORE_JOBS, wanted->run_id, &jobs, error);
    while (status == STATUS_OK && !ferror(out) && store_next(&jobs))
        status = export_job(store, &jobs.job, out, error);
    return store_end(&jobs, status);
}
