// SPDX-License-Identifier: Apache-2.0
/* All states that a program reaches, and the cycles among them in which a scheduler keeps its promise. */
#pragma once

#include "base/hash_index.h"
#include "models/termination/machine.h"
#include "models/termination/termination.h"

struct graph_edge {
    uint32_t from, to;
    struct machine_step step;
};

struct state_graph {
    struct machine *machine;
    int64_t *states; /* machine->state_words each; number 0 is the first */
    size_t state_count, state_room;
    struct hash_index by_state;
    struct graph_edge *edges; /* in order of `from` */
    size_t edge_count, edge_room;
    size_t *first_edges;  /* of each state, and the number of all edges after the last */
    uint32_t *components; /* of each state: equal numbers are strongly connected */
    size_t component_count;
    uint32_t from; /* the state that is being left */
};

/* False, and machine->reason, if there are too many states or a step cannot be followed. The caller calls
 * state_graph_release in any case. */
bool state_graph_make(struct state_graph *graph, struct machine *machine);
void state_graph_release(struct state_graph *graph);

const int64_t *graph_state(const struct state_graph *graph, size_t number);

/* The first state, in order of distance, from which the program need not end, or SIZE_MAX: no unit can take a step
 * there, though some have not ended (*waits), or its component has a cycle in which the scheduler keeps its promise. */
size_t graph_find_endless(const struct state_graph *graph, enum scheduler scheduler, bool *waits);

/* Edges as numbers; the caller frees `edges`. */
struct graph_path {
    size_t *edges;
    size_t count, room;
};

/* The shortest way from the first state to this one. */
void graph_find_way(const struct state_graph *graph, size_t state, struct graph_path *path);

/* Adds a cycle from this state, of graph_find_endless, back to it in which the scheduler keeps its promise. */
void graph_find_cycle(const struct state_graph *graph, enum scheduler scheduler, size_t state, struct graph_path *path);
