// SPDX-License-Identifier: Apache-2.0
/* Protects the faults of the simulated backend, which the tests of the supervisor use: each happens where and how the
 * script says, in its own process, and what must outlive that process does. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "tests/backends/simulated/fixture.h"

/* The script is copied, because its state file is next to it. */
static char folder[] = "/tmp/orchil-test-XXXXXX";

static void remove_state(void)
{
    char path[128];
    (void)snprintf(path, sizeof path, "%s/state.json", folder);
    (void)unlink(path);
}

static int set_up(void **state)
{
    char from[512], to[128], bytes[8192];
    (void)state;
    if (!mkdtemp(folder))
        return -1;
    (void)snprintf(from, sizeof from, "%s/tests/backends/simulated/faults.json", ORCHIL_SOURCE_DIR);
    (void)snprintf(to, sizeof to, "%s/faults.json", folder);
    FILE *source = fopen(from, "re"), *copy = fopen(to, "we");
    if (!source || !copy)
        return -1;
    const size_t size = fread(bytes, 1, sizeof bytes, source);
    const bool copied = size < sizeof bytes && fwrite(bytes, 1, size, copy) == size;
    return fclose(source) == 0 && fclose(copy) == 0 && copied ? setenv("ORCHIL_SIMULATED", to, 1) : -1;
}

static int tear_down(void **state)
{
    char path[128];
    (void)state;
    remove_state();
    (void)snprintf(path, sizeof path, "%s/faults.json", folder);
    return unlink(path) == 0 && rmdir(folder) == 0 ? 0 : -1;
}

/* In a child: opens a device, builds a test and runs batches of 100 instances. Exit code: 10 + the first status that is
 * not OK, 5 if all batches were right, 6 if one did not add up. */
_Noreturn static void be_worker(unsigned device, const char *test, uint64_t batches)
{
    struct backend_session *session;
    struct backend_program *program;
    struct text log = {0};
    struct error error = {0};
    bool right = true;
    const struct rlimit none = {0};
    (void)setrlimit(RLIMIT_CORE, &none);
    enum status status = backend_open(&simulated_backend, device, &session, &error);
    if (status == STATUS_OK)
        status = fixture_try_build(session, test, &program, &log, &error);
    for (uint64_t batch = 0; status == STATUS_OK && batch < batches; batch++) {
        uint32_t counters[COUNTERS];
        status = fixture_try(session, program, batch, 100, counters, &error);
        right &= status != STATUS_OK || fixture_sum(counters) == 100;
    }
    _exit(status != STATUS_OK ? 10 + (int)status : right ? 5 : 6);
}

static pid_t start_worker(unsigned device, const char *test, uint64_t batches)
{
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0)
        be_worker(device, test, batches);
    return child;
}

/* The status from waitpid of a worker that runs to its end. */
static int run_worker(unsigned device, const char *test, uint64_t batches)
{
    int status;
    const pid_t child = start_worker(device, test, batches);
    assert_int_equal(waitpid(child, &status, 0), child);
    return status;
}

static void assert_exit(int status, int code)
{
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), code);
}

static void assert_signal(int status, int number)
{
    assert_true(WIFSIGNALED(status));
    assert_int_equal(WTERMSIG(status), number);
}

static void test_no_fault(void **state)
{
    (void)state;
    assert_exit(run_worker(0, "calm", 10), 5);
    assert_exit(run_worker(0, "segv", 2), 5); /* its fault comes with batch 2 */
}

static void test_crashes(void **state)
{
    (void)state;
    assert_signal(run_worker(0, "segv", 3), SIGSEGV);
    assert_signal(run_worker(0, "abort", 0), SIGABRT); /* while it builds */
    assert_exit(run_worker(0, "exit", 1), 3);
    assert_exit(run_worker(3, "calm", 1), 3); /* while it opens */
}

static void test_hang(void **state)
{
    int status;
    const struct timespec pause = {.tv_nsec = 200000000};
    (void)state;
    const pid_t child = start_worker(0, "hang", 1);
    assert_int_equal(nanosleep(&pause, NULL), 0);
    assert_int_equal(waitpid(child, &status, WNOHANG), 0);
    assert_int_equal(kill(child, SIGTERM), 0);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_signal(status, SIGTERM);
}

static void test_device_lost(void **state)
{
    uint32_t counters[COUNTERS];
    struct error error = {0};
    (void)state;
    assert_exit(run_worker(0, "lost", 1), 5);
    assert_exit(run_worker(0, "lost", 2), 10 + STATUS_DEVICE_LOST);
    assert_exit(run_worker(2, "calm", 1), 10 + STATUS_DEVICE_LOST); /* while it opens */
    /* In the same process, every later call fails. */
    struct backend_session *session = fixture_open(0);
    struct backend_program *program = fixture_build(session, "lost"), *other = fixture_build(session, "calm"), *third;
    struct text log = {0};
    assert_int_equal(fixture_try(session, program, 1, 100, counters, &error), STATUS_DEVICE_LOST);
    assert_string_equal(error.text, "simulated:0 was lost, as its script says");
    assert_int_equal(fixture_try(session, other, 0, 100, counters, &error), STATUS_DEVICE_LOST);
    assert_int_equal(fixture_try_build(session, "calm", &third, &log, &error), STATUS_DEVICE_LOST);
    simulated_backend.release(session, program);
    simulated_backend.release(session, other);
    simulated_backend.close(session);
}

