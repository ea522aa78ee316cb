// SPDX-License-Identifier: Apache-2.0
/* CSV and JSON lines: the rows of a view, one after the other. */
#include "analysis/words/words.h"
#include "base/field.h"
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
    LOCAL(text) clean = {0}, safe = {0};
    bool quoted = size == 0; /* without quotes it would be NULL */
    /* The file may be read on a terminal. JSON has the bytes. */
    for (size_t at = 0; at < size; at++) {
        FREED char *part = memory_copy_part(text + at, size - at);
        terminal_add_safe_lines(&clean, part);
        at += strlen(part);
        text_add(&clean, "%s", at < size ? "?" : ""); /* for a NUL */
    }
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
}

static void print_cell(FILE *out, const struct store_cell *cell)
{
    if (cell->kind == STORE_CELL_INTEGER)
        (void)fprintf(out, "%" PRId64, cell->integer);
    else if (cell->kind == STORE_CELL_REAL)
        print_real(out, cell->real);
    else if (cell->kind == STORE_CELL_TEXT)
        print_field(out, cell->text, cell->size);
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
            print_cell(out, &rows.row.cells[i]);
        }
        (void)fputs("\r\n", out);
    }
    return store_end(&rows, STATUS_OK);
}

/* ---- JSON lines ---- */

/* The columns of each view, and what they mean. JSON has more precise kinds than SQLite: whether a value is true, what
 * is JSON itself (or, if it cannot be read, a text), and a seed, which is a text beyond the range of JSON's readers. */
static const char *const left_out_words[] = {"kernels", "binaries", "logs", "draws", NULL};
#define WORD(name, word, ...) word,
static const char *const run_words[] = {RUN_STATE_LIST(WORD) NULL}, *const void_words[] = {VOID_REASON_LIST(WORD) NULL},
                         *const role_words[] = {"source", "target", NULL};
#undef WORD
static const struct field_type field_seed_type = {.shape = FIELD_IS_WHOLE | FIELD_IS_TEXT},
                               field_json_type = {.shape = FIELD_IS_OBJECT | FIELD_IS_TEXT},
                               field_left_out_type = {.shape = FIELD_IS_ARRAY | FIELD_IS_TEXT, .words = left_out_words},
                               field_run_state_type = {.shape = FIELD_IS_TEXT, .words = run_words},
                               field_void_reason_type = {.shape = FIELD_IS_TEXT, .words = void_words},
                               field_role_type = {.shape = FIELD_IS_TEXT, .words = role_words};

/* X(name, kind, meaning) */
#define PROGRAM_COLUMNS(X)                                                                                             \
    X("tool_version", text, "the version of orchil")                                                                   \
    X("command_line", text, "the command line of the run")                                                             \
    X("host", text, "the name, operating-system kernel and processor of the machine")                                  \
    X("environment_variables", json, "the environment variables that affect drivers and compilers")
#define ENDED_COLUMNS(X)                                                                                               \
    X("seed", seed, "the seed of the run; a text if above 2^63 - 1")                                                   \
    X("state", run_state, "how the run ended")                                                                         \
    X("started_at", text, "when the run started")                                                                      \
    X("finished_at", text_or_null, "when the run ended; null if it has not ended")
#define RUNS_COLUMNS(X)                                                                                                \
    X("run", count, "the number of the run")                                                                           \
    X("run_uuid", text, "an identifier of the run that is unique across files")                                        \
    PROGRAM_COLUMNS(X)                                                                                                 \
    ENDED_COLUMNS(X)                                                                                                   \
    X("jobs", count, "the number of jobs")
#define PARTS_COLUMNS(X)                                                                                               \
    X("run", count, "the number of the run")                                                                           \
    X("part_uuid", text, "the unique identifier of the original run")                                                  \
    PROGRAM_COLUMNS(X)                                                                                                 \
    ENDED_COLUMNS(X)
#define RESUMPTIONS_COLUMNS(X)                                                                                         \
    X("run", count, "the number of the run")                                                                           \
    PROGRAM_COLUMNS(X)                                                                                                 \
    X("started_at", text, "when the run was resumed")
#define MERGES_COLUMNS(X)                                                                                              \
    X("run", count, "the number of the run")                                                                           \
    X("source", text, "the absolute path of the file that the run came from")                                          \
    X("host", text, "the machine that merged the files")                                                               \
    X("tool_version", text, "the version of orchil that merged the files")                                             \
    X("merged_at", text, "when the files were merged")                                                                 \
    X("jobs", count, "the number of new jobs")                                                                         \
    X("batches", count, "the number of new batches")                                                                   \
    X("left_out", left_out, "what the merge left out")
