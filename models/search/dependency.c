// SPDX-License-Identifier: Apache-2.0
/*
 * Dependencies that no compiler can remove.
 *
 * A trace records what each event may depend on by the text. A compiler keeps only the dependencies that make a
 * difference. So the thread is played again, with another value for one read and the same values for all others: if an
 * event of the trace is missing in such a run, the event depends on that read whatever a compiler does, since a program
 * without the read would be wrong in one of the two runs. If no run shows it, there is no dependency. The values tried
 * are samples of the whole type, not those that the test can write: no compiler knows these.
 *
 * A run shows nothing if the thread does not end, or if C gives it no meaning. If a run reads a place again, a compiler
 * might take the value of the same read in the trace, of the last read there, or the value that the thread has just
 * read or written (enum guess); such a run counts only if all three show the same.
 *
 * A compiler may also take a read's value from the thread's access before it. If a trace has such reads, there are
 * several readings of its dependencies, one for each set of removed reads, and an outcome is forbidden if all of them
 * forbid it. If there are more than MERGED_MAXIMUM, the second reading has no dependencies at all.
 */
#include "litmus/language/walk.h"
#include "models/search/trace.h"

enum { SAMPLES_MAXIMUM = 192, MERGED_MAXIMUM = 2 };

struct samples {
    int64_t value[SAMPLES_MAXIMUM];
    unsigned count;
};

static bool is_access(const struct event *event)
{
    return event->kind == EVENT_READ || event->kind == EVENT_WRITE;
}

/* The access before event number `at` to the same place, or -1. */
static int access_before(const struct trace_event *events, unsigned at)
{
    for (int i = (int)at - 1; i >= 0; i--)
        if (is_access(&events[i].event) && event_same_cell(&events[i].event, &events[at].event))
            return i;
    return -1;
}

/* ---- samples ---- */

static void add_sample(struct samples *samples, int64_t value)
{
    for (unsigned i = 0; i < samples->count; i++)
        if (samples->value[i] == value)
            return;
    if (samples->count < SAMPLES_MAXIMUM)
        samples->value[samples->count++] = value;
}

static void add_near(struct samples *samples, int64_t value)
{
    add_sample(samples, value);
    add_sample(samples, (int64_t)((uint64_t)value + 1));
    add_sample(samples, (int64_t)((uint64_t)value - 1));
}

/* ---- one run ---- */

/* Read number `number` of the trace at the same place; else the last one there; -1 if there is none. */
static int read_of_trace(const struct trace *trace, const struct event *read, unsigned number)
{
    int found = -1;
    for (unsigned i = 0; i < trace->count; i++) {
        const struct event *event = &trace->events[i].event;
        if (event->kind != EVENT_READ || !event_same_cell(event, read))
            continue;
        found = (int)i;
        if (number-- == 0)
            break;
    }
    return found;
}

static unsigned count_reads(const struct trace_event *events, unsigned count, const struct event *read)
{
    return SUM_OF(unsigned, one, events, count, one->event.kind == EVENT_READ && event_same_cell(&one->event, read));
}

static bool same_statement(const struct trace_event *a, const struct trace_event *b)
{
    return a->event.kind == b->event.kind && a->event.place.line == b->event.place.line &&
           a->event.place.column == b->event.place.column;
}

/* What a function of several lanes gave in the trace, at the same place and visit; 0 if it was not called. It is never
 * varied, since no dependency through it is promised. */
static int64_t value_of_call(const struct runner *runner, const struct trace *trace, unsigned at)
{
    const struct trace_event *own = &runner->events[at];
    unsigned before =
        SUM_OF(unsigned, one, runner->events, at, same_statement(one, own) && one->event.wait == own->event.wait);
    return VALUE_OF(int64_t, row, trace->events, trace->count,
                    same_statement(row, own) && row->event.wait == own->event.wait && before-- == 0, row->event.value,
                    0);
}

int64_t replay_value(struct runner *runner)
{
    struct replay *replay = runner->replay;
    const struct trace *trace = replay->trace;
    const unsigned at = runner->count - 1;
    if (runner->events[at].event.kind == EVENT_COLLECTIVE)
        return value_of_call(runner, trace, at);
    if (at <= replay->varied)
        return at < replay->varied ? trace->events[at].event.value : replay->value;
    const struct event *read = &runner->events[at].event;
    const unsigned number = count_reads(runner->events, at, read), all = count_reads(trace->events, trace->count, read);
    const int before = access_before(runner->events, at), own = read_of_trace(trace, read, number);
    const int64_t forwarded = before >= 0 ? runner->events[before].event.value : replay->value;
    if (number >= all) /* the trace has no such read: its value is unknown */
        return forwarded;
    if (replay->merged >> own & 1 && before >= 0)
        return forwarded;
    const int64_t value = trace->events[own].event.value;
    const int64_t last = trace->events[read_of_trace(trace, read, all - 1)].event.value;
    replay->ambiguous |= last != value || (before >= 0 && forwarded != value);
    if (replay->guess == GUESS_LAST)
        return last;
    return replay->guess == GUESS_BEFORE && before >= 0 ? forwarded : value;
}

