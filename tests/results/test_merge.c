// SPDX-License-Identifier: Apache-2.0
/* Protects: a merge copies every row and no row twice, updates a run, refuses what would spread damage, and is complete
 * wherever it was stopped. */
#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "results/sql.h"
#include "tests/results/fault_vfs.h"
#include "tests/results/fixture.h"

#ifndef ORCHIL_SOURCE_DIR
#define ORCHIL_SOURCE_DIR "."
#endif

#define INTO "into.db"

/* The contents of the published views, without what belongs to one file only. */
static const char *const portable_views[] = {
    "SELECT run_uuid, tool_version, command_line, host, environment_variables, seed, state, started_at, finished_at, jobs "
    "FROM v_run ORDER BY run_uuid",
    "SELECT job_uuid, run_uuid, test, dialect, test_hash, condition, backend, device, device_uuid, platform, driver, "
    "compiler, environment_hash, profile, seed, replicate, key, state, reason, controls, marks, batches, invalid_batches, "
    "instances, voids, witnesses, seconds, started_at, finished_at, forbidden, kernel_hash, kept, kept_reason FROM v_job ORDER BY job_uuid",
    "SELECT j.job_uuid, outcome, witness, count, counted, rate, source_model, source_verdict, target_model, "
    "target_verdict, axiom FROM v_outcome o JOIN v_job j ON j.job = o.job ORDER BY 1, 2, 3",
    "SELECT j.job_uuid, b.batch, b.valid, b.instances, b.voids, b.witnesses, b.started, b.seconds, b.draw, b.liveness "
    "FROM v_batch b JOIN v_job j ON j.job = b.job ORDER BY 1, 2",
    "SELECT j.job_uuid, v.reason, v.count FROM v_void v JOIN v_job j ON j.job = v.job ORDER BY 1, 2",
    "SELECT j.job_uuid, g.role, g.model, g.unjudged, g.complete, g.racy FROM v_judgement g JOIN v_job j ON j.job = g.job "
    "ORDER BY 1, 2",
    "SELECT j.uuid, k.text, d.text, l.text, b.seconds, b.resident_groups, b.marks, b.kept, b.kept_reason FROM build b JOIN job j ON j.id = "
    "b.job_id JOIN content k ON k.id = b.kernel_id JOIN content d ON d.id = b.binary_id JOIN content l ON l.id = b.log_id "
    "ORDER BY 1",
    "SELECT j.uuid, g.role, v.label, v.verdict, v.axiom FROM verdict v JOIN judgement g ON g.id = v.judgement_id "
    "JOIN job j ON j.id = g.job_id ORDER BY 1, 2, 3",
    "SELECT j.uuid, t.doc, c.text, e.text, d.vendor, d.architecture, d.gpu, d.compute_units, p.capabilities, j.detail, j.circumstances "
    "FROM job j JOIN test t ON t.id = j.test_id JOIN content c ON c.id = t.text_id JOIN environment e ON e.id = "
    "j.environment_id JOIN driver p ON p.id = j.driver_id JOIN device d ON d.id = p.device_id ORDER BY 1",
};

static void add_rows(sqlite3 *db, const char *sql, struct text *text)
{
    sqlite3_stmt *statement = NULL;
    if (sqlite3_prepare_v2(db, sql, -1, &statement, NULL) != SQLITE_OK)
        fail_msg("%s: %s", sql, sqlite3_errmsg(db));
    while (sqlite3_step(statement) == SQLITE_ROW) {
        for (int i = 0; i < sqlite3_column_count(statement); i++) {
            const unsigned char *cell = sqlite3_column_text(statement, i);
            text_add(text, "%s|", cell ? (const char *)cell : "NULL");
        }
        text_add(text, "\n");
    }
    if (sqlite3_finalize(statement) != SQLITE_OK)
        fail_msg("%s: %s", sql, sqlite3_errmsg(db));
}

static sqlite3 *connect(const char *path)
{
    sqlite3 *db = NULL;
    assert_int_equal(sqlite3_open_v2(path, &db, SQLITE_OPEN_READWRITE, NULL), SQLITE_OK);
    return db;
}

