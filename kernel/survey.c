// SPDX-License-Identifier: Apache-2.0
/* What allocation and the writers of code ask of a test: walks over its expressions, and facts on its threads and
 * cells. */
#include <stdio.h>

#include "kernel/allocation.h"
#include "litmus/language/visit.h"

unsigned allocation_words(enum litmus_type type)
{
    return litmus_type_size(type) == 8 ? 2 : 1;
}

bool allocation_spins(const struct litmus_block *block)
{
    for (size_t i = 0; i < block->count; i++) {
        const struct litmus_statement *statement = &block->statements[i];
        if (statement->kind == LITMUS_WHILE || statement->kind == LITMUS_DO_WHILE || statement->kind == LITMUS_GOTO ||
            statement->kind == LITMUS_LABEL)
            return true;
        if (allocation_spins(&statement->body) || allocation_spins(&statement->otherwise))
            return true;
    }
    return false;
}

static bool each_in_expression(const struct litmus_expression *expression, allocation_visit *visit, void *context)
{
    if (!expression)
        return true;
    if (!visit(expression, context))
        return false;
    const struct litmus_access *access = expression->access;
    if (access &&
        (!each_in_expression(access->address, visit, context) || !each_in_expression(access->operand, visit, context) ||
         !each_in_expression(access->expected, visit, context) ||
         !each_in_expression(access->expected_address, visit, context)))
        return false;
    return each_in_expression(expression->left, visit, context) &&
           each_in_expression(expression->right, visit, context);
}

/* Visits a vector access as an access without operands, then each word's expected and stored
 * values. */
static bool each_in_vector(const struct litmus_statement *statement, allocation_visit *visit, void *context)
{
    const struct litmus_vector *vector = &statement->vector;
    struct litmus_access access = vector->access;
    const struct litmus_expression expression = {
        .kind = LITMUS_EXPRESSION_ACCESS, .place = statement->place, .access = &access};
    if (!each_in_expression(&expression, visit, context))
        return false;
    for (unsigned lane = 0; lane < vector->lanes; lane++)
        if (!each_in_expression(vector->expected[lane], visit, context) ||
            !each_in_expression(vector->values[lane], visit, context))
            return false;
    return true;
}

/* Visits the expressions of the statement itself. */
static bool each_of_own(const struct litmus_statement *statement, allocation_visit *visit, void *context)
{
    struct litmus_expression *operands[STATEMENT_MAXIMUM_OPERANDS];
    if (statement->kind == LITMUS_VECTOR)
        return each_in_vector(statement, visit, context);
    const size_t count = litmus_statement_operands(statement, operands);
    for (size_t i = 0; i < count; i++)
        if (!each_in_expression(operands[i], visit, context))
            return false;
    return true;
}

bool allocation_each_expression(const struct litmus_block *block, allocation_visit *visit, void *context)
{
    for (size_t i = 0; i < block->count; i++) {
        const struct litmus_statement *statement = &block->statements[i];
        if (!each_of_own(statement, visit, context) || !allocation_each_expression(&statement->body, visit, context) ||
            !allocation_each_expression(&statement->otherwise, visit, context))
            return false;
    }
    return true;
}

bool allocation_has_groups(const struct litmus_block *block)
{
    for (size_t i = 0; i < block->count; i++) {
        const struct litmus_statement *statement = &block->statements[i];
        if (statement->kind == LITMUS_GROUP || (statement->kind == LITMUS_COPY && !statement->copy.mbarrier) ||
            allocation_has_groups(&statement->body) || allocation_has_groups(&statement->otherwise))
            return true;
    }
    return false;
}

bool allocation_in_one_piece(const struct allocation *allocation, unsigned location)
{
    const unsigned storage = allocation->path_of[location].storage;
    return allocation->async.room[storage] > 0 || allocation->vectored[storage].room > 0;
}

unsigned allocation_cell(const struct allocation *allocation, unsigned location, uint32_t element)
{
    const unsigned words = allocation_words(allocation->test->locations[location].type);
    return allocation->cell_of[location] + (allocation_in_one_piece(allocation, location) ? 0 : element * words);
}

unsigned allocation_step(const struct allocation *allocation, unsigned location, uint32_t element)
{
    return allocation_in_one_piece(allocation, location)
               ? element * allocation_words(allocation->test->locations[location].type)
               : 0;
}

bool allocation_observes(const struct litmus_test *test, unsigned body, unsigned number)
{
    for (size_t v = 0; v < test->variable_count; v++)
        if (test->variables[v].thread != LITMUS_NONE && test->variables[v].body == (int)body &&
            test->variables[v].index == (int)number)
            return true;
    return false;
}

static bool is_other_address(const struct litmus_expression *expression, void *context)
{
    return expression->kind != LITMUS_EXPRESSION_ADDRESS || expression->index != *(const int *)context;
}

bool allocation_names(const struct litmus_test *test, unsigned body, unsigned location)
{
    int index = (int)location;
    return !allocation_each_expression(&test->threads[body].body, is_other_address, &index);
}

bool allocation_has_locals(const struct allocation *allocation, unsigned slot)
{
    for (unsigned l = 0; l < allocation->test->location_count; l++)
        if (allocation->local_slot[l] == (int)slot)
            return true;
    return false;
}

bool allocation_in_slot(const struct allocation *allocation, unsigned body, unsigned slot)
{
    return allocation->kernel->slot_of[body] == slot;
}

void allocation_need(struct allocation_survey *survey, unsigned architecture, const char *what)
{
    if (architecture <= survey->architecture)
        return;
    survey->architecture = architecture;
    survey->what = what;
}

void allocation_refuse(struct allocation_survey *survey, const char *format, ...)
{
    char reason[sizeof survey->error->text];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(reason, sizeof reason, format, arguments);
    va_end(arguments);
    if (survey->status == STATUS_OK)
        survey->status = error_set(survey->error, STATUS_UNSUPPORTED, "%s", reason);
}

enum status allocation_check_architecture(const struct allocation *allocation, unsigned architecture, const char *what,
                                          struct error *error)
{
    const struct backend_device *device = allocation->device;
    unsigned own = 0;
    if (sscanf(device->architecture, "sm_%4u", &own) == 1 && own < architecture)
        return error_set(error, STATUS_UNSUPPORTED, "%s needs sm_%u, but %s is %s", what, architecture, device->name,
                         device->architecture);
    return STATUS_OK;
}
