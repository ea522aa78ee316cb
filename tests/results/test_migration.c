// SPDX-License-Identifier: Apache-2.0
/* Protects: a file of an older version is read without a change to it, a writer brings it to this version with all rows
 * and the user's views, and whatever fails on the way leaves it as it was. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "results/soundness.h"
#include "tests/results/fault_vfs.h"
#include "tests/results/fixture.h"

/* In place of results/migrations.sql, so that there is an older version whatever was released: 9, in which a job had
 * `why` for `reason` and a run had no `seed`. */
char migrations_text[8192];

#define OLD "old.db"
#define JOBS "SELECT group_concat(job || test || state || reason || seed || instances || voids || witnesses) FROM v_job"
#define ROWS "SELECT count(*) FROM mine JOIN (SELECT sum(count) FROM v_outcome) JOIN run USING (id)"

static void write_steps(const char *hash, const char *more)
{
    static char run[2048];
    if (!run[0]) /* what schema.sql says now */
        fixture_text(FIXTURE_DB, "SELECT sql FROM sqlite_schema WHERE name = 'run'", run, sizeof run);
    (void)snprintf(
        migrations_text, sizeof migrations_text,
        "-- first\n\n-- version 9 %s\nALTER TABLE job RENAME COLUMN why TO reason;\n"
        "ALTER TABLE run RENAME TO old_run;\n%s;\n"
        "INSERT INTO run SELECT id, uuid, tool_version, command_line, host, environment_variables, 1, state,\n"
        "started_at, finished_at FROM old_run;\nDROP TABLE old_run;\n%s\n-- version 10 0\n",
        hash, run, more);
}

static void copy_old(void)
{
    struct text bytes = {0};
    struct error error;
    (void)unlink(FIXTURE_DB "-journal");
    fixture_ok(file_read_whole(OLD, 1 << 26, &bytes, &error), &error);
    fixture_ok(file_write_whole(FIXTURE_DB, bytes.data, bytes.size, &error), &error);
    text_release(&bytes);
}

static bool is_old(void)
{
    struct text old = {0}, now = {0};
    struct error error;
    fixture_ok(file_read_whole(OLD, 1 << 26, &old, &error), &error);
    fixture_ok(file_read_whole(FIXTURE_DB, 1 << 26, &now, &error), &error);
    const bool same = old.size == now.size && memcmp(old.data, now.data, old.size) == 0;
    text_release(&old);
    text_release(&now);
    return same;
}

static char jobs[4096]; /* of version 10, before its file became an old one */

/* A file of version 9 with two runs, WAL, a view that uses one of orchil's, and a name that has to be quoted. */
static int make_old(void **state)
{
    if (fixture_enter(state) != 0)
        return -1;
    struct store *store = fixture_open(STORE_WRITE);
    struct error error;
    for (int i = 0; i < 2; i++) {
        const int64_t job = fixture_begin_job(store, fixture_begin_run(store, 1), i ? "SB" : "MP");
        fixture_ok(fixture_add(store, job, 0, FIXTURE_GROUP, &error), &error);
        fixture_ok(store_finish_job(store, job, JOB_HANG, "it hung", "", 1, &error), &error);
    }
    store_close(store);
    fixture_text(FIXTURE_DB, JOBS, jobs, sizeof jobs);
    write_steps("?", "");
    fixture_execute(FIXTURE_DB, "DROP VIEW v_job; DROP VIEW v_run; ALTER TABLE job RENAME COLUMN reason TO why;"
                                "ALTER TABLE run DROP COLUMN seed; PRAGMA user_version = 9;"
                                "CREATE VIEW mine AS SELECT job AS id FROM v_job;"
                                "CREATE VIEW \"my \"\"own\"\"\" AS SELECT 1; PRAGMA wal_checkpoint(TRUNCATE)");
    assert_int_equal(rename(FIXTURE_DB, OLD), 0);
    char folder[PATH_MAX];
    assert_int_equal(setenv("TMPDIR", getcwd(folder, sizeof folder), 1), 0);
    copy_old();
    assert_int_equal(store_open(FIXTURE_DB, STORE_READ, &store, &error), STATUS_DATABASE);
    assert_non_null(strstr(error.text, "results.db: its tables are not those of version 9 of the schema"));
    write_steps(error.detail, "");
    return 0;
}

