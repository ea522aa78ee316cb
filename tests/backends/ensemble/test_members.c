// SPDX-License-Identifier: Apache-2.0
/* Protects the ensemble's own work, with simulated members: which members a text names, how they are described as one
 * device, that the instances of all add up, and that the failure of a member is the launch's failure and leaves nothing
 * running. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "backends/ensemble/ensemble.h"
#include "backends/ensemble/session.h"

enum { OUTCOME_A, OUTCOME_B, GAVE_UP, COUNTERS };

static const struct backend *const backend = &ensemble_backend;
static struct backend_session *session;

static void define(const char *spec)
{
    struct error error = {0};
    if (ensemble_define(spec, &error) != STATUS_OK)
        fail_msg("%s", error.text);
}

static void open_ensemble(const char *spec)
{
    struct error error = {0};
    define(spec);
    if (backend_open(backend, 0, &session, &error) != STATUS_OK)
        fail_msg("%s", error.text);
}

static struct backend_program *try_build(const char *test, struct text *log, enum status expected, struct error *error)
{
    static const struct backend_counter counters[] = {{BACKEND_COUNTER_OUTCOME, "a", OUTCOME_A},
                                                      {BACKEND_COUNTER_OUTCOME, "b", OUTCOME_B},
                                                      {BACKEND_COUNTER_VOID, "gave_up", GAVE_UP}};
    const struct backend_source own = {.name = test, .kernel = "", .counters = counters, .counter_count = COUNTERS};
    const struct backend_source members[] = {own, own};
    const struct backend_source source = {.name = test, .members = members, .member_count = 2};
    struct text binary = {0};
    struct backend_program *program;
    assert_int_equal(backend_build(backend, session, &source, &program, log, &binary, error), expected);
    text_release(&binary);
    return program;
}

static struct backend_program *build(const char *test)
{
    struct text log = {0};
    struct error error = {0};
    struct backend_program *program = try_build(test, &log, STATUS_OK, &error);
    text_release(&log);
    return program;
}

static struct backend_launch shape(uint64_t batch, uint32_t *counters)
{
    return (struct backend_launch){.group_size = 1,
                                   .member_groups = {1, 2},
                                   .counter_words = COUNTERS,
                                   .clear_counters = true,
                                   .counters = counters,
                                   .read_words = COUNTERS,
                                   .instances = 1000,
                                   .batch = batch,
                                   .seed = 7};
}

static uint64_t sum_of(const uint32_t *counters)
{
    uint64_t sum = 0;
    for (int i = 0; i < COUNTERS; i++)
        sum += counters[i];
    return sum;
}

static void test_refused_texts(void **state)
{
    static const struct {
        const char *spec, *reason;
    } cases[] = {
        {"", "'' does not name one device"},
        {"cuda:0", "only one device"},
        {"host", "only one device"},
        {"cuda:0+", "'' does not name one device"},
        {"+cuda:0", "'' does not name one device"},
        {"cuda:0+cuda", "'cuda' does not name one device"},
        {"cuda:0+cuda:0", "'cuda:0' is named twice"},
        {"cuda:0+CUDA:00", "'CUDA:00' is named twice"},
        {"host+cuda:0", "the host must be last"},
        {"cuda:0+host+host", "the host must be last"},
        {"cuda:0+cuda:x", "'cuda:x' does not name one device"},
        {"cuda:0+cuda:1x", "'cuda:1x' does not name one device"},
        {"cuda:0+H100", "'H100' does not name one device"},
        {"cuda:0+cuda:99999999999999999999", "does not name one device"},
        {"cuda:0+metal:1", "'metal:1' does not name one device"},
        {"cuda:0+ensemble:0", "'ensemble:0' does not name one device"},
        {"cuda:0+cuda:1+cuda:2+cuda:3+host", "too many devices"},
        {"cuda:0+cuda:000000000000000000000000000000000001", "does not name one device"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct error error = {0};
        assert_int_equal(ensemble_define(cases[i].spec, &error), STATUS_USAGE);
        if (!strstr(error.text, cases[i].reason))
            fail_msg("%s: %s", cases[i].spec, error.text);
    }
    assert_false(ensemble_is_defined());
    assert_false(backend_offered(backend));
}

static void test_nothing_defined(void **state)
{
    struct backend_device *devices;
    struct error error = {0};
    size_t count;
    (void)state;
    assert_int_equal(backend->list(&devices, &count, &error), STATUS_NO_DEVICE);
    assert_int_equal(count, 0);
}

/* The abilities that all have, the smallest of the limits, each text once, but both names. */
static void test_description(void **state)
{
    struct backend_device *devices;
    struct error error = {0};
    size_t count;
    (void)state;
    define("simulated:0+simulated:1");
    assert_true(backend_offered(backend));
    assert_int_equal(backend->list(&devices, &count, &error), STATUS_OK);
    assert_int_equal(count, 1);
    const struct backend_device device = devices[0];
    free(devices);
    assert_string_equal(device.backend, "ensemble");
    assert_string_equal(device.name, "A + B");
    assert_string_equal(device.driver, "1 + 2");
    assert_string_equal(device.vendor, "orchil");
    assert_string_equal(device.links, "simulated:0, simulated:1, host: host memory");
    assert_true(device.gpu);
    assert_int_equal(device.max_group_size, 512);
    assert_int_equal(device.local_bytes, 1000);
    assert_int_equal(device.compute_units, 16 + 8);
    assert_int_equal(device.paths, BACKEND_PATH_ASYNC); /* shared memory has no aliases */
    assert_int_equal(device.max_cluster_groups, 0);
    assert_int_equal(device.homes, 7);
    assert_int_equal(device.atomic_homes, 7);
    assert_int_equal(device.member_count, 2);
    assert_string_equal(device.members[1].name, "B"); /* which outlives the list */
    assert_int_equal(backend_open(backend, 1, &session, &error), STATUS_NO_DEVICE);
}

