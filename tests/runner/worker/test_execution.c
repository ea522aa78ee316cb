// SPDX-License-Identifier: Apache-2.0
/* Protects the way of a test on real devices, through job_run in this process: programs of one thread have exactly the
 * outcome that the language gives them, every instance adds up, loops end, barriers and local memory work, and a test
 * of more work-groups than the device holds says so. Runs on the first OpenCL and the first CUDA device that there
 * is. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <unistd.h>

#include "runner/worker/job_run.h"
#include "tests/backends/device/processor.h"
#include "tests/corpus.h"
#include "tests/kernel/types/sweep.h"
#include "verdicts/tally.h"

enum { INSTANCES = 20000 };

/* What became of one job. */
struct played {
    struct tally tally;
    struct litmus_test *test;
    uint32_t resident_groups;
    bool detached;
};

static bool on_built(const struct build *build, void *context)
{
    struct played *played = context;
    played->resident_groups = build->resident_groups;
    played->detached = build->marks & MARK_NOT_CO_RESIDENT;
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
    assert_int_equal(sum, batch->instances);
    if (batch->invalid)
        fail_msg("batch %d: %s", (int)batch->number, batch->invalid);
    tally_add(&played->tally, batch);
    return true;
}

/* An environment in which much is drawn and little takes long. */
static struct environment quick_environment(const struct backend_device *device)
{
    struct environment environment;
    environment_default(device, &environment);
    environment.spin_bound = (struct environment_range){device->gpu ? 100000 : 1000, device->gpu ? 100000 : 1000};
    environment.rounds = (struct environment_range){1, 8};
    environment.local_stride = (struct environment_range){1, 3};
    environment.lane_chance = environment.cell_chance = environment.shuffle_chance = (struct environment_range){50, 50};
    return environment;
}

/* The test is played's, which is released. */
static void play_test(struct job_session *session, struct litmus_test *test, const struct environment *environment,
                      uint64_t instances, struct played *played)
{
    const struct job_listener listener = {on_built, on_batch, played};
    const struct job job = {
        .test = test,
        .environment = *environment,
        .seed = 1,
        .key = 2,
        .extent = {.instances = instances, .batch_instances = environment_batch(environment, instances)}};
    struct error error;
    *played = (struct played){.test = test};
    if (job_run(session, &job, &listener, &error) != STATUS_OK)
        fail_msg("%s: %s\n%s", test->name, error.text, error.detail);
    assert_true(played->tally.instances >= instances);
    assert_true(played->tally.batches >= 5);
    assert_int_equal(played->tally.invalid_batches, 0);
}

/* A case of execution.txt, by its title. */
struct named_test {
    const char *name;
    struct litmus_test *test;
};

static void parse_named(struct corpus_case *one, void *context)
{
    struct named_test *named = context;
    const struct text *text = corpus_part(one, "");
    struct error error;
    if (strcmp(one->title, named->name) == 0 &&
        litmus_parse(named->name, text_string(text), text->size, &named->test, &error) != STATUS_OK)
        fail_msg("%s", error.text);
}

static void play_in(struct job_session *session, const char *name, const struct environment *environment,
                    uint64_t instances, struct played *played)
{
    struct named_test named = {.name = name};
    (void)corpus_each("execution.txt", parse_named, &named);
    if (!named.test)
        fail_msg("execution.txt has no %s", name);
    play_test(session, named.test, environment, instances, played);
}

static void play_so_many(struct job_session *session, const char *name, uint64_t instances, struct played *played)
{
    const struct environment environment = quick_environment(&session->device);
    play_in(session, name, &environment, instances, played);
}

static void play(struct job_session *session, const char *name, struct played *played)
{
    play_so_many(session, name, INSTANCES, played);
}

static void release(struct played *played)
{
    tally_release(&played->tally);
    litmus_release(played->test);
}

/* Plays a test that has one outcome. */
static void expect_outcome(struct job_session *session, const char *name, const char *outcome)
{
    struct played played;
    play(session, name, &played);
    assert_int_equal(played.tally.outcome_count, 1);
    assert_string_equal(played.tally.outcomes[0].label, outcome);
    assert_int_equal(played.tally.outcomes[0].count, played.tally.instances);
    assert_int_equal(played.tally.void_instances, 0);
    release(&played);
}

/* ---- the cases ---- */

static void test_semantics_int(void **state)
{
    expect_outcome(
        *state, "semantics-int",
        "0:r0=5; 0:r1=5; 0:r2=-6; 0:r3=12; 0:r4=8; 0:r5=10; 0:r6=-3; 0:r7=-3; 0:r8=4294967293; 0:r9=3; "
        "0:r10=7; 0:r11=1; 0:r12=7; 0:r13=0; 0:r14=0; [a]=2147483647; [b]=-2; [c]=2; [d]=13; [e]=12; [f]=-3; "
        "[g]=2; [h]=2; [i]=4294967295; [j]=8; [k]=7; [l]=7; [m]=100; t[0]=10; t[1]=-10; t[2]=30;");
}

