// SPDX-License-Identifier: Apache-2.0
/* Protects: if a database is moved, removed or replaced while it is written, the next step fails. */
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "results/sql.h"
#include "tests/results/fixture.h"

struct subject {
    struct store *store;
    int64_t run, job;
};

static bool is_shared(const char *path)
{
    assert_non_null(path);
    return true;
}

static bool is_local(const char *path)
{
    assert_non_null(path);
    return false;
}

/* A store with a job that has a group of batches. */
static struct subject begin(const char *path, open_shared *shared)
{
    struct subject subject = {0};
    struct error error;
    fixture_ok(open_store(path, STORE_WRITE, shared, &subject.store, &error), &error);
    subject.run = fixture_begin_run(subject.store, 1);
    subject.job = fixture_begin_job(subject.store, subject.run, "SB");
    fixture_ok(fixture_add(subject.store, subject.job, 0, FIXTURE_GROUP, &error), &error);
    return subject;
}

/* The next step fails and says what happened, and so does ending the run. */
static void expect_missed(const struct subject *subject, const char *what)
{
    struct error error = {.text = "(stored)"};
    assert_int_equal(fixture_add(subject->store, subject->job, FIXTURE_GROUP, FIXTURE_GROUP, &error), STATUS_DATABASE);
    if (!strstr(error.text, "storing batches 4 to 7 of job 1 failed: ") || !strstr(error.text, what))
        fail_msg("%s\nsays nothing of: %s", error.text, what);
    error.text[0] = '\0';
    assert_int_equal(store_finish_run(subject->store, subject->run, RUN_COMPLETED, &error), STATUS_DATABASE);
    assert_non_null(strstr(error.text, what));
}

/* The file is sound and has exactly the acknowledged batches. */
static void expect_kept(const char *path)
{
    fixture_sound(path);
    assert_int_equal(fixture_number(path, "SELECT count(*) FROM v_batch"), FIXTURE_GROUP);
}

/* Neither the file nor its log changes after the move, so the file is intact when it is moved back. */
static void test_moved(void **state)
{
    (void)state;
    open_shared *const kinds[] = {is_local, is_shared};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        const struct subject subject = begin(FIXTURE_DB, kinds[i]);
        assert_int_equal(rename(FIXTURE_DB, "elsewhere.db"), 0);
        expect_missed(&subject, ": the file was moved or removed while orchil was writing to it, ");
        store_close(subject.store);
        assert_int_not_equal(access(FIXTURE_DB, F_OK), 0);
        assert_int_equal(rename("elsewhere.db", FIXTURE_DB), 0);
        expect_kept(FIXTURE_DB);
        assert_int_equal(unlink(FIXTURE_DB), 0);
    }
}

static void test_removed(void **state)
{
    (void)state;
    const struct subject subject = begin(FIXTURE_DB, is_local);
    assert_int_equal(unlink(FIXTURE_DB) | unlink(FIXTURE_DB "-wal") | unlink(FIXTURE_DB "-shm"), 0);
    expect_missed(&subject, ": the file was moved or removed while orchil was writing to it, ");
    store_close(subject.store);
    assert_int_not_equal(access(FIXTURE_DB, F_OK), 0);
}

static void test_replaced(void **state)
{
    (void)state;
    const struct subject other = begin("other.db", is_local);
    store_close(other.store);
    const struct subject subject = begin(FIXTURE_DB, is_local);
    assert_int_equal(rename("other.db", FIXTURE_DB), 0);
    expect_missed(&subject, ": another file took its place while orchil was writing to it, ");
    store_close(subject.store);
}

static void test_folder_renamed(void **state)
{
    (void)state;
    assert_int_equal(mkdir("folder", 0755), 0);
    const struct subject subject = begin("folder/results.db", is_local);
    assert_int_equal(rename("folder", "renamed"), 0);
    expect_missed(&subject, ": the file was moved or removed while orchil was writing to it, ");
    store_close(subject.store);
    expect_kept("renamed/results.db");
}

/* The link is followed again at each step: the file that it leads to counts. */
static void test_link(void **state)
{
    (void)state;
    struct error error;
    assert_int_equal(mkdir("folder", 0755) | symlink("folder/results.db", FIXTURE_DB), 0);
    const struct subject subject = begin(FIXTURE_DB, is_local);
    assert_int_equal(symlink("folder/results.db", "new") | rename("new", FIXTURE_DB), 0);
    fixture_ok(fixture_add(subject.store, subject.job, 8, FIXTURE_GROUP, &error), &error);

    const struct subject other = begin("other.db", is_local);
    store_close(other.store);
    assert_int_equal(symlink("other.db", "new") | rename("new", FIXTURE_DB), 0);
    expect_missed(&subject, ": another file took its place while orchil was writing to it, ");
    store_close(subject.store);

    /* The link leads to the same file by another path, but the log is not there. */
    assert_int_equal(unlink(FIXTURE_DB) | symlink("folder/again.db", FIXTURE_DB), 0);
    const struct subject again = begin(FIXTURE_DB, is_local);
    assert_int_equal(rename("folder/again.db", "again.db") | symlink("again.db", "new") | rename("new", FIXTURE_DB), 0);
    expect_missed(&again, ": the file was moved or removed while orchil was writing to it, ");
    store_close(again.store);
}