static void add_portable(const char *path, struct text *text)
{
    sqlite3 *db = connect(path);
    for (size_t i = 0; i < sizeof portable_views / sizeof *portable_views; i++)
        add_rows(db, portable_views[i], text);
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

/* Fails the test unless both files have the same contents in every view. */
static void expect_equal(const char *one, const char *other)
{
    struct text a = {0}, b = {0};
    add_portable(one, &a);
    add_portable(other, &b);
    assert_true(a.size > 0);
    if (strcmp(text_string(&a), text_string(&b)) != 0)
        fail_msg("%s:\n%s\n%s:\n%s", one, text_string(&a), other, text_string(&b));
    text_release(&a);
    text_release(&b);
}

/* The version, and every row of every table, including ids. */
static char *dump(const char *path)
{
    struct text names = {0}, text = {0};
    sqlite3 *db = connect(path);
    add_rows(db, "SELECT 'SELECT * FROM \"' || name || '\" ORDER BY 1, 2;' FROM sqlite_schema WHERE type = 'table'",
             &names);
    add_rows(db, "PRAGMA user_version", &text);
    for (char *at = (char *)(uintptr_t)text_string(&names); *at;) {
        const size_t size = strcspn(at, "|");
        at[size] = '\0';
        add_rows(db, at, &text);
        at += size + 2;
    }
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
    text_release(&names);
    assert_true(text.size > 0);
    return text_take(&text);
}

static const struct store_merge_options plain = {.tool_version = "9.9", .host = "merging host"};

static enum status merge(const char *from, const struct store_merge_options *options, struct store_merge_tally *tally,
                         struct error *error)
{
    struct store *into = NULL;
    *tally = (struct store_merge_tally){0};
    TRY(store_open(INTO, STORE_WRITE, &into, error));
    const enum status status = store_merge(into, from, options, tally, error);
    store_close(into);
    return status;
}

/* Merges, and expects this tally: new, grown and same runs, new jobs and batches. */
static void expect_merge(const char *from, const struct store_merge_options *options, const char *expected)
{
    struct store_merge_tally tally;
    struct error error;
    char found[64];
    fixture_ok(merge(from, options, &tally, &error), &error);
    (void)snprintf(found, sizeof found, "%d+%d+%d %d/%d", (int)tally.runs_new, (int)tally.runs_grown,
                   (int)tally.runs_same, (int)tally.jobs, (int)tally.batches);
    assert_string_equal(found, expected);
    fixture_sound(INTO);
}

static void expect_refusal(const char *from, const struct store_merge_options *options, enum status status,
                           const char *text)
{
    struct store_merge_tally tally;
    struct error error;
    char *before = access(INTO, F_OK) == 0 ? dump(INTO) : NULL;
    const enum status found = merge(from, options, &tally, &error);
    assert_string_equal(found == STATUS_OK ? "(merged)" : error.text, text);
    assert_int_equal(found, status);
    char *after = dump(INTO);
    if (before)
        assert_string_equal(before, after);
    free(before);
    free(after);
}

static struct store *open_file(const char *path)
{
    struct store *store = NULL;
    struct error error;
    fixture_ok(store_open(path, STORE_WRITE, &store, &error), &error);
    return store;
}

/* A job with everything that a job can have, not yet ended. */
static int64_t add_job(struct store *store, int64_t run, const char *test, const char *key, uint64_t batches)
{
    struct store_job job = fixture_job(run, 7, test);
    const struct build build = {"kernel text",      "binary",         "log", 0.5, 16, MARK_UNDECLARED, "",
                                TEST_NOT_INSPECTED, "no disassembler"};
    const struct store_judgement source = fixture_judgement("source"), target = fixture_judgement("target");
    struct error error;
    int64_t id = 0;
    job.key = key;
    fixture_ok(store_begin_job(store, &job, &id, &error), &error);
    fixture_ok(store_add_build(store, id, &build, &error), &error);
    fixture_ok(store_put_judgement(store, id, &source, &error), &error);
    fixture_ok(store_put_judgement(store, id, &target, &error), &error);
    fixture_ok(store_put_circumstances(store, id, "{\"sm_clock_mhz\":1980}", &error), &error);
    for (uint64_t i = 0; i < batches; i++)
        fixture_ok(fixture_add(store, id, i, 1, &error), &error);
    return id;
}

static void finish(struct store *store, int64_t run, int64_t job, enum job_state state)
{
    struct error error;
    if (job)
        fixture_ok(store_finish_job(store, job, state, "why", "detail", 2, &error), &error);
    if (run)
        fixture_ok(store_finish_run(store, run, state == JOB_COMPLETED ? RUN_COMPLETED : RUN_INTERRUPTED, &error),
                   &error);
}

/* A file with one completed run that has one job, with that key. */
static void make_file(const char *path, uint64_t seed, const char *test, const char *key)
{
    struct store *store = open_file(path);
    const int64_t run = fixture_begin_run(store, seed);
    finish(store, run, add_job(store, run, test, key, 3), JOB_COMPLETED);
    store_close(store);
}

static void copy(const char *from, const char *to)
{
    char sql[128];
    (void)snprintf(sql, sizeof sql, "VACUUM INTO '%s'", to);
    fixture_execute(from, sql);
}

static void test_a_merge_brings_everything_once(void **state)
{
    (void)state;
    make_file("a.db", 1, "SB", "aa");
    make_file("a.db", 2, "MP", "bb");
    make_file("b.db", 3, "MP", "cc"); /* a test, a device, an environment and texts that a.db also has */
    expect_merge("a.db", &plain, "2+0+0 2/6");
    expect_equal("a.db", INTO);
    char *once = dump(INTO);
    expect_merge("a.db", &plain, "0+0+2 0/0");
    char *twice = dump(INTO);
    assert_string_equal(once, twice);
    expect_merge("b.db", &plain, "1+0+0 1/3");
    assert_int_equal(fixture_number(INTO, "SELECT count(*) FROM device"), 1);
    assert_int_equal(fixture_number(INTO, "SELECT count(*) FROM test"), 2);
    assert_int_equal(fixture_number(INTO, "SELECT count(*) FROM content"), 4);
    assert_int_equal(fixture_number(INTO, "SELECT count(*) FROM outcome"), 6);

    /* The result is the same in any order, and through a third file. */
    assert_int_equal(rename(INTO, "ab.db"), 0);
    expect_merge("b.db", &plain, "1+0+0 1/3");
    expect_merge("a.db", &plain, "2+0+0 2/6");
    expect_equal("ab.db", INTO);
    expect_merge("ab.db", &plain, "0+0+3 0/0");
    assert_int_equal(unlink(INTO), 0);
    expect_merge("ab.db", &plain, "3+0+0 3/9");
    expect_equal("ab.db", INTO);
    free(once);
    free(twice);
}

static void test_provenance_is_kept(void **state)
{
    (void)state;
    char text[512], here[256];
    assert_non_null(getcwd(here, sizeof here));
    make_file("a.db", 1, "SB", "aa");
    expect_merge("a.db", &plain, "1+0+0 1/3");
    assert_int_equal(rename(INTO, "middle.db"), 0);
    expect_merge("middle.db", &plain, "1+0+0 1/3");
    assert_int_equal(fixture_number(INTO, "SELECT count(*) FROM v_merge WHERE tool_version = '9.9' AND host = "
                                          "'merging host' AND jobs = 1 AND batches = 3 AND left_out = '[]' "
                                          "AND merged_at LIKE '20__-__-__T%Z'"),
                     2);
    fixture_text(INTO, "SELECT group_concat(source, ' ') FROM (SELECT source FROM v_merge ORDER BY source)", text,
                 sizeof text);
    char expected[600];
    (void)snprintf(expected, sizeof expected, "%s/a.db %s/middle.db", here, here);
    assert_string_equal(text, expected);
}

static void test_one_run_is_chosen(void **state)
{
    (void)state;
    const int64_t second = 2, none = 7;
    struct store_merge_options options = plain;
    options.runs = &second;
    options.run_count = 1;
    make_file("a.db", 1, "SB", "aa");
    make_file("a.db", 2, "MP", "bb");
    expect_merge("a.db", &options, "1+0+0 1/3");
    assert_int_equal(fixture_number(INTO, "SELECT seed FROM v_run"), 2);
    options.runs = &none;
    expect_refusal("a.db", &options, STATUS_USAGE, "a.db: there is no run 7; the last one is 2");
    expect_merge("a.db", &plain, "1+0+1 1/3");
}

static void test_a_run_that_grew_is_brought_up_to_date(void **state)
{
    (void)state;
    struct store_merge_options options = plain;
    struct error error;
    struct store *store = open_file("a.db");
    const int64_t run = fixture_begin_run(store, 1);
    const int64_t job = add_job(store, run, "SB", "aa", 2);
    copy("a.db", "early.db");
    expect_refusal("a.db", &plain, STATUS_USAGE,
                   "a.db: run 1 has not ended, or was killed: wait for it, or use --unfinished to merge what it has");
    options.unfinished = true;
    expect_merge("a.db", &options, "1+0+0 1/2");
    assert_int_equal(fixture_number(INTO, "SELECT count(*) FROM v_job WHERE state = 'started' AND batches = 2"), 1);

    fixture_ok(fixture_add(store, job, 2, 1, &error), &error);
    expect_merge("a.db", &options, "0+1+0 0/1");
    finish(store, 0, job, JOB_COMPLETED);
    finish(store, run, add_job(store, run, "MP", "bb", 1), JOB_COMPLETED);
    store_close(store);
    expect_merge("a.db", &plain, "0+1+0 1/1");
    expect_equal("a.db", INTO);
    expect_merge("a.db", &plain, "0+0+1 0/0");
    expect_merge("early.db", &options, "0+0+1 0/0"); /* an older copy */
    expect_equal("a.db", INTO);
}

/* Resumes an interrupted run: another driver, another verdict of the model, one more batch, a final state. */
static void resume(const char *path, const char *driver)
{
    const struct store_run by = {"0.2.0", "orchil run --resume 1", "elsewhere", "{}", 0, false};
    struct store *store = open_file(path);
    struct store_job job = fixture_job(1, 7, "SB");
    struct store_judgement judgement = fixture_judgement("source");
    struct error error;
    job.device.driver = driver;
    judgement.verdict_count = 1;
    fixture_ok(store_resume_run(store, 1, &by, &error), &error);
    fixture_ok(store_resume_job(store, 1, &job.device, &error), &error);
    fixture_ok(store_put_judgement(store, 1, &judgement, &error), &error);
    fixture_ok(store_change_kept(store, 1, TEST_NOT_KEPT, "a fence is missing", &error), &error);
    fixture_ok(fixture_add(store, 1, 2, 1, &error), &error);
    fixture_ok(store_put_circumstances(store, 1, "{\"sm_clock_mhz\":1200}", &error), &error);
    finish(store, 1, 1, JOB_COMPLETED);
    store_close(store);
}

static void test_a_resumed_run_is_brought_up_to_date(void **state)
{
    (void)state;
    struct store *store = open_file("a.db");
    const int64_t run = fixture_begin_run(store, 1);
    finish(store, run, add_job(store, run, "SB", "aa", 2), JOB_INTERRUPTED);
    store_close(store);
    expect_merge("a.db", &plain, "1+0+0 1/2");
    copy("a.db", "stopped.db");
    resume("a.db", "1.1");
    expect_merge("a.db", &plain, "0+1+0 0/1");
    expect_equal("a.db", INTO);
    assert_int_equal(fixture_number(INTO, "SELECT count(*) FROM v_job WHERE driver = '1.1' AND state = 'completed'"),
                     1);
    assert_int_equal(fixture_number(INTO, "SELECT count(*) FROM v_resumption WHERE host = 'elsewhere'"), 1);
    assert_int_equal(fixture_number(INTO, "SELECT circumstances = '{\"sm_clock_mhz\":1200}' FROM v_job"), 1);
    assert_int_equal(fixture_number(INTO, "SELECT kept = 'not-kept' AND kept_reason = 'a fence is missing' FROM v_job"),
                     1);
    expect_merge("stopped.db", &plain, "0+0+1 0/0");
    expect_merge("a.db", &plain, "0+0+1 0/0");
    expect_equal("a.db", INTO);
}

static void test_two_continuations_of_one_job_are_refused(void **state)
{
    (void)state;
    struct store *store = open_file("a.db");
    const int64_t run = fixture_begin_run(store, 1);
    finish(store, run, add_job(store, run, "SB", "aa", 2), JOB_INTERRUPTED);
    store_close(store);
    copy("a.db", "b.db");
    resume("a.db", "1.1");
    resume("b.db", "1.1");
    fixture_execute("b.db", "UPDATE batch SET started = 77 WHERE number = 2");
    expect_merge("a.db", &plain, "1+0+0 1/3");
    expect_refusal(
        "b.db", &plain, STATUS_DATABASE,
        "b.db: batch 2 of job 1 differs from the same batch of job 1 in into.db: the job was resumed in two copies of a database, and only one of them can be merged");
    expect_equal("a.db", INTO);
    fixture_execute("b.db", "UPDATE job SET key = 'other'");
    expect_refusal("b.db", &plain, STATUS_DATABASE,
                   "b.db: job 1 has the UUID of another job, 1 of into.db: one of them was changed");
}

static void test_the_file_itself_is_refused(void **state)
{
    (void)state;
    make_file(INTO, 1, "SB", "aa");
    assert_int_equal(symlink(INTO, "symbolic.db") | link(INTO, "hard.db"), 0);
    expect_refusal(INTO, &plain, STATUS_USAGE, "into.db: is the target of the merge");
    expect_refusal("./into.db", &plain, STATUS_USAGE, "./into.db: is the target of the merge");
    expect_refusal("symbolic.db", &plain, STATUS_USAGE, "symbolic.db: is the target of the merge");
    expect_refusal("hard.db", &plain, STATUS_USAGE, "hard.db: is the target of the merge");
}

static void test_what_opening_refuses_is_refused(void **state)
{
    (void)state;
    make_file("newer.db", 1, "SB", "aa");
    fixture_execute("newer.db", "PRAGMA user_version = 1000");
    FILE *text = fopen("text.db", "w");
    assert_non_null(text);
    assert_true(fputs("This is a text that is a little longer than the header of a database, so that the header can be "
                      "read and seen to be none at all.\n",
                      text) >= 0);
    assert_int_equal(fclose(text), 0);
    expect_refusal("newer.db", &plain, STATUS_UNREADABLE,
                   "newer.db: was written by a newer orchil (its schema is version 1000, this orchil's is 10): "
                   "update orchil, or name another file");
    make_file("older.db", 1, "SB", "aa");
    fixture_execute("older.db", "PRAGMA user_version = 4");
    expect_refusal("older.db", &plain, STATUS_UNREADABLE,
                   "older.db: was written by an older orchil (its schema is version 4, this orchil's is 10): "
                   "read it with the orchil that wrote it, or name another file");
    expect_refusal("text.db", &plain, STATUS_UNREADABLE, "text.db: is not a SQLite database; name another file");
    expect_refusal("missing.db", &plain, STATUS_UNREADABLE, "missing.db: cannot be opened: No such file or directory");
    assert_int_not_equal(access("missing.db", F_OK), 0);
}

static void test_damage_does_not_spread(void **state)
{
    (void)state;
    static const struct {
        const char *damage, *text;
    } cases[] = {
        {"UPDATE outcome_count SET count = count + 1 WHERE batch_id = 2",
         "damaged.db: is damaged: a batch of job 1 does not add up"},
        {"UPDATE content SET text = 'kernel texT' WHERE text = 'kernel text'",
         "damaged.db: is damaged: the text [hash] does not have that hash"},
        {"UPDATE environment SET text = '{}'", "damaged.db: an environment has the hash of another one in 'into.db'"},
        {"DROP VIEW v_outcome; DROP VIEW v_job; DROP TABLE void_count",
         "damaged.db: is damaged: it has no table 'void_count'; name another file"},
        {"DROP VIEW v_outcome; DROP VIEW v_job; DROP VIEW v_void; DROP VIEW v_batch; DROP TABLE void_count; "
         "CREATE VIEW void_count AS SELECT id AS batch_id, 'gave_up' AS reason, 1 AS count FROM batch",
         "damaged.db: is damaged: it has no view 'v_batch'; name another file"},
        {"DELETE FROM outcome_count; DELETE FROM void_count; UPDATE batch SET instances = 1 << 61; "
         "INSERT INTO outcome_count SELECT id, 1, 1 << 61 FROM batch",
         "damaged.db: is damaged: job 1 has more than 2^60 instances"},
        {"DELETE FROM outcome_count; DELETE FROM void_count; UPDATE batch SET instances = 9223372036854775807; "
         "INSERT INTO outcome_count SELECT id, 1, 9223372036854775807 FROM batch",
         "damaged.db: is damaged: job 1 has more than 2^60 instances"},
    };
    make_file("a.db", 1, "SB", "aa");
    make_file("good.db", 2, "SB", "bb");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char hash[65], expected[256] = "";
        const char *mark = strstr(cases[i].text, "[hash]");
        (void)unlink(INTO);
        (void)unlink("damaged.db");
        copy("a.db", "damaged.db");
        fixture_text("a.db", "SELECT hash FROM content WHERE text = 'kernel text'", hash, sizeof hash);
        fixture_execute("damaged.db", cases[i].damage);
        if (strstr(cases[i].text, INTO))
            expect_merge("good.db", &plain, "1+0+0 1/3");
        (void)snprintf(expected, sizeof expected, "%.*s%s%s", mark ? (int)(mark - cases[i].text) : 200, cases[i].text,
                       mark ? hash : "", mark ? mark + strlen("[hash]") : "");
        expect_refusal("damaged.db", &plain, STATUS_DATABASE, expected);
    }
}

