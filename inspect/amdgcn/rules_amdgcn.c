// SPDX-License-Identifier: Apache-2.0
/* The accesses and barriers that a step of a test needs on an AMD GPU (AMDGPUUsage, "Memory Model"). A relaxed access
 * needs the modifiers of its scope, which the reader has made a scope. Orders need waits, write-backs and
 * invalidations, which may be merged with others, or be unnecessary because nothing is pending; amdgcn_order.c checks
 * them. So a fence needs no instruction here. */
#include "inspect/amdgcn/amdgcn.h"
#include "litmus/language/order.h"

static struct inspect_need *rules_amdgcn_add(struct inspect_need *needs, size_t *count, enum machine_effect effect)
{
    needs[*count] = (struct inspect_need){.effect = effect, .operation = LITMUS_LOAD};
    return &needs[(*count)++];
}

/* Constant memory is never written, so a compiler may know its contents, or load it as a scalar. */
static bool rules_amdgcn_is_constant(const struct litmus_test *test, const struct litmus_access *access)
{
    return access->address && access->address->kind == LITMUS_EXPRESSION_ADDRESS &&
           test->locations[access->address->index].constant;
}

/* Of a loop over an array, the compiler may load several elements at once; plain loads may come in any order. */
static bool is_plain_element(const struct litmus_test *test, const struct litmus_access *access)
{
    const struct litmus_expression *place = access->address;
    while (place && place->kind == LITMUS_EXPRESSION_BINARY)
        place = place->left;
    return access->operation == LITMUS_LOAD && access->order == LITMUS_PLAIN && place &&
           place->kind == LITMUS_EXPRESSION_ADDRESS && test->locations[place->index].elements > 1 &&
           !test->locations[place->index].is_volatile;
}

static void rules_amdgcn_need_access(const struct litmus_test *test, const struct litmus_access *access,
                                     struct inspect_need *needs, size_t *count)
{
    const enum machine_effect effect = access->operation == LITMUS_LOAD    ? MACHINE_LOAD
                                       : access->operation == LITMUS_STORE ? MACHINE_STORE
                                                                           : MACHINE_UPDATE;
    const unsigned size = (unsigned)litmus_type_size(access->type);
    const unsigned bytes = effect == MACHINE_UPDATE && size < 4 ? 4 : size; /* a part of a word: swap_loops.h */
    if (access->expected_address)
        rules_amdgcn_add(needs, count, MACHINE_LOAD)->bytes = bytes;
    struct inspect_need *need = rules_amdgcn_add(needs, count, effect);
    need->order = access->order == LITMUS_PLAIN ? LITMUS_PLAIN : LITMUS_RELAXED;
    need->scope = order_is_atomic(access->order) ? access->scope : LITMUS_SCOPE_NONE;
    need->bytes = bytes;
    need->optional = rules_amdgcn_is_constant(test, access);
    need->widens = is_plain_element(test, access);
    if (access->expected_address) { /* on failure, the old value is stored */
        need = rules_amdgcn_add(needs, count, MACHINE_STORE);
        need->bytes = bytes;
        need->optional = true;
    }
}

/* gfx12 has two instructions: the wave arrives, and then waits. */
static void rules_amdgcn_need_barrier(const struct inspect_subject *subject, const struct litmus_barrier *barrier,
                                      struct inspect_need *needs, size_t *count)
{
    const struct amdgcn_generation *generation = amdgcn_generation_of(subject->listing->architecture);
    const bool twofold = generation && generation->splits_counts;
    if (barrier->sub_group) /* the items of a wave are together */
        return;
    struct inspect_need *need = rules_amdgcn_add(needs, count, MACHINE_BARRIER);
    if (!twofold)
        return;
    need->operation = LITMUS_ARRIVE;
    rules_amdgcn_add(needs, count, MACHINE_BARRIER)->operation = LITMUS_TRY_WAIT;
}

enum status rules_amdgcn(const struct inspect_subject *subject, const struct kernel_step *step,
                         struct inspect_need needs[INSPECT_MAXIMUM_NEEDS], size_t *count, struct error *error)
{
    *count = 0;
    switch (inspect_step(step)) {
    case INSPECT_STEP_ACCESS:
        rules_amdgcn_need_access(subject->test, step->access, needs, count);
        return STATUS_OK;
    case INSPECT_STEP_FENCE:
        return STATUS_OK;
    case INSPECT_STEP_BARRIER:
        rules_amdgcn_need_barrier(subject, step->barrier, needs, count);
        return STATUS_OK;
    default:
        return inspect_refuse(subject->test, step, "AMD GPUs", error);
    }
}
