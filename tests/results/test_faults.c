// SPDX-License-Identifier: Apache-2.0
/* Protects: whichever write or sync fails, no batch is torn, nothing acknowledged is lost, and the file stays
 * readable. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "results/sql.h"
#include "tests/results/fault_vfs.h"
#include "tests/results/fixture.h"

/* The progress of a workload: the number of acknowledged steps. */
struct workload {
    open_shared *shared;
    struct store *store;
    int64_t run, job;
    int done;
};

enum {
    STEP_OPEN,
    STEP_RUN,
    STEP_JOB,
    STEP_BUILD,
    STEP_JUDGEMENT,
    STEP_BATCHES,
    STEP_FINISH_JOB = STEP_BATCHES + 4,
    STEP_FINISH_RUN,
    STEPS
};

static enum status step(struct workload *work, struct error *error)
{
    const struct store_run run = {"0.1.0", "orchil run", "host", "{}", 1, false};
    const struct build build = {
        .kernel = "kernel", .binary = "binary", .log = "log", .seconds = 0.5, .resident_groups = 16, .lowering = ""};
    const struct store_job job = fixture_job(work->run, 1, "SB");
    const struct store_judgement judgement = fixture_judgement("source");
    switch (work->done) {
    case STEP_OPEN:
        return open_store(FIXTURE_DB, STORE_WRITE, work->shared, &work->store, error);
    case STEP_RUN:
        return store_begin_run(work->store, &run, &work->run, error);
    case STEP_JOB:
        return store_begin_job(work->store, &job, &work->job, error);
    case STEP_BUILD:
        return store_add_build(work->store, work->job, &build, error);
    case STEP_JUDGEMENT:
        return store_put_judgement(work->store, work->job, &judgement, error);
    case STEP_FINISH_JOB:
        return store_finish_job(work->store, work->job, JOB_COMPLETED, "", "", 1, error);
    case STEP_FINISH_RUN:
        return store_finish_run(work->store, work->run, RUN_COMPLETED, error);
    default:
        return fixture_add(work->store, work->job, (uint64_t)(work->done - STEP_BATCHES) * FIXTURE_GROUP, FIXTURE_GROUP,
                           error);
    }
}

/* Takes steps until one fails or all are done. */
static enum status proceed(struct workload *work, struct error *error)
{
    while (work->done < STEPS) {
        TRY(step(work, error));
        work->done++;
    }
    return STATUS_OK;
}

static int groups(int done)
{
    const int taken = done - STEP_BATCHES;
    return taken < 0 ? 0 : taken > 4 ? 4 : taken;
}

/* Checks the file through the default VFS, after the first `done` steps were acknowledged. */
static void expect_intact(const struct workload *work)
{
    struct text findings = {0};
    struct error error;
    char sql[1024];
    if (work->done > STEP_OPEN)
        store_close(fixture_open(STORE_READ)); /* opening must also handle what the fault left */
    struct store *store = fixture_open(STORE_WRITE);
    fixture_ok(store_check(store, &findings, &error), &error);
    assert_string_equal(text_string(&findings), "");
    text_release(&findings);
    store_close(store);

    /* A step that failed at the very end of its commit may have reached the disk whole, so there may be one more
     * group. */
    (void)snprintf(sql, sizeof sql,
                   "SELECT (SELECT count(*) %% %d = 0 AND count(*) / %d BETWEEN %d AND %d FROM v_batch)"
                   " AND (SELECT count(*) >= %d FROM run) AND (SELECT count(*) >= %d FROM job)"
                   " AND (SELECT count(*) >= %d FROM build) AND (SELECT count(*) >= %d FROM judgement)"
                   " AND (SELECT count(*) FROM verdict) = 3 * (SELECT count(*) FROM judgement)"
                   " AND (SELECT count(*) >= %d FROM job WHERE state = 'completed')"
                   " AND (SELECT count(*) = 0 FROM v_job j WHERE instances <> voids + "
                   "coalesce((SELECT sum(count) FROM v_outcome WHERE job = j.job), 0))",
                   FIXTURE_GROUP, FIXTURE_GROUP, groups(work->done), groups(work->done + 1), work->done > STEP_RUN,
                   work->done > STEP_JOB, work->done > STEP_BUILD, work->done > STEP_JUDGEMENT,
                   work->done > STEP_FINISH_JOB);
    if (fixture_number(FIXTURE_DB, sql) != 1)
        fail_msg("after %d steps this does not hold: %s", work->done, sql);
}

static void remove_database(void)
{
    (void)unlink(FIXTURE_DB "-journal");
    (void)unlink(FIXTURE_DB "-wal");
    (void)unlink(FIXTURE_DB "-shm");
    (void)unlink(FIXTURE_DB);
}

