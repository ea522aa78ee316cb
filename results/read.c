// SPDX-License-Identifier: Apache-2.0
/* Reads: cursors, with the statement for each kind of row and the one loop that steps through rows, and all rows of a
 * job at once. */
#include "results/soundness.h"

/* ---- everything that belongs to a job at once, into an arena ---- */

static void keep_texts(struct arena *arena, const char **const *texts, size_t count)
{
    for (size_t i = 0; i < count; i++)
        *texts[i] = arena_copy(arena, *texts[i]);
}

bool store_is_processor(const struct store_job_row *row, unsigned *units)
{
    return row->hardware && sscanf(row->hardware, "a processor with %u compute units", units) == 1;
}

const char *store_requested_lowering(const struct store_job_row *row)
{
    return row->lowering && (lowering_is(row->lowering, "source") || lowering_header(row->lowering)) ? row->lowering
                                                                                                     : "";
}

struct store_job_row store_keep_job(struct arena *arena, const struct store_job_row *row)
{
    struct store_job_row kept = *row;
    const char **const texts[] = {
        &kept.test,          &kept.dialect,     &kept.condition,        &kept.test_hash,
        &kept.backend,       &kept.device,      &kept.device_uuid,      &kept.platform,
        &kept.driver,        &kept.compiler,    &kept.environment_hash, &kept.profile,
        &kept.key,           &kept.controls,    &kept.reason,           &kept.run_uuid,
        &kept.tool_version,  &kept.host,        &kept.started_at,       &kept.kernel_hash,
        &kept.circumstances, &kept.kept_reason, &kept.lowering,         &kept.hardware,
    };
    keep_texts(arena, texts, COUNT(texts));
    return kept;
}

enum status store_find_job(struct store *store, int64_t job_id, struct arena *arena, struct store_job_row *row,
                           struct error *error)
{
    struct store_cursor jobs;
    int64_t first = 0, last = 0;
    bool found = false;
    store_query(store, STORE_JOBS, 0, &jobs, error);
    while (!found && store_next(&jobs)) {
        first = first > 0 ? first : jobs.job.job_id;
        last = jobs.job.job_id;
        found = last == job_id;
        if (found)
            *row = store_keep_job(arena, &jobs.job);
    }
    TRY(store_end(&jobs, STATUS_OK));
    return found ? STATUS_OK
                 : error_set(error, STATUS_USAGE, "%s: there is no job %" PRId64 "%s", store_path(store), job_id,
                             last == 0 ? ": the database has no jobs"
                                       : PRINTED(80, "; its jobs are %" PRId64 " to %" PRId64, first, last));
}

struct store_run_row store_keep_run(struct arena *arena, const struct store_run_row *row)
{
    struct store_run_row kept = *row;
    const char **const texts[] = {
        &kept.run.tool_version,          &kept.run.command_line, &kept.run.host,
        &kept.run.environment_variables, &kept.started_at,       &kept.finished_at,
    };
    keep_texts(arena, texts, COUNT(texts));
    return kept;
}

enum status store_load_counts(struct store *store, enum store_what what, int64_t job_id, struct arena *arena,
                              struct count **counts, size_t *count, struct error *error)
{
    struct store_cursor cursor;
    *counts = NULL;
    *count = 0;
    store_query(store, what, job_id, &cursor, error);
    while (store_next(&cursor)) {
        struct count *added = &ARENA_ADD(arena, *counts, *count);
        *added = cursor.count;
        added->label = arena_copy(arena, added->label);
    }
    return store_end(&cursor, STATUS_OK);
}

