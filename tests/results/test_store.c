// SPDX-License-Identifier: Apache-2.0
/* Protects: what is stored is read back equal, once per content, and contradictions are refused whole. */
#include <math.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>

#include "tests/results/fixture.h"

static void refused(enum status status, const struct error *error, enum status expected, const char *text)
{
    assert_string_equal(status == STATUS_OK ? "(accepted)" : error->text, text);
    assert_int_equal(status, expected);
}

struct seen {
    size_t count;
    size_t stop_after;
    struct store_job_row job;
    char texts[9][64];
    struct count outcomes[4];
    char labels[4][64];
};

static bool see_job(const struct store_job_row *row, void *context)
{
    struct seen *seen = context;
    const char *texts[] = {row->test,     row->dialect,   row->condition,
                           row->backend,  row->device,    row->driver,
                           row->controls, row->test_hash, job_state_word(row->state)};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        assert_true(strlen(texts[i]) < sizeof seen->texts[i]);
        memcpy(seen->texts[i], texts[i], strlen(texts[i]) + 1);
    }
    seen->job = *row;
    return ++seen->count != seen->stop_after;
}

/* A row is valid until the next one; a copy lives as long as its arena. */
static struct store_job_row keep_only_job(struct store *store, struct arena *arena)
{
    struct store_cursor jobs;
    struct store_job_row row = {.job_id = 0};
    struct error error;
    store_query(store, STORE_JOBS, 0, &jobs, &error);
    assert_true(store_next(&jobs));
    row = store_keep_job(arena, &jobs.job);
    const char *const kept[] = {row.run_uuid,   row.tool_version, row.host,
                                row.started_at, row.kernel_hash,  row.circumstances};
    const char *const lent[] = {jobs.job.run_uuid,   jobs.job.tool_version, jobs.job.host,
                                jobs.job.started_at, jobs.job.kernel_hash,  jobs.job.circumstances};
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
        assert_ptr_not_equal(kept[i], lent[i]);
    assert_false(store_next(&jobs));
    fixture_ok(store_end(&jobs, STATUS_OK), &error);
    return row;
}

/* The fields that explain why two runs differ. */
static void test_confounders_come_back(void **state)
{
    (void)state;
    static const char observed[] = "{\"sm_clock_mhz\":1980,\"throttle\":\"power\"}";
    const struct build build = {.kernel = "kernel", .binary = "", .log = ""};
    struct arena arena = {0};
    struct error error;
    char hash[HASH_HEX_SIZE], text[64];
    struct store *store = fixture_open(STORE_WRITE);
    const int64_t job = fixture_begin_job(store, fixture_begin_run(store, 1), "SB");
    struct store_job_row row = keep_only_job(store, &arena);
    assert_string_equal(row.kernel_hash, "");
    assert_string_equal(row.circumstances, "{}");

    fixture_ok(store_add_build(store, job, &build, &error), &error);
    fixture_ok(store_put_circumstances(store, job, observed, &error), &error);
    row = keep_only_job(store, &arena);
    store_close(store);
    hash_hex("kernel", strlen("kernel"), hash);
    assert_string_equal(row.kernel_hash, hash);
    assert_string_equal(row.circumstances, observed);
    assert_string_equal(row.tool_version, "0.1.0");
    assert_string_equal(row.host, "somewhere, Linux 6.1, x86_64");
    fixture_text(FIXTURE_DB, "SELECT run_uuid FROM v_run", text, sizeof text);
    assert_string_equal(row.run_uuid, text);
    fixture_text(FIXTURE_DB, "SELECT started_at FROM v_job", text, sizeof text);
    assert_string_equal(row.started_at, text);
    arena_release(&arena);
}

/* The result of an inspection is read back with the job and changed when the job is built again. The file's own checks
 * prevent any program from storing an unknown word, or "not-kept" without a reason. */
static void test_what_became_of_the_test(void **state)
{
    (void)state;
    const struct build build = {.kernel = "k", .binary = "", .log = "", .kept = TEST_KEPT, .kept_reason = ""};
    static const char *const wrong[] = {"kept = 'perhaps'", "kept = 'not-kept', kept_reason = ''",
                                        "kept = 'kept', kept_reason = 'why'", "kept = NULL"};
    struct arena arena = {0};
    struct error error;
    struct store *store = fixture_open(STORE_WRITE);
    const int64_t job = fixture_begin_job(store, fixture_begin_run(store, 1), "SB");
    refused(store_change_kept(store, job, TEST_NOT_KEPT, "why", &error), &error, STATUS_INTERNAL,
            "results.db: storing whether the test was kept in job 1 failed: the job has no build");
    assert_false(keep_only_job(store, &arena).built);
    fixture_ok(store_add_build(store, job, &build, &error), &error);
    struct store_job_row row = keep_only_job(store, &arena);
    assert_true(row.built);
    assert_int_equal(row.kept, TEST_KEPT);
    assert_string_equal(row.kept_reason, "");
    fixture_ok(store_change_kept(store, job, TEST_NOT_KEPT, "P0 line 2: dropped", &error), &error);
    row = keep_only_job(store, &arena);
    assert_int_equal(row.kept, TEST_NOT_KEPT);
    assert_string_equal(row.kept_reason, "P0 line 2: dropped");
    store_close(store);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char sql[128];
        (void)snprintf(sql, sizeof sql, "UPDATE build SET %s", wrong[i]);
        assert_true(fixture_refuses(FIXTURE_DB, sql));
    }
    arena_release(&arena);
}

