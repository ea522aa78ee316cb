// SPDX-License-Identifier: Apache-2.0
/* A test as the steps of its threads, for nearest.c to compare. Private to this folder. */
#ifndef ORCHIL_CATALOGUE_SHAPE_H
#define ORCHIL_CATALOGUE_SHAPE_H

#include "catalogue/nearest.h"

enum step_kind {
    STEP_READ,
    STEP_WRITE,
    STEP_UPDATE,
    STEP_BARRIER,
    STEP_COPY_FROM, /* of a copy, one step for each of its locations */
    STEP_COPY_TO,
    STEP_COPY_TELLS,
    STEP_GROUP,
    STEP_OPENS,
    STEP_CLOSES
};

enum dependency { ON_ADDRESS = 1, ON_DATA = 2, ON_CONTROL = 4 };

/* An access, a barrier, or the beginning or end of a block, with the fence before it. */
struct step {
    enum step_kind kind;
    int location; /* or LITMUS_NONE: by a register */
    enum litmus_order order, fence_order;
    enum litmus_scope scope, fence_scope;
    enum litmus_operation operation;
    bool fence;
    const struct litmus_fence *proxy_fence; /* the fence, if it is of a proxy or restricted */
    unsigned depends;                       /* bits of enum dependency: which parts depend on a register */
    int target;                             /* the register that the value goes to, or LITMUS_NONE */
    const struct litmus_barrier *barrier;   /* BARRIER */
    const struct litmus_copy *copy;         /* COPY_TO */
    const struct litmus_group *group;       /* GROUP */
    const struct litmus_access *access;     /* READ, WRITE, UPDATE */
    const struct litmus_vector *vector;     /* the same, of several words; else NULL */
};

enum { MAXIMUM_STEPS = 48, MAXIMUM_LOCATIONS = 16 };

struct shape {
    const struct litmus_test *test;
    size_t threads, counts[NEAREST_THREADS];
    struct step steps[NEAREST_THREADS][MAXIMUM_STEPS];
    bool fits;
};

/* The shape lives as long as the test. If `fits` is false, it has too many threads, steps or
 * locations to be compared. */
void shape_make(const struct litmus_test *test, struct shape *shape);

#endif
