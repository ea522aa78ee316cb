// SPDX-License-Identifier: Apache-2.0
/* The search through all candidates, stage by stage. */
#include "models/search/search.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* Combinations of traces that are looked at for each candidate that may be: most come to nothing, at little cost. */
enum { COMBINATIONS = 8 };

/* Candidates that are made one by one before parts of their choices are asked. */
enum { UNPRUNED = 5000 };

/* Candidates, and combinations, between two looks at the clock. */
enum { LOOKED_AT_CLOCK = 256 };

/* Readings of one candidate's dependencies that are tried; if there are more, the last to be tried has none. */
enum { READINGS = 256 };

bool search_prunes(const struct search_state *state)
{
    return state->request->only_sc || state->result->candidates > UNPRUNED;
}

static bool is_over(struct search_state *state)
{
    if (!enumeration_is_over(state->enumeration))
        return false;
    state->status = STATUS_UNSUPPORTED;
    return true;
}

bool search_count(struct search_state *state)
{
    if (state->result->candidates % LOOKED_AT_CLOCK == 0 && is_over(state))
        return false;
    if (++state->result->candidates <= state->enumeration->options.maximum_candidates)
        return true;
    state->status = error_set(state->request->error, STATUS_LIMIT,
                              "the test has more than %llu candidate executions: no model can judge it",
                              (unsigned long long)state->enumeration->options.maximum_candidates);
    return false;
}

/* One line per event, each but the last with what leads to the next. */
static char *describe_offence(const struct search_state *state, int check)
{
    struct cat_step steps[CAT_MAXIMUM_STEPS_SHOWN];
    bool closed;
    struct text text = {0};
    const unsigned count =
        cat_offence(state->request->cat, state->values, check, state->execution.count, steps, &closed);
    for (unsigned i = 0; i < count; i++) {
        execution_print_event(&state->execution, steps[i].event, &text);
        const bool last = i + 1 == count;
        if (steps[i].relation)
            text_add(&text, "\n    %s%s%s", steps[i].relation, steps[i].inverted ? "^-1" : "",
                     last && closed ? ", back to the first" : "");
        text_add(&text, "\n");
    }
    char *cycle = arena_copy(&state->request->findings->arena, text_string(&text));
    text_release(&text);
    return cycle;
}

static void note_one(struct search_state *state, int check)
{
    const struct search_request *request = state->request;
    if (!litmus_passes_filter(state->test, state->outcome))
        return;
    struct found *found = findings_get(request->findings, state->outcome);
    if (!found) {
        state->status =
            error_set(request->error, STATUS_UNSUPPORTED, "the test has more than %d outcomes: no model can judge it",
                      ENUMERATE_MAXIMUM_OUTCOMES);
        return;
    }
    if (request->only_sc) {
        found->sc |= check < 0;
        return;
    }
    if (check < 0)
        found->consistent = true;
    if (check < 0 || found->consistent || cat_check_rank(request->cat, check) <= found->rank)
        return;
    found->rank = cat_check_rank(request->cat, check);
    found->axiom = cat_check_name(request->cat, check);
    if (request->explain)
        found->cycle = describe_offence(state, check);
}

/* Sets the observed variables from number `from` on in every way and notes each. */
static void note_from(struct search_state *state, size_t from, int check)
{
    const struct litmus_test *test = state->test;
    if (from == test->variable_count) {
        note_one(state, check);
        return;
    }
    const struct litmus_variable *observed = &test->variables[from];
    const struct search_variable *variable = &state->variables[from];
    if (variable->slot >= 0) {
        state->outcome[from] = state->chosen[variable->slot]->registers[observed->index];
        note_from(state, from + 1, check);
    } else if (variable->same_as >= 0) {
        state->outcome[from] = state->outcome[variable->same_as];
        note_from(state, from + 1, check);
    } else if (!variable->finals) {
        state->outcome[from] = location_initial(test, variable->storage, observed->element);
        note_from(state, from + 1, check);
    } else {
        for (uint64_t rest = variable->finals; rest && state->status == STATUS_OK; rest &= rest - 1) {
            state->outcome[from] =
                litmus_wrap(litmus_variable_type(test, observed), state->execution.events[set_first(rest)].value);
            note_from(state, from + 1, check);
        }
    }
}

void search_note(struct search_state *state, int check)
{
    if (check >= 0 && state->request->only_sc)
        return;
    note_from(state, 0, check);
}

