// SPDX-License-Identifier: Apache-2.0
/*
 * The orders of sc fences and of writes: every total order of the writes to each element, or the
 * least partial orders that a model asks for; and what writes that commute end in without an order.
 */
#include "litmus/language/value.h"
#include "models/search/search.h"

/* ---- what a location ends in if all its writes are read-modify-writes that commute, as additions do ---- */

/* One value, whatever the order. Then the search need not know the order to know the outcome, and does not continue once
 * the outcome was found.
 *
 * This holds if they make one chain: the first reads the initial value, each other one what the one before it wrote, and
 * the last one's value is final. No model is trusted to require that; it is asked, with nothing chosen but the paths:
 *
 * 1. No two of them read from one write. So with n of them, and n + 1 writes to read from, sources are all different.
 * 2. Whichever one reads from, that write comes before its own in coherence. As coherence has no cycle, neither has reading
 *    from, so each can be followed back to the initial write: there is one chain of all n.
 * 3. By 2 the chain is a part of coherence, so only the last of it can be final.
 *
 * What fails for these choices alone fails for all candidates with them (search_holds), so 1 to 3 hold in every consistent
 * execution with these paths. Accesses that a model lets lose an update, such as those of too narrow a scope, fail 1. */

/* One change has one order. */
enum { FEWEST = 2 };

/* Changes of one location. */
struct changes {
    uint64_t writes;
    unsigned read[EVENTS_MAXIMUM]; /* by write: its read half */
};

/* Of operations of one kind any order gives one value; LITMUS_LOAD: they do not commute. */
static enum litmus_operation kind_of(enum litmus_operation operation)
{
    switch (operation) {
    case LITMUS_FETCH_ADD:
    case LITMUS_FETCH_SUB:
        return LITMUS_FETCH_ADD;
    case LITMUS_FETCH_AND:
    case LITMUS_FETCH_OR:
    case LITMUS_FETCH_XOR:
    case LITMUS_FETCH_MIN:
    case LITMUS_FETCH_MAX:
        return operation;
    default:
        return LITMUS_LOAD;
    }
}

/* Is the write a change of a whole element, of the location's type, and of this kind? */
static bool is_change(const struct search_state *state, unsigned write, enum litmus_type type,
                      enum litmus_operation kind)
{
    const struct trace_event *source = state->sources[write];
    const struct event *event = &state->execution.events[write];
    return source->rmw >= 0 && kind != LITMUS_LOAD && kind_of(source->change) == kind && source->change_type == type &&
           event->size == litmus_type_size(type) && !event->mbarrier && !state->execution.whole.row[write];
}

/* All writes to the variable's element, if they are changes of one kind; *ending: what they make of the initial value. */
static bool find_changes(const struct search_state *state, size_t at, struct changes *changes, int64_t *ending)
{
    const struct litmus_variable *observed = &state->test->variables[at];
    const struct search_variable *variable = &state->variables[at];
    const enum litmus_type type = state->test->locations[variable->storage].type;
    changes->writes = variable->writes;
    if (litmus_type_is_float(type) || set_size(changes->writes) < FEWEST)
        return false;
    const enum litmus_operation kind = kind_of(state->sources[set_first(changes->writes)]->change);
    *ending = location_initial(state->test, variable->storage, observed->element);
    for (uint64_t rest = changes->writes; rest; rest &= rest - 1) {
        const unsigned write = set_first(rest);
        if (!is_change(state, write, type, kind))
            return false;
        changes->read[write] = state->first[state->slot_of[write]] + (unsigned)state->sources[write]->rmw;
        *ending = litmus_value_modify(state->sources[write]->change, type, *ending, state->sources[write]->operand);
    }
    *ending = litmus_wrap(litmus_variable_type(state->test, observed), *ending);
    return true;
}

/* Can these two reads have these sources, and be `second` without being ordered after `first`? */
static bool can_be(struct search_state *state, unsigned first, unsigned second)
{
    int check;
    const struct relation *co = &state->execution.co;
    if (!search_holds(state, &check) || relation_has(co, first, second))
        return false;
    const bool open = search_writes_are_open(state, first, second);
    return !open || search_can_order_writes(state, second, first);
}

/* May a change read from a write and not come after it? */
static bool may_overtake(struct search_state *state, const struct changes *changes, unsigned write, unsigned reader)
{
    struct execution *execution = &state->execution;
    const struct relation co = execution->co, ordered = state->ordered;
    relation_add(&execution->rf, write, changes->read[reader]);
    const bool may = can_be(state, write, reader);
    execution->rf.row[write] &= ~set_of(changes->read[reader]);
    execution->co = co;
    state->ordered = ordered;
    return may;
}

/* May two changes read from one write? Both come after it. */
static bool may_share(struct search_state *state, const struct changes *changes, unsigned write, unsigned a, unsigned b)
{
    struct execution *execution = &state->execution;
    const struct relation co = execution->co, ordered = state->ordered;
    const uint64_t reads = set_of(changes->read[a]) | set_of(changes->read[b]);
    int check;
    execution->rf.row[write] |= reads;
    const bool possible = search_order_writes(execution, write, a) && search_order_writes(execution, write, b) &&
                          search_holds(state, &check);
    const bool may = possible && (!search_writes_are_open(state, a, b) || search_can_order_writes(state, a, b) ||
                                  search_can_order_writes(state, b, a));
    execution->rf.row[write] &= ~reads;
    execution->co = co;
    state->ordered = ordered;
    return may;
}

/* Do the changes make one chain in every consistent execution? */
static bool is_chain(struct search_state *state, const struct changes *changes)
{
    const uint64_t initial = state->execution.initial;
    for (uint64_t from = changes->writes; from; from &= from - 1)
        for (uint64_t to = changes->writes; to; to &= to - 1)
            if (may_overtake(state, changes, set_first(from), set_first(to)))
                return false;
    for (unsigned write = 0; write < state->execution.count; write++) {
        const bool same =
            event_same_cell(&state->execution.events[write], &state->execution.events[set_first(changes->writes)]);
        if (!same || !((changes->writes | initial) >> write & 1))
            continue;
        const uint64_t others = changes->writes & ~set_of(write);
        for (uint64_t a = others; a; a &= a - 1)
            for (uint64_t b = a & (a - 1); b; b &= b - 1)
                if (may_share(state, changes, write, set_first(a), set_first(b)))
                    return false;
    }
    return true;
}

void search_find_totals(struct search_state *state)
{
    for (size_t i = 0; i < state->test->variable_count; i++) {
        struct search_variable *variable = &state->variables[i];
        struct changes changes;
        variable->total = false;
        if (!state->prunes || variable->slot >= 0)
            continue;
        if (variable->same_as < 0)
            variable->total = find_changes(state, i, &changes, &variable->ending) && is_chain(state, &changes);
    }
}

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
