// SPDX-License-Identifier: Apache-2.0
/* Code of AMD GPUs as clang prints it, and whether it keeps the orders of a test. */
#pragma once

#include "inspect/compare.h"
#include "litmus/litmus.h"

/* ---- what the generations of AMD GPUs need for each scope ---- */

/*
 * The rules of LLVM's "User Guide for AMDGPU Backend", section "Memory Model" (AMDGPUUsage), as a table.
 *
 * A cache is between the waves of a scope or it is not. So what a modifier of an access, a write-back or an
 * invalidation reaches is a set of levels, and what a scope needs is another.
 */

/* The caches that waves of a work-group, of an agent and of the system do not share. */
enum {
    AMDGCN_GROUP = 1 << 0,
    AMDGCN_AGENT = 1 << 1,
    AMDGCN_SYSTEM = 1 << 2,
    /* The far cache alone. The near one must be invalidated after it, as it is filled from it; then the system's level
     * is reached. */
    AMDGCN_FAR = 1 << 3
};

/* Modifiers of an access or of a cache instruction. */
enum {
    AMDGCN_GLC = 1 << 0,
    AMDGCN_SLC = 1 << 1,
    AMDGCN_DLC = 1 << 2,
    AMDGCN_SC0 = 1 << 3,
    AMDGCN_SC1 = 1 << 4,
    AMDGCN_SCOPE_SE = 1 << 5,
    AMDGCN_SCOPE_DEV = 1 << 6,
    AMDGCN_SCOPE_SYS = 1 << 7
};

/* Instructions that write back or invalidate caches. */
enum amdgcn_cache {
    AMDGCN_NO_CACHE,
    AMDGCN_WBINVL1,
    AMDGCN_WBINVL1_VOL,
    AMDGCN_INVL2,
    AMDGCN_WBL2,
    AMDGCN_INV,
    AMDGCN_GL0_INV,
    AMDGCN_GL1_INV,
    AMDGCN_GLOBAL_INV,
    AMDGCN_GLOBAL_WB
};

enum { AMDGCN_MAXIMUM_ROWS = 4 };

/* An access, or this cache instruction, reaches these levels with (at least) these modifiers. */
struct amdgcn_reach {
    unsigned modifiers;
    unsigned levels;
    enum amdgcn_cache cache; /* AMDGCN_NO_CACHE: an access */
};

/* How the waves of a work-group are placed. */
enum amdgcn_mode {
    AMDGCN_TOGETHER, /* they share the nearest cache: CU mode (gfx10 and later); no tgsplit (gfx90a, gfx940) */
    AMDGCN_APART,    /* they do not: WGP mode; tgsplit */
    AMDGCN_MODE_COUNT
};

/* The cache levels that each scope needs. For a work-group, they depend on the mode. */
struct amdgcn_scopes {
    unsigned group[AMDGCN_MODE_COUNT], agent, system;
};

struct amdgcn_generation {
    const char *name;   /* "gfx90a" */
    const char *table;  /* of AMDGPUUsage: "AMDHSA Memory Model Code Sequences GFX90A" */
    bool counts_stores; /* stores and updates without a result have a counter of their own: vscnt, storecnt */
    bool splits_counts; /* a counter each for local memory and for scalar loads: dscnt, kmcnt */
    struct amdgcn_reach loads[AMDGCN_MAXIMUM_ROWS], stores[AMDGCN_MAXIMUM_ROWS], updates[AMDGCN_MAXIMUM_ROWS];
    struct amdgcn_reach invalidates[AMDGCN_MAXIMUM_ROWS], writes_back[AMDGCN_MAXIMUM_ROWS];
    struct amdgcn_scopes load, store, update; /* of a relaxed atomic access */
    struct amdgcn_scopes acquire;             /* what must be invalidated */
    struct amdgcn_scopes release;             /* what must be written back */
    bool waits_in_group[AMDGCN_MODE_COUNT];   /* a release at work-group scope waits for global memory */
    bool acquire_waits[AMDGCN_MODE_COUNT];    /* an acquire at work-group scope waits for global memory */
};

/* The generation of a processor, "gfx90a" or "gfx1030:xnack-"; NULL if its rules are not known. */
const struct amdgcn_generation *amdgcn_generation_of(const char *processor);

/* The levels of a list that a scope needs. */
unsigned amdgcn_levels(const struct amdgcn_scopes *scopes, enum litmus_scope scope, enum amdgcn_mode mode);

/* The levels that an access (AMDGCN_NO_CACHE) or a cache instruction reaches. */
unsigned amdgcn_reached(const struct amdgcn_reach rows[AMDGCN_MAXIMUM_ROWS], enum amdgcn_cache cache,
                        unsigned modifiers);

/* The widest scope whose levels are all reached. */
enum litmus_scope amdgcn_scope_of(const struct amdgcn_scopes *scopes, unsigned levels, enum amdgcn_mode mode);

/* ---- a listing ---- */

/* The name of the kernel's text in the line information. */
#define AMDGCN_KERNEL_FILE "orchil-kernel"

/* What follows the processor in a listing's architecture if waves of a work-group are apart (WGP mode, tgsplit). */
#define AMDGCN_APART_SUFFIX " apart"

enum amdgcn_mode amdgcn_mode_of(const char *architecture);

/* Appends findings for orders of a body that the code does not keep: an access that may not be complete or written
 * back, or whose caches may not be invalidated, where a later step needs that. */
inspect_orders amdgcn_check_orders;

/* Gives the instructions their predicates (amdgcn_masks.c). */
void amdgcn_find_masks(struct listing *listing);