/* A merge reads much of its target, and cannot find a run in one that has lost a page. */
static void test_damaged_target_is_refused(void **state)
{
    (void)state;
    make_file("a.db", 1, "SB", "aa");
    make_file("b.db", 2, "SB", "bb");
    expect_merge("a.db", &plain, "1+0+0 1/3");
    fixture_execute(INTO, "PRAGMA journal_mode = DELETE");
    /* A page of an index to which this merge writes nothing. */
    const int64_t page = fixture_number(INTO, "SELECT rootpage FROM sqlite_schema WHERE name = 'resumption_of_run'");
    static const char zeros[4096];
    const int file = open(INTO, O_WRONLY | O_CLOEXEC);
    assert_int_equal(pwrite(file, zeros, sizeof zeros, (page - 1) * 4096), sizeof zeros);
    assert_int_equal(close(file), 0);
    expect_refusal("b.db", &plain, STATUS_DATABASE,
                   "into.db: is damaged; save what sqlite3's .recover reads from it, and name another file");
}

/* Each of two copies of a job has the most instances that a job can have. */
static void test_copies_do_not_count_too_far(void **state)
{
    (void)state;
    make_file("a.db", 1, "SB", "aa");
    fixture_execute("a.db", "DELETE FROM outcome_count; DELETE FROM void_count; DELETE FROM batch WHERE id > 1; "
                            "UPDATE batch SET instances = 1 << 60; INSERT INTO outcome_count VALUES (1, 1, 1 << 60)");
    copy("a.db", "b.db");
    fixture_execute("b.db", "UPDATE batch SET number = 77");
    expect_merge("a.db", &plain, "1+0+0 1/1");
    expect_refusal("b.db", &plain, STATUS_DATABASE,
                   "b.db: with it, job 1 of into.db would have more than 2^60 instances");
}

