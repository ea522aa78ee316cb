// SPDX-License-Identifier: Apache-2.0
/* Reading the data of a page: jobs through side.h, and their sources. */
#include <stdlib.h>
#include <string.h>

#include "analysis/page/page_parts.h"
#include "base/hash.h"
#include "litmus/litmus.h"

enum { MAXIMUM_LOGS = 200 }; /* more would bury the page, and few people read the second */

struct source_reading {
    struct page *page;
    struct page_source *source;
    struct store *store;
    struct page_job *job; /* the one being read */
};

/* ---- texts shared by many jobs ---- */

static bool is_of_runs(const struct selector *selector, int64_t run)
{
    bool meant = !selector->runs;
    for (size_t i = 0; i < selector->run_count; i++)
        meant |= selector->runs[i] == run;
    return meant;
}

static enum status read_runs(struct source_reading *reading, const struct selector *selector, struct error *error)
{
    struct arena *arena = &reading->page->arena;
    struct page_source *source = reading->source;
    struct store_cursor runs;
    store_query(reading->store, STORE_RUNS, selector->run, &runs, error);
    while (store_next(&runs))
        if (is_of_runs(selector, runs.run.run_id))
            ARENA_ADD(arena, source->runs, source->run_count) =
                (struct page_run){.row = store_keep_run(arena, &runs.run)};
    return store_end(&runs, STATUS_OK);
}

static bool same_column(const struct page_column *column, const struct store_job_row *job)
{
    return strcmp(column->backend, job->backend) == 0 && strcmp(column->device, job->device) == 0 &&
           strcmp(column->device_uuid, job->device_uuid) == 0 && strcmp(column->platform, job->platform) == 0 &&
           strcmp(column->driver, job->driver) == 0;
}

static void find_column(struct source_reading *reading, const struct store_job_facts *facts)
{
    struct page *page = reading->page;
    const struct store_job_row *job = &reading->job->job->row;
    size_t at = 0;
    while (at < page->column_count && !same_column(&page->columns[at], job))
        at++;
    reading->job->column = at;
    if (at < page->column_count) {
        page->columns[at].compiler = side_join(&page->arena, page->columns[at].compiler, job->compiler);
        return;
    }
    ARENA_ADD(&page->arena, page->columns, page->column_count) =
        (struct page_column){.backend = job->backend,
                             .device = job->device,
                             .device_uuid = job->device_uuid,
                             .platform = job->platform,
                             .driver = job->driver,
                             .compiler = job->compiler,
                             .vendor = arena_copy(&page->arena, facts->vendor),
                             .architecture = arena_copy(&page->arena, facts->architecture),
                             .gpu = facts->gpu,
                             .compute_units = facts->compute_units};
}

/* Returns the number of a log, from 1; 0 for an empty one, or if there are too many. */
static size_t find_log(struct source_reading *reading, const char *log)
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
    if (at == page->log_count)
        ARENA_ADD(&page->arena, page->logs, page->log_count) =
            (struct page_log){arena_copy(&page->arena, hash), arena_copy(&page->arena, log), 0};
    page->logs[at].jobs++;
    return at + 1;
}

static enum status find_environment(struct source_reading *reading, struct error *error)
{
    struct page *page = reading->page;
    const struct store_job_row *job = &reading->job->job->row;
    struct store_text_row text;
    size_t at = 0;
    while (at < page->environment_count && strcmp(page->environments[at].hash, job->environment_hash) != 0)
        at++;
    reading->job->environment = at;
    if (at < page->environment_count) {
        page->environments[at].profiles = side_join(&page->arena, page->environments[at].profiles, job->profile);
        return STATUS_OK;
    }
    TRY(store_load_text(reading->store, STORE_ENVIRONMENT, job->job_id, &page->arena, &text, error));
    ARENA_ADD(&page->arena, page->environments, page->environment_count) =
        (struct page_environment){job->environment_hash, job->profile, text.text ? text.text : ""};
    return STATUS_OK;
}

/* ---- a job ---- */

static void take_facts(struct source_reading *reading, const struct store_job_facts *facts)
{
    struct page_job *job = reading->job;
    job->resident_groups = facts->resident_groups;
    job->detail = find_log(reading, facts->detail);
    job->log = find_log(reading, facts->log);
    find_column(reading, facts);
}

static enum status read_job(struct source_reading *reading, struct error *error)
{
    struct page_job *job = reading->job;
    const int64_t id = job->job->row.job_id;
    struct store_cursor facts;
    store_query(reading->store, STORE_FACTS, id, &facts, error);
    if (store_next(&facts))
        take_facts(reading, &facts.facts);
    TRY(store_end(&facts, STATUS_OK));
    TRY(find_environment(reading, error));
    if (job->job->row.voids > 0)
        TRY(store_load_counts(reading->store, STORE_VOIDS, id, &reading->page->arena, &job->voids, &job->void_count,
                              error));
    for (size_t i = 0; i < reading->source->run_count; i++)
        reading->source->runs[i].jobs += reading->source->runs[i].row.run_id == job->job->row.run_id;
    return STATUS_OK;
}

