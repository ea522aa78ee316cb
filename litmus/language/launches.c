// SPDX-License-Identifier: Apache-2.0
/* Which threads of a test are launched together, what orders the launches, and which agent runs them. */
#include "litmus/language/walk.h"

/* ---- a walk that collects what a body does to one location ---- */

/* Of one body and one location's storage, by whichever of its names. A thread that accesses memory through a register
 * may access all locations. */
struct reach {
    bool accesses;
    bool writes;
    bool copies_to; /* writes it by an asynchronous copy, which runs while the thread continues */
    bool updates;   /* by a read-modify-write of scope ALL_DEVICES */
};

struct collecting {
    const struct litmus_test *test;
    unsigned storage; /* the location */
    struct reach reach;
};

/* Whether an address, which may be NULL, may be one of the location. A tensor map may name any. */
static bool may_name(const struct collecting *collecting, const struct litmus_expression *address)
{
    return address && (address->kind != LITMUS_EXPRESSION_ADDRESS ||
                       collecting->test->locations[address->index].type == LITMUS_TENSORMAP ||
                       litmus_storage(collecting->test, (unsigned)address->index) == collecting->storage);
}

static void collect_access(struct collecting *collecting, const struct litmus_access *access)
{
    const bool reads_only = access->operation == LITMUS_LOAD, stores = access->operation == LITMUS_STORE;
    collecting->reach.writes |= may_name(collecting, access->expected_address);
    if (!may_name(collecting, access->address))
        return;
    collecting->reach.accesses = true;
    collecting->reach.writes |= !reads_only;
    collecting->reach.updates |= access->scope == LITMUS_ALL_DEVICES && !reads_only && !stores;
}

static struct reach reach_find(const struct litmus_test *test, unsigned body, unsigned location)
{
    struct collecting collecting = {.test = test, .storage = litmus_storage(test, location)};
    for (struct litmus_walk walk = litmus_walk_block(&test->threads[body].body); litmus_walk_next(&walk);) {
        if (walk.statement) {
            const struct litmus_statement *statement = walk.statement;
            const bool copies = statement->kind == LITMUS_COPY;
            for (const struct litmus_expression *to = copies ? statement->copy.to : NULL; to; to = to->right)
                collecting.reach.copies_to |= may_name(&collecting, to);
            for (const struct litmus_expression *signalled = copies ? statement->copy.mbarrier : NULL; signalled;
                 signalled = signalled->right)
                collecting.reach.writes |= may_name(&collecting, signalled);
            if (litmus_is_fence(statement) && statement->fence.from)
                collecting.reach.writes |= may_name(&collecting, statement->fence.map);
            if (statement->kind == LITMUS_GROUP)
                collecting.reach.writes |= may_name(&collecting, statement->group.mbarrier);
            collecting.reach.writes |= collecting.reach.copies_to;
        } else if (walk.expression->kind == LITMUS_EXPRESSION_ADDRESS)
            collecting.reach.accesses |= may_name(&collecting, walk.expression);
        if (walk.access)
            collect_access(&collecting, walk.access);
    }
    return collecting.reach;
}

/* ---- launches ---- */

/* Which edge leads from one body to another, by their indices; LAUNCH_EDGE_COUNT: none. BESIDE leads both ways. */
struct edges {
    unsigned bodies;
    struct litmus_agents agents;
    uint8_t between[LITMUS_MAXIMUM_BODIES][LITMUS_MAXIMUM_BODIES];
};

static void list_edges(const struct litmus_test *test, struct edges *edges)
{
    edges->bodies = (unsigned)test->body_count;
    memset(edges->between, LAUNCH_EDGE_COUNT, sizeof edges->between);
    FOR_EACH(const struct litmus_edge, edge, test->edges, test->edge_count) {
        edges->between[edge->earlier][edge->later] = (uint8_t)edge->kind;
        if (edge->kind == LAUNCH_EDGE_BESIDE)
            edges->between[edge->later][edge->earlier] = (uint8_t)edge->kind;
    }
}