#define JOBS_COLUMNS(X)                                                                                                \
    X("job", count, "the number of the job, valid only within this file")                                              \
    X("job_uuid", text, "an identifier of the job that is unique across files")                                        \
    X("run_uuid", text, "an identifier of the run that is unique across files")                                        \
    X("test_hash", hash, "the hash of the test's content")                                                             \
    X("device_uuid", device_uuid, NULL)                                                                                \
    X("platform", text, "the OpenCL platform or its equivalent")                                                       \
    X("replicate", count, "the number of the repetition")                                                              \
    X("key", text, "a hash of test, environment and replicate; equal keys and seeds give equal draws")                 \
    X("started_at", text, "when the job started")                                                                      \
    X("finished_at", text_or_null, "when the job ended; null if it has not ended")                                     \
    X("instances_per_second", number_or_null, "the rate of instances; null if `seconds` is 0")                         \
    X("witnesses_per_second", number_or_null, "the rate of witnesses; null if `seconds` is 0")                         \
    X("forbidden", count, "how often an outcome with the verdict `forbidden` was seen")                                \
    X("kernel_hash", text, "the hash of the kernel's text; empty without a build")                                     \
    X("circumstances", json, "readings from the device and its host while the job ran")
#define OUTCOMES_COLUMNS(X)                                                                                            \
    X("job", count, "the number of the job, valid only within this file")                                              \
    X("run", count, "the number of the run, valid only within this file")                                              \
    X("test", test, NULL)                                                                                              \
    X("dialect", dialect, NULL)                                                                                        \
    X("test_hash", hash, "the hash of the test's content")                                                             \
    X("backend", backend, NULL)                                                                                        \
    X("device", device, NULL)                                                                                          \
    X("device_uuid", device_uuid, NULL)                                                                                \
    X("driver", driver, NULL)                                                                                          \
    X("environment", hash, "the hash of the environment")                                                              \
    X("outcome", outcome, NULL)                                                                                        \
    X("witness", witness, NULL)                                                                                        \
    X("count", count, "how often the outcome was seen")                                                                \
    X("counted", count, "the number of instances that are not void")                                                   \
    X("rate", rate, NULL)                                                                                              \
    X("source_model", text_or_null, "the model that judged the test as written")                                       \
    X("target_model", text_or_null, "the model that judged the emitted instructions")                                  \
    X("source_verdict", verdict_or_null, "the verdict of `source_model`")                                              \
    X("target_verdict", verdict_or_null, "the verdict of `target_model`")                                              \
    X("axiom", text_or_null, "the axiom that a forbidden outcome violates")                                            \
    X("unjudged", text_or_null, "why there is no verdict")                                                             \
    X("lowering", lowering, NULL)
#define BATCHES_COLUMNS(X)                                                                                             \
    X("job", count, "the number of the job")                                                                           \
    X("batch", count, "the number of the batch in the job, from 0")                                                    \
    X("valid", boolean, "whether the batch counts")                                                                    \
    X("instances", count, "the number of instances launched")                                                          \
    X("void", count, "the number of void instances")                                                                   \
    X("witnesses", count, "the number of instances that satisfy the condition")                                        \
    X("started", number, "seconds since the job's first launch")                                                       \
    X("seconds", number, "the duration of the batch")                                                                  \
    X("draw", json, "the launch arguments")                                                                            \
    X("liveness", json, "the number of rounds with each mechanism")                                                    \
    X("arguments", whole, "the first 64 bits of the hash of the launch arguments")
#define VOIDS_COLUMNS(X)                                                                                               \
    X("job", count, "the number of the job")                                                                           \
    X("reason", void_reason, "why the instances are void")                                                             \
    X("count", count, "the number of instances that are void for this reason")
#define JUDGEMENTS_COLUMNS(X)                                                                                          \
    X("job", count, "the number of the job")                                                                           \
    X("role", role, "what was judged: the test as written, or the emitted instructions")                               \
    X("model", text, "the model's name")                                                                               \
    X("unjudged", text, "why there are no verdicts; empty if there are some")                                          \
    X("complete", boolean, "whether the model listed every outcome that it allows")                                    \
    X("racy", boolean, "whether the model finds a data race")                                                          \
    X("cut", text, "the bound that stopped the search; empty if none did")                                             \
    X("model_hash", text, "the hash of everything that the model's verdicts depend on")

FIELD_EXTENDED(document_export_jobs, job, JOBS_COLUMNS(FIELD_ROW){0})

/* The views, each with its document. X(view in capitals, kind); the rows of jobs are above. */
#define VIEW_LIST(X)                                                                                                   \
    X(RUNS, runs)                                                                                                      \
    X(OUTCOMES, outcomes)                                                                                              \
    X(BATCHES, batches)                                                                                                \
    X(VOIDS, voids)                                                                                                    \
    X(JUDGEMENTS, judgements)                                                                                          \
    X(PARTS, parts)                                                                                                    \
    X(RESUMPTIONS, resumptions)                                                                                        \
    X(MERGES, merges)
