// SPDX-License-Identifier: Apache-2.0
/*
 * Protects the kernels of the catalogue on a real OpenCL device: each is built by the device's compiler, plays a few
 * instances, and every batch adds up. What the device cannot play says why. Runs on the first OpenCL device.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "runner/worker/job.h"
#include "tests/backends/device/processor.h"
#include "tests/runner/catalogue/sample.h"
#include "tests/runner/types/sweep.h"

enum { INSTANCES = 1000 };

struct totals {
    struct job_session session;
    unsigned played, unsupported, failed;
};

/* What became of one job. */
struct played {
    const char *name;
    uint64_t instances;
    bool wrong;
};

static bool on_built(const struct build *build, void *context)
{
    (void)build;
    (void)context;
    return true;
}

static bool on_batch(const struct batch *batch, void *context)
{
    struct played *played = context;
    uint64_t sum = 0;
    for (size_t i = 0; i < batch->outcome_count; i++)
        sum += batch->outcomes[i].count;
    for (size_t i = 0; i < batch->void_count; i++)
        sum += batch->voids[i].count;
    played->instances += batch->instances;
    if (batch->invalid || sum != batch->instances) {
        print_error("%s: batch %d of %d instances: %s\n", played->name, (int)batch->number, (int)batch->instances,
                    batch->invalid ? batch->invalid : "it does not add up");
        played->wrong = true;
    }
    return !played->wrong;
}

static void play(struct totals *totals, const struct litmus_test *test)
{
    struct played played = {.name = test->name};
    const struct job_listener listener = {on_built, on_batch, &played};
    struct job job = {.test = test, .seed = 1, .key = 2, .instances = INSTANCES};
    struct error error = {0};
    environment_default(&totals->session.device, &job.environment);
    job.environment.spin_bound = (struct environment_range){1000, 1000};
    job.environment.rounds = (struct environment_range){1, 8};
    const enum status status = job_run(&totals->session, &job, &listener, &error);
    if (status == STATUS_UNSUPPORTED) {
        print_message("unsupported: %s (%s): %s\n", test->name, litmus_dialect_name(test->dialect), error.text);
        assert_true(error.text[0] != '\0');
        totals->unsupported++;
    } else if (status != STATUS_OK || played.wrong || played.instances < INSTANCES) {
        print_error("%s (%s): %s\n%s\n", test->name, litmus_dialect_name(test->dialect), error.text, error.detail);
        totals->failed++;
    } else
        totals->played++;
}

static void test_catalogue(void **state)
{
    struct totals *totals = *state;
    struct selection selection;
    struct error error;
    assert_int_equal(selection_all(&selection, &error), STATUS_OK);
    bool *chosen = sample_choose(&selection, false);
    for (size_t i = 0; i < selection.count; i++)
        if (chosen[i])
            play(totals, selection.tests[i].test);
    print_message("%u played on %s, %u unsupported, %u failed\n", totals->played, totals->session.device.name,
                  totals->unsupported, totals->failed);
    assert_int_equal(totals->failed, 0);
    assert_true(totals->played > 0);
    free(chosen);
    selection_release(&selection);
}

static void play_type(struct litmus_test *test, void *context)
{
    play(context, test);
    litmus_release(test);
}

/* Every legal access of every type: each is built. */
static void test_types(void **state)
{
    struct totals *totals = *state;
    const unsigned before = totals->played;
    (void)sweep_orders(LITMUS_OPENCL, play_type, totals);
    (void)sweep_orders(LITMUS_C, play_type, totals);
    assert_int_equal(totals->failed, 0);
    assert_true(totals->played > before);
}

static enum status open_first(struct job_session *session, struct error *error)
{
    struct backend_device *devices = NULL;
    size_t count = 0;
    session->backend = backend_find("opencl");
    TRY(session->backend->list(&devices, &count, error));
    session->device = devices[0];
    free(devices);
    return backend_open(session->backend, session->device.index, &session->session, error);
}

int main(void)
{
    struct totals totals = {.played = 0};
    struct error error = {0};
    const struct CMUnitTest tests[] = {cmocka_unit_test_prestate(test_types, &totals),
                                       cmocka_unit_test_prestate(test_catalogue, &totals)};
    if (!processor_is_described("opencl"))
        return 77;
    if (open_first(&totals.session, &error) != STATUS_OK) {
        (void)fprintf(stderr, "skipped: %s\n", error.text);
        return 77;
    }
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    totals.session.backend->close(totals.session.session);
    return failed;
}
