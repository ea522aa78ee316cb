// SPDX-License-Identifier: Apache-2.0
/*
 * OpenCL and C tests on OpenCL devices: every access is the built-in function that the test names,
 * in its overload: atomic_store(x, 1), or with an order, or with a scope too (OpenCL C 3.0, section
 * 6.15.12). So is a barrier (6.15.8). C has no scopes, and an OpenCL C function without a scope
 * means the device. A plain access is a plain C access.
 */
#include "kernel/lower.h"
#include "litmus/dialects.h"
#include "litmus/language/order.h"

static const char *const atomic_types[LITMUS_TYPE_COUNT] = {
    [LITMUS_INT] = "atomic_int",           [LITMUS_UINT] = "atomic_uint",         [LITMUS_LONG] = "atomic_long",
    [LITMUS_ULONG] = "atomic_ulong",       [LITMUS_FLOAT] = "atomic_float",       [LITMUS_DOUBLE] = "atomic_double",
    [LITMUS_SIZE] = "atomic_size_t",       [LITMUS_PTRDIFF] = "atomic_ptrdiff_t", [LITMUS_INTPTR] = "atomic_intptr_t",
    [LITMUS_UINTPTR] = "atomic_uintptr_t", [LITMUS_FLAG] = "atomic_flag",
};

/* Conversions of a helper's value, which is bits, to the type and back: "as_float(", "as_uint(",
 * ")". */
struct c11_conversion {
    const char *type, *in, *out, *close;
};

static struct c11_conversion conversion_of(enum litmus_type type)
{
    if (type == LITMUS_FLOAT)
        return (struct c11_conversion){"float", "as_float(", "as_uint(", ")"};
    if (type == LITMUS_DOUBLE)
        return (struct c11_conversion){"double", "as_double(", "as_ulong(", ")"};
    const bool named = type < LITMUS_INT || type > LITMUS_ULONG; /* these types keep their word in the kernel */
    return (struct c11_conversion){named ? litmus_type_name(type) : lower_type(type), "", "", ""};
}

static bool applies(enum litmus_dialect dialect)
{
    return dialects[dialect].has_atomic_types;
}

/* The address space of the pointer, followed by a space; nothing for a generic pointer. */
static const char *space_word(const struct access_shape *shape)
{
    if (shape->generic)
        return "";
    return shape->constant ? "CONSTANT " : shape->region == LITMUS_LOCAL ? "LOCAL " : "GLOBAL ";
}

/* The function's name after "atomic_"; "?" if OpenCL C has none. */
static const char *function_of(const struct access_shape *shape)
{
    if (shape->type != LITMUS_FLAG)
        return litmus_operation_name(LITMUS_OPENCL, shape->operation);
    return shape->operation == LITMUS_STORE ? "flag_clear" : "flag_test_and_set";
}

static bool has_scope(enum litmus_scope scope)
{
    return scope != LITMUS_SCOPE_NONE && scope != LITMUS_CLUSTER;
}

enum status lower_c11_check_orders(const struct access_shape *shape, struct error *error)
{
    const enum litmus_order order = shape->order;
    const char *why = NULL;
    if (shape->operation == LITMUS_LOAD && !operation_has_order(LITMUS_LOAD, order))
        why = "a load cannot release";
    else if (shape->operation == LITMUS_STORE && !operation_has_order(LITMUS_STORE, order))
        why = "a store cannot acquire";
    else if (shape->expected == EXPECTED_REGISTER && !operation_has_order(LITMUS_LOAD, shape->failure))
        why = "a compare_exchange that fails is a load and cannot release";
    return why ? error_set(error, STATUS_UNSUPPORTED, "%s with %s: %s",
                           litmus_operation_name(LITMUS_OPENCL, shape->operation),
                           litmus_order_name(LITMUS_OPENCL, order), why)
               : STATUS_OK;
}

enum status lower_c11_plain(const struct access_shape *shape, struct text *text, struct error *error)
{
    const char *volatile_word = shape->is_volatile ? "volatile " : "";
    const struct c11_conversion as = conversion_of(shape->type);
    if (shape->operation == LITMUS_LOAD)
        text_add(text, "return %s*(%s%s%s *)p%s;", as.out, volatile_word, space_word(shape), as.type, as.close);
    else if (shape->operation == LITMUS_STORE)
        text_add(text, "*(%s%s%s *)p = %svalue%s;", volatile_word, space_word(shape), as.type, as.in, as.close);
    else
        return error_set(error, STATUS_UNSUPPORTED, "a plain %s",
                         litmus_operation_name(LITMUS_OPENCL, shape->operation));
    return STATUS_OK;
}