static void test_large_texts_can_be_left_out(void **state)
{
    (void)state;
    struct store_merge_options options = plain;
    char hash[HASH_HEX_SIZE], kept[HASH_HEX_SIZE];
    options.leave_out = STORE_LEAVE_KERNELS | STORE_LEAVE_BINARIES | STORE_LEAVE_LOGS | STORE_LEAVE_DRAWS;
    make_file("a.db", 1, "SB", "aa");
    fixture_execute("a.db", "UPDATE batch SET arguments = -7 - number");
    expect_merge("a.db", &options, "1+0+0 1/3");
    assert_int_equal(fixture_number(INTO, "SELECT sum(arguments = -7 - batch) FROM v_batch"), 3);
    assert_int_equal(fixture_number(INTO, "SELECT count(*) FROM content"), 2); /* the test's text, and the empty text */
    assert_int_equal(fixture_number(INTO, "SELECT count(*) FROM v_batch WHERE draw = '{}'"), 3);
    hash_hex("kernel text", strlen("kernel text"), hash); /* a baseline can still show whether the kernel has changed */
    fixture_text(INTO, "SELECT kernel_hash FROM v_job", kept, sizeof kept);
    assert_string_equal(kept, hash);
    assert_int_equal(fixture_number(INTO, "SELECT sum(instances) FROM v_job"),
                     fixture_number("a.db", "SELECT sum(instances) FROM v_job"));
    assert_int_equal(fixture_number(INTO, "SELECT count(*) FROM v_merge WHERE left_out = "
                                          "'[\"kernels\",\"binaries\",\"logs\",\"draws\"]'"),
                     1);
    expect_merge("a.db", &options, "0+0+1 0/0");
    options.leave_out = STORE_LEAVE_BINARIES;
    expect_merge("a.db", &options, "0+1+0 0/0"); /* everything except the binary is filled in */
    assert_int_equal(fixture_number(INTO, "SELECT count(*) FROM content"), 4);
    expect_merge("a.db", &plain, "0+1+0 0/0");
    expect_equal("a.db", INTO);
    options.leave_out = STORE_LEAVE_KERNELS;
    expect_merge("a.db", &options, "0+0+1 0/0"); /* existing texts stay */
    expect_equal("a.db", INTO);
}

