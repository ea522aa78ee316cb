// SPDX-License-Identifier: Apache-2.0
/*
 * Data flow over the paths of an item. A wave waits for its own operations only, with a
 * counter for each kind, and operations of a kind complete in the order in which they were begun, so
 * that a wait until at most N are pending completes all but the last N. Flat operations and
 * operations on different counters have no order (as in LLVM's SIInsertWaitcnts.cpp).
 *
 * The paths are those of one item: a wave also runs what other items need, with more waits.
 */
#include "inspect/amdgcn/amdgcn_flow.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum { ALL_LEVELS = AMDGCN_GROUP | AMDGCN_AGENT | AMDGCN_SYSTEM | AMDGCN_FAR, MOST_AFTER = 200 };

static uint8_t smaller(uint8_t a, uint8_t b)
{
    return a < b ? a : b;
}

/* ---- one instruction ---- */

static void begin(const struct amdgcn_instruction *opcode, struct amdgcn_state *state)
{
    const bool writes = opcode->effect == MACHINE_STORE || opcode->effect == MACHINE_UPDATE;
    *state = (struct amdgcn_state){.reached = true,
                                   .pending = (uint8_t)opcode->counters,
                                   .unwritten = writes ? ALL_LEVELS : 0,
                                   .stale = opcode->effect == MACHINE_STORE ? 0 : ALL_LEVELS};
}

/* Another operation begins. Scalar loads and flat operations complete in any order, so they say
 * nothing of those before them. */
static void count(const struct amdgcn_instruction *opcode, unsigned write_back_counter, struct amdgcn_state *state)
{
    if (opcode->is_flat)
        return;
    for (unsigned c = 0; c < AMDGCN_COUNTER_COUNT; c++)
        if (c != AMDGCN_SCALAR && (opcode->counters & 1u << c) && state->after[c] < MOST_AFTER)
            state->after[c]++;
    if ((opcode->counters & 1u << write_back_counter) && state->writing_after < MOST_AFTER)
        state->writing_after++;
}

static void wait(const struct amdgcn_instruction *opcode, bool is_flat, unsigned write_back_counter,
                 struct amdgcn_state *state)
{
    for (unsigned c = 0; c < AMDGCN_COUNTER_COUNT; c++)
        if (opcode->waits[c] == 0 ||
            (opcode->waits[c] != AMDGCN_NO_WAIT && !is_flat && state->after[c] >= opcode->waits[c]))
            state->pending &= (uint8_t) ~(1u << c);
    if (opcode->waits[write_back_counter] != AMDGCN_NO_WAIT &&
        state->writing_after >= opcode->waits[write_back_counter])
        state->writing = 0;
}

static void write_back(unsigned levels, struct amdgcn_state *state)
{
    const uint8_t begun = (uint8_t)(state->unwritten & levels);
    state->unwritten &= (uint8_t)~levels;
    state->writing |= begun;
    if (begun)
        state->writing_after = 0;
}

/* The near cache counts for the system only after the far one. */
static void invalidate(unsigned levels, struct amdgcn_state *state)
{
    state->stale &= (uint8_t)~levels;
    if ((levels & AMDGCN_AGENT) && !(state->stale & AMDGCN_FAR))
        state->stale &= (uint8_t)~AMDGCN_SYSTEM;
}

struct amdgcn_solver {
    const struct amdgcn_generation *generation;
    const bool *fresh;
    struct amdgcn_flow_states *flow;
};

/* Changes the states of all objects from before an instruction to after it. An access begins only for
 * an item that takes part. */
