// SPDX-License-Identifier: Apache-2.0
/*
 * What a step needs in PTX that a compiler made from OpenCL C, CUDA C++ or inline PTX. PTX can express an order on the
 * access itself (ld.acquire), or by a fence next to it (PTX ISA 9.0, "Memory Consistency Model", "Release and Acquire
 * Patterns"). The rules look at the form that the code uses, and require the rest of it.
 *
 * NVIDIA's OpenCL (driver 580) uses fences: it has ld.volatile for an atomic load and atom.exch for an atomic store.
 */
#include "inspect/compare.h"
#include "inspect/rebuild/compiled_step.h"
#include "kernel/lower.h"
#include "litmus/language/order.h"

/* What an order requires: release, acquire, and a place in the single order of all seq_cst operations. */
static const struct {
    bool release, acquire, total;
} sides[LITMUS_ORDER_COUNT] = {
    [LITMUS_ACQUIRE] = {false, true, false},
    [LITMUS_RELEASE] = {true, false, false},
    [LITMUS_ACQ_REL] = {true, true, false},
    [LITMUS_SEQ_CST] = {true, true, true},
};

static void add_fence(struct inspect_needs *needs, enum litmus_order order, enum litmus_scope scope, bool is_order)
{
    inspect_need_add(
        needs, (struct inspect_need){.effect = MACHINE_FENCE, .order = order, .scope = scope, .is_order = is_order});
}

enum { MAXIMUM_EXTRA = 2 }; /* on one side */

/* Adds fences that the code has but the step does not need, so that they are not taken for those that it needs. */
static void add_extra(struct inspect_needs *needs, size_t found, size_t needed)
{
    for (size_t i = needed; i < found && i < needed + MAXIMUM_EXTRA; i++)
        inspect_need_add(needs, (struct inspect_need){.effect = MACHINE_FENCE, .optional = true, .is_order = true});
}

/* The code of a step: its work, and the number of fences before and after it. */
struct step_code {
    const struct machine_instruction *work; /* or NULL */
    size_t before, after;
};

static struct step_code rules_ptx_look(const struct inspect_subject *subject, const struct kernel_step *step)
{
    LOCAL(arena) arena = {0};
    struct compiled_step compiled;
    struct step_code found = {0};
    struct error error;
    if (compiled_step_find(subject, step, &arena, &compiled, &error) != STATUS_OK)
        (void)compiled_step_list(subject, step, &arena, &compiled); /* if copies differ, both ends are looked at */
    if (compiled.work < compiled.count) {
        found.work = compiled.instructions[compiled.work];
        found.before = compiled.work;
        while (found.before + found.after < compiled.count &&
               compiled.instructions[compiled.count - 1 - found.after]->effect == MACHINE_FENCE)
            found.after++;
    }
    return found;
}

/* The order that the access itself must have if no fence provides it. A volatile access is a relaxed one of the widest
 * scope (PTX ISA, "ld"). */
static enum litmus_order own_order(enum litmus_order asked, const struct step_code *found, bool release, bool acquire)
{
    if (asked == LITMUS_PLAIN || asked == LITMUS_VOLATILE)
        return asked;
    if (release || acquire)
        return !release ? LITMUS_ACQUIRE : !acquire ? LITMUS_RELEASE : LITMUS_ACQ_REL;
    return found->work && found->work->order == LITMUS_VOLATILE ? LITMUS_VOLATILE : LITMUS_RELAXED;
}

static bool has_own(const struct step_code *found, bool release)
{
    return found->work && (release ? sides[found->work->order].release : sides[found->work->order].acquire);
}

static enum litmus_order rules_ptx_order_of(const struct litmus_test *test, const struct litmus_access *access)
{
    const bool swaps = operation_compares(access->operation);
    const struct litmus_location *location = inspect_location(test, access);
    if (access->order == LITMUS_PLAIN)
        return location && location->is_volatile ? LITMUS_VOLATILE : LITMUS_PLAIN;
    return swaps ? order_joined(access->order, access->failure) : access->order;
}

/* Whether an update of the code can be what the test asks for: a load only if it changes nothing, a store only as an
 * exchange. A compare-and-swap may do any update in a loop, which swap_loops.h judges. */
static bool is_fit(const struct machine_instruction *update, const struct litmus_access *access)
{
    return access->operation == LITMUS_LOAD ? update->writes_same
           : access->operation == LITMUS_STORE
               ? update->operation == LITMUS_EXCHANGE
               : update->operation == LITMUS_CAS || compiled_step_computes(update, access);
}

/* The instruction itself. A load may be an update that changes nothing, and a store an update whose result is dropped;
 * other operations may be a loop of compare-and-swap. */
