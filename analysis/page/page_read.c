// SPDX-License-Identifier: Apache-2.0
/* Reading the data of a page: jobs through side.h and their sources, gathered into columns, tests and parts. */
#include "analysis/page/page_parts.h"

enum { MAXIMUM_LOGS = 200 }; /* more would bury the page, and few people read the second */

struct source_reading {
    struct page *page;
    struct page_source *source;
    struct store *store;
    struct page_job *job; /* the one being read */
};

/* ---- from jobs to columns, tests and their parts, with the sums of each ---- */

/* ---- columns ---- */

ORDERED_BY(compare_columns, const struct page_column,
           strcmp(a->device, b->device) ?: strcmp(a->backend, b->backend) ?: strcmp(a->device_uuid, b->device_uuid)
               ?: strcmp(a->machine, b->machine) ?: strcmp(a->platform, b->platform) ?: strcmp(a->driver, b->driver))

static void sort_columns(struct page *page, struct page_job *jobs, size_t count)
{
    struct page_column *was = arena_take(&page->arena, page->column_count, sizeof *was);
    size_t *now = arena_take(&page->arena, page->column_count, sizeof *now);
    if (page->column_count == 0)
        return;
    memcpy(was, page->columns, page->column_count * sizeof *was);
    SORT(page->columns, page->column_count, compare_columns);
    for (size_t i = 0; i < page->column_count; i++)
        while (compare_columns(&page->columns[now[i]], &was[i]) != 0)
            now[i]++;
    for (size_t i = 0; i < count; i++)
        jobs[i].column = now[jobs[i].column];
}

/* ---- jobs ---- */

/* The order of jobs by test, dialect and hash; 0 for jobs of one test. */
static int compare_tests(const struct page_job *a, const struct page_job *b)
{
    return strcmp(a->job->row.test, b->job->row.test) ?: strcmp(a->job->row.dialect, b->job->row.dialect)
           ?: strcmp(a->job->row.test_hash, b->job->row.test_hash);
}

static int compare_parts(const struct page_job *a, const struct page_job *b)
{
    return ORDER(a->column, b->column) ?: strcmp(a->job->row.environment_hash, b->job->row.environment_hash)
           ?: strcmp(a->job->source_model, b->job->source_model) ?: strcmp(a->job->target_model, b->job->target_model);
}

ORDERED_BY(compare_jobs, const struct page_job,
           compare_tests(a, b) ?: compare_parts(a, b) ?: ORDER(a->source, b->source)
               ?: ORDER(a->job->row.job_id, b->job->row.job_id))

/* ---- copies of a job ---- */

/* 0 if both are the same job of one run, in two databases. */
static int compare_copies(const struct page_job *a, const struct page_job *b)
{
    const char *left = a->job->row.run_uuid, *right = b->job->row.run_uuid;
    int order = strcmp(left ? left : "", right ? right : "");
    if (order == 0 && !(left && *left))
        order = ORDER(a->source, b->source);
    return order ? order : history_compare_jobs(&a->job->row, &b->job->row);
}

/* Of copies of a job, the one with the most data comes first. */
ORDERED_BY(by_copies, const struct page_job,
           compare_copies(a, b) ?: -ORDER(a->job->run.batch_count, b->job->run.batch_count) ?: compare_jobs(a, b))

/* A folder may have a run twice, say in a file that was merged from others. Returns how many jobs are left. */
static size_t drop_copies(struct page_job *jobs, size_t count)
{
    size_t kept = 0;
    SORT(jobs, count, by_copies);
    for (size_t i = 0; i < count; i++) {
        struct page_job *last = kept > 0 ? &jobs[kept - 1] : NULL;
        if (!last || last->source == jobs[i].source || compare_copies(last, &jobs[i]) != 0)
            jobs[kept++] = jobs[i];
        else if (!last->text) {
            last->text = jobs[i].text;
            last->doc = jobs[i].doc;
        }
    }
    return kept;
}

