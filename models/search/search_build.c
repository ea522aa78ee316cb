// SPDX-License-Identifier: Apache-2.0
/* Builds an execution without rf and co from one path of each thread, and fills in its events' values. */
#include "litmus/language/collective.h"
#include "models/search/search.h"

/* ---- values: a read has its source's, and a thread's writes follow from its reads ---- */

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

/* The reads that the register depends on get the value of each write to their element in turn. */
static bool find_register_values(const struct search_state *state, unsigned slot, int number, struct path_values values,
                                 unsigned *plays, struct value_list *found)
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
        return value_list_add(found, value);
    const unsigned read = set_first(from);
    if (execution->events[first + read].kind != EVENT_READ)
        return false;
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

bool search_register_values(const struct search_state *state, unsigned slot, int number, struct value_list *found)
{
    struct path_values values;
    unsigned plays = 0;
    values_of(state, slot, &values);
    return find_register_values(state, slot, number, values, &plays, found);
}

/* The trace of a thread whose reads are all known; they were `given` when it was played, or followed. NULL: there is
 * none. */
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

/* Settles what each lane has of a function of several, once all that came have brought their values; *reads: results
 * that are known now. False: a result is another. */
static bool pass_among_lanes(struct search_state *state, unsigned offer, uint64_t *reads)
{
    struct execution *execution = &state->execution;
    const struct litmus_collective *call = state->sources[offer]->call;
    int64_t values[LITMUS_MASK_BITS] = {0};
    uint32_t came = 0;
    *reads = 0;
    for (unsigned i = 0; i < execution->count; i++) {
        const struct event *event = &execution->events[i];
        if (event->kind != EVENT_COLLECTIVE || !event->arrive || event->barrier != execution->events[offer].barrier)
            continue;
        if (!(state->known >> i & 1))
            return true;
        if (call->function == LITMUS_ELECT && event->value != execution->events[offer].value)
            return false; /* they take different lanes for the leader */
        values[state->sources[i]->lane] = event->value;
        came |= UINT32_C(1) << state->sources[i]->lane;
    }
    for (unsigned i = 0; i < execution->count; i++) {
        struct event *event = &execution->events[i];
        if (!event_is_result(event) || event->barrier != execution->events[offer].barrier)
            continue;
        const struct trace_event *source = state->sources[i];
        const int64_t value =
            litmus_collective_value(call, values, came, source->lane, source->source % LITMUS_MASK_BITS);
        if (state->known >> i & 1 && event->value != value)
            return false;
        *reads |= state->known >> i & 1 ? 0 : set_of(i);
        event->value = value;
    }
    state->known |= *reads;
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
            const struct event *event = &state->execution.events[set_first(fresh)];
            const bool brings = event->kind == EVENT_COLLECTIVE && event->arrive && event->barrier != LITMUS_NONE;
            if (event->kind != EVENT_WRITE && !brings)
                continue;
            if (!(brings ? pass_among_lanes : pass_on)(state, set_first(fresh), &reads))
                return false;
            threads |= threads_of(state, reads);
        }
    }
    return true;
}

bool search_settle_lanes(struct search_state *state)
{
    uint64_t reads, threads = 0;
    for (unsigned i = 0; i < state->execution.count; i++) {
        const struct event *event = &state->execution.events[i];
        if (event->kind != EVENT_COLLECTIVE || !event->arrive)
            continue;
        if (!pass_among_lanes(state, i, &reads))
            return false;
        threads |= threads_of(state, reads);
    }
    return settle(state, threads);
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
    return execution->events[before].kind == EVENT_READ && execution->events[before].size == size ? (int)before : -1;
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

bool search_thin_air(struct search_state *state, bool (*next)(struct search_state *state))
{
    struct execution *execution = &state->execution;
    uint64_t unknown = 0;
    for (unsigned i = 0; i < execution->count; i++)
        if (execution->events[i].kind == EVENT_READ && !(state->known >> i & 1))
            unknown |= set_of(i);
    for (unsigned t = 0; !unknown && t < state->enumeration->thread_count; t++)
        if (!state->chosen[t])
            return true; /* its lanes wait for each other at different calls */
    if (!unknown)
        return next(state);
    const unsigned read = set_first(unknown), source = source_of(execution, read);
    if (exceeds_itself(state, read))
        return true;
    struct value_list guesses = {.count = 0};
    struct search_settled before;
    /* A value that depends on itself may be anything. Tries the other values of the place, those that the test names,
     * and what the writes make from all these. */
    for (unsigned i = 0; i < execution->count; i++)
        if (event_same_cell(&execution->events[i], &execution->events[read]) && (state->known >> i & 1))
            (void)value_list_add(&guesses, execution->events[i].value);
    for (size_t i = 0; i < state->enumeration->constant_count; i++)
        (void)value_list_add(&guesses, state->enumeration->constants[i]);
    search_keep_settled(state, &before);
    for (unsigned i = 0; i < guesses.count; i++) {
        execution->events[read].value = guesses.value[i];
        state->known |= set_of(read);
        const bool on = search_settle(state, set_of(read)) ? search_thin_air(state, next) : true;
        if (state->known >> source & 1)
            (void)value_list_add(&guesses, execution->events[source].value);
        search_put_back(state, &before);
        if (!on)
            return false;
    }
    return true;
}

/* ---- an execution ---- */

static bool add_initial_write(struct search_state *state, const struct event *access)
{
    struct execution *execution = &state->execution;
    if (ANY_OF(event, execution->events, execution->count, event_same_cell(event, access)))
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
    /* A thread ends only when the reads on which it branched have returned: what follows a barrier that waits for its
     * end depends on them. */
    for (unsigned i = set_size(execution->initial); i < execution->count; i++) {
        const unsigned slot = state->slot_of[i];
        const bool branched = state->path[slot]->branched >> (i - state->first[slot]) & 1;
        for (uint64_t rest = branched ? execution->exited.row[i] : 0; rest; rest &= rest - 1)
            if (execution->events[set_first(rest)].kind != EVENT_COLLECTIVE)
                execution->ctrl.row[i] |= execution->po.row[set_first(rest)];
    }
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
    return SUM_OF(unsigned, one, state->path, state->enumeration->thread_count, (*one)->count);
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
    /* For a model with total coherence: all writes to one place must be ordered. */
    relation_clear(&state->ordered, execution->count);
    for (unsigned i = 0; cat_is_total(state->request->cat) && i < execution->count; i++) {
        const struct event *event = &execution->events[i];
        if (event->kind == EVENT_WRITE && !(execution->initial >> i & 1))
            state->ordered.row[i] = state->peers[i] & ~set_of(i);
    }
    /* As search_settle, for all threads, before any read has a source. */
    return settle(state, set_all(state->enumeration->thread_count));
}
