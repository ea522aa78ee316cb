// SPDX-License-Identifier: Apache-2.0
/* Whether an instruction is what a step needs, and if not, why. */
#include <string.h>

#include "inspect/compare.h"
#include "litmus/language/order.h"

/* Whether it orders at least what the step needs, apart from the scope. */
static bool covers(const struct machine_instruction *instruction, const struct inspect_need *need)
{
    return ordering_covers(instruction->ordering, need->ordering) &&
           ordering_covers(instruction->vulkan.failure, need->vulkan.failure);
}

/* Whether it accesses as many bytes, for one item or for each of several, or for neighbours too. */
static bool moves(const struct machine_instruction *instruction, const struct inspect_need *need)
{
    if (need->widens && instruction->lanes == 1 && instruction->bytes % need->bytes == 0)
        return true;
    const unsigned items = need->gathers ? instruction->lanes : 1;
    return instruction->lanes <= items && instruction->bytes == items * need->bytes;
}

/* Whether it does the same to the same memory through the same proxy. */
static bool is_alike(const struct machine_instruction *instruction, const struct inspect_need *need)
{
    const bool regions =
        need->effect == MACHINE_ASYNC || (need->effect == MACHINE_FENCE && need->proxy != LITMUS_GENERIC);
    return instruction->effect == need->effect && instruction->proxy == need->proxy &&
           (need->operation == LITMUS_LOAD || instruction->operation == need->operation) &&
           instruction->multicast == need->multicast && instruction->vulkan.is_signed == need->vulkan.is_signed &&
           (ordering_storage(need->ordering) & ~ordering_storage(instruction->ordering)) == 0 &&
           (!regions || (instruction->region == need->region && instruction->from == need->from));
}

static bool fits(const struct machine_instruction *instruction, const struct inspect_need *need)
{
    return (need->bytes == 0 || instruction->unread || moves(instruction, need)) &&
           (need->element == 0 || instruction->element == need->element);
}

bool compare_satisfies(const struct machine_instruction *instruction, const struct inspect_need *need)
{
    return is_alike(instruction, need) && covers(instruction, need) && instruction->scope >= need->scope &&
           instruction->vulkan.meeting >= need->vulkan.meeting && fits(instruction, need) &&
           instruction->pending <= need->pending && (need->hints & ~instruction->hints) == 0;
}

enum inspect_fault compare_fault(const struct machine_instruction *instruction, const struct inspect_need *need)
{
    if (instruction->effect != need->effect)
        return INSPECT_CHANGED;
    if (!is_alike(instruction, need))
        return need->effect == MACHINE_FENCE && instruction->proxy == need->proxy ? INSPECT_NARROWED : INSPECT_CHANGED;
    if (!fits(instruction, need))
        return INSPECT_RESIZED;
    if (need->hints & ~instruction->hints)
        return INSPECT_CHANGED;
    if (instruction->pending > need->pending)
        return INSPECT_WEAKENED;
    return covers(instruction, need) ? INSPECT_NARROWED : INSPECT_WEAKENED;
}
