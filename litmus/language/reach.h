// SPDX-License-Identifier: Apache-2.0
/* The accesses of a thread's code to a location. Private to the room. */
#ifndef ORCHIL_LITMUS_LANGUAGE_REACH_H
#define ORCHIL_LITMUS_LANGUAGE_REACH_H

#include "litmus/litmus.h"

/* Of one body and one location's storage, by whichever of its names. A thread that accesses
 * memory through a register may access all locations. */
struct reach {
    bool accesses;
    bool writes;
    bool copies_to; /* writes it by an asynchronous copy, which runs while the thread continues */
    bool updates;   /* by a read-modify-write of scope ALL_DEVICES */
};

struct reach reach_find(const struct litmus_test *test, unsigned body, unsigned location);

#endif