/* Can one of the two events replace the other? Orders and scopes may be stronger than requested, so they do not count,
 * nor does the value of a read. */
static bool same_effect(const struct trace_event *a, const struct trace_event *b)
{
    const struct event *p = &a->event, *q = &b->event;
    if (p->kind != q->kind)
        return false;
    if (p->kind == EVENT_READ)
        return event_same_cell(p, q);
    return p->kind != EVENT_WRITE || (event_same_cell(p, q) && p->size == q->size && p->value == q->value);
}

/* Does the run have the event of the same statement at the same visit? */
static bool is_kept(const struct trace_event *own, const struct trace_event *others, int partner)
{
    return partner >= 0 && same_effect(own, &others[partner]);
}

/* Those of `wanted` that the run does not have. An event represents its own statement's event first. If the statement
 * did not make it, one of another statement may replace it, since a compiler can join the two; but only one that does
 * not represent its own statement's. */
static uint64_t missing(const struct runner *runner, const struct trace *trace, uint64_t wanted)
{
    int of_trace[EVENTS_MAXIMUM], of_run[EVENTS_MAXIMUM];
    uint64_t result = 0;
    /* For each event of the trace, the run's event of the same statement at the same visit; and vice versa. -1 if there
     * is none. */
    for (unsigned k = 0; k < runner->count; k++)
        of_run[k] = -1;
    for (unsigned j = 0; j < trace->count; j++) {
        of_trace[j] = -1;
        for (unsigned k = 0; k < runner->count && of_trace[j] < 0; k++)
            if (of_run[k] < 0 && same_statement(&trace->events[j], &runner->events[k])) {
                of_trace[j] = (int)k;
                of_run[k] = (int)j;
            }
    }
    for (; wanted; wanted &= wanted - 1) {
        const unsigned i = set_first(wanted);
        bool found = is_kept(&trace->events[i], runner->events, of_trace[i]);
        for (unsigned k = 0; k < runner->count && !found; k++)
            found = same_effect(&trace->events[i], &runner->events[k]) &&
                    !is_kept(&runner->events[k], trace->events, of_run[k]);
        if (!found)
            result |= set_of(i);
    }
    return result;
}

/* Those of `wanted` that are missing if the read gives that value, for every guess of doubtful reads. */
static uint64_t missing_with(struct runner *runner, uint64_t wanted)
{
    struct replay *replay = runner->replay;
    for (int guess = 0; guess < GUESS_COUNT && wanted; guess++) {
        replay->guess = (enum guess)guess;
        replay->undefined = replay->ambiguous = false;
        runner->work = 0;
        const enum flow flow = trace_run(runner);
        runner->enumeration->replayed += runner->work;
        if (flow != FLOW_ON || runner->status != STATUS_OK || replay->undefined)
            wanted = 0;
        runner->status = STATUS_OK;
        wanted = missing(runner, replay->trace, wanted);
        if (!replay->ambiguous)
            break;
    }
    return wanted;
}

/* ---- one reading of a trace ---- */

/* Reads whose value a compiler may take from the access before: not read-modify-writes, and without anything in between
 * that makes other threads' writes visible. */
static uint64_t mergeable(const struct trace *trace)
{
    uint64_t result = 0;
    for (unsigned i = 0; i < trace->count; i++) {
        const struct event *event = &trace->events[i].event;
        const int before = access_before(trace->events, i);
        bool free = event->kind == EVENT_READ && !event->rmw && event->order != LITMUS_VOLATILE && before >= 0 &&
                    trace->events[before].event.value == event->value;
        for (unsigned k = (unsigned)before + 1; free && k < i; k++) {
            const struct event *between = &trace->events[k].event;
            free = is_access(between) ? between->order != LITMUS_ACQUIRE && between->order != LITMUS_SEQ_CST
                                      : between->order == LITMUS_RELAXED || between->kind == EVENT_COLLECTIVE;
        }
        if (free)
            result |= set_of(i);
    }
    return result;
}

/* The reads that provide the values of a set of reads once the merged ones are removed. */
static uint64_t stand_for(const uint64_t *value_of, uint64_t reads)
{
    uint64_t result = 0;
    for (; reads; reads &= reads - 1)
        result |= value_of[set_first(reads)];
    return result;
}

/* What each event may depend on: as recorded, and through an address or a branch that decided a read. */
static void find_possible(const struct trace *trace, uint64_t merged, struct dependency *result)
{
    uint64_t value_of[EVENTS_MAXIMUM] = {0};
    for (unsigned i = 0; i < trace->count; i++) {
        const struct trace_event *event = &trace->events[i];
        struct dependency *own = &result[i];
        own->data = stand_for(value_of, event->data);
        own->addr = stand_for(value_of, event->addr);
        own->ctrl = stand_for(value_of, event->ctrl);
        for (uint64_t by = own->data | own->addr | own->ctrl | event->data | event->addr | event->ctrl; by;
             by &= by - 1) {
            own->addr |= result[set_first(by)].addr;
            own->ctrl |= result[set_first(by)].ctrl;
        }
        value_of[i] = set_of(i);
        const int before = merged >> i & 1 ? access_before(trace->events, i) : -1;
        if (before >= 0)
            value_of[i] = trace->events[before].event.kind == EVENT_READ ? value_of[before] : result[before].data;
    }
}

