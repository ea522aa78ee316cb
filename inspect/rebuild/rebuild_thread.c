// SPDX-License-Identifier: Apache-2.0
/* The threads of a compiled test: in the order of straight-line code, otherwise as in the
 * source. */
#include "inspect/rebuild/rebuild.h"
#include "litmus/language/visit.h"

/* Whether each statement of a thread is one step, so that the code alone defines the thread. */
static bool is_plain_list(const struct rebuild *rebuild, const struct litmus_block *block)
{
    for (size_t i = 0; i < block->count; i++) {
        const struct litmus_statement *statement = &block->statements[i];
        const struct litmus_access *access = statement->value ? statement->value->access : NULL;
        if (statement->kind == LITMUS_FENCE || statement->kind == LITMUS_BARRIER)
            continue;
        if ((statement->kind != LITMUS_ASSIGN && statement->kind != LITMUS_PERFORM) || !access ||
            access->expected_address || rebuild_reads_constant(rebuild, access) || litmus_has_access(access->address) ||
            litmus_has_access(access->operand) || litmus_has_access(access->expected))
            return false;
    }
    return true;
}

/* The index of a step's statement in a block that satisfies is_plain_list. */
static size_t statement_of(const struct litmus_block *block, const struct kernel_step *step)
{
    size_t i = 0;
    while (i < block->count && !(block->statements[i].value && block->statements[i].value->access == step->access) &&
           &block->statements[i].fence != step->fence && &block->statements[i].barrier != step->barrier)
        i++;
    return i;
}

static const struct machine_instruction *edge_of(const struct rebuild *rebuild, bool last)
{
    const struct listing *listing = rebuild->code.listing;
    const struct machine_instruction *found = NULL;
    for (size_t i = 0; i < listing->count && (last || !found); i++)
        if (compiled_step_of(&rebuild->code, &listing->instructions[i], rebuild->body))
            found = &listing->instructions[i];
    return found;
}

/* Appends the statement of one instruction of a thread with straight-line code. */
static enum status add_instruction(struct rebuild *rebuild, const struct litmus_block *from, struct litmus_block *to,
                                   const struct machine_instruction *instruction, struct statement_list *list)
{
    const struct kernel_step *step = compiled_step_of(&rebuild->code, instruction, rebuild->body);
    if (!step)
        return STATUS_OK;
    const struct compiled_step made = {step, &instruction, 1, 0};
    if (instruction->effect == MACHINE_FENCE) {
        rebuild_add_fences(rebuild, &made, 0, 1, list);
        return STATUS_OK;
    }
    const size_t index = statement_of(from, step);
    if (index == from->count)
        return error_set(rebuild->error, STATUS_INTERNAL, "a step of P%u is not a statement", rebuild->thread->first);
    struct litmus_statement statement = to->statements[index];
    if (step->barrier)
        rebuild_set_barrier(&statement.barrier, instruction);
    else {
        struct litmus_expression *value = arena_take(&rebuild->compiled->arena, 1, sizeof *value);
        *value = *statement.value;
        value->access = arena_take(&rebuild->compiled->arena, 1, sizeof *value->access);
        *value->access = *statement.value->access;
        statement.value = value;
        TRY(rebuild_access(rebuild, value->access, &made, statement.kind == LITMUS_PERFORM));
        return rebuild_add_access(rebuild, statement, list);
    }
    rebuild_add(rebuild, list, statement);
    return STATUS_OK;
}

/* Whether some statement of the list gives a register a value. */
static bool assigns(const struct statement_list *list, int target)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->statements[i].kind == LITMUS_ASSIGN && list->statements[i].target == target)
            return true;
    return false;
}

/* A load that is missing from the code leaves its register unknown. */
static enum status check_registers(struct rebuild *rebuild, const struct litmus_block *from,
                                   const struct statement_list *list)
{
    for (size_t i = 0; i < from->count; i++) {
        const struct litmus_statement *statement = &from->statements[i];
        if (statement->kind == LITMUS_ASSIGN && !assigns(list, statement->target))
            return error_set(rebuild->error, STATUS_UNSUPPORTED,
                             "P%u, line %u: the code has no instruction for it, and what it reads is not known",
                             rebuild->thread->first, statement->place.line);
    }
    return STATUS_OK;
}

/* Makes a thread without jumps, in the order of its code. */
static enum status make_straight(struct rebuild *rebuild, const struct litmus_block *from, struct litmus_block *to,
                                 const struct machine_instruction *first, const struct machine_instruction *last)
{
    struct statement_list list = {0};
    for (const struct machine_instruction *at = first; at && at <= last; at++)
        TRY(add_instruction(rebuild, from, to, at, &list));
    TRY(check_registers(rebuild, from, &list));
    *to = (struct litmus_block){list.statements, list.count};
    return STATUS_OK;
}

/* Whether the inspection found that the steps of a thread do not run as they do in the source. */
static bool flow_differs(const struct rebuild *rebuild, const struct inspection *inspection)
{
    for (size_t i = 0; inspection && i < inspection->finding_count; i++) {
        const struct inspect_finding *finding = &inspection->findings[i];
        if ((finding->fault == INSPECT_MISSING || finding->fault == INSPECT_ONCE || finding->fault == INSPECT_DOUBLED ||
             finding->fault == INSPECT_MOVED) &&
            rebuild->code.kernel->steps[finding->step].body == rebuild->body)
            return true;
    }
    return !inspection || inspection->kept == TEST_NOT_INSPECTED;
}

static enum status find_steps(struct rebuild *rebuild)
{
    const struct kernel *kernel = rebuild->code.kernel;
    for (size_t i = 0; i < kernel->step_count; i++)
        if (kernel->steps[i].body == rebuild->body)
            TRY(compiled_step_find(&rebuild->code, &kernel->steps[i], &rebuild->compiled->arena, &rebuild->steps[i],
                                   rebuild->error));
    return STATUS_OK;
}

enum status rebuild_thread(struct rebuild *rebuild, const struct litmus_block *from, struct litmus_block *to,
                           const struct inspection *inspection)
{
    const struct machine_instruction *first = edge_of(rebuild, false), *last = edge_of(rebuild, true);
    if (is_plain_list(rebuild, from) && (!first || compiled_code_is_straight(&rebuild->code, first, last)))
        return make_straight(rebuild, from, to, first, last);
    if (flow_differs(rebuild, inspection))
        return error_set(rebuild->error, STATUS_UNSUPPORTED,
                         "P%u: the paths through its code are not those of the test", rebuild->thread->first);
    TRY(find_steps(rebuild));
    return rebuild_block(rebuild, from, to);
}
