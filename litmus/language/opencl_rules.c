// SPDX-License-Identifier: Apache-2.0
/*
 * Code that parses but that OpenCL C does not define: invalid combinations of flags and scopes. The
 * rules are those of the OpenCL C 3.0 specification, sections "Synchronization Functions" (6.15.8),
 * "Memory Scope" and "Fences" (6.15.12), and "Reading and Writing to the Same Image in a Kernel"
 * (6.15.15). Each sentence names its section.
 */
#include "litmus/language/visit.h"

/* The parts of an instruction that these rules check. */
struct instruction {
    enum { INSTRUCTION_ACCESS, INSTRUCTION_FENCE, INSTRUCTION_BARRIER, INSTRUCTION_SUB_GROUP_BARRIER } kind;
    bool buffers, image; /* flags: of global or local memory, of images */
    enum litmus_order order;
    enum litmus_scope scope;
};

static bool is_fence_without_flags(const struct instruction *instruction)
{
    return instruction->kind == INSTRUCTION_FENCE && !instruction->buffers && !instruction->image;
}

static bool is_work_item(const struct instruction *instruction)
{
    const bool of_images = instruction->kind == INSTRUCTION_FENCE && instruction->image && !instruction->buffers;
    return instruction->scope == LITMUS_WORK_ITEM && !of_images;
}

static bool is_other_image_fence(const struct instruction *instruction)
{
    return instruction->kind == INSTRUCTION_FENCE && instruction->image &&
           (instruction->scope != LITMUS_WORK_ITEM || instruction->order != LITMUS_ACQ_REL);
}

static bool is_wide_image_barrier(const struct instruction *instruction)
{
    return instruction->kind == INSTRUCTION_BARRIER && instruction->image && instruction->scope != LITMUS_WORK_GROUP;
}

static const struct {
    bool (*breaks)(const struct instruction *instruction);
    const char *sentence;
} rules[] = {
    {is_fence_without_flags, "atomic_work_item_fence without a flag is undefined (OpenCL C 3.0, Fences)"},
    {is_work_item, "memory_scope_work_item is only for atomic_work_item_fence with CLK_IMAGE_MEM_FENCE "
                   "(OpenCL C 3.0, Memory Scope)"},
    {is_other_image_fence, "atomic_work_item_fence with CLK_IMAGE_MEM_FENCE takes only memory_order_acq_rel and "
                           "memory_scope_work_item (OpenCL C 3.0, Reading and Writing to the Same Image in a Kernel)"},
    {is_wide_image_barrier, "work_group_barrier with CLK_IMAGE_MEM_FENCE takes only memory_scope_work_group "
                            "(OpenCL C 3.0, Synchronization Functions)"},
};

/* *broken: the rule that the first such instruction breaks, or NULL. */
static void check_rules(const struct instruction *instruction, const char **broken)
{
    for (size_t i = 0; i < sizeof rules / sizeof rules[0] && !*broken; i++)
        if (rules[i].breaks(instruction))
            *broken = rules[i].sentence;
}

static void check_statement(const struct litmus_statement *statement, void *context)
{
    const struct litmus_orders *orders = &statement->orders;
    if (!litmus_kinds[statement->kind].orders)
        return;
    const struct instruction instruction = {litmus_is_fence(statement)     ? INSTRUCTION_FENCE
                                            : statement->barrier.sub_group ? INSTRUCTION_SUB_GROUP_BARRIER
                                                                           : INSTRUCTION_BARRIER,
                                            orders->flag_global || orders->flag_local, orders->flag_image,
                                            orders->order, orders->scope};
    check_rules(&instruction, context);
}

static void check_access(const struct litmus_access *access, void *context)
{
    if (access->order == LITMUS_PLAIN)
        return;
    const struct instruction instruction = {INSTRUCTION_ACCESS, true, false, access->order, access->scope};
    check_rules(&instruction, context);
}

const char *litmus_broken_rule(const struct litmus_test *test)
{
    const char *broken = NULL;
    const struct visitor visitor = {.statement = check_statement, .access = check_access, .context = &broken};
    for (size_t i = 0; test->dialect == LITMUS_OPENCL && i < test->body_count; i++)
        litmus_visit_block(&test->threads[i].body, &visitor);
    return broken;
}