static bool is_tired(const struct enumeration *enumeration)
{
    return enumeration->replayed > ENUMERATE_MAXIMUM_REPLAY;
}

/* If the enumeration runs out of work, the rest is unknown. */
static void keep_real(struct runner *runner, const struct trace *trace, const struct samples *samples,
                      struct dependency *dependencies)
{
    struct replay *replay = runner->replay;
    for (unsigned read = 0; read < trace->count; read++) {
        uint64_t open = 0;
        for (unsigned i = 0; i < trace->count; i++)
            if ((dependencies[i].addr | dependencies[i].data | dependencies[i].ctrl) >> read & 1)
                open |= set_of(i);
        replay->varied = read;
        for (unsigned i = 0; i < samples->count && open && !is_tired(runner->enumeration); i++) {
            replay->value = samples->value[i];
            open &= ~missing_with(runner, open);
        }
        for (; open; open &= open - 1) {
            struct dependency *none = &dependencies[set_first(open)];
            none->addr &= ~set_of(read);
            none->data &= ~set_of(read);
            none->ctrl &= ~set_of(read);
        }
    }
}

static enum status find_reading(struct enumeration *enumeration, int body, struct trace *trace, uint64_t merged,
                                struct dependency *dependencies)
{
    struct error ignored = {0};
    struct enumeration own = *enumeration; /* the enumeration only counts the time of a replay */
    own.error = &ignored;
    struct runner runner;
    struct samples samples = {.count = 0};
    struct replay replay = {.trace = trace, .merged = merged};
    trace_runner_make(&runner, &own, body);
    runner.replay = &replay;
    find_possible(trace, merged, dependencies);
    /* Values for which a thread might behave differently: those that it names or has read, their neighbours, addresses,
     * the ends of the types, and patterns of bits. */
    static const int64_t patterns[] = {0,          1,          2,         -1,        3,
                                       0x55555555, 0xaaaaaaaa, INT32_MAX, INT32_MIN, 0x5555555555555555,
                                       INT64_MAX,  INT64_MIN,  12345677};
    for (size_t i = 0; i < COUNT(patterns); i++)
        add_sample(&samples, patterns[i]);
    for (unsigned i = 0; i < trace->count; i++)
        if (trace->events[i].event.kind == EVENT_READ)
            add_near(&samples, trace->events[i].event.value);
    for (struct litmus_walk walk = litmus_walk_block(&runner.thread->body); litmus_walk_next(&walk);)
        if (walk.expression && walk.expression->kind == LITMUS_EXPRESSION_CONSTANT)
            add_near(&samples, walk.expression->value);
    for (size_t i = 0; i < runner.thread->register_count; i++)
        add_near(&samples, runner.thread->registers[i].initial);
    for (size_t i = 0; i < runner.test->location_count; i++)
        add_sample(&samples, address_encode((int)i, 0));
    keep_real(&runner, trace, &samples, dependencies);
    trace_runner_end(&runner);
    enumeration->replayed = own.replayed;
    return is_tired(enumeration)
               ? error_set(enumeration->error, STATUS_UNSUPPORTED,
                           "the dependencies of P%u take more than %d steps to find: no model can judge the test",
                           enumeration->test->threads[body].first, ENUMERATE_MAXIMUM_REPLAY)
               : STATUS_OK;
}

/* ---- all readings ---- */

unsigned dependencies_readings(struct trace *trace)
{
    if (trace->readings == 0) {
        const unsigned merged = set_size(mergeable(trace));
        trace->readings = merged > MERGED_MAXIMUM ? 2 : 1u << merged;
    }
    return trace->readings;
}

/* Reading number n removes the mergeable reads whose bits are set in n. */
static uint64_t merged_in(const struct trace *trace, unsigned reading)
{
    uint64_t merged = 0;
    for (uint64_t rest = mergeable(trace); rest; rest &= rest - 1, reading >>= 1)
        if (reading & 1)
            merged |= rest & (0 - rest);
    return merged;
}

enum status dependencies_find(struct enumeration *enumeration, int body, struct trace *trace, unsigned reading,
                              const struct dependency **found)
{
    const unsigned readings = dependencies_readings(trace);
    if (!trace->dependencies)
        trace->dependencies =
            arena_take(&enumeration->traces[body].arena, (size_t)readings * trace->count, sizeof *trace->dependencies);
    struct dependency *dependencies = &trace->dependencies[(size_t)reading * trace->count];
    const bool none = reading > 0 && set_size(mergeable(trace)) > MERGED_MAXIMUM;
    *found = dependencies;
    if (trace->known >> reading & 1 || none)
        return STATUS_OK;
    TRY(find_reading(enumeration, body, trace, merged_in(trace, reading), dependencies));
    trace->known |= set_of(reading);
    return STATUS_OK;
}
