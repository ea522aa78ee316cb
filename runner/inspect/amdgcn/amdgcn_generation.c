// SPDX-License-Identifier: Apache-2.0
/*
 * The generations of AMD GPUs. Each row names its section of AMDGPUUsage, whose table "AMDHSA Memory
 * Model Code Sequences" it is meant to restate (docs/internals/compiled-amd.md says which were
 * compared): `load`, `store` and `update` are the rows "load atomic monotonic", "store atomic
 * monotonic" and "atomicrmw monotonic" of that table; `acquire` and `invalidates` are its rows "load
 * atomic acquire"; `release`, `writes_back` and `waits_in_group` its rows "store atomic release".
 *
 * gfx10 and later, CU mode, release at work-group scope: since LLVM 22 the wait is there too, because
 * a later release of another wave at a wider scope does not wait for this wave's accesses
 * (llvm-project pull request 161638).
 */
#include "runner/inspect/amdgcn/amdgcn_generation.h"

#include <string.h>

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

#define GFX6_TO_GFX9(title, own_section, instruction)                                                                  \
    {                                                                                                                  \
        .name = (title), .section = (own_section), .loads = {{AMDGCN_GLC, ALL}}, .stores = ALWAYS, .updates = ALWAYS,  \
        .invalidates = {{0, ALL, (instruction)}}, .load = {{0, 0}, TO_AGENT, ALL}, .store = NOTHING,                   \
        .update = NOTHING, .acquire = {{0, 0}, TO_AGENT, ALL}, .release = NOTHING                                      \
    }

/* The arguments after the name are the rows of `loads`. */
#define GFX10_TO_GFX11(title, ...)                                                                                     \
    {                                                                                                                  \
        .name = (title), .section = "Memory Model GFX10-GFX11", .counts_stores = true, .loads = {__VA_ARGS__},         \
        .stores = ALWAYS, .updates = ALWAYS,                                                                           \
        .invalidates = {{0, GROUP, AMDGCN_GL0_INV}, {0, AGENT | SYSTEM, AMDGCN_GL1_INV}},                              \
        .load = {{0, GROUP}, TO_AGENT, ALL}, .store = NOTHING, .update = NOTHING,                                      \
        .acquire = {{0, GROUP}, TO_AGENT, ALL}, .release = NOTHING, .waits_in_group = {                                \
            true,                                                                                                      \
            true                                                                                                       \
        }                                                                                                              \
    }

static const struct amdgcn_generation generations[] = {
    GFX6_TO_GFX9("gfx6", "Memory Model GFX6-GFX9", AMDGCN_WBINVL1),
    GFX6_TO_GFX9("gfx7", "Memory Model GFX6-GFX9", AMDGCN_WBINVL1_VOL),
    GFX6_TO_GFX9("gfx8", "Memory Model GFX6-GFX9", AMDGCN_WBINVL1_VOL),
    GFX6_TO_GFX9("gfx9", "Memory Model GFX6-GFX9", AMDGCN_WBINVL1_VOL),
    {.name = "gfx90a",
     .section = "Memory Model GFX90A",
     .loads = {{AMDGCN_GLC, ALL}},
     .stores = ALWAYS,
     .updates = ALWAYS,
     .invalidates = {{0, TO_AGENT, AMDGCN_WBINVL1_VOL}, {0, SYSTEM, AMDGCN_INVL2}},
     .writes_back = {{0, SYSTEM, AMDGCN_WBL2}},
     .load = {{0, GROUP}, TO_AGENT, ALL},
     .store = NOTHING,
     .update = NOTHING,
     .acquire = {{0, GROUP}, TO_AGENT, ALL},
     .release = {{0, 0}, 0, SYSTEM},
     .waits_in_group = {false, true}},
    {.name = "gfx940",
     .section = "Memory Model GFX942",
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
     .waits_in_group = {false, true}},
    GFX10_TO_GFX11("gfx10", {AMDGCN_GLC, GROUP}, {AMDGCN_GLC | AMDGCN_DLC, ALL}),
    GFX10_TO_GFX11("gfx11", {AMDGCN_GLC, ALL}),
    {.name = "gfx12",
     .section = "Memory Model GFX12",
     .counts_stores = true,
     .splits_counts = true,
     .loads = {{AMDGCN_SCOPE_SE, GROUP}, {AMDGCN_SCOPE_DEV, TO_AGENT}, {AMDGCN_SCOPE_SYS, ALL}},
     .stores = {{AMDGCN_SCOPE_SE, GROUP}, {AMDGCN_SCOPE_DEV, TO_AGENT}, {AMDGCN_SCOPE_SYS, ALL}},
     .updates = {{AMDGCN_SCOPE_SE, GROUP}, {AMDGCN_SCOPE_DEV, TO_AGENT}, {AMDGCN_SCOPE_SYS, ALL}},
     .invalidates = {{AMDGCN_SCOPE_SE, GROUP, AMDGCN_GLOBAL_INV},
                     {AMDGCN_SCOPE_DEV, TO_AGENT, AMDGCN_GLOBAL_INV},
                     {AMDGCN_SCOPE_SYS, ALL, AMDGCN_GLOBAL_INV}},
     .writes_back = {{AMDGCN_SCOPE_SYS, ALL, AMDGCN_GLOBAL_WB}},
     .load = {{0, GROUP}, TO_AGENT, ALL},
     .store = {{0, GROUP}, TO_AGENT, ALL},
     .update = {{0, GROUP}, TO_AGENT, ALL},
     .acquire = {{0, GROUP}, TO_AGENT, ALL},
     .release = {{0, 0}, 0, ALL},
     .waits_in_group = {true, true}},
};

/* Processors by the start of their names; the first that fits. */
static const struct {
    const char *start;
    const char *generation;
} processors[] = {
    {"gfx90a", "gfx90a"}, {"gfx942", "gfx940"}, {"gfx940", "gfx940"}, {"gfx941", "gfx940"}, {"gfx90", "gfx9"},
    {"gfx60", "gfx6"},    {"gfx70", "gfx7"},    {"gfx80", "gfx8"},    {"gfx81", "gfx8"},    {"gfx101", "gfx10"},
    {"gfx103", "gfx10"},  {"gfx110", "gfx11"},  {"gfx115", "gfx11"},  {"gfx120", "gfx12"},
};

const struct amdgcn_generation *amdgcn_generation_of(const char *processor)
{
    for (size_t i = 0; i < sizeof processors / sizeof *processors; i++)
        for (size_t g = 0; strncmp(processor, processors[i].start, strlen(processors[i].start)) == 0 &&
                           g < sizeof generations / sizeof *generations;
             g++)
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
    for (size_t i = 0; i < sizeof widest_first / sizeof *widest_first; i++)
        if ((amdgcn_levels(scopes, widest_first[i], mode) & ~levels) == 0)
            return widest_first[i];
    return LITMUS_SUB_GROUP;
}
