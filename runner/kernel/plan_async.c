// SPDX-License-Identifier: Apache-2.0
/* Surveys what asynchronous copies, mbarriers and clusters need: room, waits at the end, and a
 * device that has them. */
#include <stdio.h>
#include <string.h>

#include "runner/kernel/plan.h"

enum { UNIT_BYTES = 16, CP_ASYNC = 80, CLUSTERS = 90 };

struct async_survey {
    struct plan *plan;
    unsigned body;
    enum status status;
    struct error *error;
};

/* Notes that the test needs an architecture, and the first operation that needs the newest. */
static void need(struct async_survey *survey, unsigned architecture, const char *what)
{
    struct plan_async *async = &survey->plan->async;
    if (architecture <= async->architecture)
        return;
    async->architecture = architecture;
    async->what = what;
}

/* For "BEFORE LOCATION AFTER". */
static void refuse(struct async_survey *survey, const char *before, const struct litmus_location *location,
                   const char *after)
{
    if (survey->status == STATUS_OK)
        survey->status = error_set(survey->error, STATUS_UNSUPPORTED, "%s %s%s", before, location->name, after);
}

/* Notes the words of a location that a copy touches, from its start. The language ensures that they
 * are whole elements. */
static void note_room(struct async_survey *survey, const struct litmus_copy *copy,
                      const struct litmus_expression *address)
{
    const struct litmus_location *location = &survey->plan->test->locations[address->index];
    const size_t size = litmus_type_size(location->type), whole = location->elements * size;
    const size_t until = (address->left ? (size_t)address->left->value * size : 0) + copy->bytes;
    unsigned *room = &survey->plan->async.room[address->index];
    if (size < 4 && location->elements > 1) {
        refuse(survey, "a copy of the array", location, ", whose elements have fewer than 32 bits");
        return;
    }
    if (location->alias_of != LITMUS_NONE || location->proxy != LITMUS_GENERIC) {
        refuse(survey, "a copy of", location, ", which is an alias or reached through a proxy");
        return;
    }
    const size_t bytes = until > whole ? until : whole;
    const unsigned words = (unsigned)((bytes + UNIT_BYTES - 1) / UNIT_BYTES * (UNIT_BYTES / 4));
    *room = words > *room ? words : *room;
}

static bool is_remote(const struct async_survey *survey, const struct litmus_expression *address)
{
    const int slot = survey->plan->local_slot[address->index];
    return slot != LITMUS_NONE && slot != (int)survey->plan->kernel->slot_of[survey->body];
}

static void survey_copy(struct async_survey *survey, const struct litmus_copy *copy)
{
    struct plan_async *async = &survey->plan->async;
    const unsigned slot = survey->plan->kernel->slot_of[survey->body];
    const bool is_cp_async = copy->from && !copy->bulk;
    need(survey, is_cp_async ? CP_ASYNC : CLUSTERS,
         is_cp_async  ? "cp.async"
         : copy->bulk ? "cp.async.bulk"
                      : "st.async");
    async->bulk |= copy->bulk;
    async->transactions |= copy->mbarrier != NULL;
    async->copies[slot] |= is_cp_async;
    async->bulk_groups[slot] |= copy->bulk && !copy->mbarrier;
    if (!copy->from && survey->plan->kernel->cluster_groups < 2)
        refuse(survey, "a store or reduction to", &survey->plan->test->locations[copy->to->index],
               " by st.async or red.async, which need a cluster of several work-groups (PTX ISA)");
    if (!copy->from)
        return;
    note_room(survey, copy, copy->to);
    note_room(survey, copy, copy->from);
}

static void survey_access(struct async_survey *survey, const struct litmus_access *access)
{
    const bool one = access->operation == LITMUS_ARRIVE && access->operand->value == 1;
    const bool old = (one || access->operation == LITMUS_TEST_WAIT) && access->order != LITMUS_RELAXED &&
                     access->scope != LITMUS_CLUSTER;
    if (!lower_is_mbarrier(access->operation))
        return;
    need(survey, old ? CP_ASYNC : CLUSTERS, "mbarrier");
    survey->plan->async.transactions |= access->operation == LITMUS_ARRIVE_EXPECT_TX ||
                                        access->operation == LITMUS_EXPECT_TX ||
                                        access->operation == LITMUS_COMPLETE_TX;
}