bool search_note_any_final(struct search_state *state, int check, bool count)
{
    for (size_t i = 0; i < state->test->variable_count; i++)
        if (state->variables[i].slot < 0)
            state->variables[i].finals =
                search_writes_to(&state->execution, state->variables[i].storage, state->test->variables[i].element);
    if (count && !search_count(state))
        return false;
    search_note(state, check);
    return state->status == STATUS_OK;
}

bool search_stage(struct search_state *state, enum stage stage)
{
    const int check = cat_evaluate(state->request->cat, state->values, &state->execution, stage);
    if (check < 0)
        return true;
    (void)search_note_any_final(state, check, true);
    return false;
}

static bool order_all_fences(struct search_state *state);

/* The next reading of the traces' dependencies; false: all have been. */
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

/* Computes the stages up to that of reads with the present readings: the first check that fails, or -1; *out: the search
 * is over. */
static int evaluate_reading(struct search_state *state, bool *out)
{
    const struct cat *cat = state->request->cat;
    int check = -1;
    *out = !search_set_dependencies(state);
    for (int stage = STAGE_EVENTS; stage <= STAGE_READS && check < 0 && !*out; stage++)
        check = cat_evaluate(cat, state->values, &state->execution, (enum stage)stage);
    return check;
}

/* Tries the other readings of a candidate that its dependencies forbid, and goes on with the first that does not; *found:
 * there is one. False: the search is over. */
static bool try_readings(struct search_state *state, bool *found)
{
    bool out = false, on = true;
    for (state->tried = 0; !*found && !out && next_reading(state);)
        *found = evaluate_reading(state, &out) < 0;
    if (!*found && state->tried > READINGS) {
        state->without_dependencies = true;
        *found = evaluate_reading(state, &out) < 0;
        state->without_dependencies = false;
    }
    if (*found)
        on = order_all_fences(state);
    const bool changed = !out;
    memset(state->readings, 0, sizeof state->readings);
    if (changed && on)
        (void)evaluate_reading(state, &out);
    return !out && on;
}

/* With every read's source. A candidate that its dependencies forbid is tried with their other readings. */
static bool search_sources(struct search_state *state)
{
    const struct cat *cat = state->request->cat;
    const int check = cat_evaluate(cat, state->values, &state->execution, STAGE_READS);
    bool found = false;
    if (check < 0)
        return order_all_fences(state);
    if (state->uses_dependencies && cat_check_uses_dependencies(cat, check) && !try_readings(state, &found))
        return false;
    return found || search_note_any_final(state, check, true) || state->status == STATUS_OK;
}

static bool could_read(const struct event *read, const struct event *write)
{
    if (write->kind != EVENT_WRITE || write->storage != read->storage || write->element != read->element)
        return false;
    return write->value == read->value || write->size != read->size;
}

static bool is_last_read(const struct execution *execution, unsigned read)
{
    while (++read < execution->count)
        if (execution->events[read].kind == EVENT_READ)
            return false;
    return true;
}

/* False: with the sources so far some check fails whatever the other reads read; that is noted. Every read has a source,
 * so the outcomes are those of all candidates that are not looked at. */
static bool may_go_on(struct search_state *state)
{
    const struct cat *cat = state->request->cat;
    if (!search_prunes(state))
        return true;
    const int check = cat_evaluate_part(cat, state->values, &state->execution, STAGE_READS);
    if (check < 0 || (state->several_readings && cat_check_uses_dependencies(cat, check)))
        return true;
    (void)search_note_any_final(state, check, true);
    return false;
}

static bool choose_source(struct search_state *state, unsigned read)
{
    struct execution *execution = &state->execution;
    while (read < execution->count && execution->events[read].kind != EVENT_READ)
        read++;
    if (read == execution->count)
        return search_sources(state);
    for (unsigned write = 0; write < execution->count; write++) {
        if (!could_read(&execution->events[read], &execution->events[write]))
            continue;
        relation_add(&execution->rf, write, read);
        const bool on = is_last_read(execution, read) || may_go_on(state) ? choose_source(state, read + 1)
                                                                          : state->status == STATUS_OK;
        execution->rf.row[write] &= ~set_of(read);
        if (!on)
            return false;
    }
    return true;
}

bool search_reads(struct search_state *state)
{
    const struct execution *execution = &state->execution;
    for (unsigned read = 0; read < execution->count; read++) {
        bool found = execution->events[read].kind != EVENT_READ;
        for (unsigned write = 0; write < execution->count && !found; write++)
            found = could_read(&execution->events[read], &execution->events[write]);
        if (!found)
            return true; /* no candidate */
    }
    return choose_source(state, 0);
}

