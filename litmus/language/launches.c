// SPDX-License-Identifier: Apache-2.0
/* Which threads of a test are launched together, and what stands between the launches. */
#include "litmus/litmus.h"

/* The edge that leads from one body to another; LAUNCH_EDGE_COUNT: none. BESIDE leads both ways. */
static enum launch_edge edge_between(const struct litmus_test *test, unsigned from, unsigned to)
{
    for (size_t i = 0; i < test->edge_count; i++) {
        const struct litmus_edge *edge = &test->edges[i];
        const bool forth = edge->earlier == from && edge->later == to;
        const bool back = edge->kind == LAUNCH_EDGE_BESIDE && edge->later == from && edge->earlier == to;
        if (forth || back)
            return edge->kind;
    }
    return LAUNCH_EDGE_COUNT;
}

static bool together(const struct litmus_test *test, const struct litmus_agents *agents, unsigned a, unsigned b)
{
    bool same = agents->of_body[a] == agents->of_body[b] && edge_between(test, a, b) == LAUNCH_EDGE_COUNT &&
                edge_between(test, b, a) == LAUNCH_EDGE_COUNT;
    for (unsigned other = 0; other < test->body_count && same; other++)
        if (other != a && other != b)
            same = edge_between(test, a, other) == edge_between(test, b, other) &&
                   edge_between(test, other, a) == edge_between(test, other, b);
    return same;
}

/* The first body that is launched with this one. */
static unsigned first_of(const struct litmus_test *test, const struct litmus_agents *agents, unsigned body)
{
    unsigned first = 0;
    while (first < body && !together(test, agents, first, body))
        first++;
    return first;
}

/* Whether all bodies that the first one of a launch comes after have a place already. */
static bool may_begin(const struct litmus_test *test, const struct litmus_agents *agents, unsigned first,
                      const bool *placed)
{
    for (unsigned body = 0; body < test->body_count; body++) {
        const enum launch_edge edge = edge_between(test, body, first);
        if (edge != LAUNCH_EDGE_COUNT && edge != LAUNCH_EDGE_BESIDE && !placed[first_of(test, agents, body)])
            return false;
    }
    return true;
}

static void place(const struct litmus_test *test, const struct litmus_agents *agents, unsigned first,
                  struct litmus_launches *launches)
{
    struct litmus_launch *launch = &launches->launches[launches->count];
    launch->agent = agents->of_body[first];
    for (unsigned body = 0; body < test->body_count; body++) {
        const enum launch_edge edge = edge_between(test, body, first);
        if (first_of(test, agents, body) == first)
            launches->of_body[body] = launches->count;
        else if (edge != LAUNCH_EDGE_COUNT && edge != LAUNCH_EDGE_BESIDE) {
            const unsigned before = launches->of_body[body];
            launch->after |= 1U << before;
            launch->edges[before] = edge;
        }
    }
    launches->count++;
}

bool litmus_launch_precedes(const struct litmus_launches *launches, unsigned a, unsigned b)
{
    unsigned before = launches->launches[b].after;
    for (unsigned k = b; k-- > 0;) /* earlier launches have smaller numbers */
        if (before >> k & 1)
            before |= launches->launches[k].after;
    return a < b && (before >> a & 1);
}

/* Whether both launches would be in one queue with a third, which would order them as well. */
static bool shares_queue(const struct litmus_launches *launches, unsigned from, unsigned to)
{
    const enum launch_edge edge = launches->launches[to].edges[from];
    return launches->launches[to].after >> from & 1 &&
           (edge == LAUNCH_EDGE_QUEUE || edge == LAUNCH_EDGE_MAP || edge == LAUNCH_EDGE_COPY);
}

static bool is_ordered_by_accident(const struct litmus_launches *launches)
{
    for (unsigned a = 0; a < launches->count; a++)
        for (unsigned b = a + 1; b < launches->count; b++)
            for (unsigned c = 0; c < launches->count && !litmus_launch_precedes(launches, a, b); c++)
                if ((shares_queue(launches, c, a) && shares_queue(launches, c, b)) ||
                    (shares_queue(launches, a, c) && shares_queue(launches, b, c)))
                    return true;
    return false;
}

static bool has_kind(const struct litmus_test *test, enum launch_edge kind, bool other)
{
    for (size_t i = 0; i < test->edge_count; i++)
        if ((test->edges[i].kind == kind) != other && test->edges[i].kind != LAUNCH_EDGE_BESIDE)
            return true;
    return false;
}

enum status litmus_find_launches(const struct litmus_test *test, struct litmus_launches *launches, struct error *error)
{
    struct litmus_agents agents;
    bool placed[LITMUS_MAXIMUM_BODIES] = {false};
    unsigned left = 0;
    *launches = (struct litmus_launches){0};
    if (test->edge_count == 0) {
        launches->count = 1;
        return STATUS_OK;
    }
    TRY(litmus_find_agents(test, &agents, error));
    for (unsigned body = 0; body < test->body_count; body++)
        left += first_of(test, &agents, body) == body;
    if (left > LITMUS_MAXIMUM_LAUNCHES)
        return error_set(error, STATUS_LIMIT, "the test has %u launches; at most %d are played", left,
                         LITMUS_MAXIMUM_LAUNCHES);
    while (left > 0) {
        unsigned next = 0;
        while (next < test->body_count &&
               (placed[next] || first_of(test, &agents, next) != next || !may_begin(test, &agents, next, placed)))
            next++;
        if (next == test->body_count)
            return error_set(error, STATUS_SYNTAX, "the launches of the test come after each other in a circle");
        place(test, &agents, next, launches);
        placed[next] = true;
        left--;
    }
    if (is_ordered_by_accident(launches))
        return error_set(error, STATUS_SYNTAX,
                         "a queue that two launches share with a third orders them too: expected an edge between them");
    if (has_kind(test, LAUNCH_EDGE_GRAPH, false) && has_kind(test, LAUNCH_EDGE_GRAPH, true))
        return error_set(error, STATUS_SYNTAX, "expected all edges of the test by graph, or none");
    return STATUS_OK;
}