/* ---- shards ---- */

static const char *const shard_keys[] = {"aa", "bb", "cc", "dd"};
enum { SHARDS = sizeof shard_keys / sizeof *shard_keys };

static void make_shards(void)
{
    char name[32];
    for (int i = 0; i < SHARDS; i++) {
        (void)snprintf(name, sizeof name, "shard%d.db", i);
        make_file(name, 5, "SB", shard_keys[i]);
    }
}

static void test_shards_become_one_run(void **state)
{
    (void)state;
    int64_t one = 0;
    struct store_merge_options options = plain;
    options.one_run = &one;
    make_shards();
    expect_merge("shard1.db", &options, "1+0+0 1/3");
    assert_int_equal(one, 1);
    expect_merge("shard2.db", &options, "1+0+0 1/3");
    expect_merge("shard2.db", &options, "0+0+1 0/0");
    assert_int_equal(fixture_number(INTO, "SELECT count(*) FROM v_run"), 1);
    assert_int_equal(fixture_number(INTO, "SELECT count(*) FROM v_job WHERE run = 1"), 2);
    assert_int_equal(fixture_number(INTO, "SELECT count(*) FROM v_part WHERE run = 1"), 2);

    /* Another day: any of the shards identifies the run, even one that is a part. */
    struct store *into = open_file(INTO);
    struct error error;
    one = 7;
    fixture_ok(store_merge_find(into, "shard0.db", &options, &one, &error), &error);
    assert_int_equal(one, 0);
    fixture_ok(store_merge_find(into, "shard2.db", &options, &one, &error), &error);
    assert_int_equal(one, 1);
    store_close(into);
    expect_merge("shard0.db", &options, "1+0+0 1/3");
    expect_merge("shard3.db", &options, "1+0+0 1/3");
    assert_int_equal(fixture_number(INTO, "SELECT jobs FROM v_run WHERE state = 'completed'"), 4);
    assert_int_equal(fixture_number(INTO, "SELECT r.started_at = min(p.started_at) AND r.finished_at = "
                                          "max(p.finished_at) FROM v_run r, v_part p"),
                     1);
    expect_merge("shard2.db", &plain, "0+0+1 0/0"); /* a part is recognised without the option, too */

    /* The run is merged elsewhere with its parts, and is recognised there by them. */
    assert_int_equal(rename(INTO, "all.db"), 0);
    expect_merge("all.db", &plain, "1+0+0 4/12");
    expect_equal("all.db", INTO);
    assert_int_equal(fixture_number(INTO, "SELECT count(*) FROM v_part"), 4);
    expect_merge("shard3.db", &plain, "0+0+1 0/0");
}

