// SPDX-License-Identifier: Apache-2.0
/* What asynchronous copies, mbarriers and clusters need of a kernel: room, drains, and a device that has them. */
#include <stdio.h>
#include <string.h>

#include "runner/kernel/plan.h"

enum { UNIT_BYTES = 16, CP_ASYNC = 80, CLUSTERS = 90 };

struct survey {
    struct plan *plan;
    unsigned body;
    enum status status;
    struct error *error;
};

/* Notes that the test needs an architecture, and the first thing that needs the newest one. */
static void need(struct survey *survey, unsigned architecture, const char *what)
{
    struct plan_async *async = &survey->plan->async;
    if (architecture <= async->architecture)
        return;
    async->architecture = architecture;
    async->what = what;
}

/* For "BEFORE LOCATION AFTER". */
static void refuse(struct survey *survey, const char *before, const struct litmus_location *location, const char *after)
{
    if (survey->status == STATUS_OK)
        survey->status = error_set(survey->error, STATUS_UNSUPPORTED, "%s %s%s", before, location->name, after);
}

/* The bytes of a location that a copy touches, from its start. */
static void note_room(struct survey *survey, const struct litmus_copy *copy, const struct litmus_expression *address)
{
    const struct litmus_location *location = &survey->plan->test->locations[address->index];
    const size_t size = litmus_type_size(location->type);
    const struct litmus_expression *element = address->left;
    unsigned *room = &survey->plan->async.room[address->index];
    if (element && element->kind != LITMUS_EXPRESSION_CONSTANT) {
        refuse(survey, "a copy of an element of", location, " whose number is computed");
        return;
    }
    if (size < 4 && location->elements > 1) {
        refuse(survey, "a copy of the array", location, ", whose elements have less than 32 bits");
        return;
    }
    const size_t from = element ? (size_t)element->value * size : 0;
    const size_t until = from + copy->bytes, whole = location->elements * size;
    if (from >= whole || from % (copy->bulk ? UNIT_BYTES : copy->bytes) != 0) {
        refuse(survey, "a copy of", location, " that does not start where PTX lets one start");
        return;
    }
    const size_t bytes = until > whole ? until : whole;
    const unsigned words = (unsigned)((bytes + UNIT_BYTES - 1) / UNIT_BYTES * (UNIT_BYTES / 4));
    *room = words > *room ? words : *room;
}

static bool is_remote(const struct survey *survey, const struct litmus_expression *address)
{
    const int slot = survey->plan->local_slot[address->index];
    return slot != LITMUS_NONE && slot != (int)survey->plan->kernel->slot_of[survey->body];
}

/* The rules of the ISA that depend on where the operands lie. */
static void check_copy(struct survey *survey, const struct litmus_copy *copy)
{
    const struct plan *plan = survey->plan;
    const struct litmus_location *to = &plan->test->locations[copy->to->index];
    const struct litmus_location *from = copy->from ? &plan->test->locations[copy->from->index] : NULL;
    const bool remote = is_remote(survey, copy->to);
    if (copy->mbarrier && plan->local_slot[copy->mbarrier->index] != plan->local_slot[copy->to->index])
        refuse(survey, "a copy to", to, " whose mbarrier lies in the memory of another work-group");
    if (from && is_remote(survey, copy->from))
        refuse(survey, "a copy from", from, ", which lies in the memory of another work-group");
    if (remote && copy->from && (!copy->bulk || !copy->cluster))
        refuse(survey, "a copy to", to,
               ", which lies in the memory of another work-group, by an instruction for shared::cta");
    if (copy->bulk && from->region == to->region && from->region == LITMUS_GLOBAL)
        refuse(survey, "a copy to", to, " from global memory, which PTX does not copy to global memory");
    if (copy->bulk && !copy->mbarrier != (to->region == LITMUS_GLOBAL))
        refuse(survey, "a copy to", to, " that tells of its end in a way that PTX has for other memory");
    if (!copy->from && plan->kernel->cluster_groups < 2)
        refuse(survey, "st.async and red.async to", to, " need a cluster of several work-groups (PTX ISA)");
    if (!copy->from && copy->operation != LITMUS_STORE && !remote)
        refuse(survey, "red.async to", to, ": PTX has it for the memory of another work-group only");
}

static void survey_copy(struct survey *survey, const struct litmus_copy *copy)
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
    check_copy(survey, copy);
    if (!copy->from)
        return;
    note_room(survey, copy, copy->to);
    note_room(survey, copy, copy->from);
}

