// SPDX-License-Identifier: Apache-2.0
/* The accesses and barriers that a step of a test needs on an AMD GPU (AMDGPUUsage, "Memory Model"). A relaxed access
 * needs the modifiers of its scope, which the reader has made a scope. Orders need waits, write-backs and
 * invalidations, which may be merged with others, or be unnecessary because nothing is pending; amdgcn_order.c checks
 * them. So a fence needs no instruction here. */
#include "inspect/amdgcn/amdgcn.h"
#include "litmus/language/order.h"

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

static void need_access(const struct litmus_test *test, const struct litmus_access *access, struct inspect_needs *needs)
{
    const enum machine_effect effect = inspect_effect(access->operation);
    const unsigned size = (unsigned)litmus_type_size(access->type);
    const unsigned bytes = effect == MACHINE_UPDATE && size < 4 ? 4 : size; /* a part of a word: swap_loops.h */
    inspect_need_expected(needs, access, MACHINE_LOAD, bytes);
    inspect_need_add(
        needs, (struct inspect_need){.effect = effect,
                                     .order = access->order == LITMUS_PLAIN ? LITMUS_PLAIN : LITMUS_RELAXED,
                                     .scope = order_is_atomic(access->order) ? access->scope : LITMUS_SCOPE_NONE,
                                     .bytes = bytes,
                                     .optional = inspect_is_constant(test, access), /* it may be loaded as a scalar */
                                     .widens = is_plain_element(test, access)});
    inspect_need_expected(needs, access, MACHINE_STORE, bytes);
}

/* gfx12 has two instructions: the wave arrives, and then waits. */
static void need_barrier(const struct inspect_subject *subject, const struct litmus_barrier *barrier,
                         struct inspect_needs *needs)
{
    const struct amdgcn_generation *generation = amdgcn_generation_of(subject->listing->architecture);
    const bool twofold = generation && generation->splits_counts;
    if (barrier->sub_group) /* the items of a wave are together */
        return;
    inspect_need_add(
        needs, (struct inspect_need){.effect = MACHINE_BARRIER, .operation = twofold ? LITMUS_ARRIVE : LITMUS_LOAD});
    if (twofold)
        inspect_need_add(needs, (struct inspect_need){.effect = MACHINE_BARRIER, .operation = LITMUS_TRY_WAIT});
}

enum status rules_amdgcn(const struct inspect_subject *subject, const struct kernel_step *step,
                         struct inspect_needs *needs, struct error *error)
{
    switch (inspect_step(step)) {
    case INSPECT_STEP_ACCESS:
        need_access(subject->test, step->access, needs);
        return STATUS_OK;
    case INSPECT_STEP_FENCE:
        return STATUS_OK;
    case INSPECT_STEP_BARRIER:
        need_barrier(subject, step->barrier, needs);
        return STATUS_OK;
    default:
        return inspect_refuse(subject->test, step, "AMD GPUs", error);
    }
}