/* Adds a row's verdict to its judgement. verdicts: those of the judgement. */
static void add_verdict(struct arena *arena, const struct store_verdict_row *row, struct store_judgement *judgement,
                        struct store_verdict **verdicts)
{
    if (!judgement->model)
        *judgement = (struct store_judgement){.role = arena_copy(arena, row->judgement.role),
                                              .model = arena_copy(arena, row->judgement.model),
                                              .model_hash = arena_copy(arena, row->judgement.model_hash),
                                              .mapping = row->judgement.mapping,
                                              .unjudged = arena_copy(arena, row->judgement.unjudged),
                                              .cut = arena_copy(arena, row->judgement.cut),
                                              .racy = row->judgement.racy};
    if (row->verdict.label)
        ARENA_ADD(arena, *verdicts, judgement->verdict_count) = (struct store_verdict){
            arena_copy(arena, row->verdict.label), row->verdict.verdict, arena_copy(arena, row->verdict.axiom)};
    judgement->verdicts = *verdicts;
}

enum status store_load_judgements(struct store *store, int64_t job_id, struct arena *arena,
                                  struct store_judgements *judgements, struct error *error)
{
    struct store_cursor cursor;
    struct store_verdict *source = NULL, *target = NULL;
    *judgements = (struct store_judgements){.source = {.model = NULL}};
    store_query(store, STORE_VERDICTS, job_id, &cursor, error);
    while (store_next(&cursor)) {
        if (strcmp(cursor.verdict.judgement.role, "target") == 0)
            add_verdict(arena, &cursor.verdict, &judgements->target, &target);
        else
            add_verdict(arena, &cursor.verdict, &judgements->source, &source);
    }
    return store_end(&cursor, STATUS_OK);
}

enum verdict store_verdict_on(const struct store_judgement *judgement, const char *label)
{
    for (size_t i = 0; judgement->model && i < judgement->verdict_count; i++)
        if (strcmp(judgement->verdicts[i].label, label) == 0)
            return judgement->verdicts[i].verdict;
    return VERDICT_NONE;
}

enum status store_load_text(struct store *store, enum store_what what, int64_t id, struct arena *arena,
                            struct store_text_row *text, struct error *error)
{
    struct store_cursor cursor;
    *text = (struct store_text_row){NULL, NULL};
    store_query(store, what, id, &cursor, error);
    if (store_next(&cursor))
        *text = (struct store_text_row){arena_copy(arena, cursor.text.text), arena_copy(arena, cursor.text.doc)};
    return store_end(&cursor, STATUS_OK);
}

/* ---- rows ---- */

static uint64_t read_number_of(const struct store_cursor *cursor, int column)
{
    return (uint64_t)sqlite3_column_int64(cursor->statement, column);
}

static const char *text_of(const struct store_cursor *cursor, int column)
{
    return sql_text(cursor->statement, column);
}

static double real_of(const struct store_cursor *cursor, int column)
{
    return sqlite3_column_double(cursor->statement, column);
}

/* Here and below, unknown words are read as the value that is trusted least. */
static void fill_run(struct store_cursor *cursor)
{
    cursor->run = (struct store_run_row){.run_id = (int64_t)read_number_of(cursor, 0),
                                         .run = {.tool_version = text_of(cursor, 1),
                                                 .command_line = text_of(cursor, 2),
                                                 .host = text_of(cursor, 3),
                                                 .environment_variables = text_of(cursor, 4),
                                                 .seed = read_number_of(cursor, 5)},
                                         .state = run_state_from_word(text_of(cursor, 6), RUN_STARTED),
                                         .started_at = text_of(cursor, 7),
                                         .finished_at = text_of(cursor, 8)};
}

/* The counts of such a job cannot be true; those of other jobs may be. */
static void condemn_counts(struct store_job_row *job)
{
    if (job->instances <= STORE_JOB_INSTANCES_MAX)
        return;
    job->state = JOB_INVALID;
    job->reason = STORE_COUNTS_DAMAGED;
    job->instances = job->voids = job->batches = 0;
}