/* Memory has atomic access for all if every member that does not own it has native atomics. */
static void test_no_native_atomics(void **state)
{
    struct backend_device *devices;
    struct error error = {0};
    size_t count;
    (void)state;
    define("simulated:0+simulated:6");
    assert_int_equal(backend->list(&devices, &count, &error), STATUS_OK);
    assert_int_equal(devices[0].homes, 7);
    assert_int_equal(devices[0].atomic_homes, 2); /* its own */
    assert_string_equal(devices[0].links, "simulated:0: host memory, no native atomics; "
                                          "simulated:6: host memory; "
                                          "host: host memory + host memory, no native atomics");
    free(devices);
}

/* The member that plays the host's threads may take other kernels than the rest. */
static void test_host(void **state)
{
    struct backend_device *devices;
    struct error error = {0};
    size_t count;
    (void)state;
    define("simulated:0+host");
    assert_int_equal(backend->list(&devices, &count, &error), STATUS_OK);
    assert_true(devices[0].host);
    assert_int_equal(devices[0].members[1].index, 3);
    assert_true(devices[0].takes & BACKEND_TAKES_PTX);
    assert_true(devices[0].types & BACKEND_TYPE_DOUBLE);
    assert_int_equal(devices[0].homes, 5);
    assert_string_equal(devices[0].name, "A + A");
    assert_string_equal(devices[0].driver, "1");
    free(devices);
}

/* Members that share no memory: the device is listed, and says why it takes no kernels. */
static void test_no_sharing(void **state)
{
    struct backend_device *devices;
    struct error error = {0};
    size_t count;
    (void)state;
    define("simulated:0+simulated:2");
    assert_int_equal(backend->list(&devices, &count, &error), STATUS_OK);
    assert_int_equal(devices[0].takes, 0);
    assert_int_equal(devices[0].homes, 0);
    assert_non_null(strstr(devices[0].links, "simulated:2 (C) cannot share memory"));
    free(devices);
    assert_int_equal(backend_open(backend, 0, &session, &error), STATUS_UNSUPPORTED);
    assert_non_null(strstr(error.text, "simulated:2 (C) cannot share memory"));
    assert_null(session);
}

static void test_absent_member(void **state)
{
    struct error error = {0};
    (void)state;
    define("simulated:0+simulated:77");
    assert_int_equal(backend_open(backend, 0, &session, &error), STATUS_NO_DEVICE);
    assert_non_null(strstr(error.text, "there is no simulated:77"));
}

