// SPDX-License-Identifier: Apache-2.0
/* Which accesses of a body may be pending, not written back or still stale at each instruction of
 * a wave. */
#ifndef ORCHIL_INSPECT_AMDGCN_AMDGCN_FLOW_H
#define ORCHIL_INSPECT_AMDGCN_AMDGCN_FLOW_H

#include <stdint.h>

#include "inspect/amdgcn/amdgcn_opcode.h"
#include "inspect/paths.h"

/* What may be true of an access, on some path of the wave to an instruction. */
struct amdgcn_state {
    bool reached;                        /* it was begun */
    uint8_t pending;                     /* bit per counter on which it may not be complete */
    uint8_t after[AMDGCN_COUNTER_COUNT]; /* on a pending counter: at least so many were begun after it */
    uint8_t unwritten;                   /* levels at which it was not written back: nothing was begun */
    uint8_t writing;                     /* levels at which a write-back may not be complete */
    uint8_t writing_after;               /* at least so many on the write-back's counter were begun after it */
    uint8_t
        stale; /* levels whose caches were not invalidated since it was complete, so that a later load may be older */
};

struct amdgcn_flow_object {
    size_t instruction;
    unsigned step; /* index in kernel->steps */
};

struct amdgcn_flow_states {
    struct amdgcn_instruction *opcodes; /* of each instruction of the listing */
    struct amdgcn_flow_object *objects;
    size_t object_count;
    struct amdgcn_state *states; /* before instruction i, of object o: states[i * object_count + o] */
};

/* Fills the states, in the arena, for these objects. fresh: per instruction, whether a path of a thread
 * ends there, so that what comes next is of another round. */
void amdgcn_flow_states(const struct listing *listing, const struct path_graph *graph, const bool *fresh,
                        struct arena *arena, struct amdgcn_flow_states *flow);

#endif
