// SPDX-License-Identifier: Apache-2.0
/*
 * The SASS that a step needs, given the PTX that it was written as (kernel/lower/lower_ptx.c).
 *
 * Found by compiling each PTX instruction of that file alone, at each scope and type, with ptxas
 * 11.8 and 12.4 for sm_70, 12.4 for sm_75, 80 and 90, and 13.0 for sm_75, 80, 86, 89 and 90, and
 * disassembling it with nvdisasm 12.4 (1,900 instructions). All agree on the following, which NVIDIA does not document.
 *
 *   ld/st.weak             LD, ST                        LDG.E.SYS on sm_70 and sm_75, where .SYS means nothing
 *   .volatile, .relaxed    .STRONG.SYS; .STRONG.scope    cta is .CTA on sm_70 and sm_75, later .SM; cluster is .GPU
 *   .acquire               ... ; CCTL.IVALL              beyond the cta, whose threads share a cache
 *   .release               MEMBAR.ALL.scope ; ...        followed by ERRBAR if wider than the cta
 *   fence.acq_rel, .sc     MEMBAR.ALL, MEMBAR.SC ; CCTL.IVALL
 *   fence.release          MEMBAR.ALL
 *   fence.acquire          CCTL.IVALL; nothing at cta    from sm_90
 *   shared memory          LDS, STS, ATOMS               no .STRONG; CCTL.IVALL from sm_90, which shares it in clusters
 *   cas.b16, shared 64 bit LD ; loop of ATOM.CAS, ATOMS.CAST.SPIN
 *   generic atom           ATOM or, by its address, that loop in shared memory, or LD ; ST of the stack
 *   bar.sync               BAR.SYNC
 *   bar.warp.sync          nothing, or WARPSYNC
 *
 * Asynchronous copies, mbarriers, clusters and other proxies are below, and vectors and hints too.
 *
 * ptxas 12.4 and 13.0 leave MEMBAR and CCTL out of the loop for a shared atomic on sm_90: no row allows that, so such a
 * test is not kept. Other architectures are unknown, and their tests are not inspected.
 */
#include "inspect/needs.h"
#include "kernel/lower.h"
#include "kernel/map.h"
#include "litmus/language/order.h"

enum { SASS_CLUSTERS = 90 }; /* the first where shared memory is accessible to other work-groups */

/* The needs of one step, while they are listed. */
struct sass_needs {
    const struct inspect_subject *subject;
    const struct kernel_step *step;
    unsigned architecture; /* 90 for sm_90 */
    struct inspect_needs *list;
};

static inline void sass_need(struct sass_needs *needs, struct inspect_need need)
{
    inspect_need_add(needs->list, need);
}

/* How an access was written in PTX. */
struct ptx_access {
    const struct litmus_access *access;
    enum litmus_order order;
    enum litmus_scope scope;
    unsigned bytes; /* of all its words */
    bool local, generic, fence_sc;
};

/* A kind of step. Each is UNSUPPORTED, with the reason, if no instruction
 * of that form is known. */
typedef enum status sass_rule(struct sass_needs *needs, struct error *error);

/* The instructions of a fence, by order. PLAIN: no MEMBAR. */
static const struct {
    enum litmus_order membar;
    bool invalidates;
} fence_orders[LITMUS_ORDER_COUNT] = {
    [LITMUS_ACQUIRE] = {LITMUS_PLAIN, true},
    [LITMUS_RELEASE] = {LITMUS_ACQ_REL, false},
    [LITMUS_ACQ_REL] = {LITMUS_ACQ_REL, true},
    [LITMUS_SEQ_CST] = {LITMUS_SEQ_CST, true},
};

/* Adds the MEMBAR and the CCTL.IVALL that a fence of the order needs. */
static void sass_need_fence(struct sass_needs *needs, enum litmus_order order, enum litmus_scope scope, bool is_order)
{
    if (fence_orders[order].membar != LITMUS_PLAIN)
        sass_need(needs, (struct inspect_need){.effect = MACHINE_FENCE,
                                               .order = fence_orders[order].membar,
                                               .scope = scope,
                                               .is_order = is_order});
    if (fence_orders[order].invalidates && scope > LITMUS_WORK_GROUP)
        sass_need(needs, (struct inspect_need){.effect = MACHINE_INVALIDATE, .is_order = true});
}

