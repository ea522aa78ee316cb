// SPDX-License-Identifier: Apache-2.0
/* Protects: whatever a column of a changed file holds, a reader gets a row that keeps the promises of results.h, or an
 * error that names the file and the column; and a merge copies nothing that a reader would refuse. */
#include <stdio.h>
#include <string.h>

#include "tests/results/fixture.h"

/* A run with a job that has a build, batches and judgements, and with a plan. */
static void make(const char *path)
{
    struct store *store = NULL;
    struct error error = {0};
    struct store_judgement judgement = fixture_judgement("source");
    fixture_ok(store_open(path, STORE_WRITE, &store, &error), &error);
    const int64_t run = fixture_begin_run(store, 7);
    const struct store_job like = fixture_job(run, 7, "SB+relaxed");
    const struct store_planned planned = {.test = like.test, .file = "sb.litmus", .environment = like.environment};
    fixture_ok(store_add_plan(store, run, "{}", &planned, 1, &error), &error);
    const int64_t job = fixture_begin_job(store, run, "SB+relaxed");
    fixture_ok(fixture_add(store, job, 0, FIXTURE_GROUP, &error), &error);
    fixture_ok(store_put_judgement(store, job, &judgement, &error), &error);
    fixture_ok(store_finish_job(store, job, JOB_COMPLETED, "", "", 1.0, &error), &error);
    fixture_ok(store_finish_run(store, run, RUN_COMPLETED, &error), &error);
    store_close(store);
    fixture_execute(path, "PRAGMA journal_mode = DELETE");
}

/* Opens the file and reads all rows of a kind. */
static enum status read_rows(const char *path, enum store_mode mode, enum store_what what, struct error *error)
{
    struct store *store = NULL;
    struct store_cursor rows;
    enum status status = store_open(path, mode, &store, error);
    if (status == STATUS_OK) {
        store_query(store, what, what == STORE_RUNS || what == STORE_JOBS ? 0 : 1, &rows, error);
        while (store_next(&rows))
            continue;
        status = store_end(&rows, STATUS_OK);
    }
    store_close(store);
    return status;
}

static void expect_refused(enum status status, const struct error *error, const char *words)
{
    assert_int_equal(status, STATUS_DATABASE);
    assert_non_null(strstr(error->text, FIXTURE_DB));
    if (!strstr(error->detail, words))
        fail_msg("expected '%s' in: %s", words, error->detail);
}

/* Damage that quick_check does not find. */
static const struct damage {
    const char *sql;
    enum store_what what;
    const char *words;
} damages[] = {
    {"UPDATE run SET host = 'a' || char(0) || 'b'", STORE_RUNS, "'host' is a text with a NUL in it"},
    {"UPDATE test SET name = CAST(x'61ff' AS TEXT)", STORE_JOBS, "'test' is a text that is not UTF-8"},
    {"UPDATE test SET name = CAST(x'eda080' AS TEXT)", STORE_JOBS, "'test' is a text that is not UTF-8"},
    {"UPDATE device SET compute_units = 4294967296", STORE_FACTS, "'compute_units' is a number out of range"},
    {"UPDATE judgement SET mapping = 1 << 40", STORE_VERDICTS, "'mapping' is a number out of range"},
    {"UPDATE batch SET seconds = 9e999", STORE_BATCHES, "'seconds' is a number that is not finite"},
    {"PRAGMA foreign_keys = OFF; UPDATE outcome_count SET outcome_id = 99 WHERE outcome_id = 2", STORE_BATCH_OUTCOMES,
     "'label' is NULL"},
    {"PRAGMA foreign_keys = OFF; UPDATE job SET environment_id = 99", STORE_JOBS,
     "a row of job refers to a row of environment that is not there"},
};

static void test_a_column_is_as_promised(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof damages / sizeof *damages; i++) {
        struct error error = {0};
        make(FIXTURE_DB);
        fixture_ok(read_rows(FIXTURE_DB, STORE_READ, damages[i].what, &error), &error);
        fixture_execute(FIXTURE_DB, damages[i].sql);
        expect_refused(read_rows(FIXTURE_DB, STORE_READ, damages[i].what, &error), &error, damages[i].words);
        assert_int_equal(remove(FIXTURE_DB), 0);
    }
}

