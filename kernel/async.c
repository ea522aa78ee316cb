// SPDX-License-Identifier: Apache-2.0
/*
 * Asynchronous operations: what they need of a kernel and a device, and their text.
 *
 * Nothing may be in flight when a round ends, because the memory is then reused. So an item always waits for its own
 * groups; operations that complete at an mbarrier have accounts. Each thread counts the arrivals that it makes at an
 * mbarrier, and the bytes that it expects less those that its copies deliver. When all threads are done, one item adds
 * what is missing in the sum: bytes, so that the mbarrier counts those still in flight, and arrivals, so that its phase
 * ends when nothing is in flight.
 */
#include "kernel/body.h"
#include "litmus/language/order.h"
#include "litmus/language/walk.h"

/* ---- what copies, mbarriers and clusters need: room, waits at the end, and a device that has them ---- */

enum { UNIT_BYTES = 16, CP_ASYNC = 80, CLUSTERS = 90, ASYNC_RELEASE = 100 };

static const char no_matrices[] =
    "no kernel for wgmma, which needs all 128 threads of a warpgroup and whole matrices: run `orchil check` or "
    "`orchil inspect` (for sm_90a) on the test";
static const char no_maps[] = "no kernel for tensor maps, which orchil cannot create";
static const char no_initialisation[] =
    "no kernel for mbarrier.init, because kernels initialise each mbarrier before the threads begin";

/* In a kernel, which plays many instances, no thread exits before a barrier of its cluster. */
static void refuse_uneven(struct allocation_survey *survey, unsigned a, unsigned b)
{
    const struct litmus_thread *p = &survey->allocation->test->threads[a], *q = &survey->allocation->test->threads[b];
    if (survey->meetings[a] == survey->meetings[b] || p->placement.cluster != q->placement.cluster ||
        p->placement.device != q->placement.device)
        return;
    allocation_refuse(survey,
                      "no kernel for a barrier.cluster that P%u and P%u do not reach equally often: no thread may "
                      "exit before it",
                      p->first, q->first);
}

/* Notes the words of a location that a copy touches, from its start. The language ensures that they are whole
 * elements. */
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
                allocation_refuse(survey, "multicasts put %s at the offset of another location in the same work-group",
                                  survey->allocation->test->locations[k].name);
        }
}

static bool is_remote(const struct allocation *allocation, unsigned body, const struct litmus_expression *address)
{
    const int slot = allocation->local_slot[address->index];
    return slot != LITMUS_NONE && slot != (int)allocation->kernel->slot_of[body];
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
        allocation_refuse(survey, "no kernel for cp.async.bulk.relaxed, which needs PTX ISA 9.3 (CUDA 13.3 or later)");
    async->bulk |= copy->bulk;
    async->transactions |= copy->mbarrier != NULL;
    async->copies[slot] |= is_cp_async;
    async->bulk_groups[slot] |= copy->bulk && !copy->mbarrier;
    async->endless |= releases;
    if (!copy->from && !releases && survey->allocation->kernel->cluster_groups < 2)
        allocation_refuse(survey, "st.async or red.async to %s, which need a cluster of several work-groups (PTX ISA)",
                          survey->allocation->test->locations[copy->to->index].name);
    if (!copy->from)
        return;
    for (const struct litmus_expression *to = copy->to; to; to = to->right)
        note_room(survey, copy, to);
    note_room(survey, copy, copy->from);
    note_beside(survey, copy->to);
    note_beside(survey, copy->mbarrier);
}

/* No device has the architecture sm_90a, for which programs are only compiled. */
static void survey_matrix(struct allocation_survey *survey)
{
    if (strcmp(survey->allocation->device->architecture, "sm_90a") != 0)
        allocation_refuse(survey, "%s", no_matrices);
    allocation_need(survey, CLUSTERS, "wgmma");
}

static void survey_access(struct allocation_survey *survey, const struct litmus_access *access)
{
    const bool one = access->operation == LITMUS_ARRIVE && access->operand->value == 1;
    const bool old = (one || access->operation == LITMUS_TEST_WAIT) && access->order != LITMUS_RELAXED &&
                     access->scope != LITMUS_CLUSTER;
    if (access->operation == LITMUS_MBARRIER_INIT)
        allocation_refuse(survey, "%s", no_initialisation);
    if (access->proxy == LITMUS_ASYNC)
        survey_matrix(survey);
    if (!operation_is_mbarrier(access->operation))
        return;
    allocation_need(survey, old ? CP_ASYNC : CLUSTERS, "mbarrier");
    survey->allocation->async.transactions |= access->operation == LITMUS_ARRIVE_EXPECT_TX ||
                                              access->operation == LITMUS_EXPECT_TX ||
                                              access->operation == LITMUS_COMPLETE_TX;
}

