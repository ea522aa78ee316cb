// SPDX-License-Identifier: Apache-2.0
/* VULKAN, C and OPENCL tests for WebGPU, whose language WGSL has less than Vulkan: atomic operations of 32 bits without
 * an order, and barriers of a work-group. Its memory model is Vulkan's, and what browsers make of it for Vulkan are
 * VULKAN's words: an atomic operation of the device, a plain access that is non-private, a barrier that makes available
 * and visible (docs/internals/webgpu.md). So map.c says what is judged. */
#include "backends/webgpu/wgsl.h"
#include "kernel/lower.h"

static bool lower_wgsl_applies(enum litmus_dialect dialect)
{
    return dialect == LITMUS_VULKAN || dialect == LITMUS_C || dialect == LITMUS_OPENCL;
}

static enum status lower_wgsl_refuse(const char *what, struct error *error)
{
    return error_set(error, STATUS_UNSUPPORTED, "%s: WGSL has none", what);
}

/* ---- accesses ---- */

static const char *atomic_function(enum litmus_operation operation)
{
    static const char *const functions[LITMUS_OPERATION_COUNT] = {
        [LITMUS_LOAD] = "atomicLoad",     [LITMUS_STORE] = "atomicStore",   [LITMUS_EXCHANGE] = "atomicExchange",
        [LITMUS_FETCH_ADD] = "atomicAdd", [LITMUS_FETCH_SUB] = "atomicSub", [LITMUS_FETCH_AND] = "atomicAnd",
        [LITMUS_FETCH_OR] = "atomicOr",   [LITMUS_FETCH_XOR] = "atomicXor", [LITMUS_FETCH_MIN] = "atomicMin",
        [LITMUS_FETCH_MAX] = "atomicMax",
    };
    return functions[operation];
}

static void lower_wgsl_plain(const struct access_shape *shape, struct text *text)
{
    const char *const array = shape->region == LITMUS_LOCAL ? "plain_local" : "plain";
    if (shape->operation == LITMUS_LOAD)
        text_add(text, "return %s(%s[p]);", lower_type(shape->type), array);
    else
        text_add(text, "%s[p] = u32(value);", array);
}

static void lower_wgsl_cas(const struct access_shape *shape, const char *array, struct text *text)
{
    const char *const type = lower_type(shape->type);
    if (shape->expected == EXPECTED_VALUE)
        text_add(text, "return %s(compare_%s(p, u32(expected), u32(value)));", type, array);
    else
        text_add(text,
                 "u32 old = compare_%s(p, u32(expected), u32(value));\n    int same = int(old == u32(expected));\n"
                 "    expected = %s(old);\n    return same;",
                 array, type);
}

static void lower_wgsl_atomic(const struct access_shape *shape, const char *array, struct text *text)
{
    const bool stores = shape->operation == LITMUS_STORE;
    text_add(text, "%s%s%s%s(&%s[p]%s)%s;", stores ? "" : "return ", stores ? "" : lower_type(shape->type),
             stores ? "" : "(", atomic_function(shape->operation), array,
             shape->operation == LITMUS_LOAD ? "" : ", u32(value)", stores ? "" : ")");
}

static enum status check_access(const struct access_shape *shape, struct error *error)
{
    const bool plain = shape->order == LITMUS_PLAIN;
    if (shape->constant)
        return lower_wgsl_refuse("constant memory of a test", error);
    if (shape->generic)
        return lower_wgsl_refuse("a generic pointer", error);
    if (shape->is_volatile || shape->order == LITMUS_VOLATILE)
        return lower_wgsl_refuse("a volatile access", error);
    if (plain ? !(shape->semantics & LITMUS_NON_PRIVATE) : shape->order != LITMUS_RELAXED)
        return lower_wgsl_refuse(plain ? "a private access" : "an order other than relaxed", error);
    if (plain && shape->semantics & (LITMUS_AVAILABLE | LITMUS_VISIBLE))
        return lower_wgsl_refuse("a plain access that makes available or visible", error);
    if ((shape->operation == LITMUS_FETCH_MIN || shape->operation == LITMUS_FETCH_MAX) &&
        !litmus_type_is_unsigned(shape->type))
        return lower_wgsl_refuse("a signed minimum or maximum of a word that is unsigned elsewhere", error);
    return STATUS_OK;
}

static enum status lower_wgsl_access(const struct access_shape *shape, struct text *text, struct error *error)
{
    const char *const array = shape->region == LITMUS_LOCAL ? "local_memory" : "memory";
    struct access_shape mapped;
    struct mapped_fences none;
    TRY(lower_mapped(&mapping_vulkan, shape, &mapped, &none, error));
    TRY(check_access(&mapped, error));
    if (mapped.order == LITMUS_PLAIN)
        lower_wgsl_plain(&mapped, text);
    else if (mapped.operation == LITMUS_CAS)
        lower_wgsl_cas(&mapped, array, text);
    else if (atomic_function(mapped.operation))
        lower_wgsl_atomic(&mapped, array, text);
    else
        return lower_wgsl_refuse(litmus_operation_name(LITMUS_OPENCL, shape->operation), error);
    return STATUS_OK;
}

/* ---- fences and barriers ---- */

static enum status lower_wgsl_fence(const struct litmus_fence *fence, enum litmus_dialect dialect,
                                    UNUSED struct text *text, struct error *error)
{
    struct litmus_fence mapped = *fence;
    TRY(mapping_vulkan.fence(dialect, &mapped, error));
    return mapped.order == LITMUS_RELAXED ? STATUS_OK /* it orders nothing */ : lower_wgsl_refuse("a fence", error);
}

static enum status lower_wgsl_barrier(const struct litmus_barrier *barrier, enum litmus_dialect dialect,
                                      struct text *text, struct error *error)
{
    enum { BUFFER = 1 /* sc0 */, GROUP_MEMORY = 2 /* sc1 */ };
    struct litmus_barrier mapped = *barrier;
    struct mapped_fences none;
    TRY(mapping_vulkan.barrier(dialect, &mapped, &none, error));
    const unsigned storage = (mapped.semantics & LITMUS_ON_STORAGE) >> LITMUS_STORAGE_SHIFT;
    if (litmus_barrier_level(LITMUS_VULKAN, &mapped) != LITMUS_WORK_GROUP || mapped.scope != LITMUS_WORK_GROUP)
        return lower_wgsl_refuse("a barrier with another scope than the work-group", error);
    if (storage != BUFFER && storage != GROUP_MEMORY && storage != (BUFFER | GROUP_MEMORY))
        return lower_wgsl_refuse("a barrier that orders no memory, or memory of other storage classes", error);
    text_add(text, "%s%s", storage & GROUP_MEMORY ? "workgroupBarrier();" : "",
             storage & BUFFER ? "storageBarrier();" : "");
    return STATUS_OK;
}

enum status kernel_print_wgsl(const struct kernel *kernel, struct text *wgsl, struct error *error)
{
    return wgsl_translate(kernel->source, wgsl, error);
}

const struct lowering lowering_wgsl = {
    .name = "wgsl",
    .syntax = &syntax_wgsl,
    .takes = BACKEND_TAKES_WGSL,
    .separate = true,
    .one_spelling = true,
    .applies = lower_wgsl_applies,
    .access = lower_wgsl_access,
    .fence = lower_wgsl_fence,
    .barrier = lower_wgsl_barrier,
};