/*
 * The SASS of asynchronous copies, mbarriers, clusters and proxies other than the generic one.
 *
 * Found as above: each PTX instruction compiled alone by ptxas 13.0, for sm_80, 86 and 89 if they have it and for
 * sm_90, and disassembled by nvdisasm 12.4.
 *
 *   cp.async.ca, .cg         LDGSTS.E, .64, .128; LDGSTS.E.BYPASS.128
 *   cp.async.commit_group    LDGDEPBAR
 *   cp.async.wait_group N    DEPBAR.LE SB0, N
 *   cp.async.wait_all        LDGDEPBAR ; DEPBAR.LE SB0, 0
 *   cp.async.mbarrier.arrive sm_80: ATOMS.ADD ; ARRIVES.LDGSTSBAR.64         sm_90: SYNCS...A0T1 ; ARRIVES...TRANSCNT
 *   ... .noinc               sm_80: ARRIVES.LDGSTSBAR.64                     sm_90: ARRIVES...ARVCNT
 *   cp.async.bulk            UBLKCP.S.G, .G.S, .S.S         of one item at a time: a loop with ELECT or over registers
 *   ... .multicast::cluster  UBLKCP.S.G.MULTICAST           the size and the mask are the halves of one register
 *   cp.reduce.async.bulk     UBLKRED.G.S.ADD, .S.S.ADD      .U64 for elements of 64 bits, .S32 and .S64 for min and max
 *   cp.async.bulk.commit     UTMACMDFLUSH
 *   ....wait_group N         DEPBAR.LE SB0, N ; CCTL.IVALL  .read: no CCTL
 *   st.async, red.async      STAS, STAS.64; REDAS.ADD
 *   mbarrier.arrive          sm_80: MEMBAR.ALL.CTA ; ATOMS.ARRIVE.64   sm_90: SYNCS.ARRIVE.TRANS64.A1T0; a count: ART0
 *   ... .release.cluster     MEMBAR.ALL.CTA ; MEMBAR.ALL.GPU ; ...     release.cta as relaxed: SYNCS itself does it
 *   ... .expect_tx           SYNCS.ARRIVE.TRANS64; alone A0TR; complete_tx A0TX
 *   mbarrier.test_wait       sm_80: LDS of the high word                     sm_90: SYNCS.PHASECHK
 *   mbarrier.try_wait        SYNCS.PHASECHK.TRYWAIT         with a time ; @!P NANOSLEEP.SYNCS ; @!P SYNCS.PHASECHK
 *   ... .acquire.cluster     ... ; @P CCTL.IVALL            if the phase has ended
 *   barrier.cluster.arrive   MEMBAR.ALL.GPU ; UCGABAR_ARV   .relaxed: no MEMBAR; only if the launch has clusters
 *   barrier.cluster.wait     UCGABAR_WAIT ; CCTL.IVALL      else BAR.SYNC
 *   fence.proxy.async        MEMBAR.ALL.GPU ; FENCE.VIEW.ASYNC.S             the same for .shared::cluster
 *   ... .global              FENCE.VIEW.ASYNC.G
 *   ... .shared::cta         MEMBAR.ALL.CTA ; FENCE.VIEW.ASYNC.S
 *   fence.acquire.sync_restrict::shared::cluster       nothing; the same for fence.proxy.async::generic.acquire...
 *   fence.release.sync_restrict::shared::cta           MEMBAR.ALL.CTA ; FENCE.VIEW.ASYNC.S; the same for async::generic
 *   griddepcontrol.wait      ACQBULK; .launch_dependents: PREEXIT
 *   fence.proxy.alias        MEMBAR.SC.GPU, or by a launch parameter MEMBAR.SC.SYS, ; CCTL.IVALL
 *   ld.const                 LDC c[0x3][...]
 *   tex                      TLD with a mask of elements; suld, sust, sured: SULD, SUST, SURED
 */

/* ---- mbarriers ---- */

static void need_barrier_update(struct sass_needs *needs, const struct litmus_access *access)
{
    const bool wide = access->scope > LITMUS_WORK_GROUP && access->order == LITMUS_RELEASE;
    const bool own_order = needs->architecture >= SASS_CLUSTERS && !wide;
    if (!own_order && access->order != LITMUS_RELAXED)
        sass_need_fence(needs, LITMUS_RELEASE, wide ? LITMUS_DEVICE : LITMUS_WORK_GROUP, true);
    sass_need(needs, (struct inspect_need){.effect = MACHINE_UPDATE, .bytes = 8, .operation = access->operation});
}