/* The mark for launches that never overlapped is removed by the first valid batch in which some did, and no other mark
 * is. */
static void test_mark_of_launches(void **state)
{
    (void)state;
    const struct build build = {.kernel = "k",
                                .binary = "",
                                .log = "",
                                .marks = MARK_UNDECLARED | MARK_NOT_OVERLAPPED,
                                .kept = TEST_KEPT,
                                .kept_reason = ""};
    struct fixture_batch sample;
    struct arena arena = {0};
    struct error error;
    struct store *store = fixture_open(STORE_WRITE);
    const int64_t job = fixture_begin_job(store, fixture_begin_run(store, 1), "SB");
    fixture_ok(store_add_build(store, job, &build, &error), &error);
    for (uint64_t number = 0; number < 4; number++) {
        fixture_batch(&sample, number);
        sample.batch.overlapped = number != 1;
        sample.batch.invalid = number == 0 ? "why" : NULL;
        fixture_ok(store_add_batches(store, job, &sample.batch, 1, &error), &error);
        const unsigned marks = keep_only_job(store, &arena).marks;
        assert_int_equal(marks, MARK_UNDECLARED | (number < 2 ? MARK_NOT_OVERLAPPED : 0U));
    }
    store_close(store);
    arena_release(&arena);
}

static void test_refused_circumstances(void **state)
{
    (void)state;
    struct error error;
    struct store *store = fixture_open(STORE_WRITE);
    const int64_t job = fixture_begin_job(store, fixture_begin_run(store, 1), "SB");
    refused(store_put_circumstances(store, job, "{", &error), &error, STATUS_INTERNAL,
            "results.db: storing the circumstances of job 1 failed: circumstances is not JSON");
    refused(store_put_circumstances(store, job + 1, "{}", &error), &error, STATUS_INTERNAL,
            "results.db: storing the circumstances of job 2 failed: there is no such job");
    store_close(store);
    assert_int_equal(fixture_number(FIXTURE_DB, "SELECT count(*) FROM v_job WHERE circumstances = '{}'"), 1);
}

static bool see_outcome(const struct count *outcome, void *context)
{
    struct seen *seen = context;
    assert_true(seen->count < 4 && strlen(outcome->label) < sizeof *seen->labels);
    memcpy(seen->labels[seen->count], outcome->label, strlen(outcome->label) + 1);
    seen->outcomes[seen->count] = *outcome;
    return ++seen->count != seen->stop_after;
}

static void see_jobs(struct store *store, int64_t run, struct seen *seen)
{
    struct store_cursor jobs;
    struct error error;
    store_query(store, STORE_JOBS, run, &jobs, &error);
    while (store_next(&jobs) && see_job(&jobs.job, seen))
        ;
    fixture_ok(store_end(&jobs, STATUS_OK), &error);
}

static void see_outcomes(struct store *store, int64_t job, struct seen *seen)
{
    struct store_cursor outcomes;
    struct error error;
    store_query(store, STORE_OUTCOMES, job, &outcomes, &error);
    while (store_next(&outcomes) && see_outcome(&outcomes.count, seen))
        ;
    fixture_ok(store_end(&outcomes, STATUS_OK), &error);
}