/* The arguments after the pointer, and the end of the call. close: the end of the conversion of its
 * result. */
static void add_arguments(const struct access_shape *shape, const struct c11_conversion *as, const char *close,
                          struct text *text)
{
    const bool compares = shape->expected == EXPECTED_REGISTER;
    if (compares)
        text_add(text, ", %s", litmus_type_is_float(shape->type) ? "&old" : "expected");
    if (shape->operation != LITMUS_LOAD && shape->type != LITMUS_FLAG)
        text_add(text, ", %svalue%s", as->in, as->close);
    if (shape->spelling.explicit_order)
        text_add(text, ", %s", litmus_order_name(LITMUS_OPENCL, shape->order));
    if (shape->spelling.explicit_order && compares)
        text_add(text, ", %s", litmus_order_name(LITMUS_OPENCL, shape->failure));
    if (shape->spelling.explicit_scope)
        text_add(text, ", %s", litmus_scope_name(LITMUS_OPENCL, shape->scope));
    text_add(text, ")%s;", close);
}

static enum status lower_access(const struct access_shape *shape, struct text *text, struct error *error)
{
    if (shape->order == LITMUS_PLAIN)
        return lower_c11_plain(shape, text, error);
    if (shape->spelling.legacy) {
        lower_legacy_access(shape, text);
        return STATUS_OK;
    }
    TRY(lower_c11_check_orders(shape, error));
    if (*function_of(shape) == '?' || !has_scope(shape->scope))
        return error_set(error, STATUS_UNSUPPORTED, "OpenCL C has no function for %s at %s",
                         litmus_operation_name(LITMUS_OPENCL, shape->operation),
                         litmus_scope_name(LITMUS_OPENCL, shape->scope));
    const struct c11_conversion as = conversion_of(shape->type);
    const bool is_float = litmus_type_is_float(shape->type);
    if (shape->expected == EXPECTED_REGISTER && is_float)
        text_add(text, "%s old = %s*expected%s; const int success = ", as.type, as.in, as.close);
    else
        text_add(text, "%s", shape->operation == LITMUS_STORE ? "" : "return ");
    const bool gives_float = is_float && shape->operation != LITMUS_STORE && shape->expected == EXPECTED_NONE;
    text_add(text, "%satomic_%s%s((volatile %s%s *)p", gives_float ? as.out : "", function_of(shape),
             shape->spelling.explicit_order ? "_explicit" : "", space_word(shape), atomic_types[shape->type]);
    add_arguments(shape, &as, gives_float ? as.close : "", text);
    if (shape->expected == EXPECTED_REGISTER && is_float)
        text_add(text, " *expected = %sold%s; return success;", as.out, as.close);
    return STATUS_OK;
}

static enum status lower_fence(const struct litmus_fence *fence, enum litmus_dialect dialect, struct text *text,
                               struct error *error)
{
    struct litmus_fence written = *fence;
    written.flag_global |= !dialects[dialect].has_flags; /* fences of other dialects have no flags */
    if (fence->order < LITMUS_RELAXED || !has_scope(fence->scope))
        return error_set(error, STATUS_UNSUPPORTED, "OpenCL C has no function for a fence with %s at %s",
                         litmus_order_name(LITMUS_OPENCL, fence->order),
                         litmus_scope_name(LITMUS_OPENCL, fence->scope));
    litmus_print_c_fence(LITMUS_OPENCL, &written, text);
    text_add(text, ";");
    return STATUS_OK;
}

static enum status lower_barrier(const struct litmus_barrier *barrier, enum litmus_dialect dialect, struct text *text,
                                 struct error *error)
{
    (void)dialect;
    if (barrier->spelling.explicit_scope && !has_scope(barrier->scope))
        return error_set(error, STATUS_UNSUPPORTED, "OpenCL C has no function for a barrier at %s",
                         litmus_scope_name(LITMUS_OPENCL, barrier->scope));
    litmus_print_opencl_barrier(barrier, text);
    text_add(text, ";");
    return STATUS_OK;
}

const struct lowering lowering_c11 = {
    .name = "c11",
    .syntax = &syntax_c,
    .takes = BACKEND_TAKES_C11,
    .is_opencl = true,
    .applies = applies,
    .access = lower_access,
    .fence = lower_fence,
    .barrier = lower_barrier,
    .vector = lower_opencl_vector,
};
