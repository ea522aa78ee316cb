// SPDX-License-Identifier: Apache-2.0
/* Protects whole files. A new file has the usual permissions, a replaced file keeps its own, and no other thread's
 * files get more. If writing fails, the old file stays and nothing else is left. Pipes and devices are written to
 * directly, and links are followed. Reading is limited in size, kind of file, time and owner. Folders are created with
 * their parents. */
#include <dirent.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/temporary_folder.h"
#include "base/whole_file.h"

static int changes; /* of the umask; a function of the C library can report them only this way */

/* Replaces the C library's umask: the mask belongs to all threads. */
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
        assert_int_equal(chmod(path, 0640), 0);
        assert_int_equal(file_write_whole(path, "texts", 5, &error), STATUS_OK);
        assert_int_equal(stat(path, &about), 0);
        assert_int_equal(about.st_mode & 0777, 0640);
        assert_int_equal(unlink(path), 0);
    }
    assert_int_equal(changes, 0);
    /* Fails if anything is left in the folder. */
    assert_int_equal(rmdir(folder), 0);
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
    assert_non_null(strstr(error.text, "/a: cannot be created as a folder: File exists"));
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
    assert_int_equal(file_read_whole(path, 3, &text, &error), STATUS_LIMIT);
    text_clear(&text);
    assert_int_equal(file_read_whole(path, 4, &text, &error), STATUS_OK);
    assert_string_equal(text_string(&text), "text");
    text_release(&text);
    assert_int_equal(unlink(path) | rmdir(folder), 0);
}

/* ---- writing that fails, and files that are not regular ---- */

static size_t count_entries(const char *path)
{
    size_t count = 0;
    DIR *folder = opendir(path);
    assert_non_null(folder);
    while (readdir(folder))
        count++;
    assert_int_equal(closedir(folder), 0);
    return count - 2;
}

static void expect_content(const char *path, const char *expected)
{
    struct text text = {0};
    struct error error;
    assert_int_equal(file_read_whole(path, 4096, &text, &error), STATUS_OK);
    assert_string_equal(text_string(&text), expected);
    text_release(&text);
}

/* As on a full disk, with another cause: the process may only write files of a limited size. */
static void a_failure_leaves_the_old_file_and_nothing_else(void **state)
{
    static char large[64 * 1024];
    struct rlimit limit, before;
    char folder[256], path[300];
    struct error error;
    (void)state;
    assert_int_equal(temporary_folder_make("writing", folder, sizeof folder, &error), STATUS_OK);
    (void)snprintf(path, sizeof path, "%s/file", folder);
    assert_int_equal(file_write_whole(path, "old", 3, &error), STATUS_OK);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
    limit = (struct rlimit){.rlim_cur = 8192, .rlim_max = before.rlim_max};
    (void)signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
    const enum status status = file_write_whole(path, large, sizeof large, &error);
    const enum status small = file_write_whole(path, "new", 3, NULL);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    assert_int_equal(status, STATUS_SYSTEM);
    assert_non_null(strstr(error.text, "/file: cannot be written: File too large"));
    assert_int_equal(small, STATUS_OK);
    expect_content(path, "new");
    assert_int_equal(count_entries(folder), 1);
    struct file_writer writer;
    assert_int_equal(file_writer_open(&writer, path, &error), STATUS_OK);
    assert_true(fputs("half", writer.file) >= 0);
    assert_int_equal(file_writer_close(&writer, false, &error), STATUS_OK);
    expect_content(path, "new");
    assert_int_equal(count_entries(folder), 1);
    temporary_folder_remove(folder);
}

static void paths_that_are_at_fault_are_told_from_machines_that_are(void **state)
{
    char folder[256], path[300];
    struct error error;
    (void)state;
    assert_int_equal(temporary_folder_make("writing", folder, sizeof folder, &error), STATUS_OK);
    assert_int_equal(file_write_whole(folder, "text", 4, &error), STATUS_UNREADABLE);
    assert_int_equal(file_check_writable(folder, &error), STATUS_UNREADABLE);
    (void)snprintf(path, sizeof path, "%s/no/file", folder);
    assert_int_equal(file_write_whole(path, "text", 4, &error), STATUS_UNREADABLE);
    assert_int_equal(file_check_writable(path, &error), STATUS_UNREADABLE);
    (void)snprintf(path, sizeof path, "%s/file", folder);
    assert_int_equal(file_check_writable(path, &error), STATUS_OK);
    assert_int_equal(count_entries(folder), 0);
    assert_int_equal(file_write_whole("/dev/full", "text", 4, &error), STATUS_SYSTEM);
    assert_string_equal(error.text, "/dev/full: cannot be written: No space left on device");
    temporary_folder_remove(folder);
}

static void links_are_followed_and_pipes_written_into(void **state)
{
    char folder[256], path[300], link[300], found[8] = "";
    struct stat about;
    struct error error;
    (void)state;
    assert_int_equal(temporary_folder_make("writing", folder, sizeof folder, &error), STATUS_OK);
    (void)snprintf(path, sizeof path, "%s/file", folder);
    (void)snprintf(link, sizeof link, "%s/link", folder);
    assert_int_equal(file_write_whole(path, "old", 3, &error), STATUS_OK);
    assert_int_equal(symlink("file", link), 0);
    assert_int_equal(file_write_whole(link, "new", 3, &error), STATUS_OK);
    assert_int_equal(lstat(link, &about), 0);
    assert_true(S_ISLNK(about.st_mode));
    expect_content(path, "new");
    assert_int_equal(unlink(path) | mkfifo(path, 0600), 0);
    const int reader = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    assert_true(reader >= 0);
    assert_int_equal(file_write_whole(link, "piped", 5, &error), STATUS_OK);
    assert_int_equal(read(reader, found, sizeof found), 5);
    assert_string_equal(found, "piped");
    assert_int_equal(close(reader), 0);
    temporary_folder_remove(folder);
}

