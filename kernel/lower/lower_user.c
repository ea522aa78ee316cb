// SPDX-License-Identifier: Apache-2.0
/* Calls of a user's functions, in place of what a lowering has: each atomic access, fence and barrier for which the
 * user's header defines a function, by the name with its orders and its scope or by the general one, which gets them as
 * arguments. Plain accesses, and instructions that a test names in assembly, stay as they are. */
#include "kernel/lower.h"
#include "litmus/dialects.h"
#include "litmus/language/order.h"
#include "litmus/language/user_atomics.h"

/* Whether functions of a header can have the scope. */
static bool is_user_scope(enum litmus_scope scope)
{
    return scope != LITMUS_SCOPE_NONE && scope != LITMUS_QUEUE_FAMILY;
}

/* What is called: an operation, its orders, its scope. */
struct user_call {
    const char *operation; /* "load", "fence" */
    enum litmus_order orders[2];
    unsigned order_count;
    enum litmus_scope scope;
};

/* A call as text, in two parts around its operands: "orchil_load(" and ", orchil_acquire, orchil_device)". */
struct call_text {
    char open[128], close[128];
};

/* Whether the header has a function for it, by the more specific name first. */
static bool find_call(const struct user_call *call, struct call_text *found)
{
    struct text special = {0}, constants = {0};
    const char *const prefix = USER_ATOMICS_PREFIX;
    text_add(&special, "%s%s", prefix, call->operation);
    const bool general = user_atomics_define(text_string(&special));
    for (unsigned i = 0; i < call->order_count; i++) {
        text_add(&special, "_%s", litmus_order_word(call->orders[i]));
        text_add(&constants, ", %s%s", prefix, litmus_order_word(call->orders[i]));
    }
    text_add(&special, "_%s", litmus_scope_word(call->scope));
    text_add(&constants, ", %s%s", prefix, litmus_scope_word(call->scope));
    const bool is_special = user_atomics_define(text_string(&special));
    if (is_special)
        (void)snprintf(found->open, sizeof found->open, "%s(", text_string(&special));
    else
        (void)snprintf(found->open, sizeof found->open, "%s%s(", prefix, call->operation);
    (void)snprintf(found->close, sizeof found->close, "%s)", is_special ? "" : text_string(&constants));
    text_release(&special);
    text_release(&constants);
    return is_special || general;
}

static bool is_user_fence(const struct litmus_fence *fence)
{
    return fence->proxy == LITMUS_GENERIC && fence->restriction == LITMUS_UNRESTRICTED &&
           fence->order >= LITMUS_ACQUIRE && is_user_scope(fence->scope) && !fence->flag_image &&
           !fence->spelling.assembly;
}

static bool is_user_barrier(const struct litmus_barrier *barrier, enum litmus_dialect dialect)
{
    return litmus_barrier_level(dialect, barrier) <= LITMUS_WORK_GROUP && !barrier->arrive && !barrier->wait &&
           !barrier->flag_image && is_user_scope(barrier->scope) && !barrier->spelling.assembly;
}

static struct user_call call_of_access(enum litmus_operation operation, const struct litmus_ordering *ordering,
                                       enum litmus_order failure, bool gives_old)
{
    return (struct user_call){litmus_operation_name(LITMUS_OPENCL, operation),
                              {ordering->order, gives_old ? order_of_read(ordering->order) : failure},
                              operation_compares(operation) ? 2 : 1,
                              ordering->scope};
}

static struct user_call call_of_fence(const struct litmus_fence *fence)
{
    return (struct user_call){"fence", {fence->order}, 1, fence->scope};
}

static struct user_call call_of_barrier(const struct litmus_barrier *barrier, enum litmus_dialect dialect)
{
    const bool sub_group = litmus_barrier_level(dialect, barrier) == LITMUS_SUB_GROUP;
    return (struct user_call){sub_group ? "sub_group_barrier" : "barrier", {LITMUS_PLAIN}, 0, barrier->scope};
}

static enum status refuse(const struct user_call *call, struct error *error)
{
    const char *const scope = litmus_scope_word(call->scope), *const prefix = USER_ATOMICS_PREFIX;
    return error_set(error, STATUS_UNSUPPORTED, "%s defines neither %s%s nor %s%s_%s%s%s", user_atomics_name(), prefix,
                     call->operation, prefix, call->operation,
                     call->order_count > 0 ? litmus_order_word(call->orders[0]) : "", call->order_count > 0 ? "_" : "",
                     scope);
}

/* ---- accesses ---- */

/* Whether the header may have a function for an access of these, which shapes and accesses share. */
static bool is_user_access(enum litmus_operation operation, const struct litmus_ordering *ordering,
                           enum litmus_type type, enum litmus_proxy proxy, enum litmus_cache cache, bool other)
{
    return ordering->order >= LITMUS_RELAXED && ordering->order <= LITMUS_SEQ_CST && is_user_scope(ordering->scope) &&
           proxy == LITMUS_GENERIC && operation < LITMUS_FETCH_INC && operation != LITMUS_FETCH_MUL &&
           operation != LITMUS_FETCH_DIV && type != LITMUS_FLAG && cache == LITMUS_CACHE_NONE && !other;
}

/* "const int success = orchil_compare_exchange_strong((GLOBAL int *)p, &old, value, ...);" between what makes the
 * expected value one of the type and what gives the result. */
static void add_compare(const struct access_shape *shape, const struct value_conversion *as,
                        const struct call_text *call, const char *place, struct text *text)
{
    const bool gives_old = shape->expected == EXPECTED_VALUE;
    text_add(text, "%s old = %s%sexpected%s; %s%s%s, &old, %svalue%s%s; ", as->type, as->in, gives_old ? "" : "*",
             as->close, gives_old ? "(void)" : "const int success = ", call->open, place, as->in, as->close,
             call->close);
    text_add(text, gives_old ? "return %sold%s;" : "*expected = %sold%s; return success;", as->out, as->close);
}