static void step_over(const struct amdgcn_solver *solver, size_t at, bool takes_part, struct amdgcn_state *states)
{
    const struct amdgcn_flow_states *flow = solver->flow;
    const struct amdgcn_generation *generation = solver->generation;
    const struct amdgcn_instruction *opcode = &flow->opcodes[at];
    const unsigned write_back_counter = generation->splits_counts ? AMDGCN_STORES : AMDGCN_VECTOR;
    const unsigned back = amdgcn_reached(generation->writes_back, opcode->cache, opcode->modifiers);
    const unsigned invalid = amdgcn_reached(generation->invalidates, opcode->cache, opcode->modifiers);
    for (size_t o = 0; o < flow->object_count; o++) {
        struct amdgcn_state *state = &states[o];
        const struct amdgcn_instruction *own = &flow->opcodes[flow->objects[o].instruction];
        if (solver->fresh[at])
            *state = (struct amdgcn_state){0};
        if (flow->objects[o].instruction == at && takes_part) {
            begin(opcode, state);
            continue;
        }
        if (!state->reached)
            continue;
        if (opcode->counters)
            count(opcode, write_back_counter, state);
        wait(opcode, own->is_flat, write_back_counter, state);
        if (opcode->cache != AMDGCN_NO_CACHE && back)
            write_back(back, state);
        if (opcode->cache != AMDGCN_NO_CACHE && invalid && (state->pending & ~(1u << AMDGCN_LOCAL)) == 0)
            invalidate(invalid, state);
    }
}

/* ---- joins ---- */

/* Adds what may be true on another path; whether that changes anything. */
static bool join(struct amdgcn_state *state, const struct amdgcn_state *other)
{
    const struct amdgcn_state before = *state;
    if (!other->reached)
        return false;
    if (!state->reached) {
        *state = *other;
        return true;
    }
    for (unsigned c = 0; c < AMDGCN_COUNTER_COUNT; c++)
        if (other->pending & 1u << c)
            state->after[c] = state->pending & 1u << c ? smaller(state->after[c], other->after[c]) : other->after[c];
    if (other->writing)
        state->writing_after =
            state->writing ? smaller(state->writing_after, other->writing_after) : other->writing_after;
    state->pending |= other->pending;
    state->unwritten |= other->unwritten;
    state->writing |= other->writing;
    state->stale |= other->stale;
    return memcmp(&before, state, sizeof before) != 0;
}

/* Joins the states into those before a node; whether these changed. */
static bool join_all(size_t count, struct amdgcn_state *into, const struct amdgcn_state *states)
{
    bool changed = false;
    for (size_t o = 0; o < count; o++)
        changed |= join(&into[o], &states[o]);
    return changed;
}

/* Follows the paths until no state changes. Nodes wait on a stack. */
static void solve(const struct amdgcn_solver *solver, const struct path_graph *graph, struct amdgcn_state *before)
{
    const size_t objects = solver->flow->object_count;
    struct amdgcn_state *after = memory_take(objects, sizeof *after);
    size_t *stack = memory_take(graph->count + 1, sizeof *stack), count = 0;
    bool *waits = memory_take(graph->count, sizeof *waits);
    for (size_t node = 0; node < graph->count; node++) {
        stack[count++] = node;
        waits[node] = true;
    }
    while (count > 0) {
        const struct path_node *node = &graph->nodes[stack[--count]];
        waits[stack[count]] = false;
        memcpy(after, before + stack[count] * objects, objects * sizeof *after);
        step_over(solver, node->at, node->takes_part, after);
        for (size_t i = 0; i < node->next_count; i++)
            if (join_all(objects, before + node->next[i] * objects, after) && !waits[node->next[i]]) {
                waits[node->next[i]] = true;
                stack[count++] = node->next[i];
            }
    }
    free(after);
    free(stack);
    free(waits);
}

void amdgcn_flow_states(const struct listing *listing, const struct path_graph *graph, const bool *fresh,
                        struct arena *arena, struct amdgcn_flow_states *flow)
{
    const struct amdgcn_solver solver = {amdgcn_generation_of(listing->architecture), fresh, flow};
    flow->states = arena_take(arena, listing->count * flow->object_count + 1, sizeof *flow->states);
    if (flow->object_count == 0)
        return;
    struct amdgcn_state *before = memory_take(graph->count * flow->object_count, sizeof *before);
    solve(&solver, graph, before);
    for (size_t node = 0; node < graph->count; node++)
        if (graph->nodes[node].takes_part)
            (void)join_all(flow->object_count, flow->states + graph->nodes[node].at * flow->object_count,
                           before + node * flow->object_count);
    free(before);
}
