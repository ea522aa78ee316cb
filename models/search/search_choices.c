// SPDX-License-Identifier: Apache-2.0
/* The choices of a search: the write that each read reads from, and the orders of sc fences and of writes; and what
 * follows from a part of them. */
#include "litmus/language/value.h"
#include "models/search/search.h"

/* ---- consequences of a part of the choices, which need not be chosen ---- */

/* Is this pair still to be ordered? a < b. */
static bool search_fences_are_open(const struct search_state *state, unsigned a, unsigned b)
{
    const struct execution *execution = &state->execution;
    const struct event *p = &execution->events[a], *q = &execution->events[b];
    return (state->sc_fences >> a & state->sc_fences >> b & 1) && !relation_has(&execution->fence_sc, a, b) &&
           !relation_has(&execution->fence_sc, b, a) && execution_scope_includes(execution, p, q) &&
           execution_scope_includes(execution, q, p);
}

static bool search_writes_are_open(const struct search_state *state, unsigned a, unsigned b)
{
    const struct relation *co = &state->execution.co, *ordered = &state->ordered;
    return (relation_has(ordered, a, b) || relation_has(ordered, b, a)) && !relation_has(co, a, b) &&
           !relation_has(co, b, a);
}

/* The events with a higher number with which this one may make a pair to order: writes, or on request sc fences. */
static uint64_t search_later_partners(const struct search_state *state, unsigned event, bool fences)
{
    const bool fence = fences && (state->sc_fences >> event & 1), write = state->peers[event] >> event & 1;
    return ((fence ? state->sc_fences : 0) | (write ? state->peers[event] : 0)) & ~set_all(event + 1);
}

/* Orders a pair of sc fences, or of writes, with all pairs that follow by transitivity. False: they are ordered the
 * other way. */
static bool search_order_fences(struct execution *execution, unsigned first, unsigned second)
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
static bool search_order_writes(struct execution *execution, unsigned first, unsigned second)
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

/* For a model with partial coherence: adds to co the pairs that it requires, as far as known from the choices so far,
 * or from all; *changed: pairs were added. False: co has a cycle. Also finds the pairs that must be ordered. */
static bool search_add_contained(struct search_state *state, bool part, bool *changed)
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

static void search_find_ordered(struct search_state *state, bool part)
{
    if (cat_is_total(state->request->cat))
        return;
    cat_ordered(state->request->cat, state->values, state->execution.count, part, &state->ordered);
    keep_writes(state, &state->ordered);
}

/* Asks the model about the choices so far, and adds to coherence the pairs that follow. Returns false, with the failing
 * check in *check (-1: none), if no execution with these choices is consistent. */
static bool search_holds(struct search_state *state, int *check)
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
    for (uint64_t rest = state->last; rest; rest &= rest - 1)
        if (state->execution.co.row[set_first(rest)])
            return false;
    return true;
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

/* Can two writes be ordered this way, with the choices so far? */
static bool search_can_order_writes(struct search_state *state, unsigned first, unsigned second)
{
    return can_order(state, search_order_writes, first, second);
}

/* Orders a pair that can be ordered in only one way; *changed: it was ordered. False: it can be ordered neither way. */
static bool derive_pair(struct search_state *state, order_pair *order, unsigned a, unsigned b, bool *changed)
{
    const bool forward = can_order(state, order, a, b);
    if (forward && can_order(state, order, b, a))
        return true;
    int check;
    *changed = true;
    return order(&state->execution, forward ? a : b, forward ? b : a) && search_holds(state, &check);
}

/* Orders the pairs of writes, one of them in `around`, and on request the pairs of fences, that can only be ordered one
 * way. False: some pair can be ordered neither way. */
static bool search_derive(struct search_state *state, uint64_t around, bool fences)
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

/* ---- what a location ends in if all its writes are read-modify-writes that commute, as additions do ---- */

/* One value, whatever the order. Then the search need not know the order to know the outcome, and does not continue
 * once the outcome was found.
 *
 * This holds if they make one chain: the first reads the initial value, each other one what the one before it wrote,
 * and the last one's value is final. No model is trusted to require that; it is asked, with nothing chosen but the
 * paths:
 *
 * 1. No two of them read from one write. So with n of them, and n + 1 writes to read from, sources are all different.
 * 2. Whichever one reads from, that write comes before its own in coherence. As coherence has no cycle, neither has
 *    reading from, so each can be followed back to the initial write: there is one chain of all n.
 * 3. By 2 the chain is a part of coherence, so only the last of it can be final.
 *
 * What fails for these choices alone fails for all candidates with them (search_holds), so 1 to 3 hold in every
 * consistent execution with these paths. Accesses that a model lets lose an update, such as those of too narrow a
 * scope, fail 1. */

/* One change has one order. */
enum { FEWEST = 2 };

/* Changes of one location. */
struct changes {
    uint64_t writes;
    unsigned read[EVENTS_MAXIMUM]; /* by write: its read half */
};

/* Of operations of one kind any order gives one value; LITMUS_LOAD: they do not commute. */
static enum litmus_operation search_choices_kind_of(enum litmus_operation operation)
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
    return source->rmw >= 0 && kind != LITMUS_LOAD && search_choices_kind_of(source->change) == kind &&
           source->change_type == type && event->size == litmus_type_size(type) && !event->mbarrier &&
           !state->execution.whole.row[write];
}

/* All writes to the variable's element, if they are changes of one kind; *ending: what they make of the initial
 * value. */
