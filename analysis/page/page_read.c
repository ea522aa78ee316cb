// SPDX-License-Identifier: Apache-2.0
/* Reading what a page says: jobs through side.h, and what stands behind them. */
#include <stdlib.h>
#include <string.h>

#include "analysis/page/page_parts.h"
#include "base/hash.h"
#include "litmus/litmus.h"

enum { MAXIMUM_LOGS = 200 }; /* more would bury the page, and hardly anybody reads the second */

struct reading {
    struct page *page;
    struct page_source *source;
    struct page_job *job; /* the one under way */
    bool failed;          /* memory ran out */
};

static char *keep(struct reading *reading, const char *text)
{
    char *copy = arena_copy(&reading->page->arena, text);
    reading->failed |= !copy;
    return copy;
}

/* ---- what is shared by many jobs ---- */

static bool take_run(const struct store_run_row *row, void *context)
{
    struct reading *reading = context;
    struct page_source *source = reading->source;
    struct page_run *grown = arena_grow(&reading->page->arena, source->runs, source->run_count, sizeof *grown);
    reading->failed |= !grown;
    if (!grown)
        return false;
    source->runs = grown;
    grown[source->run_count++] = (struct page_run){.id = row->run_id,
                                                   .tool_version = keep(reading, row->run.tool_version),
                                                   .command_line = keep(reading, row->run.command_line),
                                                   .host = keep(reading, row->run.host),
                                                   .variables = keep(reading, row->run.environment_variables),
                                                   .state = keep(reading, row->state),
                                                   .started_at = keep(reading, row->started_at),
                                                   .finished_at = keep(reading, row->finished_at),
                                                   .seed = row->run.seed};
    return !reading->failed;
}

/* The list with one item more, unless it has it. */
static const char *joined(struct reading *reading, const char *list, const char *item)
{
    if (!*item || strcmp(list, item) == 0)
        return list;
    if (!*list)
        return item;
    const size_t length = strlen(item);
    for (const char *at = list; (at = strstr(at, item)); at++)
        if ((at == list || at[-1] == ' ') && (at[length] == '\0' || at[length] == ','))
            return list;
    const char *longer = arena_print(&reading->page->arena, "%s, %s", list, item);
    reading->failed |= !longer;
    return longer ? longer : list;
}

static bool same_column(const struct page_column *column, size_t source, const struct side_job *job)
{
    return column->source == source && strcmp(column->backend, job->backend) == 0 &&
           strcmp(column->device, job->device) == 0 && strcmp(column->device_uuid, job->device_uuid) == 0 &&
           strcmp(column->platform, job->platform) == 0 && strcmp(column->driver, job->driver) == 0;
}

static void find_column(struct reading *reading, const struct store_job_facts *facts)
{
    struct page *page = reading->page;
    const struct side_job *job = reading->job->job;
    size_t at = 0;
    while (at < page->column_count && !same_column(&page->columns[at], reading->job->source, job))
        at++;
    reading->job->column = at;
    if (at < page->column_count) {
        page->columns[at].compiler = joined(reading, page->columns[at].compiler, job->compiler);
        return;
    }
    struct page_column *grown = arena_grow(&page->arena, page->columns, at, sizeof *grown);
    reading->failed |= !grown;
    if (!grown)
        return;
    page->columns = grown;
    grown[page->column_count++] = (struct page_column){.source = reading->job->source,
                                                       .backend = job->backend,
                                                       .device = job->device,
                                                       .device_uuid = job->device_uuid,
                                                       .platform = job->platform,
                                                       .driver = job->driver,
                                                       .compiler = job->compiler,
                                                       .vendor = keep(reading, facts->vendor),
                                                       .architecture = keep(reading, facts->architecture),
                                                       .gpu = facts->gpu,
                                                       .compute_units = facts->compute_units};
}

/* Gives the number of a log, from 1; 0 for an empty one, and where there are too many. */
static size_t find_log(struct reading *reading, const char *log)
{
    struct page *page = reading->page;
    char hash[HASH_HEX_SIZE];
    if (!*log)
        return 0;
    hash_hex(log, strlen(log), hash);
    size_t at = 0;
    while (at < page->log_count && strcmp(page->logs[at].hash, hash) != 0)
        at++;
    if (at == MAXIMUM_LOGS)
        return 0;
    if (at == page->log_count) {
        struct page_log *grown = arena_grow(&page->arena, page->logs, at, sizeof *grown);
        reading->failed |= !grown;
        if (!grown)
            return 0;
        page->logs = grown;
        grown[page->log_count++] = (struct page_log){keep(reading, hash), keep(reading, log), 0};
    }
    page->logs[at].jobs++;
    return at + 1;
}

static enum status find_environment(struct reading *reading, struct store *store, struct error *error)
{
    struct page *page = reading->page;
    const struct side_job *job = reading->job->job;
    struct text text = {0};
    size_t at = 0;
    while (at < page->environment_count && strcmp(page->environments[at].hash, job->environment_hash) != 0)
        at++;
    reading->job->environment = at;
    if (at < page->environment_count) {
        page->environments[at].profiles = joined(reading, page->environments[at].profiles, job->profile);
        return STATUS_OK;
    }
    const enum status status = store_read_environment(store, job->id, &text, error);
    struct page_environment *grown = arena_grow(&page->arena, page->environments, at, sizeof *grown);
    reading->failed |= !grown || text.failed;
    if (grown) {
        page->environments = grown;
        grown[page->environment_count++] =
            (struct page_environment){job->environment_hash, job->profile, keep(reading, text_string(&text))};
    }
    text_release(&text);
    return status;
}

/* ---- a job ---- */

