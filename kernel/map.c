// SPDX-License-Identifier: Apache-2.0
/* What an access, a fence or a barrier becomes in the words of PTX and of VULKAN. */
#include "kernel/map.h"
#include "litmus/language/order.h"

/* ---- C, OPENCL and CUDA in the words of PTX ---- */

/* The C++ to PTX mapping of the PTX ISA's memory consistency chapter: a plain access is weak, one of a volatile
 * location is volatile, seq_cst is fence.sc before an acquire load, a relaxed store or an acquire read-modify-write.
 * This is weaker than OpenCL if a seq_cst access reads from a weaker release: docs/internals/lowering.md. */

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

static enum status access_to_ptx(UNUSED enum litmus_region region, bool is_volatile, struct litmus_access *access,
                                 struct mapped_fences *fences, UNUSED struct error *error)
{
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

static enum status fence_to_ptx(enum litmus_dialect from, struct litmus_fence *fence, UNUSED struct error *error)
{
    if (from == LITMUS_PTX || litmus_fence_is_of_grids(fence))
        return STATUS_OK;
    fence->scope = scopes[fence->scope];
    fence->order = fence_orders[fence->order];
    return STATUS_OK;
}

/* In OPENCL a barrier's scope is what it orders; in PTX, which threads meet. Beyond these, PTX needs a fence on either
 * side. */
static enum status barrier_to_ptx(enum litmus_dialect from, struct litmus_barrier *barrier,
                                  struct mapped_fences *fences, UNUSED struct error *error)
{
    const enum litmus_scope level = litmus_barrier_level(from, barrier);
    const bool wide = from == LITMUS_OPENCL && barrier->scope > level;
    *fences = (struct mapped_fences){.before = wide, .after = wide, .fence = fence_of(LITMUS_ACQ_REL, barrier->scope)};
    if (from == LITMUS_OPENCL)
        barrier->scope = level;
    return STATUS_OK;
}

const struct mapping mapping_ptx = {
    .to = LITMUS_PTX, .access = access_to_ptx, .fence = fence_to_ptx, .barrier = barrier_to_ptx};

/* ---- C and OPENCL in the words of VULKAN ---- */

/* An atomic access keeps its order, scope and operation. A release makes available and an acquire makes visible, in
 * buffers and in the work-group's memory; a plain access is non-private. */

enum { BUFFER = 1 /* sc0 */, GROUP_MEMORY = 2 /* sc1 */ };

static const struct litmus_fence visible = {.semantics = LITMUS_VISIBLE_DEVICE},
                                 available = {.semantics = LITMUS_AVAILABLE_DEVICE};

static enum status check_order(enum litmus_order order, struct error *error)
{
    return order == LITMUS_SEQ_CST
               ? error_set(error, STATUS_UNSUPPORTED, "seq_cst, because Vulkan has no sequentially consistent order")
               : STATUS_OK;
}

/* An invocation's own scope is written as its sub-group's. */
static enum status map_scope(enum litmus_scope *scope, struct error *error)
{
    if (*scope == LITMUS_WORK_ITEM)
        *scope = LITMUS_SUB_GROUP;
    return *scope == LITMUS_ALL_DEVICES
               ? error_set(error, STATUS_UNSUPPORTED, "all_svm_devices (a Vulkan device does not share memory)")
               : STATUS_OK;
}

static enum status access_to_vulkan(enum litmus_region region, UNUSED bool is_volatile, struct litmus_access *access,
                                    struct mapped_fences *fences, struct error *error)
{
    const unsigned own = region == LITMUS_LOCAL ? GROUP_MEMORY : BUFFER;
    const bool is_mapped = ordering_storage(access->ordering); /* a VULKAN test's */
    *fences = (struct mapped_fences){0};
    if (access->order == LITMUS_PLAIN && !is_mapped) {
        access->semantics = own | LITMUS_NON_PRIVATE;
        access->scope = LITMUS_SCOPE_NONE;
    } else if (!is_mapped) {
        TRY(check_order(access->order, error));
        TRY(check_order(access->failure, error));
        TRY(map_scope(&access->scope, error));
        access->semantics = own | order_semantics(access->order, BUFFER | GROUP_MEMORY, true);
    }
    if (access->operation == LITMUS_CAS_WEAK)
        access->operation = LITMUS_CAS;  /* SPIR-V's does not fail spuriously */
    if (access->operation == LITMUS_CAS) /* one that fails only reads */
        access->failure = order_acquires(access->failure) ? LITMUS_ACQUIRE : LITMUS_RELAXED;
    return STATUS_OK;
}

/* The classes that CLK_GLOBAL_MEM_FENCE and CLK_LOCAL_MEM_FENCE name; a C test has only buffers. */
static unsigned storage_of(enum litmus_dialect from, bool global, bool local)
{
    return from == LITMUS_C ? BUFFER : (global ? BUFFER : 0U) | (local ? GROUP_MEMORY : 0U);
}

static enum status fence_to_vulkan(enum litmus_dialect from, struct litmus_fence *fence, struct error *error)
{
    if (from == LITMUS_VULKAN)
        return STATUS_OK;
    const unsigned storage = storage_of(from, fence->flag_global, fence->flag_local);
    TRY(check_order(fence->order, error));
    TRY(map_scope(&fence->scope, error));
    if (fence->flag_image)
        return error_set(error, STATUS_UNSUPPORTED, "a fence of images");
    if (storage == 0)
        fence->order = LITMUS_RELAXED;
    fence->semantics = order_semantics(fence->order, storage, true);
    return STATUS_OK;
}

static enum status barrier_to_vulkan(enum litmus_dialect from, struct litmus_barrier *barrier,
                                     struct mapped_fences *fences, struct error *error)
{
    *fences = (struct mapped_fences){0};
    if (from == LITMUS_VULKAN)
        return STATUS_OK;
    const unsigned storage = storage_of(from, barrier->flag_global, barrier->flag_local);
    if (barrier->flag_image)
        return error_set(error, STATUS_UNSUPPORTED, "a barrier of images");
    if (barrier->scope == LITMUS_SCOPE_NONE)
        barrier->scope = barrier->sub_group ? LITMUS_SUB_GROUP : LITMUS_WORK_GROUP;
    TRY(map_scope(&barrier->scope, error));
    if ((barrier->scope == LITMUS_SUB_GROUP) != barrier->sub_group)
        return error_set(
            error, STATUS_UNSUPPORTED,
            "a barrier of a %s with another memory scope (a VULKAN barrier has one scope, and sub-groups meet at "
            "their own)",
            barrier->sub_group ? "sub-group" : "work-group");
    barrier->sub_group = false; /* the scope says it */
    barrier->order = storage == 0 ? LITMUS_PLAIN : LITMUS_ACQ_REL;
    barrier->semantics = order_semantics(barrier->order, storage, true);
    return STATUS_OK;
}

const struct mapping mapping_vulkan = {.to = LITMUS_VULKAN,
                                       .access = access_to_vulkan,
                                       .fence = fence_to_vulkan,
                                       .barrier = barrier_to_vulkan,
                                       .no_vector = "a vector access",
                                       .no_expected_place = "a compare_exchange whose expected value is in memory",
                                       .host_before = &visible,
                                       .host_after = &available};
