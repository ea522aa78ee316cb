// SPDX-License-Identifier: Apache-2.0
/* Rows that are stored once for each content. */
#include "results/keep.h"

#include <string.h>

#include "base/hash.h"
#include "results/sql.h"

enum status keep_content(struct store *store, const char *text, int64_t *id, struct error *error)
{
    char hash[HASH_HEX_SIZE];
    hash_hex(text, strlen(text), hash);
    TRY(sql_do(store, id, error, "SELECT id FROM content WHERE hash = ?", "t", hash));
    return *id ? STATUS_OK
               : sql_add(store, id, error, "INSERT INTO content (hash, text) VALUES (?, ?)", "tt", hash, text);
}

enum status keep_driver(struct store *store, const struct store_device *device, int64_t *id, struct error *error)
{
    int64_t device_id = 0;
    TRY(sql_expect_json(store, "capabilities", device->capabilities, error));
    TRY(sql_keep(store, &device_id, error, "device", "uuid, name, vendor, architecture, gpu, compute_units", "ttttii",
                 device->uuid, device->name, device->vendor, device->architecture, (int64_t)device->gpu,
                 (int64_t)device->compute_units));
    return sql_keep(store, id, error, "driver", "device_id, backend, platform, version, compiler, capabilities",
                    "ittttt", device_id, device->backend, device->platform, device->driver, device->compiler,
                    device->capabilities);
}

enum status keep_test(struct store *store, const struct store_test *test, int64_t *id, struct error *error)
{
    int64_t text_id = 0;
    TRY(keep_content(store, test->text, &text_id, error));
    return sql_keep(store, id, error, "test", "hash, dialect, name, text_id, condition, doc", "tttitt", test->hash,
                    test->dialect, test->name, text_id, test->condition, test->doc);
}

enum status keep_environment(struct store *store, const struct store_environment *environment, int64_t *id,
                             struct error *error)
{
    int64_t known = 0;
    TRY(sql_do(store, &known, error, "SELECT id FROM environment WHERE hash = ?", "t", environment->hash));
    TRY(sql_do(store, id, error, "SELECT id FROM environment WHERE id = ? AND text = ?", "it", known,
               environment->text));
    if (!known)
        return sql_add(store, id, error, "INSERT INTO environment (hash, text) VALUES (?, ?)", "tt", environment->hash,
                       environment->text);
    return *id ? STATUS_OK
               : error_set(error, STATUS_INTERNAL, "%s: %s failed: the environment %s is stored with another text",
                           store->path, store->doing, environment->hash);
}

enum status keep_expect_row(const struct store *store, int64_t id, const char *why, struct error *error)
{
    return id ? STATUS_OK : error_set(error, STATUS_INTERNAL, "%s: %s failed: %s", store->path, store->doing, why);
}
