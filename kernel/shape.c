// SPDX-License-Identifier: Apache-2.0
/* Shapes: what the function of an access or a fence depends on, its name, and what it asks of a device. */
#include "kernel/body.h"
#include "litmus/language/order.h"

/* "_device"; nothing for NONE */
static void add_scope_word(enum litmus_scope scope, struct text *name)
{
    text_add(name, "%s%s", scope == LITMUS_SCOPE_NONE ? "" : "_", litmus_scope_word(scope));
}

static const char *const operation_words[LITMUS_OPERATION_COUNT] = {
    [LITMUS_LOAD] = "load",           [LITMUS_STORE] = "store",
    [LITMUS_EXCHANGE] = "exchange",   [LITMUS_CAS] = "cas",
    [LITMUS_CAS_WEAK] = "cas_weak",   [LITMUS_FETCH_ADD] = "fetch_add",
    [LITMUS_FETCH_SUB] = "fetch_sub", [LITMUS_FETCH_MUL] = "fetch_mul",
    [LITMUS_FETCH_DIV] = "fetch_div", [LITMUS_FETCH_AND] = "fetch_and",
    [LITMUS_FETCH_OR] = "fetch_or",   [LITMUS_FETCH_XOR] = "fetch_xor",
    [LITMUS_FETCH_MIN] = "fetch_min", [LITMUS_FETCH_MAX] = "fetch_max",
    [LITMUS_FETCH_INC] = "fetch_inc", [LITMUS_FETCH_DEC] = "fetch_dec",
    [LITMUS_ARRIVE] = "arrive",       [LITMUS_ARRIVE_EXPECT_TX] = "arrive_expect_tx",
    [LITMUS_EXPECT_TX] = "expect_tx", [LITMUS_COMPLETE_TX] = "complete_tx",
    [LITMUS_TEST_WAIT] = "test_wait", [LITMUS_TRY_WAIT] = "try_wait",
};

/* "_cg", "_L1_no_allocate"; nothing for NONE */
static void add_cache_word(enum litmus_cache cache, struct text *name)
{
    if (cache == LITMUS_CACHE_NONE)
        return;
    text_add(name, "_");
    for (const char *from = litmus_cache_name(cache); *from; from++)
        if (*from != ':' || from[1] == ':')
            text_add(name, "%c", *from == ':' ? '_' : *from);
}

const char *access_operation_word(enum litmus_operation operation)
{
    return operation_words[operation];
}

/* Whether the lowering uses the words of the test's language. The lowering of the host's threads may not. */
static bool is_in_words(const struct writer *writer)
{
    return writer->lowering->applies(writer->allocation->test->dialect);
}

struct access_shape access_shape_of(const struct writer *writer, const struct litmus_access *access)
{
    struct access_shape shape = {
        .operation = access->operation,
        .type = access->type,
        .ordering = access->ordering,
        .failure = access->failure,
        .spelling = access->spelling,
        .cache = access->cache,
        .prefetch = access->prefetch,
        .read_only = access->read_only,
        .mmio = access->mmio,
        .no_result = access->no_result && !operation_is_mbarrier(access->operation),
        .expected = access->expected                        ? EXPECTED_VALUE
                    : operation_compares(access->operation) ? EXPECTED_REGISTER
                                                            : EXPECTED_NONE,
    };
    /* PTX and CUDA write order and scope in every access, and a plain access has neither. */
    const bool one_spelling = writer->lowering->one_spelling || writer->lowering->is_cuda ||
                              access->order == LITMUS_PLAIN || !is_in_words(writer);
    shape.spelling.explicit_order |= one_spelling;
    shape.spelling.explicit_scope |= one_spelling;
    shape.spelling.library &=
        is_in_words(writer) && !writer->lowering->one_spelling &&
        litmus_cuda_function(access->operation, access->order, access->scope, access->expected != NULL) != NULL;
    if (access->address->kind == LITMUS_EXPRESSION_ADDRESS) {
        const struct litmus_location *location = &writer->allocation->test->locations[access->address->index];
        shape.region = writer->allocation->region_of[access->address->index];
        shape.constant = location->constant;
        shape.generic = access->address->generic;
        shape.proxy = access->proxy;
        shape.is_volatile = location->is_volatile && access->order == LITMUS_PLAIN;
        const int slot = writer->allocation->local_slot[access->address->index];
        shape.remote = slot != LITMUS_NONE && slot != (int)writer->allocation->kernel->slot_of[writer->body];
    }
    shape.single = access->operation == LITMUS_ARRIVE && access->operand->value == 1;
    return shape;
}

