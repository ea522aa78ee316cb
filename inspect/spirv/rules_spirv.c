// SPDX-License-Identifier: Apache-2.0
/* What a step needs in SPIR-V: the one instruction that VULKAN's words stand for (docs/reference/language-vulkan.md),
 * with its scope, semantics and memory operands or more. A C or OPENCL test is mapped to these words by map.c. */
#include "inspect/needs.h"
#include "kernel/map.h"
#include "litmus/language/order.h"
#include "litmus/language/vulkan_instructions.h"

enum { WORK_GROUP_MEMORY = 2 }; /* sc1 */

static enum status need_access(const struct litmus_test *test, const struct litmus_access *written,
                               struct inspect_needs *needs, struct error *error)
{
    const struct litmus_location *location = inspect_location(test, written);
    const bool is_volatile = location && location->is_volatile;
    struct litmus_access access = *written;
    struct mapped_fences none;
    TRY(mapping_vulkan.access(location ? location->region : LITMUS_GLOBAL, is_volatile, &access, &none, error));
    struct inspect_need *need =
        inspect_need_add(needs, (struct inspect_need){.effect = inspect_effect(access.operation),
                                                      .ordering = vulkan_whole(access.ordering),
                                                      .bytes = (unsigned)litmus_type_size(access.type)});
    /* Memory of a work-group is available to no others, whatever the scope. */
    const bool of_group = ordering_storage(access.ordering) & WORK_GROUP_MEMORY;
    need->scope = of_group && access.scope > LITMUS_WORK_GROUP ? LITMUS_WORK_GROUP : access.scope;
    if (access.order != LITMUS_PLAIN) {
        const bool swaps = access.operation == LITMUS_CAS;
        const bool extreme = access.operation == LITMUS_FETCH_MIN || access.operation == LITMUS_FETCH_MAX;
        if (swaps)
            need->vulkan.failure = vulkan_failure(access.ordering, access.failure);
        need->vulkan.is_signed = extreme && !litmus_type_is_unsigned(access.type);
        /* GLSL has no subtraction: the opposite is added. */
        need->operation = need->effect == MACHINE_UPDATE
                              ? (access.operation == LITMUS_FETCH_SUB ? LITMUS_FETCH_ADD : access.operation)
                              : LITMUS_LOAD;
    } else if (is_volatile)
        need->hints = MACHINE_HINT_VOLATILE;
    return STATUS_OK;
}

/* A fence that orders nothing is not emitted. */
static enum status need_fence(const struct litmus_test *test, const struct litmus_fence *written,
                              struct inspect_needs *needs, struct error *error)
{
    struct litmus_fence fence = *written;
    TRY(mapping_vulkan.fence(test->dialect, &fence, error));
    if (fence.order != LITMUS_RELAXED)
        inspect_need_add(needs, (struct inspect_need){.effect = MACHINE_FENCE, .ordering = fence.ordering});
    return STATUS_OK;
}

static enum status need_barrier(const struct litmus_test *test, const struct litmus_barrier *written,
                                struct inspect_needs *needs, struct error *error)
{
    struct litmus_barrier barrier = *written;
    struct mapped_fences none;
    TRY(mapping_vulkan.barrier(test->dialect, &barrier, &none, error));
    inspect_need_add(needs, (struct inspect_need){.effect = MACHINE_BARRIER,
                                                  .ordering = barrier.ordering,
                                                  .vulkan.meeting = litmus_barrier_level(test->dialect, written)});
    return STATUS_OK;
}

enum status rules_spirv(const struct inspect_subject *subject, const struct kernel_step *step,
                        struct inspect_needs *needs, struct error *error)
{
    switch (inspect_step(step)) {
    case INSPECT_STEP_ACCESS:
        return need_access(subject->test, step->access, needs, error);
    case INSPECT_STEP_FENCE:
        return need_fence(subject->test, step->fence, needs, error);
    case INSPECT_STEP_BARRIER:
        return need_barrier(subject->test, step->barrier, needs, error);
    default:
        return inspect_refuse(subject->test, step, "SPIR-V", error);
    }
}
