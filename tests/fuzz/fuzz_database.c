// SPDX-License-Identifier: Apache-2.0
/*
 * A database whose rows or bytes were changed is refused with a message, or read by everything that shows one.
 *
 * The input is a list of changes to a small database in memory (SQLite's "memdb" replaces the file system). The first
 * byte has the number of changes and the reader of the result. A change is 8 bytes: an action, table, column, row, and
 * a number; texts are taken from the bytes that follow.
 */
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "analysis/compare/compare.h"
#include "analysis/history/history.h"
#include "analysis/page/page.h"
#include "analysis/sides/side.h"
#include "base/json.h"
#include "base/whole_file.h"
#include "cli/export/export.h"
#include "runner/run/plan_store.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

enum { CHANGE_SIZE = 8, MAXIMUM_CHANGES = 24, MAXIMUM_TEXT = 200 };

/* The sound database, and the file in memory that each input starts from. */
struct base {
    unsigned char *image;
    size_t size;
    sqlite3_file *file;
    char path[64]; /* of an existing file, because opening looks for one; only its name is used */
};

static void demand(bool condition)
{
    if (!condition)
        abort();
}

/* ---- the sound database ---- */

static char *read_source(const char *name)
{
    char path[4096];
    FILE *file;
    char *text = malloc(1 << 16);
    (void)snprintf(path, sizeof path, "%s/%s", ORCHIL_SOURCE_DIR, name);
    file = fopen(path, "re");
    demand(file && text);
    text[fread(text, 1, (1 << 16) - 1, file)] = '\0';
    (void)fclose(file);
    return text;
}

static void execute(sqlite3 *db, const char *sql)
{
    demand(sqlite3_exec(db, sql, NULL, NULL, NULL) == SQLITE_OK);
}

/* The rows of tests/cli/export, whose numbers are all known, and one row for each table that is empty there. */
static void fill(const char *path)
{
    static const char more[] =
        "INSERT INTO judgement (job_id, role, model, model_hash, mapping, unjudged, cut, racy) VALUES "
        "(1, 'source', 'opencl', '', 0, '', '', 0), (1, 'target', 'ptx', '', 1, '', '', 0);"
        "INSERT INTO verdict VALUES (1, '0:r0=0; 1:r1=0;', 'weak', ''), (2, '0:r0=1; 1:r1=1;', 'forbidden', 'causality');"
        "INSERT INTO merge VALUES (1, 1, '/a.db', 'somewhere', '0.1.0', '2026-11-21T03:07:06.357Z', 3, 5, '[]');"
        "INSERT INTO plan VALUES (1, '{\"devices\":[{\"device\":{\"backend\":\"simulated\"}}]}');"
        "INSERT INTO planned_job VALUES (1, 0, 0, 0, 1, 1, 'portable', 'c11', 'sb.litmus', 0, 0, 0, 0.0, 1);"
        "PRAGMA journal_mode = DELETE; VACUUM";
    sqlite3 *db = NULL;
    char *rows = read_source("tests/cli/export/fixed.sql"), *test = read_source("tests/cli/export/sb.litmus");
    char *update = sqlite3_mprintf("UPDATE content SET text = %Q WHERE id = 1", test);
    demand(sqlite3_open(path, &db) == SQLITE_OK);
    execute(db, rows);
    execute(db, update);
    execute(db, more);
    demand(sqlite3_close(db) == SQLITE_OK);
    sqlite3_free(update);
    free(rows);
    free(test);
}

