// SPDX-License-Identifier: Apache-2.0
#include "runner/kernel/plan.h"

#include <stdlib.h>
#include <string.h>

bool plan_spins(const struct litmus_block *block)
{
    for (size_t i = 0; i < block->count; i++) {
        const struct litmus_statement *statement = &block->statements[i];
        if (statement->kind == LITMUS_WHILE || statement->kind == LITMUS_DO_WHILE || statement->kind == LITMUS_GOTO)
            return true;
        if (plan_spins(&statement->body) || plan_spins(&statement->otherwise))
            return true;
    }
    return false;
}

typedef bool visit_expression(const struct litmus_expression *expression, void *context);

static bool each_in_expression(const struct litmus_expression *expression, visit_expression *visit, void *context)
{
    if (!expression)
        return true;
    if (!visit(expression, context))
        return false;
    const struct litmus_access *access = expression->access;
    if (access && (!each_in_expression(access->address, visit, context) ||
                   !each_in_expression(access->operand, visit, context) ||
                   !each_in_expression(access->expected, visit, context) ||
                   !each_in_expression(access->expected_address, visit, context)))
        return false;
    return each_in_expression(expression->left, visit, context) &&
           each_in_expression(expression->right, visit, context);
}

bool plan_each_expression(const struct litmus_block *block, visit_expression *visit, void *context)
{
    for (size_t i = 0; i < block->count; i++) {
        const struct litmus_statement *statement = &block->statements[i];
        if (!each_in_expression(statement->value, visit, context) ||
            !plan_each_expression(&statement->body, visit, context) ||
            !plan_each_expression(&statement->otherwise, visit, context))
            return false;
    }
    return true;
}

static bool same_work_group(const struct litmus_placement *a, const struct litmus_placement *b)
{
    return a->work_group != LITMUS_NONE && a->work_group == b->work_group && a->cluster == b->cluster &&
           a->device == b->device;
}

/* Gives every body its slot: the work-group that it sits in; a thread of no work-group has one of its own. */
static enum status place_threads(struct plan *plan, struct error *error)
{
    const struct litmus_test *test = plan->test;
    struct kernel *kernel = plan->kernel;
    unsigned threads_of[KERNEL_MAXIMUM_SLOTS] = {0};
    bool ranges = false;

    for (unsigned body = 0; body < test->body_count; body++) {
        const struct litmus_thread *thread = &test->threads[body];
        const struct litmus_placement *placement = &thread->placement;
        unsigned first = 0;
        while (first < body && !same_work_group(&test->threads[first].placement, placement))
            first++;
        if (first == body && kernel->slots == KERNEL_MAXIMUM_SLOTS)
            return error_set(error, STATUS_UNSUPPORTED, "the test needs more than %d work-groups", KERNEL_MAXIMUM_SLOTS);
        kernel->first_of_slot[body] = first == body;
        kernel->slot_of[body] = first == body ? kernel->slots++ : kernel->slot_of[first];
        kernel->same_sub_group[body] = first < body && placement->sub_group != LITMUS_NONE &&
                                       placement->sub_group == test->threads[first].placement.sub_group;
        if (kernel->same_sub_group[body] && plan->device->sub_group_size < 2)
            return error_set(error, STATUS_UNSUPPORTED,
                             "P%u shares a sub-group with P%u, and the device runs or reports no sub-groups",
                             thread->first, test->threads[first].first);
        kernel->same_sub_group[first] |= kernel->same_sub_group[body];
        if (placement->device != test->threads[0].placement.device)
            return error_set(error, STATUS_UNSUPPORTED, "the test needs several devices at once");
        for (unsigned other = 0; other < first && first == body; other++)
            if (placement->cluster != LITMUS_NONE && placement->cluster == test->threads[other].placement.cluster)
                return error_set(error, STATUS_UNSUPPORTED, "P%u and P%u need one cluster of several work-groups",
                                 test->threads[other].first, thread->first);
        plan->first_thread[body] = threads_of[kernel->slot_of[body]];
        threads_of[kernel->slot_of[body]] += thread->count;
        ranges |= thread->count > 1;
    }
    for (unsigned body = 0; body < test->body_count && ranges; body++)
        if (test->threads[body].placement.sub_group != LITMUS_NONE &&
            (test->threads[body].count > 1 || kernel->same_sub_group[body]))
            return error_set(error, STATUS_UNSUPPORTED,
                             "P%u shares a sub-group with other threads, in a test with a range of threads",
                             test->threads[body].first);
    kernel->width = 1;
    for (unsigned slot = 0; ranges && slot < kernel->slots; slot++)
        if (threads_of[slot] > kernel->width)
            kernel->width = threads_of[slot];
    if (kernel->width > plan->device->max_group_size)
        return error_set(error, STATUS_UNSUPPORTED, "the test needs work-groups of %u, the device has at most %u",
                         kernel->width, plan->device->max_group_size);
    return STATUS_OK;
}

struct local_use {
    struct plan *plan;
    unsigned body;
    int culprit; /* location used by two work-groups, or LITMUS_NONE */
};

static bool note_local_use(const struct litmus_expression *expression, void *context)
{
    struct local_use *use = context;
    const struct plan *plan = use->plan;
    if (expression->kind != LITMUS_EXPRESSION_ADDRESS ||
        plan->test->locations[expression->index].region != LITMUS_LOCAL)
        return true;
    int *slot = &use->plan->local_slot[expression->index];
    const int here = (int)plan->kernel->slot_of[use->body];
    if (*slot != LITMUS_NONE && *slot != here) {
        use->culprit = expression->index;
        return false;
    }
    *slot = here;
    return true;
}

