// SPDX-License-Identifier: Apache-2.0
/* Rebuilds one access, fence or barrier of a test from its compiled code. */
#include "inspect/rebuild/rebuild.h"
#include "litmus/language/vulkan_instructions.h"

void rebuild_add(struct rebuild *rebuild, struct statement_list *list, struct litmus_statement statement)
{
    ARENA_ADD(&rebuild->compiled->arena, list->statements, list->count) = statement;
}

void rebuild_add_list(struct rebuild *rebuild, struct statement_list *list, const struct statement_list *more)
{
    for (size_t i = 0; i < more->count; i++)
        rebuild_add(rebuild, list, more->statements[i]);
}

/* Finds the step of the source's access, fence or barrier. */
const struct compiled_step *rebuild_find_step(const struct rebuild *rebuild, const void *of)
{
    for (size_t i = 0; i < rebuild->code.kernel->step_count; i++) {
        const struct kernel_step *step = rebuild->steps[i].step;
        if (step && step->body == rebuild->body &&
            ((const void *)step->access == of || (const void *)step->fence == of || (const void *)step->barrier == of))
            return &rebuild->steps[i];
    }
    return NULL;
}

/* Refuses an access, named by its instruction in the test's text, or by its line. */
static enum status refuse_access(const struct rebuild *rebuild, const struct compiled_step *step, const char *what)
{
    struct text source = {0};
    const struct litmus_place place = step->step->place;
    if (!litmus_print_instruction(rebuild->compiled->test, place, &source))
        text_add(&source, "line %u", place.line);
    (void)error_set(rebuild->error, STATUS_UNSUPPORTED, "P%u, %s: %s%s%s", rebuild->thread->first, text_string(&source),
                    what, step->work < step->count ? ": " : "",
                    step->work < step->count ? step->instructions[step->work]->text : "");
    text_release(&source);
    return STATUS_UNSUPPORTED;
}

static struct litmus_expression *make_constant(struct rebuild *rebuild, struct litmus_place place, int64_t value)
{
    struct litmus_expression *made = arena_take(&rebuild->compiled->arena, 1, sizeof *made);
    *made = (struct litmus_expression){.kind = LITMUS_EXPRESSION_CONSTANT, .place = place, .value = value};
    return made;
}

static bool is_constant(const struct litmus_expression *expression, int64_t value)
{
    return expression && expression->kind == LITMUS_EXPRESSION_CONSTANT && expression->value == value;
}

/* A load may be compiled to a read-modify-write without effect: an addition of 0, or a
 * compare-and-swap of 0 with 0. */
static bool make_idle_update(struct rebuild *rebuild, struct litmus_access *access,
                             const struct machine_instruction *made)
{
    const bool swap = made->operation == LITMUS_CAS;
    if (!made->writes_same)
        return false;
    access->operation = made->operation;
    access->operand = make_constant(rebuild, access->address->place, 0);
    access->expected = swap ? make_constant(rebuild, access->address->place, 0) : NULL;
    access->expected_register = LITMUS_NONE;
    return true;
}

/* Whether the code's operation can compute the test's, with a suitable operand. */
static bool computes(const struct machine_instruction *made, const struct litmus_access *access)
{
    const enum litmus_operation asked = access->operation, has = made->operation;
    if (made->vulkan.is_signed && litmus_type_is_unsigned(access->type))
        return false;
    return has == asked || (asked == LITMUS_CAS_WEAK && has == LITMUS_CAS) ||
           (asked == LITMUS_FETCH_SUB && has == LITMUS_FETCH_ADD) ||
           (access->type == LITMUS_FLAG && asked == LITMUS_EXCHANGE && has == LITMUS_FETCH_OR);
}

/* Gives the copy's access the operation of the code. False if the test's values do not follow from
 * that operation. */
static bool make_operation(struct rebuild *rebuild, struct litmus_access *access,
                           const struct machine_instruction *made, bool dropped)
{
    switch (made->effect) {
    case MACHINE_LOAD:
        if (access->operation == LITMUS_LOAD)
            return true;
        if (access->operation < LITMUS_FETCH_ADD || !is_constant(access->operand, 0))
            return false;
        access->operation = LITMUS_LOAD;
        access->operand = NULL;
        return true;
    case MACHINE_STORE:
        if (access->operation != LITMUS_STORE && !(access->operation == LITMUS_EXCHANGE && dropped))
            return false;
        access->operation = LITMUS_STORE;
        return true;
    case MACHINE_UPDATE:
        if (access->operation == LITMUS_LOAD)
            return make_idle_update(rebuild, access, made);
        if (access->operation == LITMUS_STORE && made->operation == LITMUS_EXCHANGE)
            access->operation = LITMUS_EXCHANGE;
        else if (!computes(made, access))
            return false;
        if (access->operation == LITMUS_CAS_WEAK)
            access->operation = LITMUS_CAS; /* PTX's and SPIR-V's do not fail spuriously */
        access->no_result = made->no_result;
        return !made->no_result || dropped;
    default:
        return false;
    }
}

/* Constant memory, which is never written, may be read without an instruction. */
bool rebuild_reads_constant(const struct rebuild *rebuild, const struct litmus_access *access)
{
    return access->operation == LITMUS_LOAD && access->address->kind == LITMUS_EXPRESSION_ADDRESS &&
           rebuild->compiled->test->locations[access->address->index].constant;
}

enum status rebuild_access(struct rebuild *rebuild, struct litmus_access *access, const struct compiled_step *step,
                           bool dropped)
{
    if (rebuild_reads_constant(rebuild, access))
        return STATUS_OK;
    if (step->work == step->count)
        return refuse_access(rebuild, step, "the code has no instruction for it, and the reason is not known");
    const struct machine_instruction *made = step->instructions[step->work];
    if (made->bytes != litmus_type_size(access->type))
        return refuse_access(rebuild, step, "the instruction accesses a different number of bytes");
    if (access->expected_address && step->count > 1)
        return refuse_access(rebuild, step, "it has fences, and reads and writes memory for its expected value");
    if (!make_operation(rebuild, access, made, dropped))
        return refuse_access(rebuild, step, "the instruction is a different one");
    access->ordering = vulkan_own(made->ordering);
    access->failure = made->vulkan.failure.order != LITMUS_PLAIN ? made->vulkan.failure.order : made->order;
    return STATUS_OK;
}

static struct litmus_statement make_fence_statement(const struct compiled_step *step,
                                                    const struct machine_instruction *made)
{
    return (struct litmus_statement){
        .kind = LITMUS_FENCE,
        .place = step->step->place,
        .target = LITMUS_NONE,
        .label = LITMUS_NONE,
        .fence = {.ordering = made->ordering, .proxy = LITMUS_GENERIC},
    };
}

void rebuild_add_fences(struct rebuild *rebuild, const struct compiled_step *step, size_t from, size_t to,
                        struct statement_list *list)
{
    for (size_t i = from; i < to; i++)
        if (step->instructions[i]->effect == MACHINE_FENCE && !step->instructions[i]->flaw &&
            step->instructions[i]->order != LITMUS_RELAXED)
            rebuild_add(rebuild, list, make_fence_statement(step, step->instructions[i]));
}
