// SPDX-License-Identifier: Apache-2.0
/* Protects: the folder of a killed process is removed by a later sweep, and no other folder is. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/temporary_folder.h"

enum { PATH_SIZE = 256 };

/* A new folder with a file in it. */
static void make(char path[PATH_SIZE])
{
    char file[PATH_SIZE + 16];
    struct error error;
    assert_int_equal(temporary_folder_make("swept", path, PATH_SIZE, &error), STATUS_OK);
    (void)snprintf(file, sizeof file, "%s/deep", path);
    assert_int_equal(mkdir(file, 0700), 0);
}

static int is_there(const char *path)
{
    return access(path, F_OK) == 0;
}

/* Starts a process that holds the folder until it is killed. */
static pid_t start_holder(const char *path)
{
    int ready[2];
    char byte;
    assert_int_equal(pipe(ready), 0);
    const pid_t holder = fork();
    assert_true(holder >= 0);
    if (holder == 0) {
        if (temporary_folder_lock(path) < 0 || write(ready[1], "r", 1) != 1)
            _exit(1);
        for (;;)
            (void)pause();
    }
    assert_int_equal(read(ready[0], &byte, 1), 1);
    assert_int_equal(close(ready[0]) | close(ready[1]), 0);
    return holder;
}

static void only_folders_of_the_dead_are_swept(void **state)
{
    char tmp[] = "/tmp/orchil-test-XXXXXX", dead[PATH_SIZE], held[PATH_SIZE], unheld[PATH_SIZE], other[PATH_SIZE];
    struct error error;
    (void)state;
    assert_non_null(mkdtemp(tmp));
    assert_int_equal(setenv("TMPDIR", tmp, 1), 0);
    make(dead);
    make(held);
    make(unheld);
    assert_int_equal(temporary_folder_make("sweptother", other, sizeof other, &error), STATUS_OK);
    const pid_t holder = start_holder(dead), holder_of_other = start_holder(other);
    const int hold = temporary_folder_lock(held);
    assert_true(hold >= 0);
    temporary_folder_sweep("swept");
    assert_true(is_there(dead) && is_there(held) && is_there(unheld) && is_there(other));
    assert_int_equal(kill(holder, SIGKILL) | kill(holder_of_other, SIGKILL), 0);
    assert_int_equal(waitpid(holder, NULL, 0), holder);
    assert_int_equal(waitpid(holder_of_other, NULL, 0), holder_of_other);
    temporary_folder_sweep("swept");
    assert_false(is_there(dead));
    assert_true(is_there(held) && is_there(unheld) && is_there(other));
    assert_int_equal(close(hold), 0);
    temporary_folder_sweep("swept");
    assert_false(is_there(held));
    temporary_folder_remove(unheld);
    temporary_folder_remove(other);
    assert_int_equal(rmdir(tmp), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(only_folders_of_the_dead_are_swept)};
    return cmocka_run_group_tests_name("temporary_folder", tests, NULL, NULL);
}
