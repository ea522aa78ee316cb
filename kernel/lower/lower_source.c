// SPDX-License-Identifier: Apache-2.0
/* CUDA tests as CUDA C++, emitted as written: the compiler and libcu++ choose the PTX, as they do for any program,
 * while lower_ptx.c names the instructions. A plain access is a plain C++ access, which the compiler may merge, move or
 * drop as the language allows. Sources: CUDA C++ Programming Guide, "Atomic Functions", "Memory Fence Functions",
 * "Synchronization Functions"; CCCL's documentation of cuda::atomic_ref and cuda::atomic_thread_fence. */
#include "kernel/lower.h"
#include "litmus/language/collective.h"
#include "litmus/language/order.h"

static bool lower_source_applies(enum litmus_dialect dialect)
{
    return dialect == LITMUS_CUDA;
}

struct value_conversion lower_cuda_conversion(enum litmus_type type)
{
    if (type == LITMUS_FLOAT)
        return (struct value_conversion){"float", "__uint_as_float(", "__float_as_uint(", ")"};
    if (type == LITMUS_DOUBLE)
        return (struct value_conversion){"double", "__longlong_as_double((LONG)", "(u64)__double_as_longlong(", ")"};
    return (struct value_conversion){lower_type(type), "", "", ""};
}

/* A plain or a volatile access, or one with a cache operator. */
static void lower_move(const struct access_shape *shape, const struct value_conversion *as, struct text *text)
{
    const bool cached = shape->cache != LITMUS_CACHE_NONE || shape->read_only;
    const char *const function = cached ? litmus_cuda_cached(shape->operation, shape->cache, shape->read_only) : NULL;
    if (function && shape->operation == LITMUS_LOAD) {
        text_add(text, "return %s%s((%s *)p)%s;", as->out, function, as->type, as->close);
        return;
    }
    if (function) {
        text_add(text, "%s((%s *)p, %svalue%s);", function, as->type, as->in, as->close);
        return;
    }
    const char *const kept = shape->order == LITMUS_VOLATILE || shape->is_volatile ? "volatile " : "";
    if (shape->operation == LITMUS_LOAD)
        text_add(text, "return %s*(%s%s *)p%s;", as->out, kept, as->type, as->close);
    else
        text_add(text, "*(%s%s *)p = %svalue%s;", kept, as->type, as->in, as->close);
}

/* For 64 bits, atomicExch and atomicCAS take only unsigned numbers, and atomicAdd only these and double. atomicCAS
 * takes no float. Programs cast other types. */
static bool is_cast(const struct access_shape *shape)
{
    if (litmus_type_size(shape->type) == 4)
        return shape->type == LITMUS_FLOAT && shape->operation == LITMUS_CAS;
    const bool adds = shape->operation == LITMUS_FETCH_ADD && !litmus_type_is_float(shape->type);
    return litmus_type_size(shape->type) == 8 && shape->type != LITMUS_ULONG &&
           (adds || shape->operation == LITMUS_EXCHANGE || shape->operation == LITMUS_CAS);
}

static enum status lower_built_in(const struct access_shape *shape, const char *function, struct text *text,
                                  struct error *error)
{
    static const struct value_conversion casts[] = {{"u32", "", "", ""}, {"u64", "(u64)", "", ""}};
    const size_t size = litmus_type_size(shape->type);
    const struct value_conversion as = is_cast(shape) ? casts[size == 8] : lower_cuda_conversion(shape->type);
    if ((shape->operation == LITMUS_FETCH_SUB && size == 8) || (size == 2 && shape->scope != LITMUS_DEVICE))
        return error_set(error, STATUS_UNSUPPORTED, "CUDA C++ has no %s of %zu bits", function, 8 * size);
    text_add(text, "return %s%s((%s *)p", as.out, function, as.type);
    if (shape->expected == EXPECTED_VALUE)
        text_add(text, ", %sexpected%s", as.in, as.close);
    text_add(text, ", %svalue%s)%s;", as.in, as.close, as.close);
    return STATUS_OK;
}

/* CCCL 3 has no such scope. */
static enum status check_scope(enum litmus_scope scope, struct error *error)
{
    return scope == LITMUS_CLUSTER
               ? error_set(error, STATUS_UNSUPPORTED, "libcu++ has no %s", litmus_scope_name(LITMUS_CUDA, scope))
               : STATUS_OK;
}

/* "cuda::atomic_ref<int, cuda::thread_scope_device>(*(int *)p).NAME(" */
static void open_method(const struct access_shape *shape, const struct value_conversion *as, struct text *text)
{
    text_add(text, "cuda::atomic_ref<%s, %s>(*(%s *)p).%s(", as->type, litmus_scope_name(LITMUS_CUDA, shape->scope),
             as->type, litmus_operation_name(LITMUS_CUDA, shape->operation));
}

