// SPDX-License-Identifier: Apache-2.0
/* Protects: the folder of a killed process is removed by whichever opens one next, whatever its name, and no other
 * folder is. */
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

enum { PATH_SIZE = TEMPORARY_FOLDER_PATH + 16, OPENERS = 8, ROUNDS = 50 };

static void below(char path[PATH_SIZE], const char *folder, const char *name)
{
    (void)snprintf(path, PATH_SIZE, "%s/%s", folder, name);
}

/* A new folder with a folder in it. */
static void open_one(const char *name, struct temporary_folder *folder)
{
    char inner[PATH_SIZE];
    struct error error;
    assert_int_equal(temporary_folder_open(name, folder, &error), STATUS_OK);
    below(inner, folder->path, "deep");
    assert_int_equal(mkdir(inner, 0700), 0);
}

static int is_there(const char *path)
{
    return access(path, F_OK) == 0;
}

/* A process that has a folder until it is killed. */
static pid_t start_holder(const char *name, struct temporary_folder *folder)
{
    int ready[2];
    assert_int_equal(pipe(ready), 0);
    const pid_t holder = fork();
    assert_true(holder >= 0);
    if (holder == 0) {
        open_one(name, folder);
        if (write(ready[1], folder, sizeof *folder) != (ssize_t)sizeof *folder)
            _exit(1);
        for (;;)
            (void)pause();
    }
    assert_int_equal(read(ready[0], folder, sizeof *folder), sizeof *folder);
    assert_int_equal(close(ready[0]) | close(ready[1]), 0);
    return holder;
}

static void end_holder(pid_t holder)
{
    assert_int_equal(kill(holder, SIGKILL), 0);
    assert_int_equal(waitpid(holder, NULL, 0), holder);
}

static void use_folder(char *folder)
{
    assert_non_null(mkdtemp(folder));
    assert_int_equal(setenv("TMPDIR", folder, 1), 0);
}

static void only_folders_of_the_dead_are_swept(void **state)
{
    char tmp[] = "/tmp/orchil-test-XXXXXX", unheld[PATH_SIZE], link[PATH_SIZE], young[PATH_SIZE];
    struct temporary_folder dead = {.path = ""}, other = {.path = ""}, held = {.path = ""}, next = {.path = ""};
    struct error error;
    (void)state;
    use_folder(tmp);
    const pid_t holder = start_holder("swept", &dead), holder_of_other = start_holder("other-name", &other);
    open_one("swept", &held);
    assert_int_equal(temporary_folder_make("swept", unheld, sizeof unheld, &error), STATUS_OK);
    below(link, tmp, "orchil-swept-linked");
    assert_int_equal(symlink(dead.path, link), 0);
    below(young, tmp, "orchil-new-abcdef"); /* its process died before it could lock it */
    assert_int_equal(mkdir(young, 0700), 0);
    open_one("next", &next);
    assert_true(is_there(dead.path) && is_there(other.path) && is_there(held.path) && is_there(unheld));
    assert_false(is_there(young));
    temporary_folder_close(&next);
    end_holder(holder);
    end_holder(holder_of_other);
    open_one("next", &next);
    assert_false(is_there(dead.path) || is_there(other.path));
    assert_true(is_there(held.path) && is_there(unheld) && is_there(next.path));
    temporary_folder_close(&next);
    temporary_folder_close(&held);
    temporary_folder_remove(unheld);
    assert_int_equal(unlink(link), 0);
    assert_int_equal(rmdir(tmp), 0);
}

/* A sweep that is faster than the lock costs only another attempt. */
static void many_open_at_once(void **state)
{
    char tmp[] = "/tmp/orchil-test-XXXXXX";
    pid_t openers[OPENERS];
    (void)state;
    use_folder(tmp);
    for (int i = 0; i < OPENERS; i++)
        if ((openers[i] = fork()) == 0) {
            struct temporary_folder folder = {.path = ""};
            for (int round = 0; round < ROUNDS; round++) {
                open_one("many", &folder);
                temporary_folder_close(&folder);
            }
            _exit(0);
        }
    for (int i = 0; i < OPENERS; i++) {
        int status = 1;
        assert_int_equal(waitpid(openers[i], &status, 0), openers[i]);
        assert_int_equal(status, 0);
    }
    assert_int_equal(rmdir(tmp), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(only_folders_of_the_dead_are_swept),
                                       cmocka_unit_test(many_open_at_once)};
    return cmocka_run_group_tests_name("temporary_folder", tests, NULL, NULL);
}