const char *access_region_word(const struct access_shape *shape)
{
    const bool local = shape->region == LITMUS_LOCAL;
    if (shape->generic)
        return local ? "local_as_generic" : "global_as_generic";
    if (shape->read_only)
        return "read_only";
    if (shape->proxy == LITMUS_ASYNC)
        return "matrix";
    if (shape->proxy != LITMUS_GENERIC)
        return shape->proxy == LITMUS_TEXTURE ? "texture" : shape->proxy == LITMUS_SURFACE ? "surface" : "bank";
    return shape->constant ? "constant" : shape->remote ? "remote" : local ? "local" : "global";
}

/* "_sc0_semsc0_semav" */
static void add_semantics(struct litmus_ordering ordering, struct text *name)
{
    const size_t start = name->size;
    litmus_print_semantics(ordering, name);
    for (size_t i = start; i < name->size; i++)
        if (name->data[i] == '.')
            name->data[i] = '_';
}

const char *access_name(struct writer *writer, const struct access_shape *shape)
{
    struct text words = {0};
    /* "vector4_", "unaligned3_", "whole_"; "legacy_atom_step_", "library_", "red_": what comes before the operation */
    const struct litmus_spelling *const spelling = &shape->spelling;
    if (shape->whole)
        text_add(&words, "whole_");
    else if (shape->lanes > 0)
        text_add(&words, "%s%u_", shape->unaligned ? "unaligned" : "vector", shape->lanes);
    text_add(&words, "%s%s%s%s%s%s", spelling->assembly ? "asm_" : "", spelling->legacy ? "legacy_" : "",
             spelling->library ? "library_" : "", spelling->legacy_atom ? "atom_" : "",
             spelling->legacy_step ? "step_" : "", shape->no_result ? "red_" : "");
    text_add(&words, "%s%s%s", operation_words[shape->operation], shape->single ? "_one" : "",
             shape->mmio ? "_mmio" : "");
    add_cache_word(shape->cache, &words);
    add_cache_word(shape->prefetch, &words);
    text_add(&words, "%s", shape->is_volatile ? "_kept" : "");
    /* "acquire_device", "acq_rel_or_relaxed_device"; "acquire" without a scope, "default" without an order */
    if (!shape->spelling.explicit_order)
        text_add(&words, "_default");
    else if (shape->expected == EXPECTED_REGISTER)
        text_add(&words, "_%s_or_%s", litmus_order_word(shape->order), litmus_order_word(shape->failure));
    else
        text_add(&words, "_%s", litmus_order_word(shape->order));
    if (shape->spelling.explicit_scope)
        add_scope_word(shape->scope, &words);
    add_semantics(shape->ordering, &words);
    /* The word for a type in a helper's name. Types that the kernel keeps as another type have helpers of their own. */
    text_add(&words, "_%s_%s", access_region_word(shape),
             shape->type > LITMUS_ULONG ? litmus_type_name(shape->type) : lower_type(shape->type));
    return code_keep(writer, &words);
}

struct code_key access_key(const struct access_shape *shape)
{
    const struct litmus_spelling *const spelling = &shape->spelling;
    const bool ordered = spelling->explicit_order, has_failure = ordered && shape->expected == EXPECTED_REGISTER;
    struct litmus_ordering ordering = shape->ordering;
    if (!ordered)
        ordering.order = LITMUS_ORDER_COUNT;
    if (!spelling->explicit_scope)
        ordering.scope = LITMUS_SCOPE_NONE;
    return (struct code_key){.kind = CODE_ACCESS,
                             .ordering = ordering,
                             .values = {shape->operation,
                                        shape->type,
                                        shape->region == LITMUS_LOCAL,
                                        shape->proxy,
                                        has_failure ? shape->failure : LITMUS_ORDER_COUNT,
                                        shape->cache,
                                        shape->prefetch,
                                        shape->lanes,
                                        shape->whole,
                                        shape->unaligned,
                                        spelling->legacy,
                                        spelling->legacy_atom,
                                        spelling->legacy_step,
                                        spelling->library,
                                        spelling->assembly,
                                        shape->is_volatile,
                                        shape->constant,
                                        shape->generic,
                                        shape->no_result,
                                        shape->remote,
                                        shape->single,
                                        shape->read_only,
                                        shape->mmio}};
}

