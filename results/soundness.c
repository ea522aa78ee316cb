// SPDX-License-Identifier: Apache-2.0
/* What a sound file contains: the schema, which a new file gets, and rows, columns and pages that may be relied on. */
#include "results/soundness.h"

/* ---- the schema of a new file, with the words of base/record.h in the checks of its columns ---- */

extern const char schema_text[]; /* results/schema.sql */
extern const char migrations_text[];

#define QUOTED_STATE(name, word, class) ", '" word "'"
#define QUOTED(name, word) ", '" word "'"

static const struct {
    const char *name, *words; /* words: a list for SQL, with a comma and a space before each word */
} lists[] = {
    {"JOB_STATES", JOB_STATE_LIST(QUOTED_STATE)},
    {"RUN_STATES", RUN_STATE_LIST(QUOTED)},
    {"VERDICTS", VERDICT_LIST(QUOTED)},
    {"KEPT", KEPT_LIST(QUOTED)},
};

/* Appends these statements with the words in place of {LIST}, and what makes the file one of SCHEMA_VERSION. */
static void add_statements(const char *at, struct text *sql)
{
    for (size_t length = strcspn(at, "{"); at[length]; length = strcspn(at, "{")) {
        const char *name = at + length + 1;
        text_add_bytes(sql, at, length);
        const size_t size = strcspn(name, "}");
        for (size_t i = 0; i < COUNT(lists); i++)
            if (strlen(lists[i].name) == size && strncmp(lists[i].name, name, size) == 0)
                text_add(sql, "%s", lists[i].words + 2);
        at = name + size + 1;
    }
    text_add(sql, "%sPRAGMA application_id = %d;\nPRAGMA user_version = %d", at, SCHEMA_APPLICATION, SCHEMA_VERSION);
}

/* Appends the schema's statements that start this way, made temporary. */
static void add_temporary(const char *schema, const char *kind, const char *name, struct text *sql)
{
    const char *const start = PRINTED(60, "\nCREATE %s %s", kind, name);
    for (const char *at = strstr(schema, start); at; at = strstr(at, start)) {
        const char *rest = at + strlen("\nCREATE ");
        const size_t length = strcspn(rest, ";");
        text_add(sql, "CREATE TEMP %.*s;\n", (int)length, rest);
        at = rest + length;
    }
}

void schema_add_temporary(struct text *sql)
{
    static const char *const tables[] = {"judgement", "verdict"};
    LOCAL(text) schema = {0};
    add_statements(schema_text, &schema);
    for (size_t i = 0; i < COUNT(tables); i++) {
        add_temporary(text_string(&schema), "TABLE", PRINTED(40, "%s (", tables[i]), sql);
        text_add(sql, "INSERT INTO temp.%s SELECT * FROM main.%s;\n", tables[i], tables[i]);
    }
    add_temporary(text_string(&schema), "VIEW", "", sql);
}

enum status schema_read_version(struct store *store, int64_t *version, struct error *error)
{
    return sql_do(store, version, error, "PRAGMA user_version", "");
}

/* ---- the contents of a row's columns, before anything relies on them ---- */

/* Why a text cannot be used; NULL: it can. */
static const char *text_fault(sqlite3_stmt *statement, int column, bool utf8)
{
    const char *text = (const char *)sqlite3_column_text(statement, column);
    const size_t size = (size_t)sqlite3_column_bytes(statement, column);
    if (!text || memchr(text, '\0', size))
        return "a text with a NUL in it";
    return utf8 && !text_is_utf8(text, size) ? "a text that is not UTF-8" : NULL;
}

static const char *integer_fault(sqlite3_stmt *statement, int column, char kind)
{
    const sqlite3_int64 number = sqlite3_column_int64(statement, column);
    if (number < 0 && kind != 'i')
        return "a negative number";
    return kind == 'u' && number > UINT_MAX ? "a number out of range" : NULL;
}

static const char *real_fault(sqlite3_stmt *statement, int column)
{
    const double number = sqlite3_column_double(statement, column);
    return !isfinite(number) ? "a number that is not finite" : number < 0 ? "a negative number" : NULL;
}