static void test_job_comes_back(void **state)
{
    (void)state;
    struct store *store = fixture_open(STORE_WRITE);
    struct error error;
    struct seen seen = {0};
    const struct build build = {.kernel = "kernel",
                                .binary = "ptx",
                                .log = "",
                                .seconds = 0.5,
                                .resident_groups = 256,
                                .marks = MARK_UNDECLARED};
    const int64_t run = fixture_begin_run(store, 1);
    const int64_t job = fixture_begin_job(store, run, "SB+relaxed");
    fixture_ok(store_add_build(store, job, &build, &error), &error);
    fixture_ok(fixture_add(store, job, 0, 2, &error), &error);
    fixture_ok(store_finish_job(store, job, JOB_COMPLETED, "done", "", 1.5, &error), &error);
    fixture_ok(store_finish_run(store, run, RUN_COMPLETED, &error), &error);
    store_close(store);

    store = fixture_open(STORE_READ);
    see_jobs(store, run, &seen);
    assert_int_equal(seen.count, 1);
    static const char *const texts[] = {"SB+relaxed", "OPENCL",           "exists (0:r0=0 /\\ 1:r1=0)",
                                        "simulated",  "Simulated GPU",    "1.0",
                                        "",           "8f14e45fceea167a", "completed"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        assert_string_equal(seen.texts[i], texts[i]);
    assert_int_equal(seen.job.marks, MARK_UNDECLARED);
    assert_int_equal(seen.job.job_id, job);
    assert_int_equal(seen.job.run_id, run);
    assert_int_equal(seen.job.seed, 7);
    assert_int_equal(seen.job.batches, 2);
    assert_int_equal(seen.job.instances, 1505 + 1507);
    assert_int_equal(seen.job.voids, 2 + 3);
    assert_true(seen.job.seconds == 1.5);

    seen = (struct seen){0};
    see_outcomes(store, job, &seen);
    assert_int_equal(seen.count, 3);
    assert_string_equal(seen.labels[0], "0:r0=1; 1:r1=1;");
    assert_int_equal(seen.outcomes[0].count, 2001);
    assert_string_equal(seen.labels[1], "0:r0=0; 1:r1=1;");
    assert_int_equal(seen.outcomes[1].count, 1000);
    assert_string_equal(seen.labels[2], "0:r0=0; 1:r1=0;");
    assert_int_equal(seen.outcomes[2].count, 6);
    assert_true(seen.outcomes[2].witness && !seen.outcomes[0].witness && !seen.outcomes[1].witness);
    store_close(store);
}

static void test_visits_stop_and_choose_the_run(void **state)
{
    (void)state;
    struct store *store = fixture_open(STORE_WRITE);
    struct error error;
    const int64_t first = fixture_begin_run(store, 1), second = fixture_begin_run(store, 2);
    const int64_t job = fixture_begin_job(store, first, "A");
    (void)fixture_begin_job(store, first, "B");
    (void)fixture_begin_job(store, second, "C");
    fixture_ok(fixture_add(store, job, 0, 1, &error), &error);

    struct seen all = {0}, one = {0}, stopped = {.stop_after = 2}, outcome = {.stop_after = 1};
    see_jobs(store, 0, &all);
    see_jobs(store, second, &one);
    see_jobs(store, 0, &stopped);
    see_outcomes(store, job, &outcome);
    assert_int_equal(all.count, 3);
    assert_int_equal(one.count, 1);
    assert_string_equal(one.texts[0], "C");
    assert_int_equal(stopped.count, 2);
    assert_int_equal(outcome.count, 1);
    store_close(store);
}

/* Two cursors over the same rows advance at the same time; the end stays the end; an id without rows is not an
 * error. */
static void test_cursors_do_not_disturb_each_other(void **state)
{
    (void)state;
    struct store *store = fixture_open(STORE_WRITE);
    struct error error;
    struct store_cursor one, other, none;
    const int64_t run = fixture_begin_run(store, 1), job = fixture_begin_job(store, run, "A");
    (void)fixture_begin_job(store, run, "B");
    fixture_ok(fixture_add(store, job, 0, 2, &error), &error);
    store_query(store, STORE_JOBS, run, &one, &error);
    store_query(store, STORE_JOBS, run, &other, &error);
    assert_true(store_next(&one));
    assert_true(store_next(&other) && store_next(&other));
    assert_string_equal(one.job.test, "A");
    assert_string_equal(other.job.test, "B");
    assert_true(store_next(&one));
    assert_string_equal(one.job.test, "B");
    assert_false(store_next(&one));
    assert_false(store_next(&one));
    fixture_ok(store_end(&one, STATUS_OK), &error);
    fixture_ok(store_end(&other, STATUS_OK), &error);
    store_query(store, STORE_BATCHES, 99, &none, &error);
    assert_false(store_next(&none));
    assert_int_equal(store_end(&none, STATUS_SYSTEM), STATUS_SYSTEM); /* the status that the caller had */
    store_close(store);
}

/* A failure between two rows is reported at the end of reading, with what was being read. */
static void test_a_failed_reading_says_so(void **state)
{
    (void)state;
    struct store *store = fixture_open(STORE_WRITE);
    struct error error = {.text = ""};
    struct store_cursor cursor;
    (void)fixture_begin_job(store, fixture_begin_run(store, 1), "A");
    fixture_execute(FIXTURE_DB, "DROP VIEW v_job");
    store_query(store, STORE_JOBS, 0, &cursor, &error);
    assert_false(store_next(&cursor));
    refused(store_end(&cursor, STATUS_OK), &error, STATUS_DATABASE,
            "results.db: reading its jobs failed: no such table: v_job");
    store_query(store, STORE_OUTCOMES, 7, &cursor, &error);
    fixture_execute(FIXTURE_DB, "DROP VIEW v_outcome");
    assert_false(store_next(&cursor));
    refused(store_end(&cursor, STATUS_OK), &error, STATUS_DATABASE,
            "results.db: reading the outcomes of job 7 failed: no such table: v_outcome");
    store_close(store);
}

/* A judgement without verdicts is read back too, and source and target are distinguished. */
static void test_judgements_come_back(void **state)
{
    (void)state;
    struct store *store = fixture_open(STORE_WRITE);
    struct error error;
    struct arena arena = {0};
    struct store_judgements judgements;
    const struct store_judgement target = fixture_judgement("target");
    const struct store_judgement unjudged = {
        .role = "source", .model = "opencl", .model_hash = FIXTURE_MODEL_HASH, .unjudged = "too large", .cut = ""};
    const int64_t job = fixture_begin_job(store, fixture_begin_run(store, 1), "A");
    fixture_ok(store_load_judgements(store, job, &arena, &judgements, &error), &error);
    assert_true(!judgements.source.model && !judgements.target.model);
    fixture_ok(store_put_judgement(store, job, &target, &error), &error);
    fixture_ok(store_put_judgement(store, job, &unjudged, &error), &error);
    fixture_ok(store_load_judgements(store, job, &arena, &judgements, &error), &error);
    assert_string_equal(judgements.source.unjudged, "too large");
    assert_int_equal(judgements.source.verdict_count, 0);
    assert_string_equal(judgements.target.model, "ptx");
    assert_int_equal(judgements.target.verdict_count, 3);
    assert_string_equal(judgements.target.verdicts[0].label, "0:r0=0; 1:r1=0;");
    assert_int_equal(judgements.target.verdicts[0].verdict, VERDICT_FORBIDDEN);
    assert_string_equal(judgements.target.verdicts[0].axiom, "causality");
    assert_int_equal(judgements.target.verdicts[1].verdict, VERDICT_SC);
    arena_release(&arena);
    store_close(store);
}

static void test_extremes_come_back(void **state)
{
    (void)state;
    static const uint64_t seeds[] = {0, 1, INT64_MAX, (uint64_t)INT64_MAX + 1, UINT64_MAX};
    struct store *store = fixture_open(STORE_WRITE);
    struct error error;
    for (size_t i = 0; i < sizeof seeds / sizeof *seeds; i++) {
        const int64_t run = fixture_begin_run(store, seeds[i]);
        struct store_job job = fixture_job(run, seeds[i], "SB");
        struct seen seen = {0};
        int64_t id = 0;
        fixture_ok(store_begin_job(store, &job, &id, &error), &error);
        see_jobs(store, run, &seen);
        assert_true(seen.job.seed == seeds[i]);
    }
    char text[64];
    fixture_text(FIXTURE_DB, "SELECT seed FROM v_job WHERE run = 5", text, sizeof text);
    assert_string_equal(text, "18446744073709551615");

    const struct count outcomes[] = {{"[x]=1;", STORE_JOB_INSTANCES_MAX - 1, true}}, voids[] = {{"stale", 1, false}};
    struct batch batch = {.number = INT64_MAX,
                          .draw = "{}",
                          .instances = STORE_JOB_INSTANCES_MAX,
                          .liveness = "{}",
                          .outcomes = outcomes,
                          .outcome_count = 1,
                          .voids = voids,
                          .void_count = 1};
    struct seen seen = {0}, histogram = {0};
    fixture_ok(store_add_batches(store, 5, &batch, 1, &error), &error);
    see_jobs(store, 5, &seen);
    see_outcomes(store, 5, &histogram);
    assert_true(seen.job.instances == STORE_JOB_INSTANCES_MAX && seen.job.voids == 1);
    assert_true(histogram.outcomes[0].count == STORE_JOB_INSTANCES_MAX - 1);
    store_close(store);
}

/* If a job's counts could exceed 2^63, every view that sums them up would fail from then on. */
static void test_no_job_counts_too_far(void **state)
{
    (void)state;
    struct store *store = fixture_open(STORE_WRITE);
    struct error error;
    const int64_t run = fixture_begin_run(store, 1), job = fixture_begin_job(store, run, "SB");
    const struct count most = {"[x]=1;", STORE_JOB_INSTANCES_MAX, true}, one = {"[x]=1;", 1, true};
    struct batch batch = {.draw = "{}", .liveness = "{}", .outcomes = &most, .outcome_count = 1};
    batch.instances = STORE_JOB_INSTANCES_MAX;
    fixture_ok(fixture_add(store, job, 1, 2, &error), &error);
    refused(store_add_batches(store, job, &batch, 1, &error), &error, STATUS_INTERNAL,
            "results.db: storing batches 0 to 0 of job 1 failed: with them the job would have more than 2^60 "
            "instances");
    const int64_t full = fixture_begin_job(store, run, "MP");
    fixture_ok(store_add_batches(store, full, &batch, 1, &error), &error);
    store_close(store);

    /* Also in a later part of the run, and only for this job. */
    store = fixture_open(STORE_WRITE);
    batch = (struct batch){.number = 9, .draw = "{}", .instances = 1, .liveness = "{}", .outcomes = &one};
    batch.outcome_count = 1;
    refused(store_add_batches(store, full, &batch, 1, &error), &error, STATUS_INTERNAL,
            "results.db: storing batches 9 to 9 of job 2 failed: with them the job would have more than 2^60 "
            "instances");
    fixture_ok(store_add_batches(store, job, &batch, 1, &error), &error);
    store_close(store);
    fixture_sound(FIXTURE_DB);
}

/* In a file from elsewhere, only such a job is affected. */
static void test_counts_that_pass_all_bounds_are_read(void **state)
{
    (void)state;
    struct store *store = fixture_open(STORE_WRITE);
    struct error error;
    const int64_t run = fixture_begin_run(store, 1);
    for (int i = 0; i < 2; i++) {
        const int64_t job = fixture_begin_job(store, run, i == 0 ? "SB" : "MP");
        fixture_ok(fixture_add(store, job, 0, 3, &error), &error);
        fixture_ok(store_finish_job(store, job, JOB_COMPLETED, "", "", 1, &error), &error);
    }
    store_close(store);
    fixture_execute(FIXTURE_DB, "UPDATE batch SET instances = 9223372036854775807 WHERE job_id = 1;"
                                "UPDATE outcome_count SET count = 9223372036854775807 WHERE batch_id <= 3;"
                                "UPDATE void_count SET count = 9223372036854775807 WHERE batch_id <= 3");
    store = fixture_open(STORE_READ);
    struct store_cursor jobs;
    enum job_state states[2] = {JOB_STARTED, JOB_STARTED};
    store_query(store, STORE_JOBS, 0, &jobs, &error);
    for (size_t i = 0; i < 2 && store_next(&jobs); i++) {
        states[i] = jobs.job.state;
        assert_string_equal(jobs.job.reason, i == 0 ? STORE_COUNTS_DAMAGED : "");
        assert_true((jobs.job.instances > 0 && jobs.job.batches > 0 && jobs.job.voids > 0) == (i == 1));
    }
    fixture_ok(store_end(&jobs, STATUS_OK), &error);
    assert_int_equal(states[0], JOB_INVALID);
    assert_int_equal(states[1], JOB_COMPLETED);
    static const enum store_what counted[] = {STORE_OUTCOMES, STORE_VOIDS, STORE_BATCHES, STORE_BATCH_OUTCOMES};
    for (size_t i = 0; i < 2 * sizeof counted / sizeof *counted; i++) {
        struct store_cursor rows;
        store_query(store, counted[i / 2], 1 + (int64_t)i % 2, &rows, &error);
        assert_true(store_next(&rows) == (i % 2 == 1));
        fixture_ok(store_end(&rows, STATUS_OK), &error);
    }
    for (int view = 0; view < STORE_VIEW_COUNT; view++) {
        const struct store_wanted wanted = {.view = (enum store_view)view};
        struct store_cursor rows;
        size_t count = 0;
        store_query_view(store, &wanted, &rows, &error);
        while (store_next(&rows))
            count++;
        fixture_ok(store_end(&rows, STATUS_OK), &error);
        assert_true(count > 0 || view > STORE_VIEW_VOIDS);
    }
    struct text findings = {0};
    fixture_ok(store_check(store, &findings, &error), &error);
    assert_non_null(strstr(text_string(&findings), "job 1 has more instances than any job can have"));
    text_release(&findings);
    store_close(store);
}

static void test_what_does_not_add_up_is_refused(void **state)
{
    (void)state;
    struct store *store = fixture_open(STORE_WRITE);
    struct error error;
    const int64_t job = fixture_begin_job(store, fixture_begin_run(store, 1), "SB");
    struct fixture_batch sound, wrong;
    fixture_batch(&sound, 0);
    fixture_batch(&wrong, 1);
    wrong.batch.instances++;
    const struct batch both[] = {sound.batch, wrong.batch};
    refused(store_add_batches(store, job, both, 2, &error), &error, STATUS_INTERNAL,
            "results.db: storing batches 0 to 1 of job 1 failed: batch 1 does not add up: 1504 outcomes + 3 voids, but "
            "1508 instances");

    /* Counts that add up only because they overflow. */
    fixture_batch(&wrong, 1);
    wrong.outcomes[0].count = UINT64_MAX;
    wrong.batch.instances -= 1002;
    refused(store_add_batches(store, job, &wrong.batch, 1, &error), &error, STATUS_INTERNAL,
            "results.db: storing batches 1 to 1 of job 1 failed: a number of batch 1 is beyond 2^63 - 1");
    wrong.outcomes[0].count = wrong.outcomes[1].count = INT64_MAX;
    wrong.outcomes[2].count = 2;
    wrong.voids[0].count = 7;
    wrong.batch.instances = 7;
    refused(store_add_batches(store, job, &wrong.batch, 1, &error), &error, STATUS_INTERNAL,
            "results.db: storing batches 1 to 1 of job 1 failed: a number of batch 1 is beyond 2^63 - 1");
    store_close(store);
    assert_int_equal(fixture_number(FIXTURE_DB, "SELECT count(*) FROM v_batch"), 0);
}

static void test_contradictions_are_refused(void **state)
{
    (void)state;
    struct store *store = fixture_open(STORE_WRITE);
    struct error error;
    const int64_t run = fixture_begin_run(store, 1), job = fixture_begin_job(store, run, "SB");
    const struct build build = {.kernel = "", .binary = "", .log = "", .marks = 0};
    struct fixture_batch sample;
    int64_t id = 0;

    fixture_ok(fixture_add(store, job, 0, 2, &error), &error);
    refused(fixture_add(store, job, 1, 3, &error), &error, STATUS_INTERNAL,
            "results.db: storing batches 1 to 3 of job 1 failed: it contradicts what is stored (UNIQUE constraint "
            "failed: batch.job_id, batch.number)");
    fixture_batch(&sample, 2);
    sample.batch.draw = "{groups";
    refused(store_add_batches(store, job, &sample.batch, 1, &error), &error, STATUS_INTERNAL,
            "results.db: storing batches 2 to 2 of job 1 failed: draw is not JSON");
    fixture_batch(&sample, 2);
    sample.batch.seconds = NAN;
    refused(store_add_batches(store, job, &sample.batch, 1, &error), &error, STATUS_INTERNAL,
            "results.db: storing batches 2 to 2 of job 1 failed: it contradicts what is stored (NOT NULL constraint "
            "failed: batch.seconds)");
    refused(fixture_add(store, 99, 0, 1, &error), &error, STATUS_INTERNAL,
            "results.db: storing batches 0 to 0 of job 99 failed: there is no such job, or it has ended already");

    fixture_ok(store_add_build(store, job, &build, &error), &error);
    refused(store_add_build(store, job, &build, &error), &error, STATUS_INTERNAL,
            "results.db: storing the build of job 1 failed: there is no such job, or it has ended, or it has a build");
    refused(store_finish_job(store, job, JOB_STARTED, "", "", 1, &error), &error, STATUS_INTERNAL,
            "results.db: storing the end of job 1 failed: 'started' is not a final state");
    fixture_ok(store_finish_job(store, job, JOB_HANG, "no progress", "", 1, &error), &error);
    refused(store_finish_job(store, job, JOB_COMPLETED, "", "", 1, &error), &error, STATUS_INTERNAL,
            "results.db: storing the end of job 1 failed: there is no such job, or it has ended already");
    refused(fixture_add(store, job, 2, 1, &error), &error, STATUS_INTERNAL,
            "results.db: storing batches 2 to 2 of job 1 failed: there is no such job, or it has ended already");

    refused(store_finish_run(store, run, RUN_STARTED, &error), &error, STATUS_INTERNAL,
            "results.db: storing the end of run 1 failed: 'started' is not a final state");
    refused(store_finish_run(store, 9, RUN_FAILED, &error), &error, STATUS_INTERNAL,
            "results.db: storing the end of run 9 failed: there is no such run");
    struct store_job other = fixture_job(9, 7, "SB");
    refused(store_begin_job(store, &other, &id, &error), &error, STATUS_INTERNAL,
            "results.db: storing a new job of run 9 failed: there is no such run");
    other = fixture_job(run, 7, "SB");
    other.environment.text = "{}";
    refused(store_begin_job(store, &other, &id, &error), &error, STATUS_INTERNAL,
            "results.db: storing a new job of run 1 failed: the environment c9f0f895fb98ab91 is stored with another "
            "text");
    store_close(store);
    assert_int_equal(fixture_number(FIXTURE_DB, "SELECT count(*) FROM v_batch"), 2);
    fixture_sound(FIXTURE_DB);
}

static void test_every_final_state_is_stored(void **state)
{
    (void)state;
    struct store *store = fixture_open(STORE_WRITE);
    struct error error;
    const int64_t run = fixture_begin_run(store, 1);
    for (enum job_state end = 0; end < JOB_STATE_COUNT; end++) {
        if (end == JOB_STARTED)
            continue;
        const int64_t job = fixture_begin_job(store, run, "SB");
        struct seen seen = {0};
        fixture_ok(store_finish_job(store, job, end, "why", "what it said", 0, &error), &error);
        see_jobs(store, run, &seen);
        assert_int_equal(seen.job.state, end);
    }
    for (enum run_state end = RUN_STARTED + 1; end < RUN_STATE_COUNT; end++)
        fixture_ok(store_finish_run(store, run, end, &error), &error);
    store_close(store);
}

static void test_contents_are_stored_once(void **state)
{
    (void)state;
    struct store *store = fixture_open(STORE_WRITE);
    struct error error;
    const struct build build = {.kernel = "kernel", .binary = "", .log = "", .marks = 0};
    const int64_t run = fixture_begin_run(store, 1);
    for (uint64_t i = 0; i < 3; i++) {
        const int64_t job = fixture_begin_job(store, run, "SB");
        fixture_ok(store_add_build(store, job, &build, &error), &error);
        fixture_ok(fixture_add(store, job, 0, 2, &error), &error);
    }
    struct store_job other = fixture_job(run, 7, "SB");
    int64_t id = 0;
    other.device.driver = "1.1";
    fixture_ok(store_begin_job(store, &other, &id, &error), &error);
    other.test.name = "SB-again";
    fixture_ok(store_begin_job(store, &other, &id, &error), &error);
    store_close(store);

    static const struct {
        const char *sql;
        int64_t rows;
    } expected[] = {
        {"SELECT count(*) FROM device", 1},         {"SELECT count(*) FROM driver", 2},
        {"SELECT count(*) FROM test", 2},           {"SELECT count(*) FROM environment", 1},
        {"SELECT count(*) FROM outcome", 3},        {"SELECT count(*) FROM content", 3}, /* test, kernel, empty */
        {"SELECT count(*) FROM outcome_count", 18}, {"SELECT count(DISTINCT job_uuid) FROM v_job", 5},
    };
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
        assert_int_equal(fixture_number(FIXTURE_DB, expected[i].sql), expected[i].rows);
    char text[HASH_HEX_SIZE], hash[HASH_HEX_SIZE];
    hash_hex("kernel", 6, hash);
    fixture_text(FIXTURE_DB, "SELECT hash FROM content WHERE text = 'kernel'", text, sizeof text);
    assert_string_equal(text, hash);
}

static void test_invalid_batches_are_in_no_sum(void **state)
{
    (void)state;
    struct store *store = fixture_open(STORE_WRITE);
    struct error error;
    struct fixture_batch sample;
    struct seen seen = {0}, histogram = {0};
    const int64_t run = fixture_begin_run(store, 1), job = fixture_begin_job(store, run, "SB");
    fixture_ok(fixture_add(store, job, 0, 1, &error), &error);
    fixture_batch(&sample, 1);
    sample.batch.invalid = "the stress did nothing";
    sample.outcomes[2].label = "[x]=9;";
    fixture_ok(store_add_batches(store, job, &sample.batch, 1, &error), &error);
    see_jobs(store, run, &seen);
    see_outcomes(store, job, &histogram);
    assert_int_equal(seen.job.batches, 1);
    assert_int_equal(seen.job.instances, 1505);
    assert_int_equal(seen.job.voids, 2);
    assert_int_equal(histogram.count, 3);
    assert_int_equal(histogram.outcomes[0].count, 1000);
    store_close(store);
    assert_int_equal(fixture_number(FIXTURE_DB, "SELECT invalid_batches FROM v_job"), 1);
    assert_int_equal(fixture_number(FIXTURE_DB, "SELECT sum(count) FROM v_void"), 2);
    assert_int_equal(fixture_number(FIXTURE_DB, "SELECT sum(instances) FROM v_batch"), 1505 + 1507);
    assert_int_equal(fixture_unequal_jobs(FIXTURE_DB), 0);
}

static void test_views_give_rates(void **state)
{
    (void)state;
    struct store *store = fixture_open(STORE_WRITE);
    struct error error;
    char text[128];
    const int64_t job = fixture_begin_job(store, fixture_begin_run(store, 1), "SB");
    fixture_ok(fixture_add(store, job, 0, 2, &error), &error);
    /* Without an end, the time is measured to the end of the last batch: it started at 0.5 s and took 0.25 s. */
    fixture_text(FIXTURE_DB, "SELECT printf('%g %g', seconds, instances_per_second) FROM v_job", text, sizeof text);
    assert_string_equal(text, "0.75 4016");
    fixture_ok(store_finish_job(store, job, JOB_COMPLETED, "", "", 2, &error), &error);
    fixture_text(FIXTURE_DB,
                 "SELECT printf('%g %g %g', seconds, instances_per_second, witnesses_per_second) FROM v_job", text,
                 sizeof text);
    assert_string_equal(text, "2 1506 3");
    fixture_text(FIXTURE_DB, "SELECT printf('%d of %d: %.6f', count, counted, rate) FROM v_outcome WHERE witness", text,
                 sizeof text);
    assert_string_equal(text, "6 of 3007: 0.001995");
    const int64_t unstarted = fixture_begin_job(store, 1, "SB");
    fixture_ok(store_finish_job(store, unstarted, JOB_NOT_RUN, "", "", 0, &error), &error);
    fixture_text(FIXTURE_DB,
                 "SELECT instances || ' ' || seconds || ' ' || (instances_per_second IS NULL) || marks "
                 "FROM v_job WHERE job = 2",
                 text, sizeof text);
    assert_string_equal(text, "0 0.0 1[]");
    store_close(store);
}

/* The first 64 bits of the hash that a draw has; 0 for a draw without one, or with something else in its place. */
static void test_hash_of_arguments_is_kept(void **state)
{
    (void)state;
#define REST "0123456789abcdef0123456789abcdef0123456789abcdef"
    static const struct {
        const char *draw;
        int64_t arguments;
    } rows[] = {{"{\"arguments_hash\": \"000000000000002a" REST "\"}", 42},
                {"{\"arguments_hash\": \"ffffffffffffffff" REST "\"}", -1},
                {"{\"arguments_hash\": \"2a\"}", 0},
                {"{\"arguments_hash\": 7}", 0},
                {"[]", 0},
                {"{}", 0}};
#undef REST
    struct error error = {0};
    struct store *store = fixture_open(STORE_WRITE);
    const int64_t job = fixture_begin_job(store, fixture_begin_run(store, 1), "SB");
    for (uint64_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct batch batch = {.number = i, .draw = rows[i].draw, .liveness = "{}"};
        fixture_ok(store_add_batches(store, job, &batch, 1, &error), &error);
    }
    store_close(store);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char sql[80];
        (void)snprintf(sql, sizeof sql, "SELECT arguments FROM v_batch WHERE batch = %zu", i);
        assert_int_equal(fixture_number(FIXTURE_DB, sql), rows[i].arguments);
    }
}