/* Runs the workload with one plan. True if the plan's fault happened. */
static bool survive(struct fault_plan *plan, open_shared *shared)
{
    struct workload work = {.shared = shared};
    struct error error = {0};
    remove_database();
    fault_begin(plan);
    const enum status status = proceed(&work, &error);
    if (status != STATUS_OK) {
        assert_true(plan->failures > 0);
        assert_int_equal(status, STATUS_DATABASE);
        assert_non_null(strstr(error.text, plan->full ? "the disk is full" : "the disk reported an error"));
        assert_non_null(strstr(error.text, "MiB are free there: make room, or name another file"));
        if (!plan->lasting) /* repeats the same step in the same connection */
            fixture_ok(proceed(&work, &error), &error);
    }
    store_close(work.store);
    fault_end();
    expect_intact(&work);
    return plan->failures > 0;
}

static bool shared_by_many(const char *path)
{
    return path != NULL;
}

static bool own(const char *path)
{
    return path == NULL;
}

/* Moves the fault from the first change onwards until the workload passes without meeting it. */
static void sweep(bool full, bool lasting, open_shared *shared)
{
    struct fault_plan plan = {.fail_at = 1, .full = full, .lasting = lasting};
    while (survive(&plan, shared))
        plan = (struct fault_plan){.fail_at = plan.fail_at + 1, .full = full, .lasting = lasting};
    assert_true(plan.fail_at > 100); /* a workload with hardly any writes would pass at once */
}

static void test_sweep_log(void **state)
{
    (void)state;
    for (int kind = 0; kind < 4; kind++)
        sweep(kind & 1, kind & 2, own);
}

/* The rollback journal needs more writes, so only two of the four kinds: a bad sector, and a disk that stays full. */
static void test_sweep_journal(void **state)
{
    (void)state;
    sweep(false, false, shared_by_many);
    sweep(true, true, shared_by_many);
}

/* The message for a full disk says what was being stored. */
static void test_words(void **state)
{
    (void)state;
    struct fault_plan plan = {.fail_at = 1 << 30, .full = true, .lasting = true};
    struct workload work = {.shared = own};
    struct error error;
    static const char expected[] =
        "results.db: storing batches 0 to 3 of job 1 failed: the disk is full (database or disk "
        "is full); nothing of this step was stored, and earlier results stay readable; ";
    fault_begin(&plan);
    while (work.done < STEP_BATCHES) {
        fixture_ok(step(&work, &error), &error);
        work.done++;
    }
    plan.fail_at = 1;
    assert_int_equal(step(&work, &error), STATUS_DATABASE);
    error.text[sizeof expected - 1] = '\0';
    assert_string_equal(error.text, expected);
    store_close(work.store);
    fault_end();
}

/* Opens the file for reading and reads all of it. planned: the plan of faults ends before the file is closed, since
 * closing takes away an empty log where it can, and that may fail. */
static enum status read_everything(bool planned, struct error *error)
{
    struct store *store = NULL;
    struct text findings = {0};
    enum status status = open_store(FIXTURE_DB, STORE_READ, own, &store, error);
    for (int view = 0; view < STORE_VIEW_COUNT && status == STATUS_OK; view++) {
        const struct store_wanted wanted = {.view = (enum store_view)view};
        struct store_cursor rows;
        store_query_view(store, &wanted, &rows, error);
        while (store_next(&rows))
            ;
        status = store_end(&rows, STATUS_OK);
    }
    if (status == STATUS_OK)
        status = store_check(store, &findings, error);
    text_release(&findings);
    if (planned)
        fault_end();
    store_close(store);
    return status;
}

/* If a disk fails to read a page, that does not show that the file is damaged: nobody should discard it. */
static void test_reading_fails(void **state)
{
    (void)state;
    struct workload work = {.shared = own};
    struct error error;
    fixture_ok(proceed(&work, &error), &error);
    store_close(work.store);
    for (int lasting = 0; lasting < 2; lasting++) {
        int number = 0, failures = 1;
        while (failures > 0) {
            struct fault_plan plan = {.fail_at = 1 << 30, .lasting = lasting, .fail_read_at = ++number};
            fault_begin(&plan);
            const enum status status = read_everything(true, &error);
            failures = plan.read_failures;
            if (failures == 0)
                break;
            assert_int_equal(status, STATUS_DATABASE);
            if (!strstr(error.text, "the disk returned a read error (Input/output error)"))
                fail_msg("read %d: %s", number, error.text);
        }
        assert_true(number > 20); /* a file of a few pages would show little */
        fixture_ok(read_everything(false, &error), &error);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_sweep_log, fixture_enter, fixture_leave),
        cmocka_unit_test_setup_teardown(test_sweep_journal, fixture_enter, fixture_leave),
        cmocka_unit_test_setup_teardown(test_reading_fails, fixture_enter, fixture_leave),
        cmocka_unit_test_setup_teardown(test_words, fixture_enter, fixture_leave),
    };
    return cmocka_run_group_tests_name("faults", tests, NULL, NULL);
}