static const char *const type_names[] = {[SQLITE_INTEGER] = "an integer",
                                         [SQLITE_FLOAT] = "a real number",
                                         [SQLITE_TEXT] = "a text",
                                         [SQLITE_BLOB] = "a blob",
                                         [SQLITE_NULL] = "NULL"};

/* What a column holds that it may not hold; NULL: it is right. */
static const char *column_fault(sqlite3_stmt *statement, int column, char letter)
{
    const int type = sqlite3_column_type(statement, column);
    const char kind = (char)tolower((unsigned char)letter);
    const bool of_text = kind == 't' || kind == 'b', of_reals = kind == 'r';
    if (type == SQLITE_NULL && letter != kind)
        return NULL;
    if (of_text && type == SQLITE_TEXT)
        return text_fault(statement, column, kind == 't');
    if (of_reals && (type == SQLITE_FLOAT || type == SQLITE_INTEGER))
        return real_fault(statement, column);
    return !of_text && !of_reals && type == SQLITE_INTEGER ? integer_fault(statement, column, kind) : type_names[type];
}

static enum status refuse_column(struct store *store, sqlite3_stmt *statement, int column, const char *fault,
                                 struct error *error)
{
    const char *const finding =
        PRINTED(300, "%.150s: '%.60s' is %s", store->doing, sqlite3_column_name(statement, column), fault);
    return sql_damaged(store, finding, error);
}

enum status columns_expect(struct store *store, sqlite3_stmt *statement, const char *kinds, struct error *error)
{
    for (int column = 0; kinds[column]; column++) {
        if (kinds[column] == '.' && !store->writable)
            continue;
        const char *fault = column_fault(statement, column, kinds[column]);
        if (fault)
            return refuse_column(store, statement, column, fault, error);
    }
    return STATUS_OK;
}

enum status columns_expect_any(struct store *store, sqlite3_stmt *statement, struct error *error)
{
    static const char kinds[] = {
        [SQLITE_INTEGER] = 'i', [SQLITE_FLOAT] = 'r', [SQLITE_TEXT] = 'b', [SQLITE_BLOB] = 't', [SQLITE_NULL] = 'T'};
    const int count = sqlite3_column_count(statement);
    for (int column = 0; column < count; column++) {
        const char *fault = column_fault(statement, column, kinds[sqlite3_column_type(statement, column)]);
        if (fault)
            return refuse_column(store, statement, column, fault, error);
    }
    return STATUS_OK;
}

/* ---- references ---- */

/* Damaged if the query has a row other than "ok"; the first one is the finding. */
static enum status expect_none(struct store *store, const char *sql, struct error *error)
{
    struct sql_rows rows = sql_rows(store, error, sql, "");
    while (sql_row(&rows))
        if (strcmp(sql_text(rows.statement, 0), "ok") != 0)
            rows.status = sql_damaged(store, sql_text(rows.statement, 0), error);
    return sql_end_rows(&rows);
}

#define MISSING "SELECT printf('a row of %.60s refers to a row of %.60s that is not there', \"table\", parent) FROM "

enum status columns_expect_references(struct store *store, struct error *error)
{
    sql_doing(store, "checking what its rows refer to");
    return expect_none(store,
                       MISSING "main.sqlite_schema t, pragma_foreign_key_check(t.name) WHERE t.type = 'table' AND "
                               "t.name NOT IN ('batch', 'outcome_count', 'void_count', 'verdict')",
                       error);
}

/* ---- whole tables ---- */

/* All columns of the tables with texts, in the order of schema.sql. The texts in `content` are checked by
 * merge_content. */
