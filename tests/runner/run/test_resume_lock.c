// SPDX-License-Identifier: Apache-2.0
/* Protects: one process at a time works on a run, the message says which, and only users who may write the database can
 * block it. */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "runner/run/resume_lock.h"

static char folder[] = "/tmp/orchil-hold-XXXXXX";

static void write_file(const char *path, const char *text, mode_t mode)
{
    const int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    assert_true(file >= 0);
    assert_int_equal(write(file, text, strlen(text)), strlen(text));
    assert_int_equal(fchmod(file, mode) | close(file), 0);
}

static int enter(void **state)
{
    (void)state;
    if (!mkdtemp(folder) || chmod(folder, 0755) != 0 || chdir(folder) != 0)
        return -1;
    write_file("runs.db", "", 0664);
    return 0;
}

static int leave(void **state)
{
    (void)state;
    (void)unlink("runs.db-run-1");
    (void)unlink("runs.db");
    (void)unlink("elsewhere");
    const int left = chdir("/") | rmdir(folder);
    memcpy(folder + strlen(folder) - 6, "XXXXXX", 6);
    return left;
}

static void hold_well(int64_t run_id, struct resume_lock *hold)
{
    struct error error = {.text = ""};
    const enum status status = resume_lock_take("runs.db", run_id, hold, &error);
    assert_string_equal(error.text, "");
    assert_int_equal(status, STATUS_OK);
    assert_non_null(hold->path);
}

static void expect_taken(const char *database, const char *words)
{
    struct resume_lock hold;
    struct error error = {.text = ""};
    assert_int_equal(resume_lock_take(database, 1, &hold, &error), STATUS_USAGE);
    assert_null(hold.path);
    assert_non_null(strstr(error.text, words));
    resume_lock_release(&hold); /* does nothing for a refused hold */
}

static void test_one_at_a_time(void **state)
{
    (void)state;
    struct resume_lock first, other;
    char words[64];
    hold_well(1, &first);
    (void)snprintf(words, sizeof words, "is still running: process %ld on ", (long)getpid());
    expect_taken("runs.db", words);
    expect_taken("./runs.db", words);
    hold_well(2, &other); /* another run of the file */
    resume_lock_release(&other);
    resume_lock_release(&first);
    assert_int_not_equal(access("runs.db-run-1", F_OK), 0);
    hold_well(1, &first);
    resume_lock_release(&first);
}

/* A killed process leaves its file but no lock. */
static void test_left_over(void **state)
{
    (void)state;
    struct resume_lock hold;
    write_file("runs.db-run-1", "process 1 on a machine that is long gone, with a name that is longer", 0600);
    hold_well(1, &hold);
    char words[64];
    (void)snprintf(words, sizeof words, ": process %ld on ", (long)getpid());
    expect_taken("runs.db", words);
    resume_lock_release(&hold);
    assert_int_not_equal(access("runs.db-run-1", F_OK), 0);
}

/* The lock on a file that was replaced is void: the new file counts, and stays. */
static void test_replaced(void **state)
{
    (void)state;
    struct resume_lock first, second;
    hold_well(1, &first);
    assert_int_equal(unlink("runs.db-run-1"), 0);
    hold_well(1, &second);
    resume_lock_release(&first);
    assert_int_equal(access("runs.db-run-1", F_OK), 0);
    expect_taken("runs.db", "is working on it");
    resume_lock_release(&second);
}

/* Any user who may read the file can lock it, so only users who may write the database may read it. */
static void test_rights(void **state)
{
    (void)state;
    static const struct {
        mode_t database, lock;
    } rights[] = {{0664, 0660}, {0644, 0600}, {0666, 0666}};
    for (size_t i = 0; i < sizeof rights / sizeof *rights; i++) {
        struct resume_lock hold;
        struct stat about;
        assert_int_equal(chmod("runs.db", rights[i].database), 0);
        hold_well(1, &hold);
        assert_int_equal(stat(hold.path, &about), 0);
        assert_int_equal(about.st_mode & 0777, rights[i].lock);
        resume_lock_release(&hold);
    }
}

/* A link in the file's place is not followed: its target would be emptied. */
static void test_link(void **state)
{
    (void)state;
    struct resume_lock hold;
    struct error error = {.text = ""};
    struct stat about;
    write_file("elsewhere", "precious", 0600);
    assert_int_equal(symlink("elsewhere", "runs.db-run-1"), 0);
    assert_int_equal(resume_lock_take("runs.db", 1, &hold, &error), STATUS_DATABASE);
    assert_non_null(strstr(error.text, "runs.db-run-1: "));
    assert_non_null(strstr(error.text, strerror(ELOOP)));
    assert_int_equal(stat("elsewhere", &about), 0);
    assert_int_equal(about.st_size, strlen("precious"));
}

/* How often this process was not alone, of the 500 times that it held the run. */
static int count_clashes(void)
{
    int clashes = 0;
    for (int held = 0; held < 500;) {
        struct resume_lock hold;
        struct error error;
        const enum status status = resume_lock_take("runs.db", 1, &hold, &error);
        if (status == STATUS_USAGE)
            continue;
        const int alone = open("elsewhere", O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
        clashes += status != STATUS_OK || alone < 0;
        if (alone >= 0)
            (void)(close(alone) | unlink("elsewhere"));
        resume_lock_release(&hold);
        held++;
    }
    return clashes;
}

/* The lock file is created and removed repeatedly: a process may open a file that another is about to remove. */
static void test_processes_in_turn(void **state)
{
    (void)state;
    enum { PROCESSES = 4 };
    pid_t children[PROCESSES];
    for (int i = 0; i < PROCESSES; i++) {
        children[i] = fork();
        if (children[i] == 0)
            _exit(count_clashes() > 0);
    }
    int good = 0;
    for (int i = 0; i < PROCESSES; i++) {
        int ended = 0;
        good += waitpid(children[i], &ended, 0) == children[i] && WIFEXITED(ended) && WEXITSTATUS(ended) == 0;
    }
    assert_int_equal(good, PROCESSES);
}

/* A worker that survives its supervisor must not keep the run locked. */
static void test_workers_keep_nothing(void **state)
{
    (void)state;
    struct resume_lock hold;
    hold_well(1, &hold);
    const int flags = fcntl(hold.descriptor, F_GETFD);
    assert_true(flags >= 0 && (flags & FD_CLOEXEC));
    resume_lock_release(&hold);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_one_at_a_time, enter, leave),
        cmocka_unit_test_setup_teardown(test_left_over, enter, leave),
        cmocka_unit_test_setup_teardown(test_replaced, enter, leave),
        cmocka_unit_test_setup_teardown(test_rights, enter, leave),
        cmocka_unit_test_setup_teardown(test_link, enter, leave),
        cmocka_unit_test_setup_teardown(test_processes_in_turn, enter, leave),
        cmocka_unit_test_setup_teardown(test_workers_keep_nothing, enter, leave),
    };
    return cmocka_run_group_tests_name("run_hold", tests, NULL, NULL);
}
