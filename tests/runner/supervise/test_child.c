// SPDX-License-Identifier: Apache-2.0
/*
 * Protects the supervisor from its workers: whatever a child does (floods, crashes, hangs, refuses to die, leaves
 * processes running), the parent gets its complete lines and the end of its standard error, and continues within
 * bounded time.
 *
 * child_start runs this program again, so main() below is also the main function of the tests' children.
 */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "runner/supervise/child.h"

/* ---- the children ---- */

static void play_echo(void)
{
    char line[256];
    while (fgets(line, sizeof line, stdin)) {
        (void)printf("got %s", line);
        (void)fflush(stdout);
    }
}

static void play_lines(void)
{
    for (int i = 0; i < 50000; i++)
        (void)printf("line %d of many, long enough to fill more than one buffer of any pipe\n", i);
    (void)printf("an unfinished line");
}

static void play_flood_of_errors(void)
{
    for (int i = 0; i < 20000; i++)
        (void)fprintf(stderr, "message %d\n", i);
    (void)printf("done\n");
}

static void play_crash(void)
{
    const struct rlimit none = {0, 0};
    (void)setrlimit(RLIMIT_CORE, &none);
    (void)signal(SIGSEGV, SIG_DFL); /* a sanitizer has its own handler */
    (void)printf("half a li");
    (void)fflush(stdout);
    (void)fprintf(stderr, "about to crash\n");
    (void)raise(SIGSEGV);
}

static void play_hang(void)
{
    for (;;)
        (void)pause();
}

static void play_stubborn(void)
{
    (void)printf("ready\n");
    (void)fflush(stdout);
    play_hang();
}

/* Ends, leaving a process that holds its pipes. */
static void play_orphan(void)
{
    const pid_t pid = fork();
    if (pid == 0)
        play_hang();
    (void)printf("%d\n", (int)pid);
}

static void play_signals(void)
{
    sigset_t blocked;
    struct sigaction hangup, terminate;
    (void)sigprocmask(SIG_SETMASK, NULL, &blocked);
    (void)sigaction(SIGHUP, NULL, &hangup);
    (void)sigaction(SIGTERM, NULL, &terminate);
    (void)printf("%s %s %s %s\n", sigismember(&blocked, SIGHUP) ? "blocked" : "open",
                 hangup.sa_handler == SIG_IGN ? "ignored" : "default",
                 terminate.sa_handler == SIG_IGN ? "ignored" : "default", getpgrp() == getpid() ? "own" : "shared");
}

static void play_code(void)
{
    exit(3);
}

/* Starts its own child, prints its number and is then killed by the test. */
static void play_parent(void)
{
    char *const arguments[] = {"child", "hang", NULL};
    struct child child;
    struct error error;
    if (child_start(&child, arguments, &error) != STATUS_OK)
        exit(1);
    (void)printf("%d\n", (int)child.pid);
    (void)fflush(stdout);
    play_hang();
}

static void play_deaf(void)
{
    (void)close(STDIN_FILENO);
    (void)printf("closed\n");
    (void)fflush(stdout);
    play_hang();
}

/* Answers only after reading everything, and writes so much meanwhile that both directions fill up. */
static void play_busy(void)
{
    size_t read_bytes = 0;
    int c;
    play_flood_of_errors();
    for (int i = 0; i < 20000; i++)
        (void)printf("line %d\n", i);
    while ((c = getchar()) != '\n' && c != EOF)
        read_bytes++;
    (void)printf("%zu bytes\n", read_bytes);
}

/* Lines with a NUL inside. */
static void play_nul(void)
{
    (void)fwrite("a\0b\n\n", 1, 5, stdout);
}

/* Writes a line that never ends, without reading. */
static void play_endless(void)
{
    char bytes[4096];
    memset(bytes, 'x', sizeof bytes);
    (void)printf("a line\n");
    while (fwrite(bytes, 1, sizeof bytes, stdout) == sizeof bytes)
        continue;
}