static void survey_access(struct survey *survey, const struct litmus_access *access)
{
    const bool counts = access->operation == LITMUS_ARRIVE || access->operation == LITMUS_TEST_WAIT;
    const bool cluster = access->scope == LITMUS_CLUSTER || access->order == LITMUS_RELAXED;
    if (!lower_is_mbarrier(access->operation))
        return;
    need(survey, counts && !cluster ? CP_ASYNC : CLUSTERS, "mbarrier");
    survey->plan->async.transactions |= !counts && access->operation != LITMUS_TRY_WAIT;
}

static bool survey_expression(const struct litmus_expression *expression, void *context)
{
    struct survey *survey = context;
    if (expression->kind == LITMUS_EXPRESSION_ADDRESS && is_remote(survey, expression)) {
        need(survey, CLUSTERS, "distributed shared memory");
        survey->plan->kernel->in_clusters = true;
    }
    if (expression->access)
        survey_access(survey, expression->access);
    return true;
}

static void survey_block(struct survey *survey, const struct litmus_block *block)
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
            survey->plan->kernel->in_clusters = survey->plan->kernel->cluster_groups > 1;
        }
        survey_block(survey, &statement->body);
        survey_block(survey, &statement->otherwise);
    }
}

/* The next barrier.cluster of a thread's outermost statements, from *at on; NULL after the last. */
static const struct litmus_barrier *next_cluster_barrier(const struct litmus_block *block, size_t *at)
{
    while (*at < block->count) {
        const struct litmus_statement *statement = &block->statements[(*at)++];
        if (statement->kind == LITMUS_BARRIER && statement->barrier.scope == LITMUS_CLUSTER)
            return &statement->barrier;
    }
    return NULL;
}

/* Every thread arrives and waits in turn, and all of a cluster as often. */
static enum status check_cluster_barriers(const struct plan *plan, struct error *error)
{
    const struct litmus_test *test = plan->test;
    unsigned expected = 0;
    for (size_t body = 0; body < test->body_count; body++) {
        const struct litmus_barrier *barrier;
        unsigned count = 0;
        size_t at = 0;
        while ((barrier = next_cluster_barrier(&test->threads[body].body, &at)) != NULL)
            if (barrier->wait != (count++ % 2 == 1))
                return error_set(error, STATUS_UNSUPPORTED,
                                 "P%u does not arrive and wait at barrier.cluster in turn, which is undefined",
                                 test->threads[body].first);
        if (count % 2 != 0 || (body > 0 && plan->kernel->in_clusters && count != expected))
            return error_set(error, STATUS_UNSUPPORTED,
                             "threads of one cluster do not all reach the same barrier.cluster, which is undefined");
        expected = count;
    }
    return STATUS_OK;
}

static enum status check_device(const struct plan *plan, struct error *error)
{
    const struct backend_device *device = plan->device;
    unsigned architecture = 0;
    if (plan->async.architecture == 0)
        return STATUS_OK;
    if (!(device->paths & BACKEND_PATH_ASYNC))
        return error_set(error, STATUS_UNSUPPORTED, "%s needs sm_%u, and %s runs no kernels that have it",
                         plan->async.what, plan->async.architecture, device->name);
    if (sscanf(device->architecture, "sm_%4u", &architecture) == 1 && architecture < plan->async.architecture)
        return error_set(error, STATUS_UNSUPPORTED, "%s needs sm_%u, %s is %s", plan->async.what,
                         plan->async.architecture, device->name, device->architecture);
    return STATUS_OK;
}

enum status plan_survey_async(struct plan *plan, struct error *error)
{
    struct kernel *kernel = plan->kernel;
    struct survey survey = {.plan = plan, .error = error};
    for (survey.body = 0; survey.body < plan->test->body_count; survey.body++) {
        const struct litmus_block *block = &plan->test->threads[survey.body].body;
        (void)plan_each_expression(block, survey_expression, &survey);
        survey_block(&survey, block);
    }
    TRY(survey.status);
    TRY(check_device(plan, error));
    TRY(check_cluster_barriers(plan, error));
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

unsigned plan_cell(const struct plan *plan, unsigned location, uint32_t element)
{
    const unsigned words = plan_words(plan->test->locations[location].type);
    return plan->cell_of[location] + (plan->async.room[location] > 0 ? 0 : element * words);
}

unsigned plan_step(const struct plan *plan, unsigned location, uint32_t element)
{
    return plan->async.room[location] > 0 ? element * plan_words(plan->test->locations[location].type) : 0;
}
