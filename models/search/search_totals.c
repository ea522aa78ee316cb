// SPDX-License-Identifier: Apache-2.0
/*
 * What a location ends in if all its writes are read-modify-writes that commute, as additions do: one value, whatever the
 * order. Then the search need not know the order to know the outcome, and does not continue once the outcome was found.
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
 * execution with these paths. Accesses that a model lets lose an update, such as those of too narrow a scope, fail 1.
 */
#include "litmus/language/value.h"
#include "models/search/search.h"

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
