// SPDX-License-Identifier: Apache-2.0
/*
 * The orders of sc fences and of writes: every total order of the writes to each element, or the
 * least partial orders that a model asks for.
 */
#include "models/search/search.h"

/* The next pair to order; false: there is none. */
static bool next_pair(const struct search_state *state, bool fences, unsigned *a, unsigned *b)
{
    for (*a = 0; *a < state->execution.count; ++*a)
        for (uint64_t rest = search_later_partners(state, *a, fences); rest; rest &= rest - 1) {
            *b = set_first(rest);
            if (fences ? search_fences_are_open(state, *a, *b) : search_writes_are_open(state, *a, *b))
                return true;
        }
    return false;
}

/* Is the order so far worth continuing? */
static bool may_go_on(struct search_state *state, bool *over)
{
    int check;
    *over = !search_step(state) || (state->prunes && !search_count(state));
    return !*over && (!state->prunes || search_holds(state, &check));
}

/* A complete candidate. */
static bool judge_candidate(struct search_state *state)
{
    const struct cat *cat = state->request->cat;
    if (!state->prunes && !search_count(state))
        return false;
    const int check = cat_evaluate(cat, state->values, &state->execution, STAGE_COHERENCE);
    search_find_finals(state);
    search_note(state, check);
    const bool counts = check < 0 && state->passes;
    if (counts) {
        state->result->consistent++;
        state->result->flags |= cat_flags(cat, state->values, state->execution.count);
        search_capture_flag(state);
        search_end_races(state);
    }
    state->enough = state->prunes && counts && !state->exhausts;
    return !state->enough && state->status == STATUS_OK;
}

static bool order_writes(struct search_state *state)
{
    struct execution *execution = &state->execution;
    unsigned a, b;
    if (!next_pair(state, false, &a, &b))
        return judge_candidate(state);
    const struct relation before = execution->co;
    for (int way = 0; way < 2; way++) {
        bool over = false;
        const bool on = !search_order_writes(execution, way ? b : a, way ? a : b) || !may_go_on(state, &over) ||
                        order_writes(state);
        execution->co = before;
        if (!on || over)
            return false;
    }
    return true;
}

/* Candidates whose coherence lacks pairs that the model requires are not made one by one: the check
 * that requires them forbids them all. This records it for all outcomes that they may have. */
static bool note_uncontained(struct search_state *state, bool count)
{
    const struct cat *cat = state->request->cat;
    const int check = cat_containing_check(cat);
    if (check < 0 || state->prunes)
        return true;
    if (state->request->explain)
        cat_compute(cat, state->values, &state->execution, STAGE_COHERENCE);
    return search_note_any_final(state, check, count);
}

/* For a model with partial coherence: co gets the pairs that the model requires, and the pairs to
 * order are those that must be ordered. */
static bool order_writes_partially(struct search_state *state)
{
    struct execution *execution = &state->execution;
    const struct relation before = execution->co, ordered = state->ordered;
    bool changed;
    const bool possible = search_add_contained(state, false, &changed);
    const struct relation least = execution->co;
    execution->co = before;
    bool on = note_uncontained(state, !possible);
    if (on && possible) {
        execution->co = least;
        search_find_ordered(state, false);
        on = order_writes(state);
    }
    execution->co = before;
    state->ordered = ordered;
    return on;
}

static bool order_coherence(struct search_state *state)
{
    const int check = cat_evaluate(state->request->cat, state->values, &state->execution, STAGE_FENCES);
    if (check >= 0)
        return state->prunes || search_note_any_final(state, check, true);
    return cat_is_total(state->request->cat) ? order_writes(state) : order_writes_partially(state);
}

static bool order_fences(struct search_state *state)
{
    struct execution *execution = &state->execution;
    unsigned a, b;
    if (!state->uses_fences || !next_pair(state, true, &a, &b))
        return order_coherence(state);
    const struct relation before = execution->fence_sc, co = execution->co;
    for (int way = 0; way < 2; way++) {
        bool over = false;
        const bool on = !search_order_fences(execution, way ? b : a, way ? a : b) || !may_go_on(state, &over) ||
                        order_fences(state);
        execution->fence_sc = before;
        execution->co = co;
        if (!on || over)
            return false;
    }
    return true;
}

/* Looks for orders with the writes of `last` at the end. */
static bool find_orders(struct search_state *state)
{
    struct execution *execution = &state->execution;
    const struct relation co = execution->co, fences = execution->fence_sc;
    int check;
    bool on = true;
    state->enough = false;
    if (search_holds(state, &check) && search_derive(state, set_all(execution->count), state->uses_fences))
        on = order_fences(state);
    execution->co = co;
    execution->fence_sc = fences;
    if (state->enough)
        on = state->status == STATUS_OK;
    return on;
}

/* Does it matter whether there are orders with this outcome? */
static bool is_wanted(const struct search_state *state, const int64_t *outcome)
{
    return search_is_new(state, outcome) || (state->may_race && litmus_passes_filter(state->test, outcome));
}

/* For every wanted way in which the observed locations from number `from` on may end: are there
 * orders? `outcome` has the values of those before. */
static bool try_finals(struct search_state *state, size_t from, int64_t *outcome)
{
    if (from == state->test->variable_count)
        return !is_wanted(state, outcome) || find_orders(state);
    uint64_t writes = search_may_end(state, from, outcome);
    if (!writes)
        return try_finals(state, from + 1, outcome);
    for (; writes; writes &= writes - 1) {
        const unsigned write = set_first(writes);
        search_set_last(state, from, write, outcome);
        state->last |= set_of(write);
        const bool on = try_finals(state, from + 1, outcome);
        state->last &= ~set_of(write);
        if (!on)
            return false;
    }
    return true;
}

bool search_orders(struct search_state *state)
{
    int64_t outcome[LITMUS_MAXIMUM_VARIABLES];
    if (!state->prunes)
        return order_fences(state);
    /* If the test may have a race, some order must be examined; if the race depends on orders,
     * every one. With a filter, that is so for each outcome that passes it. */
    const uint64_t open = search_open_flags(state, STAGE_READS);
    const bool filtered = state->test->filter != NULL;
    state->exhausts = (open & ~cat_flags_of_reads(state->request->cat)) != 0;
    state->may_race = open && filtered;
    bool on = !open || filtered || find_orders(state);
    state->exhausts &= filtered;
    on = on && try_finals(state, 0, outcome);
    state->exhausts = false;
    return on;
}
