// SPDX-License-Identifier: Apache-2.0
/*
 * The SASS of vector accesses, cache operators and hints, found as in rules_sass.c with ptxas 13.0
 * for sm_75, 80, 89 and 90; atomics and .b128 for sm_90.
 *
 *   ld, st.v2, .v4         LDG.E.64, .128                one instruction for all words; .v8 of 32 bits has none before sm_100
 *   ld, st, atom.b128      LDG.E.128, ATOMG.E.CAS.128
 *   red, atom.v2.f32       REDG.E.ADD.F32x2, ATOMG.E.ADD.F32x4
 *   .ca, st.wb             .STRONG.SM                    .STRONG.CTA on sm_75
 *   .cg; .cv, st.wt        .STRONG.GPU; .STRONG.SYS
 *   .cs, .L1::evict_first  .EF                           .EL, .EU: evict_last, evict_unchanged; evict_normal: nothing
 *   ld.lu                  .LU
 *   .L1::no_allocate       .NA
 *   .L2::128B              .LTC128B                      so .L2::256B too, up to sm_80
 *   .mmio                  .MMIO.SYS
 *   ld.global.nc           LDG.E.CONSTANT                whatever cache operator it has
 */
#include "inspect/sass/rules_sass.h"

/* A cache operator makes a weak access strong, at a scope. */
static const enum litmus_scope operator_scopes[] = {
    [LITMUS_CACHE_ALL] = LITMUS_WORK_GROUP,
    [LITMUS_CACHE_GLOBAL] = LITMUS_DEVICE,
    [LITMUS_CACHE_STREAMING] = LITMUS_SCOPE_NONE,
    [LITMUS_CACHE_VOLATILE] = LITMUS_ALL_DEVICES,
    [LITMUS_CACHE_LAST_USE] = LITMUS_SCOPE_NONE,
    [LITMUS_CACHE_WRITE_BACK] = LITMUS_WORK_GROUP,
    [LITMUS_CACHE_WRITE_THROUGH] = LITMUS_ALL_DEVICES,
};

void sass_hint_order(struct ptx_access *ptx)
{
    const enum litmus_cache cache = ptx->access->cache;
    if (ptx->order != LITMUS_PLAIN || !litmus_cache_is_operator(cache) || operator_scopes[cache] == LITMUS_SCOPE_NONE)
        return;
    ptx->order = LITMUS_RELAXED;
    ptx->scope = operator_scopes[cache];
}

unsigned sass_hints(const struct litmus_access *access)
{
    static const unsigned hints[] = {
        [LITMUS_CACHE_STREAMING] = MACHINE_HINT_EVICT_FIRST,
        [LITMUS_CACHE_LAST_USE] = MACHINE_HINT_LAST_USE,
        [LITMUS_CACHE_NO_ALLOCATE] = MACHINE_HINT_NO_ALLOCATE,
        [LITMUS_CACHE_EVICT_FIRST] = MACHINE_HINT_EVICT_FIRST,
        [LITMUS_CACHE_EVICT_LAST] = MACHINE_HINT_EVICT_LAST,
        [LITMUS_CACHE_EVICT_UNCHANGED] = MACHINE_HINT_EVICT_UNCHANGED,
        [LITMUS_CACHE_PREFETCH_256] = 0,
    };
    return (access->read_only && litmus_cache_is_operator(access->cache) ? 0 : hints[access->cache]) |
           (access->prefetch != LITMUS_CACHE_NONE ? MACHINE_HINT_PREFETCH : 0u) |
           (access->mmio ? MACHINE_HINT_MMIO : 0u);
}

enum status sass_need_vector(struct sass_needs *needs, struct error *error)
{
    const struct litmus_vector *vector = needs->step->vector;
    struct ptx_access ptx = sass_ptx_of(needs->subject->test, &vector->access);
    (void)error;
    if (!vector->unaligned)
        ptx.bytes *= vector->lanes;
    for (unsigned lane = 0; lane < (vector->unaligned ? vector->lanes : 1); lane++)
        if (vector->access.read_only)
            sass_need(needs, (struct inspect_need){.effect = MACHINE_LOAD,
                                                   .proxy = LITMUS_TEXTURE,
                                                   .hints = sass_hints(&vector->access),
                                                   .bytes = ptx.bytes});
        else
            sass_need_access(needs, &ptx);
    return STATUS_OK;
}
