// SPDX-License-Identifier: Apache-2.0
/* Protects running other programs: their output is complete, or the failure is reported. If a disassembler that hangs,
 * writes without end or is missing went unnoticed, a run would hang, or a test would be judged by half its code. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/tool.h"

static enum status run(const char *script, double seconds, size_t maximum, struct text *output, struct error *error)
{
    const char *const arguments[] = {"sh", "-c", script, NULL};
    return tool_run(arguments, seconds, maximum, output, error);
}

static void test_output(void **state)
{
    struct text output = {0};
    struct error error;
    (void)state;
    assert_int_equal(run("echo one; echo noise >&2; printf two$LC_ALL", 60, 100, &output, &error), STATUS_OK);
    assert_string_equal(text_string(&output), "one\ntwoC");
    text_release(&output);
}

static void test_failures(void **state)
{
    const char *const missing[] = {"orchil-no-such-program", NULL}, *const plain[] = {"/etc/passwd", NULL};
    struct text output = {0};
    struct error error;
    (void)state;
    assert_int_equal(tool_run(missing, 60, 100, &output, &error), STATUS_UNSUPPORTED);
    assert_string_equal(error.text, "there is no orchil-no-such-program on PATH");
    assert_int_equal(tool_run(plain, 60, 100, &output, &error), STATUS_UNSUPPORTED);
    assert_int_equal(run("exit 3", 60, 100, &output, &error), STATUS_SYSTEM);
    assert_int_equal(run("yes", 60, 1 << 20, &output, &error), STATUS_LIMIT);
    text_release(&output);
}

/* It is killed, not waited for. */
static void test_hang(void **state)
{
    struct text output = {0};
    struct error error;
    const double begun = clock_seconds();
    (void)state;
    assert_int_equal(run("echo begun; exec sleep 600", 0.2, 100, &output, &error), STATUS_LIMIT);
    assert_true(clock_seconds() - begun < 300);
    text_release(&output);
}

/* What closes its output may still hang, and what it has started is not left behind. */
static void test_closed(void **state)
{
    struct text output = {0};
    struct error error;
    const double begun = clock_seconds();
    (void)state;
    assert_int_equal(run("exec >&-; exec sleep 600", 0.2, 100, &output, &error), STATUS_LIMIT);
    assert_int_equal(run("sleep 600 >/dev/null & echo $!", 60, 100, &output, &error), STATUS_OK);
    assert_true(clock_seconds() - begun < 300);
    const pid_t left = (pid_t)strtol(text_string(&output), NULL, 10);
    assert_true(left > 1);
    while (kill(left, 0) == 0) /* until its new parent has reaped it */
        assert_true(clock_seconds() - begun < 60);
    text_release(&output);
}

/* A process that is killed while it waits for a program takes the program with it. */
static void test_killed(void **state)
{
    int alive[2];
    char byte;
    (void)state;
    assert_int_equal(pipe(alive), 0);
    const pid_t waiting = fork();
    if (waiting == 0) {
        struct text output = {0};
        struct error error;
        char script[64];
        (void)close(alive[0]);
        (void)snprintf(script, sizeof script, "echo >&%d; exec sleep 600", alive[1]);
        (void)run(script, 600, 100, &output, &error);
        _exit(0);
    }
    (void)close(alive[1]);
    assert_int_equal(read(alive[0], &byte, 1), 1);
    assert_int_equal(kill(waiting, SIGKILL), 0);
    assert_int_equal(waitpid(waiting, NULL, 0), waiting);
    assert_int_equal(read(alive[0], &byte, 1), 0); /* nobody holds the other end */
    (void)close(alive[0]);
}

/* A file that a program writes is limited too, and so is what is read of one. */
static void test_files(void **state)
{
    struct memory_file file;
    struct text output = {0};
    struct error error;
    char script[160];
    (void)state;
    assert_int_equal(memory_file_make("1234", 4, &file, &error), STATUS_OK);
    assert_int_equal(memory_file_read(&file, 4, &output, &error), STATUS_OK);
    assert_int_equal(memory_file_read(&file, 3, &output, &error), STATUS_LIMIT);
    (void)snprintf(script, sizeof script, "exec head -c 2000000 /dev/zero >%s", file.path);
    assert_int_equal(run(script, 60, 1000000, &output, &error), STATUS_SYSTEM);
    text_clear(&output);
    assert_int_equal(memory_file_read(&file, 1000000, &output, &error), STATUS_OK);
    assert_int_equal(output.size, 1000000);
    memory_file_close(&file);
    text_release(&output);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_output), cmocka_unit_test(test_failures), cmocka_unit_test(test_hang),
        cmocka_unit_test(test_closed), cmocka_unit_test(test_killed),   cmocka_unit_test(test_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
