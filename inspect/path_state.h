// SPDX-License-Identifier: Apache-2.0
/* The predicates of an item on a path through a listing. */
#ifndef ORCHIL_INSPECT_PATH_STATE_H
#define ORCHIL_INSPECT_PATH_STATE_H

#include "inspect/listing.h"

/* The position of a path, and the predicates known on it. */
struct path_state {
    size_t at;
    uint64_t known, values; /* bit p - 1: predicate p is known, and its value */
    bool leaves;
};

/* Assumes that a predicate has a value, and records this in the state; false if it is known to have
 * the other. */
bool path_assume(struct path_state *state, unsigned guard, bool value);

/* Makes a predicate 1, 0, or -1: not known. */
void path_set(struct path_state *state, unsigned predicate, int value);

/* Changes the predicates of a path as the instruction does. Where it becomes unknown whether the item
 * takes part, the path becomes two: *other is the second, in which it does not. Returns whether there
 * is a second. */
bool path_change(const struct listing *listing, const struct machine_instruction *instruction, struct path_state *state,
                 struct path_state *other);

/* The states after an instruction and its jump, given the predicates after it; returns how many. */
size_t path_next(const struct machine_instruction *instruction, const struct path_state *state,
                 struct path_state next[2]);

/* The bit of a predicate in a state; 0 if the name is none. */
uint64_t path_bit(unsigned name);

/* Fills, per instruction, the predicates whose values matter from there on. */
void path_find_live(const struct listing *listing, uint64_t *live);

#endif
