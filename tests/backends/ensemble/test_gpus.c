// SPDX-License-Identifier: Apache-2.0
/* Protects: kernels of a GPU and of the host, and of two GPUs, run at the same time on memory that both reach, with x
 * in each home that the ensemble has; and launches of two GPUs follow each other, ordered by the host and by events. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdlib.h>

#include "tests/backends/device/processor.h"
#include "tests/backends/ensemble/rounds.h"

static size_t gpus;

static void play(const char *spec)
{
    rounds_open(spec);
    print_message("%s: %s; homes %#x; %s\n", spec, rounds_device.name, rounds_device.homes, rounds_device.links);
    struct backend_program *program = rounds_build();
    assert_true(ensemble_backend.resident(rounds_session, program, 0, 32, 1, 0) > 0);
    rounds_warm_up(program);
    for (unsigned i = 0; i < 3; i++)
        rounds_play(program, i);
    ensemble_backend.release(rounds_session, program);
    ensemble_backend.close(rounds_session);
}

static void test_gpu_and_host(void **state)
{
    const struct backend *opencl = backend_find("opencl");
    struct backend_device *devices;
    struct error error = {0};
    size_t count;
    bool has_host = false;
    (void)state;
    if (!processor_is_described("opencl") || opencl->list(&devices, &count, &error) != STATUS_OK)
        skip();
    for (size_t i = 0; i < count; i++)
        has_host |= !devices[i].gpu && devices[i].takes & BACKEND_TAKES_C11;
    free(devices);
    if (!has_host)
        skip();
    play("cuda:0+host");
    assert_int_equal(rounds_device.homes, 1 << 2); /* the host does not reach the GPU's memory */
}

static void test_two_gpus(void **state)
{
    (void)state;
    if (gpus < 2)
        skip();
    play("cuda:0+cuda:1");
}

static void test_edges(void **state)
{
    (void)state;
    if (gpus < 2)
        skip();
    rounds_open("cuda:0+cuda:1");
    rounds_pass_on(LAUNCH_EDGE_HOST);
    rounds_pass_on(LAUNCH_EDGE_EVENT);
    ensemble_backend.close(rounds_session);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_gpu_and_host),
        cmocka_unit_test(test_two_gpus),
        cmocka_unit_test(test_edges),
    };
    struct backend_device *devices;
    struct error error = {0};
    if (backend_find("cuda")->list(&devices, &gpus, &error) != STATUS_OK) {
        print_message("skipped: %s\n", error.text);
        return 77;
    }
    free(devices);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