static void take_facts(const struct store_job_facts *facts, void *context)
{
    struct reading *reading = context;
    struct page_job *job = reading->job;
    job->run = facts->run_id;
    job->detached = strstr(facts->marks, "\"not-co-resident\"") != NULL;
    job->resident_groups = facts->resident_groups;
    job->detail = find_log(reading, facts->detail);
    job->log = find_log(reading, facts->log);
    find_column(reading, facts);
}

static bool take_void(const struct count *reason, void *context)
{
    struct reading *reading = context;
    struct page_job *job = reading->job;
    struct page_void *grown = arena_grow(&reading->page->arena, job->voids, job->void_count, sizeof *grown);
    reading->failed |= !grown;
    if (!grown)
        return false;
    job->voids = grown;
    grown[job->void_count++] = (struct page_void){keep(reading, reason->label), reason->count};
    return true;
}

static enum status read_job(struct reading *reading, struct store *store, struct error *error)
{
    struct page_job *job = reading->job;
    const int64_t id = job->job->id;
    TRY(store_read_facts(store, id, take_facts, reading, error));
    TRY(find_environment(reading, store, error));
    if (job->job->voids > 0)
        TRY(store_each_void(store, id, take_void, reading, error));
    for (size_t i = 0; i < reading->source->run_count; i++)
        reading->source->runs[i].jobs += reading->source->runs[i].id == job->run;
    return STATUS_OK;
}

static int compare_tests(const void *left, const void *right)
{
    const struct page_job *a = left, *b = right;
    int order = strcmp(a->job->test, b->job->test);
    if (order == 0)
        order = strcmp(a->job->dialect, b->job->dialect);
    if (order == 0)
        order = strcmp(a->job->test_hash, b->job->test_hash);
    return order ? order : a->job->id < b->job->id ? -1 : 1;
}

static bool same_test(const struct page_job *a, const struct page_job *b)
{
    return strcmp(a->job->test, b->job->test) == 0 && strcmp(a->job->dialect, b->job->dialect) == 0 &&
           strcmp(a->job->test_hash, b->job->test_hash) == 0;
}

static enum status read_text(struct reading *reading, struct store *store, struct page_job *job, struct error *error)
{
    struct text text = {0}, doc = {0};
    const enum status status = store_read_test(store, job->job->id, &text, &doc, error);
    reading->failed |= text.failed || doc.failed;
    job->text = keep(reading, text_string(&text));
    job->doc = keep(reading, text_string(&doc));
    text_release(&text);
    text_release(&doc);
    return status;
}

/* ---- a database ---- */

static bool is_fault(const struct page_job *job)
{
    return job_state_class(job->job->state) == JOB_CLASS_FAULT;
}

static enum status read_store(struct reading *reading, struct store *store, int64_t run, struct page_job *jobs,
                              size_t count, struct error *error)
{
    TRY(store_each_run(store, run, take_run, reading, error));
    for (int pass = 0; pass < 2; pass++) { /* faults first, so that it is not their logs that are too many */
        for (size_t i = 0; i < count && !reading->failed; i++) {
            reading->job = &jobs[i];
            if (is_fault(&jobs[i]) == (pass == 0))
                TRY(read_job(reading, store, error));
        }
    }
    qsort(jobs, count, sizeof *jobs, compare_tests);
    for (size_t i = 0; i < count && !reading->failed; i++)
        if (i == 0 || !same_test(&jobs[i - 1], &jobs[i]))
            TRY(read_text(reading, store, &jobs[i], error));
    return STATUS_OK;
}

/* Reads a database and adds its jobs to *jobs. */
static enum status read_source(struct page *page, struct page_source *source, int64_t run, struct page_job **jobs,
                               size_t *count, struct error *error)
{
    const struct selector selector = {.database = source->name, .run = run};
    struct reading reading = {.page = page, .source = source};
    struct store *store = NULL;
    TRY(side_read(&selector, &source->side, error));
    struct page_job *grown = realloc(*jobs, (*count + source->side.job_count + 1) * sizeof *grown);
    if (!grown)
        return error_set(error, STATUS_MEMORY, "%s: no memory for its jobs", source->name);
    *jobs = grown;
    for (size_t i = 0; i < source->side.job_count; i++)
        grown[*count + i] = (struct page_job){.job = &source->side.jobs[i], .source = (size_t)(source - page->sources)};
    TRY(store_open(source->name, STORE_READ, &store, error));
    enum status status = read_store(&reading, store, run, grown + *count, source->side.job_count, error);
    store_close(store);
    *count += source->side.job_count;
    if (status == STATUS_OK && reading.failed)
        status = error_set(error, STATUS_MEMORY, "%s: no memory for what stands behind its jobs", source->name);
    return status;
}

enum status page_read(const struct page_request *request, struct page *page, struct error *error)
{
    struct page_job *jobs = NULL;
    size_t count = 0;
    enum status status = STATUS_OK;
    *page = (struct page){.title = ""};
    page->sources = arena_take(&page->arena, request->count, sizeof *page->sources);
    if (!page->sources)
        return error_set(error, STATUS_MEMORY, "no memory for a page");
    for (size_t i = 0; i < request->count && status == STATUS_OK; i++) {
        struct page_source *source = &page->sources[page->source_count++];
        source->name = request->databases[i];
        source->side = (struct side){.title = ""};
        status = read_source(page, source, request->run, &jobs, &count, error);
    }
    page->title = request->title ? request->title : "";
    if (status == STATUS_OK)
        page_gather(page, jobs, count);
    free(jobs);
    return status;
}

void page_release(struct page *page)
{
    for (size_t i = 0; i < page->test_count; i++)
        litmus_release(page->tests[i].parsed);
    for (size_t i = 0; i < page->source_count; i++)
        side_release(&page->sources[i].side);
    arena_release(&page->arena);
    *page = (struct page){.title = ""};
}
