// SPDX-License-Identifier: Apache-2.0
/*
 * The log of litmus7. Its readers (mcompare7 and the like) add up the blocks of one test, and stop
 * at two tests of one name. So a test's jobs become one block per device.
 */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/terminal/terminal.h"
#include "cli/export/export.h"

struct log_entry {
    struct store_job_row job;
    const char *device; /* the identity of a test */
};

struct gathering {
    const struct export_log_wanted *wanted;
    struct arena arena;
    struct log_entry *entries;
    size_t count;
};

static bool is_wanted(const struct export_log_wanted *wanted, const struct store_job_row *row)
{
    if (wanted->dialect && strcmp(wanted->dialect, row->dialect) != 0)
        return false;
    return !wanted->device || strcasestr(row->device, wanted->device) ||
           strcasecmp(wanted->device, row->device_uuid) == 0;
}

static enum status gather_jobs(struct store *store, struct gathering *gathering, struct error *error)
{
    struct store_cursor jobs;
    store_query(store, STORE_JOBS, gathering->wanted->run_id, &jobs, error);
    while (store_next(&jobs)) {
        const struct store_job_row *row = &jobs.job;
        if (!is_wanted(gathering->wanted, row) || row->batches == 0)
            continue;
        ARENA_ADD(&gathering->arena, gathering->entries, gathering->count) =
            (struct log_entry){store_keep_job(&gathering->arena, row),
                               arena_print(&gathering->arena, "%s\n%s\n%s\n%s\n%s\n%s", row->backend, row->device,
                                           row->device_uuid, row->platform, row->driver, row->compiler)};
    }
    return store_end(&jobs, STATUS_OK);
}

static int compare_entries(const void *a, const void *b)
{
    const struct log_entry *x = a, *y = b;
    int order = strcmp(x->job.test, y->job.test);
    if (order == 0)
        order = strcmp(x->job.test_hash, y->job.test_hash);
    if (order == 0)
        order = strcmp(x->device, y->device);
    return order ? order : (x->job.job_id > y->job.job_id) - (x->job.job_id < y->job.job_id);
}

static enum status refuse_namesakes(const struct store *store, const struct gathering *gathering, struct error *error)
{
    for (size_t i = 1; i < gathering->count; i++) {
        const struct store_job_row *one = &gathering->entries[i - 1].job, *other = &gathering->entries[i].job;
        if (strcmp(one->test, other->test) == 0 && strcmp(one->test_hash, other->test_hash) != 0)
            return error_set(error, STATUS_USAGE,
                             "%s: two different tests are called '%.60s', and mcompare7 stops at that: choose one with "
                             "--dialect or --run",
                             store_path(store), one->test);
    }
    return STATUS_OK;
}

static enum status print_block(struct store *store, const struct log_entry *entries, size_t count, FILE *out,
                               struct error *error)
{
    struct stored_job job = {.test = NULL}; /* the first; its tally gets the others' */
    struct text text = {0};
    enum status status = stored_job_read(store, &entries[0].job, &job, error);
    for (size_t i = 1; i < count && status == STATUS_OK; i++)
        status = stored_tally_add(store, &entries[i].job, &job.tally, error);
    if (status == STATUS_OK) {
        tally_sort(&job.tally);
        report_job_log(&job.report, job.report.test->name, &text);
        terminal_write_source(out, text_string(&text));
    }
    text_release(&text);
    stored_job_release(&job);
    return status;
}

static bool same_block(const struct log_entry *a, const struct log_entry *b)
{
    return strcmp(a->job.test, b->job.test) == 0 && strcmp(a->device, b->device) == 0;
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
    enum status status = gather_jobs(store, &gathering, error);
    if (status == STATUS_OK && gathering.count > 0)
        qsort(gathering.entries, gathering.count, sizeof *gathering.entries, compare_entries);
    if (status == STATUS_OK)
        status = refuse_namesakes(store, &gathering, error);
    if (status == STATUS_OK)
        status = print_blocks(store, &gathering, out, error);
    arena_release(&gathering.arena);
    return status;
}