static void survey_expression(struct allocation_survey *survey, const struct litmus_expression *expression)
{
    if (expression->kind == LITMUS_EXPRESSION_ADDRESS && is_remote(survey->allocation, survey->body, expression)) {
        allocation_need(survey, CLUSTERS, "distributed shared memory");
        survey->allocation->kernel->in_clusters = true;
    }
}

static void survey_statement(struct allocation_survey *survey, const struct litmus_statement *statement)
{
    if (statement->kind == LITMUS_COPY)
        survey_copy(survey, &statement->copy);
    if (statement->kind == LITMUS_GROUP && statement->group.matrix)
        survey_matrix(survey);
    else if (statement->kind == LITMUS_GROUP)
        allocation_need(survey, statement->group.bulk ? CLUSTERS : CP_ASYNC,
                        statement->group.bulk ? "cp.async.bulk" : "cp.async");
    if (statement->kind == LITMUS_FENCE && statement->fence.restriction == LITMUS_TENSORMAP_RESTRICT)
        allocation_refuse(survey, "%s", no_maps);
    else if (statement->kind == LITMUS_FENCE && statement->fence.restriction == LITMUS_INIT_RESTRICT)
        allocation_refuse(survey, "%s", no_initialisation);
    else if (statement->kind == LITMUS_FENCE && statement->fence.proxy == LITMUS_ASYNC)
        allocation_need(survey, CLUSTERS, "fence.proxy.async");
    else if (statement->kind == LITMUS_FENCE && statement->fence.restriction != LITMUS_UNRESTRICTED)
        allocation_need(survey, CLUSTERS,
                        litmus_fence_is_of_grids(&statement->fence) ? "griddepcontrol" : "a fence with .sync_restrict");
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
                         "%s: only the end of the kernel shows that it is done, so its memory cannot be used again",
                         allocation->async.what);
    return STATUS_OK;
}

