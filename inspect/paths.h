// SPDX-License-Identifier: Apache-2.0
/* Paths through a listing. */
#ifndef ORCHIL_INSPECT_PATHS_H
#define ORCHIL_INSPECT_PATHS_H

#include "inspect/compare.h"

/*
 * Fills code->pairs. action_at: per instruction, the action that it is, or -1. outside: it is a
 * branch of the kernel, outside the threads' code. meeting: it is a barrier of the kernel, where all
 * threads have ended.
 */
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

/* Fills the paths of one item of a wave, in the arena. Where a branch depends on which items take
 * part, this item goes where its own predicate says. leaves: per instruction, whether a path leaves the
 * body there. The listing must have an active predicate. */
void paths_make_graph(const struct inspect_subject *subject, const bool *leaves, struct arena *arena,
                      struct path_graph *graph);

#endif