static void test_what_are_no_shards_is_refused(void **state)
{
    (void)state;
    int64_t one = 0;
    struct store_merge_options options = plain;
    options.one_run = &one;
    make_shards();
    make_file("seed.db", 6, "SB", "ee");
    make_file("twin.db", 5, "SB", "aa");
    expect_merge("shard0.db", &options, "1+0+0 1/3");
    expect_refusal(
        "seed.db", &options, STATUS_USAGE,
        "seed.db: run 1 and run 1 of into.db have different seeds or versions of orchil, so they are not shards of one run");
    expect_refusal("twin.db", &options, STATUS_USAGE,
                   "twin.db: two of the runs have the same test on the same device, so they are not shards of one run");
    expect_merge("shard1.db", &plain, "1+0+0 1/3"); /* stays a separate run */
    expect_refusal(
        "shard1.db", &options, STATUS_USAGE,
        "shard1.db: run 1 was merged before as run 2 of into.db, and the others as run 1: they cannot become one run");
}

static void test_a_resumed_shard_counts(void **state)
{
    (void)state;
    int64_t one = 0;
    struct store_merge_options options = plain;
    options.one_run = &one;
    struct store *store = open_file("a.db");
    const int64_t run = fixture_begin_run(store, 5);
    finish(store, run, add_job(store, run, "SB", "zz", 2), JOB_INTERRUPTED);
    store_close(store);
    make_shards();
    expect_merge("a.db", &options, "1+0+0 1/2");
    expect_merge("shard0.db", &options, "1+0+0 1/3");
    assert_int_equal(fixture_number(INTO, "SELECT state = 'interrupted' FROM v_run"), 1);
    resume("a.db", "1.0");
    expect_merge("a.db", &options, "0+1+0 0/1");
    assert_int_equal(fixture_number(INTO, "SELECT state = 'completed' FROM v_run"), 1);
    assert_int_equal(fixture_number(INTO, "SELECT count(*) FROM v_part WHERE state = 'completed'"), 2);
}

