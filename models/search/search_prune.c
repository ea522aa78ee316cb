// SPDX-License-Identifier: Apache-2.0
/* Derives the consequences of a part of the choices, so that they need not be chosen. */
#include "models/search/search.h"

bool search_fences_are_open(const struct search_state *state, unsigned a, unsigned b)
{
    const struct execution *execution = &state->execution;
    const struct event *p = &execution->events[a], *q = &execution->events[b];
    return (state->sc_fences >> a & state->sc_fences >> b & 1) && !relation_has(&execution->fence_sc, a, b) &&
           !relation_has(&execution->fence_sc, b, a) && execution_scope_includes(execution, p, q) &&
           execution_scope_includes(execution, q, p);
}

bool search_writes_are_open(const struct search_state *state, unsigned a, unsigned b)
{
    const struct relation *co = &state->execution.co, *ordered = &state->ordered;
    return (relation_has(ordered, a, b) || relation_has(ordered, b, a)) && !relation_has(co, a, b) &&
           !relation_has(co, b, a);
}

uint64_t search_later_partners(const struct search_state *state, unsigned event, bool fences)
{
    const bool fence = fences && (state->sc_fences >> event & 1), write = state->peers[event] >> event & 1;
    return ((fence ? state->sc_fences : 0) | (write ? state->peers[event] : 0)) & ~set_all(event + 1);
}

bool search_order_fences(struct execution *execution, unsigned first, unsigned second)
{
    struct relation before;
    relation_unite(&before, &execution->po, &execution->fence_sc, execution->count);
    relation_close(&before, &before, execution->count);
    if (relation_has(&before, second, first))
        return false;
    relation_add(&execution->fence_sc, first, second);
    return true;
}

/* co is transitive: all before the first come before all after the second. */
bool search_order_writes(struct execution *execution, unsigned first, unsigned second)
{
    struct relation *co = &execution->co;
    if (relation_has(co, second, first))
        return false;
    const uint64_t later = co->row[second] | set_of(second);
    for (unsigned i = 0; i < execution->count; i++)
        if (i == first || relation_has(co, i, first))
            co->row[i] |= later;
    return true;
}

/* Of writes to one place, except initial ones. */
static void keep_writes(const struct search_state *state, struct relation *relation)
{
    for (unsigned i = 0; i < state->execution.count; i++)
        relation->row[i] &= state->peers[i] >> i & 1 ? state->peers[i] & ~set_of(i) : 0;
}

bool search_add_contained(struct search_state *state, bool part, bool *changed)
{
    struct execution *execution = &state->execution;
    struct relation contained, united;
    cat_contained(state->request->cat, state->values, execution->count, part, &contained);
    for (unsigned i = 0; i < execution->count; i++)
        if (!(execution->initial >> i & 1) && relation_has(&contained, i, i))
            return false;
    keep_writes(state, &contained);
    relation_unite(&united, &execution->co, &contained, execution->count);
    *changed = !relation_equal(&united, &execution->co, execution->count);
    if (*changed)
        relation_close(&execution->co, &united, execution->count);
    return relation_is_irreflexive(&execution->co, execution->count);
}

void search_find_ordered(struct search_state *state, bool part)
{
    if (cat_is_total(state->request->cat))
        return;
    cat_ordered(state->request->cat, state->values, state->execution.count, part, &state->ordered);
    keep_writes(state, &state->ordered);
}

static bool keeps_last(const struct search_state *state)
{
    for (uint64_t rest = state->last; rest; rest &= rest - 1)
        if (state->execution.co.row[set_first(rest)])
            return false;
    return true;
}

bool search_holds(struct search_state *state, int *check)
{
    const struct cat *cat = state->request->cat;
    for (bool changed = true; changed;) {
        changed = false;
        *check = cat_evaluate_part(cat, state->values, &state->execution);
        if (*check >= 0)
            return false;
        if (!cat_is_total(cat) && !search_add_contained(state, true, &changed)) {
            *check = cat_containing_check(cat);
            return false;
        }
    }
    search_find_ordered(state, true);
    return keeps_last(state);
}

typedef bool order_pair(struct execution *execution, unsigned first, unsigned second);

/* Can the pair be ordered this way? */
static bool can_order(struct search_state *state, order_pair *order, unsigned first, unsigned second)
{
    struct execution *execution = &state->execution;
    const struct relation co = execution->co, fences = execution->fence_sc;
    int check;
    const bool can = order(execution, first, second) && search_holds(state, &check);
    execution->co = co;
    execution->fence_sc = fences;
    return can;
}

bool search_can_order_writes(struct search_state *state, unsigned first, unsigned second)
{
    return can_order(state, search_order_writes, first, second);
}

/* Orders a pair that can be ordered in only one way; *changed: it was ordered. False: it can be
 * ordered neither way. */
static bool derive_pair(struct search_state *state, order_pair *order, unsigned a, unsigned b, bool *changed)
{
    const bool forward = can_order(state, order, a, b);
    if (forward && can_order(state, order, b, a))
        return true;
    int check;
    *changed = true;
    return order(&state->execution, forward ? a : b, forward ? b : a) && search_holds(state, &check);
}

bool search_derive(struct search_state *state, uint64_t around, bool fences)
{
    const unsigned count = state->execution.count;
    for (bool changed = true; changed;) {
        changed = false;
        for (unsigned a = 0; a < count; a++)
            for (uint64_t rest = search_later_partners(state, a, fences); rest; rest &= rest - 1) {
                const unsigned b = set_first(rest);
                if (fences && search_fences_are_open(state, a, b) &&
                    !derive_pair(state, search_order_fences, a, b, &changed))
                    return false;
                if (((around >> a | around >> b) & 1) && search_writes_are_open(state, a, b) &&
                    !derive_pair(state, search_order_writes, a, b, &changed))
                    return false;
            }
    }
    return true;
}
