// SPDX-License-Identifier: Apache-2.0
/* Protects: the queries of docs/reference/database.md run as printed, and its tables name every column and every
 * word. */
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "tests/results/fixture.h"

#ifndef ORCHIL_SOURCE_DIR
#define ORCHIL_SOURCE_DIR "."
#endif

static struct text document;

static int read_document(void **state)
{
    (void)state;
    char bytes[4096];
    FILE *file = fopen(ORCHIL_SOURCE_DIR "/docs/reference/database.md", "r");
    if (!file) {
        perror(ORCHIL_SOURCE_DIR "/docs/reference/database.md");
        return -1;
    }
    for (size_t size = fread(bytes, 1, sizeof bytes, file); size > 0; size = fread(bytes, 1, sizeof bytes, file))
        text_add_bytes(&document, bytes, size);
    return fclose(file);
}

static int release_document(void **state)
{
    (void)state;
    text_release(&document);
    return 0;
}

/* One test with two drivers; the second shows a forbidden outcome. Every query finds something. */
static void fill(void)
{
    struct store *store = fixture_open(STORE_WRITE);
    struct error error;
    const int64_t run = fixture_begin_run(store, 1);
    static const char *const drivers[] = {"1.0", "1.1"};
    for (size_t i = 0; i < 2; i++) {
        struct store_job job = fixture_job(run, 1, "SB");
        int64_t id = 0;
        job.device.driver = drivers[i];
        fixture_ok(store_begin_job(store, &job, &id, &error), &error);
        const struct store_judgement judgement = fixture_judgement(i == 0 ? "source" : "target");
        fixture_ok(store_put_judgement(store, id, &judgement, &error), &error);
        fixture_ok(fixture_add(store, id, 0, 4, &error), &error);
        fixture_ok(store_finish_job(store, id, JOB_COMPLETED, "", "", 1, &error), &error);
    }
    store_close(store);
}

/* Counts the rows of a query; if there is a column named verdict, its value in the first row must be this. */
static int count_rows(sqlite3 *db, const char *sql, const char *verdict)
{
    sqlite3_stmt *statement = NULL;
    int rows = 0;
    if (sqlite3_prepare_v2(db, sql, -1, &statement, NULL) != SQLITE_OK)
        fail_msg("%s\n%s", sqlite3_errmsg(db), sql);
    while (sqlite3_step(statement) == SQLITE_ROW) {
        for (int i = 0; rows == 0 && i < sqlite3_column_count(statement); i++)
            if (strcmp(sqlite3_column_name(statement, i), "verdict") == 0)
                assert_string_equal((const char *)sqlite3_column_text(statement, i), verdict);
        rows++;
    }
    if (sqlite3_finalize(statement) != SQLITE_OK)
        fail_msg("%s\n%s", sqlite3_errmsg(db), sql);
    return rows;
}

static void test_queries_run(void **state)
{
    (void)state;
    static const char opening[] = "```sql\n", closing[] = "```";
    static const int expected[] = {2, 2, 6};
    sqlite3 *db = NULL;
    size_t count = 0;
    fill();
    assert_int_equal(sqlite3_open_v2(FIXTURE_DB, &db, SQLITE_OPEN_READONLY, NULL), SQLITE_OK);
    const char *at = strstr(text_string(&document), opening);
    while (at) {
        const char *start = at + strlen(opening), *end = strstr(start, closing);
        struct text sql = {0};
        assert_non_null(end);
        assert_true(count < sizeof expected / sizeof *expected);
        text_add_bytes(&sql, start, (size_t)(end - start));
        assert_int_equal(count_rows(db, text_string(&sql), "forbidden"), expected[count]);
        text_release(&sql);
        count++;
        at = strstr(end + 1, opening);
    }
    assert_int_equal(count, sizeof expected / sizeof *expected);
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

/* Whether the text contains the word, not as a part of a longer one. */
static bool mentions(const char *text, const char *word)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
    const size_t length = strlen(word);
    for (const char *at = strstr(text, word); at; at = strstr(at + 1, word)) {
        const bool after = at[length] && strchr(letters, at[length]);
        if (!after && (at == text || !strchr(letters, at[-1])))
            return true;
    }
    return false;
}

static void expect_word(const char *word)
{
    char quoted[64];
    (void)snprintf(quoted, sizeof quoted, "`%s`", word);
    if (!strstr(text_string(&document), quoted))
        fail_msg("%s is not described", quoted);
}

/* Every word that a column can hold is described. */
static void test_words_are_described(void **state)
{
    (void)state;
    for (enum job_state job = 0; job < JOB_STATE_COUNT; job++)
        expect_word(job_state_word(job));
    for (enum run_state run = 0; run < RUN_STATE_COUNT; run++)
        expect_word(run_state_word(run));
    for (enum mark_number mark = 0; mark < MARK_COUNT; mark++)
        expect_word(mark_word(mark));
    for (enum void_reason reason = 0; reason < VOID_REASON_COUNT; reason++)
        expect_word(void_reason_word(reason));
    for (enum verdict verdict = 0; verdict < VERDICT_COUNT; verdict++)
        expect_word(verdict_word(verdict));
    for (enum kept kept = 0; kept < KEPT_COUNT; kept++)
        expect_word(kept_word(kept));
}

static void test_columns_are_described(void **state)
{
    (void)state;
    static const char *const views[] = {"v_job", "v_outcome", "v_judgement", "v_void",      "v_batch",
                                        "v_run", "v_part",    "v_merge",     "v_resumption"};
    sqlite3 *db = NULL;
    fill();
    assert_int_equal(sqlite3_open_v2(FIXTURE_DB, &db, SQLITE_OPEN_READONLY, NULL), SQLITE_OK);
    assert_int_equal(count_rows(db, "SELECT name FROM sqlite_schema WHERE type = 'view'", ""), 9);
    const char *section = strstr(text_string(&document), "\n## The views\n");
    assert_non_null(section);
    for (size_t i = 0; i < sizeof views / sizeof *views; i++) {
        char sql[64];
        sqlite3_stmt *statement = NULL;
        (void)snprintf(sql, sizeof sql, "SELECT * FROM %s", views[i]);
        assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &statement, NULL), SQLITE_OK);
        assert_true(mentions(section, views[i]));
        for (int column = 0; column < sqlite3_column_count(statement); column++)
            if (!mentions(section, sqlite3_column_name(statement, column)))
                fail_msg("%s.%s is not described", views[i], sqlite3_column_name(statement, column));
        assert_int_equal(sqlite3_finalize(statement), SQLITE_OK);
    }
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_queries_run, fixture_enter, fixture_leave),
        cmocka_unit_test_setup_teardown(test_columns_are_described, fixture_enter, fixture_leave),
        cmocka_unit_test(test_words_are_described),
    };
    return cmocka_run_group_tests_name("document", tests, read_document, release_document);
}
