// SPDX-License-Identifier: Apache-2.0
/* The search through all candidates: its start, its bounds, and what it has found. */
#include "models/search/search.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "models/search/enumerate.h"

/* ---- the outcomes found so far, by their values ---- */

static size_t slot_of(const struct findings *findings, const int64_t *values)
{
    uint64_t hash = UINT64_C(0x9e3779b97f4a7c15);
    for (size_t i = 0; i < findings->test->variable_count; i++) {
        hash = (hash ^ (uint64_t)values[i]) * UINT64_C(0xbf58476d1ce4e5b9);
        hash ^= hash >> 29;
    }
    const size_t size = findings->test->variable_count * sizeof *values;
    size_t slot = (size_t)hash & (findings->table_size - 1);
    while (findings->table[slot] && size > 0 &&
           memcmp(findings->items[findings->table[slot] - 1].values, values, size) != 0)
        slot = (slot + 1) & (findings->table_size - 1);
    return slot;
}

static void grow_table(struct findings *findings)
{
    free(findings->table);
    findings->table_size = findings->table_size ? 2 * findings->table_size : 64;
    findings->table = memory_take(findings->table_size, sizeof *findings->table);
    for (size_t i = 0; i < findings->count; i++)
        findings->table[slot_of(findings, findings->items[i].values)] = i + 1;
}

struct search_finding *findings_find(const struct findings *findings, const int64_t *values)
{
    const size_t slot = findings->table_size ? slot_of(findings, values) : 0;
    return findings->table_size && findings->table[slot] ? &findings->items[findings->table[slot] - 1] : NULL;
}

struct search_finding *findings_get(struct findings *findings, const int64_t *values)
{
    if (2 * (findings->count + 1) > findings->table_size)
        grow_table(findings);
    const size_t slot = slot_of(findings, values);
    if (findings->table[slot])
        return &findings->items[findings->table[slot] - 1];
    if (findings->count == ENUMERATE_MAXIMUM_OUTCOMES)
        return NULL;
    const size_t count = findings->test->variable_count;
    struct search_finding *found = &LIST_ADD(findings->items, findings->count, findings->room);
    *found = (struct search_finding){.values = arena_take(&findings->arena, count, sizeof *values), .rank = -1};
    memcpy(found->values, values, count * sizeof *values);
    findings->table[slot] = findings->count;
    return found;
}

void findings_release(struct findings *findings)
{
    arena_release(&findings->arena);
    free(findings->items);
    free(findings->table);
    *findings = (struct findings){0};
}

/* The most choices of a search that does not prune, per candidate that it may make. */
enum { STEPS_PER_CANDIDATE = 20 };

/* Steps between two looks at the clock. */
enum { LOOKED_AT_CLOCK = 64 };

bool search_count(struct search_state *state)
{
    const uint64_t maximum = state->enumeration->options.maximum_candidates, count = ++state->result->candidates;
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

/* The number of the first path to try for a thread: threads that can be exchanged take their paths
 * in order. */
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

static enum status search_once(const struct search_request *request, bool prunes, bool *full,
                               struct search_result *result)
{
    struct search_state *state = memory_take(1, sizeof *state);
    state->request = request;
    state->enumeration = request->enumeration;
    state->test = request->enumeration->test;
    state->result = result;
    state->prunes = prunes;
    state->values = cat_values_new(request->cat);
    state->uses_dependencies =
        cat_uses(request->cat, "addr") || cat_uses(request->cat, "data") || cat_uses(request->cat, "ctrl");
    state->uses_fences = cat_uses(request->cat, "sync_fence");
    state->spare = arena_take(&state->arena, state->enumeration->thread_count, sizeof *state->spare);
    search_find_variables(state);
    (void)choose_paths(state, 0);
    *full = state->full;
    const enum status status = state->status;
    cat_values_release(state->values);
    arena_release(&state->arena);
    free(state);
    return status;
}

enum status search(const struct search_request *request, struct search_result *result)
{
    bool full = request->only_sc;
    *result = (struct search_result){0};
    if (!request->only_sc)
        TRY(search_once(request, false, &full, result));
    return full ? search_once(request, true, &full, result) : STATUS_OK;
}