enum status allocation_survey_async(struct allocation *allocation, struct error *error)
{
    struct kernel *kernel = allocation->kernel;
    struct allocation_survey survey = {.allocation = allocation, .error = error};
    for (unsigned l = 0; l < allocation->test->location_count; l++)
        allocation->async.beside[l] = l;
    FOR_EACH(const struct litmus_location, location, allocation->test->locations, allocation->test->location_count) {
        if (location->type == LITMUS_TENSORMAP)
            allocation_refuse(&survey, "%s", no_maps);
        if (location->type == LITMUS_MBARRIER && location->initial[0] == 0)
            allocation_refuse(&survey, "%s", no_initialisation);
    }
    TRY(survey.status);
    for (survey.body = 0; survey.body < allocation->test->body_count; survey.body++) {
        const struct litmus_block *block = &allocation->test->threads[survey.body].body;
        for (struct litmus_walk walk = litmus_walk_block(block); litmus_walk_next(&walk);) {
            if (walk.expression)
                survey_expression(&survey, walk.expression);
            if (walk.access)
                survey_access(&survey, walk.access);
        }
        for (struct litmus_walk walk = litmus_walk_block(block); litmus_walk_next(&walk);)
            if (walk.statement)
                survey_statement(&survey, walk.statement);
        if (survey.meetings[survey.body] % 2 > 0)
            allocation_refuse(&survey, "no kernel for a barrier.cluster where P%u arrives but never waits",
                              allocation->test->threads[survey.body].first);
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

/* ---- copies and groups ---- */

static const char *region_word(enum litmus_region region)
{
    return region == LITMUS_GLOBAL ? "global" : "local";
}

static bool is_multicast(const struct copy_shape *shape)
{
    return (shape->meaning.flags & PTX_MULTICAST) != 0;
}

/* "copy_ca_4_global_to_local", "bulk_16_global_to_local", "bulk_cluster_16_local_to_remote",
 * "bulk_multicast_cluster_16_global_to_local", "bulk_fetch_add_u32_16_local_to_global", "store_async_int_to_remote" */
static const char *name_copy(struct writer *writer, const struct copy_shape *shape)
{
    struct text name = {0};
    const struct litmus_copy *copy = shape->copy;
    const bool stores = copy->operation == LITMUS_STORE;
    const char *to = shape->remote ? "remote" : region_word(shape->meaning.to);
    if (!copy->from)
        text_add(&name, "async_%s_%s_to_%s", access_operation_word(copy->operation), litmus_type_name(copy->type), to);
    else if (!copy->bulk)
        text_add(&name, "copy_%s_%u_global_to_local", copy->through_l2 ? "cg" : "ca", copy->bytes);
    else
        text_add(&name, "bulk_%s%s%s%s%s%u_%s_to_%s", is_multicast(shape) ? "multicast_" : "",
                 stores ? "" : access_operation_word(copy->operation), stores ? "" : "_",
                 stores ? "" : litmus_type_name(copy->type),
                 stores          ? copy->cluster ? "cluster_" : ""
                 : copy->cluster ? "_cluster_"
                                 : "_",
                 copy->bytes, region_word(shape->meaning.from), to);
    for (char *c = name.data; *c; c++)
        if (*c == ' ')
            *c = '_';
    return code_keep(writer, &name);
}

/* The number of the copy's function. */
static unsigned function_of_copy(struct writer *writer, const struct copy_shape *shape)
{
    const struct litmus_copy *copy = shape->copy;
    const struct code_key key = {.kind = CODE_COPY,
                                 .values = {copy->operation, copy->type, copy->from != NULL, copy->bulk, copy->cluster,
                                            copy->through_l2, copy->bytes, shape->meaning.to, shape->meaning.from,
                                            is_multicast(shape), shape->remote}};
    struct code_function *function;
    const unsigned number = code_function(writer, &key, &function);
    if (!function)
        return number;
    struct text body = {0};
    writer->lowering->copy(shape, &body);
    function->name = name_copy(writer, shape);
    code_parameter(writer, function, shape->meaning.to == LITMUS_LOCAL ? "LOCAL u32 *" : "GLOBAL u32 *", "to");
    if (copy->from)
        code_parameter(writer, function, shape->meaning.from == LITMUS_LOCAL ? "LOCAL u32 *" : "GLOBAL u32 *", "from");
    else
        code_parameter(writer, function, arena_print(writer->arena, "%s ", lower_type(copy->type)), "value");
    if (copy->mbarrier)
        code_parameter(writer, function, "LOCAL u32 *", "mbarrier");
    if (is_multicast(shape))
        code_parameter(writer, function, "u32 ", "mask");
    function->body = code_keep(writer, &body);
    return number;
}

/* Writes a line that updates the thread's account. */
static void write_count(struct writer *writer, int mbarrier, const char *what, const char *sign, uint32_t number)
{
    write_text(writer, "\t@x%d_%s %s= %u;\n", mbarrier, what, sign, number);
}

/* ", 1u << group_rank() | ...": the ranks of the groups that play the destinations' slots in this subset. */
static void write_mask(struct writer *writer, const struct litmus_expression *to)
{
    const struct kernel *kernel = writer->allocation->kernel;
    const unsigned slot = kernel->slot_of[writer->body];
    write_text(writer, ",");
    write_piece(writer, CODE_BREAK, 0);
    for (const struct litmus_expression *place = to; place; place = place->right)
        write_text(writer, "%s1u << (group_rank() + %u) %% SLOTS", place == to ? "" : " | ",
                   ((unsigned)writer->allocation->local_slot[place->index] + kernel->slots - slot) % kernel->slots);
}

void write_copy(struct writer *writer, const struct litmus_copy *copy, struct litmus_place place)
{
    const struct litmus_statement statement = {.kind = LITMUS_COPY, .copy = *copy};
    const struct copy_shape shape = {.copy = copy,
                                     .meaning = ptx_meaning_of(writer->allocation->test, NULL, &statement),
                                     .remote = is_remote(writer->allocation, writer->body, copy->to)};
    const unsigned function = function_of_copy(writer, &shape);
    write_call(writer, (struct kernel_step){.place = place, .copy = copy}, function);
    write_pointer(writer, copy->to);
    write_piece(writer, CODE_NEXT, 0);
    if (copy->from)
        write_pointer(writer, copy->from);
    else
        write_value(writer, copy->value, copy->type);
    if (copy->mbarrier) {
        write_piece(writer, CODE_NEXT, 0);
        write_pointer(writer, copy->mbarrier);
    }
    if (is_multicast(&shape))
        write_mask(writer, copy->to);
    write_end(writer, ";\n");
    for (const struct litmus_expression *signalled = copy->mbarrier; signalled; signalled = signalled->right)
        write_count(writer, signalled->index, "bytes", "-",
                    copy->from ? copy->bytes : (uint32_t)litmus_type_size(copy->type));
}

/* The number of the function of an operation on groups: "bulk_wait_group_read_1". */
static unsigned function_of_group(struct writer *writer, const struct litmus_group *group)
{
    static const char *const actions[] = {[LITMUS_GROUP_COMMIT] = "commit_group",
                                          [LITMUS_GROUP_WAIT] = "wait_group",
                                          [LITMUS_GROUP_WAIT_ALL] = "wait_all",
                                          [LITMUS_GROUP_ARRIVE] = "arrive_group",
                                          [LITMUS_GROUP_FENCE] = "fence"};
    const struct code_key key = {.kind = CODE_GROUP,
                                 .values = {group->action, group->bulk, group->matrix, group->read, group->no_increment,
                                            group->action == LITMUS_GROUP_WAIT ? group->pending : 0}};
    struct code_function *function;
    const unsigned number = code_function(writer, &key, &function);
    if (!function)
        return number;
    struct text body = {0};
    writer->lowering->group(group, &body);
    const char *const name =
        arena_print(writer->arena, "%s%s%s%s",
                    group->bulk     ? "bulk_"
                    : group->matrix ? "matrix_"
                                    : "",
                    actions[group->action], group->read ? "_read" : "", group->no_increment ? "_no_increment" : "");
    function->name =
        group->action == LITMUS_GROUP_WAIT ? arena_print(writer->arena, "%s_%u", name, group->pending) : name;
    if (group->mbarrier)
        code_parameter(writer, function, "LOCAL u32 *", "mbarrier");
    function->body = code_keep(writer, &body);
    return number;
}

void write_group(struct writer *writer, const struct litmus_group *group, struct litmus_place place)
{
    const unsigned function = function_of_group(writer, group);
    write_call(writer, (struct kernel_step){.place = place, .group = group}, function);
    if (group->mbarrier)
        write_pointer(writer, group->mbarrier);
    write_end(writer, ";\n");
    /* Without .noinc the arrival is in addition to those that the mbarrier expects. */
    if (group->action == LITMUS_GROUP_ARRIVE && group->no_increment)
        write_count(writer, group->mbarrier->index, "arrivals", "+", 1);
}

/* ---- accounts ---- */

void write_account(struct writer *writer, const struct litmus_access *access)
{
    if (!operation_is_mbarrier(access->operation) || operation_is_wait(access->operation))
        return;
    const int mbarrier = access->address->index;
    if (access->operation == LITMUS_ARRIVE_EXPECT_TX)
        write_count(writer, mbarrier, "arrivals", "+", 1);
    write_count(writer, mbarrier, access->operation == LITMUS_ARRIVE ? "arrivals" : "bytes",
                access->operation == LITMUS_COMPLETE_TX ? "-" : "+", (uint32_t)access->operand->value);
}

static bool is_mbarrier(const struct writer *writer, unsigned location)
{
    return writer->allocation->test->locations[location].type == LITMUS_MBARRIER;
}

/* Whether a thread has an account of the location: an mbarrier that the thread names. */
static bool has_account(const struct writer *writer, unsigned body, unsigned location)
{
    return is_mbarrier(writer, location) && allocation_names(writer->allocation->test, body, location);
}

void write_accounts(struct writer *writer, unsigned body)
{
    for (unsigned l = 0; l < writer->allocation->test->location_count; l++)
        if (has_account(writer, body, l))
            write_text(writer, "    u32 p%u_x%u_arrivals = 0, p%u_x%u_bytes = 0;\n", body, l, body, l);
}

/* ---- before and after the threads ---- */

/* The group that plays a slot has the slot's rank in its cluster, rotated by the subset (skeleton.cl). */
void write_remote(struct writer *writer, unsigned slot, unsigned body, unsigned location)
{
    const struct allocation *allocation = writer->allocation;
    const unsigned slots = allocation->kernel->slots;
    write_text(writer,
               "    LOCAL u32 *p%u_x%u = in_group(CELL(local_memory, local_cell(MEMORY_ARGUMENTS, %u, p%u_i)),\n"
               "                                (group_rank() + %u) %% SLOTS);\n",
               body, location, allocation->cell_of[location], body,
               ((unsigned)allocation->local_slot[location] + slots - slot) % slots);
}

void write_mbarrier_starts(struct writer *writer, unsigned slot)
{
    const struct allocation *allocation = writer->allocation;
    for (unsigned l = 0; l < allocation->test->location_count; l++) {
        if (!is_mbarrier(writer, l) || allocation->local_slot[l] != (int)slot)
            continue;
        write_text(writer,
                   "        mbarrier_start(CELL(local_memory, local_cell(MEMORY_ARGUMENTS, %u, lane)), %lld,\n"
                   "                       draw[DRAW_LOCAL_STRIDE]);\n",
                   allocation->cell_of[l], (long long)allocation->test->locations[l].initial[0]);
    }
}

static void write_meeting(struct writer *writer)
{
    write_text(writer, "    %s();\n", writer->allocation->kernel->in_clusters ? "cluster_barrier" : "group_barrier");
}

void write_async_start(struct writer *writer, bool has_locals)
{
    const struct allocation *allocation = writer->allocation;
    if (allocation->async.mbarriers && allocation->kernel->in_clusters)
        write_text(writer, "    mbarrier_fence();\n");
    if (allocation->async.bulk)
        write_text(writer, "    async_fence();\n");
    if (has_locals || allocation->kernel->in_clusters)
        write_meeting(writer);
}

/* One item per instance ensures that everything that completes at its group's mbarriers has done so. */
static void write_mbarrier_ends(struct writer *writer, unsigned slot)
{
    const struct allocation *allocation = writer->allocation;
    for (unsigned l = 0; l < allocation->test->location_count; l++) {
        if (!is_mbarrier(writer, l) || allocation->local_slot[l] != (int)slot)
            continue;
        write_text(writer,
                   "    if (lane < instances && !%s(CELL(local_memory, local_cell(MEMORY_ARGUMENTS, %u, lane)), %lld,\n"
                   "                                draw[DRAW_LOCAL_STRIDE])) {\n"
                   "        AT(memory, result_of(MEMORY_ARGUMENTS, owner, lane, instances), %du * all) = stamp;\n"
                   "        local_memory[LOCAL_GAVE_UP] = 1u;\n"
                   "    }\n",
                   allocation->async.transactions ? "mbarrier_end_bytes" : "mbarrier_end", allocation->cell_of[l],
                   (long long)allocation->test->locations[l].initial[0], allocation->gave_up_word);
    }
}

void write_async_end(struct writer *writer, unsigned slot)
{
    const struct allocation *allocation = writer->allocation;
    const struct allocation_async *async = &allocation->async;
    if (async->architecture == 0)
        return;
    if (async->copies[slot])
        write_text(writer, "    copies_end();\n");
    if (async->bulk_groups[slot])
        write_text(writer, "    bulk_copies_end();\n");
    for (unsigned body = 0; body < allocation->kernel->bodies; body++)
        for (unsigned l = 0; l < allocation->test->location_count; l++)
            if (allocation->kernel->slot_of[body] == slot && has_account(writer, body, l)) {
                static const struct {
                    const char *what;
                    unsigned word;
                } sums[] = {{"arrivals", ALLOCATION_MBARRIER_ARRIVALS}, {"bytes", ALLOCATION_MBARRIER_BYTES}};
                for (size_t i = 0; i < COUNT(sums); i++)
                    write_text(
                        writer,
                        "    if (p%u_x%u_%s)\n        add_local(p%u_x%u, %uu * draw[DRAW_LOCAL_STRIDE], p%u_x%u_%s);\n",
                        body, l, sums[i].what, body, l, sums[i].word, body, l, sums[i].what);
            }
    if (async->mbarriers || allocation->kernel->in_clusters)
        write_meeting(writer);
    write_mbarrier_ends(writer, slot);
    if (async->bulk)
        write_text(writer, "    async_fence();\n");
}
