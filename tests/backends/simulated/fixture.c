// SPDX-License-Identifier: Apache-2.0
/* A session of the simulated device for a script. */
#include "tests/backends/simulated/fixture.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>

void fixture_use(const char *script)
{
    char path[512];
    (void)snprintf(path, sizeof path, "%s/tests/backends/simulated/%s", ORCHIL_SOURCE_DIR, script);
    assert_int_equal(setenv("ORCHIL_SIMULATED", path, 1), 0);
}

struct backend_session *fixture_open(unsigned device)
{
    struct backend_session *session;
    struct error error = {0};
    if (backend_open(&simulated_backend, device, &session, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    return session;
}

enum status fixture_try_build(struct backend_session *session, const char *test, struct backend_program **program,
                              struct text *log, struct error *error)
{
    static const struct backend_counter counters[] = {
        {BACKEND_COUNTER_OUTCOME, "a", OUTCOME_A},    {BACKEND_COUNTER_OUTCOME, "b", OUTCOME_B},
        {BACKEND_COUNTER_OUTCOME, "c", OUTCOME_C},    {BACKEND_COUNTER_VOID, "gave_up", GAVE_UP},
        {BACKEND_COUNTER_VOID, "stale", STALE},       {BACKEND_COUNTER_LIVENESS, "stress_rounds", STRESS_ROUNDS},
        {BACKEND_COUNTER_LIVENESS, "rounds", ROUNDS}, {BACKEND_COUNTER_LIVENESS, "overlapped", OVERLAPPED},
    };
    const struct backend_source source = {
        .name = test, .kernel = "nobody reads this", .counters = counters, .counter_count = COUNTERS};
    struct text binary = {0};
    const enum status status = backend_build(&simulated_backend, session, &source, program, log, &binary, error);
    assert_int_equal(binary.size, 0);
    return status;
}

struct backend_program *fixture_build(struct backend_session *session, const char *test)
{
    struct backend_program *program;
    struct text log = {0};
    struct error error = {0};
    if (fixture_try_build(session, test, &program, &log, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    assert_int_equal(log.size, 0);
    return program;
}

enum status fixture_try(struct backend_session *session, struct backend_program *program, uint64_t batch,
                        uint64_t instances, uint32_t counters[COUNTERS], struct error *error)
{
    double seconds;
    const struct backend_launch launch = {.groups = 1,
                                          .group_size = 1,
                                          .counter_words = COUNTERS,
                                          .clear_counters = true,
                                          .counters = counters,
                                          .read_words = COUNTERS,
                                          .instances = instances,
                                          .batch = batch,
                                          .seed = 42 + batch};
    return simulated_backend.launch(session, program, &launch, &seconds, error);
}

void fixture_run(struct backend_session *session, struct backend_program *program, uint64_t batch, uint64_t instances,
                 uint32_t counters[COUNTERS])
{
    struct error error = {0};
    if (fixture_try(session, program, batch, instances, counters, &error) != STATUS_OK)
        fail_msg("%s", error.text);
}

uint64_t fixture_sum(const uint32_t counters[COUNTERS])
{
    uint64_t sum = 0;
    for (unsigned i = OUTCOME_A; i <= STALE; i++)
        sum += counters[i];
    return sum;
}
