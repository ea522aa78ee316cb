// SPDX-License-Identifier: Apache-2.0
/* What allocation and the writers of code ask of a test: facts on its threads and cells. */
#include <stdio.h>

#include "kernel/allocation.h"
#include "litmus/language/visit.h"

unsigned allocation_words(enum litmus_type type)
{
    return litmus_type_size(type) == 8 ? 2 : 1;
}

bool allocation_jumps(const struct litmus_statement *statement)
{
    return statement->kind == LITMUS_GOTO || statement->kind == LITMUS_LABEL;
}

static bool iterates(const struct litmus_statement *statement)
{
    return statement->kind == LITMUS_WHILE || statement->kind == LITMUS_DO_WHILE || allocation_jumps(statement);
}

bool allocation_spins(const struct litmus_block *block)
{
    return litmus_any_statement(block, iterates);
}

static bool is_grouped(const struct litmus_statement *statement)
{
    return statement->kind == LITMUS_GROUP || (statement->kind == LITMUS_COPY && !statement->copy.mbarrier);
}

bool allocation_has_groups(const struct litmus_block *block)
{
    return litmus_any_statement(block, is_grouped);
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

struct naming {
    int location;
    bool found;
};

static void note_name(const struct litmus_expression *expression, void *context)
{
    struct naming *naming = context;
    naming->found |= expression->kind == LITMUS_EXPRESSION_ADDRESS && expression->index == naming->location;
}

bool allocation_names(const struct litmus_test *test, unsigned body, unsigned location)
{
    struct naming naming = {.location = (int)location};
    litmus_visit_block(&test->threads[body].body, &(struct visitor){.expression = note_name, .context = &naming});
    return naming.found;
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
