// SPDX-License-Identifier: Apache-2.0
/* What the accesses and fences of a model's sketches can be: a row for each model. Weaker forms of a sketch. */
#pragma once

#include "catalogue/synthesis/sketch.h"

/* Orders are bits: 1u << LITMUS_RELAXED. */
struct strength_row {
    const char *model; /* built-in name; NULL: the row of its dialect, for every other model */
    enum litmus_dialect dialect;
    unsigned loads, stores, updates, fences, barriers;
    bool scopes;       /* accesses and fences have a scope */
    bool dependencies; /* the model gives a meaning to dependencies */
    bool uneven;       /* what is stronger forbids less in places: the search asks about more programs */
    bool regions;      /* fences and barriers name the memory that they order: global, local or both */
    bool types;        /* a thread's plain and atomic accesses of one location need two types (OPENCL, C) */
};

/* The row of a model; of another model of that dialect, or of none (LITMUS_NONE: PTX). */
const struct strength_row *strength_row_of(const char *model, int dialect);

enum { STRENGTH_MAXIMUM_LEVELS = 64 };

/* What an access of this kind can be, from weak to strong: never one before a subset of it. Without dependencies,
 * unless `earlier` says that its thread has read before. Barriers that name memory name local memory only if `local`
 * says so. Returns their number. */
size_t strength_of_access(const struct strength_row *row, enum sketch_kind kind, bool earlier, bool local,
                          uint8_t levels[STRENGTH_MAXIMUM_LEVELS]);

/* The same of what may be between two accesses; the first is 0: no fence. */
size_t strength_of_fence(const struct strength_row *row, bool local, uint8_t levels[STRENGTH_MAXIMUM_LEVELS]);

/* Has the second all that the first has? */
static inline bool strength_is_within(uint8_t low, uint8_t high)
{
    return (low & ~high) == 0;
}

/* Can the model's dialect write the program? Where types matter, a thread cannot access one location both ways. */
bool strength_fits(const struct strength_row *row, const struct sketch *sketch);

/* The order of an access, of a fence. */
enum litmus_order strength_order(uint8_t strength);

enum strength_place { STRENGTH_ACCESS, STRENGTH_ACCESS_BESIDE_BARRIERS, STRENGTH_FENCE, STRENGTH_BARRIER };

/* The ordering that an access, a fence or a barrier of that order and scope has. */
struct litmus_ordering strength_ordering(enum litmus_dialect dialect, enum litmus_order order, enum litmus_scope scope,
                                         enum strength_place place);

/* The strength of an order: of an access of this kind, without a scope. */
uint8_t strength_of_order(enum litmus_order order, enum sketch_kind kind);
uint8_t strength_of_fence_order(enum litmus_order order);

/* The memory that the flags of a fence or a barrier name. */
uint8_t strength_of_flags(bool global, bool local);

/* ---- what a test becomes when any one thing of it is weakened or taken away ---- */

enum weaker_kind {
    WEAKER_ACCESS,    /* its order, its scope or its dependency */
    WEAKER_FENCE,     /* the fence before the access */
    WEAKER_REMOVED,   /* the access is left out; a barrier, by all threads of the group */
    WEAKER_SPLIT,     /* a read-modify-write is a load and a store */
    WEAKER_PARTED,    /* a barrier is fences: its threads do not meet */
    WEAKER_SEPARATED, /* the access's thread is alone in its work-group */
    WEAKER_KINDS
};

/* Starts as {0}. */
struct weaker {
    struct sketch sketch;
    struct outcome outcome;
    enum weaker_kind kind;
    unsigned access; /* of the sketch as it was */
    size_t next;     /* the number of the form to try next */
};

/* The next weaker form of a test that the dialect can write; false: there is none. */
bool weaker_next(const struct strength_row *row, const struct sketch *sketch, const struct outcome *outcome,
                 struct weaker *weaker);
