// SPDX-License-Identifier: Apache-2.0
/*
 * The C++ to PTX mapping of the PTX ISA's memory consistency chapter: a plain access is weak, one of a volatile location is
 * volatile, seq_cst is fence.sc before an acquire load, a relaxed store or an acquire read-modify-write. This is weaker than
 * OpenCL if a seq_cst access reads from a weaker release: docs/internals/lowering.md.
 */
#include <stddef.h>

#include "kernel/map.h"
#include "litmus/language/order.h"

/* The narrowest of PTX's scopes that covers one. */
static const enum litmus_scope scopes[LITMUS_SCOPE_COUNT] = {
    [LITMUS_SCOPE_NONE] = LITMUS_SCOPE_NONE, [LITMUS_WORK_ITEM] = LITMUS_WORK_GROUP,
    [LITMUS_SUB_GROUP] = LITMUS_WORK_GROUP,  [LITMUS_WORK_GROUP] = LITMUS_WORK_GROUP,
    [LITMUS_CLUSTER] = LITMUS_CLUSTER,       [LITMUS_QUEUE_FAMILY] = LITMUS_QUEUE_FAMILY,
    [LITMUS_DEVICE] = LITMUS_DEVICE,         [LITMUS_ALL_DEVICES] = LITMUS_ALL_DEVICES,
};

/* What a fence of an order becomes. */
static const enum litmus_order fence_orders[LITMUS_ORDER_COUNT] = {
    [LITMUS_PLAIN] = LITMUS_ACQ_REL,   [LITMUS_VOLATILE] = LITMUS_ACQ_REL, [LITMUS_RELAXED] = LITMUS_RELAXED,
    [LITMUS_ACQUIRE] = LITMUS_ACQ_REL, [LITMUS_RELEASE] = LITMUS_ACQ_REL,  [LITMUS_ACQ_REL] = LITMUS_ACQ_REL,
    [LITMUS_SEQ_CST] = LITMUS_SEQ_CST,
};

static struct litmus_fence fence_of(enum litmus_order order, enum litmus_scope scope)
{
    return (struct litmus_fence){.order = order, .scope = scope, .proxy = LITMUS_GENERIC};
}

/* The fence releases, so the access itself only acquires. */
static void map_seq_cst(struct litmus_access *access, struct mapped_fences *fences)
{
    *fences = (struct mapped_fences){.before = true, .fence = fence_of(LITMUS_SEQ_CST, access->scope)};
    access->order = access->operation == LITMUS_STORE ? LITMUS_RELAXED : LITMUS_ACQUIRE;
}

static enum status map_access(enum litmus_region region, bool is_volatile, struct litmus_access *access,
                              struct mapped_fences *fences, struct error *error)
{
    (void)region;
    (void)error;
    *fences = (struct mapped_fences){0};
    access->scope = scopes[access->scope];
    if (access->order == LITMUS_VOLATILE)
        return STATUS_OK;
    if (access->order == LITMUS_PLAIN && is_volatile) { /* weak accesses may be merged; a volatile one must be made */
        access->order = LITMUS_VOLATILE;
        access->scope = LITMUS_ALL_DEVICES;
    }
    if (access->operation == LITMUS_CAS_WEAK)
        access->operation = LITMUS_CAS; /* PTX's does not fail spuriously */
    if (access->operation == LITMUS_CAS)
        access->order = order_joined(access->order, access->failure);
    if (access->order == LITMUS_SEQ_CST)
        map_seq_cst(access, fences);
    access->failure = access->order;
    return STATUS_OK;
}

static enum status map_fence(enum litmus_dialect from, struct litmus_fence *fence, struct error *error)
{
    (void)error;
    if (from == LITMUS_PTX)
        return STATUS_OK;
    fence->scope = scopes[fence->scope];
    fence->order = fence_orders[fence->order];
    return STATUS_OK;
}

/* In OPENCL a barrier's scope is what it orders; in PTX, which threads meet. Beyond these, PTX needs a fence on either side. */
static enum status map_barrier(enum litmus_dialect from, struct litmus_barrier *barrier, struct mapped_fences *fences,
                               struct error *error)
{
    const enum litmus_scope level = litmus_barrier_level(from, barrier);
    const bool wide = from == LITMUS_OPENCL && barrier->scope > level;
    (void)error;
    *fences = (struct mapped_fences){.before = wide, .after = wide, .fence = fence_of(LITMUS_ACQ_REL, barrier->scope)};
    if (from == LITMUS_OPENCL)
        barrier->scope = level;
    return STATUS_OK;
}

const struct mapping mapping_ptx = {.to = LITMUS_PTX, .access = map_access, .fence = map_fence, .barrier = map_barrier};
