// SPDX-License-Identifier: Apache-2.0
/* Asynchronous copies, mbarriers and barriers of clusters in the words of PTX. */
#include "litmus/print/print_ptx.h"

#include <inttypes.h>

#include "litmus/language/words.h"

#define NOTIFIES "mbarrier::complete_tx::bytes"

/* "[x]", or "[{d, e}]" of a multicast. */
static void print_place(const struct ptx_printer *printer, const struct litmus_expression *address)
{
    const bool several = address->right != NULL;
    text_add(printer->text, several ? "[{" : "[");
    for (const struct litmus_expression *place = address; place; place = place->right) {
        text_add(printer->text, place == address ? "" : ", ");
        print_ptx_operand(printer, place);
    }
    text_add(printer->text, several ? "}]" : "]");
}

static const struct litmus_location *location_of(const struct ptx_printer *printer,
                                                 const struct litmus_expression *address)
{
    return &printer->test->locations[address->index];
}

/* The mbarrier, and the mask of a multicast. */
static void print_notified(const struct ptx_printer *printer, const struct litmus_copy *copy)
{
    unsigned mask = 0;
    if (!copy->mbarrier)
        return;
    text_add(printer->text, ", ");
    print_place(printer, copy->mbarrier);
    for (const struct litmus_expression *to = copy->to; to && copy->to->right; to = to->right) {
        const int home = location_of(printer, to)->home;
        mask |= 1U << (unsigned)(home == LITMUS_NONE ? printer->thread->placement.work_group : home);
    }
    if (mask)
        text_add(printer->text, ", %u", mask);
}

/* ".add.u32" of an operation that changes its destination; for and, or and xor the ISA uses b
 * types. */
static void print_operation(const struct ptx_printer *printer, const struct litmus_copy *copy)
{
    const bool bits = copy->operation >= LITMUS_FETCH_AND && copy->operation <= LITMUS_FETCH_XOR;
    const char *type = word_name(ptx_type_words, (int)copy->type);
    if (bits && (copy->type == LITMUS_INT || copy->type == LITMUS_LONG))
        type = copy->type == LITMUS_INT ? "b32" : "b64";
    if (copy->operation != LITMUS_STORE)
        text_add(printer->text, ".%s", litmus_operation_name(LITMUS_PTX, copy->operation));
    text_add(printer->text, ".%s", type);
}

static bool is_map(const struct ptx_printer *printer, const struct litmus_expression *address)
{
    return location_of(printer, address)->type == LITMUS_TENSORMAP;
}

static void print_bulk(const struct ptx_printer *printer, const struct litmus_copy *copy)
{
    const bool reduces = copy->operation != LITMUS_STORE;
    const bool to_global = location_of(printer, copy->to)->region == LITMUS_GLOBAL;
    const bool from_global = location_of(printer, copy->from)->region == LITMUS_GLOBAL;
    const bool tensor = is_map(printer, copy->to) || is_map(printer, copy->from);
    const bool strong = !reduces && copy->order == LITMUS_RELAXED;
    text_add(printer->text, "%s.async.bulk%s", reduces ? "cp.reduce" : "cp", tensor ? ".tensor.1d" : "");
    if (strong)
        text_add(printer->text, ".relaxed.%s", litmus_scope_name(LITMUS_PTX, copy->scope));
    text_add(printer->text, ".%s.%s%s.%s",
             to_global       ? "global"
             : copy->cluster ? "shared::cluster"
                             : "shared::cta",
             from_global ? "global" : "shared::cta", tensor ? ".tile" : "", copy->mbarrier ? NOTIFIES : "bulk_group");
    if (copy->to->right)
        text_add(printer->text, ".multicast::cluster");
    if (strong)
        text_add(printer->text, ".b128");
    if (reduces)
        print_operation(printer, copy);
}

/* A place, or the box at the start of what a tensor map names. */
static void print_side(const struct ptx_printer *printer, const struct litmus_expression *address)
{
    if (is_map(printer, address))
        text_add(printer->text, "[%s, {0}]", location_of(printer, address)->name);
    else
        print_place(printer, address);
}