static bool is_of_library(const struct writer *writer, const struct litmus_fence *fence)
{
    return fence->spelling.library && is_in_words(writer) && !writer->lowering->one_spelling;
}

const char *access_fence_name(struct writer *writer, const struct litmus_fence *fence)
{
    struct text name = {0};
    if (litmus_fence_is_of_grids(fence))
        text_add(&name, fence->restriction == LITMUS_GRID_WAIT ? "grid_wait" : "grid_trigger");
    else if (fence->restriction != LITMUS_UNRESTRICTED)
        text_add(&name, "fence%s_%s_restricted", fence->proxy == LITMUS_ASYNC ? "_proxy_async" : "",
                 litmus_order_word(fence->order));
    else if (fence->proxy != LITMUS_GENERIC)
        text_add(&name, "fence_proxy_%s%s%s%s", fence->proxy == LITMUS_ALIAS ? "alias" : "async",
                 fence->flag_global && !fence->flag_local ? "_global" : "",
                 fence->flag_local && !fence->flag_global ? "_local" : "", fence->cluster ? "_cluster" : "");
    else {
        text_add(&name, "%s%sfence_%s", fence->spelling.legacy ? "legacy_" : "",
                 is_of_library(writer, fence) ? "library_" : "", litmus_order_word(fence->order));
        add_scope_word(fence->scope, &name);
        add_semantics(fence->ordering, &name);
        text_add(&name, "%s%s%s", fence->flag_global ? "_global" : "", fence->flag_local ? "_local" : "",
                 fence->flag_image ? "_image" : "");
    }
    return code_keep(writer, &name);
}

struct code_key access_fence_key(const struct writer *writer, const struct litmus_fence *fence)
{
    return (struct code_key){.kind = CODE_FENCE,
                             .ordering = fence->ordering,
                             .values = {fence->restriction, fence->proxy, fence->flag_global, fence->flag_local,
                                        fence->flag_image, fence->cluster, fence->spelling.legacy,
                                        is_of_library(writer, fence)}};
}

bool access_gives_nothing(enum litmus_operation operation, bool no_result)
{
    return operation == LITMUS_STORE || no_result ||
           (operation_is_mbarrier(operation) && !operation_is_wait(operation));
}

const char *access_space_word(const struct access_shape *shape)
{
    return shape->constant ? "CONSTANT" : shape->region == LITMUS_LOCAL ? "LOCAL" : "GLOBAL";
}

void access_place_parameters(struct writer *writer, enum litmus_proxy proxy, struct code_function *function)
{
    if (proxy == LITMUS_TEXTURE || proxy == LITMUS_SURFACE)
        code_parameter(writer, function, "u64 ", proxy == LITMUS_TEXTURE ? "texture" : "surface");
    code_parameter(writer, function, "u32 ", proxy == LITMUS_SURFACE ? "place" : "word");
}

/* ---- what a test asks of a device and its language: types, orders and scopes ---- */

bool lower_declared(const struct backend_device *device, enum litmus_order order, enum litmus_scope scope, bool fence)
{
    static const unsigned order_bits[LITMUS_ORDER_COUNT] = {
        [LITMUS_RELAXED] = BACKEND_ORDER_RELAXED, [LITMUS_ACQUIRE] = BACKEND_ORDER_ACQ_REL,
        [LITMUS_RELEASE] = BACKEND_ORDER_ACQ_REL, [LITMUS_ACQ_REL] = BACKEND_ORDER_ACQ_REL,
        [LITMUS_SEQ_CST] = BACKEND_ORDER_SEQ_CST,
    };
    static const unsigned scope_bits[LITMUS_SCOPE_COUNT] = {
        [LITMUS_WORK_ITEM] = BACKEND_SCOPE_WORK_ITEM,   [LITMUS_SUB_GROUP] = BACKEND_SCOPE_SUB_GROUP,
        [LITMUS_WORK_GROUP] = BACKEND_SCOPE_WORK_GROUP, [LITMUS_CLUSTER] = BACKEND_SCOPE_CLUSTER,
        [LITMUS_DEVICE] = BACKEND_SCOPE_DEVICE,         [LITMUS_ALL_DEVICES] = BACKEND_SCOPE_ALL_DEVICES,
    };
    const unsigned declared_orders = fence ? device->fence_orders : device->atomic_orders;
    const unsigned declared_scopes = fence ? device->fence_scopes : device->atomic_scopes;
    return (order_bits[order] & ~declared_orders) == 0 && (scope_bits[scope] & ~declared_scopes) == 0;
}