static void expect_new(void)
{
    char now[sizeof jobs];
    fixture_text(FIXTURE_DB, JOBS, now, sizeof now);
    assert_string_equal(now, jobs);
    assert_int_equal(fixture_number(FIXTURE_DB, "PRAGMA user_version"), SCHEMA_VERSION);
    assert_int_equal(fixture_number(FIXTURE_DB, ROWS), 2);
    assert_int_equal(fixture_number(FIXTURE_DB, "SELECT * FROM \"my \"\"own\"\"\""), 1);
    fixture_sound(FIXTURE_DB);
}

/* How many folders are below TMPDIR. */
static int count_folders(void)
{
    return WEXITSTATUS(system("exit $(ls -d orchil-* 2>/dev/null | wc -l)"));
}

/* Reads the jobs as a verb does. */
static void expect_readable(enum store_mode mode)
{
    struct store *store = fixture_open(mode);
    struct store_cursor cursor;
    struct error error;
    int count = 0;
    store_query(store, STORE_JOBS, 0, &cursor, &error);
    for (; store_next(&cursor); count++)
        assert_string_equal(cursor.job.reason, "it hung");
    fixture_ok(store_end(&cursor, STATUS_OK), &error);
    assert_int_equal(count, 2);
    assert_int_equal(count_folders(), 1);
    int64_t run = 0;
    const struct store_run begun = {"0.1.0", "orchil", "host", "{}", 1, false};
    assert_int_equal(store_begin_run(store, &begun, &run, &error), STATUS_INTERNAL);
    store_close(store);
    assert_int_equal(count_folders(), 0);
    assert_true(is_old());
}

static void test_reading(void **state)
{
    (void)state;
    expect_readable(STORE_READ);
    expect_readable(STORE_RESUME);
    assert_int_equal(chmod(FIXTURE_DB, 0444), 0);
    expect_readable(STORE_READ);
    assert_int_equal(chmod(FIXTURE_DB, 0644), 0);
}

static void test_writing(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        struct store *store = fixture_open(STORE_WRITE);
        assert_string_equal(store_journal(store), "wal");
        store_close(store);
        expect_new();
    }
    struct store *store = fixture_open(STORE_RESUME);
    (void)fixture_begin_run(store, 1);
    store_close(store);
    assert_int_equal(count_folders(), 0);
}

/* An old file as the source of a merge, and as its target. */
static void test_merging(void **state)
{
    (void)state;
    const struct store_merge_options options = {.unfinished = true, .tool_version = "0", .host = "host"};
    for (int target = 0; target < 2; target++) {
        struct store *store = NULL;
        struct error error;
        struct store_merge_tally tally = {0};
        (void)unlink(FIXTURE_DB);
        if (target)
            copy_old();
        fixture_ok(store_open(FIXTURE_DB, STORE_WRITE, &store, &error), &error);
        fixture_ok(store_merge(store, OLD, &options, &tally, &error), &error);
        assert_int_equal(target ? tally.runs_same : tally.runs_new, 2);
        store_close(store);
        fixture_sound(FIXTURE_DB);
        assert_int_equal(fixture_number(FIXTURE_DB, "SELECT count(*) FROM v_job WHERE reason = 'it hung'"), 2);
        assert_int_equal(fixture_number(OLD, "PRAGMA user_version"), 9);
    }
}