/* ---- reading files that are not regular, or not ours ---- */

static void what_is_not_a_file_is_not_waited_for(void **state)
{
    char folder[256], path[300];
    struct text text = {0};
    struct error error;
    (void)state;
    assert_int_equal(temporary_folder_make("reading", folder, sizeof folder, &error), STATUS_OK);
    (void)snprintf(path, sizeof path, "%s/pipe", folder);
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_int_equal(file_read_whole(path, 4096, &text, &error), STATUS_UNREADABLE);
    assert_non_null(strstr(error.text, "it is not a regular file"));
    assert_int_equal(file_read_whole("/dev/zero", 4096, &text, &error), STATUS_UNREADABLE);
    assert_int_equal(file_read_start(path, folder, sizeof folder), 0);
    const double started = clock_seconds();
    const struct file_terms terms = {.maximum = 4096, .patience = 0.2};
    (void)snprintf(folder, sizeof folder, "%.*s", (int)(strrchr(path, '/') - path), path);
    assert_int_equal(file_read(path, &terms, &text, &error), STATUS_UNREADABLE); /* nobody writes to it */
    assert_non_null(strstr(error.text, "it is a pipe that no program writes to"));
    assert_true(clock_seconds() - started >= 0.2);
    const int writer = open(path, O_RDWR | O_CLOEXEC); /* and it never ends */
    assert_true(writer >= 0);
    assert_int_equal(write(writer, "half", 4), 4);
    assert_int_equal(file_read(path, &terms, &text, &error), STATUS_UNREADABLE);
    assert_non_null(strstr(error.text, "no end of file within 0.2 seconds"));
    assert_int_equal(close(writer), 0);
    text_clear(&text);
    assert_int_equal(file_read_input("/dev/zero", 4096, &text, &error), STATUS_LIMIT);
    text_release(&text);
    temporary_folder_remove(folder);
}

static void a_pipe_is_read_to_its_end(void **state)
{
    char folder[256], path[300];
    struct text text = {0};
    struct error error;
    int result;
    (void)state;
    assert_int_equal(temporary_folder_make("reading", folder, sizeof folder, &error), STATUS_OK);
    (void)snprintf(path, sizeof path, "%s/pipe", folder);
    assert_int_equal(mkfifo(path, 0600), 0);
    const pid_t writer = fork();
    assert_true(writer >= 0);
    if (writer == 0) {
        const int end = open(path, O_WRONLY | O_CLOEXEC); /* which waits for the reader */
        const bool written = write(end, "one ", 4) == 4 && usleep(20000) == 0 && write(end, "two", 3) == 3;
        _exit(written ? 0 : 1);
    }
    assert_int_equal(file_read_input(path, 7, &text, &error), STATUS_OK);
    assert_string_equal(text_string(&text), "one two");
    assert_int_equal(waitpid(writer, &result, 0), writer);
    assert_int_equal(result, 0);
    text_release(&text);
    temporary_folder_remove(folder);
}

static void only_what_nobody_else_may_change_is_trusted(void **state)
{
    static const struct file_terms terms = {.maximum = 4096, .trusted = true};
    char folder[256], path[300];
    struct text text = {0};
    struct error error;
    (void)state;
    assert_int_equal(temporary_folder_make("reading", folder, sizeof folder, &error), STATUS_OK);
    (void)snprintf(path, sizeof path, "%s/file", folder);
    assert_int_equal(file_write_whole(path, "text", 4, &error), STATUS_OK);
    assert_int_equal(chmod(path, 0644), 0);
    assert_int_equal(file_read(path, &terms, &text, &error), STATUS_OK);
    assert_int_equal(chmod(path, 0664), 0);
    assert_int_equal(file_read(path, &terms, &text, &error), STATUS_UNREADABLE);
    assert_non_null(strstr(error.text, "other users may change it"));
    assert_int_equal(chmod(path, 0646), 0);
    assert_int_equal(file_read(path, &terms, &text, &error), STATUS_UNREADABLE);
    assert_int_equal(chmod(path, 0644), 0);
    if (geteuid() == 0) { /* only root can give files to others */
        assert_int_equal(chown(path, 12345, 12345), 0);
        assert_int_equal(file_read(path, &terms, &text, &error), STATUS_UNREADABLE);
        assert_non_null(strstr(error.text, "it belongs to another user"));
    }
    text_release(&text);
    temporary_folder_remove(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_permissions),
        cmocka_unit_test(folders_are_made_with_those_above_them),
        cmocka_unit_test(a_file_with_too_many_bytes_is_refused),
        cmocka_unit_test(a_failure_leaves_the_old_file_and_nothing_else),
        cmocka_unit_test(paths_that_are_at_fault_are_told_from_machines_that_are),
        cmocka_unit_test(links_are_followed_and_pipes_written_into),
        cmocka_unit_test(what_is_not_a_file_is_not_waited_for),
        cmocka_unit_test(a_pipe_is_read_to_its_end),
        cmocka_unit_test(only_what_nobody_else_may_change_is_trusted),
    };
    return cmocka_run_group_tests_name("whole_file", tests, NULL, NULL);
}