/* Each member counts the instances of its groups. */
static void test_sums(void **state)
{
    uint32_t counters[2][COUNTERS];
    struct error error = {0};
    double seconds;
    (void)state;
    open_ensemble("simulated:0+simulated:1");
    struct backend_program *program = build("rates");
    for (uint64_t batch = 0; batch < 20; batch++) {
        struct backend_launch how = shape(batch, counters[0]);
        how.instances = 1000 + batch;
        assert_int_equal(backend->launch(session, program, &how, &seconds, &error), STATUS_OK);
        assert_int_equal(sum_of(counters[0]), (1000 + batch) / 3);
        assert_int_equal(sum_of(counters[0]) + sum_of(counters[1]), 1000 + batch);
        assert_true(counters[1][OUTCOME_A] > 0 && counters[1][GAVE_UP] > 0);
    }
    /* A member without groups has counted nothing. */
    struct backend_launch how = shape(0, counters[0]);
    how.member_groups[1] = 0;
    assert_int_equal(backend->launch(session, program, &how, &seconds, &error), STATUS_OK);
    assert_int_equal(sum_of(counters[0]), 1000);
    assert_int_equal(sum_of(counters[1]), 0);
    backend->release(session, program);
    backend->close(session);
}

/* Equal members, which have equal descriptions, draw differently. */
static void test_members_differ(void **state)
{
    uint32_t counters[2][COUNTERS];
    struct error error = {0};
    double seconds;
    unsigned equal = 0;
    (void)state;
    open_ensemble("simulated:0+simulated:3");
    struct backend_program *program = build("rates");
    for (uint64_t batch = 0; batch < 10; batch++) {
        struct backend_launch how = shape(batch, counters[0]);
        how.member_groups[1] = 1;
        assert_int_equal(backend->launch(session, program, &how, &seconds, &error), STATUS_OK);
        equal += memcmp(counters[0], counters[1], sizeof counters[0]) == 0;
    }
    assert_true(equal < 3);
    backend->release(session, program);
    backend->close(session);
}

static void test_questions(void **state)
{
    struct text reason = {0};
    (void)state;
    open_ensemble("simulated:0+simulated:1");
    struct backend_program *program = build("kept");
    assert_int_equal(backend->group_limit(session, program), 128);
    assert_int_equal(backend->resident(session, program, 0, 32, 1, 0), 100);
    assert_int_equal(backend->resident(session, program, 1, 32, 1, 0), 60);
    assert_int_equal(backend->resident(session, program, 2, 32, 1, 0), 0);
    assert_int_equal(backend->invent_kept(session, program, 1, &reason), TEST_NOT_KEPT);
    assert_string_equal(text_string(&reason), "the script says so");
    text_release(&reason);
    backend->release(session, program);
    backend->close(session);
}

static void test_invented_seconds(void **state)
{
    uint32_t counters[2][COUNTERS];
    struct error error = {0};
    double seconds;
    (void)state;
    open_ensemble("simulated:4+simulated:5");
    struct backend_program *program = build("rates");
    struct backend_launch how = shape(0, counters[0]);
    how.member_groups[1] = 1;
    assert_int_equal(backend->launch(session, program, &how, &seconds, &error), STATUS_OK);
    assert_true(seconds > 0.99 && seconds < 1.01); /* 500 instances of the slower one */
    backend->release(session, program);
    backend->close(session);
}

/* The launch waits for the slow member. */
static void test_slow_member(void **state)
{
    uint32_t counters[2][COUNTERS] = {{0}};
    struct error error = {0};
    double seconds;
    (void)state;
    open_ensemble("simulated:0+simulated:1");
    struct backend_program *program = build("slow");
    const struct backend_launch how = shape(0, counters[0]);
    assert_int_equal(backend->launch(session, program, &how, &seconds, &error), STATUS_OK);
    assert_true(seconds >= 0.2);
    assert_int_equal(sum_of(counters[0]) + sum_of(counters[1]), 1000);
    backend->release(session, program);
    backend->close(session);
}

static void test_wrong_member(void **state)
{
    uint32_t counters[2][COUNTERS];
    struct error error = {0};
    double seconds;
    (void)state;
    open_ensemble("simulated:0+simulated:1");
    struct backend_program *program = build("wrong");
    const struct backend_launch how = shape(0, counters[0]);
    assert_int_equal(backend->launch(session, program, &how, &seconds, &error), STATUS_OK);
    assert_int_equal(sum_of(counters[0]), 333);
    assert_int_equal(sum_of(counters[1]), 667 + 1);
    backend->release(session, program);
    backend->close(session);
}

/* The loss of one member is the launch's, and the rest can be released. */
static void test_lost_member(void **state)
{
    uint32_t counters[2][COUNTERS];
    struct error error = {0};
    double seconds;
    (void)state;
    open_ensemble("simulated:0+simulated:1");
    struct backend_program *program = build("lost");
    struct backend_launch how = shape(0, counters[0]);
    assert_int_equal(backend->launch(session, program, &how, &seconds, &error), STATUS_OK);
    how.batch = 1;
    how.read_words = 1; /* then member 0 fails too, but is not lost */
    assert_int_equal(backend->launch(session, program, &how, &seconds, &error), STATUS_DEVICE_LOST);
    assert_non_null(strstr(error.text, "simulated:1 was lost"));
    backend->release(session, program);
    backend->close(session);
}

