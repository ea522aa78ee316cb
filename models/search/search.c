// SPDX-License-Identifier: Apache-2.0
/* The search through all candidates: its start, its bounds, and what it has found. */
#include "models/search/search.h"

/* ---- the outcomes found so far, by their values ---- */

static uint64_t key_of(const struct findings *findings, const int64_t *values)
{
    uint64_t key = KEY_OF_NONE;
    for (size_t i = 0; i < findings->test->variable_count; i++)
        key = key_with(key, values[i]);
    return key;
}

/* The item of an outcome, or NULL. */
static struct search_finding *findings_find(const struct findings *findings, const int64_t *values)
{
    const size_t size = findings->test->variable_count * sizeof *values;
    size_t item;
    for (size_t step = 0; hash_index_next(&findings->by_values, key_of(findings, values), &step, &item);)
        if (size == 0 || memcmp(findings->items[item].values, values, size) == 0)
            return &findings->items[item];
    return NULL;
}

/* The item of an outcome, created if it is new; NULL if the table is full. Valid until the next call. */
static struct search_finding *findings_get(struct findings *findings, const int64_t *values)
{
    struct search_finding *found = findings_find(findings, values);
    if (found || findings->count == ENUMERATE_MAXIMUM_OUTCOMES)
        return found;
    const size_t count = findings->test->variable_count;
    hash_index_add(&findings->by_values, key_of(findings, values), findings->count);
    found = &LIST_ADD(findings->items, findings->count, findings->room);
    *found = (struct search_finding){.values = arena_take(&findings->arena, count, sizeof *values), .rank = -1};
    memcpy(found->values, values, count * sizeof *values);
    return found;
}

void findings_release(struct findings *findings)
{
    arena_release(&findings->arena);
    free(findings->items);
    hash_index_release(&findings->by_values);
    *findings = (struct findings){0};
}

/* The most choices of a search that does not prune, per candidate that it may make. */
enum { STEPS_PER_CANDIDATE = 20 };

/* Steps between two looks at the clock. */
enum { LOOKED_AT_CLOCK = 64 };

bool search_count(struct search_state *state)
{
    const uint64_t maximum = state->enumeration->options.maximum_candidates, count = ++state->request->candidates;
    state->full = !state->prunes && count > state->enumeration->options.listed_candidates;
    if (count <= maximum)
        return !state->full;
    state->status = error_set(state->request->error, STATUS_LIMIT,
                              "the test has more than %llu candidate executions: no model can judge it",
                              (unsigned long long)maximum);
    return false;
}

bool search_step(struct search_state *state)
{
    if (++state->steps % LOOKED_AT_CLOCK == 0 && enumeration_is_over(state->enumeration))
        state->status = STATUS_UNSUPPORTED;
    state->full |= !state->prunes && state->steps > STEPS_PER_CANDIDATE * state->enumeration->options.listed_candidates;
    return state->status == STATUS_OK && !state->full;
}

bool search_stage(struct search_state *state, enum stage stage)
{
    state->failed = stage == STAGE_EVENTS ? -1 : state->failed_events;
    if (state->failed < 0)
        state->failed = cat_evaluate(state->request->cat, state->values, &state->execution, stage);
    if (stage == STAGE_EVENTS)
        state->failed_events = state->failed;
    return !state->prunes || state->failed < 0;
}

/* The number of the first path to try for a thread: threads that can be exchanged take their paths in order. */
static size_t first_path(const struct search_state *state, unsigned slot)
{
    const struct enumeration *enumeration = state->enumeration;
    for (unsigned before = slot; state->prunes && before-- > 0;)
        if (enumeration->alike[before] == enumeration->alike[slot])
            return search_path_number(state, before);
    return 0;
}

static bool choose_paths(struct search_state *state, unsigned slot)
{
    if (slot == state->enumeration->thread_count)
        return search_build(state) ? search_meetings(state) : state->status == STATUS_OK;
    struct traces *traces = &state->enumeration->traces[state->enumeration->threads[slot].body];
    for (size_t i = first_path(state, slot); i < traces->count; i++) {
        state->path[slot] = &traces->paths[i];
        if (!search_step(state) || !choose_paths(state, slot + 1))
            return false;
    }
    return true;
}

