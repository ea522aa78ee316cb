// SPDX-License-Identifier: Apache-2.0
/* What an instruction of an AMD GPU does: to memory, to the counters of its wave, to caches and to control flow. */
#pragma once

#include "inspect/amdgcn/amdgcn.h"

/* The counters of a wave: how many of its memory operations are not complete. Before gfx12, AMDGCN_LOCAL and
 * AMDGCN_SCALAR are one counter, lgkmcnt; before gfx10, AMDGCN_VECTOR and AMDGCN_STORES are one, vmcnt. */
enum amdgcn_counter { AMDGCN_VECTOR, AMDGCN_STORES, AMDGCN_LOCAL, AMDGCN_SCALAR, AMDGCN_COUNTER_COUNT };

enum { AMDGCN_NO_WAIT = 255 };

enum amdgcn_flow {
    AMDGCN_ON,     /* the next instruction */
    AMDGCN_JUMP,   /* the target */
    AMDGCN_BRANCH, /* the target or the next */
    AMDGCN_END,    /* the wave ends */
    AMDGCN_CALL    /* a function, or an address in a register: cannot be read */
};

struct amdgcn_instruction {
    enum machine_effect effect;
    enum litmus_region region;
    unsigned bytes, lanes;
    bool is_flat;      /* it may access global or local memory, and counts as both */
    bool returns;      /* an update whose result is written to a register */
    bool to_local;     /* a load to local memory instead of registers */
    unsigned counters; /* bit per counter that it increments and that decrements when it is complete */
    unsigned char waits[AMDGCN_COUNTER_COUNT]; /* until at most so many are not complete; or AMDGCN_NO_WAIT */
    unsigned modifiers;                        /* AMDGCN_GLC and so on */
    enum amdgcn_cache cache;                   /* the cache instruction that it is */
    enum litmus_operation operation;           /* barriers of two instructions: ARRIVE, TRY_WAIT; else LOAD */
    enum amdgcn_flow flow;
};

/* Reads one instruction: its mnemonic, operands and modifiers, without comment. */
void amdgcn_opcode(const char *text, const struct amdgcn_generation *generation,
                   struct amdgcn_instruction *instruction);
