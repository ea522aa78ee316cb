// SPDX-License-Identifier: Apache-2.0
/* Protects what an ensemble promises, on two PoCL devices: kernels of both run at the same time on memory that both
 * reach, each home is where the draw says, the words where members meet are zero at first, and all counters are
 * returned. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/backends/device/processor.h"
#include "tests/backends/ensemble/rounds.h"

static const struct backend *const backend = &ensemble_backend;
static unsigned pool; /* threads of the processor */
static pid_t alone;   /* a process whose driver has one thread */

static void test_two_devices(void **state)
{
    (void)state;
    rounds_open("opencl:0+opencl:1");
    assert_string_equal(rounds_device.backend, "ensemble");
    assert_int_equal(rounds_device.member_count, 2);
    assert_int_equal(rounds_device.homes, 7);
    assert_false(rounds_device.host);
    assert_non_null(strstr(rounds_device.name, " + "));
    assert_null(strstr(rounds_device.driver, " + ")); /* both have the same driver */
    assert_int_equal(rounds_device.takes, BACKEND_TAKES_C11);
    assert_int_equal(rounds_device.members[1].index, 1);
    struct backend_program *program = rounds_build();
    rounds_warm_up(program);
    assert_true(backend->resident(rounds_session, program, 0, 1, 1, 0) >= 1);
    assert_true(backend->resident(rounds_session, program, 0, 1, 1, 0) +
                    backend->resident(rounds_session, program, 1, 1, 1, 0) <=
                pool);
    for (unsigned i = 0; i < 2; i++)
        rounds_play(program, i);
    backend->release(rounds_session, program);
    backend->close(rounds_session);
}

static void test_device_and_host(void **state)
{
    (void)state;
    rounds_open("opencl:0+host");
    assert_true(rounds_device.host);
    assert_int_equal(rounds_device.homes, 5); /* the host's member has the host's memory */
    struct backend_program *program = rounds_build();
    rounds_warm_up(program);
    rounds_play(program, 0);
    backend->release(rounds_session, program);
    backend->close(rounds_session);
}

/* All members reach memory again after it has grown. */
static void test_growth(void **state)
{
    const uint32_t draw[DRAW_SIZE] = {[DRAW_ROUND_COUNT] = 3};
    uint32_t counters[2][COUNTER_WORDS];
    (void)state;
    rounds_open("opencl:0+opencl:1");
    struct backend_program *program = rounds_build();
    struct backend_launch how = rounds_launch_of(draw, counters[0]);
    rounds_warm_up(program);
    for (int i = 0; i < 4; i++) {
        rounds_launch(program, &how);
        assert_int_equal(counters[0][MET] + counters[1][MET], 6);
        how.memory_words *= 10;
        how.home_words *= 4;
        how.scratch_words += 1000;
    }
    backend->release(rounds_session, program);
    backend->close(rounds_session);
}

static void test_edges(void **state)
{
    (void)state;
    rounds_open("opencl:0+opencl:1");
    assert_int_equal(rounds_device.edges, 1u << LAUNCH_EDGE_BESIDE | 1u << LAUNCH_EDGE_HOST);
    assert_int_equal(rounds_device.members[0].edges >> LAUNCH_EDGE_MAP & 1, 0); /* because that memory is shared */
    rounds_pass_on(LAUNCH_EDGE_HOST);
    backend->close(rounds_session);
}

/* One member's kernel is refused: the log names the member, what the other built is released, and rounds_session stays
 * usable. */
static void test_refused_kernel(void **state)
{
    struct text log = {0};
    struct error error = {0};
    size_t size;
    (void)state;
    rounds_open("opencl:0+opencl:1");
    assert_null(rounds_try_build("ENTRY(draw, memory, scratch, counters, local_memory)\n{ undeclared_word = 1; }\n",
                                 &log, STATUS_BUILD_FAILED, &error));
    const char *part = backend_member_part(text_string(&log), 1, &size);
    assert_non_null(part);
    assert_non_null(memmem(part, size, "undeclared_word", strlen("undeclared_word")));
    part = backend_member_part(text_string(&log), 0, &size);
    assert_non_null(part);
    assert_null(memmem(part, size, "undeclared_word", strlen("undeclared_word")));
    assert_null(backend_member_part(text_string(&log), 2, &size));
    assert_non_null(strstr(error.text, "opencl:1"));
    text_release(&log);
    backend->release(rounds_session, rounds_build());
    backend->close(rounds_session);
}

/* A launch that the driver refuses names the device; the next one succeeds. */
static void test_failed_launch(void **state)
{
    const uint32_t draw[DRAW_SIZE] = {[DRAW_ROUND_COUNT] = 0};
    uint32_t counters[2][COUNTER_WORDS];
    struct error error = {0};
    double seconds;
    (void)state;
    rounds_open("opencl:0+opencl:1");
    struct backend_program *program = rounds_build();
    struct backend_launch how = rounds_launch_of(draw, counters[0]);
    how.group_size = 1u << 30;
    assert_int_equal(backend->launch(rounds_session, program, &how, &seconds, &error), STATUS_DEVICE_FAILED);
    assert_non_null(strstr(error.text, "opencl:0"));
    rounds_warm_up(program);
    rounds_play(program, 0);
    backend->release(rounds_session, program);
    backend->close(rounds_session);
}

/* In a child whose driver starts with one thread: kernels that could not run at the same time are refused. */
static void test_one_thread(void **state)
{
    int ended;
    (void)state;
    assert_int_equal(waitpid(alone, &ended, 0), alone);
    assert_true(WIFEXITED(ended));
    assert_int_equal(WEXITSTATUS(ended), 0);
}

static int be_alone(void)
{
    struct backend_session *session;
    struct error error = {0};
    if (setenv("POCL_MAX_PTHREAD_COUNT", "1", 1) != 0 || setenv("POCL_CPU_MAX_CU_COUNT", "1", 1) != 0 ||
        ensemble_define("opencl:0+opencl:1", &error) != STATUS_OK)
        return 1;
    return backend_open(backend, 0, &session, &error) == STATUS_UNSUPPORTED &&
                   strstr(error.text, "2 members are the same CPU")
               ? 0
               : 2;
}

static bool has_two(void)
{
    const struct backend *opencl = backend_find("opencl");
    struct backend_device *devices;
    struct error error = {0};
    size_t count, usable = 0;
    if (opencl->list(&devices, &count, &error) != STATUS_OK) {
        print_message("skipped: %s\n", error.text);
        return false;
    }
    for (size_t i = 0; i < 2 && i < count; i++)
        usable += strstr(devices[i].platform, "Portable Computing Language") && devices[i].compute_units > 1;
    pool = count > 0 ? devices[0].compute_units : 0;
    free(devices);
    if (usable < 2)
        print_message("skipped: PoCL gives no two devices with two threads here\n");
    return usable == 2;
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_two_devices),    cmocka_unit_test(test_device_and_host),
        cmocka_unit_test(test_growth),         cmocka_unit_test(test_edges),
        cmocka_unit_test(test_refused_kernel), cmocka_unit_test(test_failed_launch),
        cmocka_unit_test(test_one_thread),
    };
    if (setenv("POCL_DEVICES", "pthread pthread", 1) != 0 || setenv("POCL_MAX_PTHREAD_COUNT", "2", 0) != 0 ||
        !processor_is_described("opencl"))
        return 77;
    alone = fork(); /* before a driver is loaded */
    if (alone == 0)
        _exit(be_alone());
    if (!has_two())
        return 77;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
