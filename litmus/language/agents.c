// SPDX-License-Identifier: Apache-2.0
/* The agents of a test: its devices, and the host. */
#include "litmus/language/reach.h"

const struct litmus_placement litmus_unplaced = {
    .sub_group = LITMUS_NONE,
    .work_group = LITMUS_NONE,
    .cluster = LITMUS_NONE,
    .device = LITMUS_NONE,
    .queue_family = LITMUS_NONE,
};

/* Whether a placement of the other is in an earlier agent. */
static bool is_before(const struct litmus_placement *a, const struct litmus_placement *b)
{
    return a->host != b->host ? b->host : a->device < b->device;
}

static bool is_same(const struct litmus_placement *a, const struct litmus_placement *b)
{
    return a->host == b->host && (a->host || a->device == b->device);
}

/* The first body that the same agent plays. */
static unsigned first_of(const struct litmus_test *test, unsigned body)
{
    unsigned first = 0;
    while (!is_same(&test->threads[first].placement, &test->threads[body].placement))
        first++;
    return first;
}

enum status litmus_find_agents(const struct litmus_test *test, struct litmus_agents *agents, struct error *error)
{
    *agents = (struct litmus_agents){0};
    for (unsigned body = 0; body < test->body_count; body++) {
        agents->host |= test->threads[body].placement.host;
        agents->count += first_of(test, body) == body;
        for (unsigned other = 0; other < test->body_count; other++)
            if (first_of(test, other) == other &&
                is_before(&test->threads[other].placement, &test->threads[body].placement))
                agents->of_body[body]++;
    }
    if (agents->count > LITMUS_MAXIMUM_AGENTS)
        return error_set(error, STATUS_LIMIT, "the test has threads on %u devices; at most %d can run together",
                         agents->count, LITMUS_MAXIMUM_AGENTS);
    return STATUS_OK;
}

bool litmus_agents_share_atomics(const struct litmus_test *test, unsigned location)
{
    struct litmus_agents agents;
    struct error ignored;
    unsigned accessing = 0, updating = 0;
    if (litmus_find_agents(test, &agents, &ignored) != STATUS_OK)
        return false;
    for (unsigned body = 0; body < test->body_count; body++) {
        const struct reach reach = reach_find(test, body, location);
        accessing |= (unsigned)reach.accesses << agents.of_body[body];
        updating |= (unsigned)reach.updates << agents.of_body[body];
    }
    return updating != 0 && (accessing & (accessing - 1)) != 0;
}
