// SPDX-License-Identifier: Apache-2.0
/* Creates the tables and views of a new file, with the words of base/record.h in the checks of
 * their columns. */
#include "results/schema.h"

#include <string.h>

#include "base/record.h"
#include "base/text.h"

extern const char schema_text[]; /* results/schema.sql */

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

/* Appends the words for {NAME}; length: bytes of NAME without its braces. */
static void add_words(const char *name, size_t length, struct text *sql)
{
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        if (strlen(lists[i].name) == length && strncmp(lists[i].name, name, length) == 0)
            text_add(sql, "%s", lists[i].words + 2);
}

static void add_schema(struct text *sql)
{
    const char *at = schema_text;
    for (size_t length = strcspn(at, "{"); at[length]; length = strcspn(at, "{")) {
        const char *name = at + length + 1;
        text_add_bytes(sql, at, length);
        add_words(name, strcspn(name, "}"), sql);
        at = name + strcspn(name, "}") + 1;
    }
    text_add(sql, "%sPRAGMA application_id = %d;\nPRAGMA user_version = %d", at, SCHEMA_APPLICATION, SCHEMA_VERSION);
}

/* Appends the schema's statements that start this way, made temporary. */
static void add_temporary(const char *schema, const char *kind, const char *name, struct text *sql)
{
    struct text start = {0};
    text_add(&start, "\nCREATE %s %s", kind, name);
    for (const char *at = strstr(schema, text_string(&start)); at; at = strstr(at, text_string(&start))) {
        const char *rest = at + strlen("\nCREATE ");
        const size_t length = strcspn(rest, ";");
        text_add(sql, "CREATE TEMP %.*s;\n", (int)length, rest);
        at = rest + length;
    }
    text_release(&start);
}

void schema_add_temporary(struct text *sql)
{
    static const char *const tables[] = {"judgement", "verdict"};
    struct text schema = {0};
    add_schema(&schema);
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        struct text name = {0};
        text_add(&name, "%s (", tables[i]);
        add_temporary(text_string(&schema), "TABLE", text_string(&name), sql);
        text_add(sql, "INSERT INTO temp.%s SELECT * FROM main.%s;\n", tables[i], tables[i]);
        text_release(&name);
    }
    add_temporary(text_string(&schema), "VIEW", "", sql);
    text_release(&schema);
}

enum status schema_read_version(struct store *store, int64_t *version, struct error *error)
{
    return sql_do(store, version, error, "PRAGMA user_version", "");
}

static enum status create_unless_there(struct store *store, struct error *error)
{
    struct text sql = {0};
    int64_t version = 0;
    TRY(schema_read_version(store, &version, error));
    if (version == SCHEMA_VERSION)
        return STATUS_OK;
    add_schema(&sql);
    const int code = sqlite3_exec(store->db, text_string(&sql), NULL, NULL, NULL);
    text_release(&sql);
    return code == SQLITE_OK ? STATUS_OK : sql_fail(store, code, error);
}

enum status schema_create(struct store *store, struct error *error)
{
    int64_t version = 0;
    TRY(schema_read_version(store, &version, error));
    if (version == SCHEMA_VERSION)
        return STATUS_OK;
    sql_doing(store, "creating its tables");
    TRY(sql_begin(store, error));
    return sql_end(store, create_unless_there(store, error), error);
}