static void test_semantics_long(void **state)
{
    expect_outcome(
        *state, "semantics-long",
        "0:r0=4294967296; 0:r1=4294967296; 0:r2=18446744073709551615; 0:r3=-9223372036854775807; 0:r4=3; "
        "0:r5=1; 0:r6=1; 0:r7=1; [a]=12884901889; [b]=1; [c]=-4294967297; d[0]=-5000000000; d[1]=12884901888; "
        "d[2]=9007199254740993; [e]=18446744073709551614; [n]=2; [f]=9223372032559808511;");
}

/* A device without what a test needs says so. */
static void expect_outcome_if(struct job_session *session, const char *name, unsigned types, const char *outcome)
{
    if (session->device.types & types || !types)
        expect_outcome(session, name, outcome);
    else
        skip();
}

static void test_semantics_float(void **state)
{
    expect_outcome_if(*state, "semantics-float", 0,
                      "0:r0=1; 0:r1=-2; 0:r2=16777216; 0:r3=1; 0:r4=2; 0:r5=0; 0:r6=5; 0:r7=5; [a]=1; [b]=7; [c]=-9; "
                      "d[0]=1; d[1]=2; d[2]=-2; [e]=5; [x]=1; [l]=5; [m]=5;");
}

static void test_semantics_double(void **state)
{
    expect_outcome_if(*state, "semantics-double", BACKEND_TYPE_DOUBLE,
                      "0:r0=1; 0:r1=-2; 0:r2=9007199254740992; 0:r3=1; 0:r4=2; 0:r5=0; 0:r6=5; 0:r7=5; [a]=1; [b]=7; "
                      "[c]=-9; d[0]=1; d[1]=2; d[2]=-2; [e]=5; [x]=1; [l]=5; [m]=5;");
}

static void test_semantics_legacy(void **state)
{
    expect_outcome_if(*state, "semantics-legacy", BACKEND_TYPE_LONG_ATOMICS,
                      "0:r0=4; 0:r2=1; 0:r3=0; 0:r4=2; 0:r5=2; [x]=1; [u]=4; [f]=3; [s]=14; [l]=1; [w]=9;");
}

/* Every instance of a test of one thread ends as the condition says. */
static void check_result(struct litmus_test *test, void *context)
{
    struct job_session *session = context;
    const struct environment environment = quick_environment(&session->device);
    struct played played;
    const bool constant = test->locations[0].constant;
    if (constant && !(session->device.takes & BACKEND_TAKES_C11)) {
        litmus_release(test);
        return;
    }
    play_test(session, test, &environment, INSTANCES, &played);
    assert_int_equal(played.tally.outcome_count, 1);
    if (!litmus_label_is_witness(test, played.tally.outcomes[0].label))
        fail_msg("%s: %s", test->name, played.tally.outcomes[0].label);
    assert_int_equal(played.tally.void_instances, 0);
    release(&played);
}

static void test_types(void **state)
{
    struct job_session *session = *state;
    const bool takes_ptx = session->device.takes & BACKEND_TAKES_PTX;
    const enum litmus_dialect last = takes_ptx ? LITMUS_CUDA : LITMUS_OPENCL;
    for (enum litmus_dialect dialect = LITMUS_OPENCL; dialect <= last; dialect++)
        assert_true(sweep_results(dialect, 10, check_result, session) > 0);
}

static void test_barrier(void **state)
{
    expect_outcome(*state, "barrier", "0:r0=7; 0:r1=2; 1:r0=1; 1:r1=2; 1:r2=7; [s]=3; [u]=7; l[0]=4; l[1]=7;");
}

static void test_counter(void **state)
{
    expect_outcome(*state, "counter", "[c]=64; [n]=64;");
}

static void test_store_buffering(void **state)
{
    struct played played;
    uint64_t sum = 0;
    play(*state, "sb", &played);
    assert_true(played.tally.outcome_count >= 2 && played.tally.outcome_count <= 4);
    for (size_t i = 0; i < played.tally.outcome_count; i++)
        sum += played.tally.outcomes[i].count;
    assert_int_equal(sum, played.tally.instances - played.tally.void_instances);
    assert_true(played.tally.void_instances < played.tally.instances / 2);
    release(&played);
}