/* ---- faults ---- */

/* Whichever change of the target fails, it contains whole runs, and repeating the merge completes it. */
static void test_a_merge_that_fails_can_be_repeated(void **state)
{
    (void)state;
    int failures = 0, partial = 0;
    for (int i = 0; i < 3; i++)
        make_file("a.db", (uint64_t)i + 1, "SB", shard_keys[i]);
    for (int fail_at = 1;; fail_at++) {
        struct fault_plan plan = {.fail_at = fail_at, .lasting = true, .full = fail_at % 2 == 0};
        struct store_merge_tally tally;
        struct error error;
        (void)unlink(INTO);
        (void)unlink(INTO "-wal");
        (void)unlink(INTO "-shm");
        store_close(open_file(INTO));
        fault_begin(&plan);
        const enum status status = merge("a.db", &plain, &tally, &error);
        fault_end();
        if (plan.failures == 0)
            break;
        failures++;
        assert_true(status == STATUS_DATABASE ||
                    status == STATUS_OK); /* after the last commit a failure loses nothing */
        store_close(open_file(INTO));
        fixture_sound(INTO);
        partial += fixture_number(INTO, "SELECT count(*) BETWEEN 1 AND 2 FROM v_run") == 1;
        assert_int_equal(fixture_number(INTO, "SELECT count(*) FROM v_run WHERE jobs <> 1"), 0);
        assert_int_equal(fixture_number(INTO, "SELECT count(*) FROM v_job WHERE batches <> 3"), 0);
        fixture_ok(merge("a.db", &plain, &tally, &error), &error);
        expect_equal("a.db", INTO);
    }
    assert_true(failures > 10);
    assert_true(partial > 0);
}

