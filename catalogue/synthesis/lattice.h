// SPDX-License-Identifier: Apache-2.0
/* Skeletons, what a model says about the strengths of one, and the weakest that forbid an outcome. */
#pragma once

#include "catalogue/synthesis/strength.h"

/* ---- skeletons: sketches whose strengths are not chosen yet ---- */

/* Calls take for each skeleton of exactly this many accesses within the bound, one of those that are equal up to
 * symmetry. Where the row has scopes, with each way to put its threads into groups; no group has all, unless it has a
 * barrier. Ends early when take returns false. */
void skeletons_each(unsigned accesses, const struct synthesis_bound *bound, const struct strength_row *row,
                    bool (*take)(const struct sketch *skeleton, void *context), void *context);

/* ---- what a model says about sketches, asked once for each ---- */

/* The outcomes that a model allows. */
struct oracle_answer {
    struct sketch sketch;
    bool any;                /* all of them: the program has no meaning, or the model cannot judge it */
    const uint32_t *allowed; /* their numbers */
    size_t count;
};

struct oracle {
    const struct model *model;
    enum litmus_dialect dialect;
    uint64_t judged, unjudged;
    struct arena arena;
    struct oracle_answer *answers; /* of the sketches that were remembered, normalised */
    size_t count;
    struct hash_index index;
};

/* Does the model forbid every outcome of the sketch that matches? Remembers what it asked. */
bool oracle_forbids(struct oracle *oracle, const struct sketch *sketch, const struct outcome *outcome);

void oracle_release(struct oracle *oracle);

/* A place where a strength is chosen: an access, or between two. */
struct lattice_slot {
    bool fence;
    unsigned access;
    size_t count;
    uint8_t levels[STRENGTH_MAXIMUM_LEVELS];
};

/* A program of the skeleton about which the model was asked, and what it allows: a bit for each outcome. */
struct lattice_program {
    struct sketch sketch;
    uint64_t *allowed;
};

struct lattice {
    const struct strength_row *row;
    const struct synthesis_bound *bound;
    struct oracle *oracle;
    struct sketch skeleton;
    struct lattice_slot slots[2 * SKETCH_MAXIMUM_ACCESSES];
    size_t slot_count;
    size_t outcomes, words; /* how many outcomes there are, and the words of 64 bits that hold them */
    uint64_t size;          /* programs within the bound */
    struct arena arena;
    struct lattice_program *asked;
    size_t *order; /* the same by number, those that settled something lately first */
    size_t count;
};

/* Asks the model about as many programs of the skeleton as are needed to know, with "what is stronger forbids no less",
 * the outcomes that each of them forbids. The caller releases the lattice's arena, also when it was stopped. False:
 * it was stopped. */
bool lattice_explore(struct lattice *lattice, bool (*stopped)(void *context), void *context);

/* Is the outcome forbidden by asked[at], and by no weaker program of the skeleton? */
bool lattice_is_weakest(const struct lattice *lattice, size_t at, size_t outcome);
