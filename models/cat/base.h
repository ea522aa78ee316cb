// SPDX-License-Identifier: Apache-2.0
/*
 * The names that a model may use without defining them: base sets and relations, after herd and Dat3M.
 * docs/reference/models.md lists them with their meanings.
 */
#ifndef ORCHIL_MODELS_CAT_BASE_H
#define ORCHIL_MODELS_CAT_BASE_H

#include <stddef.h>

#include "models/execution.h"

/* The steps in which the enumerator fixes an execution. Each operation of a model belongs to the
 * first stage at which all its operands are known. */
enum stage {
    STAGE_EVENTS,    /* events, po */
    STAGE_MEETINGS,  /* + who met at which barrier */
    STAGE_READS,     /* + rf, and what follows from it: values, and the dependencies */
    STAGE_FENCES,    /* + the order of sc fences */
    STAGE_COHERENCE, /* + co */
    STAGE_COUNT,
    STAGE_ORDERS = STAGE_COUNT /* + orders that a model chooses itself, without the enumerator
                                * (cat_evaluate.c) */
};

struct base {
    const char *name;
    enum stage stage;
    int argument;
    /* Exactly one of the two. */
    bool (*holds)(const struct event *event, int argument);
    void (*make)(const struct execution *execution, int argument, struct relation *result);
};

extern const struct base bases[];
extern const size_t base_count;

/* The index of a name of size bytes, or -1. */
int base_find(const char *name, size_t size);

/* Is it a set that can contain only writes? */
bool base_is_of_writes(const struct base *base);

/* The set's value. */
uint64_t base_set(const struct base *base, const struct execution *execution);

#endif
