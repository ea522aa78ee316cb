// SPDX-License-Identifier: Apache-2.0
/* What a model says about sketches, asked once for each. */
#ifndef ORCHIL_CATALOGUE_SYNTHESIS_ORACLE_H
#define ORCHIL_CATALOGUE_SYNTHESIS_ORACLE_H

#include "base/arena.h"
#include "base/hash_index.h"
#include "catalogue/synthesis/sketch.h"
#include "models/models.h"

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

/* Asks the model. The answer lives in the arena. */
struct oracle_answer oracle_ask(struct oracle *oracle, const struct sketch *sketch, struct arena *arena);

/* Does the model forbid every outcome of the sketch that matches? Remembers what it asked. */
bool oracle_forbids(struct oracle *oracle, const struct sketch *sketch, const struct outcome *outcome);

void oracle_release(struct oracle *oracle);

#endif
