// SPDX-License-Identifier: Apache-2.0
/* The generations of AMD GPUs: those of amdgcn.txt, which has where they come from. */
#include "inspect/amdgcn/amdgcn.h"
#include "inspect/amdgcn/amdgcn_lists.h"

enum {
    GROUP = AMDGCN_GROUP,
    AGENT = AMDGCN_AGENT,
    SYSTEM = AMDGCN_SYSTEM,
    TO_AGENT = GROUP | AGENT,
    ALL = GROUP | AGENT | SYSTEM,
    SC = AMDGCN_SC0 | AMDGCN_SC1
};

static const struct amdgcn_generation generations[] = {AMDGCN_GENERATION_LIST(ROW_OF)};

static const struct {
    const char *start, *generation;
} processors[] = {AMDGCN_PROCESSOR_LIST(ROW_OF)};

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