/* ---- the schema ---- */

/* merge.sql names the columns that it copies: extend it for a new column or table, then add it here. */
static void test_the_merge_knows_the_schema(void **state)
{
    (void)state;
    struct text found = {0};
    make_file("a.db", 1, "SB", "aa");
    sqlite3 *db = connect("a.db");
    add_rows(db,
             "SELECT s.name, (SELECT group_concat(c.name, ' ') FROM pragma_table_info(s.name) c) "
             "FROM sqlite_schema s WHERE s.type = 'table' ORDER BY s.name",
             &found);
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
    assert_string_equal(
        text_string(&found),
        "batch|id job_id number draw arguments instances seconds started valid liveness invalid|\n"
        "build|job_id kernel_id kernel_hash binary_id log_id seconds resident_groups marks kept kept_reason|\n"
        "content|id hash text|\n"
        "device|id uuid name vendor architecture gpu compute_units|\n"
        "driver|id device_id backend platform version compiler capabilities|\n"
        "environment|id hash text|\n"
        "job|id uuid run_id driver_id test_id environment_id profile key seed replicate controls lowering target_instances "
        "batch_instances state reason detail seconds started_at finished_at circumstances|\n"
        "judgement|id job_id role model model_hash mapping unjudged cut racy|\n"
        "merge|id run_id source host tool_version merged_at jobs batches left_out|\n"
        "outcome|id test_id label witness|\n"
        "outcome_count|batch_id outcome_id count|\n"
        "part|id run_id uuid tool_version command_line host environment_variables seed state started_at "
        "finished_at|\n"
        "plan|run_id options|\n"
        "planned_job|run_id number device_group control test_id environment_id profile lowering file target_instances "
        "batch_instances resident_limit seconds_limit job_id|\n"
        "resumption|id run_id tool_version command_line host environment_variables started_at|\n"
        "run|id uuid tool_version command_line host environment_variables seed state started_at finished_at|\n"
        "test|id hash dialect name text_id condition doc|\n"
        "verdict|judgement_id label verdict axiom|\n"
        "void_count|batch_id reason count|\n");
    text_release(&found);
}

int main(void)
{
#define TEST(function) cmocka_unit_test_setup_teardown(function, fixture_enter, fixture_leave)
    const struct CMUnitTest tests[] = {
        TEST(test_a_merge_brings_everything_once),
        TEST(test_provenance_is_kept),
        TEST(test_one_run_is_chosen),
        TEST(test_a_run_that_grew_is_brought_up_to_date),
        TEST(test_a_resumed_run_is_brought_up_to_date),
        TEST(test_two_continuations_of_one_job_are_refused),
        TEST(test_the_file_itself_is_refused),
        TEST(test_what_opening_refuses_is_refused),
        TEST(test_damage_does_not_spread),
        TEST(test_damaged_target_is_refused),
        TEST(test_copies_do_not_count_too_far),
        TEST(test_large_texts_can_be_left_out),
        TEST(test_shards_become_one_run),
        TEST(test_what_are_no_shards_is_refused),
        TEST(test_a_resumed_shard_counts),
        TEST(test_a_merge_that_fails_can_be_repeated),
        TEST(test_the_merge_knows_the_schema),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