static enum status place_locations(struct plan *plan, struct error *error)
{
    const struct litmus_test *test = plan->test;
    struct kernel *kernel = plan->kernel;

    for (unsigned l = 0; l < LITMUS_MAXIMUM_LOCATIONS; l++)
        plan->local_slot[l] = LITMUS_NONE;
    for (unsigned body = 0; body < test->body_count; body++) {
        struct local_use use = {plan, body, LITMUS_NONE};
        if (!plan_each_expression(&test->threads[body].body, note_local_use, &use))
            return error_set(error, STATUS_UNSUPPORTED,
                             "local location %s is used by two work-groups, each of which would have its own",
                             test->locations[use.culprit].name);
    }
    kernel->locations = (unsigned)test->location_count;
    for (unsigned l = 0; l < test->location_count; l++) {
        const struct litmus_location *location = &test->locations[l];
        if (location->alias_of != LITMUS_NONE || location->proxy != LITMUS_GENERIC)
            return error_set(error, STATUS_UNSUPPORTED, "location %s is reached through a proxy or an alias",
                             location->name);
        if (location->points_to != LITMUS_NONE)
            return error_set(error, STATUS_UNSUPPORTED, "location %s holds an address", location->name);
        const unsigned size = (unsigned)litmus_type_size(location->type) / 4;
        unsigned *words = location->region == LITMUS_LOCAL ? &kernel->local_cells : &kernel->cell_words;
        *words = (*words + size - 1) / size * size;
        plan->cell_of[l] = *words;
        *words += size * location->elements;
        if (location->region == LITMUS_LOCAL && plan->local_slot[l] == LITMUS_NONE)
            plan->local_slot[l] = 0;
    }
    /* even, so that 64-bit cells stay aligned in every instance */
    kernel->cell_words += kernel->cell_words % 2 && kernel->cell_words > 1;
    kernel->local_cells += kernel->local_cells % 2 && kernel->local_cells > 1;
    return STATUS_OK;
}

/* The part that writes a variable, made where there is none yet. */
static int part_of(struct plan *plan, const struct litmus_variable *variable)
{
    const struct kernel *kernel = plan->kernel;
    struct plan_part wanted = {.body = LITMUS_NONE};
    if (variable->thread == LITMUS_NONE) {
        if (plan->local_slot[variable->index] == LITMUS_NONE)
            return LITMUS_NONE;
        wanted.slot = (unsigned)plan->local_slot[variable->index];
    } else {
        wanted.body = variable->body;
        wanted.thread = (unsigned)variable->thread - plan->test->threads[variable->body].first;
        wanted.slot = kernel->slot_of[variable->body];
    }
    for (unsigned p = 0; p < plan->part_count; p++)
        if (plan->parts[p].body == wanted.body && plan->parts[p].thread == wanted.thread &&
            plan->parts[p].slot == wanted.slot)
            return (int)p;
    plan->parts[plan->part_count] = wanted;
    return (int)plan->part_count++;
}

static enum status place_variables(struct plan *plan, struct error *error)
{
    const struct litmus_test *test = plan->test;
    struct kernel *kernel = plan->kernel;
    const size_t count = test->variable_count + 1; /* one more: no allocation of nothing */

    plan->parts = calloc(count, sizeof *plan->parts);
    plan->variables = calloc(count, sizeof *plan->variables);
    if (!plan->parts || !plan->variables)
        return error_set(error, STATUS_MEMORY, "no memory to plan %s", test->name);
    kernel->variables = (unsigned)test->variable_count;
    for (unsigned v = 0; v < test->variable_count; v++) {
        const unsigned size = (unsigned)litmus_type_size(litmus_variable_type(test, &test->variables[v])) / 4;
        plan->variables[v].part = part_of(plan, &test->variables[v]);
        kernel->words += size;
        if (plan->variables[v].part == LITMUS_NONE)
            continue;
        plan->variables[v].word = kernel->result_words;
        kernel->result_words += size;
    }
    if (kernel->words > KERNEL_MAXIMUM_WORDS)
        return error_set(error, STATUS_UNSUPPORTED, "the test observes more than %d words", KERNEL_MAXIMUM_WORDS);
    if (kernel->words == 0)
        kernel->words = 1;
    for (unsigned p = 0; p < plan->part_count; p++)
        plan->parts[p].stamp_word = kernel->result_words++;
    plan->gave_up_word = LITMUS_NONE;
    for (unsigned body = 0; body < test->body_count && plan->gave_up_word == LITMUS_NONE; body++)
        if (plan_spins(&test->threads[body].body))
            plan->gave_up_word = (int)kernel->result_words++;
    return STATUS_OK;
}

enum status plan_make(const struct litmus_test *test, const struct backend_device *device, struct kernel *kernel,
                      struct plan *plan, struct error *error)
{
    *plan = (struct plan){.test = test, .device = device, .kernel = kernel};
    kernel->bodies = (unsigned)test->body_count;
    TRY(place_threads(plan, error));
    TRY(place_locations(plan, error));
    return place_variables(plan, error);
}

void plan_release(struct plan *plan)
{
    free(plan->parts);
    free(plan->variables);
    *plan = (struct plan){0};
}