static const struct {
    const char *sql, *kinds, *doing;
} tables[] = {
    {"SELECT * FROM device", "ittttnu", "checking its devices"},
    {"SELECT * FROM driver", "iittttt", "checking its drivers"},
    {"SELECT * FROM test", "itttitb", "checking its tests"},
    {"SELECT * FROM environment", "itb", "checking its environments"},
    {"SELECT * FROM run", "itbbbbittT", "checking its runs"},
    {"SELECT * FROM part", "iitbbbbittT", "checking the parts of its runs"},
    {"SELECT * FROM resumption", "iibbbbt", "checking its resumptions"},
    {"SELECT * FROM merge", "iibbttnnt", "checking its merges"},
    {"SELECT * FROM job", "itiiiibtinttnntbbRtTt", "checking its jobs"},
    {"SELECT * FROM build", "iitiiruttb", "checking its builds"},
    {"SELECT * FROM batch", "iintinrrntb", "checking its batches"},
    {"SELECT * FROM outcome", "iitn", "checking its outcomes"},
    {"SELECT * FROM void_count", "itn", "checking its voids"},
    {"SELECT * FROM judgement", "iitttubbn", "checking its judgements"},
    {"SELECT * FROM verdict", "ittt", "checking its verdicts"},
};

enum status columns_expect_tables(struct store *store, struct error *error)
{
    for (size_t i = 0; i < COUNT(tables); i++) {
        sql_doing(store, "%s", tables[i].doing);
        struct sql_rows rows = sql_rows(store, error, tables[i].sql, "");
        while (sql_row(&rows))
            rows.status = columns_expect(store, rows.statement, tables[i].kinds, error);
        TRY(sql_end_rows(&rows));
    }
    return STATUS_OK;
}

/* ---- the schema of a file that is there ---- */

/* A row of sqlite_schema. SQLite keeps the text of a statement as written. */
struct object {
    const char *type, *name, *sql;
};

struct objects {
    struct arena arena;
    struct object *items;
    size_t count;
};
ARENA_RELEASES(static, objects)

/* Without the index of a UNIQUE, which has no statement. */
static enum status list_objects(struct store *store, const char *database, struct objects *objects, struct error *error)
{
    struct arena *arena = &objects->arena;
    const char *const sql =
        PRINTED(100, "SELECT type, name, sql FROM %s.sqlite_schema WHERE sql IS NOT NULL", database);
    struct sql_rows rows = sql_rows(store, error, sql, "");
    while (sql_row(&rows))
        ARENA_ADD(arena, objects->items, objects->count) = (struct object){
            arena_copy(arena, sql_text(rows.statement, 0)), arena_copy(arena, sql_text(rows.statement, 1)),
            arena_copy(arena, sql_text(rows.statement, 2))};
    return sql_end_rows(&rows);
}

/* The objects that the schema creates: "CREATE TABLE device (...)". */
static void list_known(struct objects *known)
{
    static const char create[] = "\nCREATE ";
    LOCAL(text) schema = {0};
    add_statements(schema_text, &schema);
    for (const char *at = strstr(text_string(&schema), create); at; at = strstr(at + 1, create)) {
        const char *const type = at + strlen(create), *const name = strchr(type, ' ') + 1;
        char *const word = arena_copy_part(&known->arena, type, (size_t)(name - type) - 1);
        for (char *c = word; *c; c++)
            *c = (char)tolower((unsigned char)*c);
        ARENA_ADD(&known->arena, known->items, known->count) =
            (struct object){word, arena_copy_part(&known->arena, name, strcspn(name, " ")),
                            arena_copy_part(&known->arena, at + 1, strcspn(at + 1, ";"))};
    }
}

static const struct object *find_object(const struct objects *objects, const char *name)
{
    return FIRST_OF(item, objects->items, objects->count, strcmp(item->name, name) == 0);
}

/* SQLite believes the statement, whatever the type says. */
static bool is_view(const struct object *object)
{
    static const char create[] = "CREATE VIEW ";
    return strcmp(object->type, "view") == 0 && strncmp(object->sql, create, strlen(create)) == 0;
}

/* Blanks and line ends do not count: SQLite adds a column without those of the schema. */
static bool is_same_statement(const char *a, const char *b)
{
    static const char blanks[] = " \t\n";
    for (;; a++, b++) {
        a += strspn(a, blanks);
        b += strspn(b, blanks);
        if (*a != *b || *a == '\0')
            return *a == *b;
    }
}

