// SPDX-License-Identifier: Apache-2.0
/* Matches rows by content: texts, devices, drivers, tests and environments of the source and the
 * target. */
#include <string.h>

#include "base/hash.h"
#include "results/merge/merge.h"

/* A text that was damaged on a bad disk, so that it does not match its hash, must not spread. */
static enum status check_content(struct merge *merge, int64_t from, struct error *error)
{
    sqlite3_stmt *statement = NULL;
    bool row = false;
    char hash[HASH_HEX_SIZE] = "";
    TRY(sql_open(merge->into, &statement, error, "SELECT hash, text FROM source.content WHERE id = ?", "i", from));
    enum status status = sql_next(merge->into, statement, &row, error);
    if (row) {
        const char *text = sql_text(statement, 1);
        hash_hex(text, strlen(text), hash); /* a text that contains a NUL fails too, because it is cut */
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

/* MATCH: the target's row that equals a row of the source in these columns. BRING copies that row;
 * BRING_WITH also sets another column to an id of the target. */
#define MATCH(table, columns) "SELECT t.id FROM source." table " f JOIN main." table " t USING (" columns ") "
#define BRING(table, columns) "INSERT INTO main." table " (" columns ") SELECT " columns " FROM source." table " "
#define BRING_WITH(table, other, columns)                                                                              \
    "INSERT INTO main." table " (" other ", " columns ") SELECT ?, " columns " FROM source." table " "
#define DEVICE_COLUMNS "uuid, name, vendor, architecture, gpu, compute_units"
#define DRIVER_COLUMNS "backend, platform, version, compiler, capabilities"
#define TEST_COLUMNS "hash, dialect, name, condition, doc"

static enum status merge_device(struct merge *merge, int64_t from, int64_t *to, struct error *error)
{
    TRY(sql_do(merge->into, to, error, MATCH("device", DEVICE_COLUMNS) "WHERE f.id = ?", "i", from));
    return *to ? STATUS_OK
               : sql_do(merge->into, to, error, BRING("device", DEVICE_COLUMNS) "WHERE id = ? RETURNING id", "i", from);
}

enum status merge_driver(struct merge *merge, int64_t from, int64_t *to, struct error *error)
{
    int64_t from_device = 0, device = 0;
    TRY(sql_do(merge->into, &from_device, error, "SELECT device_id FROM source.driver WHERE id = ?", "i", from));
    TRY(merge_device(merge, from_device, &device, error));
    TRY(sql_do(merge->into, to, error, MATCH("driver", DRIVER_COLUMNS) "WHERE t.device_id = ? AND f.id = ?", "ii",
               device, from));
    return *to ? STATUS_OK
               : sql_do(merge->into, to, error,
                        BRING_WITH("driver", "device_id", DRIVER_COLUMNS) "WHERE id = ? RETURNING id", "ii", device,
                        from);
}

enum status merge_test(struct merge *merge, int64_t from, int64_t *to, struct error *error)
{
    int64_t from_text = 0, text = 0;
    TRY(sql_do(merge->into, &from_text, error, "SELECT text_id FROM source.test WHERE id = ?", "i", from));
    TRY(merge_content(merge, from_text, &text, error));
    TRY(sql_do(merge->into, to, error, MATCH("test", TEST_COLUMNS) "WHERE t.text_id = ? AND f.id = ?", "ii", text,
               from));
    return *to ? STATUS_OK
               : sql_do(merge->into, to, error, BRING_WITH("test", "text_id", TEST_COLUMNS) "WHERE id = ? RETURNING id",
                        "ii", text, from);
}

enum status merge_environment(struct merge *merge, int64_t from, int64_t *to, struct error *error)
{
    int64_t same = 0;
    TRY(sql_do(merge->into, to, error,
               "SELECT t.id FROM source.environment f JOIN main.environment t ON t.hash = f.hash WHERE f.id = ?", "i",
               from));
    if (!*to)
        return sql_do(merge->into, to, error, BRING("environment", "hash, text") "WHERE id = ? RETURNING id", "i",
                      from);
    TRY(sql_do(merge->into, &same, error,
               "SELECT count(*) FROM source.environment f JOIN main.environment t ON t.text = f.text "
               "WHERE f.id = ? AND t.id = ?",
               "ii", from, *to));
    return same ? STATUS_OK
                : merge_refuse(merge, error, "an environment has the hash of another one in '%s'", merge->into->path);
}
