// SPDX-License-Identifier: Apache-2.0
/* Paths through a listing. */
#pragma once

#include "inspect/compare.h"

/* ---- the predicates of an item ---- */

/* The position of a path, and the predicates known on it. */
struct path_state {
    size_t at;
    uint64_t known, values; /* bit p - 1: predicate p is known, and its value */
    bool leaves, passes;    /* as in struct code_pair */
};

/* Makes a predicate 1, 0, or -1: not known. */
void path_set(struct path_state *state, unsigned predicate, int value);

/* Changes the predicates of a path as the instruction does. Where it becomes unknown whether the item takes part, or
 * whether it takes the branch that comes next, the path becomes two: *other is the second, in which it does not.
 * Returns whether there is a second. */
bool path_change(const struct listing *listing, const struct machine_instruction *instruction, struct path_state *state,
                 struct path_state *other);

/* The states after an instruction and its jump, given the predicates after it; returns how many. */
size_t path_next(const struct machine_instruction *instruction, const struct path_state *state,
                 struct path_state next[2]);

/* The bit of a predicate in a state; 0 if the name is none. */
uint64_t path_bit(unsigned name);

/* Fills code->pairs. action_at: per instruction, the action that it is, or -1. outside: it is a branch of the kernel,
 * outside the threads' code. meeting: it is a barrier of the kernel, where all threads have ended. */
void find_pairs(struct body_code *code, const long *action_at, const bool *outside, const bool *meeting);

enum { PATHS_MAXIMUM_NEXT = 4 };

/* An instruction as one item passes it, with what is known of its masks. */
struct path_node {
    size_t at;       /* the instruction */
    bool takes_part; /* or it may */
    size_t next[PATHS_MAXIMUM_NEXT];
    size_t next_count;
};

struct path_graph {
    struct path_node *nodes;
    size_t count;
};

/* Fills the paths of one item of a wave, in the arena. Where a branch depends on which items take part, this item goes
 * where its own predicate says. leaves: per instruction, whether a path leaves the body there. The listing must have an
 * active predicate. */
void paths_make_graph(const struct inspect_subject *subject, const bool *leaves, struct arena *arena,
                      struct path_graph *graph);
