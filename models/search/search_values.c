// SPDX-License-Identifier: Apache-2.0
/* Values: a read has its source's, and a thread's writes follow from its reads. */
#include <string.h>

#include "models/search/search.h"

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

/* The most plays of a thread to find the values of one register. */
enum { PLAYS = 64 };

static bool add_guess(struct guesses *guesses, int64_t value)
{
    for (unsigned i = 0; i < guesses->count; i++)
        if (guesses->value[i] == value)
            return true;
    if (guesses->count == GUESSES)
        return false;
    guesses->value[guesses->count++] = value;
    return true;
}

/* The reads that the register depends on get the value of each write to their element in turn. */
static bool find_register_values(const struct search_state *state, unsigned slot, int number, struct path_values values,
                                 unsigned *plays, struct guesses *found)
{
    const struct execution *execution = &state->execution;
    const unsigned first = state->first[slot];
    int64_t value;
    uint64_t from;
    if (++*plays > PLAYS)
        return false;
    if (!path_register(state->enumeration, state->enumeration->threads[slot].body, state->path[slot], &values, number,
                       &value, &from))
        return true; /* with these values the thread does not take its path */
    if (!from)
        return add_guess(found, value);
    const unsigned read = set_first(from);
    for (unsigned write = 0; write < execution->count; write++) {
        if (execution->events[write].kind != EVENT_WRITE ||
            !event_same_cell(&execution->events[write], &execution->events[first + read]))
            continue;
        values.value[read] = execution->events[write].value;
        values.known |= set_of(read);
        if (!(state->known >> write & 1) || !find_register_values(state, slot, number, values, plays, found))
            return false;
    }
    return true;
}

bool search_register_values(const struct search_state *state, unsigned slot, int number, struct guesses *found)
{
    struct path_values values;
    unsigned plays = 0;
    values_of(state, slot, &values);
    return find_register_values(state, slot, number, values, &plays, found);
}

/* The trace of a thread whose reads are all known; they were `given` when it was played, or followed. NULL: there is none. */
static struct trace *find_trace(struct search_state *state, unsigned slot, bool given, const struct path_values *values)
{
    struct path *path = state->path[slot];
    const int body = state->enumeration->threads[slot].body;
    struct trace *trace = path_find(path, values);
    struct path_values again = *values; /* what a play without all reads says of writes may be wrong */
    if (trace || (!given && !path_play(state->enumeration, body, path, &again)))
        return trace;
    return path_trace(state->enumeration, body, path, values, &state->spare[slot]);
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
    } else if (!(complete ? path_play(state->enumeration, body, path, &values)
                          : path_play_part(state->enumeration, body, path, &values))) {
        return false;
    }
    if (!path_is_busy(path, &values))
        return false;
    if (!trace && !(path->reads & ~values.known))
        trace = find_trace(state, slot, complete, &values);
    if (!(path->reads & ~values.known)) {
        if (!trace)
            return false;
        state->chosen[slot] = trace;
    }
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

static unsigned source_of(const struct execution *execution, unsigned read)
{
    unsigned write = 0;
    while (!relation_has(&execution->rf, write, read))
        write++;
    return write;
}

/* The read that a read's source is a sum of, with *sum more added; -1: its source is no such sum, or the path may have
 * another way to know the read. */
static int summed_read(const struct search_state *state, unsigned read, uint64_t *sum)
{
    const struct execution *execution = &state->execution;
    const unsigned write = source_of(execution, read), size = execution->events[read].size;
    const struct trace_event *source = state->sources[write];
    if (!source || source->sum_of < 0 || execution->events[write].size != size)
        return -1;
    const unsigned slot = state->slot_of[write], before = state->first[slot] + (unsigned)source->sum_of;
    if (state->path[slot]->decisive >> source->sum_of & 1)
        return -1;
    *sum += (uint64_t)source->addend;
    return execution->events[before].size == size ? (int)before : -1;
}

/* Would some value have to equal itself plus something else? Then no values are self-consistent. Follows sums back
 * until they are on a cycle, then around it. */
static bool exceeds_itself(const struct search_state *state, unsigned read)
{
    uint64_t sum = 0;
    int at = (int)read;
    for (unsigned i = 0; i < state->execution.count && at >= 0; i++)
        at = summed_read(state, (unsigned)at, &sum);
    const int start = at;
    sum = 0;
    do {
        at = at < 0 ? -1 : summed_read(state, (unsigned)at, &sum);
    } while (at >= 0 && at != start);
    return at >= 0 && !event_same_value(&state->execution.events[at], (int64_t)sum, 0);
}

/* A value that depends on itself may be anything. Tries the other values of the place, those that
 * the test names, and what the writes make from all these. */
static void find_guesses(const struct search_state *state, unsigned read, struct guesses *guesses)
{
    const struct execution *execution = &state->execution;
    for (unsigned i = 0; i < execution->count; i++)
        if (event_same_cell(&execution->events[i], &execution->events[read]) && (state->known >> i & 1))
            (void)add_guess(guesses, execution->events[i].value);
    for (size_t i = 0; i < state->enumeration->constant_count; i++)
        (void)add_guess(guesses, state->enumeration->constants[i]);
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
    if (exceeds_itself(state, read))
        return true;
    struct guesses guesses = {.count = 0};
    struct search_settled before;
    find_guesses(state, read, &guesses);
    search_keep_settled(state, &before);
    for (unsigned i = 0; i < guesses.count; i++) {
        execution->events[read].value = guesses.value[i];
        state->known |= set_of(read);
        const bool on = search_settle(state, set_of(read)) ? search_thin_air(state, next) : true;
        if (state->known >> source & 1)
            (void)add_guess(&guesses, execution->events[source].value);
        search_put_back(state, &before);
        if (!on)
            return false;
    }
    return true;
}
