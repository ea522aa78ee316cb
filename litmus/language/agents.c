// SPDX-License-Identifier: Apache-2.0
/* Who plays a test's threads: its devices, and the host. */
#include "litmus/language/visit.h"

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
        return error_set(error, STATUS_LIMIT, "the test has threads on %u devices; at most %d play together",
                         agents->count, LITMUS_MAXIMUM_AGENTS);
    return STATUS_OK;
}

/* What a thread may do to a location. */
struct reach {
    unsigned location;
    bool accesses, changes; /* by a read-modify-write of scope ALL_DEVICES */
};

static void reach_by_access(struct reach *reach, const struct litmus_access *access)
{
    const bool named = access->address->kind == LITMUS_EXPRESSION_ADDRESS;
    if (named && access->address->index != (int)reach->location)
        return;
    reach->accesses = true;
    reach->changes |=
        access->scope == LITMUS_ALL_DEVICES && access->operation != LITMUS_LOAD && access->operation != LITMUS_STORE;
}

static void reach_by_expression(const struct litmus_expression *expression, void *context)
{
    struct reach *reach = context;
    reach->accesses |= expression->kind == LITMUS_EXPRESSION_ADDRESS && expression->index == (int)reach->location;
    if (expression->access)
        reach_by_access(reach, expression->access);
}

static void reach_by_statement(const struct litmus_statement *statement, void *context)
{
    if (statement->kind == LITMUS_VECTOR)
        reach_by_access(context, &statement->vector.access);
}

bool litmus_agents_share_atomics(const struct litmus_test *test, unsigned location)
{
    struct litmus_agents agents;
    struct error ignored;
    unsigned accessing = 0, changing = 0;
    if (litmus_find_agents(test, &agents, &ignored) != STATUS_OK)
        return false;
    for (unsigned body = 0; body < test->body_count; body++) {
        struct reach reach = {.location = location};
        const struct visitor visitor = {reach_by_statement, reach_by_expression, &reach};
        litmus_visit_block(&test->threads[body].body, &visitor);
        accessing |= (unsigned)reach.accesses << agents.of_body[body];
        changing |= (unsigned)reach.changes << agents.of_body[body];
    }
    return changing != 0 && (accessing & (accessing - 1)) != 0;
}
