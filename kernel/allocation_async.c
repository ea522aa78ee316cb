// SPDX-License-Identifier: Apache-2.0
/* Surveys what asynchronous copies, mbarriers and clusters need: room, waits at the end, and a
 * device that has them. */
#include <stdio.h>
#include <string.h>

#include "kernel/allocation.h"
#include "litmus/language/order.h"
#include "litmus/language/visit.h"

enum { UNIT_BYTES = 16, CP_ASYNC = 80, CLUSTERS = 90, ASYNC_RELEASE = 100 };

static const char no_maps[] = "no kernel for tensor maps: orchil has no maps to give to them";
static const char no_initialisation[] =
    "no kernel for mbarrier.init: kernels initialise each mbarrier before the threads begin";

/* In a kernel, which plays many instances, no thread exits before a barrier of its cluster. */
static void refuse_uneven(struct allocation_survey *survey, unsigned a, unsigned b)
{
    const struct litmus_thread *p = &survey->allocation->test->threads[a], *q = &survey->allocation->test->threads[b];
    if (survey->meetings[a] == survey->meetings[b] || p->placement.cluster != q->placement.cluster ||
        p->placement.device != q->placement.device)
        return;
    allocation_refuse(survey,
                      "no kernel for a barrier.cluster that P%u and P%u do not reach equally often: in a kernel, no "
                      "thread exits before it",
                      p->first, q->first);
}

/* Notes the words of a location that a copy touches, from its start. The language ensures that they
 * are whole elements. */
static void note_room(struct allocation_survey *survey, const struct litmus_copy *copy,
                      const struct litmus_expression *address)
{
    const struct litmus_location *location = &survey->allocation->test->locations[address->index];
    const size_t size = litmus_type_size(location->type), whole = location->elements * size;
    const size_t until = (address->left ? (size_t)address->left->value * size : 0) + copy->bytes;
    unsigned *room = &survey->allocation->async.room[address->index];
    if (size < 4 && location->elements > 1) {
        allocation_refuse(survey, "a copy of the array %s, whose elements have fewer than 32 bits", location->name);
        return;
    }
    if (location->alias_of != LITMUS_NONE || location->proxy != LITMUS_GENERIC) {
        allocation_refuse(survey, "a copy of %s, which is an alias or reached through a proxy", location->name);
        return;
    }
    const size_t bytes = until > whole ? until : whole;
    const unsigned words = (unsigned)((bytes + UNIT_BYTES - 1) / UNIT_BYTES * (UNIT_BYTES / 4));
    *room = words > *room ? words : *room;
}

/* The places of a multicast have one offset, each in its own work-group's memory. */
static void note_beside(struct allocation_survey *survey, const struct litmus_expression *first)
{
    struct allocation_async *async = &survey->allocation->async;
    const size_t count = survey->allocation->test->location_count;
    for (const struct litmus_expression *place = first ? first->right : NULL; place; place = place->right) {
        const unsigned a = async->beside[first->index], b = async->beside[place->index];
        for (unsigned l = 0; l < count; l++)
            if (async->beside[l] == a || async->beside[l] == b)
                async->beside[l] = a < b ? a : b;
    }
}

/* They have room for the longest copy to any of them. */
static void share_room(struct allocation_survey *survey)
{
    struct allocation_async *async = &survey->allocation->async;
    const int *slot = survey->allocation->local_slot;
    const size_t count = survey->allocation->test->location_count;
    for (unsigned l = 0; l < count; l++)
        for (unsigned k = 0; k < count; k++) {
            if (k == l || async->beside[k] != async->beside[l])
                continue;
            async->room[l] = async->room[k] > async->room[l] ? async->room[k] : async->room[l];
            if (slot[k] == slot[l])
                allocation_refuse(survey, "multicasts put %s at the offset of another location of its work-group",
                                  survey->allocation->test->locations[k].name);
        }
}

static bool is_remote(const struct allocation_survey *survey, const struct litmus_expression *address)
{
    const int slot = survey->allocation->local_slot[address->index];
    return slot != LITMUS_NONE && slot != (int)survey->allocation->kernel->slot_of[survey->body];
}

static void survey_copy(struct allocation_survey *survey, const struct litmus_copy *copy)
{
    struct allocation_async *async = &survey->allocation->async;
    const unsigned slot = survey->allocation->kernel->slot_of[survey->body];
    const bool is_cp_async = copy->from && !copy->bulk, releases = copy->order == LITMUS_RELEASE;
    const bool stores = copy->operation == LITMUS_STORE;
    allocation_need(survey,
                    is_cp_async ? CP_ASYNC
                    : releases  ? ASYNC_RELEASE
                                : CLUSTERS,
                    is_cp_async  ? "cp.async"
                    : copy->bulk ? "cp.async.bulk"
                    : !releases  ? "st.async"
                    : stores     ? "st.async.release"
                                 : "red.async.release");
    if (copy->bulk && stores && copy->order == LITMUS_RELAXED)
        allocation_refuse(survey,
                          "no kernel for cp.async.bulk.relaxed: it needs PTX ISA 9.3, which compilers have from "
                          "CUDA 13.3 on");
    async->bulk |= copy->bulk;
    async->transactions |= copy->mbarrier != NULL;
    async->copies[slot] |= is_cp_async;
    async->bulk_groups[slot] |= copy->bulk && !copy->mbarrier;
    async->endless |= releases;
    if (!copy->from && !releases && survey->allocation->kernel->cluster_groups < 2)
        allocation_refuse(survey,
                          "a store or reduction to %s by st.async or red.async, which need a cluster of several "
                          "work-groups (PTX ISA)",
                          survey->allocation->test->locations[copy->to->index].name);
    if (!copy->from)
        return;
    for (const struct litmus_expression *to = copy->to; to; to = to->right)
        note_room(survey, copy, to);
    note_room(survey, copy, copy->from);
    note_beside(survey, copy->to);
    note_beside(survey, copy->mbarrier);
}

