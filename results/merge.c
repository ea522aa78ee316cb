// SPDX-License-Identifier: Apache-2.0
/* Merges run by run, each in its own transaction, by the statements of merge.sql. The source file is attached to the
 * target's connection as "source", for reading only; the target is "main". */
#include <sys/stat.h>

#include "results/soundness.h"

extern const char merge_text[]; /* results/merge.sql */

/* The numbers that merge.sql names: X(name). */
/* clang-format off */
#define MERGE_NUMBER_LIST(X)                                                                                           \
    X(from_run) X(one_run) X(unfinished) X(most_instances) X(changes)                                                  \
    X(to_run) X(is_new) X(has_parts) X(last_job) X(last_content) X(last_judgement) X(last_batch)                       \
    X(jobs) X(batches) X(grown)
/* clang-format on */
#define MERGE_NUMBER(name) MERGE_##name,
#define MERGE_NAME(name) #name,
enum merge_number { MERGE_NUMBER_LIST(MERGE_NUMBER) MERGE_NUMBERS };
static const char *const number_names[] = {MERGE_NUMBER_LIST(MERGE_NAME)};

struct merge {
    struct store *into;
    const char *from; /* as the caller wrote it, for messages */
    const struct store_merge_options *options;
    int64_t found;                  /* for store_merge_find */
    int64_t numbers[MERGE_NUMBERS]; /* of the run that is being merged */
    const char *path, *left_out;
};

/* ---- the statements of merge.sql ---- */

static enum status merge_bind(const struct merge *merge, sqlite3_stmt *statement, struct error *error)
{
    const struct {
        const char *name, *text;
    } texts[] = {{"into", merge->into->path},
                 {"from", merge->path},
                 {"left_out", merge->left_out},
                 {"host", merge->options->host},
                 {"tool_version", merge->options->tool_version}};
    int code = SQLITE_OK;
    for (int i = 1; i <= sqlite3_bind_parameter_count(statement) && code == SQLITE_OK; i++) {
        const char *const name = sqlite3_bind_parameter_name(statement, i) + 1;
        const size_t number = INDEX_OF(one, number_names, MERGE_NUMBERS, strcmp(*one, name) == 0);
        const char *const text =
            VALUE_OF(const char *, row, texts, COUNT(texts), strcmp(row->name, name) == 0, row->text, NULL);
        code = number < MERGE_NUMBERS ? sqlite3_bind_int64(statement, i, merge->numbers[number])
                                      : sqlite3_bind_text(statement, i, text, -1, SQLITE_STATIC);
    }
    return code == SQLITE_OK ? STATUS_OK : sql_fail(merge->into, code, error);
}

/* Runs one statement. set: the number that its first row is, or MERGE_NUMBERS. refused: the status if it has a row,
 * which says why. */
static enum status merge_step(struct merge *merge, const char *sql, size_t set, enum status refused,
                              struct error *error)
{
    struct sql_rows rows = sql_rows(merge->into, error, sql, "");
    const sqlite3_int64 before = sqlite3_total_changes64(merge->into->db);
    bool first = true;
    THEN(rows.status, merge_bind(merge, rows.statement, error));
    if (set < MERGE_NUMBERS)
        merge->numbers[set] = 0;
    for (; sql_row(&rows); first = false) {
        if (set < MERGE_NUMBERS && first)
            merge->numbers[set] = sqlite3_column_int64(rows.statement, 0);
        else if (refused != STATUS_OK)
            rows.status = error_set(error, refused, "%s: %s", merge->from, sql_text(rows.statement, 0));
    }
    merge->numbers[MERGE_changes] += sqlite3_total_changes64(merge->into->db) - before;
    return sql_end_rows(&rows);
}

/* The rest of the line that starts this way; NULL without one. */
static const char *merge_line(const char *sql, const char *start)
{
    const char *const at = strstr(sql, start);
    return at && (at == sql || at[-1] == '\n') ? at + strlen(start) : NULL;
}