static void need_work(struct inspect_needs *needs, const struct litmus_access *access, const struct step_code *found,
                      enum litmus_order order)
{
    const bool updates = found->work && found->work->effect == MACHINE_UPDATE;
    const bool fits = !updates || is_fit(found->work, access);
    const bool has_scope = order != LITMUS_PLAIN && order != LITMUS_VOLATILE;
    const unsigned bytes = (unsigned)litmus_type_size(access->type);
    inspect_need_expected(needs, access, MACHINE_LOAD, bytes);
    inspect_need_add(
        needs,
        (struct inspect_need){.effect = updates && fits ? MACHINE_UPDATE : inspect_effect(access->operation),
                              .operation = fits || operation_moves(access->operation) ? LITMUS_LOAD : access->operation,
                              .order = order,
                              .scope = has_scope ? access->scope : LITMUS_SCOPE_NONE,
                              .proxy = access->proxy,
                              .hints = machine_cache_hint(access->cache) | machine_cache_hint(access->prefetch) |
                                       (access->mmio ? MACHINE_HINT_MMIO : 0u),
                              .bytes = bytes});
    inspect_need_expected(needs, access, MACHINE_STORE, bytes);
}

static void need_access(const struct inspect_subject *subject, const struct kernel_step *step,
                        struct inspect_needs *needs)
{
    const struct litmus_access *access = step->access;
    const enum litmus_order order = rules_ptx_order_of(subject->test, access);
    const struct step_code found = rules_ptx_look(subject, step);
    const bool reads = access->operation != LITMUS_STORE, writes = access->operation != LITMUS_LOAD;
    const bool total_after = sides[order].total && found.after > 0 && found.before == 0;
    const bool total_before = sides[order].total && !total_after;
    const bool release = sides[order].release && writes && !total_before;
    const bool acquire = sides[order].acquire && reads && !total_after;
    const bool own_release = release && has_own(&found, true), own_acquire = acquire && has_own(&found, false);
    const bool before = total_before || (release && !own_release), after = total_after || (acquire && !own_acquire);
    add_extra(needs, found.before, before);
    if (before)
        add_fence(needs, total_before ? LITMUS_SEQ_CST : LITMUS_ACQ_REL, access->scope, true);
    need_work(needs, access, &found, own_order(order, &found, own_release, own_acquire));
    if (after)
        add_fence(needs, total_after ? LITMUS_SEQ_CST : LITMUS_ACQ_REL, access->scope, true);
    if (after && found.after > 0) {
        /* Whether a compare-and-swap need not acquire on failure. Its fence may then run only on success. */
        const bool swaps = operation_compares(access->operation);
        needs->items[needs->count - 1].optional = swaps && !sides[access->failure].acquire;
    }
    add_extra(needs, found.after, after);
}

/* A fence of local memory alone need not reach beyond the work-group. */
static enum litmus_scope reach(enum litmus_scope scope, bool global, bool local)
{
    return local && !global && scope > LITMUS_WORK_GROUP ? LITMUS_WORK_GROUP : scope;
}

static void need_fence(const struct kernel_step *step, struct inspect_needs *needs)
{
    const struct litmus_fence *fence = step->fence;
    if (fence->order != LITMUS_RELAXED)
        add_fence(needs, fence->order, reach(fence->scope, fence->flag_global, fence->flag_local), false);
}

/* A barrier of a wider scope than its work-group releases what comes before it and acquires what comes after it. One
 * fence before it does both: it is after all reads before the barrier, and before all writes after it. */
static enum status need_barrier(const struct inspect_subject *subject, const struct kernel_step *step,
                                struct inspect_needs *needs, struct error *error)
{
    const struct litmus_barrier *barrier = step->barrier;
    const enum litmus_dialect dialect = subject->test->dialect;
    const enum litmus_scope scope = reach(barrier->scope, barrier->flag_global, barrier->flag_local);
    struct litmus_barrier mapped = *barrier;
    struct mapped_fences fences;
    TRY(mapping_ptx.barrier(dialect, &mapped, &fences, error));
    const bool wide = fences.before && scope > mapped.scope;
    const struct step_code found = rules_ptx_look(subject, step);
    add_extra(needs, found.before, wide);
    if (wide)
        add_fence(needs, LITMUS_ACQ_REL, scope, true);
    inspect_need_add(needs,
                     (struct inspect_need){.effect = MACHINE_BARRIER, .scope = litmus_barrier_level(dialect, barrier)});
    add_extra(needs, found.after, 0);
    return STATUS_OK;
}

/* ---- instructions that only inline PTX has ---- */

/* A compiler keeps their words, so that the code must have those of the kernel's function. */

static const char verbatim_start[] = "asm volatile(\"";

