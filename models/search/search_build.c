// SPDX-License-Identifier: Apache-2.0
/* Builds an execution without rf and co from one path of each thread. */
#include <string.h>

#include "models/search/search.h"

static bool add_initial_write(struct search_state *state, const struct event *access)
{
    struct execution *execution = &state->execution;
    for (unsigned i = 0; i < execution->count; i++)
        if (event_same_cell(&execution->events[i], access))
            return true;
    if (execution->count == EVENTS_MAXIMUM)
        return false;
    const struct litmus_location *location = &state->test->locations[access->storage];
    const int64_t value = location_initial(state->test, access->storage, access->element);
    execution->initial |= set_of(execution->count);
    state->sources[execution->count] = NULL;
    execution->events[execution->count++] =
        (struct event){.kind = EVENT_WRITE,
                       .thread = LITMUS_NONE,
                       .body = LITMUS_NONE,
                       .location = access->storage,
                       .storage = access->storage,
                       .address = access->storage,
                       .element = access->element,
                       .offset = access->offset,
                       .size = (unsigned)litmus_type_size(location->type),
                       .value = value,
                       .initialises = location->type == LITMUS_MBARRIER && value != 0,
                       .region = location->region,
                       .atomic_location = location_is_atomic(state->test, location),
                       .barrier = LITMUS_NONE};
    return true;
}

static void relate_each(struct relation *relation, uint64_t from, unsigned base, unsigned to)
{
    for (; from; from &= from - 1)
        relation_add(relation, base + set_first(from), to);
}

static void add_thread(struct search_state *state, unsigned slot)
{
    struct execution *execution = &state->execution;
    const struct path *path = state->path[slot];
    const unsigned base = execution->count;
    state->first[slot] = base;
    for (unsigned i = 0; i < path->count; i++) {
        const struct trace_event *source = &path->events[i];
        const unsigned number = base + i;
        execution->events[number] = source->event;
        execution->events[number].thread = state->enumeration->threads[slot].number;
        state->sources[number] = source;
        state->slot_of[number] = slot;
        state->known |= source->event.unknown ? 0 : set_of(number);
        relate_each(&execution->po, source->po, base, number);
        relate_each(&execution->completes, source->completes, base, number);
        relate_each(&execution->whole, source->whole, base, number);
        if (source->rmw >= 0)
            relation_add(&execution->rmw, base + (unsigned)source->rmw, number);
    }
    execution->count += path->count;
}

void search_clear_dependencies(struct search_state *state)
{
    struct execution *execution = &state->execution;
    relation_clear(&execution->addr, execution->count);
    relation_clear(&execution->data, execution->count);
    relation_clear(&execution->ctrl, execution->count);
}

/* A thread ends only when the reads on which it branched have returned: what follows a barrier that
 * waits for its end depends on them. */
static void depend_on_ends(struct search_state *state)
{
    struct execution *execution = &state->execution;
    for (unsigned i = set_size(execution->initial); i < execution->count; i++) {
        const unsigned slot = state->slot_of[i];
        const bool branched = state->path[slot]->branched >> (i - state->first[slot]) & 1;
        for (uint64_t rest = branched ? execution->exited.row[i] : 0; rest; rest &= rest - 1)
            execution->ctrl.row[i] |= execution->po.row[set_first(rest)];
    }
}

bool search_set_dependencies(struct search_state *state)
{
    struct execution *execution = &state->execution;
    unsigned base = set_size(execution->initial);
    if (!state->uses_dependencies)
        return true;
    search_clear_dependencies(state);
    for (unsigned t = 0; t < state->enumeration->thread_count && !state->without_dependencies; t++) {
        const struct dependency *dependencies;
        state->status = dependencies_find(state->enumeration, state->enumeration->threads[t].body, state->chosen[t],
                                          state->readings[t], &dependencies);
        if (state->status != STATUS_OK)
            return false;
        for (unsigned i = 0; i < state->chosen[t]->count; i++) {
            relate_each(&execution->addr, dependencies[i].addr, base, base + i);
            relate_each(&execution->data, dependencies[i].data, base, base + i);
            relate_each(&execution->ctrl, dependencies[i].ctrl, base, base + i);
        }
        base += state->chosen[t]->count;
    }
    depend_on_ends(state);
    return true;
}

/* The writes, other than initial ones, to an element. */
static uint64_t writes_to(const struct execution *execution, int storage, uint32_t element)
{
    uint64_t writes = 0;
    for (unsigned i = 0; i < execution->count; i++) {
        const struct event *event = &execution->events[i];
        if (event->kind == EVENT_WRITE && event->storage == storage && event->element == element)
            writes |= set_of(i);
    }
    return writes & ~execution->initial;
}

static void find_writes(struct search_state *state)
{
    const struct execution *execution = &state->execution;
    for (unsigned i = 0; i < execution->count; i++) {
        const struct event *event = &execution->events[i];
        state->peers[i] = event->storage == LITMUS_NONE ? 0 : writes_to(execution, event->storage, event->element);
        state->sc_fences |= event->kind == EVENT_FENCE && event->order == LITMUS_SEQ_CST ? set_of(i) : 0;
    }
    for (size_t i = 0; i < state->test->variable_count; i++) {
        struct search_variable *variable = &state->variables[i];
        variable->writes =
            variable->slot >= 0 ? 0 : writes_to(execution, variable->storage, state->test->variables[i].element);
    }
}

static unsigned events_of_threads(const struct search_state *state)
{
    unsigned events = 0;
    for (unsigned t = 0; t < state->enumeration->thread_count; t++)
        events += state->path[t]->count;
    return events;
}

/* Adds the initial write of each accessed element. False: there are more events than fit. */
static bool add_initial_writes(struct search_state *state)
{
    for (unsigned t = 0; t < state->enumeration->thread_count; t++) {
        const struct path *path = state->path[t];
        for (unsigned i = 0; i < path->count; i++)
            if (path->events[i].event.location != LITMUS_NONE && !add_initial_write(state, &path->events[i].event))
                return false;
    }
    return state->execution.count + events_of_threads(state) <= EVENTS_MAXIMUM;
}

/* For a model with total coherence: all writes to one place must be ordered. */
static void find_ordered(struct search_state *state)
{
    const struct execution *execution = &state->execution;
    relation_clear(&state->ordered, execution->count);
    for (unsigned i = 0; cat_is_total(state->request->cat) && i < execution->count; i++) {
        const struct event *event = &execution->events[i];
        if (event->kind == EVENT_WRITE && !(execution->initial >> i & 1))
            state->ordered.row[i] = state->peers[i] & ~set_of(i);
    }
}

bool search_build(struct search_state *state)
{
    struct execution *execution = &state->execution;
    memset(execution, 0, sizeof *execution);
    execution->test = state->test;
    execution->launches = state->test->edge_count > 0 ? &state->enumeration->launches : NULL;
    state->known = state->sc_fences = 0;
    state->failed = state->failed_events = -1;
    if (!add_initial_writes(state)) {
        state->status = error_set(state->request->error, STATUS_UNSUPPORTED,
                                  "an execution has more than %d events (%u of its threads, %u initial): no "
                                  "model can judge the test; leave out what the condition does not need",
                                  EVENTS_MAXIMUM, events_of_threads(state), execution->count);
        return false;
    }
    state->known = execution->initial;
    for (unsigned t = 0; t < state->enumeration->thread_count; t++) {
        add_thread(state, t);
        state->readings[t] = 0;
        state->chosen[t] = NULL;
    }
    execution_initial_coherence(execution, &execution->co);
    find_writes(state);
    find_ordered(state);
    return search_settle_all(state);
}