/* The contents of a log that was removed would be lost with the process. */
static void test_log_removed(void **state)
{
    (void)state;
    static const char *const names[] = {FIXTURE_DB "-wal", FIXTURE_DB "-shm"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char what[128];
        const struct subject subject = begin(FIXTURE_DB, is_local);
        assert_int_equal(unlink(names[i]), 0);
        (void)snprintf(what, sizeof what, "/%s, which is part of the database, was moved or removed while ", names[i]);
        expect_missed(&subject, what);
        store_close(subject.store);
        expect_kept(FIXTURE_DB);
        assert_int_equal(unlink(FIXTURE_DB), 0);
    }
}

static void test_log_replaced(void **state)
{
    (void)state;
    const struct subject subject = begin(FIXTURE_DB, is_local);
    FILE *file = fopen("new", "w");
    assert_true(file && fclose(file) == 0 && rename("new", FIXTURE_DB "-wal") == 0);
    expect_missed(&subject, "/results.db-wal, which is part of the database, was replaced while ");
    store_close(subject.store);
}

/* Moved in the middle of a transaction: refused at the commit at the latest. */
static void test_moved_within(void **state)
{
    (void)state;
    open_shared *const kinds[] = {is_local, is_shared};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        struct error error = {.text = "(stored)"};
        const struct subject subject = begin(FIXTURE_DB, kinds[i]);
        sql_doing(subject.store, "testing");
        fixture_ok(sql_begin(subject.store, &error), &error);
        assert_int_equal(rename(FIXTURE_DB, "elsewhere.db"), 0);
        const enum status status = sql_do(subject.store, NULL, &error, "UPDATE run SET seed = 2", "");
        assert_int_equal(status, kinds[i] == is_local ? STATUS_OK : STATUS_DATABASE);
        assert_int_equal(sql_end(subject.store, status, &error), STATUS_DATABASE);
        assert_non_null(strstr(error.text, "results.db: testing failed: the file was moved or removed while "));
        store_close(subject.store);
        (void)unlink(FIXTURE_DB "-wal");
    }
}

static void test_moved_before_the_first_run(void **state)
{
    (void)state;
    const struct store_run run = {"0.1.0", "orchil run", "host", "{}", 1, false};
    struct store *store = fixture_open(STORE_WRITE);
    struct error error;
    int64_t id = 0;
    assert_int_equal(rename(FIXTURE_DB, "elsewhere.db"), 0);
    assert_int_equal(store_begin_run(store, &run, &id, &error), STATUS_DATABASE);
    assert_int_equal(id, 0);
    store_close(store);
}

static void test_merge(void **state)
{
    (void)state;
    const struct store_merge_options options = {.unfinished = true, .tool_version = "0.1.0", .host = "host"};
    struct store_merge_tally tally = {0};
    struct error error = {.text = "(merged)"};
    const struct subject source = begin("source.db", is_local);
    store_close(source.store);
    struct store *store = fixture_open(STORE_WRITE);
    assert_int_equal(rename(FIXTURE_DB, "elsewhere.db"), 0);
    assert_int_equal(store_merge(store, "source.db", &options, &tally, &error), STATUS_DATABASE);
    assert_non_null(strstr(error.text, "merging run 1 of source.db failed: the file was moved or removed while "));
    assert_int_equal(tally.runs_new, 0);
    store_close(store);
}

/* A relative path means the file that it led to at opening, whatever the working folder is later. */
static void test_another_working_folder(void **state)
{
    (void)state;
    struct error error;
    assert_int_equal(mkdir("folder", 0755), 0);
    const struct subject subject = begin(FIXTURE_DB, is_local);
    assert_int_equal(chdir("folder"), 0);
    const enum status status = fixture_add(subject.store, subject.job, FIXTURE_GROUP, FIXTURE_GROUP, &error);
    assert_int_equal(chdir(".."), 0);
    fixture_ok(status, &error);
    assert_int_equal(rename(FIXTURE_DB, "folder/results.db") | chdir("folder"), 0);
    const enum status moved = fixture_add(subject.store, subject.job, 2 * FIXTURE_GROUP, FIXTURE_GROUP, &error);
    assert_int_equal(chdir(".."), 0);
    assert_int_equal(moved, STATUS_DATABASE);
    store_close(subject.store);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_moved, fixture_enter, fixture_leave),
        cmocka_unit_test_setup_teardown(test_removed, fixture_enter, fixture_leave),
        cmocka_unit_test_setup_teardown(test_replaced, fixture_enter, fixture_leave),
        cmocka_unit_test_setup_teardown(test_folder_renamed, fixture_enter, fixture_leave),
        cmocka_unit_test_setup_teardown(test_link, fixture_enter, fixture_leave),
        cmocka_unit_test_setup_teardown(test_log_removed, fixture_enter, fixture_leave),
        cmocka_unit_test_setup_teardown(test_log_replaced, fixture_enter, fixture_leave),
        cmocka_unit_test_setup_teardown(test_moved_within, fixture_enter, fixture_leave),
        cmocka_unit_test_setup_teardown(test_moved_before_the_first_run, fixture_enter, fixture_leave),
        cmocka_unit_test_setup_teardown(test_merge, fixture_enter, fixture_leave),
        cmocka_unit_test_setup_teardown(test_another_working_folder, fixture_enter, fixture_leave),
    };
    return cmocka_run_group_tests_name("presence", tests, NULL, NULL);
}
