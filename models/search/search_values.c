// SPDX-License-Identifier: Apache-2.0
/* Values: a read has its source's, and a thread's writes follow from its reads. */
#include <string.h>

#include "models/search/search.h"

/* The most values to try for a read whose value depends on itself. */
enum { GUESSES = 64 };

void search_keep_settled(const struct search_state *state, struct search_settled *settled)
{
    settled->known = state->known;
    for (unsigned i = 0; i < state->execution.count; i++)
        settled->value[i] = state->execution.events[i].value;
    memcpy(settled->chosen, state->chosen, state->enumeration->thread_count * sizeof(struct trace *));
}

void search_put_back(struct search_state *state, const struct search_settled *settled)
{
    state->known = settled->known;
    for (unsigned i = 0; i < state->execution.count; i++)
        state->execution.events[i].value = settled->value[i];
    memcpy(state->chosen, settled->chosen, state->enumeration->thread_count * sizeof(struct trace *));
}

/* The values of a thread's events, as far as they are known. */
static void values_of(const struct search_state *state, unsigned slot, struct path_values *values)
{
    const unsigned first = state->first[slot], count = state->path[slot]->count;
    values->known = state->known >> first & set_all(count);
    for (unsigned i = 0; i < count; i++)
        values->value[i] = state->execution.events[first + i].value;
}

bool search_register(const struct search_state *state, unsigned slot, int number, int64_t *value)
{
    struct path_values values;
    values_of(state, slot, &values);
    return path_register(state->enumeration, state->enumeration->threads[slot].body, state->path[slot], &values, number,
                         value);
}

/* Plays a thread again; *fresh: its events whose values are known now and were not before. */
static bool values_play(struct search_state *state, unsigned slot, uint64_t *fresh)
{
    struct execution *execution = &state->execution;
    struct path *path = state->path[slot];
    const int body = state->enumeration->threads[slot].body;
    const unsigned first = state->first[slot];
    struct path_values values;
    values_of(state, slot, &values);
    const bool complete = !(path->reads & ~values.known);
    struct trace *trace = complete ? path_find(path, &values) : NULL;
    if (trace) {
        for (unsigned i = 0; i < path->count; i++)
            values.value[i] = trace->events[i].event.value;
        values.known = set_all(path->count);
    } else if (!path_play(state->enumeration, body, path, &values)) {
        return false;
    }
    if (!path_is_busy(path, &values))
        return false;
    if (!(path->reads & ~values.known))
        state->chosen[slot] = trace ? trace : path_trace(state->enumeration, body, path, &values, &state->spare[slot]);
    for (unsigned i = 0; i < path->count; i++)
        execution->events[first + i].value = values.value[i];
    *fresh = values.known << first & ~state->known;
    state->known |= *fresh;
    return true;
}

/* Passes the value of `write` to its readers; *reads: those that did not know it before. */
static bool pass_on(struct search_state *state, unsigned write, uint64_t *reads)
{
    struct execution *execution = &state->execution;
    const struct event *source = &execution->events[write];
    *reads = 0;
    for (uint64_t rest = execution->rf.row[write]; rest; rest &= rest - 1) {
        const unsigned number = set_first(rest);
        struct event *read = &execution->events[number];
        if (!(state->known >> number & 1)) {
            read->value = source->value;
            state->known |= set_of(number);
            *reads |= set_of(number);
        } else if (read->size == source->size && !event_same_value(read, read->value, source->value)) {
            return false;
        }
    }
    return true;
}

static uint64_t threads_of(const struct search_state *state, uint64_t events)
{
    uint64_t threads = 0;
    for (events &= ~state->execution.initial; events; events &= events - 1)
        threads |= set_of(state->slot_of[set_first(events)]);
    return threads;
}

static bool settle(struct search_state *state, uint64_t threads)
{
    while (threads) {
        uint64_t fresh, reads;
        if (!values_play(state, set_first(threads), &fresh))
            return false;
        threads &= threads - 1;
        for (; fresh; fresh &= fresh - 1) {
            if (state->execution.events[set_first(fresh)].kind != EVENT_WRITE)
                continue;
            if (!pass_on(state, set_first(fresh), &reads))
                return false;
            threads |= threads_of(state, reads);
        }
    }
    return true;
}

bool search_settle(struct search_state *state, uint64_t reads)
{
    const struct execution *execution = &state->execution;
    uint64_t fresh, threads = threads_of(state, reads & state->known);
    for (unsigned write = 0; write < execution->count; write++) {
        if (!(execution->rf.row[write] & reads) || !(state->known >> write & 1))
            continue;
        if (!pass_on(state, write, &fresh))
            return false;
        threads |= threads_of(state, fresh);
    }
    return settle(state, threads);
}

bool search_settle_all(struct search_state *state)
{
    return settle(state, set_all(state->enumeration->thread_count));
}

/* ---- out of thin air ---- */

struct guesses {
    int64_t value[GUESSES];
    unsigned count;
};

static void add_guess(struct guesses *guesses, int64_t value)
{
    for (unsigned i = 0; i < guesses->count; i++)
        if (guesses->value[i] == value)
            return;
    if (guesses->count < GUESSES)
        guesses->value[guesses->count++] = value;
}

/* A value that depends on itself may be anything. Tries the other values of the place, those that
 * the test names, and what the writes make from all these. */
static void find_guesses(const struct search_state *state, unsigned read, struct guesses *guesses)
{
    const struct execution *execution = &state->execution;
    for (unsigned i = 0; i < execution->count; i++)
        if (event_same_cell(&execution->events[i], &execution->events[read]) && (state->known >> i & 1))
            add_guess(guesses, execution->events[i].value);
    for (size_t i = 0; i < state->enumeration->constant_count; i++)
        add_guess(guesses, state->enumeration->constants[i]);
}

static unsigned source_of(const struct execution *execution, unsigned read)
{
    unsigned write = 0;
    while (!relation_has(&execution->rf, write, read))
        write++;
    return write;
}

bool search_thin_air(struct search_state *state, bool (*next)(struct search_state *state))
{
    struct execution *execution = &state->execution;
    uint64_t unknown = 0;
    for (unsigned i = 0; i < execution->count; i++)
        if (execution->events[i].kind == EVENT_READ && !(state->known >> i & 1))
            unknown |= set_of(i);
    if (!unknown)
        return next(state);
    const unsigned read = set_first(unknown), source = source_of(execution, read);
    struct guesses guesses = {.count = 0};
    struct search_settled before;
    find_guesses(state, read, &guesses);
    search_keep_settled(state, &before);
    for (unsigned i = 0; i < guesses.count; i++) {
        execution->events[read].value = guesses.value[i];
        state->known |= set_of(read);
        const bool on = search_settle(state, set_of(read)) ? search_thin_air(state, next) : true;
        if (state->known >> source & 1)
            add_guess(&guesses, execution->events[source].value);
        search_put_back(state, &before);
        if (!on)
            return false;
    }
    return true;
}
