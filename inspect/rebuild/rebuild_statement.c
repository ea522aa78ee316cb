// SPDX-License-Identifier: Apache-2.0
/* The statements of a compiled test, in the control flow of its source. */
#include "inspect/rebuild/rebuild.h"
#include "litmus/language/order.h"

/* PTX's atom and VULKAN's rmw have a register for the result even if it is unused. */
enum status rebuild_add_access(struct rebuild *rebuild, struct litmus_statement statement, struct statement_list *list)
{
    const struct litmus_access *access = statement.value->access;
    const bool plain = operation_moves(access->operation);
    if (statement.kind == LITMUS_PERFORM && (access->operation == LITMUS_LOAD || (!plain && !access->no_result))) {
        statement.kind = LITMUS_ASSIGN;
        TRY(rebuild_add_register(rebuild, rebuild_result_type(access), &statement.target));
    }
    rebuild_add(rebuild, list, statement);
    return STATUS_OK;
}

/* Adds the fences after an access. If a compare-and-swap need not acquire on failure, its fences
 * may run only on success, which is in `result`. */
static void add_fences_after(struct rebuild *rebuild, const struct compiled_step *step, int result,
                             struct statement_list *list)
{
    const struct litmus_access *access = step->step->access;
    const bool swaps = operation_compares(access->operation);
    struct statement_list fences = {0};
    rebuild_add_fences(rebuild, step, step->work + 1, step->count, &fences);
    if (!swaps || access->expected || access->failure == LITMUS_ACQUIRE || access->failure == LITMUS_SEQ_CST ||
        fences.count == 0) {
        rebuild_add_list(rebuild, list, &fences);
        return;
    }
    struct litmus_expression *success = arena_take(&rebuild->compiled->arena, 1, sizeof *success);
    *success =
        (struct litmus_expression){.kind = LITMUS_EXPRESSION_REGISTER, .place = step->step->place, .index = result};
    rebuild_add(rebuild, list,
                (struct litmus_statement){.kind = LITMUS_IF,
                                          .place = step->step->place,
                                          .target = LITMUS_NONE,
                                          .label = LITMUS_NONE,
                                          .value = success,
                                          .body = {fences.statements, fences.count}});
}

/* An access that is a statement, or whose value is assigned to a register, keeps its place between
 * its fences. */
static enum status make_root(struct rebuild *rebuild, const struct litmus_statement *from, struct litmus_statement *to,
                             struct statement_list *list)
{
    const struct litmus_access *access = from->value->access;
    const struct compiled_step *step = rebuild_find_step(rebuild, access);
    const bool apart = rebuild_has_fences(rebuild, access->address) || rebuild_has_fences(rebuild, access->operand) ||
                       rebuild_has_fences(rebuild, access->expected);
    TRY(rebuild_operands(rebuild, access, to->value->access, apart, list));
    if (!step)
        return error_set(rebuild->error, STATUS_INTERNAL, "an access of P%u is not a step of its kernel",
                         rebuild->thread->first);
    TRY(rebuild_access(rebuild, to->value->access, step, from->kind == LITMUS_PERFORM));
    rebuild_add_fences(rebuild, step, 0, step->work, list);
    TRY(rebuild_add_access(rebuild, *to, list));
    add_fences_after(rebuild, step, list->statements[list->count - 1].target, list);
    return STATUS_OK;
}

static enum status make_fence(struct rebuild *rebuild, const struct litmus_statement *from, struct statement_list *list)
{
    const struct compiled_step *step = rebuild_find_step(rebuild, &from->fence);
    if (step)
        rebuild_add_fences(rebuild, step, 0, step->count, list);
    return STATUS_OK;
}

/* In OPENCL a barrier's scope is what it orders; in PTX, which threads meet; in VULKAN both, so the narrower one of SPIR-V's. PTX's and VULKAN's barriers also have
 * a name, the same for all here. */
void rebuild_set_barrier(struct litmus_barrier *barrier, const struct machine_instruction *made)
{
    static char name[] = "0";
    const bool few = made->vulkan.meeting != LITMUS_SCOPE_NONE && made->vulkan.meeting < made->scope;
    barrier->ordering = made->ordering;
    if (few)
        barrier->scope = made->vulkan.meeting;
    if (made->order == LITMUS_RELAXED)
        barrier->order = LITMUS_PLAIN;
    if (!barrier->instance)
        barrier->instance = name;
}

static enum status make_barrier(struct rebuild *rebuild, const struct litmus_statement *from,
                                struct litmus_statement *to, struct statement_list *list)
{
    const struct compiled_step *step = rebuild_find_step(rebuild, &from->barrier);
    if (!step || step->work == step->count)
        return error_set(rebuild->error, STATUS_UNSUPPORTED,
                         "P%u, line %u: the code has no instruction for the barrier", rebuild->thread->first,
                         from->place.line);
    rebuild_set_barrier(&to->barrier, step->instructions[step->work]);
    rebuild_add_fences(rebuild, step, 0, step->work, list);
    rebuild_add(rebuild, list, *to);
    rebuild_add_fences(rebuild, step, step->work + 1, step->count, list);
    return STATUS_OK;
}

/* A condition's accesses come before the statement; for a loop, also at the end of its body. */
static enum status make_flow(struct rebuild *rebuild, const struct litmus_statement *from, struct litmus_statement *to,
                             struct statement_list *list)
{
    struct statement_list condition = {0};
    TRY(rebuild_expression(rebuild, from->value, to->value, rebuild_has_fences(rebuild, from->value), &condition));
    TRY(rebuild_block(rebuild, &from->body, &to->body));
    TRY(rebuild_block(rebuild, &from->otherwise, &to->otherwise));
    if (condition.count > 0 && (from->kind == LITMUS_WHILE || from->kind == LITMUS_DO_WHILE)) {
        struct statement_list body = {0};
        rebuild_add_list(rebuild, &body, &(struct statement_list){to->body.statements, to->body.count});
        rebuild_add_list(rebuild, &body, &condition);
        to->body = (struct litmus_block){body.statements, body.count};
    }
    if (from->kind != LITMUS_DO_WHILE)
        rebuild_add_list(rebuild, list, &condition);
    rebuild_add(rebuild, list, *to);
    return STATUS_OK;
}

static enum status make_statement(struct rebuild *rebuild, const struct litmus_statement *from,
                                  struct litmus_statement *to, struct statement_list *list)
{
    if (from->kind == LITMUS_FENCE)
        return make_fence(rebuild, from, list);
    if (from->kind == LITMUS_BARRIER)
        return make_barrier(rebuild, from, to, list);
    const bool root = from->value && from->value->kind == LITMUS_EXPRESSION_ACCESS;
    if (root && (from->kind == LITMUS_ASSIGN || from->kind == LITMUS_PERFORM))
        return make_root(rebuild, from, to, list);
    return make_flow(rebuild, from, to, list);
}

enum status rebuild_block(struct rebuild *rebuild, const struct litmus_block *from, struct litmus_block *to)
{
    struct statement_list list = {0};
    for (size_t i = 0; i < from->count; i++)
        TRY(make_statement(rebuild, &from->statements[i], &to->statements[i], &list));
    *to = (struct litmus_block){list.statements, list.count};
    return STATUS_OK;
}
