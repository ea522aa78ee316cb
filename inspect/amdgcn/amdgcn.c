// SPDX-License-Identifier: Apache-2.0
/*
 * The generations of AMD GPUs. A row restates a table of AMDGPUUsage (LLVM 22), "AMDHSA Memory Model Code Sequences"
 * and the name that the row gives. The rows of that table are named here by operation, order, scope and address space:
 *
 *   load, store, update      "load atomic", "store atomic", "atomicrmw"; monotonic; each scope; global
 *   acquire, invalidates     "load atomic", "atomicrmw", "fence"; acquire; each scope; global
 *   release, writes_back     "store atomic", "atomicrmw", "fence"; release; each scope; global
 *   waits_in_group           the s_waitcnt of these; release; workgroup; global
 *   acquire_waits            the s_waitcnt of "load atomic"; acquire; workgroup; global
 *
 * Where a table says less than another of its rows, or than LLVM does:
 *
 * - GFX6-GFX9 has buffer_wbinvl1_vol only. gfx6 has no such instruction; LLVM emits buffer_wbinvl1.
 * - GFX10-GFX11 and GFX12, CU mode, release; workgroup; global: since LLVM 22 the wait is there too, because
 *   a later release of another wave at a wider scope does not wait for this wave's accesses (llvm-project
 *   pull request 161638). GFX12 still leaves it out of its row "atomicrmw", and not of "store atomic" and
 *   "fence".
 * - GFX942, atomicrmw; release has sc0=1 at workgroup and system. On an atomicrmw that bit asks for the old
 *   value. The row "monotonic", and LLVM, have it for no scope.
 * - s_wait_xcnt of GFX125x keeps an access atomic when it is replayed. It orders nothing and is not needed here.
 */
#include "inspect/amdgcn/amdgcn.h"

enum {
    GROUP = AMDGCN_GROUP,
    AGENT = AMDGCN_AGENT,
    SYSTEM = AMDGCN_SYSTEM,
    TO_AGENT = GROUP | AGENT,
    ALL = GROUP | AGENT | SYSTEM,
    SC = AMDGCN_SC0 | AMDGCN_SC1
};

/* Every access reaches all levels: memory operations of this kind are done where all can see them. */
#define ALWAYS                                                                                                         \
    {                                                                                                                  \
        {                                                                                                              \
            0, ALL                                                                                                     \
        }                                                                                                              \
    }
#define NOTHING                                                                                                        \
    {                                                                                                                  \
        {0, 0}, 0, 0                                                                                                   \
    } /* in any mode, at any scope */

#define GFX6_TO_GFX9(title, instruction)                                                                               \
    {                                                                                                                  \
        .name = (title), .table = "GFX6-GFX9", .loads = {{AMDGCN_GLC, ALL}}, .stores = ALWAYS, .updates = ALWAYS,      \
        .invalidates = {{0, ALL, (instruction)}}, .load = {{0, 0}, TO_AGENT, ALL}, .store = NOTHING,                   \
        .update = NOTHING, .acquire = {{0, 0}, TO_AGENT, ALL}, .release = NOTHING                                      \
    }

/* The arguments after the name are the rows of `loads`. */
#define GFX10_TO_GFX11(title, ...)                                                                                     \
    {                                                                                                                  \
        .name = (title), .table = "GFX10-GFX11", .counts_stores = true, .loads = {__VA_ARGS__}, .stores = ALWAYS,      \
        .updates = ALWAYS, .invalidates = {{0, GROUP, AMDGCN_GL0_INV}, {0, AGENT | SYSTEM, AMDGCN_GL1_INV}},           \
        .load = {{0, GROUP}, TO_AGENT, ALL}, .store = NOTHING, .update = NOTHING,                                      \
        .acquire = {{0, GROUP}, TO_AGENT, ALL}, .release = NOTHING, .waits_in_group = {true, true}, .acquire_waits = { \
            false,                                                                                                     \
            true                                                                                                       \
        }                                                                                                              \
    }