static enum status search_once(struct search_request *request, bool prunes, bool *full)
{
    FREED struct search_state *state = memory_take(1, sizeof *state);
    state->request = request;
    state->enumeration = request->enumeration;
    state->test = request->enumeration->test;
    state->prunes = prunes;
    state->values = cat_values_new(request->cat);
    state->uses_dependencies =
        cat_uses(request->cat, "addr") || cat_uses(request->cat, "data") || cat_uses(request->cat, "ctrl");
    state->uses_fences = cat_uses(request->cat, "sync_fence");
    state->spare = arena_take(&state->arena, state->enumeration->thread_count, sizeof *state->spare);
    const struct litmus_test *test = state->test;
    state->variables = arena_take(&state->arena, test->variable_count, sizeof *state->variables);
    for (size_t i = 0; i < test->variable_count; i++) {
        const struct litmus_variable *observed = &test->variables[i];
        struct search_variable *variable = &state->variables[i];
        *variable = (struct search_variable){.slot = -1, .storage = LITMUS_NONE, .same_as = -1};
        for (unsigned t = 0; observed->thread != LITMUS_NONE && t < state->enumeration->thread_count; t++)
            if (state->enumeration->threads[t].number == observed->thread)
                variable->slot = (int)t;
        if (observed->thread != LITMUS_NONE)
            continue;
        variable->storage = (int)litmus_storage(test, (unsigned)observed->index);
        for (size_t k = 0; k < i; k++)
            if (state->variables[k].storage == variable->storage && test->variables[k].element == observed->element)
                variable->same_as = (int)k;
    }
    (void)choose_paths(state, 0);
    *full = state->full;
    const enum status status = state->status;
    cat_values_release(state->values);
    arena_release(&state->arena);
    return status;
}

enum status search(struct search_request *request)
{
    bool full = request->only_sc;
    request->candidates = request->consistent = request->flags = 0;
    request->stuck = false;
    request->undefined = NULL;
    if (!request->only_sc)
        TRY(search_once(request, false, &full));
    return full ? search_once(request, true, &full) : STATUS_OK;
}

/* ---- what candidates show about outcomes ---- */

/* The most outcomes to compare with at one node of the search. */
enum { COMPARED = 4096 };

/* Pairs of read-modify-writes that read from one write. Of two executions that break an axiom, the one with fewer such
 * pairs shows the axiom better, since any model forbids these pairs. */
static unsigned count_flaws(const struct execution *execution)
{
    uint64_t updates = 0;
    unsigned flaws = 0;
    for (unsigned i = 0; i < execution->count; i++)
        if (execution->rmw.row[i])
            updates |= set_of(i);
    for (unsigned i = 0; i < execution->count; i++) {
        const unsigned readers = set_size(execution->rf.row[i] & updates);
        flaws += readers > 1 ? readers - 1 : 0;
    }
    return flaws;
}

/* Keeps the present execution for an outcome that it has, with the broken check, or -1. */
static void capture_outcome(const struct search_state *state, int check, struct search_finding *found)
{
    const struct search_request *request = state->request;
    if (!request->explain || (!found->capture && request->findings->captures == FINDINGS_CAPTURES))
        return;
    request->findings->captures += !found->capture;
    if (!found->capture)
        found->capture = arena_take(&request->findings->arena, 1, sizeof *found->capture);
    struct capture *capture = found->capture;
    capture->execution = state->execution;
    capture->flaws = count_flaws(&state->execution);
    capture->step_count = 0;
    if (check >= 0)
        capture->step_count =
            cat_offence(request->cat, state->values, check, state->execution.count, capture->steps, &capture->closed);
}

void search_capture_flag(const struct search_state *state)
{
    const struct search_request *request = state->request;
    uint64_t flags = state->request->flags;
    if (!request->explain || !flags || request->undefined)
        return;
    const uint64_t meaningless = flags & ~cat_flags_unspecified(request->cat, flags);
    struct capture *capture = state->request->undefined = memory_take(1, sizeof *capture);
    capture->execution = state->execution;
    capture->step_count =
        cat_flag_offence(request->cat, state->values, (int)set_first(meaningless ? meaningless : flags),
                         state->execution.count, capture->steps);
}

