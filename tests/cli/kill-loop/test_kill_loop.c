// SPDX-License-Identifier: Apache-2.0
/*
 * Protects the promise that kill -9 of the supervisor, at any moment, loses nothing that was reported and leaves
 * nothing half done: many runs into one database are killed at seeded random moments, on a simulated device and on one
 * of Vulkan, whose driver has threads and a compiler of its own. After each, the file opens and is sound, jobs printed
 * as finished are in it with the same numbers, and the worker has died with its supervisor. ORCHIL_KILLS is another
 * number of runs.
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
#include <dirent.h>
#include <fcntl.h>
#include <jansson.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/random.h"
#include "cli/verb.h"
#include "results/results.h"
#include "runner/worker/worker.h"

enum { LINE_SIZE = 4096 };

static const struct device {
    const char *name;
    unsigned kills;
    uint32_t longest_ms;   /* no kill comes later in a run */
    const char *instances; /* a job lasts longer than its first batches wait to be stored */
} simulated = {"simulated", 12, 1100, "6k"}, vulkan = {"vulkan:0", 3, 30000, "700k"};

static const char data[] = ORCHIL_SOURCE_DIR "/tests/cli/kill-loop";

/* ---- one run ---- */

static void sleep_ms(uint32_t milliseconds)
{
    const struct timespec pause = {.tv_sec = milliseconds / 1000, .tv_nsec = milliseconds % 1000 * 1000000L};
    (void)nanosleep(&pause, NULL);
}

/* A new, empty file. */
static int create(const char *name)
{
    (void)unlink(name);
    const int descriptor = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    assert_true(descriptor >= 0);
    return descriptor;
}