static enum status merge_rows(struct merge *merge, struct error *error)
{
    static const char end[] = ";\n";
    for (const char *at = merge_text, *stop; (stop = strstr(at, end)); at = stop + strlen(end)) {
        FREED char *sql = memory_copy_part(at, (size_t)(stop - at));
        const char *const set = merge_line(sql, "-- set "), *const refuse = merge_line(sql, "-- refuse ");
        const size_t number =
            INDEX_OF(one, number_names, MERGE_NUMBERS,
                     set && strlen(*one) == strcspn(set, "\n") && strncmp(*one, set, strlen(*one)) == 0);
        const enum status refused = !refuse                                          ? STATUS_OK
                                    : strncmp(refuse, "usage", strlen("usage")) == 0 ? STATUS_USAGE
                                                                                     : STATUS_DATABASE;
        TRY(merge_step(merge, sql, number, refused, error));
    }
    return STATUS_OK;
}

/* ---- a run ---- */

void store_merge_tally_add(struct store_merge_tally *sum, const struct store_merge_tally *tally)
{
    sum->runs_new += tally->runs_new;
    sum->runs_grown += tally->runs_grown;
    sum->runs_same += tally->runs_same;
    sum->jobs += tally->jobs;
    sum->batches += tally->batches;
}

/* The parts left out, as a JSON array. */
static void add_left_out(unsigned leave_out, struct text *text)
{
    static const char *const words[] = {"kernels", "binaries", "logs", "draws"}; /* by bit of enum store_leave */
    text_add(text, "[");
    for (size_t i = 0; i < COUNT(words); i++)
        if (leave_out & 1U << i)
            text_add(text, "%s\"%s\"", text->size > 1 ? "," : "", words[i]);
    text_add(text, "]");
}

static enum status merge_run(struct merge *merge, int64_t run, struct store_merge_tally *tally, struct error *error)
{
    int64_t *const one_run = merge->options->one_run, *const numbers = merge->numbers;
    FREED char *path = realpath(merge->from, NULL);
    LOCAL(text) left_out = {0};
    add_left_out(merge->options->leave_out, &left_out);
    sql_doing(merge->into, "merging run %" PRId64 " of %.100s", run, merge->from);
    merge->path = path ? path : merge->from;
    merge->left_out = text_string(&left_out);
    memset(numbers, 0, sizeof merge->numbers);
    numbers[MERGE_from_run] = run;
    numbers[MERGE_one_run] = one_run ? *one_run : 0;
    numbers[MERGE_unfinished] = merge->options->unfinished;
    numbers[MERGE_most_instances] = (int64_t)STORE_JOB_INSTANCES_MAX;
    TRY(SQL_TRANSACTION(merge->into, error, merge_rows(merge, error)));
    if (one_run)
        *one_run = numbers[MERGE_to_run];
    store_merge_tally_add(
        tally, &(const struct store_merge_tally){.runs_new = (uint64_t)numbers[MERGE_is_new],
                                                 .runs_grown = numbers[MERGE_grown] && !numbers[MERGE_is_new],
                                                 .runs_same = !numbers[MERGE_grown],
                                                 .jobs = (uint64_t)numbers[MERGE_jobs],
                                                 .batches = (uint64_t)numbers[MERGE_batches]});
    return STATUS_OK;
}

/* ---- the file ---- */

static enum status expect_run(struct merge *merge, int64_t run, struct error *error)
{
    int64_t there = 0, last = 0;
    TRY(sql_do(merge->into, &there, error, "SELECT count(*) FROM source.run WHERE id = ?", "i", run));
    TRY(sql_do(merge->into, &last, error, "SELECT max(id) FROM source.run", ""));
    return there ? STATUS_OK
                 : error_set(error, STATUS_USAGE, "%s: there is no run %" PRId64 "; the last one is %" PRId64,
                             merge->from, run, last);
}

/* Merges a run; tally: NULL: looks only for the run that it, or one before it, is in the target or is a part of. */
static enum status take_run(struct merge *merge, int64_t run, struct store_merge_tally *tally, struct error *error)
{
    if (tally)
        return merge_run(merge, run, tally, error);
    return merge->found
               ? STATUS_OK
               : sql_do(merge->into, &merge->found, error,
                        "SELECT t.id FROM source.run f JOIN main.run t ON t.uuid = f.uuid WHERE f.id = ?1 UNION ALL "
                        "SELECT t.run_id FROM source.run f JOIN main.part t ON t.uuid = f.uuid WHERE f.id = ?1",
                        "i", run);
}

