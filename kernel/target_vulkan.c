// SPDX-License-Identifier: Apache-2.0
/* The orders, scopes and flags of C and OPENCL as VULKAN's words. */
#include "kernel/target_vulkan.h"

#include <string.h>

enum {
    BUFFER = 1 << LITMUS_STORAGE_SHIFT,      /* semsc0 */
    GROUP_MEMORY = 2 << LITMUS_STORAGE_SHIFT /* semsc1 */
};

/* The memory semantics of an order, on those storage classes. */
static unsigned semantics_of(enum litmus_order order, unsigned storage)
{
    switch (order) {
    case LITMUS_ACQUIRE:
        return storage | LITMUS_MAKE_VISIBLE;
    case LITMUS_RELEASE:
        return storage | LITMUS_MAKE_AVAILABLE;
    case LITMUS_ACQ_REL:
        return storage | LITMUS_MAKE_AVAILABLE | LITMUS_MAKE_VISIBLE;
    default:
        return 0;
    }
}

static enum status map_order(enum litmus_order order, struct error *error)
{
    return order == LITMUS_SEQ_CST
               ? error_set(error, STATUS_UNSUPPORTED, "seq_cst: Vulkan has no sequentially consistent order")
               : STATUS_OK;
}

/* An invocation's own scope is written as its sub-group's. */
static enum status map_scope(enum litmus_scope *scope, struct error *error)
{
    if (*scope == LITMUS_WORK_ITEM)
        *scope = LITMUS_SUB_GROUP;
    return *scope == LITMUS_ALL_DEVICES
               ? error_set(error, STATUS_UNSUPPORTED, "all_svm_devices: a Vulkan device is alone with its memory")
               : STATUS_OK;
}

enum status target_vulkan_access(struct litmus_access *access, enum litmus_region region, struct error *error)
{
    const unsigned own = region == LITMUS_LOCAL ? 2 : 1;
    if (access->order == LITMUS_PLAIN) {
        access->semantics = own | LITMUS_NON_PRIVATE;
        access->scope = LITMUS_SCOPE_NONE;
        return STATUS_OK;
    }
    TRY(map_order(access->order, error));
    TRY(map_order(access->failure, error));
    TRY(map_scope(&access->scope, error));
    if (access->operation == LITMUS_CAS_WEAK)
        access->operation = LITMUS_CAS; /* SPIR-V's does not fail spuriously */
    access->semantics = own | semantics_of(access->order, BUFFER | GROUP_MEMORY);
    return STATUS_OK;
}

/* The classes that CLK_GLOBAL_MEM_FENCE and CLK_LOCAL_MEM_FENCE name; a C test has only buffers. */
static unsigned storage_of(enum litmus_dialect dialect, bool global, bool local)
{
    return dialect == LITMUS_C ? BUFFER : (global ? BUFFER : 0U) | (local ? GROUP_MEMORY : 0U);
}

enum status target_vulkan_fence(enum litmus_dialect dialect, struct litmus_fence *fence, struct error *error)
{
    const unsigned storage = storage_of(dialect, fence->flag_global, fence->flag_local);
    TRY(map_order(fence->order, error));
    TRY(map_scope(&fence->scope, error));
    if (fence->flag_image)
        return error_set(error, STATUS_UNSUPPORTED, "a fence of images");
    if (storage == 0)
        fence->order = LITMUS_RELAXED;
    fence->semantics = semantics_of(fence->order, storage);
    return STATUS_OK;
}

