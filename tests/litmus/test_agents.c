// SPDX-License-Identifier: Apache-2.0
/* Protects: the agents of a test's threads follow from their placements, devices by number and the host last. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "litmus/litmus.h"

static struct litmus_test *placed(const char *header)
{
    struct litmus_test *test;
    struct error error = {0};
    struct text text = {0};
    text_add(&text, "PTX T\n{ x=0; }\n %s ;\nexists (x=0)", header);
    if (litmus_parse("test", text_string(&text), text.size, &test, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    text_release(&text);
    return test;
}

static void agents_are_devices_by_number_and_then_the_host(void **state)
{
    static const struct {
        const char *header;
        unsigned count;
        bool host;
        unsigned of_body[4];
    } rows[] = {
        {"P0@cta 0,gpu 0 | P1@cta 1,gpu 0", 1, false, {0, 0}},
        {"P0 | P1", 1, false, {0, 0}},
        {"P0@cta 0,gpu 1 | P1@cta 0,gpu 0", 2, false, {1, 0}},
        {"P0@gpu 7 | P1@gpu 3 | P2@gpu 7 | P3@gpu 5", 3, false, {2, 0, 2, 1}},
        {"P0@host | P1@cta 0,gpu 0", 2, true, {1, 0}},
        {"P0@cta 0,gpu 0 | P1@host | P2@host", 2, true, {0, 1, 1}},
        {"P0@host | P1@gpu 1 | P2@gpu 0 | P3@gpu 2", 4, true, {3, 1, 0, 2}},
        {"P0@host | P1@host", 1, true, {0, 0}},
        {"P0..P3@gpu 1 | P4@gpu 0", 2, false, {1, 0}},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct litmus_test *test = placed(rows[i].header);
        struct litmus_agents agents;
        struct error error = {0};
        assert_int_equal(litmus_find_agents(test, &agents, &error), STATUS_OK);
        assert_int_equal(agents.count, rows[i].count);
        assert_int_equal(agents.host, rows[i].host);
        for (size_t body = 0; body < test->body_count; body++)
            assert_int_equal(agents.of_body[body], rows[i].of_body[body]);
        litmus_release(test);
    }
}

/* A body of P0 on one GPU and of P1 on another. */
static bool share_atomics(const char *first, const char *second)
{
    struct litmus_test *test;
    struct error error = {0};
    struct text text = {0};
    text_add(&text, "PTX T\n{ x=0; y=0; }\n P0@cta 0,gpu 0 | P1@cta 0,gpu 1 ;\n %s | %s ;\nexists (x=0)", first,
             second);
    if (litmus_parse("test", text_string(&text), text.size, &test, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    text_release(&text);
    const bool share = litmus_agents_share_atomics(test, 0);
    litmus_release(test);
    return share;
}

static void atomics_are_shared_where_one_agent_counts_and_another_looks(void **state)
{
    (void)state;
    assert_true(share_atomics("atom.relaxed.sys.add r0, x, 1", "atom.relaxed.sys.add r0, x, 1"));
    assert_true(share_atomics("atom.relaxed.sys.add r0, x, 1", "ld.relaxed.sys r0, x"));
    assert_true(share_atomics("st.relaxed.sys x, 7", "red.relaxed.sys.add x, 1"));
    assert_false(share_atomics("atom.relaxed.sys.add r0, x, 1", "ld.relaxed.sys r0, y"));
    assert_false(share_atomics("atom.relaxed.gpu.add r0, x, 1", "atom.relaxed.gpu.add r0, x, 1"));
    assert_false(share_atomics("st.relaxed.sys x, 7", "ld.relaxed.sys r0, x"));
}

static void more_agents_than_play_together_are_refused(void **state)
{
    struct litmus_test *test = placed("P0@gpu 0 | P1@gpu 1 | P2@gpu 2 | P3@gpu 3 | P4@host");
    struct litmus_agents agents;
    struct error error = {0};
    (void)state;
    assert_int_equal(litmus_find_agents(test, &agents, &error), STATUS_LIMIT);
    assert_string_equal(error.text, "the test has threads on 5 devices; at most 4 can run together");
    litmus_release(test);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(agents_are_devices_by_number_and_then_the_host),
        cmocka_unit_test(atomics_are_shared_where_one_agent_counts_and_another_looks),
        cmocka_unit_test(more_agents_than_play_together_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