static void count_job(struct page *page, struct page_job *job)
{
    struct page_column *column = &page->columns[job->column];
    job->counted = job->job->run.instances;
    FOR_EACH(const struct sample_outcome, outcome, job->job->outcomes, job->job->outcome_count) {
        job->witnesses += outcome->witness ? outcome->count : 0;
        job->forbidden += outcome->ruling.kind == RULING_FORBIDDEN ? outcome->count : 0;
        job->ruling = outcome->ruling.kind > job->ruling ? outcome->ruling.kind : job->ruling;
    }
    column->jobs++;
    column->states[job->job->row.state]++;
    column->counted += job->counted;
    column->voids += job->job->row.voids;
    column->seconds += job->job->row.seconds;
}

/* ---- parts ---- */

/* The part's outcome of a label; a test has few, mostly in the same order. */
static struct sample_outcome *find_outcome(const struct page_part *part, const char *label, size_t near)
{
    for (size_t step = 0; step < part->outcome_count; step++) {
        struct sample_outcome *outcome = &part->outcomes[(near + step) % part->outcome_count];
        if (strcmp(outcome->label, label) == 0)
            return outcome;
    }
    return NULL;
}

static void add_outcomes(struct arena *arena, struct page_part *part, const struct side_job *job)
{
    for (size_t i = 0; i < job->outcome_count; i++) {
        const struct sample_outcome *from = &job->outcomes[i];
        struct sample_outcome *outcome = find_outcome(part, from->label, i);
        if (outcome) {
            sample_add_outcome(outcome, from);
            continue;
        }
        ARENA_ADD(arena, part->outcomes, part->outcome_count) = *from;
        part->outcomes[part->outcome_count - 1].counts = NULL;
    }
}

static void add_voids(struct arena *arena, struct page_part *part, const struct page_job *job)
{
    for (size_t i = 0; i < job->void_count; i++) {
        const size_t at = INDEX_OF(one, part->voids, part->void_count, strcmp(one->label, job->voids[i].label) == 0);
        if (at == part->void_count)
            ARENA_ADD(arena, part->voids, part->void_count) = (struct count){.label = job->voids[i].label};
        part->voids[at].count += job->voids[i].count;
        part->void_sum += job->voids[i].count;
        part->gave_up += strcmp(job->voids[i].label, void_reason_word(VOID_GAVE_UP)) == 0 ? job->voids[i].count : 0;
    }
}

static void add_kept(struct page_part *part, const struct store_job_row *row)
{
    if (!row->built)
        return;
    bool worst = row->kept != TEST_KEPT;
    for (enum kept kept = 0; kept < KEPT_COUNT; kept++)
        worst &= part->kept[kept] == 0 || kept_is_worse(row->kept, kept);
    if (worst)
        part->kept_reason = row->kept_reason;
    part->kept[row->kept]++;
}

/* ---- draws ---- */

struct placed_draw {
    const struct side_job *of;
    uint32_t number;
    uint64_t arguments;
    size_t job;
};

static int compare_draws(const struct placed_draw *a, const struct placed_draw *b)
{
    return ORDER(a->of->run.key, b->of->run.key) ?: ORDER(a->of->row.seed, b->of->row.seed)
           ?: ORDER(a->number, b->number) ?: ORDER(a->arguments, b->arguments);
}

ORDERED_BY(compare_placed_draws, const struct placed_draw, compare_draws(a, b) ?: ORDER(a->job, b->job))

/* Runs with one seed repeat their draws: each draw counts once, for the first job that has it. */
static void count_draws(struct page_part *part)
{
    size_t count = 0;
    FREED struct placed_draw *draws = memory_take(part->batches + 1, sizeof *draws);
    for (size_t j = 0; j < part->job_count; j++) {
        const struct side_job *of = part->jobs[j].job;
        for (size_t b = 0; b < of->run.batch_count; b++)
            if (of->run.counted[b] > 0)
                draws[count++] = (struct placed_draw){of, of->run.numbers[b], of->run.arguments[b], j};
    }
    SORT(draws, count, compare_placed_draws);
    for (size_t i = 0; i < count; i++) {
        const bool first = i == 0 || compare_draws(&draws[i - 1], &draws[i]) != 0;
        part->jobs[draws[i].job].draws += first;
        part->draws += first;
    }
}

/* Forbidden outcomes first, then the most frequent. */
ORDERED_BY(compare_outcomes, const struct sample_outcome,
           ORDER(b->ruling.kind == RULING_FORBIDDEN, a->ruling.kind == RULING_FORBIDDEN)
               ?: ORDER(b->count, a->count) ?: strcmp(a->label, b->label))