static void test_first_failure(void **state)
{
    uint32_t counters[2][COUNTERS];
    struct error error = {0};
    double seconds;
    (void)state;
    open_ensemble("simulated:1+simulated:0");
    struct backend_program *program = build("both-lost");
    const struct backend_launch how = shape(0, counters[0]);
    assert_int_equal(backend->launch(session, program, &how, &seconds, &error), STATUS_DEVICE_LOST);
    assert_non_null(strstr(error.text, "simulated:1 was lost"));
    backend->release(session, program);
    backend->close(session);
}

static void test_refused_build(void **state)
{
    struct text log = {0};
    struct error error = {0};
    size_t size;
    (void)state;
    open_ensemble("simulated:0+simulated:1");
    assert_null(try_build("refused", &log, STATUS_BUILD_FAILED, &error));
    const char *part = backend_member_part(text_string(&log), 1, &size);
    assert_non_null(part);
    assert_int_equal(size, strlen("no such word\n"));
    assert_memory_equal(part, "no such word\n", size);
    assert_string_equal(error.detail, "no such word");
    text_release(&log);
    backend->release(session, build("rates"));
    backend->close(session);
}

/* A caller that keeps code compiles one member at a time; the open session describes its device. */
static void test_code_of_a_member(void **state)
{
    struct backend_code code = {0};
    struct error error = {0};
    struct backend_source source = {.name = "rates", .kernel = "text", .member = 1};
    (void)state;
    open_ensemble("simulated:0+simulated:1");
    assert_int_equal(backend->describe(session)->member_count, 2);
    assert_true(backend->compiles_ahead(backend->describe(session)));
    assert_int_equal(backend->compile(session, &source, &code, &error), STATUS_OK);
    assert_string_equal(text_string(&code.bytes), "text");
    backend_code_release(&code);
    source.member = 2;
    assert_int_equal(backend->compile(session, &source, &code, &error), STATUS_INTERNAL);
    backend_code_release(&code);
    backend->close(session);
}

/* Launches that contradict the session, and a source without a kernel for each member, are refused before anything
 * runs. */
static void test_contradictions(void **state)
{
    static const uint32_t draw[8];
    struct text log = {0}, binary = {0};
    uint32_t counters[2][COUNTERS];
    struct error error = {0};
    double seconds;
    struct backend_program *none;
    (void)state;
    open_ensemble("simulated:0+simulated:1");
    struct backend_program *program = build("rates");
    struct backend_launch how = shape(0, counters[0]);
    how.homes = 1 << 3;
    assert_int_equal(backend->launch(session, program, &how, &seconds, &error), STATUS_INTERNAL);
    how = shape(0, counters[0]);
    how.meeting_words = 1;
    assert_int_equal(backend->launch(session, program, &how, &seconds, &error), STATUS_INTERNAL);
    how = shape(0, counters[0]);
    how.draw = draw;
    how.draw_words = sizeof draw / sizeof *draw;
    how.home_words = 1;
    how.homes_place = 2; /* seven words are needed */
    assert_int_equal(backend->launch(session, program, &how, &seconds, &error), STATUS_INTERNAL);
    how.homes_place = 1;
    assert_int_equal(backend->launch(session, program, &how, &seconds, &error), STATUS_OK);
    const struct backend_source source = {.name = "rates", .kernel = ""};
    assert_int_equal(backend_build(backend, session, &source, &none, &log, &binary, &error), STATUS_INTERNAL);
    backend->release(session, program);
    backend->close(session);
}

/* A backend that records which of its members have created their buffers when the first one starts. */
static struct {
    unsigned reserved, reserved_at_start;
} noted;
static pthread_mutex_t noting = PTHREAD_MUTEX_INITIALIZER;

static enum status fake_reserve(struct backend_session *fake, struct backend_program *program,
                                const struct backend_launch *launch, struct error *error)
{
    const struct timespec rest = {.tv_nsec = 50 * 1000000L};
    (void)fake, (void)program, (void)error;
    if (launch->groups == 2) /* the second member is slow */
        (void)nanosleep(&rest, NULL);
    (void)pthread_mutex_lock(&noting);
    noted.reserved++;
    (void)pthread_mutex_unlock(&noting);
    return STATUS_OK;
}

