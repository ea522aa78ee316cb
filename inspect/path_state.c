// SPDX-License-Identifier: Apache-2.0
/* What is known of the predicates of an item. */
#include "inspect/path_state.h"

uint64_t path_bit(unsigned name)
{
    return name >= 1 && name < MACHINE_MASK_TRUE ? (uint64_t)1 << (name - 1) : 0;
}

bool path_assume(struct path_state *state, unsigned guard, bool value)
{
    const uint64_t bit = path_bit(guard);
    if ((state->known & bit) && !(state->values & bit) == value)
        return false;
    state->known |= bit;
    state->values = value ? state->values | bit : state->values & ~bit;
    return true;
}

/* The value of a predicate, or of what stands for one: 1, 0, or -1 if it is not known. */
static int mask_value(const struct path_state *state, unsigned name)
{
    if (name >= MACHINE_MASK_TRUE)
        return name == MACHINE_MASK_TRUE ? 1 : name == MACHINE_MASK_FALSE ? 0 : -1;
    const uint64_t bit = path_bit(name);
    return state->known & bit ? (state->values & bit) != 0 : -1;
}

static int mask_invert(int value)
{
    return value < 0 ? value : !value;
}

static int mask_and(int a, int b)
{
    return a == 0 || b == 0 ? 0 : a < 0 || b < 0 ? -1 : 1;
}

static int mask_result(const struct path_state *state, const struct machine_mask *mask)
{
    const int a = mask_value(state, mask->left), b = mask_value(state, mask->right);
    switch (mask->operation) {
    case MACHINE_MASK_MOVE:
        return a;
    case MACHINE_MASK_NOT:
        return mask_invert(a);
    case MACHINE_MASK_AND:
        return mask_and(a, b);
    case MACHINE_MASK_OR:
        return mask_invert(mask_and(mask_invert(a), mask_invert(b)));
    case MACHINE_MASK_XOR:
        return a < 0 || b < 0 ? -1 : a != b;
    case MACHINE_MASK_AND_NOT:
        return mask_and(a, mask_invert(b));
    case MACHINE_MASK_OR_NOT:
        return mask_invert(mask_and(mask_invert(a), b));
    case MACHINE_MASK_NONE:
        break;
    }
    return -1;
}

void path_set(struct path_state *state, unsigned predicate, int value)
{
    const uint64_t bit = path_bit(predicate);
    state->known = value < 0 ? state->known & ~bit : state->known | bit;
    state->values = value > 0 ? state->values | bit : state->values & ~bit;
}

/* Whether the instruction changes a predicate. */
static bool changes(const struct machine_instruction *instruction, unsigned predicate)
{
    return (instruction->writes & path_bit(predicate)) || instruction->masks[0].to == predicate ||
           instruction->masks[1].to == predicate;
}

/* Records what a result says of an operand that was not known, given the other: that of
 * `exec & ~mask` says the mask's value for an item that took part. */
static void refine(const struct machine_instruction *instruction, const struct machine_mask *mask,
                   const struct path_state *before, int result, struct path_state *state)
{
    const int left = mask_value(before, mask->left), right = mask_value(before, mask->right);
    for (int left_side = 0; left_side < 2; left_side++) {
        const unsigned name = left_side ? mask->left : mask->right;
        if (name >= MACHINE_MASK_TRUE || (left_side ? left : right) >= 0 || changes(instruction, name))
            continue;
        for (int guess = 0; guess < 2; guess++) { /* the other value cannot give this result */
            struct path_state other = *before;
            path_set(&other, name, !guess);
            const int excluded = mask_result(&other, mask);
            if (excluded >= 0 && excluded != result)
                path_set(state, name, guess);
        }
    }
}

bool path_change(const struct listing *listing, const struct machine_instruction *instruction, struct path_state *state,
                 struct path_state *other)
{
    const struct path_state before = *state;
    bool forks = false;
    state->known &= ~instruction->writes;
    for (size_t i = 0; i < 2; i++) {
        const struct machine_mask *mask = &instruction->masks[i];
        if (mask->operation == MACHINE_MASK_NONE)
            continue;
        const int value = mask_result(&before, mask);
        forks |= mask->to == listing->active && value < 0;
        path_set(state, mask->to, value);
    }
    *other = *state;
    if (forks) {
        path_set(state, listing->active, 1);
        path_set(other, listing->active, 0);
        for (size_t i = 0; i < 2; i++)
            if (instruction->masks[i].operation != MACHINE_MASK_NONE && instruction->masks[i].to == listing->active) {
                refine(instruction, &instruction->masks[i], &before, 1, state);
                refine(instruction, &instruction->masks[i], &before, 0, other);
            }
    }
    return forks;
}

/* Whether a branch depends on the item's own predicate on this path, and not only on those of others. */
static bool path_guard_tells(const struct machine_instruction *instruction, const struct path_state *state)
{
    return instruction->guard_within == 0 || mask_value(state, instruction->guard_within) == 1;
}

size_t path_next(const struct machine_instruction *instruction, const struct path_state *state,
                 struct path_state next[2])
{
    const bool tells = instruction->predicated && path_guard_tells(instruction, state);
    size_t count = 0;
    if (instruction->branch != MACHINE_NO_NEXT) {
        next[count] = *state;
        next[count].at = (size_t)instruction->branch;
        count += !tells || path_assume(&next[count], instruction->guard, instruction->guard_value);
    }
    if (instruction->next != MACHINE_NO_NEXT) {
        next[count] = *state;
        next[count].at = (size_t)instruction->next;
        count += instruction->branch == MACHINE_NO_NEXT || !tells ||
                 path_assume(&next[count], instruction->guard, !instruction->guard_value);
    }
    return count;
}

/* The predicates whose values matter before an instruction, given those that matter after it. */
static uint64_t live_before(const struct machine_instruction *instruction, uint64_t live)
{
    uint64_t uses = path_bit(instruction->guard) | path_bit(instruction->guard_within);
    const uint64_t after = live;
    live &= ~instruction->writes;
    for (size_t i = 0; i < 2; i++)
        if (instruction->masks[i].operation != MACHINE_MASK_NONE) {
            const uint64_t to = path_bit(instruction->masks[i].to);
            live &= ~to;
            if (after & to)
                uses |= path_bit(instruction->masks[i].left) | path_bit(instruction->masks[i].right);
        }
    return live | uses;
}

void path_find_live(const struct listing *listing, uint64_t *live)
{
    const uint64_t always = path_bit(listing->active);
    for (bool again = true; again;) {
        again = false;
        for (size_t i = listing->count; i > 0; i--) {
            const struct machine_instruction *instruction = &listing->instructions[i - 1];
            uint64_t after = 0;
            if (instruction->next != MACHINE_NO_NEXT)
                after |= live[instruction->next];
            if (instruction->branch != MACHINE_NO_NEXT)
                after |= live[instruction->branch];
            const uint64_t before = live_before(instruction, after) | always;
            again |= before != live[i - 1];
            live[i - 1] = before;
        }
    }
}
