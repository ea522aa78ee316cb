// SPDX-License-Identifier: Apache-2.0
/*
 * The threads that met at each barrier.
 *
 * Without a quorum, a dynamic barrier is the n-th visit of the threads of one work-group (of one sub-group for a
 * sub-group barrier) to a barrier of one name, and all who came have met. It opens when the group's other threads have
 * ended. If they never end, there is no such execution.
 *
 * With a quorum the world is closed: only the threads of the test take part. The barrier opens whenever exactly that
 * many have come since it last opened, in any combination, so all divisions of the arrivals into such meetings are
 * tried. A thread that is left over waits for ever: there is such an execution only if waiting was its last statement,
 * since then nothing that it leaves undone can be seen. A thread that only arrives continues.
 *
 * The threads of a cluster arrive and wait in two steps: the n-th waits wait for the n-th arrivals of all.
 */
#include "litmus/language/collective.h"
#include "models/search/search.h"

struct meetings {
    struct search_state *state;
    uint64_t members[EVENTS_MAXIMUM]; /* of each dynamic barrier; with a quorum: of all that have one name */
    unsigned count;
    uint64_t met[EVENTS_MAXIMUM]; /* the meetings, as far as they are chosen */
    unsigned met_count;
    uint64_t exits; /* OpenCL's exit fences */
    uint64_t stuck; /* at these, threads wait for ever */
    bool open;      /* no barrier waits for the end of a thread */
    bool diverged;  /* the test has no meaning: its barriers wait for nobody */
};