enum status lower_access(const struct lowering *lowering, const struct access_shape *shape, struct text *text,
                         bool *called, struct error *error)
{
    if (!lowering->is_user ||
        !is_user_access(shape->operation, &shape->ordering, shape->type, shape->proxy, shape->cache,
                        shape->lanes > 0 || shape->remote || shape->mmio || shape->spelling.assembly))
        return lowering->access(shape, text, error);
    const struct user_call call =
        call_of_access(shape->operation, &shape->ordering, shape->failure, shape->expected == EXPECTED_VALUE);
    struct call_text found;
    if (!find_call(&call, &found))
        return user_atomics_only() ? refuse(&call, error) : lowering->access(shape, text, error);
    *called = true;
    TRY(lower_c11_check_orders(shape, error));
    const struct value_conversion as = lowering->conversion(shape->type);
    const char *const space = shape->generic ? "" : shape->region == LITMUS_LOCAL ? "LOCAL " : "GLOBAL ";
    char place[64];
    (void)snprintf(place, sizeof place, "(%s%s *)p", space, as.type);
    if (shape->expected != EXPECTED_NONE)
        add_compare(shape, &as, &found, place, text);
    else if (shape->operation == LITMUS_LOAD)
        text_add(text, "return %s%s%s%s%s;", as.out, found.open, place, found.close, as.close);
    else {
        const bool gives = shape->operation != LITMUS_STORE && !shape->no_result;
        text_add(text, "%s%s%s%s, %svalue%s%s%s;", gives ? "return " : "", gives ? as.out : "", found.open, place,
                 as.in, as.close, found.close, gives ? as.close : "");
    }
    return STATUS_OK;
}

/* ---- fences and barriers, whose operand is the memories ---- */

static void add_call(const struct call_text *call, bool global, bool local, struct text *text)
{
    text_add(text, "%s%s%s%s%s;", call->open,
             global  ? USER_ATOMICS_PREFIX "global"
             : local ? ""
                     : "0",
             global && local ? " | " : "", local ? USER_ATOMICS_PREFIX "local" : "", call->close);
}

enum status lower_fence(const struct lowering *lowering, const struct litmus_fence *fence, enum litmus_dialect dialect,
                        struct text *text, bool *called, struct error *error)
{
    const struct user_call call = call_of_fence(fence);
    const bool both = !dialects[dialect].has_flags;
    struct call_text found;
    if (!lowering->is_user || !is_user_fence(fence))
        return lowering->fence(fence, dialect, text, error);
    if (!find_call(&call, &found))
        return user_atomics_only() ? refuse(&call, error) : lowering->fence(fence, dialect, text, error);
    *called = true;
    add_call(&found, both || fence->flag_global, both || fence->flag_local, text);
    return STATUS_OK;
}

enum status lower_barrier(const struct lowering *lowering, const struct litmus_barrier *barrier,
                          enum litmus_dialect dialect, struct text *text, bool *called, struct error *error)
{
    const struct user_call call = call_of_barrier(barrier, dialect);
    const bool both = !dialects[dialect].has_flags;
    struct call_text found;
    if (!lowering->is_user || !is_user_barrier(barrier, dialect))
        return lowering->barrier(barrier, dialect, text, error);
    if (!find_call(&call, &found))
        return user_atomics_only() ? refuse(&call, error) : lowering->barrier(barrier, dialect, text, error);
    *called = true;
    add_call(&found, both || barrier->flag_global, both || barrier->flag_local, text);
    return STATUS_OK;
}

/* ---- names, for inspections ---- */

bool lower_user_name(const struct kernel_step *step, enum litmus_dialect dialect, struct text *name)
{
    const struct litmus_access *const access = step->access;
    struct user_call call;
    struct call_text found;
    if (access && is_user_access(access->operation, &access->ordering, access->type, access->proxy, access->cache,
                                 access->mmio || access->spelling.assembly))
        call = call_of_access(access->operation, &access->ordering, access->failure, access->expected);
    else if (step->fence && is_user_fence(step->fence))
        call = call_of_fence(step->fence);
    else if (step->barrier && is_user_barrier(step->barrier, dialect))
        call = call_of_barrier(step->barrier, dialect);
    else
        return false;
    if (!find_call(&call, &found))
        return false;
    text_add(name, "%s", call.operation);
    for (unsigned i = 0; i < call.order_count; i++)
        text_add(name, "_%s", litmus_order_word(call.orders[i]));
    text_add(name, "_%s", litmus_scope_word(call.scope));
    return true;
}

/* ---- lowerings that call the user's functions first ---- */

const struct lowering *lower_user_of(const struct lowering *lowering)
{
    static const struct lowering *const of[] = {&lowering_c11, &lowering_ptx, &lowering_opencl1, &lowering_source};
    static struct lowering variants[COUNT(of)];
    static char names[COUNT(of)][320];
    const size_t count = user_atomics_loaded() ? COUNT(of) : 0;
    for (size_t i = 0; count > 0 && !variants[count - 1].name && i < count; i++) { /* before threads start */
        (void)snprintf(names[i], sizeof names[i], "%s+%s", of[i]->name, user_atomics_name());
        variants[i] = *of[i];
        variants[i].is_user = true;
        variants[i].name = names[i];
    }
    for (size_t i = 0; i < count; i++)
        if (lowering == of[i])
            return &variants[i];
    return lowering;
}
