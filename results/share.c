// SPDX-License-Identifier: Apache-2.0
/* The texts of a database, for a copy that is to be shared. */
#include <stdio.h>
#include <string.h>

#include "results/results.h"
#include "results/sql.h"

/* The columns of a table that have the same kind of text. tests/results/test_share.c checks that none of the schema is
 * missing. */
static const struct {
    const char *table;
    enum store_text kind;
    const char *columns[9];
} rows[] = {
    {"content", STORE_TEXT_FIXED, {"hash", "text"}},
    {"device", STORE_TEXT_WORDS, {"uuid", "name", "vendor", "architecture"}},
    {"driver", STORE_TEXT_WORDS, {"backend", "platform", "version", "compiler", "capabilities"}},
    {"test", STORE_TEXT_FIXED, {"hash", "dialect", "name", "condition", "doc"}},
    {"environment", STORE_TEXT_FIXED, {"hash", "text"}},
    {"run", STORE_TEXT_FIXED, {"uuid", "state", "started_at", "finished_at"}},
    {"run", STORE_TEXT_WORDS, {"tool_version"}},
    {"run", STORE_TEXT_COMMAND, {"command_line"}},
    {"run", STORE_TEXT_HOST, {"host"}},
    {"run", STORE_TEXT_VARIABLES, {"environment_variables"}},
    {"job", STORE_TEXT_FIXED, {"uuid", "key", "controls", "lowering", "state", "started_at", "finished_at"}},
    {"job", STORE_TEXT_WORDS, {"reason", "detail", "circumstances"}},
    {"job", STORE_TEXT_NAME, {"profile"}},
    {"build", STORE_TEXT_FIXED, {"kernel_hash", "marks", "kept"}},
    {"build", STORE_TEXT_WORDS, {"kept_reason"}},
    {"batch", STORE_TEXT_FIXED, {"draw", "liveness"}},
    {"batch", STORE_TEXT_WORDS, {"invalid"}},
    {"outcome", STORE_TEXT_FIXED, {"label"}},
    {"void_count", STORE_TEXT_FIXED, {"reason"}},
    {"judgement", STORE_TEXT_FIXED, {"role", "model_hash"}},
    {"judgement", STORE_TEXT_NAME, {"model"}},
    {"judgement", STORE_TEXT_WORDS, {"unjudged", "cut"}},
    {"verdict", STORE_TEXT_FIXED, {"label", "verdict", "axiom"}},
    {"merge", STORE_TEXT_PLACE, {"source"}},
    {"merge", STORE_TEXT_HOST, {"host"}},
    {"merge", STORE_TEXT_WORDS, {"tool_version"}},
    {"merge", STORE_TEXT_FIXED, {"merged_at", "left_out"}},
    {"part", STORE_TEXT_FIXED, {"uuid", "state", "started_at", "finished_at"}},
    {"part", STORE_TEXT_WORDS, {"tool_version"}},
    {"part", STORE_TEXT_COMMAND, {"command_line"}},
    {"part", STORE_TEXT_HOST, {"host"}},
    {"part", STORE_TEXT_VARIABLES, {"environment_variables"}},
    {"resumption", STORE_TEXT_WORDS, {"tool_version"}},
    {"resumption", STORE_TEXT_COMMAND, {"command_line"}},
    {"resumption", STORE_TEXT_HOST, {"host"}},
    {"resumption", STORE_TEXT_VARIABLES, {"environment_variables"}},
    {"resumption", STORE_TEXT_FIXED, {"started_at"}},
    {"calibration", STORE_TEXT_FIXED, {"test_hash", "dialect", "environment_hash", "note", "noted_at"}},
    {"calibration", STORE_TEXT_WORDS, {"backend", "device"}},
};

struct text_visit {
    struct store *store;
    store_text_visitor *visit;
    void *data;
};

static enum status visit_text(const struct text_visit *visit, const char *table, const char *column,
                              enum store_text kind, const char *old, struct error *error)
{
    char place[64], sql[160];
    struct text text = {0};
    (void)snprintf(place, sizeof place, "%s.%s", table, column);
    (void)snprintf(sql, sizeof sql, "UPDATE %s SET %s = ? WHERE %s = ?", table, column, column);
    text_add(&text, "%s", old);
    enum status status = visit->visit(kind, place, &text, visit->data, error);
    if (status == STATUS_OK && strcmp(text_string(&text), old) != 0)
        status = kind == STORE_TEXT_FIXED
                     ? error_set(error, STATUS_INTERNAL, "%s: a text of %s cannot change", visit->store->path, place)
                     : sql_do(visit->store, NULL, error, sql, "tt", text_string(&text), old);
    text_release(&text);
    return status;
}

/* The texts are read before the first one changes. */
static enum status visit_column(const struct text_visit *visit, const char *table, const char *column,
                                enum store_text kind, struct error *error)
{
    struct arena arena = {0};
    sqlite3_stmt *statement = NULL;
    const char **texts = NULL;
    size_t count = 0;
    bool row = false;
    char sql[160];
    (void)snprintf(sql, sizeof sql, "SELECT DISTINCT %s FROM %s WHERE %s <> ''", column, table, column);
    enum status status = sql_open(visit->store, &statement, error, sql, "");
    if (status == STATUS_OK)
        status = sql_next(visit->store, statement, &row, error);
    while (row && status == STATUS_OK) {
        ARENA_ADD(&arena, texts, count) = arena_copy(&arena, sql_text(statement, 0));
        status = sql_next(visit->store, statement, &row, error);
    }
    sql_done(statement);
    for (size_t i = 0; i < count && status == STATUS_OK; i++)
        status = visit_text(visit, table, column, kind, texts[i], error);
    arena_release(&arena);
    return status;
}

static enum status visit_all(const struct text_visit *visit, struct error *error)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (const char *const *column = rows[i].columns; *column; column++)
            TRY(visit_column(visit, rows[i].table, *column, rows[i].kind, error));
    return STATUS_OK;
}

enum status store_visit_texts(struct store *store, store_text_visitor *visit, void *data, struct error *error)
{
    const struct text_visit visiting = {store, visit, data};
    sql_doing(store, "leaving names out");
    TRY(sql_begin(store, error));
    return sql_end(store, visit_all(&visiting, error), error);
}

enum status store_forget_merges(struct store *store, struct error *error)
{
    sql_doing(store, "forgetting merges");
    TRY(sql_begin(store, error));
    return sql_end(
        store,
        sql_do(store, NULL, error, "DELETE FROM merge WHERE id NOT IN (SELECT max(id) FROM merge GROUP BY run_id)", ""),
        error);
}

enum status store_save(struct store *store, const char *path, struct error *error)
{
    sql_doing(store, "writing a copy to %.100s", path);
    return sql_do(store, NULL, error, "VACUUM INTO ?", "t", path);
}