static pid_t start_run(const struct device *device, unsigned number)
{
    /* Before the fork: a run that is killed at once must not leave the previous run's output as its own. */
    const int output = create("output"), messages = create("messages");
    const pid_t pid = fork();
    if (pid != 0) {
        (void)close(output);
        (void)close(messages);
        return pid;
    }
    char name[16], seed[16], instances[16], one[256], two[256], three[256];
    char *words[] = {(char *)(uintptr_t) "orchil run",
                     (char *)(uintptr_t) "--device",
                     name,
                     (char *)(uintptr_t) "--instances",
                     instances,
                     (char *)(uintptr_t) "--json",
                     (char *)(uintptr_t) "--no-cache",
                     (char *)(uintptr_t) "--db",
                     (char *)(uintptr_t) "kill.db",
                     (char *)(uintptr_t) "--seed",
                     seed,
                     one,
                     two,
                     three,
                     NULL};
    (void)snprintf(name, sizeof name, "%s", device->name);
    (void)snprintf(instances, sizeof instances, "%s", device->instances);
    (void)snprintf(seed, sizeof seed, "%u", number);
    (void)snprintf(one, sizeof one, "%s/one.litmus", data);
    (void)snprintf(two, sizeof two, "%s/two.litmus", data);
    (void)snprintf(three, sizeof three, "%s/three.litmus", data);
    if (dup2(output, STDOUT_FILENO) < 0 || dup2(messages, STDERR_FILENO) < 0)
        _exit(99);
    const int code = verb_execute(&verb_run, (int)(sizeof words / sizeof *words) - 1, words);
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

/* ---- checks after a kill ---- */

/* A job in a line of output, and whether the database agrees. */
struct reported {
    const char *test, *state;
    json_int_t run, instances, witnesses;
    bool found;
};

static json_int_t count_witnesses(struct store *store, int64_t job_id)
{
    struct store_cursor outcomes;
    struct error error;
    json_int_t sum = 0;
    store_query(store, STORE_OUTCOMES, job_id, &outcomes, &error);
    while (store_next(&outcomes))
        sum += outcomes.count.witness ? (json_int_t)outcomes.count.count : 0;
    assert_int_equal(store_end(&outcomes, STATUS_OK), STATUS_OK);
    return sum;
}

static bool compare(struct store *store, const struct store_job_row *row, struct reported *reported)
{
    if (row->run_id != reported->run || strcmp(row->test, reported->test) != 0)
        return true;
    assert_string_equal(job_state_word(row->state), reported->state);
    assert_int_equal(row->instances, reported->instances);
    assert_int_equal(count_witnesses(store, row->job_id), reported->witnesses);
    reported->found = true;
    return false;
}

/* Every whole line of the output is a job of a run since `*newest` that must be stored; returns their number. */
static unsigned check_reported(struct store *store, json_int_t *newest)
{
    const json_int_t before = *newest;
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
        struct store_cursor jobs;
        store_query(store, STORE_JOBS, reported.run, &jobs, &error);
        while (store_next(&jobs) && compare(store, &jobs.job, &reported))
            ;
        assert_int_equal(store_end(&jobs, STATUS_OK), STATUS_OK);
        assert_true(reported.found);
        assert_true(reported.run > before);
        *newest = reported.run;
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

static void count_job(const struct store_job_row *row, struct census *census)
{
    if (row->state == JOB_COMPLETED)
        census->completed++;
    else if (row->state == JOB_STARTED) {
        census->started++;
        census->in_progress |= row->batches > 0;
    } else
        census->other++;
}

static unsigned check_database(struct census *census, json_int_t *newest)
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
    const unsigned reported = check_reported(store, newest);
    *census = (struct census){0};
    struct store_cursor jobs;
    store_query(store, STORE_JOBS, 0, &jobs, &error);
    while (store_next(&jobs))
        count_job(&jobs.job, census);
    assert_int_equal(store_end(&jobs, STATUS_OK), STATUS_OK);
    text_release(&findings);
    store_close(store);
    return reported;
}

/* ---- the loop ---- */

/* Runs without errors, and returns how long that takes: a run must be killed before that. 0: there is no such
 * device. */
static uint32_t undisturbed_ms(const struct device *device, json_int_t *newest)
{
    struct census census;
    int status;
    const double start = clock_seconds();
    const pid_t pid = start_run(device, 1000);
    assert_int_equal(waitpid(pid, &status, 0), pid);
    const double milliseconds = (clock_seconds() - start) * 1000;
    assert_true(WIFEXITED(status));
    if (WEXITSTATUS(status) == 4 && access("kill.db", F_OK) != 0)
        return 0;
    assert_int_equal(WEXITSTATUS(status), 0);
    assert_int_equal(check_database(&census, newest), 3);
    return milliseconds < device->longest_ms ? (uint32_t)milliseconds : device->longest_ms;
}

/* Whether the moments of the kills differ enough to show something. */
static bool enough(const struct census *census, unsigned kills, unsigned killed, unsigned reported)
{
    return killed >= kills / 2 && census->started >= kills / 4 && reported >= 6 && census->in_progress;
}

static unsigned kills_of(const struct device *device)
{
    const char *kills = getenv("ORCHIL_KILLS");
    return kills ? (unsigned)strtoul(kills, NULL, 10) : device->kills;
}

static void kill_runs(const struct device *device)
{
    struct random random = random_start(20240229, 0, 0, 0);
    struct census census = {0};
    unsigned reported = 3, killed = 0, runs = 0;
    const unsigned kills = kills_of(device);
    json_int_t newest = 0;
    int status;
    const uint32_t longest = undisturbed_ms(device, &newest);
    if (longest == 0 && device != &simulated)
        skip(); /* no such device */
    /* On a machine whose load changes, many kills may come too early or too late: then there are more of them. */
    for (; runs < kills || (runs < 4 * kills && !enough(&census, kills, killed, reported)); runs++) {
        const pid_t pid = start_run(device, runs);
        assert_true(pid > 0);
        sleep_ms(random_below(&random, longest));
        assert_int_equal(kill(pid, SIGKILL), 0);
        assert_int_equal(waitpid(pid, &status, 0), pid);
        killed += WIFSIGNALED(status) != 0;
        reap_workers();
        reported += check_database(&census, &newest);
        assert_true(census.completed >= reported); /* one may have been stored and not yet printed */
    }
    print_message("%s: %u of %u runs killed; jobs: %u reported, %u completed, %u begun\n", device->name, killed, runs,
                  reported, census.completed, census.started);
    assert_true(enough(&census, kills, killed, reported));
    assert_int_equal(census.other, 0);
    (void)undisturbed_ms(device, &newest); /* after all that, all is well */
}

static void test_simulated(void **state)
{
    (void)state;
    kill_runs(&simulated);
}

static void test_vulkan(void **state)
{
    (void)state;
    kill_runs(&vulkan);
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

/* Everything in the folder: a killed run leaves its lock. */
static int remove_files(void **state)
{
    (void)state;
    DIR *folder = opendir(".");
    for (const struct dirent *entry; folder && (entry = readdir(folder));)
        (void)unlink(entry->d_name);
    return folder ? closedir(folder) : -1;
}

static int leave_folder(void **state)
{
    return chdir("/") == 0 && rmdir(*state) == 0 ? 0 : -1;
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(test_simulated, remove_files),
        cmocka_unit_test_teardown(test_vulkan, remove_files),
    };
    if (argc > 1 && strcmp(argv[1], "worker") == 0)
        return worker_main(argc - 1, argv + 1);
    return cmocka_run_group_tests(tests, enter_folder, leave_folder);
}