static enum status expect_known(const char *path, const struct object *object, const struct objects *known,
                                struct error *error)
{
    const struct object *made = find_object(known, object->name);
    if (!made && is_view(object))
        return STATUS_OK;
    if (!made)
        return error_set(
            error, STATUS_DATABASE,
            "%s: has the %s '%s', which is not part of orchil's schema: drop it (DROP %s, in a copy of the file), or "
            "name another file",
            path, object->type, object->name, object->type);
    return strcmp(object->type, made->type) == 0 && is_same_statement(object->sql, made->sql)
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
    LOCAL(objects) known = {0}, objects = {0};
    sql_doing(store, "reading its schema");
    list_known(&known);
    TRY(list_objects(store, database, &objects, error));
    return compare_objects(path, &objects, &known, error);
}

/* ---- a file of an older version ---- */

const char *schema_steps(int64_t version)
{
    const char *const title = PRINTED(40, "\n-- version %" PRId64 " ", version);
    const char *const at = strstr(migrations_text, title);
    return at ? at + strlen(title) : NULL;
}

enum status soundness_expect_version(struct store *store, int64_t version, struct error *error)
{
    sql_doing(store, "reading its schema");
    struct sql_rows rows =
        sql_rows(store, error,
                 "SELECT sha256(group_concat(replace(replace(sql, char(10), ''), ' ', ''), '')) FROM (SELECT sql FROM "
                 "main.sqlite_schema WHERE type <> 'view' AND sql IS NOT NULL ORDER BY name)",
                 "");
    while (sql_row(&rows))
        if (strncmp(schema_steps(version), sql_text(rows.statement, 0), HASH_HEX_SIZE - 1) != 0) {
            rows.status =
                error_set(error, STATUS_DATABASE,
                          "%s: its tables are not those of version %" PRId64 " of the schema: the file was "
                          "changed or is damaged; open it with the orchil that wrote it, or name another file",
                          store->path, version);
            error_set_detail(error, sql_text(rows.statement, 0));
        }
    return sql_end_rows(&rows);
}

static const char step[] = "bringing it to version %d of the schema";

/* SQLite reads all views when a table changes, and refuses a change that one of them does not fit. So steps see none,
 * and those of the user's come back last. */
static enum status take_steps(struct store *store, struct error *error)
{
    LOCAL(objects) known = {0}, objects = {0};
    LOCAL(text) sql = {0};
    int64_t version = 0;
    TRY(schema_read_version(store, &version, error));
    if (version == SCHEMA_VERSION)
        return STATUS_OK;
    list_known(&known);
    TRY(list_objects(store, "main", &objects, error));
    FOR_EACH(const struct object, object, objects.items, objects.count)
        if (is_view(object)) {
            char *const drop = sqlite3_mprintf("DROP VIEW \"%w\";\n", object->name);
            text_add(&sql, "%s", drop);
            sqlite3_free(drop);
        }
    add_statements(version ? schema_steps(version) + HASH_HEX_SIZE - 1 : schema_text, &sql);
    FOR_EACH(const struct object, object, known.items, version ? known.count : 0)
        if (is_view(object))
            text_add(&sql, ";\n%s", object->sql);
    sql_doing(store, step, SCHEMA_VERSION);
    const int code = sqlite3_exec(store->db, text_string(&sql), NULL, NULL, NULL);
    if (code != SQLITE_OK)
        return sql_fail(store, code, error);
    FOR_EACH(const struct object, object, objects.items, objects.count)
        if (is_view(object) && !find_object(&known, object->name))
            TRY(sql_do(store, NULL, error, object->sql, ""));
    TRY(columns_expect_references(store, error));
    TRY(soundness_expect_schema(store, "main", store->path, error));
    sql_doing(store, step, SCHEMA_VERSION); /* the commit is part of it */
    return STATUS_OK;
}