/* A file that was changed, steps that fail, and steps that make something else: the file stays as it is. */
static void test_refusals(void **state)
{
    (void)state;
    char steps[sizeof migrations_text];
    static const struct {
        const char *change, *more, *text;
    } cases[] = {
        {"CREATE TABLE mine_too (text CHECK (text LIKE '%a%a%a%b'))", NULL, "are not those of version 9"},
        {"CREATE INDEX mine_too ON batch (hex(zeroblob(number)))", NULL, "are not those of version 9"},
        {NULL, "INSERT INTO nowhere VALUES (1);",
         "bringing it to version 10 of the schema failed: no such table: nowhere"},
        {NULL, "DROP INDEX job_by_key;", "has no index 'job_by_key'"},
        {NULL, "DELETE FROM run WHERE id = 2;", "is damaged"},
    };
    memcpy(steps, migrations_text, sizeof steps);
    for (size_t i = 0; i < COUNT(cases); i++) {
        copy_old();
        if (cases[i].change)
            fixture_execute(FIXTURE_DB, cases[i].change);
        if (cases[i].more)
            (void)snprintf(strstr(migrations_text, "\n-- version 10"), 200, "\n%s\n-- version 10 0\n", cases[i].more);
        for (int mode = 0; mode < 2; mode++) {
            struct store *store = NULL;
            struct error error = {.text = ""};
            assert_int_equal(store_open(FIXTURE_DB, mode ? STORE_WRITE : STORE_READ, &store, &error), STATUS_DATABASE);
            if (!strstr(error.text, cases[i].text))
                fail_msg("expected '%s', got '%s'", cases[i].text, error.text);
            assert_int_equal(fixture_number(FIXTURE_DB, "PRAGMA user_version"), 9);
            assert_int_equal(fixture_number(FIXTURE_DB, "SELECT count(*) FROM run"), 2);
        }
        memcpy(migrations_text, steps, sizeof steps);
    }
    copy_old();
}

/* Whichever write fails, at a bad sector or on a disk that stays full, the file is an old or a new one, and opens. */
static void test_faults(void **state)
{
    (void)state;
    struct fault_plan plan = {.failures = 1};
    for (int at = 1; plan.failures > 0; at++) {
        struct store *store = NULL;
        struct error error;
        copy_old();
        plan = (struct fault_plan){.fail_at = at, .full = at % 2, .lasting = at % 2};
        fault_begin(&plan);
        const enum status status = store_open(FIXTURE_DB, STORE_WRITE, &store, &error);
        store_close(store);
        fault_end();
        if (status != STATUS_OK)
            assert_non_null(strstr(error.text, plan.full ? "the disk is full" : "the disk reported an error"));
        store_close(fixture_open(STORE_WRITE));
        expect_new();
    }
    assert_true(plan.fail_at > 50);
}

/* Two processes that open it for writing at once: one brings it to this version, the other waits. */
static void test_two(void **state)
{
    (void)state;
    for (int i = 0; i < 2; i++) {
        copy_old();
        pid_t children[2];
        for (size_t k = 0; k < COUNT(children); k++) {
            children[k] = fork();
            if (children[k] == 0) {
                struct store *store = NULL;
                struct error error = {.text = ""};
                const enum status status = store_open(FIXTURE_DB, STORE_WRITE, &store, &error);
                if (status != STATUS_OK)
                    (void)fprintf(stderr, "%s\n", error.text);
                store_close(store);
                _exit(status != STATUS_OK);
            }
        }
        for (size_t k = 0; k < COUNT(children); k++) {
            int ended = -1;
            assert_int_equal(waitpid(children[k], &ended, 0), children[k]);
            assert_int_equal(ended, 0);
        }
        expect_new();
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_reading, make_old, fixture_leave),
        cmocka_unit_test_setup_teardown(test_writing, make_old, fixture_leave),
        cmocka_unit_test_setup_teardown(test_merging, make_old, fixture_leave),
        cmocka_unit_test_setup_teardown(test_refusals, make_old, fixture_leave),
        cmocka_unit_test_setup_teardown(test_faults, make_old, fixture_leave),
        cmocka_unit_test_setup_teardown(test_two, make_old, fixture_leave),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