static void fill_job(struct store_cursor *cursor)
{
    cursor->job = (struct store_job_row){.job_id = (int64_t)read_number_of(cursor, 0),
                                         .run_id = (int64_t)read_number_of(cursor, 1),
                                         .test = text_of(cursor, 2),
                                         .dialect = text_of(cursor, 3),
                                         .condition = text_of(cursor, 4),
                                         .test_hash = text_of(cursor, 5),
                                         .backend = text_of(cursor, 6),
                                         .device = text_of(cursor, 7),
                                         .device_uuid = text_of(cursor, 8),
                                         .platform = text_of(cursor, 9),
                                         .driver = text_of(cursor, 10),
                                         .compiler = text_of(cursor, 11),
                                         .environment_hash = text_of(cursor, 12),
                                         .profile = text_of(cursor, 13),
                                         .key = text_of(cursor, 14),
                                         .controls = text_of(cursor, 15),
                                         .reason = text_of(cursor, 16),
                                         .state = job_state_from_word(text_of(cursor, 17), JOB_STARTED),
                                         .marks = marks_parse(text_of(cursor, 18)),
                                         .seed = strtoull(text_of(cursor, 19), NULL, 10),
                                         .replicate = read_number_of(cursor, 20),
                                         .batches = read_number_of(cursor, 21),
                                         .invalid_batches = read_number_of(cursor, 22),
                                         .instances = read_number_of(cursor, 23),
                                         .voids = read_number_of(cursor, 24),
                                         .seconds = real_of(cursor, 25),
                                         .run_uuid = text_of(cursor, 26),
                                         .tool_version = text_of(cursor, 27),
                                         .host = text_of(cursor, 28),
                                         .started_at = text_of(cursor, 29),
                                         .kernel_hash = text_of(cursor, 30),
                                         .circumstances = text_of(cursor, 31),
                                         .built = sqlite3_column_type(cursor->statement, 32) != SQLITE_NULL,
                                         .kept = kept_from_word(text_of(cursor, 32), TEST_NOT_INSPECTED),
                                         .kept_reason = text_of(cursor, 33),
                                         .lowering = text_of(cursor, 34),
                                         .hardware = text_of(cursor, 35),
                                         .run_state = run_state_from_word(text_of(cursor, 36), RUN_STARTED),
                                         .resident_groups = (unsigned)read_number_of(cursor, 37)};
    condemn_counts(&cursor->job);
}

static void fill_facts(struct store_cursor *cursor)
{
    cursor->facts = (struct store_job_facts){
        .vendor = text_of(cursor, 0),
        .architecture = text_of(cursor, 1),
        .gpu = read_number_of(cursor, 2) != 0,
        .compute_units = (unsigned)read_number_of(cursor, 3),
        .detail = text_of(cursor, 4),
        .log = text_of(cursor, 5),
        .resident_groups = (unsigned)read_number_of(cursor, 6),
        .extent = {.instances = read_number_of(cursor, 7), .batch_instances = read_number_of(cursor, 8)},
        .build_seconds = real_of(cursor, 9)};
}

static void fill_count(struct store_cursor *cursor)
{
    cursor->count = (struct count){text_of(cursor, 0), read_number_of(cursor, 1), read_number_of(cursor, 2) != 0};
    cursor->number = read_number_of(cursor, 3);
}

static void fill_homes(struct store_cursor *cursor)
{
    cursor->homes = (struct store_homes_row){
        .homes = text_of(cursor, 0), .instances = read_number_of(cursor, 1), .witnesses = read_number_of(cursor, 2)};
}

static void fill_batch(struct store_cursor *cursor)
{
    cursor->batch = (struct store_batch_row){.number = read_number_of(cursor, 0),
                                             .arguments = read_number_of(cursor, 1),
                                             .instances = read_number_of(cursor, 2),
                                             .voids = read_number_of(cursor, 3),
                                             .seconds = real_of(cursor, 4)};
}

static void fill_verdict(struct store_cursor *cursor)
{
    const bool some = sqlite3_column_type(cursor->statement, 7) != SQLITE_NULL;
    cursor->verdict = (struct store_verdict_row){.judgement = {.role = text_of(cursor, 0),
                                                               .model = text_of(cursor, 1),
                                                               .model_hash = text_of(cursor, 2),
                                                               .mapping = (unsigned)read_number_of(cursor, 3),
                                                               .unjudged = text_of(cursor, 4),
                                                               .cut = text_of(cursor, 5),
                                                               .racy = read_number_of(cursor, 6) != 0},
                                                 .verdict = {some ? text_of(cursor, 7) : NULL,
                                                             verdict_from_word(text_of(cursor, 8), VERDICT_NONE),
                                                             text_of(cursor, 9)}};
}

