// SPDX-License-Identifier: Apache-2.0
/* Coherence: every total order of the writes to each element, or the least partial orders that a model asks for. */
#include "models/search/search.h"

/* The outcomes follow from the last writes. */
static void note_with_finals(struct search_state *state, int check)
{
    const struct execution *execution = &state->execution;
    for (size_t i = 0; i < state->test->variable_count; i++) {
        struct search_variable *variable = &state->variables[i];
        if (variable->slot >= 0)
            continue;
        const uint64_t writes = search_writes_to(execution, variable->storage, state->test->variables[i].element);
        variable->finals = 0;
        for (uint64_t rest = writes; rest; rest &= rest - 1)
            if (!(execution->co.row[set_first(rest)] & writes))
                variable->finals |= set_of(set_first(rest));
    }
    search_note(state, check);
}

static bool judge_candidate(struct search_state *state)
{
    if (!search_count(state))
        return false;
    const int check = cat_evaluate(state->request->cat, state->values, &state->execution, STAGE_COHERENCE);
    if (check < 0) {
        state->result->consistent++;
        state->result->flags |= cat_flags(state->request->cat, state->values, state->execution.count);
    }
    note_with_finals(state, check);
    return state->status == STATUS_OK;
}

/* False: with coherence as far as it is chosen some check fails whatever else is; that is noted. */
static bool may_go_on(struct search_state *state)
{
    if (!search_prunes(state))
        return true;
    const int check = cat_evaluate_part(state->request->cat, state->values, &state->execution, STAGE_COHERENCE);
    if (check < 0)
        return true;
    if (search_count(state))
        note_with_finals(state, check);
    return false;
}

/* Orders the writes of elements that were not ordered yet, element by element: `open` are those of the present one that
 * are not placed, `later` those of the others. */
static bool order_writes(struct search_state *state, uint64_t open, uint64_t later)
{
    struct execution *execution = &state->execution;
    if (!open) {
        if (!later)
            return judge_candidate(state);
        const struct event *event = &execution->events[set_first(later)];
        const uint64_t writes = search_writes_to(execution, event->storage, event->element);
        return order_writes(state, writes, later & ~writes);
    }
    for (uint64_t rest = open; rest; rest &= rest - 1) {
        const unsigned next = set_first(rest);
        const uint64_t behind = open & ~set_of(next);
        execution->co.row[next] |= behind;
        const bool complete = !(behind & (behind - 1)) && !later;
        const bool on = complete || may_go_on(state) ? order_writes(state, behind, later) : state->status == STATUS_OK;
        execution->co.row[next] &= ~behind;
        if (!on)
            return false;
    }
    return true;
}

static void keep_same_element(const struct execution *execution, struct relation *relation)
{
    for (unsigned i = 0; i < execution->count; i++) {
        const struct event *event = &execution->events[i];
        const uint64_t writes =
            event->kind == EVENT_WRITE ? search_writes_to(execution, event->storage, event->element) : 0;
        relation->row[i] &= writes & ~set_of(i);
    }
}

/* Orders what `ordered` relates and co does not order yet, each pair both ways. */
static bool orient_pairs(struct search_state *state, const struct relation *ordered, unsigned from)
{
    struct execution *execution = &state->execution;
    for (unsigned a = from; a < execution->count; a++)
        for (uint64_t rest = ordered->row[a]; rest; rest &= rest - 1) {
            const unsigned b = set_first(rest);
            if (relation_has(&execution->co, a, b) || relation_has(&execution->co, b, a))
                continue;
            const struct relation before = execution->co;
            relation_add(&execution->co, a, b);
            relation_close(&execution->co, &execution->co, execution->count);
            bool on = orient_pairs(state, ordered, a);
            execution->co = before;
            relation_add(&execution->co, b, a);
            relation_close(&execution->co, &execution->co, execution->count);
            on = on && orient_pairs(state, ordered, a);
            execution->co = before;
            return on;
        }
    return judge_candidate(state);
}

/* Candidates whose coherence leaves out what the model wants contained are not made one by one: they are all forbidden by
 * the check that wants it. Here it is said of whatever outcomes they may have. */
static bool note_uncontained(struct search_state *state, bool count)
{
    const struct cat *cat = state->request->cat;
    const int check = cat_containing_check(cat);
    if (check < 0)
        return true;
    if (state->request->explain)
        (void)cat_evaluate(cat, state->values, &state->execution, STAGE_COHERENCE);
    return search_note_any_final(state, check, count);
}

static bool search_partial(struct search_state *state)
{
    const struct cat *cat = state->request->cat;
    struct execution *execution = &state->execution;
    struct relation contained, ordered;
    cat_contained(cat, state->values, execution->count, &contained);
    cat_ordered(cat, state->values, execution->count, &ordered);
    for (uint64_t rest = execution->initial; rest; rest &= rest - 1)
        contained.row[set_first(rest)] = ordered.row[set_first(rest)] = 0;
    /* A write that is to come before itself: no order contains that. */
    bool possible = relation_is_irreflexive(&contained, execution->count);
    keep_same_element(execution, &contained);
    keep_same_element(execution, &ordered);
    struct relation least;
    relation_unite(&least, &execution->co, &contained, execution->count);
    relation_close(&least, &least, execution->count);
    possible = possible && relation_is_irreflexive(&least, execution->count);
    if (!note_uncontained(state, !possible))
        return false;
    if (!possible)
        return true;
    execution->co = least;
    return orient_pairs(state, &ordered, 0);
}

bool search_coherence(struct search_state *state)
{
    struct execution *execution = &state->execution;
    execution_initial_coherence(execution, &execution->co);
    if (!cat_is_total(state->request->cat))
        return search_partial(state);
    uint64_t writes = 0;
    for (unsigned i = 0; i < execution->count; i++)
        if (execution->events[i].kind == EVENT_WRITE)
            writes |= set_of(i);
    return order_writes(state, 0, writes & ~execution->initial);
}