static bool survey_expression(const struct litmus_expression *expression, void *context)
{
    struct async_survey *survey = context;
    if (expression->kind == LITMUS_EXPRESSION_ADDRESS && is_remote(survey, expression)) {
        need(survey, CLUSTERS, "distributed shared memory");
        survey->plan->kernel->in_clusters = true;
    }
    if (expression->access)
        survey_access(survey, expression->access);
    return true;
}

static void survey_block(struct async_survey *survey, const struct litmus_block *block)
{
    for (size_t i = 0; i < block->count; i++) {
        const struct litmus_statement *statement = &block->statements[i];
        if (statement->kind == LITMUS_COPY)
            survey_copy(survey, &statement->copy);
        if (statement->kind == LITMUS_GROUP)
            need(survey, statement->group.bulk ? CLUSTERS : CP_ASYNC,
                 statement->group.bulk ? "cp.async.bulk" : "cp.async");
        if (statement->kind == LITMUS_FENCE && statement->fence.proxy == LITMUS_ASYNC)
            need(survey, CLUSTERS, "fence.proxy.async");
        if (statement->kind == LITMUS_BARRIER && statement->barrier.scope == LITMUS_CLUSTER) {
            need(survey, CLUSTERS, "barrier.cluster");
            survey->plan->kernel->cluster_barriers = true;
            survey->plan->kernel->in_clusters = survey->plan->kernel->cluster_groups > 1;
        }
        survey_block(survey, &statement->body);
        survey_block(survey, &statement->otherwise);
    }
}

enum status plan_check_architecture(const struct plan *plan, unsigned architecture, const char *what,
                                    struct error *error)
{
    const struct backend_device *device = plan->device;
    unsigned own = 0;
    if (sscanf(device->architecture, "sm_%4u", &own) == 1 && own < architecture)
        return error_set(error, STATUS_UNSUPPORTED, "%s needs sm_%u, but %s is %s", what, architecture, device->name,
                         device->architecture);
    return STATUS_OK;
}

static enum status check_device(const struct plan *plan, struct error *error)
{
    const struct backend_device *device = plan->device;
    if (plan->async.architecture == 0)
        return STATUS_OK;
    if (!(device->paths & BACKEND_PATH_ASYNC))
        return error_set(error, STATUS_UNSUPPORTED, "%s needs sm_%u, but %s cannot run kernels with it",
                         plan->async.what, plan->async.architecture, device->name);
    return plan_check_architecture(plan, plan->async.architecture, plan->async.what, error);
}

enum status plan_survey_async(struct plan *plan, struct error *error)
{
    struct kernel *kernel = plan->kernel;
    struct async_survey survey = {.plan = plan, .error = error};
    for (survey.body = 0; survey.body < plan->test->body_count; survey.body++) {
        const struct litmus_block *block = &plan->test->threads[survey.body].body;
        (void)plan_each_expression(block, survey_expression, &survey);
        survey_block(&survey, block);
    }
    TRY(survey.status);
    TRY(check_device(plan, error));
    for (unsigned l = 0; l < plan->test->location_count; l++) {
        plan->async.mbarriers |= plan->test->locations[l].type == LITMUS_MBARRIER;
        if (plan->async.room[l] > 0)
            kernel->alignment = UNIT_BYTES / 4;
    }
    return STATUS_OK;
}

bool plan_has_groups(const struct litmus_block *block)
{
    for (size_t i = 0; i < block->count; i++) {
        const struct litmus_statement *statement = &block->statements[i];
        if (statement->kind == LITMUS_GROUP || (statement->kind == LITMUS_COPY && !statement->copy.mbarrier) ||
            plan_has_groups(&statement->body) || plan_has_groups(&statement->otherwise))
            return true;
    }
    return false;
}

bool plan_in_one_piece(const struct plan *plan, unsigned location)
{
    const unsigned storage = plan->path_of[location].storage;
    return plan->async.room[storage] > 0 || plan->vectored[storage].room > 0;
}

unsigned plan_cell(const struct plan *plan, unsigned location, uint32_t element)
{
    const unsigned words = plan_words(plan->test->locations[location].type);
    return plan->cell_of[location] + (plan_in_one_piece(plan, location) ? 0 : element * words);
}

unsigned plan_step(const struct plan *plan, unsigned location, uint32_t element)
{
    return plan_in_one_piece(plan, location) ? element * plan_words(plan->test->locations[location].type) : 0;
}
