// SPDX-License-Identifier: Apache-2.0
/* OpenCL and C tests on OpenCL devices: two lowerings, in the functions of OpenCL C 3.0 and in those of 1.x. A plain
 * access is a plain C access. */
#include "kernel/lower.h"
#include "litmus/dialects.h"
#include "litmus/language/order.h"

static bool lower_opencl_applies(enum litmus_dialect dialect)
{
    return dialects[dialect].has_atomic_types;
}

static struct value_conversion conversion_of(enum litmus_type type)
{
    if (type == LITMUS_FLOAT)
        return (struct value_conversion){"float", "as_float(", "as_uint(", ")"};
    if (type == LITMUS_DOUBLE)
        return (struct value_conversion){"double", "as_double(", "as_ulong(", ")"};
    const bool named = type < LITMUS_INT || type > LITMUS_ULONG; /* these types keep their word in the kernel */
    return (struct value_conversion){named ? litmus_type_name(type) : lower_type(type), "", "", ""};
}

/* The address space of the pointer, followed by a space; nothing for a generic pointer. */
static const char *space_word(const struct access_shape *shape)
{
    if (shape->generic)
        return "";
    return shape->constant ? "CONSTANT " : shape->region == LITMUS_LOCAL ? "LOCAL " : "GLOBAL ";
}

