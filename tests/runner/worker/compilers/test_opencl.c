// SPDX-License-Identifier: Apache-2.0
/* Protects the kernels of the catalogue on a real OpenCL device: each is built by the device's compiler, plays a few
 * instances, and every batch adds up. What the device cannot play says why. Runs on the first OpenCL device. Protects
 * as well that this compiler is given a test's own spelling of each call: those of opencl.txt. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "runner/worker/job_run.h"
#include "tests/backends/device/processor.h"
#include "tests/corpus.h"
#include "tests/kernel/fixture.h"
#include "tests/kernel/types/sweep.h"
#include "tests/runner/worker/compilers/sample.h"

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
    struct job job = {.test = test, .seed = 1, .key = 2, .extent = {.instances = INSTANCES}};
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

/* The lines of the helpers' bodies and of the barriers, each of which is given whole. */
static void expect_calls(const char *title, const char *kernel, const char *calls)
{
    for (const char *line = calls; *line; line += strcspn(line, "\n") + 1) {
        struct text wanted = {0};
        text_add(&wanted, "\n%.*s\n", (int)strcspn(line, "\n"), line);
        if (!strstr(kernel, text_string(&wanted)))
            fail_msg("%s: its kernel has no line%s", title, text_string(&wanted));
        text_release(&wanted);
    }
}

static void check_spelling(struct corpus_case *one, void *context)
{
    struct totals *totals = context;
    struct litmus_test *test = fixture_parse(one->title, text_string(corpus_part(one, "")));
    char *kernel = fixture_generate(test, &totals->session.device);
    expect_calls(one->title, kernel, text_string(corpus_part(one, "calls")));
    play(totals, test);
    free(kernel);
    litmus_release(test);
}

/* All of them are played where the device declares what they need. */
static void test_spellings(void **state)
{
    struct totals *totals = *state;
    const struct totals before = *totals;
    const struct backend_device *device = &totals->session.device;
    const size_t count =
        corpus_each(ORCHIL_SOURCE_DIR "/tests/runner/worker/compilers/opencl.txt", check_spelling, totals);
    assert_int_equal(totals->failed, before.failed);
    if ((device->atomic_orders & BACKEND_ORDER_SEQ_CST) && (device->atomic_scopes & BACKEND_SCOPE_DEVICE))
        assert_int_equal(totals->played - before.played, count);
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
    const struct CMUnitTest tests[] = {cmocka_unit_test_prestate(test_spellings, &totals),
                                       cmocka_unit_test_prestate(test_types, &totals),
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
