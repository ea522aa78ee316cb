// SPDX-License-Identifier: Apache-2.0
/*
 * The graph of a program's states, and its fair cycles.
 *
 * In an endless run the states that are visited again and again are strongly connected. A run breaks a promise if some
 * unit is promised a step in every one of them and never takes one. Within a strongly connected component, the cycle
 * through all its states and edges breaks the fewest promises: it has the most steps, and the most states in which
 * nothing is promised. So a component has a cycle without a broken promise if it has, for each unit, an edge of the
 * unit or a state in which the unit is promised none.
 */
#include "models/termination/graph.h"

#include "models/search/enumerate.h"

/* ---- making ---- */

const int64_t *graph_state(const struct state_graph *graph, size_t number)
{
    return graph->states + number * graph->machine->state_words;
}

static uint64_t state_key(const struct state_graph *graph, const int64_t *state)
{
    uint64_t key = KEY_OF_NONE;
    for (size_t i = 0; i < graph->machine->state_words; i++)
        key = key_with(key, state[i]);
    return key;
}

static size_t add_state(struct state_graph *graph, const int64_t *state)
{
    const size_t size = graph->machine->state_words * sizeof *state;
    const uint64_t key = state_key(graph, state);
    size_t number;
    for (size_t step = 0; hash_index_next(&graph->by_state, key, &step, &number);)
        if (memcmp(graph_state(graph, number), state, size) == 0)
            return number;
    graph->states = memory_grow(graph->states, graph->state_count, &graph->state_room, size);
    memcpy(graph->states + graph->state_count * graph->machine->state_words, state, size);
    hash_index_add(&graph->by_state, key, graph->state_count);
    return graph->state_count++;
}

static void take_step(void *context, const int64_t *state, struct machine_step step)
{
    struct state_graph *graph = context;
    const uint32_t to = (uint32_t)add_state(graph, state);
    if (graph->state_count > TERMINATION_MAXIMUM_STATES)
        graph->machine->reason =
            arena_print(&graph->machine->program.arena, "it has more than %d states", TERMINATION_MAXIMUM_STATES);
    LIST_ADD(graph->edges, graph->edge_count, graph->edge_room) = (struct graph_edge){graph->from, to, step};
}

/* ---- strongly connected components (Tarjan, "Depth-First Search and Linear Graph Algorithms", 1972) ---- */

struct visit {
    uint32_t state;
    size_t edge; /* the next one to follow */
};

struct components {
    struct state_graph *graph;
    uint32_t *order, *low; /* 0: not visited */
    uint32_t next;
    uint32_t *open; /* visited states without a component */
    size_t open_count;
    struct visit *visits;
    size_t visit_count;
};

static void visit_state(struct components *components, uint32_t state)
{
    components->order[state] = components->low[state] = ++components->next;
    components->open[components->open_count++] = state;
    components->visits[components->visit_count++] = (struct visit){state, components->graph->first_edges[state]};
}

/* All edges of the last visited state have been followed. */
static void leave_state(struct components *components)
{
    struct state_graph *graph = components->graph;
    const uint32_t state = components->visits[--components->visit_count].state;
    if (components->low[state] == components->order[state]) {
        uint32_t member;
        do {
            member = components->open[--components->open_count];
            graph->components[member] = (uint32_t)graph->component_count;
        } while (member != state);
        graph->component_count++;
    }
    if (components->visit_count == 0)
        return;
    const uint32_t before = components->visits[components->visit_count - 1].state;
    if (components->low[before] > components->low[state])
        components->low[before] = components->low[state];
}

static void find_components(struct state_graph *graph)
{
    const size_t count = graph->state_count;
    struct components components = {.graph = graph,
                                    .order = memory_take(count, sizeof(uint32_t)),
                                    .low = memory_take(count, sizeof(uint32_t)),
                                    .open = memory_take(count, sizeof(uint32_t)),
                                    .visits = memory_take(count, sizeof(struct visit))};
    memset(graph->components, 0xff, count * sizeof *graph->components); /* UINT32_MAX: none yet */
    visit_state(&components, 0);                                        /* every state is reached from the first */
    while (components.visit_count > 0) {
        struct visit *visit = &components.visits[components.visit_count - 1];
        if (visit->edge == graph->first_edges[visit->state + 1]) {
            leave_state(&components);
            continue;
        }
        const uint32_t to = graph->edges[visit->edge++].to;
        if (components.order[to] == 0)
            visit_state(&components, to);
        else if (graph->components[to] == UINT32_MAX && components.low[visit->state] > components.order[to])
            components.low[visit->state] = components.order[to];
    }
    free(components.order);
    free(components.low);
    free(components.open);
    free(components.visits);
}