static void test_zero_counts_have_no_row(void **state)
{
    (void)state;
    struct store *store = fixture_open(STORE_WRITE);
    struct error error;
    const struct count outcomes[] = {{"a", 0, true}, {"b", 5, false}}, voids[] = {{"stale", 0, false}};
    const struct batch batch = {.draw = "{}",
                                .liveness = "{}",
                                .instances = 5,
                                .outcomes = outcomes,
                                .outcome_count = 2,
                                .voids = voids,
                                .void_count = 1};
    const int64_t job = fixture_begin_job(store, fixture_begin_run(store, 1), "SB");
    fixture_ok(store_add_batches(store, job, &batch, 1, &error), &error);
    fixture_ok(store_add_batches(store, job, NULL, 0, &error), &error);
    store_close(store);
    assert_int_equal(fixture_number(FIXTURE_DB, "SELECT count(*) FROM v_outcome"), 1);
    assert_int_equal(fixture_number(FIXTURE_DB, "SELECT count(*) FROM v_void"), 0);
}

static void test_check_finds_what_is_wrong(void **state)
{
    (void)state;
    struct store *store = fixture_open(STORE_WRITE);
    struct error error;
    struct text findings = {0};
    const int64_t job = fixture_begin_job(store, fixture_begin_run(store, 1), "SB");
    fixture_ok(fixture_add(store, job, 0, 2, &error), &error);
    store_close(store);
    fixture_sound(FIXTURE_DB);

    fixture_execute(FIXTURE_DB, "UPDATE batch SET instances = 1500 WHERE number = 1;"
                                "UPDATE content SET text = 'something else';"
                                "INSERT INTO void_count VALUES (77, 'stale', 1);"
                                "PRAGMA writable_schema = ON;"
                                "UPDATE sqlite_schema SET sql = 'CREATE INDEX job_by_key ON job (key) WHERE 0'"
                                " WHERE name = 'job_by_key'");
    fixture_execute(FIXTURE_DB, "UPDATE job SET key = 'another'; PRAGMA writable_schema = ON;"
                                "UPDATE sqlite_schema SET sql = 'CREATE INDEX job_by_key ON job (key)'"
                                " WHERE name = 'job_by_key'");
    store = fixture_open(STORE_READ);
    fixture_ok(store_check(store, &findings, &error), &error);
    assert_string_equal(
        text_string(&findings),
        "row 1 missing from index job_by_key\n"
        "a row of void_count refers to a row of batch that is not there\n"
        "batch 1 of job 1 does not add up: 1504 outcomes + 3 voids, but 1500 instances\n"
        "the text 3cdf44ba53eebcb5243f11df33ecc2a5ddf15652da9708457c0c80b69ceeea63 does not have that hash\n");
    text_release(&findings);
    store_close(store);
}