static int compare_jobs(const void *left, const void *right)
{
    const struct page_job *a = left, *b = right;
    const int order = page_compare_tests(a, b);
    return order ? order : a->job->row.job_id < b->job->row.job_id ? -1 : 1;
}

static enum status read_text(struct source_reading *reading, struct page_job *job, struct error *error)
{
    struct store_text_row text;
    TRY(store_load_text(reading->store, STORE_TEST, job->job->row.job_id, &reading->page->arena, &text, error));
    job->text = text.text ? text.text : "";
    job->doc = text.doc ? text.doc : "";
    return STATUS_OK;
}

/* ---- a database ---- */

static bool is_fault(const struct page_job *job)
{
    return job_state_class(job->job->row.state) == JOB_CLASS_FAULT;
}

static enum status read_store(struct source_reading *reading, const struct selector *selector, struct page_job *jobs,
                              size_t count, struct error *error)
{
    TRY(read_runs(reading, selector, error));
    for (int pass = 0; pass < 2; pass++) { /* faults first, so that their logs are not the ones left
                                            * out */
        for (size_t i = 0; i < count; i++) {
            reading->job = &jobs[i];
            if (is_fault(&jobs[i]) == (pass == 0))
                TRY(read_job(reading, error));
        }
    }
    qsort(jobs, count, sizeof *jobs, compare_jobs);
    for (size_t i = 0; i < count; i++)
        if (i == 0 || page_compare_tests(&jobs[i - 1], &jobs[i]) != 0)
            TRY(read_text(reading, &jobs[i], error));
    return STATUS_OK;
}

/* Reads a database and adds its jobs to *jobs. */
static enum status read_source(struct source_reading *reading, const struct selector *selector, struct page_job **jobs,
                               size_t *count, struct error *error)
{
    struct page *page = reading->page;
    struct page_source *source = reading->source;
    const size_t first = *count;
    TRY(side_read_store(reading->store, selector, &source->side, error));
    for (size_t i = 0; i < source->side.job_count; i++)
        ARENA_ADD(&page->arena, *jobs, *count) =
            (struct page_job){.job = &source->side.jobs[i], .source = (size_t)(source - page->sources)};
    return read_store(reading, selector, *jobs + first, source->side.job_count, error);
}

static enum status open_source(struct page *page, const struct selector *selector, struct page_job **jobs,
                               size_t *count, struct error *error)
{
    struct page_source *source = &page->sources[page->source_count++];
    *source = (struct page_source){.name = selector->database, .side = {.title = ""}};
    struct source_reading reading = {.page = page, .source = source};
    TRY(store_open(source->name, STORE_READ, &reading.store, error));
    const enum status status = read_source(&reading, selector, jobs, count, error);
    store_close(reading.store);
    return status;
}

/* Removes what was added from a database that could not be read to its end. */
static void drop_source(struct page *page, const struct page *before)
{
    side_release(&page->sources[--page->source_count].side);
    page->column_count = before->column_count;
    page->environment_count = before->environment_count;
    page->log_count = before->log_count;
}

static void note_unread(struct page *page, const char *database, const struct error *error)
{
    ARENA_ADD(&page->arena, page->unread, page->unread_count) =
        (struct side_unread){.database = arena_copy(&page->arena, database), .error = *error};
}

enum status page_read(const struct page_request *request, struct page *page, struct error *error)
{
    struct page_job *jobs = NULL;
    size_t count = 0;
    *page = (struct page){.title = request->title ? request->title : "",
                          .judging = request->judging,
                          .judging_emitted = request->judging_emitted,
                          .explain = request->explain};
    page->sources = arena_take(&page->arena, request->count, sizeof *page->sources);
    for (size_t i = 0; i < request->count; i++) {
        const struct page before = *page;
        const size_t before_count = count;
        const enum status status = open_source(page, &request->selectors[i], &jobs, &count, error);
        if (status != STATUS_OK && !request->selectors[i].of_folder)
            return status;
        if (status == STATUS_OK)
            continue;
        drop_source(page, &before);
        count = before_count;
        note_unread(page, request->selectors[i].database, error);
    }
    if (page->source_count == 0)
        return error->status;
    page_gather(page, jobs, count);
    page_make_history(page);
    page_number_runs(page);
    return STATUS_OK;
}

void page_release(struct page *page)
{
    if (page->history)
        history_release(page->history);
    for (size_t i = 0; i < page->test_count; i++)
        litmus_release(page->tests[i].parsed);
    for (size_t i = 0; i < page->source_count; i++)
        side_release(&page->sources[i].side);
    arena_release(&page->arena);
    *page = (struct page){.title = ""};
}