static void need_barrier_test(struct sass_needs *needs, const struct litmus_access *access)
{
    const bool syncs = needs->architecture >= SASS_CLUSTERS;
    sass_need(needs, (struct inspect_need){.effect = MACHINE_LOAD,
                                           .bytes = syncs ? 8 : 4,
                                           .operation = syncs ? access->operation : LITMUS_LOAD});
    if (access->operation == LITMUS_TRY_WAIT) /* it sleeps for the given time, and tests again */
        sass_need(needs, (struct inspect_need){
                             .effect = MACHINE_LOAD, .bytes = 8, .operation = LITMUS_TEST_WAIT, .optional = true});
    if (access->order == LITMUS_ACQUIRE && access->scope > LITMUS_WORK_GROUP)
        sass_need(needs, (struct inspect_need){
                             .effect = MACHINE_INVALIDATE, .optional = true, .required = true, .is_order = true});
}

static enum status sass_need_mbarrier(struct sass_needs *needs, struct error *error)
{
    const struct litmus_access *access = needs->step->access;
    const bool tests = operation_is_wait(access->operation);
    if (needs->architecture < SASS_CLUSTERS && access->operation != LITMUS_ARRIVE &&
        access->operation != LITMUS_TEST_WAIT)
        return inspect_refuse(needs->subject->test, needs->step, "SASS before sm_90", error);
    if (tests)
        need_barrier_test(needs, access);
    else
        need_barrier_update(needs, access);
    return STATUS_OK;
}

/* ---- copies ---- */

static enum status sass_need_copy(struct sass_needs *needs, UNUSED struct error *error)
{
    const struct litmus_copy *copy = needs->step->copy;
    const struct litmus_test *test = needs->subject->test;
    const bool updates = copy->operation != LITMUS_STORE;
    sass_need(needs,
              (struct inspect_need){.effect = MACHINE_ASYNC,
                                    .proxy = copy->bulk ? LITMUS_ASYNC : LITMUS_GENERIC,
                                    .region = test->locations[copy->to->index].region,
                                    .from = copy->from ? test->locations[copy->from->index].region : LITMUS_GLOBAL,
                                    .operation = copy->operation,
                                    .bytes = copy->from ? copy->bytes : (unsigned)litmus_type_size(copy->type),
                                    .element = copy->bulk && updates ? (unsigned)litmus_type_size(copy->type) : 0,
                                    .multicast = copy->to->right != NULL,
                                    .elects = copy->bulk});
    return STATUS_OK;
}

/* An arrival when copies complete. Without .noinc, a separate update makes the mbarrier expect one more. */
static void need_arrival(struct sass_needs *needs, const struct litmus_group *group)
{
    const bool syncs = needs->architecture >= SASS_CLUSTERS;
    if (!group->no_increment)
        sass_need(needs, (struct inspect_need){.effect = MACHINE_UPDATE,
                                               .operation = syncs ? LITMUS_EXPECT_TX : LITMUS_LOAD,
                                               .optional = !syncs,
                                               .required = true});
    sass_need(needs,
              (struct inspect_need){.effect = MACHINE_ASYNC,
                                    .region = LITMUS_LOCAL,
                                    .bytes = 8,
                                    .operation = syncs && !group->no_increment ? LITMUS_COMPLETE_TX : LITMUS_ARRIVE,
                                    .elects = true,
                                    .optional = true, /* in a loop that handles one item after another */
                                    .required = true});
}

static enum status sass_need_group(struct sass_needs *needs, UNUSED struct error *error)
{
    const struct litmus_group *group = needs->step->group;
    const enum litmus_proxy proxy = group->bulk ? LITMUS_ASYNC : LITMUS_GENERIC;
    if (group->action == LITMUS_GROUP_ARRIVE) {
        need_arrival(needs, group);
        return STATUS_OK;
    }
    if (group->action == LITMUS_GROUP_COMMIT || group->action == LITMUS_GROUP_WAIT_ALL)
        sass_need(needs, (struct inspect_need){.effect = MACHINE_COMMIT, .proxy = proxy});
    if (group->action == LITMUS_GROUP_WAIT || group->action == LITMUS_GROUP_WAIT_ALL)
        sass_need(needs, (struct inspect_need){.effect = MACHINE_WAIT,
                                               .pending = group->action == LITMUS_GROUP_WAIT ? group->pending : 0});
    if (group->action == LITMUS_GROUP_WAIT && group->bulk && !group->read)
        sass_need(needs, (struct inspect_need){.effect = MACHINE_INVALIDATE, .is_order = true});
    return STATUS_OK;
}