enum status schema_create(struct store *store, struct error *error)
{
    int64_t version = 0;
    TRY(schema_read_version(store, &version, error));
    if (version == SCHEMA_VERSION)
        return STATUS_OK;
    sql_doing(store, step, SCHEMA_VERSION);
    /* A rollback journal, so that application_id is never only in the log. Leaving WAL fails while another process has
     * the file open: a run of an older orchil would break. */
    TRY(sql_do(store, NULL, error, "PRAGMA journal_mode = DELETE", ""));
    TRY(sql_do(store, NULL, error, "PRAGMA synchronous = EXTRA", ""));
    /* A step that makes a table again would delete what refers to the old one. */
    (void)sqlite3_db_config(store->db, SQLITE_DBCONFIG_ENABLE_FKEY, 0, NULL);
    const enum status status = SQL_TRANSACTION(store, error, take_steps(store, error));
    (void)sqlite3_db_config(store->db, SQLITE_DBCONFIG_ENABLE_FKEY, 1, NULL);
    return status;
}

/* ---- rows ---- */

/* The rows of every table are sorted by its first column. */
static enum status read_ends(struct store *store, const char *table, struct error *error)
{
    for (int last = 0; last < 2; last++)
        TRY(sql_do(store, NULL, error,
                   PRINTED(100, "SELECT * FROM main.%.60s ORDER BY 1%s LIMIT 1", table, last ? " DESC" : ""), ""));
    return STATUS_OK;
}

enum status soundness_expect_ends(struct store *store, struct error *error)
{
    LOCAL(objects) known = {0};
    list_known(&known);
    sql_doing(store, "reading the first and the last rows of its tables");
    FOR_EACH(const struct object, object, known.items, known.count)
        if (strcmp(object->type, "table") == 0)
            TRY(read_ends(store, object->name, error));
    return STATUS_OK;
}

/* ---- pages ---- */

enum status soundness_expect_pages(struct store *store, struct error *error)
{
    sql_doing(store, "checking it for damage");
    return expect_none(store, "PRAGMA main.quick_check(1)", error);
}

/* ---- the whole file: SQLite's own checks, and rules that only orchil knows ---- */

/* Each row of a probe is a finding, as text; "ok" is not a finding. */
static const struct {
    const char *doing;
    const char *sql;
} probes[] = {
    {"checking its pages and indices", "PRAGMA integrity_check"},
    {"checking its foreign keys", MISSING "pragma_foreign_key_check"},
    {"checking that batches add up",
     "SELECT printf('batch %lld of job %lld does not add up: %lld outcomes + %lld voids, but %lld instances', "
     "number, job_id, outcomes, voids, instances) FROM (SELECT number, job_id, instances, "
     "coalesce((SELECT sum(count) FROM outcome_count WHERE batch_id = batch.id), 0) AS outcomes, "
     "coalesce((SELECT sum(count) FROM void_count WHERE batch_id = batch.id), 0) AS voids FROM batch) "
     "WHERE outcomes + voids <> instances"},
    {"checking that no job has too many instances",
     "SELECT printf('job %lld has more instances than any job can have: %lld', job_id, sum(instances)) FROM batch "
     "GROUP BY job_id HAVING sum(instances) > (1 << 60)"},
    /* SQLite has no checksums of pages. A text with another hash means that a bit has changed on the disk. */
    {"checking its texts",
     "SELECT printf('the text %s does not have that hash', hash) FROM content WHERE hash <> sha256(text)"},
};

static enum status run_probe(struct store *store, size_t probe, struct text *findings, struct error *error)
{
    sql_doing(store, "%s", probes[probe].doing);
    struct sql_rows rows = sql_rows(store, error, probes[probe].sql, "");
    while (sql_row(&rows))
        if (strcmp(sql_text(rows.statement, 0), "ok") != 0)
            text_add(findings, "%s\n", sql_text(rows.statement, 0));
    return sql_end_rows(&rows);
}

enum status store_check(struct store *store, struct text *findings, struct error *error)
{
    for (size_t i = 0; i < COUNT(probes); i++)
        TRY(run_probe(store, i, findings, error));
    return STATUS_OK;
}

const char *store_library_version(void)
{
    return sqlite3_libversion();
}
