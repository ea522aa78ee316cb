// SPDX-License-Identifier: Apache-2.0
/* The parts of a model. */
#pragma once

#include "models/cat/cat.h"
#include "models/models.h"

struct model {
    char *id;
    char hash[HASH_HEX_SIZE];
    struct cat *cat;
    struct cat *sc; /* sequential consistency, which distinguishes `sc` from `weak` */
};

/* As model_load: the model of that name whose text is `content`, or the file of that path if it is NULL. */
enum status model_read(const char *name, const char *content, struct model **model, struct error *error);