static void fill_part(struct arena *arena, struct page_part *part, struct page_job *jobs, size_t count)
{
    *part = (struct page_part){.column = jobs[0].column,
                               .environment = jobs[0].environment,
                               .jobs = jobs,
                               .job_count = count,
                               .state = jobs[0].job->row.state,
                               .reason = jobs[0].job->row.reason};
    for (size_t i = 0; i < count; i++) {
        const struct page_job *job = &jobs[i];
        part->batches += job->job->run.batch_count;
        part->invalid_batches += job->job->row.invalid_batches;
        part->counted += job->counted;
        part->seconds += job->job->row.seconds;
        part->undeclared |= (job->job->row.marks & MARK_UNDECLARED) != 0;
        part->apart |= (job->job->row.marks & MARK_NOT_OVERLAPPED) != 0;
        part->together |= job->counted > 0 && !(job->job->row.marks & MARK_NOT_OVERLAPPED);
        part->detached |= (job->job->row.marks & MARK_NOT_CO_RESIDENT) != 0;
        add_kept(part, &job->job->row);
        if (job->job->row.state > part->state) { /* the list of states goes from harmless to grave */
            part->state = job->job->row.state;
            part->reason = job->job->row.reason;
        }
        for (size_t h = 0; h < jobs[i].job->home_count; h++)
            sample_add_home(arena, &part->homes, &part->home_count, &jobs[i].job->homes[h]);
        add_outcomes(arena, part, jobs[i].job);
        add_voids(arena, part, &jobs[i]);
    }
    count_draws(part);
    SORT(part->outcomes, part->outcome_count, compare_outcomes);
}

/* ---- tests ---- */

static void fill_test(struct arena *arena, struct page_test *test, struct page_job *jobs, size_t count)
{
    *test = (struct page_test){.name = jobs[0].job->row.test,
                               .dialect = jobs[0].job->row.dialect,
                               .hash = jobs[0].job->row.test_hash,
                               .condition = jobs[0].job->row.condition,
                               .text = "",
                               .doc = "",
                               .anchor = "",
                               .claim = ""};
    test->parts = arena_take(arena, count, sizeof *test->parts);
    for (size_t first = 0, end; first < count; first = end) {
        for (end = first + 1; end < count && compare_parts(&jobs[first], &jobs[end]) == 0;)
            end++;
        fill_part(arena, &test->parts[test->part_count++], &jobs[first], end - first);
    }
    for (size_t i = count; i-- > 0;) {
        if (jobs[i].text) {
            test->text = jobs[i].text;
            test->doc = jobs[i].doc;
        }
        jobs[i].test = test;
    }
    struct error ignored;
    (void)litmus_parse("test", test->text, strlen(test->text), &test->parsed, &ignored);
}

/* Sorts the jobs of all databases into columns, tests and parts, and adds them up. */
static void gather_jobs(struct page *page, struct page_job *jobs, size_t count)
{
    struct page_job *kept = arena_take(&page->arena, count, sizeof *kept);
    page->tests = arena_take(&page->arena, count, sizeof *page->tests);
    sort_columns(page, jobs, count);
    if (count > 0)
        memcpy(kept, jobs, count * sizeof *kept);
    count = drop_copies(kept, count);
    SORT(kept, count, compare_jobs);
    for (size_t i = 0; i < count; i++)
        count_job(page, &kept[i]);
    for (size_t first = 0, end; first < count; first = end) {
        for (end = first + 1; end < count && compare_tests(&kept[first], &kept[end]) == 0;)
            end++;
        struct page_test *test = &page->tests[page->test_count++];
        fill_test(&page->arena, test, &kept[first], end - first);
        page_judge(test);
    }
    page_order(page, kept, count);
}

/* ---- texts shared by many jobs ---- */

