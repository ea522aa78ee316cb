// SPDX-License-Identifier: Apache-2.0
/* Whether a file contains what orchil creates, and whether its pages are intact. */
#include "results/soundness.h"

#include <ctype.h>
#include <pthread.h>
#include <string.h>

#include "base/arena.h"
#include "base/text.h"
#include "results/schema.h"

/* ---- the schema ---- */

/* A row of sqlite_schema. SQLite keeps the text of a statement as written; the index of a UNIQUE
 * has none. */
struct object {
    const char *type, *name, *table, *sql;
};

struct objects {
    struct arena arena;
    struct object *items;
    size_t count;
};

static enum status list_objects(struct store *store, const char *database, struct objects *objects, struct error *error)
{
    struct text sql = {0};
    sqlite3_stmt *statement = NULL;
    bool row = false;
    text_add(&sql, "SELECT type, name, tbl_name, sql FROM %s.sqlite_schema", database);
    enum status status = sql_open(store, &statement, error, text_string(&sql), "");
    if (status == STATUS_OK)
        status = sql_next(store, statement, &row, error);
    while (row) {
        struct arena *arena = &objects->arena;
        ARENA_ADD(arena, objects->items, objects->count) =
            (struct object){arena_copy(arena, sql_text(statement, 0)), arena_copy(arena, sql_text(statement, 1)),
                            arena_copy(arena, sql_text(statement, 2)), arena_copy(arena, sql_text(statement, 3))};
        status = sql_next(store, statement, &row, error);
    }
    sql_done(statement);
    text_release(&sql);
    return status;
}

/* The objects that orchil creates, read from a database in memory. */
static enum status make_known(struct objects *known, struct error *error)
{
    struct store memory = {.path = "the schema in memory", .writable = true};
    sql_doing(&memory, "making it");
    const int code = sqlite3_open_v2(":memory:", &memory.db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL);
    enum status status = code == SQLITE_OK ? schema_create(&memory, error) : sql_fail(&memory, code, error);
    if (status == STATUS_OK)
        status = list_objects(&memory, "main", known, error);
    sql_finalize(&memory);
    (void)sqlite3_close(memory.db);
    return status;
}

/* The same, created once in a process: a merge or a history opens hundreds of files. */
static enum status list_known(struct objects **known, struct error *error)
{
    static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
    static struct objects made;
    (void)pthread_mutex_lock(&mutex);
    const enum status status = made.count > 0 ? STATUS_OK : make_known(&made, error);
    if (status != STATUS_OK) {
        arena_release(&made.arena);
        made = (struct objects){.count = 0};
    }
    (void)pthread_mutex_unlock(&mutex);
    *known = &made;
    return status;
}

static const struct object *find_object(const struct objects *objects, const char *name)
{
    for (size_t i = 0; i < objects->count; i++)
        if (strcmp(objects->items[i].name, name) == 0)
            return &objects->items[i];
    return NULL;
}

/* The next byte of a statement; consecutive blanks and line ends count as one blank. */
static char next_byte(const char **at)
{
    if (!isspace((unsigned char)**at))
        return **at ? *(*at)++ : '\0';
    while (isspace((unsigned char)**at))
        ++*at;
    return ' ';
}

static bool is_same_statement(const char *a, const char *b)
{
    char from_a = next_byte(&a);
    while (from_a == next_byte(&b)) {
        if (from_a == '\0')
            return true;
        from_a = next_byte(&a);
    }
    return false;
}

static bool is_same_object(const struct object *a, const struct object *b)
{
    return strcmp(a->type, b->type) == 0 && strcmp(a->table, b->table) == 0 && is_same_statement(a->sql, b->sql);
}

static enum status expect_known(const char *path, const struct object *object, const struct objects *known,
                                struct error *error)
{
    const struct object *made = find_object(known, object->name);
    if (!made && strcmp(object->type, "view") == 0)
        return STATUS_OK;
    if (!made)
        return error_set(
            error, STATUS_DATABASE,
            "%s: has the %s '%s', which is not part of orchil's schema: drop it (DROP %s, in a copy of the file), or "
            "name another file",
            path, object->type, object->name, object->type);
    return is_same_object(object, made)
               ? STATUS_OK
               : error_set(error, STATUS_DATABASE,
                           "%s: its %s '%s' differs from orchil's schema: the file was changed or is damaged; name "
                           "another file",
                           path, object->type, object->name);
}

static enum status compare_objects(const char *path, const struct objects *objects, const struct objects *known,
                                   struct error *error)
{
    for (size_t i = 0; i < known->count; i++)
        if (!find_object(objects, known->items[i].name))
            return error_set(error, STATUS_DATABASE, "%s: is damaged: it has no %s '%s'; name another file", path,
                             known->items[i].type, known->items[i].name);
    for (size_t i = 0; i < objects->count; i++)
        TRY(expect_known(path, &objects->items[i], known, error));
    return STATUS_OK;
}

enum status soundness_expect_schema(struct store *store, const char *database, const char *path, struct error *error)
{
    struct objects *known = NULL, objects = {.count = 0};
    sql_doing(store, "reading its schema");
    enum status status = list_known(&known, error);
    if (status == STATUS_OK)
        status = list_objects(store, database, &objects, error);
    if (status == STATUS_OK)
        status = compare_objects(path, &objects, known, error);
    arena_release(&objects.arena);
    return status;
}

/* ---- rows ---- */

/* The rows of every table are sorted by its first column. */
static enum status read_ends(struct store *store, const char *table, struct error *error)
{
    static const char *const orders[] = {"", " DESC"};
    enum status status = STATUS_OK;
    for (size_t i = 0; i < sizeof orders / sizeof *orders && status == STATUS_OK; i++) {
        struct text sql = {0};
        text_add(&sql, "SELECT * FROM main.%s ORDER BY 1%s LIMIT 1", table, orders[i]);
        status = sql_do(store, NULL, error, text_string(&sql), "");
        text_release(&sql);
    }
    return status;
}

enum status soundness_expect_ends(struct store *store, struct error *error)
{
    struct objects *known = NULL;
    enum status status = list_known(&known, error);
    sql_doing(store, "reading the first and the last rows of its tables");
    for (size_t i = 0; status == STATUS_OK && i < known->count; i++)
        if (strcmp(known->items[i].type, "table") == 0)
            status = read_ends(store, known->items[i].name, error);
    return status;
}

/* ---- pages ---- */

enum status soundness_expect_pages(struct store *store, struct error *error)
{
    sqlite3_stmt *statement = NULL;
    bool row = false;
    sql_doing(store, "checking it for damage");
    TRY(sql_open(store, &statement, error, "PRAGMA main.quick_check(1)", ""));
    enum status status = sql_next(store, statement, &row, error);
    if (row && strcmp(sql_text(statement, 0), "ok") != 0)
        status = sql_damaged(store, sql_text(statement, 0), error);
    sql_done(statement);
    return status;
}