static unsigned sass_hints(const struct litmus_access *access)
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

/* ---- proxies ---- */

static enum status sass_need_proxy(struct sass_needs *needs, struct error *error)
{
    const struct litmus_access *access = needs->step->access;
    if (access->proxy == LITMUS_ASYNC || access->proxy == LITMUS_ALIAS)
        return inspect_refuse(needs->subject->test, needs->step, "SASS", error);
    sass_need(needs, (struct inspect_need){.effect = inspect_effect(access->operation),
                                           .proxy = access->proxy,
                                           .hints = sass_hints(access),
                                           .bytes = (unsigned)litmus_type_size(access->type)});
    return STATUS_OK;
}

/* A fence without a state space is for both memories. */
static void need_async_fence(struct sass_needs *needs, const struct litmus_fence *fence)
{
    const bool global_only = fence->flag_global && !fence->flag_local && !fence->cluster;
    const bool own_only = fence->flag_local && !fence->flag_global && !fence->cluster;
    if (!global_only)
        sass_need_fence(needs, LITMUS_RELEASE, own_only ? LITMUS_WORK_GROUP : LITMUS_DEVICE, true);
    sass_need(needs, (struct inspect_need){.effect = MACHINE_FENCE,
                                           .proxy = LITMUS_ASYNC,
                                           .region = global_only ? LITMUS_GLOBAL : LITMUS_LOCAL});
}

static enum status sass_need_proxy_fence(struct sass_needs *needs, struct error *error)
{
    const struct litmus_fence *fence = needs->step->fence;
    if (fence->restriction != LITMUS_UNRESTRICTED && needs->architecture < SASS_CLUSTERS)
        return inspect_refuse(needs->subject->test, needs->step, "SASS before sm_90", error);
    if (fence->order == LITMUS_ACQUIRE)
        return STATUS_OK; /* no instruction */
    if (litmus_fence_is_of_grids(fence))
        sass_need(needs, inspect_need_of_grids(fence));
    else if ((fence->proxy == LITMUS_ASYNC || fence->restriction) && needs->architecture >= SASS_CLUSTERS)
        need_async_fence(needs, fence);
    else if (fence->proxy == LITMUS_ALIAS)
        sass_need_fence(needs, LITMUS_SEQ_CST, LITMUS_DEVICE, false);
    else
        return inspect_refuse(needs->subject->test, needs->step, "SASS", error);
    return STATUS_OK;
}

/* ---- clusters ---- */

/* Adds a need that is skipped if the kernel was launched without clusters. */
static void need_in_cluster(struct sass_needs *needs, struct inspect_need need)
{
    need.optional = need.required = true;
    sass_need(needs, need);
}

static enum status sass_need_cluster_barrier(struct sass_needs *needs, struct error *error)
{
    const struct litmus_barrier *barrier = needs->step->barrier;
    if (barrier->arrive == barrier->wait)
        return inspect_refuse(needs->subject->test, needs->step, "SASS", error);
    if (barrier->arrive && !barrier->relaxed)
        need_in_cluster(
            needs, (struct inspect_need){
                       .effect = MACHINE_FENCE, .order = LITMUS_ACQ_REL, .scope = LITMUS_DEVICE, .is_order = true});
    need_in_cluster(needs, (struct inspect_need){.effect = MACHINE_BARRIER,
                                                 .operation = barrier->arrive ? LITMUS_ARRIVE : LITMUS_TRY_WAIT});
    if (barrier->wait)
        need_in_cluster(needs, (struct inspect_need){.effect = MACHINE_INVALIDATE, .is_order = true});
    return STATUS_OK;
}

/*
 * The SASS of vector accesses, cache operators and hints, found as above with ptxas 13.0 for sm_75, 80, 89 and 90;
 * atomics and .b128 for sm_90.
 *
 *   ld, st.v2, .v4         LDG.E.64, .128                one instruction for all words; .v8 of 32 bits: from sm_100
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

/* The order that a cache operator gives an access, and the hints that it must
 * have. */