enum status target_vulkan_barrier(enum litmus_dialect dialect, struct litmus_barrier *barrier, struct error *error)
{
    const unsigned storage = storage_of(dialect, barrier->flag_global, barrier->flag_local);
    if (barrier->flag_image)
        return error_set(error, STATUS_UNSUPPORTED, "a barrier of images");
    const enum litmus_scope met = barrier->sub_group ? LITMUS_SUB_GROUP : LITMUS_WORK_GROUP;
    if (barrier->scope == LITMUS_SCOPE_NONE)
        barrier->scope = met;
    TRY(map_scope(&barrier->scope, error));
    if ((barrier->scope == LITMUS_SUB_GROUP) != barrier->sub_group)
        return error_set(
            error, STATUS_UNSUPPORTED,
            "a barrier of a %s with memory of another scope: VULKAN's have one scope, and the sub-group meets at "
            "its own",
            barrier->sub_group ? "sub-group" : "work-group");
    barrier->sub_group = false; /* the scope says it */
    barrier->order = storage == 0 ? LITMUS_PLAIN : LITMUS_ACQ_REL;
    barrier->semantics = semantics_of(barrier->order, storage);
    return STATUS_OK;
}

/* ---- the test ---- */

static enum status map_expression(const struct litmus_test *test, struct litmus_expression *expression,
                                  struct error *error)
{
    if (!expression)
        return STATUS_OK;
    TRY(map_expression(test, expression->left, error));
    TRY(map_expression(test, expression->right, error));
    struct litmus_access *access = expression->access;
    if (!access)
        return STATUS_OK;
    if (access->expected_address)
        return error_set(error, STATUS_UNSUPPORTED, "a compare_exchange whose expected value is in a location");
    TRY(map_expression(test, access->address, error));
    TRY(map_expression(test, access->operand, error));
    TRY(map_expression(test, access->expected, error));
    const bool known = access->address->kind == LITMUS_EXPRESSION_ADDRESS;
    return target_vulkan_access(access, known ? test->locations[access->address->index].region : LITMUS_GLOBAL, error);
}

static enum status map_block(const struct litmus_test *test, struct litmus_block *block, struct error *error);

static enum status map_statement(const struct litmus_test *test, struct litmus_statement *statement,
                                 struct error *error)
{
    TRY(map_expression(test, statement->value, error));
    TRY(map_block(test, &statement->body, error));
    TRY(map_block(test, &statement->otherwise, error));
    switch (statement->kind) {
    case LITMUS_FENCE:
        return target_vulkan_fence(test->dialect, &statement->fence, error);
    case LITMUS_BARRIER:
        return target_vulkan_barrier(test->dialect, &statement->barrier, error);
    case LITMUS_VECTOR:
        return error_set(error, STATUS_UNSUPPORTED, "a vector access");
    default:
        return STATUS_OK;
    }
}

/* A relaxed fence orders nothing and is not emitted. */
static bool is_dropped(const struct litmus_statement *statement)
{
    return statement->kind == LITMUS_FENCE && statement->fence.order == LITMUS_RELAXED;
}

static enum status map_block(const struct litmus_test *test, struct litmus_block *block, struct error *error)
{
    size_t kept = 0;
    for (size_t i = 0; i < block->count; i++) {
        TRY(map_statement(test, &block->statements[i], error));
        if (!is_dropped(&block->statements[i]))
            block->statements[kept++] = block->statements[i];
    }
    block->count = kept;
    return STATUS_OK;
}

/* An operation of the host on all memory of the device. */
static struct litmus_statement device_operation(unsigned semantics)
{
    return (struct litmus_statement){.kind = LITMUS_FENCE,
                                     .target = LITMUS_NONE,
                                     .label = LITMUS_NONE,
                                     .fence = {.order = LITMUS_PLAIN, .semantics = semantics, .proxy = LITMUS_GENERIC}};
}

enum status target_vulkan_thread(const struct litmus_test *test, struct litmus_block *block, struct arena *arena,
                                 struct error *error)
{
    TRY(map_block(test, block, error));
    if (test->edge_count == 0)
        return STATUS_OK;
    struct litmus_statement *list = arena_take(arena, block->count + 2, sizeof *list);
    list[0] = device_operation(LITMUS_VISIBLE_DEVICE);
    if (block->count > 0)
        memcpy(list + 1, block->statements, block->count * sizeof *list);
    list[block->count + 1] = device_operation(LITMUS_AVAILABLE_DEVICE);
    *block = (struct litmus_block){list, block->count + 2};
    return STATUS_OK;
}