static void lower_compare(const struct access_shape *shape, const struct value_conversion *as, struct text *text)
{
    const bool is_float = litmus_type_is_float(shape->type);
    if (is_float)
        text_add(text, "%s old = %s*expected%s; const int success = ", as->type, as->in, as->close);
    else
        text_add(text, "return ");
    open_method(shape, as, text);
    text_add(text, "%s, %svalue%s, %s", is_float ? "old" : "*expected", as->in, as->close,
             litmus_order_name(LITMUS_CUDA, shape->order));
    if (shape->failure != order_of_read(shape->order))
        text_add(text, ", %s", litmus_order_name(LITMUS_CUDA, shape->failure));
    text_add(text, ");");
    if (is_float)
        text_add(text, " *expected = %sold%s; return success;", as->out, as->close);
}

static enum status lower_source_lower_access(const struct access_shape *shape, struct text *text, struct error *error)
{
    const struct value_conversion as = lower_cuda_conversion(shape->type);
    if (shape->spelling.assembly)
        return lowering_ptx.access(shape, text, error);
    const char *const function =
        shape->spelling.library
            ? NULL
            : litmus_cuda_function(shape->operation, shape->order, shape->scope, shape->expected == EXPECTED_VALUE);
    if (shape->order == LITMUS_PLAIN || shape->order == LITMUS_VOLATILE) {
        if (!operation_moves(shape->operation))
            return error_set(error, STATUS_UNSUPPORTED, "a plain %s",
                             litmus_operation_name(LITMUS_CUDA, shape->operation));
        lower_move(shape, &as, text);
        return STATUS_OK;
    }
    if (function)
        return lower_built_in(shape, function, text, error);
    TRY(check_scope(shape->scope, error));
    TRY(lower_c11_check_orders(shape, error));
    if (shape->expected == EXPECTED_REGISTER)
        lower_compare(shape, &as, text);
    else {
        const bool stores = shape->operation == LITMUS_STORE;
        text_add(text, "%s%s", stores ? "" : "return ", stores ? "" : as.out);
        open_method(shape, &as, text);
        if (shape->operation != LITMUS_LOAD)
            text_add(text, "%svalue%s, ", as.in, as.close);
        text_add(text, "%s)%s;", litmus_order_name(LITMUS_CUDA, shape->order), stores ? "" : as.close);
    }
    return STATUS_OK;
}

static enum status lower_source_lower_fence(const struct litmus_fence *fence, enum litmus_dialect dialect,
                                            struct text *text, struct error *error)
{
    if (fence->proxy != LITMUS_GENERIC)
        return error_set(error, STATUS_UNSUPPORTED, "a proxy fence");
    if (litmus_fence_is_of_grids(fence)) /* NVRTC does not have CUDA's functions, nvcc makes them this instruction */
        return lowering_ptx.fence(fence, dialect, text, error);
    TRY(check_scope(fence->scope, error));
    litmus_print_c_fence(LITMUS_CUDA, fence, text);
    text_add(text, ";");
    return STATUS_OK;
}

static enum status lower_source_lower_barrier(const struct litmus_barrier *barrier, enum litmus_dialect dialect,
                                              struct text *text, struct error *error)
{
    const bool sub_group = litmus_barrier_level(dialect, barrier) == LITMUS_SUB_GROUP;
    if (barrier->scope > LITMUS_WORK_GROUP)
        return lowering_ptx.barrier(barrier, dialect, text, error);
    text_add(text, "%s();", sub_group ? "__syncwarp" : "__syncthreads"); /* all items of the group or warp come here */
    return STATUS_OK;
}

static enum status lower_collective(const struct litmus_collective *collective, struct text *text, struct error *error)
{
    /* `from` is the lane itself, whatever the shuffle. */
    const char *const function = litmus_cuda_collective(collective->lane ? LITMUS_SHUFFLE : collective->function);
    const char *const sign = collective->type == LITMUS_INT ? "(int)" : "";
    if (!function)
        return error_set(error, STATUS_UNSUPPORTED, "a function among lanes that CUDA C++ does not have");
    if (collective->function == LITMUS_SYNC_LANES)
        text_add(text, "__syncwarp(called);");
    else if (collective->function == LITMUS_ACTIVE)
        text_add(text, "result = __activemask();");
    else
        text_add(text, "result = (u32)%s(called, %svalue%s);", function, sign, collective->lane ? ", (int)from" : "");
    return STATUS_OK;
}

const struct lowering lowering_source = {
    .name = "source",
    .syntax = &syntax_c,
    .conversion = lower_cuda_conversion,
    .takes = BACKEND_TAKES_CUDA,
    .asked = true,
    .is_cuda = true,
    .applies = lower_source_applies,
    .access = lower_source_lower_access,
    .fence = lower_source_lower_fence,
    .barrier = lower_source_lower_barrier,
    .collective = lower_collective,
};