/* Command lines and file names are bytes. */
static void test_a_file_name_need_not_be_utf8(void **state)
{
    struct error error = {0};
    (void)state;
    make(FIXTURE_DB);
    fixture_execute(FIXTURE_DB, "UPDATE run SET command_line = CAST(x'61ff' AS TEXT); "
                                "UPDATE planned_job SET file = CAST(x'61ff' AS TEXT)");
    fixture_ok(read_rows(FIXTURE_DB, STORE_READ, STORE_RUNS, &error), &error);
    fixture_ok(read_rows(FIXTURE_DB, STORE_READ, STORE_PLANNED, &error), &error);
}

/* A writer, which resumes a run, does not have the whole file checked at opening. */
static void test_a_plan_has_no_null(void **state)
{
    struct error error = {0};
    (void)state;
    make(FIXTURE_DB);
    fixture_execute(
        FIXTURE_DB,
        "PRAGMA writable_schema = ON; CREATE TABLE kept AS SELECT name, sql FROM sqlite_schema;"
        "UPDATE sqlite_schema SET sql = replace(sql, ' NOT NULL', '') WHERE name = 'test';"
        "PRAGMA writable_schema = RESET; UPDATE test SET condition = NULL;"
        "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = (SELECT sql FROM kept WHERE name = 'test') "
        "WHERE name = 'test'; DROP TABLE kept; PRAGMA writable_schema = RESET");
    expect_refused(read_rows(FIXTURE_DB, STORE_WRITE, STORE_PLANNED, &error), &error, "'condition' is NULL");
}

static void test_a_view_has_no_nul(void **state)
{
    struct store *store = NULL;
    struct store_cursor rows;
    struct error error = {0};
    const struct store_wanted wanted = {.view = STORE_VIEW_OUTCOMES};
    (void)state;
    make(FIXTURE_DB);
    fixture_execute(FIXTURE_DB, "UPDATE outcome SET label = label || char(0)");
    fixture_ok(store_open(FIXTURE_DB, STORE_READ, &store, &error), &error);
    store_query_view(store, &wanted, &rows, &error);
    assert_false(store_next(&rows));
    expect_refused(store_end(&rows, STATUS_OK), &error, "'outcome' is a text with a NUL in it");
    store_close(store);
}

/* ---- merging ---- */

static const char *const spreading[] = {
    "UPDATE batch SET draw = CAST(x'7bff7d' AS TEXT) WHERE number = 1",
    "UPDATE void_count SET reason = 'a' || char(0)",
    "UPDATE verdict SET label = CAST(x'c3' AS TEXT) WHERE label = (SELECT min(label) FROM verdict)",
    "UPDATE job SET seconds = 9e999",
    "PRAGMA foreign_keys = OFF; UPDATE outcome_count SET outcome_id = 99 WHERE outcome_id = 2",
};

static void test_a_merge_spreads_nothing(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof spreading / sizeof *spreading; i++) {
        struct store *into = NULL;
        struct store_merge_tally tally = {0};
        struct error error = {0};
        const struct store_merge_options options = {.tool_version = "0", .host = "here"};
        make(FIXTURE_DB);
        fixture_execute(FIXTURE_DB, spreading[i]);
        fixture_ok(store_open("into.db", STORE_WRITE, &into, &error), &error);
        assert_int_equal(store_merge(into, FIXTURE_DB, &options, &tally, &error), STATUS_DATABASE);
        assert_non_null(strstr(error.text, FIXTURE_DB));
        store_close(into);
        assert_int_equal(fixture_number("into.db", "SELECT (SELECT count(*) FROM run) + (SELECT count(*) FROM batch)"),
                         0);
        assert_int_equal(remove(FIXTURE_DB), 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_a_column_is_as_promised, fixture_enter, fixture_leave),
        cmocka_unit_test_setup_teardown(test_a_file_name_need_not_be_utf8, fixture_enter, fixture_leave),
        cmocka_unit_test_setup_teardown(test_a_plan_has_no_null, fixture_enter, fixture_leave),
        cmocka_unit_test_setup_teardown(test_a_view_has_no_nul, fixture_enter, fixture_leave),
        cmocka_unit_test_setup_teardown(test_a_merge_spreads_nothing, fixture_enter, fixture_leave),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