static bool together(const struct edges *edges, unsigned a, unsigned b)
{
    bool same = edges->agents.of_body[a] == edges->agents.of_body[b] && edges->between[a][b] == LAUNCH_EDGE_COUNT &&
                edges->between[b][a] == LAUNCH_EDGE_COUNT;
    for (unsigned other = 0; other < edges->bodies && same; other++)
        if (other != a && other != b)
            same = edges->between[a][other] == edges->between[b][other] &&
                   edges->between[other][a] == edges->between[other][b];
    return same;
}

/* The first body that is launched with this one. */
static unsigned first_of(const struct edges *edges, unsigned body)
{
    unsigned first = 0;
    while (first < body && !together(edges, first, body))
        first++;
    return first;
}

static bool is_ordered(const struct edges *edges, unsigned from, unsigned to)
{
    return edges->between[from][to] != LAUNCH_EDGE_COUNT && edges->between[from][to] != LAUNCH_EDGE_BESIDE;
}

/* Whether all bodies that the first one of a launch comes after have a place already. */
static bool may_begin(const struct edges *edges, unsigned first, const bool *placed)
{
    return !ANY_NUMBER(unsigned, body, 0, edges->bodies,
                       is_ordered(edges, body, first) && !placed[first_of(edges, body)]);
}

static void place_launch(const struct edges *edges, unsigned first, struct litmus_launches *launches)
{
    struct litmus_launch *launch = &launches->launches[launches->count];
    launch->agent = edges->agents.of_body[first];
    for (unsigned body = 0; body < edges->bodies; body++) {
        if (first_of(edges, body) == first)
            launches->of_body[body] = launches->count;
        else if (is_ordered(edges, body, first)) {
            const unsigned before = launches->of_body[body];
            launch->after |= 1U << before;
            launch->edges[before] = (enum launch_edge)edges->between[body][first];
        }
    }
    launches->count++;
}

/* The launches from which an edge leads to a launch, programmatic ones or all others. */
static unsigned after_by(const struct litmus_launch *launch, bool programmatic)
{
    unsigned after = 0;
    for (unsigned k = 0; k < LITMUS_MAXIMUM_LAUNCHES; k++)
        if ((launch->after >> k & 1) && (launch->edges[k] == LAUNCH_EDGE_PROGRAMMATIC) == programmatic)
            after |= 1U << k;
    return after;
}

/* Whether edges lead from one launch to another. */
static bool leads(const struct litmus_launches *launches, unsigned a, unsigned b, bool also_programmatic)
{
    unsigned before = 1U << b;
    for (unsigned k = b + 1; k-- > 0;) /* earlier launches have smaller numbers */
        if (before >> k & 1)
            before |= after_by(&launches->launches[k], false) |
                      (also_programmatic ? after_by(&launches->launches[k], true) : 0);
    return a < b && (before >> a & 1);
}

bool litmus_launch_precedes(const struct litmus_launches *launches, unsigned a, unsigned b)
{
    return leads(launches, a, b, false);
}

bool litmus_fence_is_of_grids(const struct litmus_fence *fence)
{
    return fence->restriction == LITMUS_GRID_WAIT || fence->restriction == LITMUS_GRID_TRIGGER;
}

bool litmus_launch_is_dependent(const struct litmus_launches *launches, unsigned a, unsigned b)
{
    return after_by(&launches->launches[b], true) >> a & 1;
}

/* "Until all prerequisite grids in flight have completed" (PTX ISA, griddepcontrol). A launch that one of these comes
 * after by a programmatic edge is none of them: unless its dependent waits for it, it may end later than that. */
bool litmus_launch_awaits(const struct litmus_launches *launches, unsigned a, unsigned b)
{
    return ANY_NUMBER(unsigned, k, 0, launches->count,
                      litmus_launch_is_dependent(launches, k, b) && (a == k || leads(launches, a, k, false)));
}

