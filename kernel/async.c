// SPDX-License-Identifier: Apache-2.0
/*
 * Asynchronous operations as kernel text.
 *
 * Nothing may be in flight when a round ends, because the memory is then reused. So an item always
 * waits for its own groups; operations that complete at an mbarrier have accounts. Each thread
 * counts the arrivals that it makes at an mbarrier, and the bytes that it expects less those that
 * its copies deliver. When all threads are done, one item adds what is missing in the sum: bytes,
 * so that the mbarrier counts those still in flight, and arrivals, so that its phase ends when
 * nothing is in flight.
 */
#include "kernel/async.h"

#include <string.h>

#include "kernel/access.h"
#include "litmus/language/order.h"

static bool is_remote(const struct writer *writer, const struct litmus_expression *address)
{
    const struct allocation *allocation = writer->allocation;
    const int slot = allocation->local_slot[address->index];
    return slot != LITMUS_NONE && slot != (int)allocation->kernel->slot_of[writer->body];
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
 * "bulk_multicast_cluster_16_global_to_local", "bulk_fetch_add_u32_16_local_to_global",
 * "store_async_int_to_remote" */
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
                                     .remote = is_remote(writer, copy->to)};
    const unsigned function = function_of_copy(writer, &shape);
    write_step(writer, (struct kernel_step){.body = writer->body, .place = place, .copy = copy});
    write_piece(writer, CODE_CALL, function);
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
    for (const struct litmus_expression *told = copy->mbarrier; told; told = told->right)
        write_count(writer, told->index, "bytes", "-",
                    copy->from ? copy->bytes : (uint32_t)litmus_type_size(copy->type));
}

/* The number of the function of an operation on groups: "bulk_wait_group_read_1". */
static unsigned function_of_group(struct writer *writer, const struct litmus_group *group)
{
    static const char *const actions[] = {[LITMUS_GROUP_COMMIT] = "commit_group",
                                          [LITMUS_GROUP_WAIT] = "wait_group",
                                          [LITMUS_GROUP_WAIT_ALL] = "wait_all",
                                          [LITMUS_GROUP_ARRIVE] = "arrive_group"};
    const struct code_key key = {.kind = CODE_GROUP,
                                 .values = {group->action, group->bulk, group->read, group->no_increment,
                                            group->action == LITMUS_GROUP_WAIT ? group->pending : 0}};
    struct code_function *function;
    const unsigned number = code_function(writer, &key, &function);
    if (!function)
        return number;
    struct text body = {0};
    writer->lowering->group(group, &body);
    const char *const name = arena_print(writer->arena, "%s%s%s%s", group->bulk ? "bulk_" : "", actions[group->action],
                                         group->read ? "_read" : "", group->no_increment ? "_no_increment" : "");
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
    write_step(writer, (struct kernel_step){.body = writer->body, .place = place, .group = group});
    write_piece(writer, CODE_CALL, function);
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

static void write_sum(struct writer *writer, unsigned body, unsigned location)
{
    static const struct {
        const char *what;
        unsigned word;
    } sums[] = {{"arrivals", ALLOCATION_MBARRIER_ARRIVALS}, {"bytes", ALLOCATION_MBARRIER_BYTES}};
    for (size_t i = 0; i < sizeof sums / sizeof *sums; i++)
        write_text(writer,
                   "    if (p%u_x%u_%s)\n        add_local(p%u_x%u, %uu * draw[DRAW_LOCAL_STRIDE], p%u_x%u_%s);\n",
                   body, location, sums[i].what, body, location, sums[i].word, body, location, sums[i].what);
}

/* ---- before and after the threads ---- */

/* The group that plays a slot has the slot's rank in its cluster, rotated by the subset
 * (skeleton.cl). */
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

/* One item per instance ensures that everything that completes at its group's mbarriers has done
 * so. */
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
            if (allocation->kernel->slot_of[body] == slot && has_account(writer, body, l))
                write_sum(writer, body, l);
    if (async->mbarriers || allocation->kernel->in_clusters)
        write_meeting(writer);
    write_mbarrier_ends(writer, slot);
    if (async->bulk)
        write_text(writer, "    async_fence();\n");
}
