// SPDX-License-Identifier: Apache-2.0
/* Protects: several processes write to one file at once, and a kill at any moment loses nothing that was
 * acknowledged. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "results/soundness.h"
#include "tests/between.h"
#include "tests/results/fixture.h"

/* The children of these tests assert nothing: a failed assertion would continue with other tests in the child. */

static enum status begin(struct store *store, int64_t *job_id, struct error *error)
{
    const struct store_run run = {"0.1.0", "orchil", "host", "{}", 1, false};
    int64_t run_id = 0;
    TRY(store_begin_run(store, &run, &run_id, error));
    const struct store_job job = fixture_job(run_id, 1, "SB");
    return store_begin_job(store, &job, job_id, error);
}

/* Opens the file, stores that many batches of one job, each in its own transaction, and ends; 0 on success. */
static int write_transactions(int transactions)
{
    struct store *store = NULL;
    struct error error = {0};
    int64_t job = 0;
    bool good =
        store_open(FIXTURE_DB, STORE_WRITE, &store, &error) == STATUS_OK && begin(store, &job, &error) == STATUS_OK;
    for (int i = 0; good && i < transactions; i++)
        good = fixture_add(store, job, (uint64_t)i, 1, &error) == STATUS_OK;
    if (!good)
        (void)fprintf(stderr, "%s\n", error.text);
    store_close(store);
    return good ? 0 : 1;
}

static pid_t start(int (*body)(int), int argument)
{
    (void)fflush(NULL);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0)
        _exit(body(argument));
    return child;
}

static void expect_success(pid_t child)
{
    int ended = 0;
    assert_int_equal(waitpid(child, &ended, 0), child);
    assert_true(WIFEXITED(ended));
    assert_int_equal(WEXITSTATUS(ended), 0);
}

static void test_two_writers(void **state)
{
    (void)state;
    const pid_t first = start(write_transactions, 200), second = start(write_transactions, 200);
    expect_success(first);
    expect_success(second);
    assert_int_equal(fixture_number(FIXTURE_DB, "SELECT count(*) FROM v_job WHERE batches = 200"), 2);
    assert_int_equal(fixture_number(FIXTURE_DB, "SELECT count(*) FROM v_batch"), 400);
    assert_int_equal(fixture_number(FIXTURE_DB, "SELECT count(*) FROM device"), 1);
    assert_int_equal(fixture_unequal_jobs(FIXTURE_DB), 0);
    fixture_sound(FIXTURE_DB);
}

/* Two processes create the file at the same moment: one creates the tables, the other finds them. */
static void test_two_creators(void **state)
{
    (void)state;
    for (int i = 0; i < 24; i++) {
        const pid_t first = start(write_transactions, 1), second = start(write_transactions, 1);
        expect_success(first);
        expect_success(second);
        assert_int_equal(fixture_number(FIXTURE_DB, "PRAGMA user_version"), SCHEMA_VERSION);
        assert_int_equal(fixture_number(FIXTURE_DB, "SELECT count(*) FROM v_batch"), 2);
        assert_int_equal(unlink(FIXTURE_DB), 0);
    }
}

/* Stores groups of batches endlessly, and writes the number of groups to the pipe after each acknowledgement. */
static int write_until_killed(int pipe_end)
{
    struct store *store = NULL;
    struct error error = {0};
    int64_t job = 0;
    bool good =
        store_open(FIXTURE_DB, STORE_WRITE, &store, &error) == STATUS_OK && begin(store, &job, &error) == STATUS_OK;
    for (uint64_t groups = 0; good; groups++) {
        good = fixture_add(store, job, groups * FIXTURE_GROUP, FIXTURE_GROUP, &error) == STATUS_OK;
        const uint64_t acknowledged = groups + 1;
        good = good && write(pipe_end, &acknowledged, sizeof acknowledged) == (ssize_t)sizeof acknowledged;
    }
    (void)fprintf(stderr, "%s\n", error.text);
    return 1;
}

/* Starts a writer, kills it some time after its start, or after its first acknowledgement if it must have `written`,
 * and returns how many groups it acknowledged. */
static uint64_t kill_a_writer(bool written, long microseconds)
{
    int ends[2], ended = 0;
    uint64_t acknowledged = 0;
    assert_int_equal(pipe(ends), 0);
    const pid_t child = start(write_until_killed, ends[1]);
    assert_int_equal(close(ends[1]), 0);
    if (written)
        assert_int_equal(read(ends[0], &acknowledged, sizeof acknowledged), sizeof acknowledged);
    const struct timespec time = {.tv_nsec = microseconds * 1000};
    assert_int_equal(nanosleep(&time, NULL), 0);
    assert_int_equal(kill(child, SIGKILL), 0);
    assert_int_equal(waitpid(child, &ended, 0), child);
    assert_true(WIFSIGNALED(ended));
    while (read(ends[0], &acknowledged, sizeof acknowledged) == (ssize_t)sizeof acknowledged)
        continue;
    assert_int_equal(close(ends[0]), 0);
    return acknowledged;
}

enum { KILLS = 60, KILLS_PER_FILE = 10 };

static void test_kills(void **state)
{
    (void)state;
    unsigned short seed[3] = {20, 25, 7};
    uint64_t total = 0;
    int writing = 0;
    for (int i = 0; i < KILLS; i++) {
        if (i % KILLS_PER_FILE == 0) {
            (void)unlink(FIXTURE_DB "-wal");
            (void)unlink(FIXTURE_DB "-shm");
            (void)unlink(FIXTURE_DB);
            total = 0;
        }
        const uint64_t acknowledged = kill_a_writer(i % 3 != 0, nrand48(seed) % 50000);
        writing += acknowledged > 0;

        store_close(fixture_open(STORE_WRITE)); /* replays or rolls back what the killed process left */
        fixture_sound(FIXTURE_DB);
        const int64_t batches = fixture_number(FIXTURE_DB, "SELECT count(*) FROM v_batch");
        assert_int_equal(batches % FIXTURE_GROUP, 0);
        /* There may be one more: a group that was committed but not yet acknowledged. */
        assert_between((uint64_t)batches / FIXTURE_GROUP, total + acknowledged, total + acknowledged + 1);
        assert_int_equal(fixture_number(FIXTURE_DB, "SELECT count(*) FROM v_batch WHERE witnesses <> 3 OR "
                                                    "instances <> 1505 + batch + batch % 5 OR voids <> 2 + batch % 5"),
                         0);
        assert_int_equal(fixture_unequal_jobs(FIXTURE_DB), 0);
        total = (uint64_t)batches / FIXTURE_GROUP;
    }
    assert_true(writing > KILLS / 3); /* otherwise most kills came too early to show anything */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_two_writers, fixture_enter, fixture_leave),
        cmocka_unit_test_setup_teardown(test_two_creators, fixture_enter, fixture_leave),
        cmocka_unit_test_setup_teardown(test_kills, fixture_enter, fixture_leave),
    };
    return cmocka_run_group_tests_name("processes", tests, NULL, NULL);
}
