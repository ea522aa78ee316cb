// SPDX-License-Identifier: Apache-2.0
/*
 * OpenCL and C tests on devices that have only OpenCL C 1.x, and instructions of OPENCL tests that
 * are written in it, on any device. OpenCL C 1.2 (6.12.8, 6.12.9, 6.12.11) has no orders, scopes or
 * atomic types; it has atomic read-modify-writes, three fences and a barrier:
 *   a read-modify-write   the function of its kind, atomic_add and the like; those of 64 bits are named atom_
 *   a load, a store       a volatile access, as in programs for these devices: a read-modify-write
 *                         would do more than the test. For 64 bits, which a device may access in
 *                         halves, atom_add(p, 0) and atom_xchg
 *   an order              mem_fence before a release, after an acquire, on both sides of seq_cst
 *   a scope               nothing, neither for the work-group nor for the device
 * Nothing here is guaranteed, so such a device declares no order and no scope, and its jobs are
 * marked.
 */
#include "kernel/lower.h"
#include "litmus/dialects.h"
#include "litmus/language/order.h"

#define ALL_MEMORY "CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE"

static bool applies(enum litmus_dialect dialect)
{
    return dialects[dialect].has_atomic_types;
}

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

/* "atomic_add((volatile GLOBAL int *)p". A float is exchanged as a float, and otherwise moved as
 * its bits. */
static void add_call(const struct access_shape *shape, const char *function, struct text *text)
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
    add_call(shape, litmus_legacy_name(shape->operation, shape->spelling.legacy_step), text);
    if (shape->expected != EXPECTED_NONE)
        text_add(text, ", %s", expected);
    if (!shape->spelling.legacy_step)
        text_add(text, is_float ? ", as_float(value)" : ", value");
    text_add(text, is_float ? "))" : ")");
}

static void lower_load(const struct access_shape *shape, struct text *text)
{
    const char *type = lower_type(shape->type);
    text_add(text, "%sconst %s result = ", fence_before(shape), type);
    if (litmus_type_size(shape->type) == 8) {
        add_call(shape, "add", text);
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
        add_call(shape, "xchg", text);
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

void lower_legacy_access(const struct access_shape *shape, struct text *text)
{
    text_add(text, "return ");
    add_modify(shape, "expected", text);
    text_add(text, ";");
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

static enum status lower_fence(const struct litmus_fence *fence, enum litmus_dialect dialect, struct text *text,
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

static enum status lower_barrier(const struct litmus_barrier *barrier, enum litmus_dialect dialect, struct text *text,
                                 struct error *error)
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

const struct lowering lowering_opencl1 = {
    .name = "opencl1",
    .syntax = &syntax_c,
    .takes = BACKEND_TAKES_OPENCL1,
    .is_opencl = true,
    .applies = applies,
    .access = lower_access,
    .fence = lower_fence,
    .barrier = lower_barrier,
    .vector = lower_opencl_vector,
};