/* The longest allowed line, and a line one byte longer. */
static void play_longest(void)
{
    for (int line = 0; line < 2; line++) {
        for (int i = 0; i < CHILD_LINE_MAXIMUM + line; i++)
            (void)putchar('x');
        (void)putchar('\n');
    }
}

static const struct role {
    const char *name;
    void (*play)(void);
} roles[] = {
    {"echo", play_echo},     {"lines", play_lines},     {"errors", play_flood_of_errors},
    {"crash", play_crash},   {"hang", play_hang},       {"stubborn", play_stubborn},
    {"orphan", play_orphan}, {"code", play_code},       {"signals", play_signals},
    {"parent", play_parent}, {"deaf", play_deaf},       {"busy", play_busy},
    {"nul", play_nul},       {"endless", play_endless}, {"longest", play_longest},
};

static int play(const char *name)
{
    for (size_t i = 0; i < sizeof roles / sizeof *roles; i++)
        if (strcmp(roles[i].name, name) == 0) {
            roles[i].play();
            return 0;
        }
    return 99;
}

/* ---- the tests ---- */

static struct child start(const char *role)
{
    char name[32];
    struct child child;
    struct error error = {0};
    (void)snprintf(name, sizeof name, "%s", role);
    char *const arguments[] = {"child", name, NULL};
    if (child_start(&child, arguments, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    return child;
}

static const char *expect_line(struct child *child)
{
    const char *line = NULL;
    assert_int_equal(child_next(child, -1, 120, &line), CHILD_LINE);
    return line;
}

static void expect_ended(struct child *child)
{
    const char *line = NULL;
    assert_int_equal(child_next(child, -1, 120, &line), CHILD_ENDED);
}

static void expect_exit(struct child *child, int code)
{
    int wait_status = -1;
    assert_true(child_finish(child, 120, &wait_status));
    assert_true(WIFEXITED(wait_status));
    assert_int_equal(WEXITSTATUS(wait_status), code);
    child_release(child);
}

static void expect_signal(struct child *child, double seconds, int number)
{
    int wait_status = -1;
    assert_true(child_finish(child, seconds, &wait_status));
    assert_true(WIFSIGNALED(wait_status));
    assert_int_equal(WTERMSIG(wait_status), number);
    child_release(child);
}

/* Whether the process is gone, or goes within a minute. A zombie that nobody reaps counts as gone. */
static bool vanishes(pid_t pid)
{
    char path[64], state[512];
    (void)snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    for (int i = 0; i < 6000; i++) {
        FILE *file = fopen(path, "r");
        if (!file)
            return true;
        const bool read = fgets(state, sizeof state, file) != NULL;
        (void)fclose(file);
        if (!read || strstr(state, ") Z "))
            return true;
        const struct timespec pause = {.tv_nsec = 10 * 1000 * 1000};
        (void)nanosleep(&pause, NULL);
    }
    return false;
}

static void lines_go_both_ways(void **state)
{
    (void)state;
    struct child child = start("echo");
    struct error error = {0};
    assert_int_equal(child_send(&child, "one", &error), STATUS_OK);
    assert_string_equal(expect_line(&child), "got one");
    assert_int_equal(child_send(&child, "two\nthree", &error), STATUS_OK);
    assert_string_equal(expect_line(&child), "got two");
    assert_string_equal(expect_line(&child), "got three");
    expect_exit(&child, 0); /* it ends at the end of its input */
}

static void every_line_arrives_and_an_unfinished_one_does_not(void **state)
{
    char expected[128];
    (void)state;
    struct child child = start("lines");
    for (int i = 0; i < 50000; i++) {
        (void)snprintf(expected, sizeof expected,
                       "line %d of many, long enough to fill more than one buffer of any pipe", i);
        assert_string_equal(expect_line(&child), expected);
    }
    expect_ended(&child);
    expect_exit(&child, 0);
}

static void a_flood_of_errors_neither_blocks_nor_piles_up(void **state)
{
    (void)state;
    struct child child = start("errors");
    int wait_status = -1;
    assert_string_equal(expect_line(&child), "done");
    assert_true(child_finish(&child, 120, &wait_status));
    assert_int_equal(child.error_tail.size, CHILD_STDERR_KEPT);
    const char *last = "message 19999\n";
    assert_string_equal(text_string(&child.error_tail) + CHILD_STDERR_KEPT - strlen(last), last);
    child_release(&child);
}

static void a_crash_is_told_with_its_last_words(void **state)
{
    char fate[96];
    int wait_status = -1;
    (void)state;
    struct child child = start("crash");
    expect_ended(&child);
    assert_true(child_finish(&child, 120, &wait_status));
    assert_string_equal(child_fate(wait_status, fate), "was killed by SIGSEGV (Segmentation fault)");
    assert_string_equal(text_string(&child.error_tail), "about to crash\n");
    child_release(&child);
}

static void an_exit_code_is_told(void **state)
{
    char fate[96];
    (void)state;
    struct child child = start("code");
    int wait_status = -1;
    expect_ended(&child);
    assert_true(child_finish(&child, 120, &wait_status));
    assert_string_equal(child_fate(wait_status, fate), "ended with exit code 3");
    child_release(&child);
}

static void a_hang_costs_its_time_and_then_is_killed(void **state)
{
    const char *line = NULL;
    (void)state;
    struct child child = start("hang");
    const double before = clock_seconds();
    assert_int_equal(child_next(&child, -1, 0.25, &line), CHILD_TIMEOUT);
    assert_true(clock_seconds() - before >= 0.25);
    assert_int_equal(child_next(&child, -1, 0, &line), CHILD_TIMEOUT);
    expect_signal(&child, 0, SIGKILL);
    assert_true(clock_seconds() - before < 60);
}

static void a_child_that_takes_no_end_of_input_is_killed(void **state)
{
    (void)state;
    struct child child = start("stubborn");
    assert_string_equal(expect_line(&child), "ready");
    const double before = clock_seconds();
    expect_signal(&child, 0.1, SIGKILL);
    assert_true(clock_seconds() - before < 60);
}

/* A stopped child is killed too. */
static void a_stopped_child_is_killed(void **state)
{
    (void)state;
    struct child child = start("stubborn");
    assert_string_equal(expect_line(&child), "ready");
    assert_int_equal(kill(child.pid, SIGSTOP), 0);
    expect_signal(&child, 0, SIGKILL);
}

static void processes_left_behind_delay_nothing_and_are_killed(void **state)
{
    (void)state;
    struct child child = start("orphan");
    const double before = clock_seconds();
    char *end = NULL;
    const pid_t left = (pid_t)strtol(expect_line(&child), &end, 10);
    assert_true(left > 1);
    expect_ended(&child); /* although another process holds the pipe */
    assert_true(clock_seconds() - before < 60);
    expect_exit(&child, 0);
    assert_true(vanishes(left));
}

static void a_readable_wake_comes_before_lines(void **state)
{
    int ends[2];
    const char *line = NULL;
    (void)state;
    struct child child = start("echo");
    struct error error = {0};
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(child_next(&child, ends[0], 0.05, &line), CHILD_TIMEOUT);
    assert_int_equal(child_send(&child, "one\ntwo", &error), STATUS_OK);
    assert_int_equal(child_next(&child, ends[0], 20, &line), CHILD_LINE);
    assert_int_equal(write(ends[1], "x", 1), 1);
    assert_int_equal(child_next(&child, ends[0], 20, &line), CHILD_INTERRUPT);
    assert_int_equal(child_next(&child, ends[0], -1, &line), CHILD_INTERRUPT);
    assert_string_equal(expect_line(&child), "got two"); /* nothing was lost */
    (void)close(ends[0]);
    (void)close(ends[1]);
    expect_exit(&child, 0);
}

static void a_child_has_its_own_group_and_signals(void **state)
{
    sigset_t hangup, before;
    (void)state;
    (void)sigemptyset(&hangup);
    (void)sigaddset(&hangup, SIGHUP);
    assert_int_equal(sigprocmask(SIG_BLOCK, &hangup, &before), 0);
    void (*const handler)(int) = signal(SIGHUP, SIG_IGN);
    struct child child = start("signals");
    assert_string_equal(expect_line(&child), "open default ignored own");
    (void)signal(SIGHUP, handler);
    assert_int_equal(sigprocmask(SIG_SETMASK, &before, NULL), 0);
    expect_exit(&child, 0);
}

static void a_child_dies_with_its_parent(void **state)
{
    (void)state;
    struct child child = start("parent");
    char *end = NULL;
    const pid_t grandchild = (pid_t)strtol(expect_line(&child), &end, 10);
    assert_true(grandchild > 1);
    assert_int_equal(getpgid(grandchild), grandchild); /* so that killing its parent's group does not reach it */
    expect_signal(&child, 0, SIGKILL);
    assert_true(vanishes(grandchild));
}

static void a_child_that_does_not_read_is_an_error(void **state)
{
    (void)state;
    struct child child = start("deaf");
    struct error error = {0};
    assert_string_equal(expect_line(&child), "closed");
    assert_int_equal(child_send(&child, "work", &error), STATUS_SYSTEM);
    assert_non_null(strstr(error.text, "cannot send work to a worker"));
    expect_signal(&child, 0, SIGKILL);
}

/* Both sides write more than the pipes hold before either reads: a naive parent would wait forever. */
static void a_long_line_gets_through_to_a_child_that_writes_too(void **state)
{
    (void)state;
    enum { SIZE = 1024 * 1024 };
    char *line = malloc(SIZE + 1);
    assert_non_null(line);
    memset(line, 'x', SIZE);
    line[SIZE] = '\0';
    struct child child = start("busy");
    struct error error = {0};
    assert_int_equal(child_send(&child, line, &error), STATUS_OK);
    assert_string_equal(expect_line(&child), "done");
    assert_string_equal(expect_line(&child), "line 0");
    for (int i = 1; i < 20000; i++)
        (void)expect_line(&child);
    assert_string_equal(expect_line(&child), "1048576 bytes");
    free(line);
    expect_exit(&child, 0);
}

/* A parent started without standard streams gets pipes with descriptors 0 to 2. */
static void a_parent_without_standard_streams_can_start_children(void **state)
{
    (void)state;
    int saved[3];
    for (int i = 0; i < 3; i++) {
        saved[i] = dup(i);
        assert_true(saved[i] > 2);
    }
    for (int i = 0; i < 3; i++)
        (void)close(i);
    char *const arguments[] = {"child", "echo", NULL};
    struct child child;
    struct error error = {0};
    const char *line = NULL;
    const enum status started = child_start(&child, arguments, &error);
    const enum status sent = started == STATUS_OK ? child_send(&child, "one", &error) : STATUS_INTERNAL;
    const enum child_event event = sent == STATUS_OK ? child_next(&child, -1, 20, &line) : CHILD_ENDED;
    for (int i = 0; i < 3; i++) {
        /* A pipe of the child may have this number: it is moved. */
        int *const ours[] = {&child.input, &child.output, &child.errors};
        for (size_t k = 0; k < 3; k++)
            if (*ours[k] == i)
                *ours[k] = dup(i);
        assert_int_equal(dup2(saved[i], i), i);
        (void)close(saved[i]);
    }
    assert_int_equal(started, STATUS_OK);
    assert_int_equal(sent, STATUS_OK);
    assert_int_equal(event, CHILD_LINE);
    assert_string_equal(line, "got one");
    expect_exit(&child, 0);
}

static void a_line_has_its_size_whatever_its_bytes(void **state)
{
    (void)state;
    struct child child = start("nul");
    const char *line = expect_line(&child);
    assert_int_equal(child.line_size, 3);
    assert_memory_equal(line, "a\0b", 4);
    assert_string_equal(expect_line(&child), "");
    assert_int_equal(child.line_size, 0);
    expect_exit(&child, 0);
}

static void a_line_without_an_end_takes_bounded_memory(void **state)
{
    (void)state;
    struct child child = start("endless");
    assert_string_equal(expect_line(&child), "a line");
    expect_ended(&child);
    assert_true(child.too_long);
    assert_true(child.received.capacity <= 2 * (CHILD_LINE_MAXIMUM + CHILD_READ_AHEAD));
    assert_false(child.stopped);
    expect_signal(&child, 20, SIGPIPE); /* its output has no reader */
}

static void the_longest_line_arrives_and_a_longer_one_does_not(void **state)
{
    (void)state;
    struct child child = start("longest");
    assert_int_equal(strlen(expect_line(&child)), CHILD_LINE_MAXIMUM);
    assert_false(child.too_long);
    expect_ended(&child);
    assert_true(child.too_long);
    assert_true(child_finish(&child, 0, NULL));
    child_release(&child);
}

/* While a long line is sent, the child's output is kept, but only a bounded amount. */
static void a_flood_while_sending_takes_bounded_memory(void **state)
{
    (void)state;
    struct child child = start("endless");
    struct error error = {0};
    char *line = malloc(1 << 20);
    assert_non_null(line);
    memset(line, 'x', (1 << 20) - 1);
    line[(1 << 20) - 1] = '\0';
    const pid_t killer = fork(); /* so that the sending ends */
    if (killer == 0) {
        (void)sleep(1);
        (void)kill(child.pid, SIGKILL);
        _exit(0);
    }
    assert_int_equal(child_send(&child, line, &error), STATUS_SYSTEM);
    assert_int_equal(waitpid(killer, NULL, 0), killer);
    assert_true(child.received.size <= CHILD_LINE_MAXIMUM + 2 * CHILD_READ_AHEAD);
    free(line);
    assert_true(child_finish(&child, 0, NULL));
    child_release(&child);
}

static void the_backlog_is_what_was_said_and_not_heard(void **state)
{
    (void)state;
    struct child child = start("echo");
    struct error error = {0};
    assert_int_equal(child_backlog(&child), 0);
    assert_int_equal(child_send(&child, "one\ntwo", &error), STATUS_OK);
    assert_string_equal(expect_line(&child), "got one");
    while (child_backlog(&child) < 8)
        continue;
    assert_int_equal(child_backlog(&child), 8);
    assert_string_equal(expect_line(&child), "got two");
    assert_int_equal(child_backlog(&child), 0);
    expect_exit(&child, 0);
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[0], "child") == 0)
        return play(argv[1]);
    (void)signal(SIGPIPE, SIG_IGN); /* as orchil's main does */
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_go_both_ways),
        cmocka_unit_test(every_line_arrives_and_an_unfinished_one_does_not),
        cmocka_unit_test(a_flood_of_errors_neither_blocks_nor_piles_up),
        cmocka_unit_test(a_crash_is_told_with_its_last_words),
        cmocka_unit_test(an_exit_code_is_told),
        cmocka_unit_test(a_hang_costs_its_time_and_then_is_killed),
        cmocka_unit_test(a_child_that_takes_no_end_of_input_is_killed),
        cmocka_unit_test(a_stopped_child_is_killed),
        cmocka_unit_test(processes_left_behind_delay_nothing_and_are_killed),
        cmocka_unit_test(a_readable_wake_comes_before_lines),
        cmocka_unit_test(a_child_has_its_own_group_and_signals),
        cmocka_unit_test(a_child_dies_with_its_parent),
        cmocka_unit_test(a_child_that_does_not_read_is_an_error),
        cmocka_unit_test(a_long_line_gets_through_to_a_child_that_writes_too),
        cmocka_unit_test(a_parent_without_standard_streams_can_start_children),
        cmocka_unit_test(a_line_has_its_size_whatever_its_bytes),
        cmocka_unit_test(a_line_without_an_end_takes_bounded_memory),
        cmocka_unit_test(the_longest_line_arrives_and_a_longer_one_does_not),
        cmocka_unit_test(a_flood_while_sending_takes_bounded_memory),
        cmocka_unit_test(the_backlog_is_what_was_said_and_not_heard),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