static void fill_judged(struct store_cursor *cursor)
{
    cursor->judged = (struct store_judged_row){.job_id = (int64_t)read_number_of(cursor, 0),
                                               .run_id = (int64_t)read_number_of(cursor, 1),
                                               .test = text_of(cursor, 2),
                                               .dialect = text_of(cursor, 3),
                                               .test_hash = text_of(cursor, 4),
                                               .role = text_of(cursor, 5),
                                               .model = text_of(cursor, 6),
                                               .model_hash = text_of(cursor, 7),
                                               .mapping = (unsigned)read_number_of(cursor, 8),
                                               .has_verdicts = read_number_of(cursor, 9) != 0};
}

static void fill_text(struct store_cursor *cursor)
{
    cursor->text = (struct store_text_row){text_of(cursor, 0), text_of(cursor, 1)};
}

static void fill_planned(struct store_cursor *cursor)
{
    const enum job_state state = job_state_from_word(text_of(cursor, 13), JOB_STARTED);
    cursor->planned = (struct store_planned_row){
        .planned = {.group = (size_t)read_number_of(cursor, 0),
                    .control = read_number_of(cursor, 1) != 0,
                    .file = text_of(cursor, 2),
                    .test = {text_of(cursor, 3), text_of(cursor, 4), text_of(cursor, 5), text_of(cursor, 6),
                             text_of(cursor, 7), text_of(cursor, 8)},
                    .environment = {text_of(cursor, 9), text_of(cursor, 10), text_of(cursor, 11)},
                    .lowering = text_of(cursor, 26),
                    .extent = {.instances = read_number_of(cursor, 27),
                               .batch_instances = read_number_of(cursor, 28),
                               .resident_groups = (uint32_t)read_number_of(cursor, 29),
                               .seconds = real_of(cursor, 30)}},
        .progress = {.job_id = (int64_t)read_number_of(cursor, 12),
                     .state = state,
                     .finished = state != JOB_STARTED && state != JOB_INTERRUPTED && state != JOB_NOT_RUN,
                     .reason = text_of(cursor, 14),
                     .built = sqlite3_column_type(cursor->statement, 16) != SQLITE_NULL,
                     .marks = marks_parse(text_of(cursor, 16)),
                     .resident_groups = (unsigned)read_number_of(cursor, 17),
                     .batches = read_number_of(cursor, 18),
                     .invalid_batches = read_number_of(cursor, 19),
                     .instances = read_number_of(cursor, 20),
                     .launched = read_number_of(cursor, 21),
                     .seconds = real_of(cursor, 22),
                     .invalid = text_of(cursor, 23),
                     .kept = kept_from_word(text_of(cursor, 24), TEST_NOT_INSPECTED),
                     .kept_reason = text_of(cursor, 25)},
        .device = text_of(cursor, 15)};
}

static void fill_cell(sqlite3_stmt *statement, int column, struct store_cell *cell)
{
    switch (sqlite3_column_type(statement, column)) {
    case SQLITE_NULL:
        cell->kind = STORE_CELL_NULL;
        return;
    case SQLITE_INTEGER:
        cell->kind = STORE_CELL_INTEGER;
        cell->integer = sqlite3_column_int64(statement, column);
        return;
    case SQLITE_FLOAT:
        cell->kind = STORE_CELL_REAL;
        cell->real = sqlite3_column_double(statement, column);
        return;
    default:
        cell->kind = STORE_CELL_TEXT;
        cell->text = sql_text(statement, column);
        cell->size = (size_t)sqlite3_column_bytes(statement, column);
    }
}

static void fill_cells(struct store_cursor *cursor)
{
    for (size_t i = 0; i < cursor->row.count; i++)
        fill_cell(cursor->statement, (int)i, &cursor->row.cells[i]);
}

