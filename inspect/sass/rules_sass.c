// SPDX-License-Identifier: Apache-2.0
/*
 * The SASS that a step needs, given the PTX that it was written as
 * (kernel/lower/lower_ptx.c).
 *
 * Found by compiling each PTX instruction of that file alone, at each scope and type, with ptxas
 * 11.8 and 12.4 for sm_70, 12.4 for sm_75, 80 and 90, and 13.0 for sm_75, 80, 86, 89 and 90, and
 * disassembling it with nvdisasm 12.4 (1,900 instructions). All agree on the following, which
 * NVIDIA does not document.
 *
 *   ld/st.weak             LD, ST                        LDG.E.SYS on sm_70 and sm_75, where .SYS means nothing
 *   .volatile, .relaxed    .STRONG.SYS; .STRONG.scope    cta is .CTA on sm_70 and sm_75, .SM from sm_80; cluster is .GPU
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
 * Asynchronous copies, mbarriers, clusters and other proxies are in rules_sass_async.c, vectors and
 * hints in rules_sass_vector.c.
 *
 * ptxas 12.4 and 13.0 leave MEMBAR and CCTL out of the loop for a shared atomic on sm_90: no row
 * allows that, so such a test is not kept. Other architectures are unknown, and their tests are not
 * inspected.
 */
#include <stdio.h>
#include <string.h>

#include "inspect/sass/rules_sass.h"
#include "kernel/lower.h"

/* What an access needs around it, by order. */
static const struct {
    bool fenced, strong, invalidates;
} access_orders[LITMUS_ORDER_COUNT] = {
    [LITMUS_PLAIN] = {false, false, false},  [LITMUS_VOLATILE] = {false, true, false},
    [LITMUS_RELAXED] = {false, true, false}, [LITMUS_ACQUIRE] = {false, true, true},
    [LITMUS_RELEASE] = {true, true, false},  [LITMUS_ACQ_REL] = {true, true, true},
};

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

static const unsigned learnt_architectures[] = {70, 75, 80, 86, 89, 90};

/* "sm_90" -> 90; 0 for an unknown architecture. */
static unsigned learnt_architecture(const char *name)
{
    unsigned number;
    char end;
    if (sscanf(name, "sm_%3u%c", &number, &end) != 1)
        return 0;
    for (size_t i = 0; i < sizeof learnt_architectures / sizeof *learnt_architectures; i++)
        if (learnt_architectures[i] == number)
            return number;
    return 0;
}

static enum status refuse_architecture(const char *name, struct error *error)
{
    struct text known = {0};
    for (size_t i = 0; i < sizeof learnt_architectures / sizeof *learnt_architectures; i++)
        text_add(&known, "%ssm_%u", i > 0 ? ", " : "", learnt_architectures[i]);
    (void)error_set(error, STATUS_UNSUPPORTED, "the rules for SASS cover %s, not %s", text_string(&known),
                    name[0] ? name : "an architecture without a name");
    text_release(&known);
    return STATUS_UNSUPPORTED;
}

void sass_need_fence(struct sass_needs *needs, enum litmus_order order, enum litmus_scope scope, bool is_order)
{
    if (fence_orders[order].membar != LITMUS_PLAIN)
        sass_need(needs, (struct inspect_need){.effect = MACHINE_FENCE,
                                               .order = fence_orders[order].membar,
                                               .scope = scope,
                                               .is_order = is_order});
    if (fence_orders[order].invalidates && scope > LITMUS_WORK_GROUP)
        sass_need(needs, (struct inspect_need){.effect = MACHINE_INVALIDATE, .is_order = true});
}

struct ptx_access sass_ptx_of(const struct litmus_test *test, const struct litmus_access *access)
{
    struct litmus_access mapped = *access;
    struct mapped_fences fences;
    struct error error;
    const struct litmus_location *location =
        access->address->kind == LITMUS_EXPRESSION_ADDRESS ? &test->locations[access->address->index] : NULL;
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

/* Adds the load of a compiler's own loop of compare-and-swap, which may be before or after the
 * fence. */
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

void sass_need_access(struct sass_needs *needs, const struct ptx_access *ptx)
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
        sass_need(needs,
                  (struct inspect_need){.effect = ptx->access->operation == LITMUS_LOAD ? MACHINE_LOAD : MACHINE_STORE,
                                        .order = strong ? LITMUS_RELAXED : LITMUS_PLAIN,
                                        .scope = strong ? ptx->scope : LITMUS_SCOPE_NONE,
                                        .hints = sass_hints(ptx->access),
                                        .bytes = size});
    if (access_orders[ptx->order].invalidates && ptx->scope > LITMUS_WORK_GROUP &&
        (!shared || needs->architecture >= SASS_CLUSTERS))
        sass_need(needs, (struct inspect_need){.effect = MACHINE_INVALIDATE, .is_order = true});
}

/* A compare-and-swap whose expected value is in memory: it is read before, and written if the swap
 * fails. */
static void add_through(struct sass_needs *needs, const struct ptx_access *ptx)
{
    const unsigned size = (unsigned)litmus_type_size(ptx->access->type);
    sass_need(needs, (struct inspect_need){.effect = MACHINE_LOAD, .bytes = size});
    sass_need_access(needs, ptx);
    sass_need(needs, (struct inspect_need){.effect = MACHINE_STORE, .bytes = size, .optional = true});
}

/* ---- steps ---- */

static enum status need_access(struct sass_needs *needs, struct error *error)
{
    const struct litmus_access *access = needs->step->access;
    const struct ptx_access ptx = sass_ptx_of(needs->subject->test, access);
    (void)error;
    if (access->expected_address)
        add_through(needs, &ptx);
    else
        sass_need_access(needs, &ptx);
    return STATUS_OK;
}

static enum status need_fence(struct sass_needs *needs, struct error *error)
{
    struct litmus_fence fence = *needs->step->fence;
    if (fence.restriction != LITMUS_UNRESTRICTED)
        return sass_need_proxy_fence(needs, error);
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
                       struct inspect_need needs[INSPECT_MAXIMUM_NEEDS], size_t *count, struct error *error)
{
    sass_rule *const rule = rules[inspect_step(step)];
    struct sass_needs own = {subject, step, learnt_architecture(subject->listing->architecture), needs, count};
    *count = 0;
    if (strcmp(kernel_lowering_name(subject->kernel), lowering_ptx.name) != 0)
        return error_set(error, STATUS_UNSUPPORTED, "there are no rules for SASS of the lowering %s",
                         kernel_lowering_name(subject->kernel));
    if (own.architecture == 0)
        return refuse_architecture(subject->listing->architecture, error);
    return rule ? rule(&own, error) : inspect_refuse(subject->test, step, "SASS", error);
}
