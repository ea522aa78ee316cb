// SPDX-License-Identifier: Apache-2.0
/* VULKAN, C and OPENCL tests in GLSL with GL_KHR_memory_scope_semantics, whose functions become the instructions of
 * SPIR-V that VULKAN's words stand for (docs/reference/language-vulkan.md). A C or OPENCL instruction is first mapped
 * to VULKAN's words by map.c. */
#include "kernel/lower.h"
#include "litmus/language/vulkan_instructions.h"

static bool lower_glsl_applies(enum litmus_dialect dialect)
{
    return dialect == LITMUS_VULKAN || dialect == LITMUS_C || dialect == LITMUS_OPENCL;
}

/* ---- words ---- */

static const char *glsl_word(enum vulkan_part part, unsigned value)
{
    const struct vulkan_word *word = vulkan_word_of(part, value);
    return word && word->glsl ? word->glsl : "";
}

/* Appends the words of those bits of memory semantics, "|" between them and, if `follow`, before the first. */
static void add_bits(unsigned bits, bool follow, struct text *text)
{
    for (const struct vulkan_word *word = NULL; (word = vulkan_next_word(VULKAN_SEMANTICS, word));)
        if (word->glsl && (bits & word->value)) {
            text_add(text, "%s%s", follow ? " | " : "", word->glsl);
            follow = true;
        }
}

/* "gl_StorageSemanticsBuffer, gl_SemanticsRelease | gl_SemanticsMakeAvailable" */
static void add_semantics(struct litmus_ordering ordering, struct text *text)
{
    if (ordering.order <= LITMUS_RELAXED) {
        text_add(text, "0, 0");
        return;
    }
    add_bits(ordering.semantics & LITMUS_ON_STORAGE, false, text);
    text_add(text, ", %s", glsl_word(VULKAN_ORDER, ordering.order));
    add_bits(ordering.semantics & ~(unsigned)LITMUS_ON_STORAGE, true, text);
}

/* sc0 is a storage buffer and sc1 the work-group's memory; a kernel has no others. */
static enum status check_storage(struct litmus_ordering ordering, struct error *error)
{
    const unsigned others = LITMUS_OF_STORAGE & ~3U;
    return ordering.semantics & (others | others << LITMUS_STORAGE_SHIFT)
               ? error_set(error, STATUS_UNSUPPORTED,
                           "the storage classes sc2 and sc3 (kernels have only sc0, a buffer, and sc1, local memory)")
               : STATUS_OK;
}

/* ---- accesses ---- */

static bool is_signed_extreme(const struct access_shape *shape)
{
    return (shape->operation == LITMUS_FETCH_MIN || shape->operation == LITMUS_FETCH_MAX) &&
           !litmus_type_is_unsigned(shape->type);
}

/* The word at p for such accesses: "VIEW_AT(memory_dv, p)" by the name of the view, "local_memory[p]". */
static void lower_glsl_add_place(const struct access_shape *shape, struct text *text)
{
    const size_t size = litmus_type_size(shape->type);
    const bool plain = shape->order == LITMUS_PLAIN, chained = shape->semantics & (LITMUS_AVAILABLE | LITMUS_VISIBLE);
    if (shape->region == LITMUS_LOCAL) {
        text_add(text, "local_memory[p]"); /* access_note_type refuses other sizes there */
        return;
    }
    text_add(text, "VIEW%s_AT(", size == 8 ? "_64" : size == 4 ? "" : size == 2 ? "_16" : "_8");
    if (!plain)
        text_add(text, "%s", is_signed_extreme(shape) ? "memory_signed" : "memory");
    else if (chained)
        text_add(text, "memory_%s", vulkan_word_name(VULKAN_SCOPE, shape->scope));
    else if (shape->is_volatile)
        text_add(text, "memory_volatile");
    else
        text_add(text, "%s", shape->semantics & LITMUS_NON_PRIVATE ? "memory" : "memory_private");
    text_add(text, ", p)");
}

/* The number that is in memory. */
static const char *lower_glsl_number_of(enum litmus_type type)
{
    const size_t size = litmus_type_size(type);
    return size == 8 ? "u64" : size == 4 ? "u32" : size == 2 ? "u16" : "u8";
}

static void lower_plain(const struct access_shape *shape, struct text *text)
{
    const bool loads = shape->operation == LITMUS_LOAD;
    if (loads)
        text_add(text, "return %s(", lower_type(shape->type));
    lower_glsl_add_place(shape, text);
    if (loads)
        text_add(text, ");");
    else
        text_add(text, " = %s(value);", lower_glsl_number_of(shape->type));
}

/* "atomicAdd(memory[p]" */
static void lower_glsl_add_call(const struct access_shape *shape, struct text *text)
{
    text_add(text, "%s(", vulkan_instruction_of(shape->operation, true)->glsl);
    lower_glsl_add_place(shape, text);
}