static bool find_changes(const struct search_state *state, size_t at, struct changes *changes, int64_t *ending)
{
    const struct litmus_variable *observed = &state->test->variables[at];
    const struct search_variable *variable = &state->variables[at];
    const enum litmus_type type = state->test->locations[variable->storage].type;
    changes->writes = variable->writes;
    if (litmus_type_is_float(type) || set_size(changes->writes) < FEWEST)
        return false;
    const enum litmus_operation kind = search_choices_kind_of(state->sources[set_first(changes->writes)]->change);
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

/* ---- the orders of sc fences and of writes ---- */

/* Every total order of the writes to each element, or the least partial orders that a model asks for. */

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

static bool order_writes(struct search_state *state)
{
    struct execution *execution = &state->execution;
    unsigned a, b;
    if (!next_pair(state, false, &a, &b)) {
        /* A complete candidate. */
        const struct cat *cat = state->request->cat;
        if (!state->prunes && !search_count(state))
            return false;
        const int check = cat_evaluate(cat, state->values, &state->execution, STAGE_COHERENCE);
        search_find_finals(state);
        search_note(state, check);
        const bool counts = check < 0 && state->passes;
        if (counts) {
            state->request->consistent++;
            state->request->flags |= cat_flags(cat, state->values, state->execution.count);
            search_capture_flag(state);
            search_end_races(state);
        }
        state->enough = state->prunes && counts && !state->exhausts;
        return !state->enough && state->status == STATUS_OK;
    }
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

/* Candidates whose coherence lacks pairs that the model requires are not made one by one: the check that requires them
 * forbids them all. This records it for all outcomes that they may have. */
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

/* For a model with partial coherence: co gets the pairs that the model requires, and the pairs to order are those that
 * must be ordered. */
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

static bool order_fences(struct search_state *state)
{
    struct execution *execution = &state->execution;
    unsigned a, b;
    if (!state->uses_fences || !next_pair(state, true, &a, &b)) {
        const int check = cat_evaluate(state->request->cat, state->values, &state->execution, STAGE_FENCES);
        if (check >= 0)
            return state->prunes || search_note_any_final(state, check, true);
        return cat_is_total(state->request->cat) ? order_writes(state) : order_writes_partially(state);
    }
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

/* For every wanted way in which the observed locations from number `from` on may end: are there orders? `outcome` has
 * the values of those before. */
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

static bool search_orders(struct search_state *state)
{
    int64_t outcome[LITMUS_MAXIMUM_VARIABLES];
    if (!state->prunes)
        return order_fences(state);
    /* If the test may have a race, some order must be examined; if the race depends on orders, every one. With a
     * filter, that is so for each outcome that passes it. */
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

/* ---- the sources of reads ---- */

/* The most readings of one candidate's dependencies to try; if there are more, the last one tried has none. */
enum { READINGS = 256 };

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

/* Tries the other readings of a candidate that its dependencies forbid, and continues with the first that is allowed;
 * *found: there is one. False: the search is over. */
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

/* A candidate whose values are all known. If its dependencies forbid it, their other readings are tried. */
static bool judge_reading(struct search_state *state)
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

/* Operations on an mbarrier count one after the other: none continues from a value from which another has continued,
 * nor from one that depends on its own. */
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

/* Is there no choice yet that distinguishes the thread from those with which it can be exchanged? */
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
    return ANY_NUMBER(unsigned, other, alike[slot], slot,
                      alike[other] == alike[slot] &&
                          search_path_number(state, other) == search_path_number(state, slot) &&
                          is_untouched(state, other, reader));
}

static bool choose_source(struct search_state *state, unsigned read);

/* With this source nothing is consistent: notes that for the outcomes, if they are known. */
static bool search_choices_leave(struct search_state *state, int check)
{
    /* Are all values known, so that the outcomes that a check forbids are known? */
    if (check >= 0 && state->known == set_all(state->execution.count) && search_may_add(state))
        return search_note_any_final(state, check, false);
    return state->status == STATUS_OK;
}

/* Continues after a read has got a source, if that may succeed. The writes around it are those whose order the source
 * may settle: the source itself, and the write of a read-modify-write. */
static bool go_on(struct search_state *state, unsigned read, unsigned write)
{
    int check;
    if (!state->prunes)
        return choose_source(state, read + 1);
    if (!search_count(state))
        return false;
    if (!search_holds(state, &check))
        return search_choices_leave(state, check);
    if (!search_may_add(state))
        return true;
    if (!search_derive(state, set_of(write) | state->execution.rmw.row[read], false))
        return search_choices_leave(state, -1);
    return choose_source(state, read + 1);
}

static bool choose_source(struct search_state *state, unsigned read)
{
    struct execution *execution = &state->execution;
    while (read < execution->count && execution->events[read].kind != EVENT_READ)
        read++;
    if (read == execution->count) {
        const bool on = search_thin_air(state, judge_reading);
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
    /* Finds the observed locations that end in one value with the chosen paths. */
    for (size_t i = 0; i < state->test->variable_count; i++) {
        struct search_variable *variable = &state->variables[i];
        struct changes changes;
        variable->total = false;
        if (!state->prunes || variable->slot >= 0)
            continue;
        if (variable->same_as < 0)
            variable->total = find_changes(state, i, &changes, &variable->ending) && is_chain(state, &changes);
    }
    return choose_source(state, 0);
}
