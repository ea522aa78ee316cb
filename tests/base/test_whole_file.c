// SPDX-License-Identifier: Apache-2.0
/* Protects: a file that is written whole has the permissions of any new file, and no other thread's files get more. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_permissions)};
    return cmocka_run_group_tests_name("whole_file", tests, NULL, NULL);
}
