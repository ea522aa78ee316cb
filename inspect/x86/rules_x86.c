// SPDX-License-Identifier: Apache-2.0
/*
 * The x86-64 instructions that a step of a test needs (TSO).
 *
 *   load, of any order               mov                  loads are not reordered with loads
 *   store, plain to release          mov                  nor stores with earlier accesses
 *   store, seq_cst                   xchg, or mov; mfence only a later load may overtake a store
 *   read-modify-write of any order   a locked instruction, or a loop of lock cmpxchg (swap_loops.h)
 *   one that leaves the value alone  the same, or mfence and mov  both drain the store buffer and then read
 *   fence, seq_cst                   mfence, or a locked instruction on the stack
 *   other fences, barriers           nothing
 *
 * Sources: Intel SDM volume 3A, 9.2.2 "Memory Ordering in P6 and More Recent Processor Families", 9.1 "Locked Atomic
 * Operations"; Sewell and others, "x86-TSO" (CACM 2010); the C and C++11 mappings,
 * https://www.cl.cam.ac.uk/~pes20/cpp/cpp0xmappings.html, proved by Batty and others (POPL 2011).
 *
 * If the items of a work-group run one after another in one thread, as in PoCL, a barrier needs no instruction: it is
 * the end of one loop over items and the start of the next.
 */
#include "inspect/needs.h"
#include "litmus/litmus.h"

static bool comes_from(const struct machine_instruction *instruction, unsigned line)
{
    for (unsigned i = 0; i < instruction->line_count; i++)
        if (instruction->lines[i] == line)
            return true;
    return false;
}

/* The first instruction with that effect on a line of the compiled text; or NULL. */
static const struct machine_instruction *find_effect(const struct listing *listing, unsigned line,
                                                     enum machine_effect effect)
{
    for (size_t i = 0; i < listing->count; i++)
        if (listing->instructions[i].effect == effect && comes_from(&listing->instructions[i], line))
            return &listing->instructions[i];
    return NULL;
}

static enum status check_lost(const struct listing *listing, const struct kernel_step *step, unsigned line,
                              struct error *error)
{
    for (size_t i = 0; i < listing->lost_count; i++)
        if (comes_from(&listing->lost[i], line))
            return error_set(error, STATUS_UNSUPPORTED,
                             "the code that runs has no line information, and nothing in it matches line %u of the "
                             "test, which is '%s' in the copy that has",
                             step->place.line, listing->lost[i].text);
    return STATUS_OK;
}

static struct inspect_need *rules_x86_add(struct inspect_need *needs, size_t *count, enum machine_effect effect,
                                          enum litmus_order order, unsigned bytes)
{
    needs[*count] = (struct inspect_need){.effect = effect, .order = order, .bytes = bytes};
    return &needs[(*count)++];
}

static void need_store(const struct litmus_access *access, bool swaps, unsigned bytes, struct inspect_need *needs,
                       size_t *count)
{
    if (access->order != LITMUS_SEQ_CST)
        rules_x86_add(needs, count, MACHINE_STORE, access->order, bytes)->gathers = true;
    else if (swaps)
        rules_x86_add(needs, count, MACHINE_UPDATE, LITMUS_SEQ_CST, bytes);
    else {
        rules_x86_add(needs, count, MACHINE_STORE, LITMUS_RELEASE, bytes);
        rules_x86_add(needs, count, MACHINE_FENCE, LITMUS_SEQ_CST, 0)->is_order = true;
    }
}

static void need_update(const struct litmus_access *access, unsigned bytes, struct inspect_need *needs, size_t *count)
{
    if (access->expected_address)
        rules_x86_add(needs, count, MACHINE_LOAD, LITMUS_PLAIN, bytes);
    rules_x86_add(needs, count, MACHINE_UPDATE, LITMUS_SEQ_CST, bytes);
    if (access->expected_address)
        rules_x86_add(needs, count, MACHINE_STORE, LITMUS_PLAIN, bytes)->optional = true;
}

/* Whether an operation stores the value that it read: fetch_add(x, 0). LLVM turns it into a fence and a load (Boehm,
 * "Can seqlocks get along with programming language memory models?", HPL-2012-68). In x86-TSO this is equivalent: a
 * locked instruction also drains the thread's store buffer before it reads memory, and what it writes is already
 * there. */
static bool changes_nothing(const struct litmus_access *access)
{
    const bool zero = access->operation == LITMUS_FETCH_ADD || access->operation == LITMUS_FETCH_SUB ||
                      access->operation == LITMUS_FETCH_OR || access->operation == LITMUS_FETCH_XOR;
    return access->operand && access->operand->kind == LITMUS_EXPRESSION_CONSTANT &&
           ((zero && access->operand->value == 0) ||
            (access->operation == LITMUS_FETCH_AND && access->operand->value == -1));
}

/* Constant memory is never written, so a compiler may know its contents. */
static bool rules_x86_is_constant(const struct litmus_test *test, const struct litmus_access *access)
{
    return access->address && access->address->kind == LITMUS_EXPRESSION_ADDRESS &&
           test->locations[access->address->index].constant;
}

static void need_load(const struct litmus_test *test, const struct litmus_access *access, unsigned bytes,
                      struct inspect_need *needs, size_t *count)
{
    const enum litmus_order order = access->order == LITMUS_SEQ_CST ? LITMUS_ACQUIRE : access->order;
    struct inspect_need *load = rules_x86_add(needs, count, MACHINE_LOAD, order, bytes);
    load->gathers = true;
    load->optional = rules_x86_is_constant(test, access);
}

static void rules_x86_need_access(const struct inspect_subject *subject, const struct litmus_access *access,
                                  unsigned line, struct inspect_need *needs, size_t *count)
{
    const struct machine_instruction *update = find_effect(subject->listing, line, MACHINE_UPDATE);
    const unsigned bytes = (unsigned)litmus_type_size(access->type);
    if (access->operation == LITMUS_LOAD)
        need_load(subject->test, access, bytes, needs, count);
    else if (access->operation == LITMUS_STORE)
        need_store(access, update != NULL, bytes, needs, count);
    else if (!update && changes_nothing(access)) {
        rules_x86_add(needs, count, MACHINE_FENCE, LITMUS_SEQ_CST, 0)->is_order = true;
        rules_x86_add(needs, count, MACHINE_LOAD, LITMUS_ACQUIRE, bytes);
    } else
        need_update(access, bytes, needs, count);
}

enum status rules_x86(const struct inspect_subject *subject, const struct kernel_step *step,
                      struct inspect_need needs[INSPECT_MAXIMUM_NEEDS], size_t *count, struct error *error)
{
    const unsigned line = subject->first_line + step->line - 1;
    *count = 0;
    TRY(check_lost(subject->listing, step, line, error));
    switch (inspect_step(step)) {
    case INSPECT_STEP_ACCESS:
        rules_x86_need_access(subject, step->access, line, needs, count);
        return STATUS_OK;
    case INSPECT_STEP_FENCE:
        if (step->fence->order == LITMUS_SEQ_CST && step->fence->scope != LITMUS_WORK_ITEM)
            rules_x86_add(needs, count, MACHINE_FENCE, LITMUS_SEQ_CST, 0);
        return STATUS_OK;
    case INSPECT_STEP_BARRIER: /* the items of a work-group run one after another (inspect_subject.items_in_turn) */
        return STATUS_OK;
    default:
        return inspect_refuse(subject->test, step, "x86-64", error);
    }
}