void print_ptx_copy(const struct ptx_printer *printer, const struct litmus_copy *copy)
{
    if (copy->bulk)
        print_bulk(printer, copy);
    else if (copy->from)
        text_add(printer->text, "cp.async.%s.shared.global", copy->through_l2 ? "cg" : "ca");
    else {
        const bool stores = copy->operation == LITMUS_STORE;
        text_add(printer->text, "%s.async.%s", stores ? "st" : "red", litmus_order_name(LITMUS_PTX, copy->order));
        if (copy->order != LITMUS_PLAIN)
            text_add(printer->text, ".%s", litmus_scope_name(LITMUS_PTX, copy->scope));
        text_add(printer->text, ".%s", copy->mbarrier ? "shared::cluster." NOTIFIES : "global");
        print_operation(printer, copy);
    }
    text_add(printer->text, " ");
    print_side(printer, copy->to);
    text_add(printer->text, ", ");
    if (copy->from) {
        print_side(printer, copy->from);
        if (!is_map(printer, copy->to) && !is_map(printer, copy->from))
            text_add(printer->text, ", %" PRIu32, copy->bytes);
    } else
        print_ptx_operand(printer, copy->value);
    print_notified(printer, copy);
}

void print_ptx_replace(const struct ptx_printer *printer, const struct litmus_access *access)
{
    text_add(printer->text, "tensormap.replace.tile.global_address.%s.b1024.b64 ",
             location_of(printer, access->address)->region == LITMUS_GLOBAL ? "global" : "shared::cta");
    print_place(printer, access->address);
    text_add(printer->text, ", ");
    print_ptx_operand(printer, access->operand);
}

void print_ptx_maps(const struct ptx_printer *printer, const struct litmus_fence *fence)
{
    const struct litmus_expression *const maps[] = {fence->map, fence->from};
    for (size_t i = 0; i < sizeof maps / sizeof *maps && maps[i]; i++) {
        text_add(printer->text, i == 0 ? " " : ", ");
        print_place(printer, maps[i]);
    }
    if (fence->map)
        text_add(printer->text, ", 128");
}

void print_ptx_group(const struct ptx_printer *printer, const struct litmus_group *group)
{
    const char *const start = group->bulk ? "cp.async.bulk" : "cp.async";
    switch (group->action) {
    case LITMUS_GROUP_COMMIT:
        text_add(printer->text, "%s.commit_group", start);
        break;
    case LITMUS_GROUP_WAIT:
        text_add(printer->text, "%s.wait_group%s %" PRIu32, start, group->read ? ".read" : "", group->pending);
        break;
    case LITMUS_GROUP_WAIT_ALL:
        text_add(printer->text, "%s.wait_all", start);
        break;
    case LITMUS_GROUP_ARRIVE:
        text_add(printer->text, "%s.mbarrier.arrive%s.shared.b64 ", start, group->no_increment ? ".noinc" : "");
        print_place(printer, group->mbarrier);
        break;
    }
}

/* Is the location in the memory of another work-group than the thread's? */
static bool is_remote(const struct ptx_printer *printer, const struct litmus_expression *address)
{
    const int home = location_of(printer, address)->home;
    return home != LITMUS_NONE && home != printer->thread->placement.work_group;
}

void print_ptx_mbarrier(const struct ptx_printer *printer, const struct litmus_statement *statement)
{
    const struct litmus_access *access = statement->value->access;
    const bool arrives = access->operation == LITMUS_ARRIVE || access->operation == LITMUS_ARRIVE_EXPECT_TX;
    text_add(printer->text, "%s", litmus_operation_name(LITMUS_PTX, access->operation));
    if (access->order != LITMUS_PLAIN)
        text_add(printer->text, ".%s.%s", litmus_order_name(LITMUS_PTX, access->order),
                 litmus_scope_name(LITMUS_PTX, access->scope));
    text_add(printer->text, ".%s.b64 ", is_remote(printer, access->address) ? "shared::cluster" : "shared");
    if (statement->kind == LITMUS_ASSIGN)
        text_add(printer->text, "%s, ", printer->thread->registers[statement->target].name);
    else if (arrives)
        text_add(printer->text, "_, ");
    print_place(printer, access->address);
    if (access->operation == LITMUS_ARRIVE && access->operand->value == 1)
        return;
    text_add(printer->text, ", ");
    print_ptx_operand(printer, access->operand);
}

void print_ptx_cluster(const struct ptx_printer *printer, const struct litmus_barrier *barrier)
{
    text_add(printer->text, "barrier.cluster.%s",
             !barrier->arrive   ? "wait.acquire"
             : barrier->relaxed ? "arrive.relaxed"
                                : "arrive.release");
}