static void sass_hint_order(struct ptx_access *ptx)
{
    const enum litmus_cache cache = ptx->access->cache;
    if (ptx->order != LITMUS_PLAIN || !litmus_cache_is_operator(cache) || operator_scopes[cache] == LITMUS_SCOPE_NONE)
        return;
    ptx->order = LITMUS_RELAXED;
    ptx->scope = operator_scopes[cache];
}

static struct ptx_access sass_ptx_of(const struct litmus_test *test, const struct litmus_access *access)
{
    struct litmus_access mapped = *access;
    struct mapped_fences fences;
    struct error error;
    const struct litmus_location *location = inspect_location(test, access);
    (void)mapping_ptx.access(LITMUS_GLOBAL, location && location->is_volatile, &mapped, &fences, &error); /* has all */
    struct ptx_access ptx = {.access = access,
                             .order = mapped.order,
                             .scope = mapped.order == LITMUS_VOLATILE ? LITMUS_ALL_DEVICES : mapped.scope,
                             .bytes = (unsigned)litmus_type_size(access->type),
                             .fence_sc = fences.before};
    ptx.local = location && location->region == LITMUS_LOCAL;
    /* Memory of another work-group of the cluster is accessed by a generic access. */
    ptx.generic = location && (access->address->generic || location->home != LITMUS_NONE);
    sass_hint_order(&ptx);
    return ptx;
}

/* What an access needs around it, by order. */
static const struct {
    bool fenced, strong, invalidates;
} access_orders[LITMUS_ORDER_COUNT] = {
    [LITMUS_PLAIN] = {false, false, false},  [LITMUS_VOLATILE] = {false, true, false},
    [LITMUS_RELAXED] = {false, true, false}, [LITMUS_ACQUIRE] = {false, true, true},
    [LITMUS_RELEASE] = {true, true, false},  [LITMUS_ACQ_REL] = {true, true, true},
};

/* Adds the load of a compiler's own loop of compare-and-swap, which may be before or after the fence. */
static void add_first_read(struct sass_needs *needs)
{
    sass_need(needs, (struct inspect_need){.effect = MACHINE_LOAD, .optional = true});
}

static void add_update(struct sass_needs *needs, const struct ptx_access *ptx, unsigned size)
{
    const bool loop = ptx->local || ptx->generic || size < 4;
    /* A loop writes nothing if the minimum is already in memory. */
    const bool may_skip =
        ptx->generic ||
        (loop && (ptx->access->operation == LITMUS_FETCH_MIN || ptx->access->operation == LITMUS_FETCH_MAX));
    if (loop)
        add_first_read(needs);
    sass_need(needs, (struct inspect_need){.effect = MACHINE_UPDATE,
                                           .order = LITMUS_RELAXED,
                                           .scope = ptx->scope,
                                           .bytes = size < 4 ? 4 : size,
                                           .optional = may_skip,
                                           .required = true,
                                           .repeats = loop});
    if (ptx->generic)
        sass_need(needs,
                  (struct inspect_need){.effect = MACHINE_STORE, .bytes = size, .optional = true, .repeats = true});
}

static void sass_need_access(struct sass_needs *needs, const struct ptx_access *ptx)
{
    const unsigned size = ptx->bytes;
    const bool shared = ptx->local && !ptx->generic, update = ptx->access->operation > LITMUS_STORE;
    const bool strong = !shared && access_orders[ptx->order].strong;
    if (ptx->fence_sc)
        sass_need_fence(needs, LITMUS_SEQ_CST, ptx->scope, true);
    if (access_orders[ptx->order].fenced) {
        if (update && (ptx->local || size < 4))
            add_first_read(needs);
        sass_need(needs, (struct inspect_need){
                             .effect = MACHINE_FENCE, .order = LITMUS_ACQ_REL, .scope = ptx->scope, .is_order = true});
    }
    if (update)
        add_update(needs, ptx, size);
    else
        sass_need(needs, (struct inspect_need){.effect = inspect_effect(ptx->access->operation),
                                               .order = strong ? LITMUS_RELAXED : LITMUS_PLAIN,
                                               .scope = strong ? ptx->scope : LITMUS_SCOPE_NONE,
                                               .hints = sass_hints(ptx->access),
                                               .bytes = size});
    if (access_orders[ptx->order].invalidates && ptx->scope > LITMUS_WORK_GROUP &&
        (!shared || needs->architecture >= SASS_CLUSTERS))
        sass_need(needs, (struct inspect_need){.effect = MACHINE_INVALIDATE, .is_order = true});
}

