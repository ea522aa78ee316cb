// SPDX-License-Identifier: Apache-2.0
/* The expressions of a compiled test. Accesses with fences are taken out, as PTX has no fences
 * within expressions. */
#include "inspect/rebuild/rebuild.h"
#include "litmus/language/order.h"

#include <string.h>

/* Whether an access of the expression (the source's) has a fence. */
bool rebuild_has_fences(const struct rebuild *rebuild, const struct litmus_expression *expression)
{
    if (!expression)
        return false;
    if (rebuild_has_fences(rebuild, expression->left) || rebuild_has_fences(rebuild, expression->right))
        return true;
    if (!expression->access)
        return false;
    const struct compiled_step *step = rebuild_find_step(rebuild, expression->access);
    return (step && step->count > 1) || rebuild_has_fences(rebuild, expression->access->address) ||
           rebuild_has_fences(rebuild, expression->access->operand) ||
           rebuild_has_fences(rebuild, expression->access->expected);
}

static bool is_taken(const struct rebuild *rebuild, const char *name)
{
    for (size_t i = 0; i < rebuild->thread->register_count - 1; i++)
        if (strcmp(rebuild->thread->registers[i].name, name) == 0)
            return true;
    for (size_t i = 0; i < rebuild->compiled->test->location_count; i++)
        if (strcmp(rebuild->compiled->test->locations[i].name, name) == 0)
            return true;
    return false;
}

static char *new_name(struct rebuild *rebuild, int number)
{
    char *name = arena_print(&rebuild->compiled->arena, "t%d", number);
    while (is_taken(rebuild, name))
        name = arena_print(&rebuild->compiled->arena, "%s_", name);
    return name;
}

/* Adds a register to the copy that the source's thread does not have. */
enum status rebuild_add_register(struct rebuild *rebuild, enum litmus_type type, int *index)
{
    struct litmus_thread *thread = rebuild->thread;
    if (thread->register_count == LITMUS_MAXIMUM_REGISTERS)
        return error_set(rebuild->error, STATUS_UNSUPPORTED, "the compiled test has too many registers");
    struct litmus_register *registers =
        arena_take(&rebuild->compiled->arena, thread->register_count + 1, sizeof *registers);
    if (thread->register_count > 0)
        memcpy(registers, thread->registers, thread->register_count * sizeof *registers);
    *index = (int)thread->register_count++;
    registers[*index] =
        (struct litmus_register){.name = new_name(rebuild, *index), .type = type, .points_to = LITMUS_NONE};
    thread->registers = registers;
    return STATUS_OK;
}

enum litmus_type rebuild_result_type(const struct litmus_access *access)
{
    const bool success = operation_compares(access->operation) && !access->expected;
    return success || access->type == LITMUS_FLAG ? LITMUS_INT : access->type;
}

enum status rebuild_operands(struct rebuild *rebuild, const struct litmus_access *from, struct litmus_access *to,
                             bool apart, struct statement_list *list)
{
    TRY(rebuild_expression(rebuild, from->address, to->address, apart, list));
    TRY(rebuild_expression(rebuild, from->expected, to->expected, apart, list));
    return rebuild_expression(rebuild, from->operand, to->operand, apart, list);
}

/* Takes an access out of an expression: the access and its fences become statements, and the
 * register with its result replaces it. */
static enum status take_apart(struct rebuild *rebuild, const struct compiled_step *step, struct litmus_expression *to,
                              struct statement_list *list)
{
    int index;
    struct litmus_expression *access = arena_take(&rebuild->compiled->arena, 1, sizeof *access);
    TRY(rebuild_add_register(rebuild, rebuild_result_type(to->access), &index));
    *access = *to;
    rebuild_add_fences(rebuild, step, 0, step->work, list);
    rebuild_add(rebuild, list,
                (struct litmus_statement){
                    .kind = LITMUS_ASSIGN, .place = to->place, .target = index, .label = LITMUS_NONE, .value = access});
    rebuild_add_fences(rebuild, step, step->work + 1, step->count, list);
    *to = (struct litmus_expression){.kind = LITMUS_EXPRESSION_REGISTER, .place = to->place, .index = index};
    return STATUS_OK;
}

/* Gives an expression of the copy the accesses of the code. apart: each access is taken out of
 * it. */
enum status rebuild_expression(struct rebuild *rebuild, const struct litmus_expression *from,
                               struct litmus_expression *to, bool apart, struct statement_list *list)
{
    if (!from)
        return STATUS_OK;
    TRY(rebuild_expression(rebuild, from->left, to->left, apart, list));
    const size_t middle = list->count;
    TRY(rebuild_expression(rebuild, from->right, to->right, apart, list));
    if (list->count > middle && (from->op == LITMUS_LOGICAL_AND || from->op == LITMUS_LOGICAL_OR))
        return error_set(rebuild->error, STATUS_UNSUPPORTED,
                         "an access with a fence to the right of && or ||, which is not always evaluated");
    if (!from->access)
        return STATUS_OK;
    const struct compiled_step *step = rebuild_find_step(rebuild, from->access);
    TRY(rebuild_operands(rebuild, from->access, to->access, apart, list));
    if (!step)
        return error_set(rebuild->error, STATUS_INTERNAL, "an access of P%u is not a step of its kernel",
                         rebuild->thread->first);
    TRY(rebuild_access(rebuild, to->access, step, false));
    return apart ? take_apart(rebuild, step, to, list) : STATUS_OK;
}
