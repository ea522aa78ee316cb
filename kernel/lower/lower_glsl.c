// SPDX-License-Identifier: Apache-2.0
/*
 * VULKAN, C and OPENCL tests in GLSL with GL_KHR_memory_scope_semantics, whose functions become the
 * instructions of SPIR-V that VULKAN's words stand for (docs/reference/language-vulkan.md). A C or
 * OPENCL instruction is first mapped to VULKAN's words by map_vulkan.c.
 */
#include "kernel/lower.h"

static bool applies(enum litmus_dialect dialect)
{
    return dialect == LITMUS_VULKAN || dialect == LITMUS_C || dialect == LITMUS_OPENCL;
}

/* ---- words ---- */

static const char *scope_word(enum litmus_scope scope)
{
    static const char *const words[LITMUS_SCOPE_COUNT] = {
        [LITMUS_SUB_GROUP] = "gl_ScopeSubgroup",
        [LITMUS_WORK_GROUP] = "gl_ScopeWorkgroup",
        [LITMUS_QUEUE_FAMILY] = "gl_ScopeQueueFamily",
        [LITMUS_DEVICE] = "gl_ScopeDevice",
    };
    return words[scope] ? words[scope] : "";
}

/* "gl_StorageSemanticsBuffer, gl_SemanticsRelease | gl_SemanticsMakeAvailable" */
static void add_semantics(enum litmus_order order, unsigned semantics, struct text *text)
{
    static const char *const orders[LITMUS_ORDER_COUNT] = {
        [LITMUS_ACQUIRE] = "gl_SemanticsAcquire",
        [LITMUS_RELEASE] = "gl_SemanticsRelease",
        [LITMUS_ACQ_REL] = "gl_SemanticsAcquireRelease",
    };
    if (!orders[order]) {
        text_add(text, "0, 0");
        return;
    }
    const bool buffer = semantics & 1U << LITMUS_STORAGE_SHIFT, shared = semantics & 2U << LITMUS_STORAGE_SHIFT;
    text_add(text, "%s%s%s, %s%s%s", buffer ? "gl_StorageSemanticsBuffer" : "", buffer && shared ? " | " : "",
             shared ? "gl_StorageSemanticsShared" : "", orders[order],
             semantics & LITMUS_MAKE_AVAILABLE ? " | gl_SemanticsMakeAvailable" : "",
             semantics & LITMUS_MAKE_VISIBLE ? " | gl_SemanticsMakeVisible" : "");
}

/* sc0 is a storage buffer and sc1 the work-group's memory; a kernel has no others. */
static enum status check_storage(unsigned semantics, struct error *error)
{
    const unsigned others = LITMUS_OF_STORAGE & ~3U;
    return semantics & (others | others << LITMUS_STORAGE_SHIFT)
               ? error_set(
                     error, STATUS_UNSUPPORTED,
                     "the storage classes sc2 and sc3: a kernel has sc0, a buffer, and sc1, the work-group's memory")
               : STATUS_OK;
}

/* ---- accesses ---- */

static bool is_signed_extreme(const struct access_shape *shape)
{
    return (shape->operation == LITMUS_FETCH_MIN || shape->operation == LITMUS_FETCH_MAX) &&
           !litmus_type_is_unsigned(shape->type);
}

/* The array's name for such accesses: "memory_dv". */
static const char *array_of(const struct access_shape *shape)
{
    static const char *const chained[LITMUS_SCOPE_COUNT] = {
        [LITMUS_SUB_GROUP] = "memory_sg",
        [LITMUS_WORK_GROUP] = "memory_wg",
        [LITMUS_QUEUE_FAMILY] = "memory_qf",
        [LITMUS_DEVICE] = "memory_dv",
    };
    if (shape->region == LITMUS_LOCAL)
        return "local_memory";
    if (shape->order != LITMUS_PLAIN)
        return is_signed_extreme(shape) ? "memory_signed" : "memory";
    if (shape->semantics & (LITMUS_AVAILABLE | LITMUS_VISIBLE))
        return chained[shape->scope];
    if (shape->is_volatile)
        return "memory_volatile";
    return shape->semantics & LITMUS_NON_PRIVATE ? "memory" : "memory_private";
}

/* What follows the array's name: p counts words of 32 bits. */
static const char *place_of(enum litmus_type type)
{
    const size_t size = litmus_type_size(type);
    return size == 8 ? "_64[p / 2u]" : size == 4 ? "[p]" : size == 2 ? "_16[p * 2u]" : "_8[p * 4u]";
}

/* The number that is in memory. */
static const char *number_of(enum litmus_type type)
{
    const size_t size = litmus_type_size(type);
    return size == 8 ? "u64" : size == 4 ? "u32" : size == 2 ? "u16" : "u8";
}

static void lower_plain(const struct access_shape *shape, struct text *text)
{
    const char *const array = array_of(shape), *const place = place_of(shape->type);
    if (shape->operation == LITMUS_LOAD)
        text_add(text, "return %s(%s%s);", lower_type(shape->type), array, place);
    else
        text_add(text, "%s%s = %s(value);", array, place, number_of(shape->type));
}