static void merge_detach(struct merge *merge)
{
    /* It was only read, so a failure loses nothing, and the next attachment would report it. */
    (void)sql_do(merge->into, NULL, NULL, "DETACH source", "");
}

/* Attaches the file, which was opened for reading as source; merge_detach ends that. */
static enum status merge_attach(struct merge *merge, const struct store *source, struct error *error)
{
    LOCAL(text) uri = {0};
    const bool immutable = source->journal[0] == 'i';
    sql_doing(merge->into, "opening %.100s to merge it", merge->from);
    open_add_uri(&uri, sqlite3_db_filename(source->db, "main"), immutable ? "mode=ro&immutable=1" : "mode=ro");
    enum status status = sql_do(merge->into, NULL, error, "ATTACH ? AS source", "t", text_string(&uri));
    TRY(status);
    status = soundness_expect_schema(merge->into, "source", merge->from, error);
    if (status != STATUS_OK)
        merge_detach(merge);
    return status;
}

/* Takes every wanted run. The runs of a file are queried one by one, because no statement may be open when a
 * transaction ends. */
static enum status take_runs(struct merge *merge, struct store_merge_tally *tally, struct error *error)
{
    const struct store_merge_options *options = merge->options;
    int64_t run = 0;
    for (size_t i = 0; i < options->run_count; i++)
        TRY(expect_run(merge, options->runs[i], error));
    for (size_t i = 0; i < options->run_count; i++)
        TRY(take_run(merge, options->runs[i], tally, error));
    if (options->run_count > 0)
        return STATUS_OK;
    TRY(sql_do(merge->into, &run, error, "SELECT min(id) FROM source.run", ""));
    while (run) {
        TRY(take_run(merge, run, tally, error));
        TRY(sql_do(merge->into, &run, error, "SELECT min(id) FROM source.run WHERE id > ?", "i", run));
    }
    return STATUS_OK;
}

static bool same_file(const struct store *into, const char *from)
{
    struct stat a, b;
    return stat(into->path, &a) == 0 && stat(from, &b) == 0 && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

/* The whole target is checked when the first file is merged into it, because a merge reads much of it. */
static enum status expect_target(struct store *into, struct error *error)
{
    if (into->expected_pages)
        return STATUS_OK;
    TRY(soundness_expect_pages(into, error));
    into->expected_pages = true;
    return STATUS_OK;
}

/* Opens the source and takes its runs. Refuses what store_open refuses; opening repairs what an interrupted writer
 * left. */
static enum status take_source(struct merge *merge, struct store_merge_tally *tally, struct error *error)
{
    struct store *source = NULL;
    if (same_file(merge->into, merge->from))
        return error_set(error, STATUS_USAGE, "%s: is the target of the merge", merge->from);
    TRY(expect_target(merge->into, error));
    TRY(store_open(merge->from, STORE_READ, &source, error));
    enum status status = columns_expect_tables(source, error); /* rows are copied unchanged */
    THEN(status, merge_attach(merge, source, error));
    if (status == STATUS_OK) {
        status = take_runs(merge, tally, error);
        merge_detach(merge);
    }
    store_close(source);
    return status;
}

enum status store_merge(struct store *into, const char *from, const struct store_merge_options *options,
                        struct store_merge_tally *tally, struct error *error)
{
    struct merge merge = {.into = into, .from = from, .options = options};
    return take_source(&merge, tally, error);
}

enum status store_merge_find(struct store *into, const char *from, const struct store_merge_options *options,
                             int64_t *run_id, struct error *error)
{
    struct merge merge = {.into = into, .from = from, .options = options};
    int64_t any = 0;
    *run_id = 0;
    sql_doing(into, "looking for its runs");
    TRY(sql_do(into, &any, error, "SELECT EXISTS (SELECT 1 FROM main.run)", ""));
    if (!any)
        return STATUS_OK;
    TRY(take_source(&merge, NULL, error));
    *run_id = merge.found;
    return STATUS_OK;
}