static bool same_name(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

static bool same_barrier(const struct search_state *state, unsigned a, unsigned b)
{
    const struct execution *execution = &state->execution;
    const struct trace_event *p = state->sources[a], *q = state->sources[b];
    const bool one_round =
        p->event.quorum == q->event.quorum && (p->event.quorum > 0 || p->occurrence == q->occurrence);
    return same_name(p->instance, q->instance) && one_round && p->resource == q->resource &&
           p->event.kind == q->event.kind && p->meets == q->meets &&
           execution_same_instance(execution, &execution->events[a], &execution->events[b], p->meets);
}

static bool is_barrier(const struct event *event)
{
    return event->kind == EVENT_BARRIER || event->entry || event->exit ||
           (event->kind == EVENT_COLLECTIVE && (event->arrive || event->wait));
}

/* Refuses two threads that meet at a barrier, of which one starts when the other has ended. */
static bool may_meet(struct search_state *state, unsigned a, unsigned b)
{
    const struct event *p = &state->execution.events[a], *q = &state->execution.events[b];
    const struct litmus_launches *launches = state->execution.launches;
    if (!launches || !litmus_launch_precedes(launches, launches->of_body[p->body], launches->of_body[q->body]))
        return true;
    state->status =
        error_set(state->request->error, STATUS_UNSUPPORTED,
                  "line %u: P%d waits at a barrier for P%d, which starts only when P%d has ended, so the test never "
                  "ends; leave out their order, or let them meet at different barriers",
                  p->place.line, p->thread, q->thread, p->thread);
    return false;
}

static bool find_members(struct meetings *meetings)
{
    struct execution *execution = &meetings->state->execution;
    for (unsigned i = 0; i < execution->count; i++) {
        struct event *event = &execution->events[i];
        event->barrier = LITMUS_NONE;
        for (unsigned k = 0; is_barrier(event) && k < meetings->count && event->barrier == LITMUS_NONE; k++)
            if (same_barrier(meetings->state, i, set_first(meetings->members[k])))
                event->barrier = (int)k;
        if (is_barrier(event) && event->barrier == LITMUS_NONE)
            event->barrier = (int)meetings->count++;
        if (event->barrier == LITMUS_NONE)
            continue;
        for (uint64_t rest = meetings->members[event->barrier]; rest; rest &= rest - 1)
            if (!may_meet(meetings->state, set_first(rest), i) || !may_meet(meetings->state, i, set_first(rest)))
                return false;
        meetings->members[event->barrier] |= set_of(i);
        meetings->exits |= event->exit ? set_of(i) : 0;
    }
    return true;
}

/* Relates each of `events` to those of `members` that waited; OpenCL's fences: entries to exits. */
static void meet(const struct execution *execution, uint64_t events, uint64_t members, struct relation *relation,
                 bool undo)
{
    for (uint64_t a = events; a; a &= a - 1) {
        const unsigned from = set_first(a);
        if (execution->events[from].exit || execution->events[from].wait)
            continue;
        for (uint64_t b = members & ~set_of(from); b; b &= b - 1) {
            const struct event *to = &execution->events[set_first(b)];
            if (to->arrive || to->entry || to->thread == execution->events[from].thread)
                continue;
            if (undo)
                relation->row[from] &= ~set_of(set_first(b));
            else
                relation_add(relation, from, set_first(b));
        }
    }
}

/* Is the thread of an event one that comes to a barrier, by its mask? */
static bool is_named(const struct search_state *state, unsigned barrier, const struct event *event)
{
    const struct trace_event *source = state->sources[barrier];
    unsigned lane;
    if (!source->lanes)
        return true;
    (void)litmus_lanes(state->test, (unsigned)event->body, &lane);
    return source->lanes >> lane & 1;
}

/* The events of the group's threads that do not come to a meeting without a quorum. */
static uint64_t absent_from(const struct meetings *meetings, uint64_t met)
{
    const struct execution *execution = &meetings->state->execution;
    const struct event *first = &execution->events[set_first(met)];
    uint64_t absent = 0;
    for (unsigned i = 0; first->quorum == 0 && !meetings->open && !meetings->diverged && i < execution->count; i++) {
        bool came = !execution_same_instance(execution, first, &execution->events[i],
                                             meetings->state->sources[set_first(met)]->meets) ||
                    !is_named(meetings->state, set_first(met), &execution->events[i]);
        for (uint64_t rest = met; rest && !came; rest &= rest - 1)
            came = execution->events[set_first(rest)].thread == execution->events[i].thread;
        absent |= came ? 0 : set_of(i);
    }
    return absent;
}

/* Those of `events` at which a thread waits. */
static uint64_t waits_among(const struct execution *execution, uint64_t events)
{
    uint64_t waits = 0;
    for (uint64_t rest = events; rest; rest &= rest - 1)
        waits |= execution->events[set_first(rest)].arrive ? 0 : rest & (0 - rest);
    return waits;
}

/* ---- with a quorum ---- */

static unsigned quorum_of(const struct execution *execution, uint64_t members)
{
    const int64_t quorum = execution->events[set_first(members)].quorum;
    return quorum > EVENTS_MAXIMUM ? EVENTS_MAXIMUM + 1 : (unsigned)quorum;
}

/* Those of `events` that come after a waiting one, or after any event at the same barrier. */
static uint64_t events_after(const struct execution *execution, uint64_t events, uint64_t members)
{
    uint64_t result = 0;
    for (uint64_t rest = events; rest; rest &= rest - 1) {
        const unsigned i = set_first(rest);
        result |= execution->events[i].arrive ? execution->po.row[i] & members : execution->po.row[i];
    }
    return result;
}

/* Can the meetings chosen so far have taken place one after another? A waiting thread does not reach a later meeting
 * before, reaches one barrier in program order, and has not ended. */
static bool is_possible(const struct meetings *meetings)
{
    const struct execution *execution = &meetings->state->execution;
    uint64_t open = set_all(meetings->met_count);
    for (uint64_t last = 0; open != last;) {
        last = open;
        uint64_t late = 0; /* events after a meeting still to come */
        uint64_t busy = meetings->stuck;
        for (uint64_t rest = open; rest; rest &= rest - 1) {
            const uint64_t met = meetings->met[set_first(rest)];
            const int barrier = execution->events[set_first(met)].barrier;
            late |= events_after(execution, met, meetings->members[barrier] & ~met);
            busy |= waits_among(execution, met);
        }
        for (uint64_t rest = open; rest; rest &= rest - 1) {
            const uint64_t met = meetings->met[set_first(rest)];
            if ((met & late) == 0 && (absent_from(meetings, met) & busy) == 0)
                open &= ~set_of(set_first(rest));
        }
    }
    return open == 0;
}

/* Is a barrier the last statement of its thread, apart from labels? */
static bool ends_thread(const struct search_state *state, const struct event *event)
{
    const struct litmus_block *block = &state->test->threads[event->body].body;
    size_t last = block->count;
    while (last > 0 && block->statements[last - 1].kind == LITMUS_LABEL)
        last--;
    const struct litmus_place *place = last > 0 ? &block->statements[last - 1].place : NULL;
    return place && place->line == event->place.line && place->column == event->place.column;
}

/* May these be left over at their barrier? */
static bool may_stay(const struct meetings *meetings, uint64_t left, uint64_t members)
{
    const struct execution *execution = &meetings->state->execution;
    for (uint64_t rest = left; rest; rest &= rest - 1) {
        const struct event *event = &execution->events[set_first(rest)];
        if (!event->arrive && !ends_thread(meetings->state, event))
            return false;
    }
    return (events_after(execution, left, members) & members & ~left) == 0;
}

static bool next_barrier(struct meetings *meetings, unsigned barrier);

/* Chooses meetings of those of `open`, one after another, until fewer are left than a quorum. `chosen` is the present
 * meeting; `alone` are the events that never meet, of which there may be `spare` more. */
static bool search_meetings_complete(struct meetings *meetings, unsigned barrier, uint64_t chosen, uint64_t open,
                                     uint64_t passed, uint64_t alone, unsigned spare)
{
    struct execution *execution = &meetings->state->execution;
    const unsigned quorum = quorum_of(execution, meetings->members[barrier]);
    if (set_size(chosen) == quorum) {
        meet(execution, chosen, chosen, &execution->bar, false);
        meetings->met[meetings->met_count++] = chosen;
        const bool on =
            !is_possible(meetings) || search_meetings_complete(meetings, barrier, 0, open | passed, 0, alone, spare);
        meetings->met_count--;
        meet(execution, chosen, chosen, &execution->bar, true);
        return on;
    }
    if (chosen == 0 && set_size(open) < quorum) {
        const uint64_t left = open | alone, stuck = meetings->stuck;
        meetings->stuck |= waits_among(execution, left);
        const bool on = !may_stay(meetings, left, meetings->members[barrier]) || next_barrier(meetings, barrier + 1);
        meetings->stuck = stuck;
        return on;
    }
    if (!open)
        return true;
    const uint64_t first = open & (0 - open);
    if (!search_meetings_complete(meetings, barrier, chosen | first, open & ~first, passed, alone, spare))
        return false;
    /* The first event of a meeting is the lowest that is left, unless that stays alone: so no meeting comes twice. */
    if (chosen == 0)
        return spare == 0 || search_meetings_complete(meetings, barrier, 0, open & ~first, 0, alone | first, spare - 1);
    return search_meetings_complete(meetings, barrier, chosen, open & ~first, passed | first, alone, spare);
}

static bool next_barrier(struct meetings *meetings, unsigned barrier)
{
    struct search_state *state = meetings->state;
    struct execution *execution = &state->execution;
    if (barrier == meetings->count && !meetings->diverged && !is_possible(meetings)) {
        state->request->stuck = true;
        return true;
    }
    if (barrier == meetings->count)
        return search_stage(state, STAGE_MEETINGS) ? search_reads(state) : state->status == STATUS_OK;
    const uint64_t members = meetings->members[barrier];
    const unsigned quorum = quorum_of(execution, members);
    if (quorum > 0)
        return search_meetings_complete(meetings, barrier, 0, members, 0, 0, set_size(members) % quorum);
    const uint64_t absent = absent_from(meetings, members);
    meet(execution, members, members, &execution->bar, false);
    meet(execution, absent, members, &execution->exited, false);
    meetings->met[meetings->met_count++] = members & ~meetings->exits;
    const bool on = next_barrier(meetings, barrier + 1);
    meetings->met_count--;
    meet(execution, absent, members, &execution->exited, true);
    meet(execution, members, members, &execution->bar, true);
    return on;
}

/* ---- divergence ---- */

/* How many barriers of one level the thread of this one reached before. */
static unsigned barriers_before(const struct search_state *state, unsigned barrier)
{
    unsigned count = 0;
    for (unsigned i = state->first[state->slot_of[barrier]]; i < barrier; i++)
        count += is_barrier(&state->execution.events[i]) && !state->execution.events[i].exit &&
                 state->sources[i]->meets == state->sources[barrier]->meets;
    return count;
}

/* Does a thread reach the same barrier, after as many others of its level? In OpenCL two barriers in opposite order
 * have a meaning: no execution ends. */
static bool comes_too(const struct search_state *state, unsigned barrier, unsigned slot)
{
    const struct event *events = state->execution.events;
    const unsigned first = state->first[slot], end = first + state->path[slot]->count;
    return ANY_NUMBER(unsigned, i, first, end,
                      is_barrier(&events[i]) && !events[i].exit && same_barrier(state, barrier, i) &&
                          events[i].arrive == events[barrier].arrive &&
                          (events[i].entry || barriers_before(state, barrier) == barriers_before(state, i)));
}

/* Does it give the value of a lane that does not come? */
static bool misses_source(const struct meetings *meetings, unsigned result)
{
    const struct search_state *state = meetings->state;
    const struct trace_event *source = state->sources[result];
    bool misses = event_is_result(&state->execution.events[result]) &&
                  (source->call->function == LITMUS_SHUFFLE || source->call->function == LITMUS_SHUFFLE_XOR);
    for (uint64_t rest = misses ? meetings->members[state->execution.events[result].barrier] : 0; rest;
         rest &= rest - 1)
        misses &= state->sources[set_first(rest)]->lane != source->source;
    return misses;
}

/* Marks the barriers to which a thread does not come although, in a program with a meaning, it must. */
static void mark_divergence(struct meetings *meetings)
{
    struct search_state *state = meetings->state;
    struct execution *execution = &state->execution;
    for (unsigned i = 0; i < execution->count; i++) {
        struct event *event = &execution->events[i];
        for (unsigned t = 0; is_barrier(event) && !event->exit && t < state->enumeration->thread_count; t++) {
            const struct event other = {.thread = state->enumeration->threads[t].number,
                                        .body = state->enumeration->threads[t].body};
            event->diverged |= execution_same_instance(execution, event, &other, state->sources[i]->together) &&
                               is_named(state, i, &other) && !comes_too(state, i, t);
        }
        event->diverged |= misses_source(meetings, i);
        meetings->diverged |= event->diverged;
    }
}

bool search_meetings(struct search_state *state)
{
    struct meetings meetings = {.state = state, .open = state->request->open || state->test->dialect == LITMUS_VULKAN};
    if (!find_members(&meetings))
        return false;
    mark_divergence(&meetings);
    if (!search_settle_lanes(state))
        return state->status == STATUS_OK;
    if (!search_stage(state, STAGE_EVENTS))
        return state->status == STATUS_OK;
    return next_barrier(&meetings, 0);
}
