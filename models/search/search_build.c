// SPDX-License-Identifier: Apache-2.0
/* From one trace of each thread to an execution without rf and co. */
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
                       .value = location_initial(state->test, access->storage, access->element),
                       .region = location->region,
                       .atomic_location = location->atomic || !dialect_has_atomic_types(state->test->dialect),
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
    const struct trace *trace = state->chosen[slot];
    const unsigned base = execution->count;
    for (unsigned i = 0; i < trace->count; i++) {
        const struct trace_event *source = &trace->events[i];
        const unsigned number = base + i;
        execution->events[number] = source->event;
        execution->events[number].thread = state->enumeration->threads[slot].number;
        state->sources[number] = source;
        relate_each(&execution->po, source->po, base, number);
        if (source->rmw >= 0)
            relation_add(&execution->rmw, base + (unsigned)source->rmw, number);
    }
    execution->count += trace->count;
}

bool search_set_dependencies(struct search_state *state)
{
    struct execution *execution = &state->execution;
    unsigned base = set_size(execution->initial);
    if (!state->uses_dependencies)
        return true;
    relation_clear(&execution->addr, execution->count);
    relation_clear(&execution->data, execution->count);
    relation_clear(&execution->ctrl, execution->count);
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
    return true;
}

static bool writes_for(const struct search_state *state, const struct event *read, const struct event *write)
{
    return write->kind == EVENT_WRITE && event_same_cell(write, read) &&
           (write->value == read->value || state->enumeration->mixed_sizes);
}

static bool trace_writes_for(const struct search_state *state, const struct event *read, const struct trace *trace)
{
    for (unsigned i = 0; i < trace->count; i++)
        if (writes_for(state, read, &trace->events[i].event))
            return true;
    return false;
}

static bool has_source(const struct search_state *state, const struct event *read, unsigned chosen)
{
    if (location_initial(state->test, read->storage, read->element) == read->value || state->enumeration->mixed_sizes)
        return true;
    for (unsigned t = 0; t < state->enumeration->thread_count; t++) {
        if (t < chosen && trace_writes_for(state, read, state->chosen[t]))
            return true;
        const struct search_writes *writes = &state->writes[state->enumeration->threads[t].body];
        for (size_t i = 0; t >= chosen && i < writes->count; i++)
            if (writes_for(state, read, &writes->events[i]))
                return true;
    }
    return false;
}

bool search_may_have_sources(const struct search_state *state, unsigned chosen)
{
    for (unsigned t = 0; t < chosen; t++)
        for (unsigned i = 0; i < state->chosen[t]->count; i++) {
            const struct event *event = &state->chosen[t]->events[i].event;
            if (event->kind == EVENT_READ && !has_source(state, event, chosen))
                return false;
        }
    return true;
}

/* One event for each different value that some trace of the body writes to an element. */
static void list_writes(struct search_state *state, const struct traces *traces, struct search_writes *writes)
{
    for (size_t k = 0; k < traces->count; k++)
        for (unsigned i = 0; i < traces->items[k].count; i++) {
            const struct event *event = &traces->items[k].events[i].event;
            bool known = event->kind != EVENT_WRITE;
            for (size_t n = 0; n < writes->count && !known; n++)
                known = event_same_cell(&writes->events[n], event) && writes->events[n].value == event->value;
            if (!known)
                ARENA_ADD(&state->arena, writes->events, writes->count) = *event;
        }
}

void search_list_writes(struct search_state *state)
{
    state->writes = arena_take(&state->arena, state->test->body_count, sizeof *state->writes);
    for (size_t body = 0; body < state->test->body_count; body++)
        list_writes(state, &state->enumeration->traces[body], &state->writes[body]);
}

uint64_t search_writes_to(const struct execution *execution, int storage, uint32_t element)
{
    uint64_t writes = 0;
    for (unsigned i = 0; i < execution->count; i++) {
        const struct event *event = &execution->events[i];
        if (event->kind == EVENT_WRITE && event->storage == storage && event->element == element)
            writes |= set_of(i);
    }
    return writes & ~execution->initial;
}

bool search_build(struct search_state *state)
{
    struct execution *execution = &state->execution;
    memset(execution, 0, sizeof *execution);
    execution->test = state->test;
    state->several_readings = false;
    unsigned events = 0;
    bool room = true;
    for (unsigned t = 0; t < state->enumeration->thread_count; t++) {
        events += state->chosen[t]->count;
        for (unsigned i = 0; room && i < state->chosen[t]->count; i++) {
            const struct event *event = &state->chosen[t]->events[i].event;
            if (event->location != LITMUS_NONE)
                room = add_initial_write(state, event);
        }
    }
    if (!room || execution->count + events > EVENTS_MAXIMUM) {
        state->status = error_set(state->request->error, STATUS_UNSUPPORTED,
                                  "an execution has more than %d events: no model can judge the test", EVENTS_MAXIMUM);
        return false;
    }
    for (unsigned t = 0; t < state->enumeration->thread_count; t++) {
        add_thread(state, t);
        state->readings[t] = 0;
        state->several_readings |= state->uses_dependencies && dependencies_readings(state->chosen[t]) > 1;
    }
    if (!search_set_dependencies(state))
        return false;
    for (size_t i = 0; i < state->test->variable_count; i++) {
        struct search_variable *variable = &state->variables[i];
        if (variable->slot < 0)
            variable->finals = search_writes_to(execution, variable->storage, state->test->variables[i].element);
    }
    return true;
}
