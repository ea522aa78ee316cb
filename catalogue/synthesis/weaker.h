// SPDX-License-Identifier: Apache-2.0
/* What a test becomes when any one thing of it is weakened or taken away. */
#ifndef ORCHIL_CATALOGUE_SYNTHESIS_WEAKER_H
#define ORCHIL_CATALOGUE_SYNTHESIS_WEAKER_H

#include "catalogue/synthesis/strength.h"

enum weaker_kind {
    WEAKER_ACCESS,    /* its order, its scope or its dependency */
    WEAKER_FENCE,     /* the fence before the access */
    WEAKER_REMOVED,   /* the access is left out; a barrier, by all threads of the group */
    WEAKER_SPLIT,     /* a read-modify-write is a load and a store */
    WEAKER_PARTED,    /* a barrier is fences: its threads do not meet */
    WEAKER_SEPARATED, /* the access's thread is alone in its work-group */
    WEAKER_KINDS
};

struct weaker {
    struct sketch sketch;
    struct outcome outcome;
    enum weaker_kind kind;
    unsigned access; /* of the sketch as it was */
};

/* Calls take for each weaker form that the dialect can write. Ends early, and returns false, when take does. */
bool weaker_each(const struct strength_row *row, const struct sketch *sketch, const struct outcome *outcome,
                 bool (*take)(const struct weaker *weaker, void *context), void *context);

#endif