static enum status sass_need_vector(struct sass_needs *needs, UNUSED struct error *error)
{
    const struct litmus_vector *vector = needs->step->vector;
    struct ptx_access ptx = sass_ptx_of(needs->subject->test, &vector->access);
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

static const unsigned learnt_architectures[] = {70, 75, 80, 86, 89, 90};

/* "sm_90" -> 90; 0 for an unknown architecture. */
static unsigned learnt_architecture(const char *name)
{
    unsigned number;
    char end;
    if (sscanf(name, "sm_%3u%c", &number, &end) != 1)
        return 0;
    if (ANY_OF(one, learnt_architectures, COUNT(learnt_architectures), *one == number))
        return number;
    return 0;
}

/* ---- steps ---- */

static enum status need_access(struct sass_needs *needs, UNUSED struct error *error)
{
    const struct litmus_access *access = needs->step->access;
    const struct ptx_access ptx = sass_ptx_of(needs->subject->test, access);
    inspect_need_expected(needs->list, access, MACHINE_LOAD, ptx.bytes);
    sass_need_access(needs, &ptx);
    inspect_need_expected(needs->list, access, MACHINE_STORE, ptx.bytes);
    return STATUS_OK;
}

static enum status need_fence(struct sass_needs *needs, struct error *error)
{
    struct litmus_fence fence = *needs->step->fence;
    TRY(mapping_ptx.fence(needs->subject->test->dialect, &fence, error));
    if (fence.order != LITMUS_RELAXED)
        sass_need_fence(needs, fence.order, fence.scope, false);
    return STATUS_OK;
}

static enum status need_barrier(struct sass_needs *needs, struct error *error)
{
    struct litmus_barrier barrier = *needs->step->barrier;
    struct mapped_fences fences;
    TRY(mapping_ptx.barrier(needs->subject->test->dialect, &barrier, &fences, error));
    if (fences.before)
        sass_need_fence(needs, fences.fence.order, fences.fence.scope, true);
    if (barrier.scope != LITMUS_SUB_GROUP)
        sass_need(needs, (struct inspect_need){.effect = MACHINE_BARRIER});
    if (fences.after)
        sass_need_fence(needs, fences.fence.order, fences.fence.scope, true);
    return STATUS_OK;
}

static sass_rule *const rules[INSPECT_STEP_COUNT] = {
    [INSPECT_STEP_ACCESS] = need_access,    [INSPECT_STEP_MBARRIER] = sass_need_mbarrier,
    [INSPECT_STEP_PROXY] = sass_need_proxy, [INSPECT_STEP_VECTOR] = sass_need_vector,
    [INSPECT_STEP_FENCE] = need_fence,      [INSPECT_STEP_PROXY_FENCE] = sass_need_proxy_fence,
    [INSPECT_STEP_BARRIER] = need_barrier,  [INSPECT_STEP_CLUSTER_BARRIER] = sass_need_cluster_barrier,
    [INSPECT_STEP_COPY] = sass_need_copy,   [INSPECT_STEP_GROUP] = sass_need_group,
};

enum status rules_sass(const struct inspect_subject *subject, const struct kernel_step *step,
                       struct inspect_needs *needs, struct error *error)
{
    sass_rule *const rule = rules[inspect_step(step)];
    struct sass_needs own = {subject, step, learnt_architecture(subject->listing->architecture), needs};
    if (strcmp(kernel_lowering_name(subject->kernel), lowering_ptx.name) != 0)
        return error_set(error, STATUS_UNSUPPORTED, "there are no rules for SASS of the lowering %s",
                         kernel_lowering_name(subject->kernel));
    if (own.architecture == 0) {
        struct text known = {0};
        for (size_t i = 0; i < COUNT(learnt_architectures); i++)
            text_add(&known, "%ssm_%u", i > 0 ? ", " : "", learnt_architectures[i]);
        (void)error_set(error, STATUS_UNSUPPORTED, "the rules for SASS cover %s, not %s", text_string(&known),
                        subject->listing->architecture[0] ? subject->listing->architecture
                                                          : "an architecture without a name");
        text_release(&known);
        return STATUS_UNSUPPORTED;
    }
    return rule ? rule(&own, error) : inspect_refuse(subject->test, step, "SASS", error);
}