static void make_base(struct base *base)
{
    struct store *store = NULL;
    FILE *file;
    (void)snprintf(base->path, sizeof base->path, "%s/orchil-fuzz-%ld.db",
                   access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp", (long)getpid());
    (void)unlink(base->path);
    demand(store_open(base->path, STORE_WRITE, &store, NULL) == STATUS_OK);
    store_close(store);
    fill(base->path);
    file = fopen(base->path, "re");
    base->image = malloc(1 << 20);
    demand(file && base->image);
    base->size = fread(base->image, 1, 1 << 20, file);
    (void)fclose(file);
}

static const struct base *base_of_all(void);

static void remove_base(void)
{
    (void)unlink(base_of_all()->path);
}

static const struct base *base_of_all(void)
{
    static struct base base;
    sqlite3_vfs *memory;
    int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_MAIN_DB;
    if (base.image)
        return &base;
    json_start();
    make_base(&base);
    demand(atexit(remove_base) == 0);
    memory = sqlite3_vfs_find("memdb");
    demand(memory && sqlite3_vfs_register(memory, 1) == SQLITE_OK);
    base.file = calloc(1, (size_t)memory->szOsFile);
    demand(base.file && memory->xOpen(memory, base.path, base.file, flags, &flags) == SQLITE_OK);
    return &base;
}

/* ---- changes ---- */

struct changes {
    const uint8_t *bytes;
    size_t size, texts; /* texts: where they start */
};

static const char *const tables[] = {"content",   "device",  "driver", "test",    "environment",   "run",
                                     "job",       "build",   "batch",  "outcome", "outcome_count", "void_count",
                                     "judgement", "verdict", "merge",  "plan",    "planned_job"};

static const sqlite3_int64 numbers[] = {0,         1,          2,         3,         -1,        255,
                                        INT32_MAX, UINT32_MAX, INT64_MAX, INT64_MIN, 1LL << 53, 1LL << 60};

/* Binds a text of the input: its first byte is the length; it is repeated if the number asks for a long one. */
static void bind_text(struct changes *changes, uint8_t number, sqlite3_stmt *statement)
{
    const size_t left = changes->size - changes->texts;
    const uint8_t *text = changes->bytes + changes->texts;
    const size_t length = left == 0 ? 0 : text[0] % MAXIMUM_TEXT < left ? text[0] % MAXIMUM_TEXT : left - 1;
    const size_t times = number >= 250 ? 1000 : 1;
    char *copy = malloc(length * times + 1);
    demand(copy);
    for (size_t i = 0; i < times; i++)
        memcpy(copy + i * length, left == 0 ? (const uint8_t *)"" : text + 1, length);
    (void)sqlite3_bind_text(statement, 1, copy, (int)(length * times), SQLITE_TRANSIENT);
    changes->texts += left == 0 ? 0 : length + 1;
    free(copy);
}

static void name_column(sqlite3 *db, const char *table, uint8_t number, char name[64])
{
    sqlite3_stmt *statement = NULL;
    char sql[100];
    (void)snprintf(sql, sizeof sql, "SELECT * FROM %s", table);
    demand(sqlite3_prepare_v2(db, sql, -1, &statement, NULL) == SQLITE_OK);
    (void)snprintf(name, 64, "%s", sqlite3_column_name(statement, number % sqlite3_column_count(statement)));
    (void)sqlite3_finalize(statement);
}

/* Does one change; a change that the schema refuses has no effect. */
static void change_row(sqlite3 *db, const uint8_t change[CHANGE_SIZE], struct changes *changes)
{
    static const struct {
        const char *start, *middle, *end;
    } forms[] = {{"UPDATE OR IGNORE ", " SET ", " = ?1 WHERE "},
                 {"UPDATE OR REPLACE ", " SET ", " = ?1 WHERE "},
                 {"DELETE FROM ", " WHERE ", " IS NOT ?1 AND "}};
    const size_t form = change[0] % (sizeof forms / sizeof *forms);
    const char *table = tables[change[1] % (sizeof tables / sizeof *tables)];
    sqlite3_stmt *statement = NULL;
    char column[64], sql[300];
    name_column(db, table, change[2], column);
    for (int keyless = 0; keyless < 2 && !statement; keyless++) { /* all rows of a table without row ids */
        (void)snprintf(sql, sizeof sql, "%s%s%s%s%s%s", forms[form].start, table, forms[form].middle, column,
                       forms[form].end, keyless ? "?2 >= 0" : "(?2 = 255 OR rowid % 8 = ?2 % 8)");
        (void)sqlite3_prepare_v2(db, sql, -1, &statement, NULL);
    }
    demand(statement);
    if (change[4] % 4 == 0)
        (void)sqlite3_bind_int64(statement, 1, numbers[change[5] % (sizeof numbers / sizeof *numbers)]);
    else if (change[4] % 4 == 1)
        (void)sqlite3_bind_int64(statement, 1, (sqlite3_int64)change[5] << change[6] % 56);
    else
        bind_text(changes, change[5], statement);
    (void)sqlite3_bind_int64(statement, 2, change[3]);
    (void)sqlite3_step(statement);
    (void)sqlite3_finalize(statement);
}

static void change_byte(const struct base *base, const uint8_t change[CHANGE_SIZE])
{
    const size_t at = ((size_t)change[1] << 16 | (size_t)change[2] << 8 | change[3]) % base->size;
    (void)base->file->pMethods->xWrite(base->file, change + 4, 1, (sqlite3_int64)at);
}

static void change_all(const struct base *base, const uint8_t *bytes, size_t size)
{
    const size_t count = size == 0 ? 0 : bytes[0] % MAXIMUM_CHANGES;
    struct changes changes = {bytes, size, 1 + count * CHANGE_SIZE};
    sqlite3 *db = NULL;
    demand(base->file->pMethods->xTruncate(base->file, 0) == SQLITE_OK);
    demand(base->file->pMethods->xWrite(base->file, base->image, (int)base->size, 0) == SQLITE_OK);
    if (changes.texts > size)
        return;
    demand(sqlite3_open_v2(base->path, &db, SQLITE_OPEN_READWRITE, NULL) == SQLITE_OK);
    (void)sqlite3_exec(db, "PRAGMA journal_mode = MEMORY", NULL, NULL, NULL);
    for (size_t i = 0; i < count; i++)
        if (bytes[1 + i * CHANGE_SIZE] < 250)
            change_row(db, bytes + 1 + i * CHANGE_SIZE, &changes);
    (void)sqlite3_close(db);
    for (size_t i = 0; i < count; i++)
        if (bytes[1 + i * CHANGE_SIZE] >= 250)
            change_byte(base, bytes + 1 + i * CHANGE_SIZE);
}

/* ---- readers ---- */

static void demand_reason(enum status status, const struct error *error)
{
    demand(status == STATUS_OK || error->text[0]);
    demand(status != STATUS_INTERNAL);
}

static void read_page(const char *path)
{
    const struct selector selector = {.database = path};
    const struct page_request request = {.selectors = &selector, .count = 1};
    struct page page;
    struct error error = {0};
    struct text text = {0};
    const enum status status = page_read(&request, &page, &error);
    demand_reason(status, &error);
    if (status == STATUS_OK)
        page_print(&page, &text);
    text_release(&text);
    page_release(&page);
}

static void read_sides(const char *path)
{
    const struct selector selectors[SIDES] = {{.database = path}, {.database = path, .run = 1}};
    const struct compare_options options = {COMPARE_USUAL};
    const struct history_options usual = {HISTORY_USUAL};
    struct side sides[SIDES];
    struct comparison comparison;
    struct history history;
    struct document said;
    struct error error = {0};
    struct text text = {0};
    enum status status = side_read(&selectors[SIDE_A], &sides[SIDE_A], &error);
    demand_reason(status, &error);
    if (side_read(&selectors[SIDE_B], &sides[SIDE_B], &error) == STATUS_OK && status == STATUS_OK) {
        compare_sides(&sides[SIDE_A], &sides[SIDE_B], &options, &comparison);
        compare_document(&comparison, true, &said);
        document_print_text(&said, &text);
        compare_print_json(&comparison, &text);
        compare_print_page(&comparison, &said, NULL, &text);
        document_release(&said);
        comparison_release(&comparison);
        history_make(sides, SIDES, &usual, &history);
        history_document(&history, 0, &said);
        document_print_text(&said, &text);
        document_release(&said);
        history_print_json(&history, &text);
        history_release(&history);
    }
    text_release(&text);
    side_release(&sides[SIDE_B]);
    side_release(&sides[SIDE_A]);
}

static void read_exports(struct store *store)
{
    static FILE *nowhere;
    struct error error = {0};
    const struct export_log_wanted log = {.run_id = 0};
    if (!nowhere)
        nowhere = fopen("/dev/null", "we");
    demand(nowhere);
    for (enum store_view view = 0; view < STORE_VIEW_COUNT; view++) {
        const struct store_wanted wanted = {.view = view};
        demand_reason(export_csv(store, &wanted, nowhere, &error), &error);
        demand_reason(export_json_lines(store, &wanted, nowhere, &error), &error);
    }
    demand_reason(export_log(store, &log, nowhere, &error), &error);
}

static void read_plan(struct store *store)
{
    const struct device_list none = {.count = 0};
    struct run_options options = {.seed = 0};
    struct run_plan plan = {.job_count = 0};
    struct selection selection = {.count = 0};
    struct error error = {0};
    struct text specs = {0};
    int64_t run = 0;
    if (plan_find_run(store, "last", &run, &error) != STATUS_OK)
        return;
    demand_reason(plan_recall_specs(store, run, &specs, &error), &error);
    demand_reason(plan_recall_unread(store, run, &selection, &error), &error);
    demand_reason(plan_recall(store, run, &none, &options, &plan, &error), &error);
    run_plan_release(&plan);
    selection_release(&selection);
    text_release(&specs);
}

/* The first byte also chooses the reader: most inputs use one, which is faster. */
static bool is_asked(const uint8_t *bytes, size_t size, unsigned reader)
{
    const unsigned asked = size > 0 ? bytes[0] / MAXIMUM_CHANGES % 5 : 0;
    return asked == 0 || asked == reader;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    const struct base *base = base_of_all();
    struct store *store = NULL;
    struct error error = {0};
    change_all(base, bytes, size);
    const enum status status = store_open(base->path, STORE_READ, &store, &error);
    demand_reason(status, &error);
    demand(status == STATUS_OK || (size > 0 && bytes[0] % MAXIMUM_CHANGES > 0)); /* otherwise nothing would be tested */
    if (status == STATUS_OK && is_asked(bytes, size, 1))
        read_exports(store);
    if (status == STATUS_OK && is_asked(bytes, size, 2))
        read_plan(store);
    store_close(store);
    if (status == STATUS_OK && is_asked(bytes, size, 3))
        read_page(base->path);
    if (status == STATUS_OK && is_asked(bytes, size, 4))
        read_sides(base->path);
    return 0;
}
