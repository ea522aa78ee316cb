// SPDX-License-Identifier: Apache-2.0
/*
 * The log of litmus7. Its readers (mcompare7 and the like) add up the blocks of one test, and stop at two tests of one
 * name. So a test's jobs become one block, of each device one.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "cli/export/export.h"

struct entry {
    int64_t job_id;
    char *test, *hash, *device; /* owned; device: all that tells one from another */
};

struct gathering {
    const struct export_log_wanted *wanted;
    struct entry *entries;
    size_t count, room;
    bool failed;
};

static bool is_wanted(const struct export_log_wanted *wanted, const struct store_job_row *row)
{
    if (wanted->dialect && strcasecmp(wanted->dialect, row->dialect) != 0)
        return false;
    return !wanted->device || strcasestr(row->device, wanted->device) ||
           strcasecmp(wanted->device, row->device_uuid) == 0;
}

static bool gather(const struct store_job_row *row, void *context)
{
    struct gathering *gathering = context;
    struct text device = {0};
    if (!is_wanted(gathering->wanted, row) || row->batches == 0)
        return true;
    if (gathering->count == gathering->room) {
        const size_t room = gathering->room ? 2 * gathering->room : 64;
        struct entry *grown = realloc(gathering->entries, room * sizeof *grown);
        gathering->failed |= !grown;
        if (!grown)
            return false;
        gathering->entries = grown;
        gathering->room = room;
    }
    text_add(&device, "%s\n%s\n%s\n%s\n%s\n%s", row->backend, row->device, row->device_uuid, row->platform, row->driver,
             row->compiler);
    const struct entry entry = {row->job_id, strdup(row->test), strdup(row->test_hash), text_take(&device)};
    gathering->entries[gathering->count++] = entry;
    gathering->failed |= !entry.test || !entry.hash || !entry.device;
    return !gathering->failed;
}

static int compare(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;
    int order = strcmp(x->test, y->test);
    if (order == 0)
        order = strcmp(x->hash, y->hash);
    if (order == 0)
        order = strcmp(x->device, y->device);
    return order ? order : (x->job_id > y->job_id) - (x->job_id < y->job_id);
}

static enum status refuse_namesakes(const struct gathering *gathering, struct error *error)
{
    for (size_t i = 1; i < gathering->count; i++) {
        const struct entry *one = &gathering->entries[i - 1], *other = &gathering->entries[i];
        if (strcmp(one->test, other->test) == 0 && strcmp(one->hash, other->hash) != 0)
            return error_set(error, STATUS_USAGE,
                             "two different tests are called '%s', and mcompare7 stops at that: choose one with "
                             "--dialect or --run",
                             one->test);
    }
    return STATUS_OK;
}

/* The jobs of one test on one device, as they are read. */
struct block {
    struct store *store;
    struct stored_job job; /* the first; its tally gets the others' */
    enum status status;
    struct error *error;
};

static bool take_first(const struct store_job_row *row, void *context)
{
    struct block *block = context;
    block->status = stored_job_read(block->store, row, &block->job, block->error);
    return false;
}

static bool take_other(const struct store_job_row *row, void *context)
{
    struct block *block = context;
    block->status = stored_tally_add(block->store, row, &block->job.tally, block->error);
    return false;
}

static enum status print_block(struct store *store, const struct entry *entries, size_t count, FILE *out,
                               struct error *error)
{
    struct block block = {.store = store, .error = error};
    struct text text = {0};
    enum status status = STATUS_OK;
    for (size_t i = 0; i < count && status == STATUS_OK; i++) {
        status = store_visit_job(store, entries[i].job_id, i == 0 ? take_first : take_other, &block, error);
        if (status == STATUS_OK)
            status = block.status;
    }
    if (status == STATUS_OK) {
        tally_sort(&block.job.tally);
        report_job_log(&block.job.report, &text);
        (void)fputs(text_string(&text), out);
        if (text.failed)
            status = error_set(error, STATUS_MEMORY, "no memory for the log of %s", entries[0].test);
    }
    text_release(&text);
    stored_job_release(&block.job);
    return status;
}

static bool same_block(const struct entry *a, const struct entry *b)
{
    return strcmp(a->test, b->test) == 0 && strcmp(a->device, b->device) == 0;
}

static enum status print_blocks(struct store *store, const struct gathering *gathering, FILE *out, struct error *error)
{
    for (size_t first = 0, end; first < gathering->count && !ferror(out); first = end) {
        for (end = first + 1;
             end < gathering->count && same_block(&gathering->entries[first], &gathering->entries[end]); end++)
            ;
        TRY(print_block(store, &gathering->entries[first], end - first, out, error));
    }
    return STATUS_OK;
}

enum status export_log(struct store *store, const struct export_log_wanted *wanted, FILE *out, struct error *error)
{
    struct gathering gathering = {.wanted = wanted};
    enum status status = store_each_job(store, wanted->run_id, gather, &gathering, error);
    if (status == STATUS_OK && gathering.failed)
        status = error_set(error, STATUS_MEMORY, "no memory for the list of jobs");
    if (status == STATUS_OK && gathering.count > 0)
        qsort(gathering.entries, gathering.count, sizeof *gathering.entries, compare);
    if (status == STATUS_OK)
        status = refuse_namesakes(&gathering, error);
    if (status == STATUS_OK)
        status = print_blocks(store, &gathering, out, error);
    for (size_t i = 0; i < gathering.count; i++) {
        free(gathering.entries[i].test);
        free(gathering.entries[i].hash);
        free(gathering.entries[i].device);
    }
    free(gathering.entries);
    return status;
}