#define SCOPES_OF_GFX12                                                                                                \
    {                                                                                                                  \
        {AMDGCN_SCOPE_SE, GROUP}, {AMDGCN_SCOPE_DEV, TO_AGENT},                                                        \
        {                                                                                                              \
            AMDGCN_SCOPE_SYS, ALL                                                                                      \
        }                                                                                                              \
    }

static const struct amdgcn_generation generations[] = {
    GFX6_TO_GFX9("gfx6", AMDGCN_WBINVL1),
    GFX6_TO_GFX9("gfx7", AMDGCN_WBINVL1_VOL),
    GFX6_TO_GFX9("gfx8", AMDGCN_WBINVL1_VOL),
    GFX6_TO_GFX9("gfx9", AMDGCN_WBINVL1_VOL),
    {.name = "gfx90a",
     .table = "GFX90A",
     .loads = {{AMDGCN_GLC, ALL}},
     .stores = ALWAYS,
     .updates = ALWAYS,
     .invalidates = {{0, TO_AGENT, AMDGCN_WBINVL1_VOL}, {0, AMDGCN_FAR, AMDGCN_INVL2}},
     .writes_back = {{0, SYSTEM, AMDGCN_WBL2}},
     .load = {{0, GROUP}, TO_AGENT, ALL},
     .store = NOTHING,
     .update = NOTHING,
     .acquire = {{0, GROUP}, TO_AGENT, ALL},
     .release = {{0, 0}, 0, SYSTEM},
     .waits_in_group = {false, true},
     .acquire_waits = {false, true}},
    {.name = "gfx940",
     .table = "GFX942",
     .loads = {{AMDGCN_SC0, GROUP}, {AMDGCN_SC1, TO_AGENT}, {SC, ALL}},
     .stores = {{AMDGCN_SC0, GROUP}, {AMDGCN_SC1, TO_AGENT}, {SC, ALL}},
     .updates = {{0, TO_AGENT}, {AMDGCN_SC1, ALL}},
     .invalidates = {{AMDGCN_SC0, GROUP, AMDGCN_INV}, {AMDGCN_SC1, TO_AGENT, AMDGCN_INV}, {SC, ALL, AMDGCN_INV}},
     .writes_back = {{AMDGCN_SC0, GROUP, AMDGCN_WBL2}, {AMDGCN_SC1, TO_AGENT, AMDGCN_WBL2}, {SC, ALL, AMDGCN_WBL2}},
     .load = {{GROUP, GROUP}, TO_AGENT, ALL},
     .store = {{GROUP, GROUP}, TO_AGENT, ALL},
     .update = {{0, 0}, 0, ALL},
     .acquire = {{0, GROUP}, TO_AGENT, ALL},
     .release = {{0, 0}, TO_AGENT, ALL},
     .waits_in_group = {false, true},
     .acquire_waits = {false, true}},
    GFX10_TO_GFX11("gfx10", {AMDGCN_GLC, GROUP}, {AMDGCN_GLC | AMDGCN_DLC, ALL}),
    GFX10_TO_GFX11("gfx11", {AMDGCN_GLC, ALL}),
    /* The modifiers of both are those of "Code Sequences GFX12 - Instruction Scopes" and "GFX125x - Instruction
     * Scopes". */
    {.name = "gfx12",
     .table = "GFX12",
     .counts_stores = true,
     .splits_counts = true,
     .loads = SCOPES_OF_GFX12,
     .stores = SCOPES_OF_GFX12,
     .updates = SCOPES_OF_GFX12,
     .invalidates = {{AMDGCN_SCOPE_SE, GROUP, AMDGCN_GLOBAL_INV},
                     {AMDGCN_SCOPE_DEV, TO_AGENT, AMDGCN_GLOBAL_INV},
                     {AMDGCN_SCOPE_SYS, ALL, AMDGCN_GLOBAL_INV}},
     .writes_back = {{AMDGCN_SCOPE_SYS, ALL, AMDGCN_GLOBAL_WB}},
     .load = {{0, GROUP}, TO_AGENT, ALL},
     .store = {{0, GROUP}, TO_AGENT, ALL},
     .update = {{0, GROUP}, TO_AGENT, ALL},
     .acquire = {{0, GROUP}, TO_AGENT, ALL},
     .release = {{0, 0}, 0, ALL},
     .waits_in_group = {true, true},
     .acquire_waits = {false, true}},
    {.name = "gfx125x",
     .table = "GFX125x",
     .counts_stores = true,
     .splits_counts = true,
     .loads = SCOPES_OF_GFX12,
     .stores = SCOPES_OF_GFX12,
     .updates = SCOPES_OF_GFX12,
     .invalidates = {{AMDGCN_SCOPE_DEV, TO_AGENT, AMDGCN_GLOBAL_INV}, {AMDGCN_SCOPE_SYS, ALL, AMDGCN_GLOBAL_INV}},
     .writes_back = {{AMDGCN_SCOPE_DEV, TO_AGENT, AMDGCN_GLOBAL_WB}, {AMDGCN_SCOPE_SYS, ALL, AMDGCN_GLOBAL_WB}},
     .load = {{0, 0}, TO_AGENT, ALL},
     .store = {{0, 0}, TO_AGENT, ALL},
     .update = {{0, 0}, TO_AGENT, ALL},
     .acquire = {{0, 0}, TO_AGENT, ALL},
     .release = {{0, 0}, TO_AGENT, ALL},
     .waits_in_group = {true, true},
     .acquire_waits = {true, true}},
};

