// SPDX-License-Identifier: Apache-2.0
/* The parts of a model. Private to this room. */
#ifndef ORCHIL_MODELS_MODEL_H
#define ORCHIL_MODELS_MODEL_H

#include "base/hash.h"
#include "models/cat/cat.h"
#include "models/models.h"

struct model {
    char *id;
    char hash[HASH_HEX_SIZE];
    struct cat *cat;
    struct cat *sc; /* sequential consistency, which distinguishes `sc` from `weak` */
};

#endif
