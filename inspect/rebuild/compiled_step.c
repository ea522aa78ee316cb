// SPDX-License-Identifier: Apache-2.0
/* Finds the instructions that a compiler made from one step of a test. */
#include "inspect/rebuild/compiled_step.h"

/* Whether an instruction is in a helper that is called on a step's line or, for a barrier, on that line itself. Other
 * code of the line, such as the address of an element, is elsewhere. */
static bool compiled_step_is_of(const struct inspect_subject *subject, const struct machine_instruction *instruction,
                                const struct kernel_step *step)
{
    const unsigned before = subject->first_line - 1;
    for (unsigned i = 0; i < instruction->line_count; i++) {
        const unsigned inner = i > 0 ? instruction->lines[i - 1] : 0;
        if (instruction->lines[i] == step->line + before)
            return (i == 0 && step->barrier) || (inner >= subject->kernel->helpers_line + before &&
                                                 inner < subject->kernel->functions_line + before);
    }
    return false;
}

const struct kernel_step *compiled_step_of(const struct inspect_subject *subject,
                                           const struct machine_instruction *instruction, unsigned body)
{
    for (size_t i = 0; i < subject->kernel->step_count && instruction->effect != MACHINE_NOTHING; i++)
        if (subject->kernel->steps[i].body == body &&
            compiled_step_is_of(subject, instruction, &subject->kernel->steps[i]))
            return &subject->kernel->steps[i];
    return NULL;
}

/* Whether the instruction does the step's work, rather than being a fence that the step needs. A compare-and-swap whose
 * expected value is in memory reads that value and, if it fails, writes it. */
static bool does_work(const struct kernel_step *step, const struct machine_instruction *instruction)
{
    if (step->fence)
        return machine_is_fence(instruction->effect);
    if (step->barrier)
        return instruction->effect == MACHINE_BARRIER;
    if (!step->access)
        return !machine_is_fence(instruction->effect);
    return instruction->effect == MACHINE_UPDATE ||
           (!step->access->expected_address &&
            (instruction->effect == MACHINE_LOAD || instruction->effect == MACHINE_STORE));
}

static size_t opcode_size(const char *text)
{
    return strcspn(text, " ");
}

static bool same_instruction(const struct machine_instruction *a, const struct machine_instruction *b)
{
    return opcode_size(a->text) == opcode_size(b->text) && memcmp(a->text, b->text, opcode_size(a->text)) == 0;
}

size_t compiled_step_list(const struct inspect_subject *subject, const struct kernel_step *step, struct arena *arena,
                          struct compiled_step *compiled)
{
    size_t works = 0;
    *compiled = (struct compiled_step){.step = step};
    for (size_t i = 0; i < subject->listing->count; i++) {
        const struct machine_instruction *instruction = &subject->listing->instructions[i];
        if (instruction->effect == MACHINE_NOTHING || !compiled_step_is_of(subject, instruction, step))
            continue;
        const bool work = does_work(step, instruction);
        if (!work && !machine_is_fence(instruction->effect))
            continue;
        ARENA_ADD(arena, compiled->instructions, compiled->count) = instruction;
        works += work;
    }
    while (compiled->work < compiled->count && !does_work(step, compiled->instructions[compiled->work]))
        compiled->work++;
    return works;
}

enum status compiled_step_find(const struct inspect_subject *subject, const struct kernel_step *step,
                               struct arena *arena, struct compiled_step *compiled, struct error *error)
{
    const size_t works = compiled_step_list(subject, step, arena, compiled);
    if (works <= 1 || step->fence)
        return STATUS_OK;
    /* Keeps the first of several equal copies. */
    const size_t copy = compiled->count / works;
    bool equal = copy > 0 && compiled->count == works * copy;
    for (size_t i = copy; equal && i < compiled->count; i++)
        equal = same_instruction(compiled->instructions[i], compiled->instructions[i - copy]);
    if (!equal)
        return error_set(error, STATUS_UNSUPPORTED,
                         "the code has %zu instructions for one access, from \"%s\" to \"%s\"", works,
                         compiled->instructions[0]->text, compiled->instructions[compiled->count - 1]->text);
    compiled->count = copy;
    return STATUS_OK;
}

bool compiled_step_computes(const struct machine_instruction *made, const struct litmus_access *access)
{
    const enum litmus_operation asked = access->operation, has = made->operation;
    if (made->vulkan.is_signed && litmus_type_is_unsigned(access->type))
        return false;
    return has == asked || (asked == LITMUS_CAS_WEAK && has == LITMUS_CAS) ||
           (asked == LITMUS_FETCH_SUB && has == LITMUS_FETCH_ADD) ||
           (access->type == LITMUS_FLAG && asked == LITMUS_EXCHANGE && has == LITMUS_FETCH_OR);
}

bool compiled_step_is_straight(const struct inspect_subject *subject, const struct machine_instruction *first,
                               const struct machine_instruction *last)
{
    const struct machine_instruction *all = subject->listing->instructions;
    for (const struct machine_instruction *at = first; at < last; at++)
        if (at->next != at - all + 1 || at->branch != MACHINE_NO_NEXT || at->predicated)
            return false;
    if (last->predicated)
        return false;
    return !ANY_OF(one, all, subject->listing->count, one->branch > first - all && one->branch <= last - all);
}