/* Processors by the start of their names; the first that fits. */
static const struct {
    const char *start;
    const char *generation;
} processors[] = {
    {"gfx90a", "gfx90a"}, {"gfx942", "gfx940"}, {"gfx950", "gfx940"}, {"gfx940", "gfx940"},
    {"gfx941", "gfx940"}, {"gfx90", "gfx9"},    {"gfx60", "gfx6"},    {"gfx70", "gfx7"},
    {"gfx80", "gfx8"},    {"gfx81", "gfx8"},    {"gfx101", "gfx10"},  {"gfx103", "gfx10"},
    {"gfx110", "gfx11"},  {"gfx115", "gfx11"},  {"gfx120", "gfx12"},  {"gfx125", "gfx125x"},
};

const struct amdgcn_generation *amdgcn_generation_of(const char *processor)
{
    for (size_t i = 0; i < COUNT(processors); i++)
        for (size_t g = 0;
             strncmp(processor, processors[i].start, strlen(processors[i].start)) == 0 && g < COUNT(generations); g++)
            if (strcmp(generations[g].name, processors[i].generation) == 0)
                return &generations[g];
    return NULL;
}

unsigned amdgcn_levels(const struct amdgcn_scopes *scopes, enum litmus_scope scope, enum amdgcn_mode mode)
{
    if (scope >= LITMUS_ALL_DEVICES)
        return scopes->system;
    if (scope >= LITMUS_CLUSTER)
        return scopes->agent;
    return scope == LITMUS_WORK_GROUP ? scopes->group[mode] : 0;
}

unsigned amdgcn_reached(const struct amdgcn_reach rows[AMDGCN_MAXIMUM_ROWS], enum amdgcn_cache cache,
                        unsigned modifiers)
{
    unsigned levels = 0;
    for (size_t i = 0; i < AMDGCN_MAXIMUM_ROWS; i++)
        if (rows[i].cache == cache && (modifiers & rows[i].modifiers) == rows[i].modifiers)
            levels |= rows[i].levels;
    return levels;
}

enum litmus_scope amdgcn_scope_of(const struct amdgcn_scopes *scopes, unsigned levels, enum amdgcn_mode mode)
{
    static const enum litmus_scope widest_first[] = {LITMUS_ALL_DEVICES, LITMUS_DEVICE, LITMUS_WORK_GROUP};
    return VALUE_OF(enum litmus_scope, scope, widest_first, COUNT(widest_first),
                    (amdgcn_levels(scopes, *scope, mode) & ~levels) == 0, *scope, LITMUS_SUB_GROUP);
}
