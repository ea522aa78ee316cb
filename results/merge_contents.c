// SPDX-License-Identifier: Apache-2.0
/* Matching rows by content: texts, devices, drivers, tests and environments of the source with those of the target. */
#include <string.h>

#include "base/hash.h"
#include "results/merge.h"

/* A text that lost its hash to a bad disk must not spread. */
static enum status check_content(struct merge *merge, int64_t from, struct error *error)
{
    sqlite3_stmt *statement = NULL;
    bool row = false;
    char hash[HASH_HEX_SIZE] = "";
    TRY(sql_open(merge->into, &statement, error, "SELECT hash, text FROM source.content WHERE id = ?", "i", from));
    enum status status = sql_next(merge->into, statement, &row, error);
    if (row) {
        const char *text = sql_text(statement, 1);
        hash_hex(text, (size_t)sqlite3_column_bytes(statement, 1), hash);
    }
    if (status == STATUS_OK && strcmp(hash, sql_text(statement, 0)) != 0)
        status = merge_refuse(merge, error, "is damaged: the text %s does not have that hash", sql_text(statement, 0));
    sql_done(statement);
    return status;
}

enum status merge_content(struct merge *merge, int64_t from, int64_t *to, struct error *error)
{
    TRY(sql_do(merge->into, to, error,
               "SELECT t.id FROM source.content f JOIN main.content t ON t.hash = f.hash WHERE f.id = ?", "i", from));
    if (*to)
        return STATUS_OK;
    TRY(check_content(merge, from, error));
    return sql_do(merge->into, to, error,
                  "INSERT INTO main.content (hash, text) SELECT hash, text FROM source.content WHERE id = ? "
                  "RETURNING id",
                  "i", from);
}

enum status merge_find_nothing(struct merge *merge, int64_t *to, struct error *error)
{
    char hash[HASH_HEX_SIZE];
    hash_hex("", 0, hash);
    return sql_do(merge->into, to, error, "SELECT id FROM main.content WHERE hash = ?", "t", hash);
}

enum status merge_nothing(struct merge *merge, int64_t *to, struct error *error)
{
    char hash[HASH_HEX_SIZE];
    hash_hex("", 0, hash);
    TRY(merge_find_nothing(merge, to, error));
    return *to ? STATUS_OK
               : sql_do(merge->into, to, error, "INSERT INTO main.content (hash, text) VALUES (?, '') RETURNING id",
                        "t", hash);
}

static enum status merge_device(struct merge *merge, int64_t from, int64_t *to, struct error *error)
{
    TRY(sql_do(merge->into, to, error,
               "SELECT t.id FROM source.device f JOIN main.device t ON t.uuid = f.uuid AND t.name = f.name "
               "AND t.vendor = f.vendor AND t.architecture = f.architecture AND t.gpu = f.gpu "
               "AND t.compute_units = f.compute_units WHERE f.id = ?",
               "i", from));
    return *to ? STATUS_OK
               : sql_do(merge->into, to, error,
                        "INSERT INTO main.device (uuid, name, vendor, architecture, gpu, compute_units) "
                        "SELECT uuid, name, vendor, architecture, gpu, compute_units FROM source.device WHERE id = ? "
                        "RETURNING id",
                        "i", from);
}

enum status merge_driver(struct merge *merge, int64_t from, int64_t *to, struct error *error)
{
    int64_t from_device = 0, device = 0;
    TRY(sql_do(merge->into, &from_device, error, "SELECT device_id FROM source.driver WHERE id = ?", "i", from));
    TRY(merge_device(merge, from_device, &device, error));
    TRY(sql_do(merge->into, to, error,
               "SELECT t.id FROM source.driver f JOIN main.driver t ON t.device_id = ? AND t.backend = f.backend "
               "AND t.platform = f.platform AND t.version = f.version AND t.compiler = f.compiler "
               "AND t.capabilities = f.capabilities WHERE f.id = ?",
               "ii", device, from));
    return *to ? STATUS_OK
               : sql_do(merge->into, to, error,
                        "INSERT INTO main.driver (device_id, backend, platform, version, compiler, capabilities) "
                        "SELECT ?, backend, platform, version, compiler, capabilities FROM source.driver WHERE id = ? "
                        "RETURNING id",
                        "ii", device, from);
}

enum status merge_test(struct merge *merge, int64_t from, int64_t *to, struct error *error)
{
    int64_t from_text = 0, text = 0;
    TRY(sql_do(merge->into, &from_text, error, "SELECT text_id FROM source.test WHERE id = ?", "i", from));
    TRY(merge_content(merge, from_text, &text, error));
    TRY(sql_do(merge->into, to, error,
               "SELECT t.id FROM source.test f JOIN main.test t ON t.hash = f.hash AND t.dialect = f.dialect "
               "AND t.name = f.name AND t.text_id = ? AND t.condition = f.condition AND t.doc = f.doc WHERE f.id = ?",
               "ii", text, from));
    return *to ? STATUS_OK
               : sql_do(merge->into, to, error,
                        "INSERT INTO main.test (hash, dialect, name, text_id, condition, doc) "
                        "SELECT hash, dialect, name, ?, condition, doc FROM source.test WHERE id = ? RETURNING id",
                        "ii", text, from);
}

enum status merge_environment(struct merge *merge, int64_t from, int64_t *to, struct error *error)
{
    int64_t same = 0;
    TRY(sql_do(merge->into, to, error,
               "SELECT t.id FROM source.environment f JOIN main.environment t ON t.hash = f.hash WHERE f.id = ?", "i",
               from));
    if (!*to)
        return sql_do(merge->into, to, error,
                      "INSERT INTO main.environment (hash, text) SELECT hash, text FROM source.environment "
                      "WHERE id = ? RETURNING id",
                      "i", from);
    TRY(sql_do(merge->into, &same, error,
               "SELECT count(*) FROM source.environment f JOIN main.environment t ON t.text = f.text "
               "WHERE f.id = ? AND t.id = ?",
               "ii", from, *to));
    return same ? STATUS_OK
                : merge_refuse(merge, error, "an environment has the hash of another one in '%s'", merge->into->path);
}
