// SPDX-License-Identifier: Apache-2.0
/* Protects: circumstances are read rarely, whatever the jobs (at most once a second, in long jobs at doubling
 * intervals), and the device's replace the host's. The clock is real; the jobs claim to have begun long ago. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "runner/worker/job_run.h"

struct backend_session {
    unsigned reads;
};

static void count_read(struct backend_session *session, struct circumstances *circumstances)
{
    session->reads++;
    (void)circumstances_note(circumstances, CIRCUMSTANCE_SM_CLOCK, session->reads);
}

static const struct backend counting = {.name = "counting", .observe = count_read};

/* Whether a call reads if the last reading was `before` seconds ago and the job has run for `running` seconds. */
static bool reads(double before, double running)
{
    const double now = clock_seconds();
    struct backend_session session = {.reads = 0};
    struct observer observer = {.read_at = now - before};
    observe(&observer, &counting, &session, now - running);
    assert_true(session.reads == 0 || observer.read_at >= now);
    return session.reads > 0;
}

static void test_how_often(void **state)
{
    struct backend_session session = {.reads = 0};
    struct observer observer = {.read_at = 0};
    const double start = clock_seconds();
    (void)state;
    for (int batch = 0; batch < 1000; batch++)
        observe(&observer, &counting, &session, start);
    assert_true(session.reads >= 1 && session.reads <= 1 + (unsigned)(clock_seconds() - start));
    assert_true(observer.last.numbers[CIRCUMSTANCE_SM_CLOCK] == session.reads);

    assert_false(reads(0.5, 0.2)); /* a reading in another job is recent enough */
    assert_true(reads(1.5, 0.2));
    assert_false(reads(0.5, 1.6));
    assert_true(reads(1.1, 1.6)); /* the first reading was at 0.5 s */
    assert_false(reads(3, 7));    /* at 4 s, so the next is due at 8 s */
    assert_true(reads(4.1, 8.1));
    assert_false(reads(100, 500));
    assert_true(reads(300, 500));
}

/* A device without circumstances of its own gets the host's. */
static void test_host(void **state)
{
    static const struct backend blind = {.name = "blind"};
    struct observer observer = {.read_at = 0};
    (void)state;
    observe(&observer, &blind, NULL, clock_seconds());
    assert_true(observer.last.known >> CIRCUMSTANCE_HOST_LOAD & 1);
    assert_false(observer.last.known >> CIRCUMSTANCE_SM_CLOCK & 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_how_often), cmocka_unit_test(test_host)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