/* Whether an edge puts both of its launches in one queue. */
static bool is_of_queue(const struct litmus_launches *launches, unsigned from, unsigned to)
{
    const struct litmus_launch *launch = &launches->launches[to];
    return (launch->after >> from & 1) && launch_edge_shares_queue(launch->edges[from]);
}

/* Whether edges to other launches would put two launches in one queue although the test does not order them. */
static bool is_ordered_by_accident(const struct litmus_launches *launches)
{
    unsigned queue[LITMUS_MAXIMUM_LAUNCHES];
    for (unsigned k = 0; k < launches->count; k++)
        queue[k] = k;
    for (unsigned from = 0; from < launches->count; from++)
        for (unsigned to = from + 1; to < launches->count; to++)
            for (unsigned k = 0, old = queue[to]; k < launches->count && is_of_queue(launches, from, to); k++)
                queue[k] = queue[k] == old ? queue[from] : queue[k];
    return ANY_NUMBER(
        unsigned, a, 0, launches->count,
        ANY_NUMBER(unsigned, b, a + 1, launches->count, queue[a] == queue[b] && !leads(launches, a, b, true)));
}

bool litmus_launches_conflict(const struct litmus_test *test, const struct litmus_launches *launches, unsigned a,
                              unsigned b)
{
    for (unsigned location = 0; location < test->location_count; location++) {
        struct reach of_a = {0}, of_b = {0};
        for (unsigned body = 0; body < test->body_count; body++) {
            const struct reach reach = reach_find(test, body, location);
            struct reach *of = launches->of_body[body] == a ? &of_a : launches->of_body[body] == b ? &of_b : NULL;
            if (of) {
                of->accesses |= reach.accesses;
                of->writes |= reach.writes;
            }
        }
        if (of_a.accesses && of_b.accesses && (of_a.writes || of_b.writes))
            return true;
    }
    return false;
}

bool litmus_accesses(const struct litmus_test *test, unsigned body, unsigned location)
{
    return reach_find(test, body, location).accesses;
}

bool litmus_may_change(const struct litmus_test *test, const struct litmus_launches *launches, unsigned body,
                       unsigned location)
{
    const unsigned own = launches->of_body[body];
    for (unsigned other = 0; other < test->body_count; other++) {
        const unsigned launch = launches->of_body[other];
        const bool meets =
            !litmus_launch_precedes(launches, own, launch) && !litmus_launch_precedes(launches, launch, own);
        const bool is_other = other != body || test->threads[body].count > 1;
        const struct reach reach = reach_find(test, other, location);
        if (meets && (reach.copies_to || (is_other && reach.writes)))
            return true;
    }
    return false;
}

bool litmus_has_edge(const struct litmus_test *test, enum launch_edge kind)
{
    return ANY_OF(edge, test->edges, test->edge_count, edge->kind == kind);
}

/* BESIDE says that nothing orders the two. */
static enum status check_beside(const struct litmus_test *test, const struct litmus_launches *launches,
                                const struct litmus_edge *edge, struct error *error)
{
    const unsigned later = launches->of_body[edge->later], earlier = launches->of_body[edge->earlier];
    if (!leads(launches, later, earlier, true) && !leads(launches, earlier, later, true))
        return STATUS_OK;
    return error_set(error, STATUS_SYNTAX, "P%u and P%u are beside each other, but other lines order them",
                     test->threads[edge->later].first, test->threads[edge->earlier].first);
}