static void survey_access(const struct litmus_access *access, void *context)
{
    struct allocation_survey *survey = context;
    const bool one = access->operation == LITMUS_ARRIVE && access->operand->value == 1;
    const bool old = (one || access->operation == LITMUS_TEST_WAIT) && access->order != LITMUS_RELAXED &&
                     access->scope != LITMUS_CLUSTER;
    if (access->operation == LITMUS_MBARRIER_INIT)
        allocation_refuse(survey, "%s", no_initialisation);
    if (!operation_is_mbarrier(access->operation))
        return;
    allocation_need(survey, old ? CP_ASYNC : CLUSTERS, "mbarrier");
    survey->allocation->async.transactions |= access->operation == LITMUS_ARRIVE_EXPECT_TX ||
                                              access->operation == LITMUS_EXPECT_TX ||
                                              access->operation == LITMUS_COMPLETE_TX;
}

static void survey_expression(const struct litmus_expression *expression, void *context)
{
    struct allocation_survey *survey = context;
    if (expression->kind == LITMUS_EXPRESSION_ADDRESS && is_remote(survey, expression)) {
        allocation_need(survey, CLUSTERS, "distributed shared memory");
        survey->allocation->kernel->in_clusters = true;
    }
}

static void survey_statement(const struct litmus_statement *statement, void *context)
{
    struct allocation_survey *survey = context;
    if (statement->kind == LITMUS_COPY)
        survey_copy(survey, &statement->copy);
    if (statement->kind == LITMUS_GROUP)
        allocation_need(survey, statement->group.bulk ? CLUSTERS : CP_ASYNC,
                        statement->group.bulk ? "cp.async.bulk" : "cp.async");
    if (statement->kind == LITMUS_FENCE && statement->fence.restriction == LITMUS_TENSORMAP_RESTRICT)
        allocation_refuse(survey, "%s", no_maps);
    else if (statement->kind == LITMUS_FENCE && statement->fence.restriction == LITMUS_INIT_RESTRICT)
        allocation_refuse(survey, "%s", no_initialisation);
    else if (statement->kind == LITMUS_FENCE && statement->fence.proxy == LITMUS_ASYNC)
        allocation_need(survey, CLUSTERS, "fence.proxy.async");
    else if (statement->kind == LITMUS_FENCE && statement->fence.restriction != LITMUS_UNRESTRICTED)
        allocation_need(survey, CLUSTERS, "a fence with .sync_restrict");
    if (statement->kind == LITMUS_BARRIER && statement->barrier.scope == LITMUS_CLUSTER) {
        allocation_need(survey, CLUSTERS, "barrier.cluster");
        survey->meetings[survey->body]++;
        survey->allocation->kernel->cluster_barriers = true;
        survey->allocation->kernel->in_clusters = survey->allocation->kernel->cluster_groups > 1;
    }
}

static enum status check_device(const struct allocation *allocation, struct error *error)
{
    const struct backend_device *device = allocation->device;
    if (allocation->async.architecture == 0)
        return STATUS_OK;
    if (!(device->paths & BACKEND_PATH_ASYNC))
        return error_set(error, STATUS_UNSUPPORTED, "%s needs sm_%u, but %s cannot run kernels with it",
                         allocation->async.what, allocation->async.architecture, device->name);
    TRY(allocation_check_architecture(allocation, allocation->async.architecture, allocation->async.what, error));
    if (allocation->async.endless)
        return error_set(error, STATUS_UNSUPPORTED,
                         "%s: nothing but the end of a kernel says when it is done, so its memory cannot be used again",
                         allocation->async.what);
    return STATUS_OK;
}

enum status allocation_survey_async(struct allocation *allocation, struct error *error)
{
    struct kernel *kernel = allocation->kernel;
    struct allocation_survey survey = {.allocation = allocation, .error = error};
    for (unsigned l = 0; l < allocation->test->location_count; l++)
        allocation->async.beside[l] = l;
    for (unsigned l = 0; l < allocation->test->location_count; l++) {
        const struct litmus_location *location = &allocation->test->locations[l];
        if (location->type == LITMUS_TENSORMAP)
            allocation_refuse(&survey, "%s", no_maps);
        if (location->type == LITMUS_MBARRIER && location->initial[0] == 0)
            allocation_refuse(&survey, "%s", no_initialisation);
    }
    TRY(survey.status);
    for (survey.body = 0; survey.body < allocation->test->body_count; survey.body++) {
        const struct litmus_block *block = &allocation->test->threads[survey.body].body;
        litmus_visit_block(
            block, &(struct visitor){.expression = survey_expression, .access = survey_access, .context = &survey});
        litmus_visit_block(block, &(struct visitor){.statement = survey_statement, .context = &survey});
    }
    for (unsigned a = 0; a < allocation->test->body_count; a++)
        for (unsigned b = 0; b < a; b++)
            refuse_uneven(&survey, b, a);
    share_room(&survey);
    allocation->async.architecture = survey.architecture;
    allocation->async.what = survey.what;
    TRY(survey.status);
    TRY(check_device(allocation, error));
    for (unsigned l = 0; l < allocation->test->location_count; l++) {
        allocation->async.mbarriers |= allocation->test->locations[l].type == LITMUS_MBARRIER;
        if (allocation->async.room[l] > 0)
            kernel->alignment = UNIT_BYTES / 4;
    }
    return STATUS_OK;
}