/* Is the final memory as a single read of it would find it? Two whole accesses must not each leave a part of their
 * writes. */
static bool finals_are_whole(const struct search_state *state)
{
    const struct execution *execution = &state->execution;
    uint64_t finals = 0, whole = 0;
    for (size_t i = 0; i < state->test->variable_count; i++)
        if (state->variables[i].slot < 0 && state->variables[i].same_as < 0 && state->variables[i].finals)
            finals |= set_of(state->variables[i].final);
    for (uint64_t rest = finals; rest; rest &= rest - 1)
        whole |= execution->whole.row[set_first(rest)] ? set_of(set_first(rest)) : 0;
    for (uint64_t rest = whole; rest; rest &= rest - 1) {
        const uint64_t own = execution->whole.row[set_first(rest)];
        for (uint64_t words = own; words; words &= words - 1)
            if (whole & ~own & state->peers[set_first(words)])
                return false;
    }
    return true;
}

static void note_one(struct search_state *state, const int64_t *outcome, int check)
{
    const struct search_request *request = state->request;
    if (!litmus_passes_filter(state->test, outcome))
        return;
    state->passes = true;
    if (check < 0 && !finals_are_whole(state))
        return;
    struct search_finding *found =
        request->only_sc ? findings_find(request->findings, outcome) : findings_get(request->findings, outcome);
    if (request->only_sc) {
        if (found && check < 0 && !found->sc)
            capture_outcome(state, check, found);
        if (found)
            found->sc |= check < 0;
        return;
    }
    if (!found) {
        state->status =
            error_set(request->error, STATUS_UNSUPPORTED, "the test has more than %d outcomes: no model can judge it",
                      ENUMERATE_MAXIMUM_OUTCOMES);
        return;
    }
    if (check < 0 && !found->consistent)
        capture_outcome(state, check, found);
    if (check < 0)
        found->consistent = true;
    if (check < 0 || found->consistent)
        return;
    const int rank = cat_check_rank(request->cat, check);
    if (rank == found->rank && found->capture && count_flaws(&state->execution) < found->capture->flaws)
        capture_outcome(state, check, found);
    if (rank <= found->rank)
        return;
    found->rank = rank;
    found->axiom = cat_check_name(request->cat, check);
    capture_outcome(state, check, found);
}

bool search_is_new(const struct search_state *state, const int64_t *outcome)
{
    const struct search_request *request = state->request;
    if (!litmus_passes_filter(state->test, outcome))
        return false;
    const struct search_finding *found = findings_find(request->findings, outcome);
    if (request->only_sc)
        return found && found->consistent && !found->sc;
    return !found || !found->consistent;
}

/* Sets outcome[at] if no order of writes matters to it: the value of a register, whose thread has a chosen trace, of an
 * element that was observed before, or, without writes, the initial value. Returns 0 then, else the writes. An outcome
 * has a value for each observed variable; it is the caller's, since one way of ending may be tried while another is
 * noted. */
static uint64_t set_ending(const struct search_state *state, size_t at, uint64_t writes, int64_t *outcome)
{
    const struct litmus_variable *observed = &state->test->variables[at];
    const struct search_variable *variable = &state->variables[at];
    if (variable->slot >= 0)
        outcome[at] = state->chosen[variable->slot]->registers[observed->index];
    else if (variable->same_as >= 0)
        outcome[at] = outcome[variable->same_as];
    else if (!writes)
        outcome[at] = location_initial(state->test, variable->storage, observed->element);
    else
        return writes;
    return 0;
}

uint64_t search_may_end(const struct search_state *state, size_t at, int64_t *outcome)
{
    if (!state->variables[at].total)
        return set_ending(state, at, state->variables[at].writes, outcome);
    outcome[at] = state->variables[at].ending;
    return 0;
}

void search_set_last(const struct search_state *state, size_t at, unsigned write, int64_t *outcome)
{
    outcome[at] = litmus_wrap(litmus_variable_type(state->test, &state->test->variables[at]),
                              state->execution.events[write].value);
}

