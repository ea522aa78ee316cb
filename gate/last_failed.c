// SPDX-License-Identifier: Apache-2.0
/* The tests of the newest run that failed. */
#include "gate/last_failed.h"

#include "models/ruling.h"
#include "results/results.h"
#include "runner/run/plan_store.h"

/* ---- one job ---- */

/* Whether the job showed an outcome that fails. facts: of the job, without an outcome. */
static enum status find_failure(struct store *store, int64_t job_id, const struct sighting *facts, bool *failed,
                                struct error *error)
{
    LOCAL(arena) arena = {0};
    struct store_judgements judgements = {0};
    struct count *seen = NULL;
    size_t count = 0;
    TRY(store_load_counts(store, STORE_OUTCOMES, job_id, &arena, &seen, &count, error));
    TRY(store_load_judgements(store, job_id, &arena, &judgements, error));
    for (size_t i = 0; i < count; i++) {
        struct sighting sighting = *facts;
        sighting.source = store_verdict_on(&judgements.source, seen[i].label);
        sighting.target = store_verdict_on(&judgements.target, seen[i].label);
        sighting.witness = seen[i].witness;
        *failed |= seen[i].count > 0 && ruling_of(&sighting).fails;
    }
    return STATUS_OK;
}

static enum status has_failed(struct store *store, const struct store_planned_row *row, const struct litmus_test *test,
                              bool strict, bool *failed, struct error *error)
{
    const struct store_progress *progress = &row->progress;
    const struct sighting facts = {.control = row->planned.control,
                                   .claimed = litmus_forbids_witness(test),
                                   .marks = progress->marks,
                                   .strict = strict};
    *failed = progress->job_id == 0 || (progress->state != JOB_COMPLETED && progress->state != JOB_UNSUPPORTED) ||
              progress->kept == TEST_NOT_KEPT;
    return *failed ? STATUS_OK : find_failure(store, progress->job_id, &facts, failed, error);
}

/* ---- all of a run ---- */

static bool is_there(const struct selection *selection, const struct litmus_test *test)
{
    return selection_get(selection, test->name, test->dialect) != NULL;
}

/* The tests of the plan so far, of which the last one may still fail by a control. */
struct failure_search {
    struct store *store;
    struct last_failed *found;
    bool strict, rerun; /* of the run that is read */
    struct selection passed;
    struct selected_test current;
    bool failed;
    size_t failed_room, passed_room;
    int64_t *runs; /* in the arena */
    size_t run_count;
    struct arena arena;
};

/* Sorts the present test in: it may already be listed for another device. */
static void settle_test(struct failure_search *search)
{
    struct selection *failed = &search->found->selection;
    if (!search->current.test)
        return;
    if (search->failed && !is_there(failed, search->current.test))
        LIST_ADD(failed->tests, failed->count, search->failed_room) = search->current;
    else if (!search->failed && !is_there(&search->passed, search->current.test))
        LIST_ADD(search->passed.tests, search->passed.count, search->passed_room) = search->current;
    else
        selected_test_release(&search->current);
    search->current = (struct selected_test){0};
    search->failed = false;
}

static enum status take_row(struct failure_search *search, const struct store_planned_row *row, struct error *error)
{
    const struct store_planned *planned = &row->planned;
    bool failed = false;
    if (!planned->control) {
        settle_test(search);
        search->current.file = memory_copy(planned->file);
        TRY(litmus_parse(planned->file, planned->test.text, strlen(planned->test.text), &search->current.test, error));
    }
    if (!search->current.test)
        return error_set(error, STATUS_DATABASE, "the plan of run %lld is damaged: a control comes before its test",
                         (long long)search->found->run);
    TRY(has_failed(search->store, row, search->current.test, search->strict, &failed, error));
    search->failed |= failed || search->rerun;
    return STATUS_OK;
}

static enum status take_plan(struct failure_search *search, int64_t run, struct error *error)
{
    struct store_cursor rows;
    enum status status = STATUS_OK;
    store_query(search->store, STORE_PLANNED, run, &rows, error);
    while (status == STATUS_OK && store_next(&rows))
        status = take_row(search, &rows.planned, error);
    status = store_end(&rows, status);
    if (status == STATUS_OK)
        settle_test(search);
    return status;
}

/* The run, and the reruns after it. */
static enum status take_plans(struct failure_search *search, struct error *error)
{
    struct last_failed *found = search->found;
    enum status status = STATUS_OK;
    for (size_t i = 0; i < search->run_count && status == STATUS_OK; i++) {
        search->rerun = i > 0;
        status = take_plan(search, search->runs[i], error);
    }
    found->failed = found->tests = found->selection.count;
    for (size_t i = 0; i < search->passed.count; i++)
        found->tests += !is_there(&found->selection, search->passed.tests[i].test);
    selected_test_release(&search->current);
    selection_release(&search->passed);
    return status;
}

/* ---- which run ---- */

static enum status find_run(struct failure_search *search, const char *database, struct error *error)
{
    struct begun_run *runs;
    size_t count;
    TRY(plan_list_begun(search->store, NULL, 0, &search->arena, &runs, &count, error));
    for (size_t i = 0; i < count; i++) {
        if (!runs[i].planned)
            continue;
        search->run_count = runs[i].rerun ? search->run_count : 0;
        ARENA_ADD(&search->arena, search->runs, search->run_count) = runs[i].run_id;
        search->found->run = search->runs[0];
        search->strict = runs[i].strict;
    }
    return search->found->run > 0
               ? STATUS_OK
               : error_set(error, STATUS_USAGE, "--last-failed: %s has no run of `orchil run` or `orchil gate`",
                           database);
}

enum status last_failed_find(const char *database, struct last_failed *found, struct error *error)
{
    struct failure_search search = {.found = found};
    *found = (struct last_failed){0};
    if (access(database, F_OK) != 0)
        return error_set(error, STATUS_USAGE, "--last-failed: there is no database %s; use --db to name another",
                         database);
    TRY(store_open(database, STORE_READ, &search.store, error));
    enum status status = find_run(&search, database, error);
    THEN(status, take_plans(&search, error));
    arena_release(&search.arena);
    store_close(search.store);
    catalogue_open(&found->selection.catalogue); /* where controls are searched */
    return status;
}

void last_failed_narrow(const struct last_failed *found, struct selection *selection)
{
    size_t kept = 0;
    for (size_t i = 0; i < selection->count; i++) {
        if (is_there(&found->selection, selection->tests[i].test))
            selection->tests[kept++] = selection->tests[i];
        else
            selected_test_release(&selection->tests[i]);
    }
    selection->count = kept;
}
