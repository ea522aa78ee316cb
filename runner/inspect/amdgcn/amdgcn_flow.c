// SPDX-License-Identifier: Apache-2.0
/*
 * Data flow over the control flow of a wave. A wave waits for its own operations only, with a
 * counter for each kind, and operations of a kind complete in the order in which they were begun, so
 * that a wait until at most N are pending completes all but the last N. Flat operations and
 * operations on different counters have no order (as in LLVM's SIInsertWaitcnts.cpp).
 *
 * A wave runs both sides of a branch that its items take differently, one side after the other. So
 * states do not depend on the items' masks.
 */
#include "runner/inspect/amdgcn/amdgcn_flow.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum { ALL_LEVELS = AMDGCN_GROUP | AMDGCN_AGENT | AMDGCN_SYSTEM, MOST_AFTER = 200 };

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
        if (opcode->waits[c] == 0 || (opcode->waits[c] != AMDGCN_NO_WAIT && !is_flat && state->after[c] >= opcode->waits[c]))
            state->pending &= (uint8_t)~(1u << c);
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

struct amdgcn_solver {
    const struct listing *listing;
    const struct amdgcn_generation *generation;
    const bool *fresh;
    struct amdgcn_flow_states *flow;
};

/* Changes the states of all objects from before an instruction to after it. */
static void step_over(const struct amdgcn_solver *solver, size_t at, struct amdgcn_state *states)
{
    const struct amdgcn_flow_states *flow = solver->flow;
    const struct amdgcn_generation *generation = solver->generation;
    const struct amdgcn_instruction *opcode = &flow->opcodes[at];
    const unsigned write_back_counter = generation->splits_counts ? AMDGCN_STORES : AMDGCN_VECTOR;
    const unsigned back = amdgcn_cache_reached(generation->writes_back, opcode->cache, opcode->modifiers);
    const unsigned invalid = amdgcn_cache_reached(generation->invalidates, opcode->cache, opcode->modifiers);
    for (size_t o = 0; o < flow->object_count; o++) {
        struct amdgcn_state *state = &states[o];
        const struct amdgcn_instruction *own = &flow->opcodes[flow->objects[o].instruction];
        if (solver->fresh[at])
            *state = (struct amdgcn_state){0};
        if (flow->objects[o].instruction == at) {
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
        if (opcode->cache != AMDGCN_NO_CACHE && invalid && state->pending == 0)
            state->stale &= (uint8_t)~invalid;
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

/* Joins the states into those before an instruction; whether these changed. */
static bool join_all(struct amdgcn_flow_states *flow, long to, const struct amdgcn_state *states)
{
    bool changed = false;
    for (size_t o = 0; to != MACHINE_NO_NEXT && o < flow->object_count; o++)
        changed |= join(&flow->states[(size_t)to * flow->object_count + o], &states[o]);
    return changed;
}

void amdgcn_flow_states(const struct listing *listing, const bool *fresh, struct arena *arena,
                        struct amdgcn_flow_states *flow)
{
    const struct amdgcn_solver solver = {listing, amdgcn_generation_of(listing->architecture), fresh, flow};
    struct amdgcn_state *after = memory_take(flow->object_count + 1, sizeof *after);
    bool again = flow->object_count > 0;
    flow->states = arena_take(arena, listing->count * flow->object_count + 1, sizeof *flow->states);
    while (again) {
        again = false;
        for (size_t i = 0; i < listing->count; i++) {
            const struct machine_instruction *instruction = &listing->instructions[i];
            memcpy(after, &flow->states[i * flow->object_count], flow->object_count * sizeof *after);
            step_over(&solver, i, after);
            const bool next = join_all(flow, instruction->next, after);
            const bool branch = join_all(flow, instruction->branch, after);
            again |= branch && instruction->branch <= (long)i;
            (void)next; /* the next instruction is visited in this pass */
        }
    }
    free(after);
}