/* Sets the observed variables from number `from` on in every way; *is_new: some way gives a new outcome. Stops at the
 * first such way, or after `room` ways, which counts as new. */
static void find_new(const struct search_state *state, size_t from, int64_t *outcome, unsigned *room, bool *is_new)
{
    if (from == state->test->variable_count) {
        *is_new = *room == 0 || search_is_new(state, outcome);
        *room -= *room > 0;
        return;
    }
    const struct search_variable *variable = &state->variables[from];
    if (variable->slot >= 0 && !state->chosen[variable->slot]) {
        struct value_list ends = {.count = 0};
        const int number = state->test->variables[from].index;
        *is_new = !search_register_values(state, (unsigned)variable->slot, number, &ends);
        for (unsigned i = 0; i < ends.count && !*is_new; i++) {
            outcome[from] = ends.value[i];
            find_new(state, from + 1, outcome, room, is_new);
        }
        return;
    }
    uint64_t writes = search_may_end(state, from, outcome);
    if (!writes)
        find_new(state, from + 1, outcome, room, is_new);
    *is_new |= (writes & ~state->known) != 0;
    for (; writes && !*is_new; writes &= writes - 1) {
        search_set_last(state, from, set_first(writes), outcome);
        find_new(state, from + 1, outcome, room, is_new);
    }
}

bool search_may_add(struct search_state *state)
{
    int64_t outcome[LITMUS_MAXIMUM_VARIABLES];
    unsigned room = COMPARED;
    bool is_new = false;
    if (search_open_flags(state, STAGE_EVENTS))
        return true;
    find_new(state, 0, outcome, &room, &is_new);
    return is_new;
}

static bool is_meaningless(const struct search_state *state)
{
    const uint64_t raised = state->request->flags;
    return raised != cat_flags_unspecified(state->request->cat, raised);
}

void search_end_races(struct search_state *state)
{
    if (!is_meaningless(state))
        return;
    state->exhausts = false;
    state->may_race = false;
}

uint64_t search_open_flags(const struct search_state *state, enum stage stage)
{
    const struct cat *cat = state->request->cat;
    const uint64_t raised = state->request->flags;
    if (state->request->only_sc || is_meaningless(state))
        return 0;
    const uint64_t open = cat_flags_possible(cat, state->values, state->execution.count, stage) & ~raised;
    return raised ? open & ~cat_flags_unspecified(cat, open) : open;
}

/* Sets the observed variables from number `from` on in every way and notes each. */
static void note_from(struct search_state *state, size_t from, int64_t *outcome, int check)
{
    if (from == state->test->variable_count) {
        note_one(state, outcome, check);
        return;
    }
    uint64_t finals = set_ending(state, from, state->variables[from].finals, outcome);
    if (!finals)
        note_from(state, from + 1, outcome, check);
    for (; finals && state->status == STATUS_OK; finals &= finals - 1) {
        state->variables[from].final = set_first(finals);
        search_set_last(state, from, set_first(finals), outcome);
        note_from(state, from + 1, outcome, check);
    }
}

void search_note(struct search_state *state, int check)
{
    int64_t outcome[LITMUS_MAXIMUM_VARIABLES];
    state->passes = false;
    if (check >= 0 && state->request->only_sc)
        return;
    note_from(state, 0, outcome, check);
}

bool search_note_any_final(struct search_state *state, int check, bool count)
{
    for (size_t i = 0; i < state->test->variable_count; i++)
        if (state->variables[i].slot < 0)
            state->variables[i].finals = state->variables[i].writes;
    if (count && !search_count(state))
        return false;
    search_note(state, check);
    return state->status == STATUS_OK;
}

void search_find_finals(struct search_state *state)
{
    const struct execution *execution = &state->execution;
    FOR_EACH(struct search_variable, variable, state->variables, state->test->variable_count) {
        if (variable->slot >= 0)
            continue;
        const uint64_t writes = variable->writes;
        variable->finals = 0;
        for (uint64_t rest = writes; rest; rest &= rest - 1)
            if (!(execution->co.row[set_first(rest)] & writes))
                variable->finals |= set_of(set_first(rest));
    }
}