static void test_foreign_triggers_do_not_run(void **state)
{
    (void)state;
    struct store *store = fixture_open(STORE_WRITE);
    struct error error;
    const int64_t job = fixture_begin_job(store, fixture_begin_run(store, 1), "SB");
    fixture_execute(FIXTURE_DB, "CREATE TRIGGER hostile AFTER INSERT ON batch BEGIN UPDATE batch SET draw = '1'; END");
    fixture_ok(fixture_add(store, job, 0, 2, &error), &error);
    store_close(store);
    assert_int_equal(fixture_number(FIXTURE_DB, "SELECT count(*) FROM v_batch WHERE draw = '1'"), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_job_comes_back, fixture_enter, fixture_leave),
        cmocka_unit_test_setup_teardown(test_confounders_come_back, fixture_enter, fixture_leave),
        cmocka_unit_test_setup_teardown(test_what_became_of_the_test, fixture_enter, fixture_leave),
        cmocka_unit_test_setup_teardown(test_mark_of_launches, fixture_enter, fixture_leave),
        cmocka_unit_test_setup_teardown(test_refused_circumstances, fixture_enter, fixture_leave),
        cmocka_unit_test_setup_teardown(test_visits_stop_and_choose_the_run, fixture_enter, fixture_leave),
        cmocka_unit_test_setup_teardown(test_cursors_do_not_disturb_each_other, fixture_enter, fixture_leave),
        cmocka_unit_test_setup_teardown(test_a_failed_reading_says_so, fixture_enter, fixture_leave),
        cmocka_unit_test_setup_teardown(test_judgements_come_back, fixture_enter, fixture_leave),
        cmocka_unit_test_setup_teardown(test_extremes_come_back, fixture_enter, fixture_leave),
        cmocka_unit_test_setup_teardown(test_no_job_counts_too_far, fixture_enter, fixture_leave),
        cmocka_unit_test_setup_teardown(test_counts_that_pass_all_bounds_are_read, fixture_enter, fixture_leave),
        cmocka_unit_test_setup_teardown(test_what_does_not_add_up_is_refused, fixture_enter, fixture_leave),
        cmocka_unit_test_setup_teardown(test_contradictions_are_refused, fixture_enter, fixture_leave),
        cmocka_unit_test_setup_teardown(test_every_final_state_is_stored, fixture_enter, fixture_leave),
        cmocka_unit_test_setup_teardown(test_contents_are_stored_once, fixture_enter, fixture_leave),
        cmocka_unit_test_setup_teardown(test_invalid_batches_are_in_no_sum, fixture_enter, fixture_leave),
        cmocka_unit_test_setup_teardown(test_views_give_rates, fixture_enter, fixture_leave),
        cmocka_unit_test_setup_teardown(test_hash_of_arguments_is_kept, fixture_enter, fixture_leave),
        cmocka_unit_test_setup_teardown(test_zero_counts_have_no_row, fixture_enter, fixture_leave),
        cmocka_unit_test_setup_teardown(test_check_finds_what_is_wrong, fixture_enter, fixture_leave),
        cmocka_unit_test_setup_teardown(test_foreign_triggers_do_not_run, fixture_enter, fixture_leave),
    };
    return cmocka_run_group_tests_name("store", tests, NULL, NULL);
}