static void lower_cas(const struct access_shape *shape, struct text *text)
{
    const bool gives_old = shape->expected == EXPECTED_VALUE;
    const char *const type = lower_type(shape->type), *const number = number_of(shape->type);
    if (gives_old)
        text_add(text, "return %s(", type);
    else
        text_add(text, "%s old = ", number);
    text_add(text, "atomicCompSwap(%s%s, %s(expected), %s(value), %s, ", array_of(shape), place_of(shape->type), number,
             number, scope_word(shape->scope));
    add_semantics(shape->order, shape->semantics, text);
    text_add(text, ", ");
    add_semantics(shape->failure, shape->semantics & ~(unsigned)LITMUS_MAKE_AVAILABLE, text);
    if (gives_old)
        text_add(text, "));");
    else
        text_add(text, ");\n    int same = int(old == %s(expected));\n    expected = %s(old);\n    return same;",
                 number, type);
}

/* GLSL has no atomicSub. */
static const char *function_of(enum litmus_operation operation)
{
    static const char *const functions[LITMUS_OPERATION_COUNT] = {
        [LITMUS_LOAD] = "atomicLoad",     [LITMUS_STORE] = "atomicStore",   [LITMUS_EXCHANGE] = "atomicExchange",
        [LITMUS_FETCH_ADD] = "atomicAdd", [LITMUS_FETCH_SUB] = "atomicAdd", [LITMUS_FETCH_AND] = "atomicAnd",
        [LITMUS_FETCH_OR] = "atomicOr",   [LITMUS_FETCH_XOR] = "atomicXor", [LITMUS_FETCH_MIN] = "atomicMin",
        [LITMUS_FETCH_MAX] = "atomicMax",
    };
    return functions[operation];
}

static void lower_atomic(const struct access_shape *shape, struct text *text)
{
    const bool stores = shape->operation == LITMUS_STORE;
    text_add(text, "%s%s%s", stores ? "" : "return ", stores ? "" : lower_type(shape->type), stores ? "" : "(");
    text_add(text, "%s(%s%s, ", function_of(shape->operation), array_of(shape), place_of(shape->type));
    if (shape->operation == LITMUS_FETCH_SUB)
        text_add(text, "0u - %s(value), ", number_of(shape->type));
    else if (shape->operation != LITMUS_LOAD)
        text_add(text, "%s(value), ", is_signed_extreme(shape) ? lower_type(shape->type) : number_of(shape->type));
    text_add(text, "%s, ", scope_word(shape->scope));
    add_semantics(shape->order, shape->semantics, text);
    text_add(text, stores ? ");" : "));");
}

static enum status lower_access(const struct access_shape *shape, struct text *text, struct error *error)
{
    struct access_shape mapped;
    struct mapped_fences none;
    TRY(lower_mapped(&mapping_vulkan, shape, &mapped, &none, error));
    TRY(check_storage(mapped.semantics, error));
    if (shape->constant)
        return error_set(error, STATUS_UNSUPPORTED, "constant memory in GLSL");
    if (shape->generic)
        return error_set(error, STATUS_UNSUPPORTED, "a generic pointer: GLSL has none");
    if (mapped.order != LITMUS_PLAIN && litmus_type_size(shape->type) < 4)
        return error_set(error, STATUS_UNSUPPORTED, "an atomic access of %s: Vulkan has none of 8 or 16 bits",
                         litmus_type_name(shape->type));
    if (shape->region == LITMUS_LOCAL && is_signed_extreme(shape))
        return error_set(error, STATUS_UNSUPPORTED, "a signed minimum or maximum in the work-group's memory");
    if (mapped.order == LITMUS_PLAIN)
        lower_plain(&mapped, text);
    else if (mapped.operation == LITMUS_CAS)
        lower_cas(&mapped, text);
    else if (function_of(mapped.operation))
        lower_atomic(&mapped, text);
    else
        return error_set(error, STATUS_UNSUPPORTED, "%s in GLSL",
                         litmus_operation_name(LITMUS_OPENCL, shape->operation));
    return STATUS_OK;
}

static enum status lower_fence(const struct litmus_fence *fence, enum litmus_dialect dialect, struct text *text,
                               struct error *error)
{
    struct litmus_fence mapped = *fence;
    TRY(mapping_vulkan.fence(dialect, &mapped, error));
    TRY(check_storage(mapped.semantics, error));
    if (mapped.semantics & (LITMUS_AVAILABLE_DEVICE | LITMUS_VISIBLE_DEVICE))
        return error_set(error, STATUS_UNSUPPORTED, "avdevice and visdevice: they are the host's, between dispatches");
    if (mapped.order == LITMUS_RELAXED)
        return STATUS_OK; /* it orders nothing */
    text_add(text, "memoryBarrier(%s, ", scope_word(mapped.scope));
    add_semantics(mapped.order, mapped.semantics, text);
    text_add(text, ");");
    return STATUS_OK;
}

static enum status lower_barrier(const struct litmus_barrier *barrier, enum litmus_dialect dialect, struct text *text,
                                 struct error *error)
{
    struct litmus_barrier mapped = *barrier;
    struct mapped_fences none;
    TRY(mapping_vulkan.barrier(dialect, &mapped, &none, error));
    TRY(check_storage(mapped.semantics, error));
    text_add(text, "controlBarrier(%s, %s, ",
             mapped.scope == LITMUS_SUB_GROUP ? "gl_ScopeSubgroup" : "gl_ScopeWorkgroup", scope_word(mapped.scope));
    add_semantics(mapped.order, mapped.semantics, text);
    text_add(text, ");");
    return STATUS_OK;
}

const struct lowering lowering_glsl = {
    .name = "glsl",
    .syntax = &syntax_glsl,
    .takes = BACKEND_TAKES_GLSL,
    .one_spelling = true,
    .applies = applies,
    .access = lower_access,
    .fence = lower_fence,
    .barrier = lower_barrier,
};