/* ---- what can be read ---- */

extern const char read_text[]; /* results/read.sql */

/* By the names of their statements. */
static const struct {
    const char *name;
    void (*fill)(struct store_cursor *cursor);
} queries[STORE_WHAT_COUNT] = {
    [STORE_RUNS] = {"runs", fill_run},
    [STORE_JOBS] = {"jobs", fill_job},
    [STORE_FACTS] = {"facts", fill_facts},
    [STORE_OUTCOMES] = {"outcomes", fill_count},
    [STORE_VOIDS] = {"voids", fill_count},
    [STORE_BATCHES] = {"batches", fill_batch},
    [STORE_HOMES] = {"homes", fill_homes},
    [STORE_BATCH_OUTCOMES] = {"batch_outcomes", fill_count},
    [STORE_BATCH_VOIDS] = {"batch_voids", fill_count},
    [STORE_VERDICTS] = {"verdicts", fill_verdict},
    [STORE_JUDGED] = {"judged", fill_judged},
    [STORE_TEST] = {"test", fill_text},
    [STORE_ENVIRONMENT] = {"environment", fill_text},
    [STORE_BINARY] = {"binary", fill_text},
    [STORE_CAPABILITIES] = {"capabilities", fill_text},
    [STORE_PLAN] = {"plan", fill_text},
    [STORE_PLANNED] = {"planned", fill_planned},
};

static const struct {
    const char *name;
    bool by_job; /* ?1 is a job, else a run or 0 for all */
} views[STORE_VIEW_COUNT] = {
    [STORE_VIEW_RUNS] = {"v_run", false},        [STORE_VIEW_JOBS] = {"v_job", true},
    [STORE_VIEW_OUTCOMES] = {"v_outcome", true}, [STORE_VIEW_BATCHES] = {"v_batch", true},
    [STORE_VIEW_VOIDS] = {"v_void", true},       [STORE_VIEW_JUDGEMENTS] = {"v_judgement", true},
    [STORE_VIEW_PARTS] = {"v_part", false},      [STORE_VIEW_RESUMPTIONS] = {"v_resumption", false},
    [STORE_VIEW_MERGES] = {"v_merge", false},
};

static void find_statement(struct store_cursor *cursor, const char *name)
{
    static const char mark[] = "{plausible}";
    const char *const head = PRINTED(64, "\n-- %s ", name), *const kinds = strstr(read_text, head) + strlen(head);
    const char *const what = strchr(kinds, ' ') + 1, *sql = strchr(what, '\n') + 1;
    LOCAL(text) whole = {0};
    for (const char *at; (at = strstr(sql, mark)) && at < strchr(sql, ';'); sql = at + strlen(mark)) {
        text_add_bytes(&whole, sql, (size_t)(at - sql));
        text_add(&whole, "AND (SELECT sum(instances) FROM batch WHERE job_id = ?1 AND valid) <= %" PRIu64,
                 STORE_JOB_INSTANCES_MAX);
    }
    text_add_bytes(&whole, sql, strcspn(sql, ";"));
    cursor->sql = arena_copy(&cursor->names, text_string(&whole));
    cursor->what = arena_copy_part(&cursor->names, what, strcspn(what, "\n"));
    cursor->kinds = *kinds == '-' ? NULL : arena_copy_part(&cursor->names, kinds, strcspn(kinds, " "));
}

/* ---- the cursor ---- */

/* Called at each step, because the store may have been used since the last one. */
static void name_work(const struct store_cursor *cursor)
{
    if (cursor->store->reader == cursor)
        return;
    const int size = (int)strcspn(cursor->what, "#");
    if (cursor->what[size])
        sql_doing(cursor->store, "reading %.*s%" PRId64, size, cursor->what, cursor->id);
    else
        sql_doing(cursor->store, "reading %s", cursor->what);
    cursor->store->reader = cursor;
}