static bool is_verbatim(const struct kernel_step *step)
{
    const enum inspect_step kind = inspect_step(step);
    const bool has_rules = kind == INSPECT_STEP_ACCESS || kind == INSPECT_STEP_FENCE || kind == INSPECT_STEP_BARRIER ||
                           (step->access && step->access->read_only) ||
                           (step->fence && litmus_fence_is_of_grids(step->fence));
    return !has_rules && strstr(step->code, verbatim_start);
}

static enum machine_effect verbatim_effect(const struct kernel_step *step)
{
    static const enum machine_effect groups[] = {[LITMUS_GROUP_COMMIT] = MACHINE_COMMIT,
                                                 [LITMUS_GROUP_WAIT] = MACHINE_WAIT,
                                                 [LITMUS_GROUP_WAIT_ALL] = MACHINE_WAIT,
                                                 [LITMUS_GROUP_ARRIVE] = MACHINE_ASYNC,
                                                 [LITMUS_GROUP_FENCE] = MACHINE_FENCE};
    if (step->group)
        return groups[step->group->action];
    if (step->access && operation_is_wait(step->access->operation))
        return MACHINE_LOAD;
    return step->access   ? inspect_effect(step->access->operation)
           : step->vector ? inspect_effect(step->vector->access.operation)
           : step->fence  ? MACHINE_FENCE
           : step->copy   ? MACHINE_ASYNC
                          : MACHINE_BARRIER;
}

/* The instructions of its function, without those that only move operands. */
static void need_verbatim(const struct kernel_step *step, struct inspect_needs *needs)
{
    for (const char *at = step->code; (at = strstr(at, verbatim_start)) != NULL;)
        for (at += strlen(verbatim_start); *at != '"'; at += strcspn(at, ";\""), at += *at == ';') {
            at += strspn(at, " {}");
            if (!strchr(".\"", *at) && !text_has_word("setp selp mov cvta", at, strcspn(at, ". ")))
                inspect_need_add(needs, (struct inspect_need){.effect = verbatim_effect(step), .form = at});
        }
}

/* The effect that an instruction on a step's line has: it begins with the same word as one that the step needs, or does
 * something else to memory. */
static enum machine_effect placed_effect(const struct kernel_step *step, const struct machine_instruction *instruction)
{
    const char *const text = instruction->text, *opcode = text + (*text == '@' ? strcspn(text, " ") + 1 : 0);
    const size_t size = strcspn(opcode, ". ") + 1;
    struct inspect_needs needs = {.count = 0};
    need_verbatim(step, &needs);
    return instruction->unread || ANY_OF(need, needs.items, needs.count, strncmp(need->form, opcode, size) == 0)
               ? verbatim_effect(step)
               : instruction->effect;
}

void ptx_place(const struct inspect_subject *subject, struct listing *listing)
{
    for (size_t i = 0; i < listing->count && (subject->kernel->lowering->takes & BACKEND_TAKES_PTX) != 0; i++) {
        struct machine_instruction *instruction = &listing->instructions[i];
        bool in_helper;
        const unsigned line = thread_line(subject, instruction, &in_helper);
        const struct kernel_step *step =
            FIRST_OF(one, subject->kernel->steps, subject->kernel->step_count, one->line == line);
        if (step && in_helper && is_verbatim(step))
            instruction->effect = placed_effect(step, instruction);
        /* The kernel's own instructions are on other lines, or in functions that other lines call. */
        if (line != 0 ? !step || is_verbatim(step) : !in_helper && instruction->line_count > 0)
            instruction->unread = NULL;
    }
}

enum status rules_ptx(const struct inspect_subject *subject, const struct kernel_step *step,
                      struct inspect_needs *needs, struct error *error)
{
    if (is_verbatim(step)) {
        need_verbatim(step, needs);
        return STATUS_OK;
    }
    switch (inspect_step(step)) {
    case INSPECT_STEP_PROXY:
        if (!step->access->read_only)
            return inspect_refuse(subject->test, step, "PTX", error);
        need_access(subject, step, needs);
        return STATUS_OK;
    case INSPECT_STEP_ACCESS:
        if (inspect_is_constant(subject->test, step->access)) /* it may come from a bank outside test memory */
            inspect_need_add(needs, (struct inspect_need){.effect = MACHINE_LOAD, .optional = true});
        else
            need_access(subject, step, needs);
        return STATUS_OK;
    case INSPECT_STEP_FENCE:
        need_fence(step, needs);
        return STATUS_OK;
    case INSPECT_STEP_PROXY_FENCE:
        if (!litmus_fence_is_of_grids(step->fence))
            return inspect_refuse(subject->test, step, "PTX", error);
        inspect_need_add(needs, inspect_need_of_grids(step->fence));
        return STATUS_OK;
    case INSPECT_STEP_BARRIER:
        return need_barrier(subject, step, needs, error);
    default:
        return inspect_refuse(subject->test, step, "PTX", error);
    }
}
