// SPDX-License-Identifier: Apache-2.0
/*
 * Who met whom at a barrier.
 *
 * A dynamic barrier is what the threads of one work-group (of one sub-group, where the barrier is a sub-group's) came to
 * under one name for the n-th time. Without a quorum all who came have met. With one, as many meetings of exactly that
 * many threads took place as the threads allow, and who is left over met threads that the test does not show; where too
 * few came for one meeting, nobody gets on and there is no execution.
 */
#include <string.h>

#include "models/search/search.h"

struct meetings {
    struct search_state *state;
    uint64_t members[EVENTS_MAXIMUM]; /* of each dynamic barrier */
    unsigned count;
};

static bool same_name(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

static bool same_barrier(const struct search_state *state, unsigned a, unsigned b)
{
    const struct execution *execution = &state->execution;
    const struct trace_event *p = state->sources[a], *q = state->sources[b];
    return same_name(p->instance, q->instance) && p->occurrence == q->occurrence && p->resource == q->resource &&
           p->event.kind == q->event.kind && p->meets == q->meets &&
           execution_same_instance(execution, &execution->events[a], &execution->events[b], p->meets);
}

static bool is_barrier(const struct event *event)
{
    return event->kind == EVENT_BARRIER || event->entry || event->exit;
}

static void find_members(struct meetings *meetings)
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
        if (event->barrier != LITMUS_NONE)
            meetings->members[event->barrier] |= set_of(i);
    }
}

/* Relates each of `from` to those of `to` that waited; OpenCL's fences: entries to exits. */
static void meet(struct execution *execution, uint64_t members, bool undo)
{
    for (uint64_t a = members; a; a &= a - 1) {
        const unsigned from = set_first(a);
        if (execution->events[from].exit)
            continue;
        for (uint64_t b = members & ~set_of(from); b; b &= b - 1) {
            const struct event *to = &execution->events[set_first(b)];
            if (to->arrive || to->entry || to->thread == execution->events[from].thread)
                continue;
            if (undo)
                execution->bar.row[from] &= ~set_of(set_first(b));
            else
                relation_add(&execution->bar, from, set_first(b));
        }
    }
}

static unsigned quorum_of(const struct execution *execution, uint64_t members)
{
    int64_t quorum = 0;
    for (; members; members &= members - 1) {
        const int64_t own = execution->events[set_first(members)].quorum;
        quorum = own > quorum ? own : quorum;
    }
    return quorum > EVENTS_MAXIMUM ? EVENTS_MAXIMUM + 1 : (unsigned)quorum;
}

static bool next_barrier(struct meetings *meetings, unsigned barrier);

/* Completes `chosen` from `open` to one meeting of the quorum; `left` are those that the meetings so far left out, of
 * whom `spare` may stay alone. */
static bool complete(struct meetings *meetings, unsigned barrier, uint64_t chosen, uint64_t open, uint64_t left,
                     unsigned spare)
{
    struct execution *execution = &meetings->state->execution;
    const unsigned quorum = quorum_of(execution, meetings->members[barrier]);
    if (set_size(chosen) == quorum) {
        meet(execution, chosen, false);
        const uint64_t rest = left & ~chosen;
        const bool on = set_size(rest) < quorum ? next_barrier(meetings, barrier + 1)
                                                : complete(meetings, barrier, 0, rest, rest, spare);
        meet(execution, chosen, true);
        return on;
    }
    if (!open)
        return true;
    const uint64_t first = open & (0 - open);
    if (!complete(meetings, barrier, chosen | first, open & ~first, left, spare))
        return false;
    /* The first one of a meeting is the lowest that is left, unless that one stays alone: so no meeting comes twice. */
    if (chosen == 0)
        return spare == 0 || complete(meetings, barrier, 0, open & ~first, left & ~first, spare - 1);
    return complete(meetings, barrier, chosen, open & ~first, left, spare);
}

static bool next_barrier(struct meetings *meetings, unsigned barrier)
{
    struct search_state *state = meetings->state;
    if (barrier == meetings->count)
        return search_stage(state, STAGE_MEETINGS) ? search_reads(state) : state->status == STATUS_OK;
    const uint64_t members = meetings->members[barrier];
    const unsigned quorum = quorum_of(&state->execution, members);
    if (quorum == 0) {
        meet(&state->execution, members, false);
        const bool on = next_barrier(meetings, barrier + 1);
        meet(&state->execution, members, true);
        return on;
    }
    if (set_size(members) < quorum)
        return true;
    return complete(meetings, barrier, 0, members, members, set_size(members) % quorum);
}

/* OpenCL: a barrier that a thread of the work-group never came to, while others did. */
static void mark_divergence(struct meetings *meetings)
{
    struct search_state *state = meetings->state;
    struct execution *execution = &state->execution;
    for (unsigned i = 0; i < execution->count; i++) {
        struct event *event = &execution->events[i];
        for (unsigned t = 0; event->entry && t < state->enumeration->thread_count; t++) {
            const struct event other = {.thread = state->enumeration->threads[t].number,
                                        .body = state->enumeration->threads[t].body};
            if (!execution_same_instance(execution, event, &other, LITMUS_WORK_GROUP))
                continue;
            bool came = false;
            for (uint64_t rest = meetings->members[event->barrier]; rest; rest &= rest - 1)
                came |= execution->events[set_first(rest)].thread == other.thread;
            event->diverged |= !came;
        }
    }
}

bool search_meetings(struct search_state *state)
{
    struct meetings meetings = {.state = state};
    find_members(&meetings);
    mark_divergence(&meetings);
    if (!search_stage(state, STAGE_EVENTS))
        return state->status == STATUS_OK;
    return next_barrier(&meetings, 0);
}