void store_query(struct store *store, enum store_what what, int64_t id, struct store_cursor *cursor,
                 struct error *error)
{
    store->reader = NULL; /* this cursor may be at the address of an earlier one */
    *cursor = (struct store_cursor){.store = store, .error = error, .id = id, .fill = queries[what].fill};
    find_statement(cursor, queries[what].name);
}

static enum status begin_view(struct store_cursor *cursor)
{
    if (sqlite3_get_autocommit(cursor->store->db)) { /* else a transaction has already fixed the moment */
        TRY(sql_do(cursor->store, NULL, cursor->error, "BEGIN", ""));
        cursor->began = true;
    }
    TRY(sql_open(cursor->store, &cursor->statement, cursor->error, cursor->sql, "i", cursor->id));
    cursor->row.count = (size_t)sqlite3_column_count(cursor->statement);
    cursor->row.cells = memory_take(cursor->row.count, sizeof *cursor->row.cells);
    for (size_t i = 0; i < cursor->row.count; i++)
        cursor->row.cells[i].column = arena_copy(&cursor->names, sqlite3_column_name(cursor->statement, (int)i));
    sql_done(cursor->statement);
    cursor->statement = NULL;
    return STATUS_OK;
}

void store_query_view(struct store *store, const struct store_wanted *wanted, struct store_cursor *cursor,
                      struct error *error)
{
    const bool by_job = views[wanted->view].by_job, every = by_job && wanted->job_id <= 0;
    *cursor =
        (struct store_cursor){.store = store,
                              .error = error,
                              .jobs_sql = !every               ? NULL
                                          : wanted->run_id > 0 ? "SELECT id FROM job WHERE run_id = ?1 ORDER BY id"
                                                               : "SELECT id FROM job WHERE ?1 <= 0 ORDER BY id",
                              .id = by_job && !every ? wanted->job_id : wanted->run_id,
                              .fill = fill_cells};
    find_statement(cursor, views[wanted->view].name);
    store->reader = NULL;
    name_work(cursor);
    cursor->status = begin_view(cursor);
}

/* Starts the statement: once for the cursor's id, or for the next job. False if there is none, or on failure. */
static bool open_next(struct store_cursor *cursor)
{
    struct store *store = cursor->store;
    int64_t id = cursor->id;
    bool more = !cursor->opened;
    if (cursor->jobs_sql && !cursor->jobs)
        cursor->status = sql_open(store, &cursor->jobs, cursor->error, cursor->jobs_sql, "i", id);
    if (cursor->jobs_sql && cursor->status == STATUS_OK) {
        cursor->status = sql_next(store, cursor->jobs, &more, cursor->error);
        id = more ? sqlite3_column_int64(cursor->jobs, 0) : 0;
    }
    if (cursor->status == STATUS_OK && more)
        cursor->status = sql_open(store, &cursor->statement, cursor->error, cursor->sql, "i", id);
    cursor->opened = true;
    return cursor->statement != NULL;
}

bool store_next(struct store_cursor *cursor)
{
    bool row = false;
    name_work(cursor);
    while (cursor->status == STATUS_OK && !row && (cursor->statement || open_next(cursor))) {
        cursor->status = sql_next(cursor->store, cursor->statement, &row, cursor->error);
        if (row)
            cursor->status = cursor->kinds
                                 ? columns_expect(cursor->store, cursor->statement, cursor->kinds, cursor->error)
                                 : columns_expect_any(cursor->store, cursor->statement, cursor->error);
        row = row && cursor->status == STATUS_OK;
        if (!row) {
            sql_done(cursor->statement);
            cursor->statement = NULL;
        }
    }
    if (row)
        cursor->fill(cursor);
    return row;
}

enum status store_end(struct store_cursor *cursor, enum status status)
{
    sql_done(cursor->statement);
    sql_done(cursor->jobs);
    free(cursor->row.cells);
    arena_release(&cursor->names);
    status = status == STATUS_OK ? cursor->status : status;
    return cursor->began ? sql_end(cursor->store, status, cursor->error) : status;
}