static void test_wrong(void **state)
{
    uint32_t counters[COUNTERS];
    (void)state;
    struct backend_session *session = fixture_open(0);
    struct backend_program *sum = fixture_build(session, "sum"), *zero = fixture_build(session, "zero");
    for (uint64_t batch = 0; batch < 3; batch++) {
        fixture_run(session, sum, batch, 100, counters);
        assert_int_equal(fixture_sum(counters), batch == 1 ? 101 : 100);
    }
    fixture_run(session, zero, 0, 100, counters);
    for (size_t i = 0; i < COUNTERS; i++)
        assert_int_equal(counters[i], 0);
    simulated_backend.release(session, sum);
    simulated_backend.release(session, zero);
    simulated_backend.close(session);
}

static void test_build_error(void **state)
{
    struct backend_program *program;
    struct text log = {0};
    struct error error = {0};
    (void)state;
    struct backend_session *session = fixture_open(1);
    assert_int_equal(fixture_try_build(session, "refused", &program, &log, &error), STATUS_BUILD_FAILED);
    assert_null(program);
    assert_string_equal(error.text, "the simulated compiler of simulated:1 refused the kernel of refused");
    assert_string_equal(error.detail, "line 1\nline 2: no such instruction");
    assert_string_equal(text_string(&log), "line 1\nline 2: no such instruction\n");
    simulated_backend.release(session, fixture_build(session, "calm")); /* the session stays usable */
    text_release(&log);
    simulated_backend.close(session);
}

static void test_slow(void **state)
{
    struct timespec start, end;
    uint32_t counters[COUNTERS];
    (void)state;
    struct backend_session *session = fixture_open(0);
    struct backend_program *program = fixture_build(session, "slow");
    assert_int_equal(clock_gettime(CLOCK_MONOTONIC, &start), 0);
    fixture_run(session, program, 0, 100, counters);
    assert_int_equal(clock_gettime(CLOCK_MONOTONIC, &end), 0);
    assert_true((double)(end.tv_sec - start.tv_sec) + 1e-9 * (double)(end.tv_nsec - start.tv_nsec) >= 0.06);
    assert_int_equal(fixture_sum(counters), 100);
    simulated_backend.release(session, program);
    simulated_backend.close(session);
}

static void test_loud(void **state)
{
    char said[256];
    int ends[2], status;
    size_t size = 0;
    ssize_t got;
    (void)state;
    assert_int_equal(pipe(ends), 0);
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        if (dup2(ends[1], STDERR_FILENO) < 0)
            _exit(1);
        be_worker(0, "loud", 1);
    }
    assert_int_equal(close(ends[1]), 0);
    while ((got = read(ends[0], said + size, sizeof said - 1 - size)) > 0)
        size += (size_t)got;
    said[size] = '\0';
    assert_int_equal(close(ends[0]), 0);
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_signal(status, SIGABRT);
    assert_string_equal(said, "driver: assertion failed\ndriver: bye\n");
}

/* Two tests share one fault; it counts its occurrences across processes. */
static void test_times(void **state)
{
    (void)state;
    remove_state();
    assert_exit(run_worker(0, "twice", 3), 3);
    assert_exit(run_worker(1, "twice again", 3), 3);
    assert_exit(run_worker(0, "twice", 3), 5);
    assert_exit(run_worker(1, "twice again", 3), 5);
    remove_state();
    assert_exit(run_worker(0, "twice", 3), 3);
}

/* A fault that skips the first batches, in whichever process they run. */
static void test_after(void **state)
{
    (void)state;
    remove_state();
    assert_exit(run_worker(0, "late", 2), 5);
    assert_exit(run_worker(0, "late", 2), 3);
    assert_exit(run_worker(0, "late", 8), 5);
}

static void test_wedged(void **state)
{
    (void)state;
    remove_state();
    assert_exit(run_worker(0, "calm", 2), 5);
    assert_exit(run_worker(0, "wedge", 1), 3);
    assert_exit(run_worker(0, "wedge", 1), 6); /* the fault does not happen again, but its effect stays */
    assert_exit(run_worker(0, "calm", 2), 6);
    assert_exit(run_worker(1, "calm", 2), 5); /* another device */
}

static void test_broken_state(void **state)
{
    char path[128];
    struct backend_session *session;
    struct error error = {0};
    (void)state;
    (void)snprintf(path, sizeof path, "%s/state.json", folder);
    FILE *file = fopen(path, "we");
    assert_non_null(file);
    assert_true(fputs("{\"fired\": 1}", file) >= 0);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(backend_open(&simulated_backend, 0, &session, &error), STATUS_SYNTAX);
    assert_non_null(strstr(error.text, "/state.json: not a state of the simulated devices; remove it to start over"));
}

static void test_list_fault(void **state)
{
    int status;
    (void)state;
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        struct backend_device *devices;
        struct error error = {0};
        size_t count;
        fixture_use("list-fault.json");
        _exit((int)simulated_backend.list(&devices, &count, &error) + 10);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_exit(status, 3);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_no_fault),    cmocka_unit_test(test_crashes), cmocka_unit_test(test_hang),
        cmocka_unit_test(test_device_lost), cmocka_unit_test(test_wrong),   cmocka_unit_test(test_build_error),
        cmocka_unit_test(test_slow),        cmocka_unit_test(test_loud),    cmocka_unit_test(test_times),
        cmocka_unit_test(test_after),       cmocka_unit_test(test_wedged),  cmocka_unit_test(test_broken_state),
        cmocka_unit_test(test_list_fault),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