static void find_column(struct source_reading *reading, const struct store_job_facts *facts)
{
    struct page *page = reading->page;
    const struct store_job_row *job = &reading->job->job->row;
    struct page_column column = {.backend = job->backend,
                                 .device = job->device,
                                 .device_uuid = job->device_uuid,
                                 .platform = job->platform,
                                 .driver = job->driver,
                                 .compiler = job->compiler,
                                 .machine = *job->device_uuid ? "" : side_machine(&page->arena, job),
                                 .gpu = facts->gpu,
                                 .compute_units = facts->compute_units};
    const size_t at = INDEX_OF(one, page->columns, page->column_count, compare_columns(one, &column) == 0);
    reading->job->column = at;
    if (at < page->column_count) {
        page->columns[at].compiler = side_join(&page->arena, page->columns[at].compiler, job->compiler);
        return;
    }
    column.vendor = arena_copy(&page->arena, facts->vendor);
    column.architecture = arena_copy(&page->arena, facts->architecture);
    ARENA_ADD(&page->arena, page->columns, page->column_count) = column;
}

/* Returns the number of a log, from 1; 0 for an empty one, or if there are too many. */
static size_t find_log(struct source_reading *reading, const char *log)
{
    struct page *page = reading->page;
    char hash[HASH_HEX_SIZE];
    if (!*log)
        return 0;
    hash_hex(log, strlen(log), hash);
    const size_t at = INDEX_OF(each, page->logs, page->log_count, strcmp(each->hash, hash) == 0);
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
    const size_t at =
        INDEX_OF(one, page->environments, page->environment_count, strcmp(one->hash, job->environment_hash) == 0);
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

static enum status page_read_job(struct source_reading *reading, struct error *error)
{
    struct page_job *job = reading->job;
    const int64_t id = job->job->row.job_id;
    struct store_cursor facts;
    store_query(reading->store, STORE_FACTS, id, &facts, error);
    if (store_next(&facts)) {
        job->detail = find_log(reading, facts.facts.detail);
        job->log = find_log(reading, facts.facts.log);
        find_column(reading, &facts.facts);
    }
    TRY(store_end(&facts, STATUS_OK));
    TRY(find_environment(reading, error));
    if (job->job->row.voids > 0)
        TRY(store_load_counts(reading->store, STORE_VOIDS, id, &reading->page->arena, &job->voids, &job->void_count,
                              error));
    for (size_t i = 0; i < reading->source->run_count; i++)
        reading->source->runs[i].jobs += reading->source->runs[i].row.run_id == job->job->row.run_id;
    return STATUS_OK;
}

ORDERED_BY(compare_by_test, const struct page_job, compare_tests(a, b) ?: ORDER(a->job->row.job_id, b->job->row.job_id))

/* ---- a database ---- */

static enum status read_store(struct source_reading *reading, const struct selector *selector, struct page_job *jobs,
                              size_t count, struct error *error)
{
    struct arena *arena = &reading->page->arena;
    struct page_source *source = reading->source;
    struct store_cursor runs;
    store_query(reading->store, STORE_RUNS, selector->run, &runs, error);
    while (store_next(&runs))
        if (!selector->runs || ANY_OF(run, selector->runs, selector->run_count, *run == runs.run.run_id))
            ARENA_ADD(arena, source->runs, source->run_count) =
                (struct page_run){.row = store_keep_run(arena, &runs.run)};
    TRY(store_end(&runs, STATUS_OK));
    for (int pass = 0; pass < 2; pass++) { /* faults first, so that their logs are not the ones left out */
        for (size_t i = 0; i < count; i++) {
            reading->job = &jobs[i];
            if ((job_state_class(jobs[i].job->row.state) == JOB_CLASS_FAULT) == (pass == 0))
                TRY(page_read_job(reading, error));
        }
    }
    SORT(jobs, count, compare_by_test);
    for (size_t i = 0; i < count; i++) {
        struct store_text_row text;
        if (i > 0 && compare_tests(&jobs[i - 1], &jobs[i]) == 0)
            continue;
        TRY(store_load_text(reading->store, STORE_TEST, jobs[i].job->row.job_id, &reading->page->arena, &text, error));
        jobs[i].text = text.text ? text.text : "";
        jobs[i].doc = text.doc ? text.doc : "";
    }
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
        ARENA_ADD(&page->arena, page->unread, page->unread_count) =
            (struct side_unread){.database = arena_copy(&page->arena, request->selectors[i].database), .error = *error};
    }
    if (page->source_count == 0)
        return error->status;
    gather_jobs(page, jobs, count);
    page_list_seen(page);
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