bool state_graph_make(struct state_graph *graph, struct machine *machine)
{
    *graph = (struct state_graph){.machine = machine};
    machine_begin(machine, machine->next);
    add_state(graph, machine->next);
    graph->first_edges = memory_take(TERMINATION_MAXIMUM_STATES + 1, sizeof *graph->first_edges);
    for (graph->from = 0; graph->from < graph->state_count && !machine->reason; graph->from++) {
        graph->first_edges[graph->from] = graph->edge_count;
        for (unsigned unit = 0; unit < machine->unit_count && !machine->reason; unit++)
            if (machine_can_step(machine, graph_state(graph, graph->from), unit))
                machine_step_unit(machine, graph_state(graph, graph->from), unit, take_step, graph);
    }
    if (machine->reason)
        return false;
    graph->first_edges[graph->state_count] = graph->edge_count;
    graph->components = memory_take(graph->state_count, sizeof *graph->components);
    find_components(graph);
    return true;
}

void state_graph_release(struct state_graph *graph)
{
    free(graph->states);
    free(graph->edges);
    free(graph->first_edges);
    free(graph->components);
    hash_index_release(&graph->by_state);
}

/* ---- promises ---- */

static bool is_host(const struct machine *machine, unsigned unit)
{
    return machine->test->threads[machine->threads[__builtin_ctz(machine->units[unit].lanes)].body].placement.host;
}

static bool is_lowest(const struct machine *machine, const int64_t *state, unsigned unit)
{
    return !ANY_NUMBER(unsigned, lower, 0, unit, machine_can_step(machine, state, lower));
}

static bool has_begun_from(const struct machine *machine, const int64_t *state, unsigned unit)
{
    while (unit < machine->unit_count && !machine_has_begun(machine, state, unit))
        unit++;
    return unit < machine->unit_count;
}

/* Whether the scheduler promises the unit a step in this state. */
static bool is_promised(const struct state_graph *graph, enum scheduler scheduler, size_t number, unsigned unit)
{
    const struct machine *machine = graph->machine;
    const int64_t *state = graph_state(graph, number);
    if (!machine_can_step(machine, state, unit))
        return false;
    if (is_host(machine, unit))
        return true;
    const bool begun = machine_has_begun(machine, state, unit);
    switch (scheduler) {
    case SCHEDULER_HSA:
        return is_lowest(machine, state, unit);
    case SCHEDULER_OBE:
        return begun;
    case SCHEDULER_LOBE:
        return has_begun_from(machine, state, unit);
    case SCHEDULER_HSA_OBE:
        return begun || is_lowest(machine, state, unit);
    default:
        return true;
    }
}

static bool is_in_component(const struct state_graph *graph, const struct graph_edge *edge)
{
    return graph->components[edge->from] == graph->components[edge->to];
}

/* For each component: units without a broken promise in its widest cycle, as bits; UINT32_MAX if it has no cycle. */
static uint32_t *graph_find_kept(const struct state_graph *graph, enum scheduler scheduler, bool *cyclic)
{
    uint32_t *kept = memory_take(graph->component_count, sizeof *kept);
    for (size_t state = 0; state < graph->state_count; state++)
        for (unsigned unit = 0; unit < graph->machine->unit_count; unit++)
            if (!is_promised(graph, scheduler, state, unit))
                kept[graph->components[state]] |= UINT32_C(1) << unit;
    for (size_t i = 0; i < graph->edge_count; i++)
        if (is_in_component(graph, &graph->edges[i])) {
            const uint32_t component = graph->components[graph->edges[i].from];
            kept[component] |= UINT32_C(1) << graph->edges[i].step.unit;
            cyclic[component] = true;
        }
    return kept;
}