/* A plain access: a plain C access, volatile if the location is. */
static enum status lower_c11_plain(const struct access_shape *shape, struct text *text, struct error *error)
{
    const char *volatile_word = shape->is_volatile ? "volatile " : "";
    const struct value_conversion as = conversion_of(shape->type);
    if (shape->operation == LITMUS_LOAD)
        text_add(text, "return %s*(%s%s%s *)p%s;", as.out, volatile_word, space_word(shape), as.type, as.close);
    else if (shape->operation == LITMUS_STORE)
        text_add(text, "*(%s%s%s *)p = %svalue%s;", volatile_word, space_word(shape), as.type, as.in, as.close);
    else
        return error_set(error, STATUS_UNSUPPORTED, "a plain %s",
                         litmus_operation_name(LITMUS_OPENCL, shape->operation));
    return STATUS_OK;
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

/* ---- vectors, as the test writes them: vloadn and vstoren, or an access of a vector type ---- */

/* Source: The OpenCL C Specification, "Vector Data Load and Store Functions", "Alignment of Types". */

/* "*(volatile GLOBAL int4 *)p" */
static void add_object(const struct access_shape *shape, const char *type, struct text *text)
{
    text_add(text, "*(%s%s%s%u *)p", shape->is_volatile ? "volatile " : "", space_word(shape), type, shape->lanes);
}

static void lower_vector_load(const struct access_shape *shape, const struct value_conversion *as, struct text *text)
{
    text_add(text, "const %s%u all = ", as->type, shape->lanes);
    if (shape->unaligned)
        text_add(text, "vload%u(0, (%s%s *)p)", shape->lanes, space_word(shape), as->type);
    else
        add_object(shape, as->type, text);
    text_add(text, ";");
    for (unsigned lane = 0; lane < shape->lanes; lane++)
        text_add(text, " *r%u = %sall.s%u%s;", lane, as->out, lane, as->close);
}

static enum status lower_opencl_vector(const struct access_shape *shape, struct text *text, struct error *error)
{
    struct value_conversion as = conversion_of(shape->type);
    as.type = litmus_type_name(shape->type);
    if (shape->type > LITMUS_ULONG && !litmus_type_is_float(shape->type))
        return error_set(error, STATUS_UNSUPPORTED, "OpenCL C has no vector of %s", litmus_type_name(shape->type));
    if (shape->order != LITMUS_PLAIN || !operation_moves(shape->operation))
        return error_set(error, STATUS_UNSUPPORTED, "OpenCL C has no atomic operation on vectors");
    if (shape->unaligned && shape->is_volatile)
        return error_set(error, STATUS_UNSUPPORTED, "%s%u of volatile memory, which OpenCL C does not have",
                         shape->operation == LITMUS_LOAD ? "vload" : "vstore", shape->lanes);
    if (shape->operation == LITMUS_LOAD)
        lower_vector_load(shape, &as, text);
    else {
        text_add(text, "const %s%u all = (%s%u)(", as.type, shape->lanes, as.type, shape->lanes);
        for (unsigned lane = 0; lane < shape->lanes; lane++)
            text_add(text, "%s%sv%u%s", lane > 0 ? ", " : "", as.in, lane, as.close);
        text_add(text, "); ");
        if (shape->unaligned)
            text_add(text, "vstore%u(all, 0, (%s%s *)p);", shape->lanes, space_word(shape), as.type);
        else {
            add_object(shape, as.type, text);
            text_add(text, " = all;");
        }
    }
    return STATUS_OK;
}

/* ---- OpenCL C 1.x ---- */

/*
 * OpenCL and C tests on devices that have only OpenCL C 1.x, and instructions of OPENCL tests that are written in it,
 * on any device. OpenCL C 1.2 (6.12.8, 6.12.9, 6.12.11) has no orders, scopes or atomic types; it has atomic
 * read-modify-writes, three fences and a barrier:
 *   a read-modify-write   the function of its kind, atomic_add and the like; those of 64 bits are named atom_
 *   a load, a store       a volatile access, as in programs for these devices: a read-modify-write
 *                         would do more than the test. For 64 bits, which a device may access in
 *                         halves, atom_add(p, 0) and atom_xchg
 *   an order              mem_fence before a release, after an acquire, on both sides of seq_cst
 *   a scope               nothing, neither for the work-group nor for the device
 * Nothing here is guaranteed, so such a device declares no order and no scope, and its jobs are marked.
 */

#define ALL_MEMORY "CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE"

static const char *region_word(enum litmus_region region)
{
    return region == LITMUS_LOCAL ? "LOCAL" : "GLOBAL";
}

static const char *fence_before(const struct access_shape *shape)
{
    const bool fences = order_releases(shape->order) || order_releases(shape->failure);
    return fences ? "mem_fence(" ALL_MEMORY "); " : "";
}

static const char *fence_after(const struct access_shape *shape)
{
    const bool fences = order_acquires(shape->order) || order_acquires(shape->failure);
    return fences ? " mem_fence(" ALL_MEMORY ");" : "";
}

static enum status check_scope(enum litmus_scope scope, const char *what, struct error *error)
{
    const bool has = scope == LITMUS_WORK_ITEM || scope == LITMUS_WORK_GROUP || scope == LITMUS_DEVICE;
    return has ? STATUS_OK
               : error_set(error, STATUS_UNSUPPORTED, "OpenCL C 1.x has no %s at %s", what,
                           litmus_scope_name(LITMUS_OPENCL, scope));
}

static enum status check_images(bool flag_image, const char *what, struct error *error)
{
    return flag_image ? error_set(error, STATUS_UNSUPPORTED, "OpenCL C 1.x has no %s of images", what) : STATUS_OK;
}

static enum status check_function(const struct access_shape *shape, struct error *error)
{
    const bool moves = operation_moves(shape->operation);
    const bool floating = litmus_type_is_float(shape->type);
    const char *type = litmus_type_name(shape->type);
    if (litmus_type_size(shape->type) < 4 || shape->type == LITMUS_DOUBLE)
        return error_set(error, STATUS_UNSUPPORTED, "OpenCL C 1.x has no atomic operations on %s", type);
    if ((!moves && !litmus_legacy_name(shape->operation, false)) ||
        (floating && !moves && shape->operation != LITMUS_EXCHANGE))
        return error_set(error, STATUS_UNSUPPORTED, "OpenCL C 1.x has no %s of %s",
                         litmus_operation_name(LITMUS_OPENCL, shape->operation), type);
    return STATUS_OK;
}

/* "atomic_add((volatile GLOBAL int *)p". A float is exchanged as a float, and otherwise moved as its bits. */
static void lower_opencl_add_call(const struct access_shape *shape, const char *function, struct text *text)
{
    const bool is_long = litmus_type_size(shape->type) == 8;
    text_add(text, "%s%s((volatile %s %s *)p", is_long || shape->spelling.legacy_atom ? "atom_" : "atomic_", function,
             region_word(shape->region), shape->type == LITMUS_FLOAT ? "float" : lower_type(shape->type));
}

/* A whole call that returns the old value. Its operands are the helper's parameters. */
static void add_modify(const struct access_shape *shape, const char *expected, struct text *text)
{
    const bool is_float = shape->type == LITMUS_FLOAT;
    text_add(text, "%s", is_float ? "as_uint(" : "");
    lower_opencl_add_call(shape, litmus_legacy_name(shape->operation, shape->spelling.legacy_step), text);
    if (shape->expected != EXPECTED_NONE)
        text_add(text, ", %s", expected);
    if (!shape->spelling.legacy_step)
        text_add(text, is_float ? ", as_float(value)" : ", value");
    text_add(text, is_float ? "))" : ")");
}

/* A read-modify-write by a function of OpenCL C 1.x, emitted as written. */
static void lower_legacy_access(const struct access_shape *shape, struct text *text)
{
    text_add(text, "return ");
    add_modify(shape, "expected", text);
    text_add(text, ";");
}

static void lower_load(const struct access_shape *shape, struct text *text)
{
    const char *type = lower_type(shape->type);
    text_add(text, "%sconst %s result = ", fence_before(shape), type);
    if (litmus_type_size(shape->type) == 8) {
        lower_opencl_add_call(shape, "add", text);
        text_add(text, ", 0);");
    } else
        text_add(text, "*(volatile %s %s *)p;", region_word(shape->region), type);
    text_add(text, "%s return result;", fence_after(shape));
}

static void lower_store(const struct access_shape *shape, struct text *text)
{
    text_add(text, "%s", fence_before(shape));
    if (litmus_type_size(shape->type) == 8) {
        text_add(text, "(void)");
        lower_opencl_add_call(shape, "xchg", text);
        text_add(text, ", value);");
    } else
        text_add(text, "*(volatile %s %s *)p = value;", region_word(shape->region), lower_type(shape->type));
    text_add(text, "%s", fence_after(shape));
}

static void lower_modify(const struct access_shape *shape, struct text *text)
{
    const char *type = lower_type(shape->type);
    const bool compares = shape->expected == EXPECTED_REGISTER;
    text_add(text, "%s", fence_before(shape));
    if (compares)
        text_add(text, "const %s wanted = *expected; ", type);
    text_add(text, "const %s result = ", type);
    add_modify(shape, "wanted", text);
    text_add(text, ";%s %s", fence_after(shape),
             compares ? "*expected = result; return result == wanted;" : "return result;");
}

static enum status lower_unordered_access(const struct access_shape *shape, struct text *text, struct error *error)
{
    if (shape->order == LITMUS_PLAIN)
        return lower_c11_plain(shape, text, error);
    if (shape->spelling.legacy) {
        lower_legacy_access(shape, text);
        return STATUS_OK;
    }
    TRY(lower_c11_check_orders(shape, error));
    TRY(check_scope(shape->scope, litmus_operation_name(LITMUS_OPENCL, shape->operation), error));
    TRY(check_function(shape, error));
    if (shape->operation == LITMUS_LOAD)
        lower_load(shape, text);
    else if (shape->operation == LITMUS_STORE)
        lower_store(shape, text);
    else
        lower_modify(shape, text);
    return STATUS_OK;
}

/* A fence for these memories. */
static struct litmus_fence any_fence(bool global, bool local)
{
    return (struct litmus_fence){
        .order = LITMUS_ACQ_REL, .spelling = {.legacy = true}, .flag_global = global, .flag_local = local};
}

static enum status lower_legacy_fence(const struct litmus_fence *fence, enum litmus_dialect dialect, struct text *text,
                                      struct error *error)
{
    struct litmus_fence written = *fence;
    if (!fence->spelling.legacy) {
        TRY(check_scope(fence->scope, "fence", error));
        TRY(check_images(fence->flag_image, "fence", error));
        written = any_fence(fence->flag_global || dialect == LITMUS_C, fence->flag_local); /* C's have no flags */
    }
    /* An acquire fence orders more than loads, a release fence more than stores. */
    if (fence->order == LITMUS_RELAXED)
        text_add(text, "/* a relaxed fence orders nothing */");
    else {
        litmus_print_c_fence(LITMUS_OPENCL, &written, text);
        text_add(text, ";");
    }
    return STATUS_OK;
}

static enum status lower_legacy_barrier(const struct litmus_barrier *barrier, enum litmus_dialect dialect,
                                        struct text *text, struct error *error)
{
    const struct litmus_fence fence = any_fence(barrier->flag_global, barrier->flag_local);
    const struct litmus_barrier written = {
        .spelling = {.legacy = true}, .flag_global = barrier->flag_global, .flag_local = barrier->flag_local};
    if (litmus_barrier_level(dialect, barrier) == LITMUS_SUB_GROUP)
        return error_set(error, STATUS_UNSUPPORTED, "OpenCL C 1.x has no barrier of a sub-group");
    if (barrier->scope == LITMUS_ALL_DEVICES)
        return check_scope(barrier->scope, "barrier", error);
    TRY(check_images(barrier->flag_image, "barrier", error));
    const bool wide = barrier->scope == LITMUS_DEVICE;
    if (wide) {
        litmus_print_c_fence(LITMUS_OPENCL, &fence, text);
        text_add(text, "; ");
    }
    litmus_print_opencl_barrier(&written, text);
    text_add(text, ";");
    if (wide) {
        text_add(text, " ");
        litmus_print_c_fence(LITMUS_OPENCL, &fence, text);
        text_add(text, ";");
    }
    return STATUS_OK;
}

/* ---- OpenCL C 3.0 ---- */

/* Every access is the built-in function that the test names, in its overload: atomic_store(x, 1), or with an order, or
 * with a scope too (OpenCL C 3.0, section 6.15.12). So is a barrier (6.15.8). C has no scopes, and an OpenCL C function
 * without a scope means the device. */

static const char *const atomic_types[LITMUS_TYPE_COUNT] = {
    [LITMUS_INT] = "atomic_int",           [LITMUS_UINT] = "atomic_uint",         [LITMUS_LONG] = "atomic_long",
    [LITMUS_ULONG] = "atomic_ulong",       [LITMUS_FLOAT] = "atomic_float",       [LITMUS_DOUBLE] = "atomic_double",
    [LITMUS_SIZE] = "atomic_size_t",       [LITMUS_PTRDIFF] = "atomic_ptrdiff_t", [LITMUS_INTPTR] = "atomic_intptr_t",
    [LITMUS_UINTPTR] = "atomic_uintptr_t", [LITMUS_FLAG] = "atomic_flag",
};

static bool has_scope(enum litmus_scope scope)
{
    return scope != LITMUS_SCOPE_NONE && scope != LITMUS_CLUSTER;
}

/* The function's name after "atomic_"; "?" if OpenCL C has none. */
static const char *function_of(const struct access_shape *shape)
{
    if (shape->type != LITMUS_FLAG)
        return litmus_operation_name(LITMUS_OPENCL, shape->operation);
    return shape->operation == LITMUS_STORE ? "flag_clear" : "flag_test_and_set";
}

/* The arguments after the pointer, and the end of the call. close: the end of the conversion of its result. */
static void add_arguments(const struct access_shape *shape, const struct value_conversion *as, const char *close,
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

static enum status lower_c11_access(const struct access_shape *shape, struct text *text, struct error *error)
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
    const struct value_conversion as = conversion_of(shape->type);
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

static enum status lower_c11_fence(const struct litmus_fence *fence, enum litmus_dialect dialect, struct text *text,
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

static enum status lower_c11_barrier(const struct litmus_barrier *barrier, UNUSED enum litmus_dialect dialect,
                                     struct text *text, struct error *error)
{
    if (barrier->spelling.explicit_scope && !has_scope(barrier->scope))
        return error_set(error, STATUS_UNSUPPORTED, "OpenCL C has no function for a barrier at %s",
                         litmus_scope_name(LITMUS_OPENCL, barrier->scope));
    litmus_print_opencl_barrier(barrier, text);
    text_add(text, ";");
    return STATUS_OK;
}

/* ---- the lowerings ---- */

const struct lowering lowering_c11 = {
    .name = "c11",
    .syntax = &syntax_c,
    .conversion = conversion_of,
    .takes = BACKEND_TAKES_C11,
    .is_opencl = true,
    .applies = lower_opencl_applies,
    .access = lower_c11_access,
    .fence = lower_c11_fence,
    .barrier = lower_c11_barrier,
    .vector = lower_opencl_vector,
};

const struct lowering lowering_opencl1 = {
    .name = "opencl1",
    .syntax = &syntax_c,
    .conversion = conversion_of,
    .takes = BACKEND_TAKES_OPENCL1,
    .is_opencl = true,
    .applies = lower_opencl_applies,
    .access = lower_unordered_access,
    .fence = lower_legacy_fence,
    .barrier = lower_legacy_barrier,
    .vector = lower_opencl_vector,
};