static enum status fake_launch(struct backend_session *fake, struct backend_program *program,
                               const struct backend_launch *launch, double *seconds, struct error *error)
{
    (void)fake, (void)program, (void)launch, (void)error;
    *seconds = 0;
    (void)pthread_mutex_lock(&noting);
    if (noted.reserved_at_start == 0)
        noted.reserved_at_start = noted.reserved;
    (void)pthread_mutex_unlock(&noting);
    return STATUS_OK;
}

static enum status fake_reach(struct backend_session *fake, const struct backend_shared *shared, uint64_t *address,
                              struct error *error)
{
    (void)fake, (void)error;
    *address = shared->address;
    return STATUS_OK;
}

static void fake_forget(struct backend_session *fake, const struct backend_shared *shared)
{
    (void)fake, (void)shared;
}

/* No member starts before all have created their buffers: creating them may wait for kernels that wait for this
 * member. */
static void test_buffers_come_first(void **state)
{
    static const struct backend fake = {
        .name = "fake", .reserve = fake_reserve, .launch = fake_launch, .reach = fake_reach, .forget = fake_forget};
    struct ensemble_session fakes = {.count = 2, .device.homes = 1 << 2, .meeting_home = 2};
    struct ensemble_program program = {0};
    struct backend_session *const opened = (struct backend_session *)&fakes;
    struct backend_program *const built = (struct backend_program *)&program;
    const struct backend_launch how = {.member_groups = {1, 2}};
    struct error error = {0};
    double seconds;
    (void)state;
    for (unsigned i = 0; i < 2; i++) {
        fakes.members[i].backend = &fake;
        fakes.members[i].number = i;
        assert_int_equal(member_start(&fakes.members[i], &error), STATUS_OK);
    }
    assert_int_equal(ensemble_launch(opened, built, &how, &seconds, &error), STATUS_OK);
    assert_int_equal(noted.reserved_at_start, 2);
    region_release(&fakes, &program.memory);
    member_end(&fakes.members[0]);
    member_end(&fakes.members[1]);
}

/* In a child: one batch of that test. */
static pid_t start_child(const char *test)
{
    const pid_t child = fork();
    if (child != 0)
        return child;
    uint32_t counters[2][COUNTERS];
    struct error error = {0};
    double seconds;
    open_ensemble("simulated:0+simulated:1");
    const struct backend_launch how = shape(0, counters[0]);
    (void)backend->launch(session, build(test), &how, &seconds, &error);
    _exit(0);
}

static void test_crash_and_hang(void **state)
{
    const struct timespec rest = {.tv_nsec = 300 * 1000000L};
    int ended;
    (void)state;
    const pid_t crashing = start_child("crash"), hanging = start_child("hang");
    assert_true(crashing > 0 && hanging > 0);
    assert_int_equal(waitpid(crashing, &ended, 0), crashing);
    assert_true(WIFSIGNALED(ended) && WTERMSIG(ended) == SIGSEGV);
    (void)nanosleep(&rest, NULL);
    assert_int_equal(waitpid(hanging, &ended, WNOHANG), 0);
    assert_int_equal(kill(hanging, SIGTERM), 0);
    assert_int_equal(waitpid(hanging, &ended, 0), hanging);
    assert_true(WIFSIGNALED(ended));
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_refused_texts),
        cmocka_unit_test(test_nothing_defined),
        cmocka_unit_test(test_description),
        cmocka_unit_test(test_no_native_atomics),
        cmocka_unit_test(test_host),
        cmocka_unit_test(test_no_sharing),
        cmocka_unit_test(test_absent_member),
        cmocka_unit_test(test_sums),
        cmocka_unit_test(test_members_differ),
        cmocka_unit_test(test_questions),
        cmocka_unit_test(test_invented_seconds),
        cmocka_unit_test(test_slow_member),
        cmocka_unit_test(test_wrong_member),
        cmocka_unit_test(test_lost_member),
        cmocka_unit_test(test_first_failure),
        cmocka_unit_test(test_refused_build),
        cmocka_unit_test(test_code_of_a_member),
        cmocka_unit_test(test_contradictions),
        cmocka_unit_test(test_buffers_come_first),
        cmocka_unit_test(test_crash_and_hang),
    };
    if (setenv("ORCHIL_SIMULATED", ORCHIL_SOURCE_DIR "/tests/backends/ensemble/members.json", 1) != 0)
        return 1;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
