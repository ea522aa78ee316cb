// SPDX-License-Identifier: Apache-2.0
/*
 * Protects the promise that kill -9 of the supervisor, at any moment, loses nothing that was reported and leaves nothing
 * half done: 60 runs into one database are killed at seeded random moments. After each, the file opens and is sound, what
 * was printed as finished is there with the same numbers, and the worker has died with its supervisor.
 *
 * This program is also the supervisor (after a fork) and the worker (called with "worker", as orchil calls itself).
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <fcntl.h>
#include <jansson.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/random.h"
#include "results/results.h"
#include "runner/verb.h"

enum { KILLS = 60, LONGEST_MS = 1100, LINE_SIZE = 4096 };

static const char data[] = ORCHIL_SOURCE_DIR "/tests/runner/faults";

/* ---- one run ---- */

static void sleep_ms(uint32_t milliseconds)
{
    const struct timespec pause = {.tv_sec = milliseconds / 1000, .tv_nsec = milliseconds % 1000 * 1000000L};
    (void)nanosleep(&pause, NULL);
}

static pid_t start_run(unsigned number)
{
    const pid_t pid = fork();
    if (pid != 0)
        return pid;
    char seed[16], one[256], two[256], three[256];
    char *words[] = {(char *)(uintptr_t) "orchil run",
                     (char *)(uintptr_t) "--device",
                     (char *)(uintptr_t) "simulated",
                     (char *)(uintptr_t) "--instances",
                     (char *)(uintptr_t) "6k",
                     (char *)(uintptr_t) "--json",
                     (char *)(uintptr_t) "--db",
                     (char *)(uintptr_t) "kill.db",
                     (char *)(uintptr_t) "--seed",
                     seed,
                     one,
                     two,
                     three,
                     NULL};
    const int output = open("output", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    const int messages = open("messages", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    (void)snprintf(seed, sizeof seed, "%u", number);
    (void)snprintf(one, sizeof one, "%s/one.litmus", data);
    (void)snprintf(two, sizeof two, "%s/two.litmus", data);
    (void)snprintf(three, sizeof three, "%s/three.litmus", data);
    if (dup2(output, STDOUT_FILENO) < 0 || dup2(messages, STDERR_FILENO) < 0)
        _exit(99);
    const int code = verb_run((int)(sizeof words / sizeof *words) - 1, words);
    (void)fflush(stdout);
    _exit(code);
}

/* Waits for all processes that the run left behind: they are reparented to this one, and must be about to die. */
static void reap_workers(void)
{
    for (unsigned tries = 0; tries < 500; tries++) {
        int status;
        const pid_t pid = waitpid(-1, &status, WNOHANG);
        if (pid < 0)
            return; /* none is left */
        if (pid == 0)
            sleep_ms(10);
    }
    fail_msg("a worker has outlived its supervisor by five seconds");
}

/* ---- what must hold afterwards ---- */

/* What a line of output said of a job, and whether the database says the same. */
struct reported {
    const char *test, *state;
    json_int_t run, instances, witnesses;
    bool found;
};

static bool compare(const struct store_job_row *row, void *context)
{
    struct reported *reported = context;
    if (row->run_id != reported->run || strcmp(row->test, reported->test) != 0)
        return true;
    assert_string_equal(row->state, reported->state);
    assert_int_equal(row->instances, reported->instances);
    assert_int_equal(row->witnesses, reported->witnesses);
    reported->found = true;
    return false;
}

/* Every whole line of the output is a job that must be there; how many there are. */
static unsigned check_reported(struct store *store)
{
    char line[LINE_SIZE];
    unsigned count = 0;
    FILE *output = fopen("output", "re");
    assert_non_null(output);
    while (fgets(line, sizeof line, output) && strchr(line, '\n')) {
        struct reported reported = {.found = false};
        struct error error;
        json_t *job = json_loads(line, 0, NULL);
        assert_int_equal(json_unpack(job, "{s:s, s:s, s:I, s:I, s:I}", "test", &reported.test, "state", &reported.state,
                                     "run", &reported.run, "instances", &reported.instances, "witnesses",
                                     &reported.witnesses),
                         0);
        assert_int_equal(store_each_job(store, reported.run, compare, &reported, &error), STATUS_OK);
        assert_true(reported.found);
        json_decref(job);
        count++;
    }
    assert_int_equal(fclose(output), 0);
    return count;
}

/* The jobs of the database by their state. */
struct census {
    unsigned completed, started, other;
    bool in_progress; /* a job that was killed has batches */
};

static bool count_job(const struct store_job_row *row, void *context)
{
    struct census *census = context;
    if (strcmp(row->state, "completed") == 0)
        census->completed++;
    else if (strcmp(row->state, "started") == 0) {
        census->started++;
        census->in_progress |= row->batches > 0;
    } else
        census->other++;
    return true;
}

static unsigned check_database(struct census *census)
{
    struct store *store;
    struct text findings = {0};
    struct error error;
    if (access("kill.db", F_OK) != 0)
        return 0; /* killed before it began */
    if (store_open("kill.db", STORE_WRITE, &store, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    assert_int_equal(store_check(store, &findings, &error), STATUS_OK);
    assert_string_equal(text_string(&findings), "");
    const unsigned reported = check_reported(store);
    *census = (struct census){0};
    assert_int_equal(store_each_job(store, 0, count_job, census, &error), STATUS_OK);
    text_release(&findings);
    store_close(store);
    return reported;
}

/* ---- the loop ---- */

/* How long a run takes here: it is to be killed before that. It has nothing to complain of. */
static uint32_t undisturbed_ms(void)
{
    struct census census;
    int status;
    const double start = clock_seconds();
    const pid_t pid = start_run(1000);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    const double milliseconds = (clock_seconds() - start) * 1000;
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
    assert_int_equal(check_database(&census), 3);
    return milliseconds < LONGEST_MS ? (uint32_t)milliseconds : LONGEST_MS;
}

static void test_kill_loop(void **state)
{
    struct random random = random_start(20240229, 0, 0, 0);
    struct census census = {0};
    unsigned reported = 3, killed = 0;
    int status;
    (void)state;
    const uint32_t longest = undisturbed_ms();
    for (unsigned i = 0; i < KILLS; i++) {
        const pid_t pid = start_run(i);
        assert_true(pid > 0);
        sleep_ms(random_below(&random, longest));
        assert_int_equal(kill(pid, SIGKILL), 0);
        assert_int_equal(waitpid(pid, &status, 0), pid);
        killed += WIFSIGNALED(status) != 0;
        reap_workers();
        reported += check_database(&census);
    }
    print_message("%u of %d runs killed; jobs: %u reported, %u completed, %u begun\n", killed, KILLS, reported,
                  census.completed, census.started);
    assert_true(census.completed >= reported); /* one may have been stored and not yet printed */
    assert_true(killed >= KILLS / 2 && census.started >= KILLS / 4 && reported >= 6 && census.in_progress);
    assert_int_equal(census.other, 0);
    (void)undisturbed_ms(); /* after all that, all is well */
}

static int enter_folder(void **state)
{
    static char folder[] = "/tmp/orchil-kill.XXXXXX";
    char script[256];
    (void)snprintf(script, sizeof script, "%s/script.json", data);
    *state = folder;
    return mkdtemp(folder) && chdir(folder) == 0 && setenv("ORCHIL_SIMULATED", script, 1) == 0 &&
                   prctl(PR_SET_CHILD_SUBREAPER, 1) == 0
               ? 0
               : -1;
}

static int leave_folder(void **state)
{
    static const char *const files[] = {"output", "messages", "kill.db", "kill.db-wal", "kill.db-shm"};
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        (void)unlink(files[i]);
    return chdir("/") == 0 && rmdir(*state) == 0 ? 0 : -1;
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_kill_loop)};
    if (argc > 1 && strcmp(argv[1], "worker") == 0)
        return verb_worker(argc - 1, argv + 1);
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