static void lower_cas(const struct access_shape *shape, struct text *text)
{
    const bool gives_old = shape->expected == EXPECTED_VALUE;
    const char *const type = lower_type(shape->type), *const number = lower_glsl_number_of(shape->type);
    if (gives_old)
        text_add(text, "return %s(", type);
    else
        text_add(text, "%s old = ", number);
    lower_glsl_add_call(shape, text);
    text_add(text, ", %s(expected), %s(value), %s, ", number, number, glsl_word(VULKAN_SCOPE, shape->scope));
    add_semantics(shape->ordering, text);
    text_add(text, ", ");
    add_semantics(vulkan_failure(shape->ordering, shape->failure), text);
    if (gives_old)
        text_add(text, "));");
    else
        text_add(text, ");\n    int same = int(old == %s(expected));\n    expected = %s(old);\n    return same;",
                 number, type);
}

static void lower_atomic(const struct access_shape *shape, struct text *text)
{
    const bool stores = shape->operation == LITMUS_STORE;
    text_add(text, "%s%s%s", stores ? "" : "return ", stores ? "" : lower_type(shape->type), stores ? "" : "(");
    lower_glsl_add_call(shape, text);
    text_add(text, ", ");
    if (shape->operation == LITMUS_FETCH_SUB)
        text_add(text, "0u - %s(value), ", lower_glsl_number_of(shape->type));
    else if (shape->operation != LITMUS_LOAD)
        text_add(text, "%s(value), ",
                 is_signed_extreme(shape) ? lower_type(shape->type) : lower_glsl_number_of(shape->type));
    text_add(text, "%s, ", glsl_word(VULKAN_SCOPE, shape->scope));
    add_semantics(shape->ordering, text);
    text_add(text, stores ? ");" : "));");
}

static enum status lower_glsl_lower_access(const struct access_shape *shape, struct text *text, struct error *error)
{
    struct access_shape mapped;
    struct mapped_fences none;
    TRY(lower_mapped(&mapping_vulkan, shape, &mapped, &none, error));
    TRY(check_storage(mapped.ordering, error));
    if (shape->constant)
        return error_set(error, STATUS_UNSUPPORTED, "constant memory in GLSL");
    if (shape->generic)
        return error_set(error, STATUS_UNSUPPORTED, "a generic pointer, which GLSL does not have");
    if (mapped.order != LITMUS_PLAIN && litmus_type_size(shape->type) < 4)
        return error_set(error, STATUS_UNSUPPORTED, "an atomic access of %s (Vulkan has no atomics of 8 or 16 bits)",
                         litmus_type_name(shape->type));
    if (shape->region == LITMUS_LOCAL && is_signed_extreme(shape))
        return error_set(error, STATUS_UNSUPPORTED, "a signed minimum or maximum in the work-group's memory");
    if (mapped.order == LITMUS_PLAIN)
        lower_plain(&mapped, text);
    else if (mapped.operation == LITMUS_CAS)
        lower_cas(&mapped, text);
    else if (vulkan_instruction_of(mapped.operation, true))
        lower_atomic(&mapped, text);
    else
        return error_set(error, STATUS_UNSUPPORTED, "%s in GLSL",
                         litmus_operation_name(LITMUS_OPENCL, shape->operation));
    return STATUS_OK;
}

static enum status lower_glsl_lower_fence(const struct litmus_fence *fence, enum litmus_dialect dialect,
                                          struct text *text, struct error *error)
{
    struct litmus_fence mapped = *fence;
    TRY(mapping_vulkan.fence(dialect, &mapped, error));
    TRY(check_storage(mapped.ordering, error));
    if (vulkan_host_operation(mapped.ordering))
        return error_set(error, STATUS_UNSUPPORTED, "avdevice and visdevice, which the host does between dispatches");
    if (mapped.order == LITMUS_RELAXED)
        return STATUS_OK; /* it orders nothing */
    text_add(text, "memoryBarrier(%s, ", glsl_word(VULKAN_SCOPE, mapped.scope));
    add_semantics(mapped.ordering, text);
    text_add(text, ");");
    return STATUS_OK;
}

static enum status lower_glsl_lower_barrier(const struct litmus_barrier *barrier, enum litmus_dialect dialect,
                                            struct text *text, struct error *error)
{
    struct litmus_barrier mapped = *barrier;
    struct mapped_fences none;
    TRY(mapping_vulkan.barrier(dialect, &mapped, &none, error));
    TRY(check_storage(mapped.ordering, error));
    text_add(text, "controlBarrier(%s, %s, ", glsl_word(VULKAN_SCOPE, litmus_barrier_level(LITMUS_VULKAN, &mapped)),
             glsl_word(VULKAN_SCOPE, mapped.scope));
    add_semantics(mapped.ordering, text);
    text_add(text, ");");
    return STATUS_OK;
}

const struct lowering lowering_glsl = {
    .name = "glsl",
    .syntax = &syntax_glsl,
    .takes = BACKEND_TAKES_GLSL,
    .one_spelling = true,
    .applies = lower_glsl_applies,
    .access = lower_glsl_lower_access,
    .fence = lower_glsl_lower_fence,
    .barrier = lower_glsl_lower_barrier,
};