/* Of so few wavefronts, all may draw an idle time of no steps: that is no reason to call a batch invalid. */
static void test_little_jitter(void **state)
{
    struct job_session *session = *state;
    struct environment environment = quick_environment(&session->device);
    struct played played;
    environment.testing_percent = environment.rounds = environment.jitter_steps = (struct environment_range){1, 1};
    environment.group_size = (struct environment_range){32, 32};
    environment.stress_percent = environment.pre_stress_chance = (struct environment_range){0, 0};
    environment.jitter_chance = (struct environment_range){100, 100};
    play_in(session, "sb", &environment, 5000, &played);
    release(&played);
}

static void test_endless(void **state)
{
    struct played played;
    const double start = clock_seconds();
    play(*state, "endless", &played);
    assert_int_equal(played.tally.outcome_count, 0);
    assert_int_equal(played.tally.void_count, 1);
    assert_string_equal(played.tally.voids[0].label, "gave_up");
    assert_int_equal(played.tally.voids[0].count, played.tally.instances);
    assert_true(clock_seconds() - start < 60);
    release(&played);
}

/* Whether the threads of one group come to their end when one waits for another is the device's matter; that the test
 * ends, and says how many gave up, is ours. A device that runs items one after the other gives up in about all
 * instances, and a GPU with independent thread scheduling in none. */
static void test_progress(void **state)
{
    const struct job_session *session = *state;
    struct played played;
    const double start = clock_seconds();
    play_so_many(*state, "progress", 30, &played);
    assert_true(clock_seconds() - start < 60);
    if (strcmp(session->backend->name, "cuda") == 0)
        assert_int_equal(played.tally.void_instances, 0);
    else if (!session->device.gpu)
        assert_true(played.tally.void_instances > played.tally.instances / 2);
    for (size_t i = 0; i < played.tally.void_count; i++)
        assert_string_equal(played.tally.voids[i].label, "gave_up");
    for (size_t i = 0; i < played.tally.outcome_count; i++)
        assert_string_equal(played.tally.outcomes[i].label, "0:r0=1; [x]=1;");
    release(&played);
}

/* The order of four additions is free, but the last sum is not. */
static void test_four_groups(void **state)
{
    const struct job_session *session = *state;
    struct played played;
    play(*state, "four-groups", &played);
    assert_int_equal(played.detached, played.resident_groups < 4);
    if (!session->device.gpu && session->device.compute_units < 4)
        assert_true(played.detached);
    for (size_t i = 0; i < played.tally.outcome_count; i++)
        assert_non_null(strstr(played.tally.outcomes[i].label, "[x]=15;"));
    assert_int_equal(played.tally.void_instances, 0);
    release(&played);
}

/* ---- the devices ---- */

static int run_on(const struct backend *backend)
{
    struct backend_device *devices = NULL;
    struct error error;
    size_t count = 0;
    if (backend->list(&devices, &count, &error) != STATUS_OK) {
        print_message("no %s device: %s\n", backend->title, error.text);
        return 77;
    }
    struct job_session session = {.backend = backend, .device = devices[0]};
    free(devices);
    if (backend_open(backend, session.device.index, &session.session, &error) != STATUS_OK) {
        print_message("%s\n", error.text);
        return 1;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(test_semantics_int, &session),
        cmocka_unit_test_prestate(test_semantics_long, &session),
        cmocka_unit_test_prestate(test_semantics_float, &session),
        cmocka_unit_test_prestate(test_semantics_double, &session),
        cmocka_unit_test_prestate(test_semantics_legacy, &session),
        cmocka_unit_test_prestate(test_types, &session),
        cmocka_unit_test_prestate(test_barrier, &session),
        cmocka_unit_test_prestate(test_counter, &session),
        cmocka_unit_test_prestate(test_store_buffering, &session),
        cmocka_unit_test_prestate(test_little_jitter, &session),
        cmocka_unit_test_prestate(test_endless, &session),
        cmocka_unit_test_prestate(test_progress, &session),
        cmocka_unit_test_prestate(test_four_groups, &session),
    };
    print_message("on %s:%u %s\n", backend->name, session.device.index, session.device.name);
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    backend->close(session.session);
    return failed;
}

int main(void)
{
    static const char *const names[] = {"opencl", "cuda"};
    int result = 77; /* skipped, unless there is a device */
    /* On another machine than the one that built it, this program is started in the repository's root. */
    if (chdir(ORCHIL_SOURCE_DIR "/tests/runner/worker") != 0 && chdir("tests/runner/worker") != 0)
        return 1;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const struct backend *backend = backend_find(names[i]);
        const int here = backend && processor_is_described(names[i]) ? run_on(backend) : 77;
        if (here != 77)
            result = result == 77 ? here : result + here;
    }
    return result;
}