static bool is_over(const struct state_graph *graph, size_t state)
{
    return !ANY_NUMBER(unsigned, unit, 0, graph->machine->unit_count,
                       machine_lanes_left(graph->machine, graph_state(graph, state), unit));
}

size_t graph_find_endless(const struct state_graph *graph, enum scheduler scheduler, bool *waits)
{
    FREED bool *cyclic = memory_take(graph->component_count, sizeof *cyclic);
    FREED uint32_t *kept = graph_find_kept(graph, scheduler, cyclic);
    const uint32_t all = (uint32_t)((UINT64_C(1) << graph->machine->unit_count) - 1);
    size_t found = SIZE_MAX;
    for (size_t state = 0; state < graph->state_count && found == SIZE_MAX; state++) {
        const uint32_t component = graph->components[state];
        *waits = graph->first_edges[state] == graph->first_edges[state + 1];
        if (*waits ? !is_over(graph, state) : cyclic[component] && kept[component] == all)
            found = state;
    }
    return found;
}

/* ---- ways ---- */

/* What a way leads to: a state; or a step of a unit, or a state in which it is promised none. */
struct goal {
    size_t state; /* SIZE_MAX: any */
    unsigned unit;
    enum scheduler scheduler;
};

static bool is_goal(const struct state_graph *graph, const struct goal *goal, const struct graph_edge *edge)
{
    return goal->state != SIZE_MAX
               ? edge->to == goal->state
               : edge->step.unit == goal->unit || !is_promised(graph, goal->scheduler, edge->to, goal->unit);
}

/* Adds the shortest way of at least one edge from a state to a goal, which there is; within the state's component if so
 * asked. Returns where it leads. */
static size_t find_way(const struct state_graph *graph, size_t from, bool within, const struct goal *goal,
                       struct graph_path *path)
{
    FREED size_t *by = memory_take(graph->state_count, sizeof *by); /* one more than the edge by which it was reached */
    FREED uint32_t *queue = memory_take(graph->state_count + 1, sizeof *queue);
    size_t head = 0, tail = 0, last = SIZE_MAX;
    for (queue[tail++] = (uint32_t)from; head < tail && last == SIZE_MAX; head++)
        for (size_t e = graph->first_edges[queue[head]]; e < graph->first_edges[queue[head] + 1]; e++) {
            const struct graph_edge *edge = &graph->edges[e];
            if (within && !is_in_component(graph, edge))
                continue;
            if (is_goal(graph, goal, edge)) {
                last = e;
                break;
            }
            if (by[edge->to] == 0 && edge->to != from) {
                by[edge->to] = e + 1;
                queue[tail++] = edge->to;
            }
        }
    const size_t begin = path->count, end = graph->edges[last].to;
    for (size_t edge = last + 1; edge != 0; edge = by[graph->edges[edge - 1].from])
        LIST_ADD(path->edges, path->count, path->room) = edge - 1;
    for (size_t a = begin, b = path->count - 1; a < b; a++, b--) {
        const size_t edge = path->edges[a];
        path->edges[a] = path->edges[b];
        path->edges[b] = edge;
    }
    return end;
}

void graph_find_way(const struct state_graph *graph, size_t state, struct graph_path *path)
{
    if (state != 0)
        find_way(graph, 0, false, &(struct goal){.state = state}, path);
}

void graph_find_cycle(const struct state_graph *graph, enum scheduler scheduler, size_t state, struct graph_path *path)
{
    const size_t begin = path->count;
    size_t at = state;
    for (unsigned unit = 0; unit < graph->machine->unit_count; unit++) {
        const struct goal goal = {.state = SIZE_MAX, .unit = unit, .scheduler = scheduler};
        bool kept = !is_promised(graph, scheduler, state, unit);
        for (size_t i = begin; i < path->count; i++)
            kept |= is_goal(graph, &goal, &graph->edges[path->edges[i]]);
        if (!kept)
            at = find_way(graph, at, true, &goal, path);
    }
    if (at != state || path->count == begin)
        find_way(graph, at, true, &(struct goal){.state = state}, path);
}
