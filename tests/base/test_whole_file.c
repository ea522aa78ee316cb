// SPDX-License-Identifier: Apache-2.0
/* Protects: a file that is written whole has the permissions of any new file, and no other thread's files get more; one
 * that is too long is not read; folders are made with those above them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/whole_file.h"

static int changes; /* of the umask, which a library's function has no other way to report */

/* In place of the C library's: the mask belongs to all threads. */
mode_t umask(mode_t mask)
{
    changes++;
    return (mode_t)syscall(SYS_umask, mask);
}

static void test_permissions(void **state)
{
    (void)state;
    static const mode_t masks[] = {022, 077, 002};
    char folder[] = "/tmp/orchil-test-XXXXXX", path[64];
    assert_non_null(mkdtemp(folder));
    (void)snprintf(path, sizeof path, "%s/file", folder);
    for (size_t i = 0; i < sizeof masks / sizeof *masks; i++) {
        struct stat about;
        struct error error;
        const long before = syscall(SYS_umask, masks[i]);
        const enum status status = file_write_whole(path, "text", 4, &error);
        (void)syscall(SYS_umask, before);
        assert_int_equal(status, STATUS_OK);
        assert_int_equal(stat(path, &about), 0);
        assert_int_equal(about.st_mode & 0777, 0666 & ~masks[i]);
        assert_int_equal(about.st_size, 4);
    }
    assert_int_equal(changes, 0);
    /* Nothing else is left in the folder. */
    assert_int_equal(unlink(path) | rmdir(folder), 0);
}

static void folders_are_made_with_those_above_them(void **state)
{
    char folder[] = "/tmp/orchil-test-XXXXXX", path[64], above[64];
    struct stat about;
    struct error error;
    (void)state;
    assert_non_null(mkdtemp(folder));
    (void)snprintf(above, sizeof above, "%s/a", folder);
    (void)snprintf(path, sizeof path, "%s/a/b/", folder);
    assert_int_equal(file_make_folders(path, 0700, &error), STATUS_OK);
    assert_int_equal(file_make_folders(path, 0777, &error), STATUS_OK); /* there already */
    assert_int_equal(stat(path, &about), 0);
    assert_int_equal(about.st_mode & 0777, 0700);
    assert_int_equal(rmdir(path) | rmdir(above), 0);
    assert_int_equal(file_write_whole(above, "text", 4, &error), STATUS_OK);
    assert_int_equal(file_make_folders(above, 0700, &error), STATUS_UNREADABLE);
    assert_non_null(strstr(error.text, "/a: cannot be made a folder: File exists"));
    assert_int_equal(file_make_folders(path, 0700, &error), STATUS_UNREADABLE);
    assert_int_equal(unlink(above) | rmdir(folder), 0);
}

static void a_file_with_too_many_bytes_is_refused(void **state)
{
    char folder[] = "/tmp/orchil-test-XXXXXX", path[64];
    struct text text = {0};
    struct error error;
    (void)state;
    assert_non_null(mkdtemp(folder));
    (void)snprintf(path, sizeof path, "%s/file", folder);
    assert_int_equal(file_write_whole(path, "text", 4, &error), STATUS_OK);
    assert_int_equal(file_read_whole(path, 3, &text, &error), STATUS_UNREADABLE);
    text_clear(&text);
    assert_int_equal(file_read_whole(path, 4, &text, &error), STATUS_OK);
    assert_string_equal(text_string(&text), "text");
    text_release(&text);
    assert_int_equal(unlink(path) | rmdir(folder), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_permissions),
                                       cmocka_unit_test(folders_are_made_with_those_above_them),
                                       cmocka_unit_test(a_file_with_too_many_bytes_is_refused)};
    return cmocka_run_group_tests_name("whole_file", tests, NULL, NULL);
}