static enum status check_contradictions(const struct litmus_test *test, const struct litmus_launches *launches,
                                        struct error *error)
{
    if (is_ordered_by_accident(launches))
        return error_set(error, STATUS_SYNTAX,
                         "two launches would be in one queue, which orders them: expected an edge between them too");
    FOR_EACH(const struct litmus_edge, edge, test->edges, test->edge_count) {
        if (edge->kind == LAUNCH_EDGE_BESIDE)
            TRY(check_beside(test, launches, edge, error));
        if (edge->kind == LAUNCH_EDGE_MAP || edge->kind == LAUNCH_EDGE_COPY) {
            /* Moving all words there and back may undo another launch's writes in the meantime. */
            const unsigned later = launches->of_body[edge->later], earlier = launches->of_body[edge->earlier];
            for (size_t body = 0; body < test->body_count; body++) {
                const unsigned other = launches->of_body[body];
                if (other != later && other != earlier && !litmus_launch_precedes(launches, other, earlier) &&
                    !litmus_launch_precedes(launches, later, other))
                    return error_set(
                        error, STATUS_SYNTAX,
                        "the %s between P%u and P%u may overwrite what P%u writes at that time: expected lines "
                        "that order it before P%u or after P%u",
                        launch_edge_word(edge->kind), test->threads[edge->earlier].first,
                        test->threads[edge->later].first, test->threads[body].first, test->threads[edge->earlier].first,
                        test->threads[edge->later].first);
            }
        }
    }
    if (litmus_has_edge(test, LAUNCH_EDGE_GRAPH) && litmus_has_edge(test, LAUNCH_EDGE_PROGRAMMATIC))
        return error_set(error, STATUS_SYNTAX,
                         "the models treat a programmatic edge of a graph as one of a stream: expected the other "
                         "edges of the test by queue, not by graph");
    if (litmus_has_edge(test, LAUNCH_EDGE_GRAPH) &&
        ANY_OF(edge, test->edges, test->edge_count,
               edge->kind != LAUNCH_EDGE_GRAPH && edge->kind != LAUNCH_EDGE_BESIDE))
        return error_set(error, STATUS_SYNTAX, "expected all edges of the test by graph, or none");
    return STATUS_OK;
}

enum status litmus_find_launches(const struct litmus_test *test, struct litmus_launches *launches, struct error *error)
{
    struct edges edges;
    bool placed[LITMUS_MAXIMUM_BODIES] = {false};
    unsigned left = 0;
    *launches = (struct litmus_launches){0};
    if (test->edge_count == 0) {
        launches->count = 1;
        return STATUS_OK;
    }
    if (test->body_count > LITMUS_MAXIMUM_BODIES)
        return error_set(error, STATUS_LIMIT,
                         "the test has %zu threads with code of their own; at most %d are supported", test->body_count,
                         LITMUS_MAXIMUM_BODIES);
    TRY(litmus_find_agents(test, &edges.agents, error));
    list_edges(test, &edges);
    for (unsigned body = 0; body < edges.bodies; body++)
        left += first_of(&edges, body) == body;
    if (left > LITMUS_MAXIMUM_LAUNCHES)
        return error_set(error, STATUS_LIMIT, "the test has %u launches; at most %d are supported", left,
                         LITMUS_MAXIMUM_LAUNCHES);
    for (; left > 0; left--) {
        unsigned next = 0;
        while (next < edges.bodies &&
               (placed[next] || first_of(&edges, next) != next || !may_begin(&edges, next, placed)))
            next++;
        if (next == edges.bodies)
            return error_set(error, STATUS_SYNTAX,
                             "the launches of the test form a cycle, in which each waits for another");
        place_launch(&edges, next, launches);
        placed[next] = true;
    }
    return check_contradictions(test, launches, error);
}

/* ---- agents: the devices of a test, and the host ---- */

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

static bool launches_is_same(const struct litmus_placement *a, const struct litmus_placement *b)
{
    return a->host == b->host && (a->host || a->device == b->device);
}

/* The first body that the same agent plays. */
static unsigned first_of_agent(const struct litmus_test *test, unsigned body)
{
    unsigned first = 0;
    while (!launches_is_same(&test->threads[first].placement, &test->threads[body].placement))
        first++;
    return first;
}

enum status litmus_find_agents(const struct litmus_test *test, struct litmus_agents *agents, struct error *error)
{
    *agents = (struct litmus_agents){0};
    for (unsigned body = 0; body < test->body_count; body++) {
        agents->host |= test->threads[body].placement.host;
        agents->count += first_of_agent(test, body) == body;
        for (unsigned other = 0; other < test->body_count; other++)
            if (first_of_agent(test, other) == other &&
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
