// SPDX-License-Identifier: Apache-2.0
/* Calls of a user's functions, in place of what a lowering has: each atomic access, fence and barrier for which the
 * user's header defines a function, by the name with its orders and its scope or by the general one, which gets them as
 * arguments. Plain accesses, and instructions that a test names in assembly, stay as they are. */
#include "kernel/lower.h"
#include "kernel/user_atomics.h"
#include "litmus/dialects.h"
#include "litmus/language/order.h"

static const char *const scope_words[LITMUS_SCOPE_COUNT] = {
    [LITMUS_WORK_ITEM] = "work_item", [LITMUS_SUB_GROUP] = "sub_group", [LITMUS_WORK_GROUP] = "work_group",
    [LITMUS_CLUSTER] = "cluster",     [LITMUS_DEVICE] = "device",       [LITMUS_ALL_DEVICES] = "all_devices",
};

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
    text_add(&special, "_%s", scope_words[call->scope]);
    text_add(&constants, ", %s%s", prefix, scope_words[call->scope]);
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

static enum status refuse(const struct user_call *call, struct error *error)
{
    const char *const scope = scope_words[call->scope], *const prefix = USER_ATOMICS_PREFIX;
    return error_set(error, STATUS_UNSUPPORTED, "%s defines neither %s%s nor %s%s_%s%s%s", user_atomics_name(), prefix,
                     call->operation, prefix, call->operation,
                     call->order_count > 0 ? litmus_order_word(call->orders[0]) : "", call->order_count > 0 ? "_" : "",
                     scope);
}

/* ---- accesses ---- */

static bool is_atomic(const struct access_shape *shape)
{
    return shape->order >= LITMUS_RELAXED && shape->order <= LITMUS_SEQ_CST && scope_words[shape->scope] &&
           shape->proxy == LITMUS_GENERIC && shape->operation < LITMUS_FETCH_INC && shape->operation != LITMUS_FETCH_MUL &&
           shape->operation != LITMUS_FETCH_DIV && shape->type != LITMUS_FLAG && shape->lanes == 0 && !shape->remote &&
           !shape->mmio && shape->cache == LITMUS_CACHE_NONE && !shape->spelling.assembly;
}

/* "const int success = orchil_compare_exchange_strong((GLOBAL int *)p, &old, value, ...);" between what makes the
 * expected value one of the type and what gives the result. */
static void add_compare(const struct access_shape *shape, const struct value_conversion *as,
                        const struct call_text *call, const char *place, struct text *text)
{
    const bool gives_old = shape->expected == EXPECTED_VALUE;
    text_add(text, "%s old = %s%sexpected%s; %s%s%s, &old, %svalue%s%s; ", as->type, as->in, gives_old ? "" : "*",
             as->close, gives_old ? "(void)" : "const int success = ", call->open, place, as->in, as->close, call->close);
    text_add(text, gives_old ? "return %sold%s;" : "*expected = %sold%s; return success;", as->out, as->close);
}

enum status lower_access(const struct lowering *lowering, const struct access_shape *shape, struct text *text,
                         bool *called, struct error *error)
{
    if (!lowering->is_user || !is_atomic(shape))
        return lowering->access(shape, text, error);
    const bool compares = shape->expected != EXPECTED_NONE;
    const struct user_call call = {
        litmus_operation_name(LITMUS_OPENCL, shape->operation),
        {shape->order, shape->expected == EXPECTED_VALUE ? order_of_read(shape->order) : shape->failure},
        compares ? 2 : 1,
        shape->scope};
    struct call_text found;
    if (!find_call(&call, &found))
        return user_atomics_only() ? refuse(&call, error) : lowering->access(shape, text, error);
    *called = true;
    TRY(lower_c11_check_orders(shape, error));
    const struct value_conversion as = lowering->conversion(shape->type);
    const char *const space = shape->generic ? "" : shape->region == LITMUS_LOCAL ? "LOCAL " : "GLOBAL ";
    char place[64];
    (void)snprintf(place, sizeof place, "(%s%s *)p", space, as.type);
    if (compares)
        add_compare(shape, &as, &found, place, text);
    else if (shape->operation == LITMUS_LOAD)
        text_add(text, "return %s%s%s%s%s;", as.out, found.open, place, found.close, as.close);
    else {
        const bool gives = shape->operation != LITMUS_STORE && !shape->no_result;
        text_add(text, "%s%s%s%s, %svalue%s%s%s;", gives ? "return " : "", gives ? as.out : "", found.open, place, as.in,
                 as.close, found.close, gives ? as.close : "");
    }
    return STATUS_OK;
}

/* ---- fences and barriers, whose operand is the memories ---- */

static void add_call(const struct call_text *call, bool global, bool local, struct text *text)
{
    text_add(text, "%s%s%s%s%s;", call->open, global ? USER_ATOMICS_PREFIX "global" : local ? "" : "0",
             global && local ? " | " : "", local ? USER_ATOMICS_PREFIX "local" : "", call->close);
}

enum status lower_fence(const struct lowering *lowering, const struct litmus_fence *fence, enum litmus_dialect dialect,
                        struct text *text, bool *called, struct error *error)
{
    const struct user_call call = {"fence", {fence->order}, 1, fence->scope};
    const bool both = !dialects[dialect].has_flags;
    struct call_text found;
    if (!lowering->is_user || fence->proxy != LITMUS_GENERIC || fence->restriction != LITMUS_UNRESTRICTED ||
        fence->order < LITMUS_ACQUIRE || !scope_words[fence->scope] || fence->flag_image || fence->spelling.assembly)
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
    const enum litmus_scope level = litmus_barrier_level(dialect, barrier);
    const struct user_call call = {
        level == LITMUS_SUB_GROUP ? "sub_group_barrier" : "barrier", {LITMUS_PLAIN}, 0, barrier->scope};
    const bool both = !dialects[dialect].has_flags;
    struct call_text found;
    if (!lowering->is_user || level == LITMUS_CLUSTER || barrier->arrive || barrier->wait || barrier->flag_image ||
        !scope_words[barrier->scope] || barrier->spelling.assembly)
        return lowering->barrier(barrier, dialect, text, error);
    if (!find_call(&call, &found))
        return user_atomics_only() ? refuse(&call, error) : lowering->barrier(barrier, dialect, text, error);
    *called = true;
    add_call(&found, both || barrier->flag_global, both || barrier->flag_local, text);
    return STATUS_OK;
}

/* ---- lowerings that call the user's functions first ---- */

const struct lowering *lower_user_of(const struct lowering *lowering)
{
    static const struct lowering *const of[] = {&lowering_c11, &lowering_ptx, &lowering_opencl1, &lowering_source};
    static struct lowering variants[sizeof of / sizeof *of];
    static char names[sizeof of / sizeof *of][320];
    const size_t count = user_atomics_loaded() ? sizeof of / sizeof *of : 0;
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
