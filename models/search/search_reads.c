// SPDX-License-Identifier: Apache-2.0
/* Chooses the write that each read reads from, and derives the consequences of a part of the choices. */
#include <string.h>

#include "models/search/search.h"

/* The most readings of one candidate's dependencies to try; if there are more, the last one tried
 * has none. */
enum { READINGS = 256 };

/* ---- every read has a source ---- */

/* The next reading of the traces' dependencies; false: all were tried. */
static bool next_reading(struct search_state *state)
{
    if (++state->tried > READINGS)
        return false;
    for (unsigned t = 0; t < state->enumeration->thread_count; t++) {
        if (++state->readings[t] < dependencies_readings(state->chosen[t]))
            return true;
        state->readings[t] = 0;
    }
    return false;
}

/* Asks the model with the present reading: the first check that fails, or -1; *out: the search is over. */
static int evaluate_reading(struct search_state *state, bool *out)
{
    *out = !search_set_dependencies(state);
    return *out ? -1 : cat_evaluate(state->request->cat, state->values, &state->execution, STAGE_READS);
}

/* Tries the other readings of a candidate that its dependencies forbid, and continues with the
 * first that is allowed; *found: there is one. False: the search is over. */
static bool try_readings(struct search_state *state, bool *found)
{
    bool out = false, on = true;
    for (state->tried = 0; !*found && !out && next_reading(state);)
        *found = evaluate_reading(state, &out) < 0;
    if (!*found && !out && state->tried > READINGS) {
        state->without_dependencies = true;
        *found = evaluate_reading(state, &out) < 0;
        state->without_dependencies = false;
    }
    if (*found && !out)
        on = search_orders(state);
    memset(state->readings, 0, sizeof state->readings);
    return !out && on;
}

/* A candidate whose values are all known. If its dependencies forbid it, their other readings are
 * tried. */
static bool judge_candidate(struct search_state *state)
{
    bool out = false, found = false;
    if (state->failed >= 0)
        return search_note_any_final(state, state->failed, true) || state->status == STATUS_OK;
    const int check = evaluate_reading(state, &out);
    if (out)
        return false;
    if (check < 0)
        return search_orders(state);
    if (state->uses_dependencies && cat_check_uses_dependencies(state->request->cat, check)) {
        if (!try_readings(state, &found))
            return false;
        if (!found && state->request->explain)
            (void)evaluate_reading(state, &out);
    }
    return found || search_note_any_final(state, check, true);
}

/* ---- one read after the other ---- */

static bool could_read(const struct search_state *state, unsigned read, unsigned write)
{
    const struct event *r = &state->execution.events[read], *w = &state->execution.events[write];
    if (w->kind != EVENT_WRITE || !event_same_cell(w, r))
        return false;
    const bool known = (state->known >> read & 1) && (state->known >> write & 1);
    return !known || w->size != r->size || event_same_value(r, r->value, w->value);
}

/* The write that a read reads from; -1: none is chosen yet. */
static int source_of(const struct execution *execution, unsigned read)
{
    for (unsigned write = 0; write < execution->count; write++)
        if (relation_has(&execution->rf, write, read))
            return (int)write;
    return -1;
}

/* Operations on an mbarrier count one after the other: none continues from a value from which
 * another has continued, nor from one that depends on its own. */
static bool is_out_of_turn(const struct search_state *state, unsigned read, unsigned write)
{
    const struct execution *execution = &state->execution;
    if (!execution->events[read].mbarrier || !execution->rmw.row[read])
        return false;
    for (uint64_t rest = execution->rf.row[write]; rest; rest &= rest - 1)
        if (execution->rmw.row[set_first(rest)])
            return true;
    for (int at = (int)write; at >= 0 && state->sources[at];) {
        const unsigned half = state->first[state->slot_of[at]] + (unsigned)state->sources[at]->rmw;
        if (half == read)
            return true;
        at = source_of(execution, half);
    }
    return false;
}

/* Is there no choice yet that distinguishes the thread from those with which it can be
 * exchanged? */
static bool is_untouched(const struct search_state *state, unsigned slot, unsigned reader)
{
    const uint64_t end = state->first[slot] + state->path[slot]->count;
    bool touched = slot <= reader;
    for (unsigned i = state->first[slot]; i < end; i++)
        touched |= state->execution.rf.row[i] != 0;
    return !touched;
}

/* Would another thread's write, already tried, be equivalent? */
static bool is_repeated(const struct search_state *state, unsigned read, unsigned write)
{
    const unsigned slot = state->slot_of[write], reader = state->slot_of[read];
    const unsigned *alike = state->enumeration->alike;
    if (!state->prunes || (state->execution.initial >> write & 1) || !is_untouched(state, slot, reader))
        return false;
    for (unsigned other = alike[slot]; other < slot; other++)
        if (alike[other] == alike[slot] && search_path_number(state, other) == search_path_number(state, slot) &&
            is_untouched(state, other, reader))
            return true;
    return false;
}

/* Are all values known, so that the outcomes that a check forbids are known? */
static bool is_settled(const struct search_state *state)
{
    return state->known == set_all(state->execution.count);
}

static bool choose_source(struct search_state *state, unsigned read);

/* With this source nothing is consistent: notes that for the outcomes, if they are known. */
static bool leave(struct search_state *state, int check)
{
    if (check >= 0 && is_settled(state) && search_may_add(state))
        return search_note_any_final(state, check, false);
    return state->status == STATUS_OK;
}

/* Continues after a read has got a source, if that may succeed. The writes around it are those
 * whose order the source may settle: the source itself, and the write of a read-modify-write. */
static bool go_on(struct search_state *state, unsigned read, unsigned write)
{
    int check;
    if (!state->prunes)
        return choose_source(state, read + 1);
    if (!search_count(state))
        return false;
    if (!search_holds(state, &check))
        return leave(state, check);
    if (!search_may_add(state))
        return true;
    if (!search_derive(state, set_of(write) | state->execution.rmw.row[read], false))
        return leave(state, -1);
    return choose_source(state, read + 1);
}

static bool choose_source(struct search_state *state, unsigned read)
{
    struct execution *execution = &state->execution;
    while (read < execution->count && execution->events[read].kind != EVENT_READ)
        read++;
    if (read == execution->count) {
        const bool on = search_thin_air(state, judge_candidate);
        search_clear_dependencies(state);
        return on;
    }
    struct search_settled before;
    const struct relation co = execution->co;
    search_keep_settled(state, &before);
    for (unsigned write = 0; write < execution->count; write++) {
        if (!could_read(state, read, write) || is_out_of_turn(state, read, write) || is_repeated(state, read, write))
            continue;
        relation_add(&execution->rf, write, read);
        const bool on = !search_settle(state, set_of(read)) || go_on(state, read, write);
        execution->rf.row[write] &= ~set_of(read);
        execution->co = co;
        search_put_back(state, &before);
        if (!on || !search_step(state))
            return false;
    }
    return true;
}

bool search_reads(struct search_state *state)
{
    int check;
    if (state->prunes && !search_holds(state, &check))
        return state->status == STATUS_OK;
    search_find_totals(state);
    return choose_source(state, 0);
}

/* ---- consequences of a part of the choices, which need not be chosen ---- */

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