#define VIEW_TYPE(VIEW, kind)                                                                                          \
    const struct field_type field_document_export_##kind##_type = {                                                    \
        .shape = FIELD_IS_OBJECT, .fields = (const struct field[]){VIEW##_COLUMNS(FIELD_ROW){0}}};
VIEW_LIST(VIEW_TYPE)

static const struct {
    enum json_schema schema;
    const struct field_type *type;
} documents[STORE_VIEW_COUNT] = {
#define VIEW_ROW(VIEW, kind) [STORE_VIEW_##VIEW] = {JSON_EXPORT_##VIEW, &field_document_export_##kind##_type},
    VIEW_LIST(VIEW_ROW) VIEW_ROW(JOBS, jobs)};

/* `run --json` has another word for two columns. */
static const char *export_rows_name_of(const char *column)
{
    return strcmp(column, "voids") == 0 ? "void" : strcmp(column, "environment_hash") == 0 ? "environment" : column;
}

/* What a column may be, as a sum of enum field_shape; 0: it has no row. */
static unsigned shape_of(enum store_view view, const char *name)
{
    for (const struct field *field = documents[view].type->fields; field->name; field++)
        if (strcmp(field->name, name) == 0)
            return field->type->shape;
    return 0;
}

/* A text of the file as a JSON string: bytes that are not UTF-8, which only another program can have stored, become
 * '?'. */
static json_t *pack_text(const char *text, size_t size)
{
    json_t *string = json_stringn(text, size);
    FREED char *copy = string ? NULL : malloc(size + 1);
    for (size_t i = 0; copy && i < size; i++)
        copy[i] = (unsigned char)text[i] < 0x80 ? text[i] : '?';
    if (copy)
        string = json_stringn(copy, size);
    return string;
}

/* A seed as a number; a seed beyond the range of JSON's readers stays a text. */
static json_t *pack_number(const char *text)
{
    const uint64_t number = strtoull(text, NULL, 10);
    return number <= INT64_MAX ? json_integer((json_int_t)number) : json_string(text);
}

static json_t *pack_cell(const struct store_cell *cell, unsigned shape)
{
    json_t *parsed;
    switch (cell->kind) {
    case STORE_CELL_NULL:
        return json_null();
    case STORE_CELL_INTEGER:
        return shape & FIELD_IS_BOOLEAN ? json_boolean(cell->integer != 0) : json_integer(cell->integer);
    case STORE_CELL_REAL:
        return json_real(cell->real);
    case STORE_CELL_TEXT:
        break;
    }
    if (shape & FIELD_IS_WHOLE)
        return pack_number(cell->text);
    if (!(shape & (FIELD_IS_OBJECT | FIELD_IS_ARRAY)))
        return pack_text(cell->text, cell->size);
    parsed = json_loadb(cell->text, cell->size, JSON_DECODE_ANY, NULL);
    return parsed ? parsed : pack_text(cell->text, cell->size);
}

/* Adds the cells to an object, and keeps members that it already has. */
static void add_cells(json_t *object, enum store_view view, const struct store_cell_row *row)
{
    for (size_t i = 0; i < row->count; i++) {
        const char *name = export_rows_name_of(row->cells[i].column);
        if (!json_object_get(object, name))
            (void)json_object_set_new(object, name, pack_cell(&row->cells[i], shape_of(view, name)));
    }
}

static enum status export_rows(struct store *store, const struct store_wanted *wanted, FILE *out, struct error *error)
{
    struct store_cursor rows;
    store_query_view(store, wanted, &rows, error);
    while (!ferror(out) && store_next(&rows)) {
        json_t *object = json_object();
        add_cells(object, wanted->view, &rows.row);
        (void)json_write_line(documents[wanted->view].schema, object, out); /* the stream's owner checks for errors */
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
        add_cells(object, STORE_VIEW_JOBS, &rows.row);
    return store_end(&rows, STATUS_OK);
}

static enum status export_job(struct store *store, const struct store_job_row *row, FILE *out, struct error *error)
{
    LOCAL(stored_job) job = {.test = NULL};
    char seed[24];
    TRY(stored_job_read(store, row, &job, error));
    tally_sort(&job.tally);
    json_auto_t *object = report_job_json(&job.report);
    /* Corrects the report: a job without an end is "started", and a seed may be beyond 2^63 - 1. */
    (void)snprintf(seed, sizeof seed, "%" PRIu64, row->seed);
    (void)json_object_set_new(object, "state", json_string(job_state_word(row->state)));
    (void)json_object_set_new(object, "seed", pack_number(seed));
    TRY(add_view(store, row->job_id, object, error));
    (void)json_write_line(JSON_EXPORT_JOBS, json_incref(object), out);
    return STATUS_OK;
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