static bool is_sc_fence(const struct event *event)
{
    return event->kind == EVENT_FENCE && event->order == LITMUS_SEQ_CST;
}

/* Orders each pair of sc fences that include each other; `before` is transitive and holds po and the order so far. */
static bool order_fences(struct search_state *state, const struct relation *before, unsigned a, unsigned b)
{
    struct execution *execution = &state->execution;
    for (; a < execution->count; a++, b = a + 1)
        for (; b < execution->count; b++) {
            const struct event *p = &execution->events[a], *q = &execution->events[b];
            if (!is_sc_fence(p) || !is_sc_fence(q) || !execution_scope_includes(execution, p, q) ||
                !execution_scope_includes(execution, q, p))
                continue;
            for (int way = 0; way < 2; way++) {
                const unsigned first = way == 0 ? a : b, second = way == 0 ? b : a;
                if (relation_has(before, second, first))
                    continue;
                struct relation after = *before;
                relation_add(&after, first, second);
                relation_close(&after, &after, execution->count);
                relation_add(&execution->fence_sc, first, second);
                const bool on = order_fences(state, &after, a, b + 1);
                execution->fence_sc.row[first] &= ~set_of(second);
                if (!on)
                    return false;
            }
            return true;
        }
    return search_stage(state, STAGE_FENCES) ? search_coherence(state) : state->status == STATUS_OK;
}

static bool order_all_fences(struct search_state *state)
{
    if (!state->uses_fences)
        return search_stage(state, STAGE_FENCES) ? search_coherence(state) : state->status == STATUS_OK;
    const struct relation po = state->execution.po;
    return order_fences(state, &po, 0, 1);
}

static bool choose_traces(struct search_state *state, unsigned slot)
{
    if (slot == state->enumeration->thread_count)
        return search_build(state) ? search_meetings(state) : state->status == STATUS_OK;
    const struct traces *traces = &state->enumeration->traces[state->enumeration->threads[slot].body];
    for (size_t i = 0; i < traces->count; i++) {
        state->chosen[slot] = &traces->items[i];
        if (++state->combinations > COMBINATIONS * state->enumeration->options.maximum_candidates) {
            state->result->candidates = state->enumeration->options.maximum_candidates;
            return search_count(state);
        }
        if (state->combinations % LOOKED_AT_CLOCK == 0 && is_over(state))
            return false;
        if (search_may_have_sources(state, slot + 1) && !choose_traces(state, slot + 1))
            return false;
    }
    return true;
}

static void find_variables(struct search_state *state)
{
    const struct litmus_test *test = state->test;
    for (size_t i = 0; i < test->variable_count; i++) {
        const struct litmus_variable *observed = &test->variables[i];
        struct search_variable *variable = &state->variables[i];
        *variable = (struct search_variable){.slot = -1, .storage = LITMUS_NONE, .same_as = -1};
        for (unsigned t = 0; observed->thread != LITMUS_NONE && t < state->enumeration->thread_count; t++)
            if (state->enumeration->threads[t].number == observed->thread)
                variable->slot = (int)t;
        if (observed->thread != LITMUS_NONE)
            continue;
        variable->storage = location_storage(test, observed->index);
        for (size_t k = 0; k < i; k++)
            if (state->variables[k].storage == variable->storage && test->variables[k].element == observed->element)
                variable->same_as = (int)k;
    }
}

enum status search(const struct search_request *request, struct search_result *result)
{
    *result = (struct search_result){0};
    const size_t variables = request->enumeration->test->variable_count;
    struct search_state *state = memory_take(1, sizeof *state);
    state->request = request;
    state->enumeration = request->enumeration;
    state->test = request->enumeration->test;
    state->result = result;
    state->values = cat_values_new(request->cat);
    state->variables = arena_take(&state->arena, variables, sizeof *state->variables);
    state->outcome = arena_take(&state->arena, variables, sizeof *state->outcome);
    state->uses_dependencies =
        cat_uses(request->cat, "addr") || cat_uses(request->cat, "data") || cat_uses(request->cat, "ctrl");
    state->uses_fences = cat_uses(request->cat, "sync_fence");
    search_list_writes(state);
    find_variables(state);
    (void)choose_traces(state, 0);
    const enum status status = state->status;
    cat_values_release(state->values);
    arena_release(&state->arena);
    free(state);
    return status;
}