void access_note_declared(struct writer *writer, enum litmus_order order, enum litmus_scope scope, bool fence)
{
    if (writer->lowering->is_opencl && !lower_declared(writer->allocation->device, order, scope, fence))
        writer->undeclared = true;
}

void access_note_type(struct writer *writer, enum litmus_type type, enum litmus_region region)
{
    static const struct {
        size_t bytes;
        unsigned type;
        const char *lack;
    } optional[] = {
        {8, BACKEND_TYPE_LONG, "the device has no integers of 64 bits (shaderInt64)"},
        {2, BACKEND_TYPE_SHORT,
         "the device has no integers of 16 bits in buffers (shaderInt16, storageBuffer16BitAccess)"},
        {1, BACKEND_TYPE_CHAR, "the device has no integers of 8 bits in buffers (shaderInt8, storageBuffer8BitAccess)"},
    };
    const size_t bytes = litmus_type_size(type);
    for (size_t i = 0; writer->lowering->syntax->longs && i < COUNT(optional); i++) {
        if (bytes != optional[i].bytes)
            continue;
        writer->types |= optional[i].type;
        if (!(writer->allocation->device->types & optional[i].type))
            write_refuse(writer, optional[i].lack);
        else if (region == LITMUS_LOCAL)
            write_note(writer,
                       error_set(writer->error, STATUS_UNSUPPORTED,
                                 "a location of %zu bits in the work-group's memory (GLSL uses words of 32 bits)",
                                 8 * bytes));
    }
}

/* Notes types that are optional in OpenCL C. PTX has all types. */
static void check_type(struct writer *writer, const struct access_shape *shape)
{
    const unsigned types = writer->allocation->device->types;
    access_note_type(writer, shape->type, shape->region);
    if (writer->lowering->syntax->longs && litmus_type_size(shape->type) == 8 && shape->order != LITMUS_PLAIN &&
        !(types & BACKEND_TYPE_LONG_ATOMICS))
        write_refuse(writer, "the device has no atomics of 64 bits (shaderBufferInt64Atomics)");
    if (writer->lowering->syntax->longs && shape->region == LITMUS_LOCAL && shape->is_volatile)
        write_note(writer, error_set(writer->error, STATUS_UNSUPPORTED,
                                     "a volatile location in the work-group's memory, which GLSL does not allow"));
    if (!writer->lowering->is_opencl)
        return;
    if (shape->type == LITMUS_DOUBLE && !(types & BACKEND_TYPE_DOUBLE))
        write_refuse(writer, "the device has no double (cl_khr_fp64)");
    else if (litmus_type_size(shape->type) == 8 && shape->order != LITMUS_PLAIN && !(types & BACKEND_TYPE_LONG_ATOMICS))
        write_refuse(writer, "the device has no atomics of 64 bits (cl_khr_int64_base_atomics and "
                             "cl_khr_int64_extended_atomics)");
    else if (shape->type >= LITMUS_SIZE && shape->type <= LITMUS_UINTPTR && !(types & BACKEND_TYPE_LONG_POINTERS))
        write_note(writer,
                   error_set(writer->error, STATUS_UNSUPPORTED, "the device's %s has 32 bits, but the test needs 64",
                             litmus_type_name(shape->type)));
    else if (shape->generic && !(types & BACKEND_TYPE_GENERIC))
        write_refuse(writer, "the device has no generic address space (__opencl_c_generic_address_space)");
}

void access_note_shape(struct writer *writer, const struct access_shape *shape)
{
    const bool plain = shape->order == LITMUS_PLAIN || shape->order == LITMUS_VOLATILE;
    check_type(writer, shape);
    access_note_declared(writer, shape->order, shape->scope, false);
    access_note_declared(writer, shape->failure, shape->scope, false);
    if (writer->lowering->is_cuda && !plain &&
        (shape->spelling.library ||
         !litmus_cuda_function(shape->operation, shape->order, shape->scope, shape->expected == EXPECTED_VALUE)))
        writer->needs |= CODE_NEEDS_CUDA_LIBRARY;
}

void access_note_fence(struct writer *writer, const struct litmus_fence *fence)
{
    access_note_declared(writer, fence->order, fence->scope, true);
    if (writer->lowering->is_cuda && litmus_cuda_fence_is_library(fence))
        writer->needs |= CODE_NEEDS_CUDA_LIBRARY;
}
