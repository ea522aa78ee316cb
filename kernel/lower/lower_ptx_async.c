// SPDX-License-Identifier: Apache-2.0
/*
 * Inline PTX of asynchronous operations: copies and their groups, mbarriers, and
 * cluster barriers. Each instruction is emitted as written. Source: PTX ISA, "Data Movement and
 * Conversion Instructions: Asynchronous copy" and "Parallel Synchronization and Communication
 * Instructions: mbarrier".
 */
#include <stdio.h>
#include <string.h>

#include "kernel/lower.h"
#include "litmus/language/order.h"

/* Time limit of an mbarrier.try_wait, in nanoseconds. Without it, the chip chooses the time, and a
 * bounded loop around it would not end in time if a phase does not. */
enum { TRY_WAIT_NANOSECONDS = 1000 };

static const char *address_of(enum litmus_region region, bool remote)
{
    return region == LITMUS_GLOBAL ? "GLOBAL_OPERAND(global_address"
           : remote                ? "LOCAL_OPERAND(remote_address"
                                   : "LOCAL_OPERAND(local_address";
}

/* ".add.u32". The language admits only those of the ISA. */
static void add_reduction(const struct litmus_copy *copy, struct text *text)
{
    text_add(text, ".%s.%s", lower_ptx_word(copy->operation), lower_ptx_type(copy->operation, copy->type));
}

static void lower_bulk(const struct copy_shape *shape, struct text *text)
{
    const struct litmus_copy *copy = shape->copy;
    const bool reduces = copy->operation != LITMUS_STORE, to_global = shape->to == LITMUS_GLOBAL;
    text_add(text, "asm volatile(\"cp.%sasync.bulk.%s.%s.%s", reduces ? "reduce." : "",
             to_global       ? "global"
             : copy->cluster ? "shared::cluster"
                             : "shared::cta",
             shape->from == LITMUS_GLOBAL ? "global" : "shared::cta",
             copy->mbarrier ? "mbarrier::complete_tx::bytes" : "bulk_group");
    if (reduces)
        add_reduction(copy, text);
    text_add(text, "%s [%%0], [%%1], %u%s%s;\" :: %s(to)), %s(from))", shape->multicast ? ".multicast::cluster" : "",
             copy->bytes, copy->mbarrier ? ", [%2]" : "", shape->multicast ? ", %3" : "",
             address_of(shape->to, shape->remote), address_of(shape->from, false));
    if (copy->mbarrier)
        text_add(text, ", %s(mbarrier))", address_of(LITMUS_LOCAL, shape->remote));
    if (shape->multicast)
        text_add(text, ", \"h\"((unsigned short)mask)");
    text_add(text, " : \"memory\");");
}

/* st.async and red.async, whose mbarrier lies where they write. */
static void lower_value(const struct copy_shape *shape, struct text *text)
{
    const struct litmus_copy *copy = shape->copy;
    const bool stores = copy->operation == LITMUS_STORE;
    text_add(text, "asm volatile(\"%s.shared::cluster.mbarrier::complete_tx::bytes",
             stores ? "st.async.weak" : "red.async.relaxed.cluster");
    if (stores)
        text_add(text, ".b%zu", 8 * litmus_type_size(copy->type));
    else
        add_reduction(copy, text);
    text_add(text, " [%%0], %%1, [%%2];\" :: %s(to)), \"%s\"(value), %s(mbarrier)) : \"memory\");",
             address_of(LITMUS_LOCAL, shape->remote), lower_ptx_constraint(copy->type),
             address_of(LITMUS_LOCAL, shape->remote));
}

void lower_ptx_copy(const struct copy_shape *shape, struct text *text)
{
    const struct litmus_copy *copy = shape->copy;
    if (!copy->from)
        lower_value(shape, text);
    else if (copy->bulk)
        lower_bulk(shape, text);
    else
        text_add(text,
                 "asm volatile(\"cp.async.%s.shared.global [%%0], [%%1], %u;\" :: LOCAL_OPERAND(local_address(to)), "
                 "GLOBAL_OPERAND(global_address(from)) : \"memory\");",
                 copy->through_l2 ? "cg" : "ca", copy->bytes);
}

void lower_ptx_group(const struct litmus_group *group, struct text *text)
{
    const char *bulk = group->bulk ? ".bulk" : "";
    text_add(text, "asm volatile(\"cp.async");
    switch (group->action) {
    case LITMUS_GROUP_COMMIT:
        text_add(text, "%s.commit_group;\" ::: \"memory\");", bulk);
        break;
    case LITMUS_GROUP_WAIT:
        text_add(text, "%s.wait_group%s %u;\" ::: \"memory\");", bulk, group->read ? ".read" : "", group->pending);
        break;
    case LITMUS_GROUP_WAIT_ALL:
        text_add(text, ".wait_all;\" ::: \"memory\");");
        break;
    case LITMUS_GROUP_ARRIVE:
        text_add(text,
                 ".mbarrier.arrive%s.shared.b64 [%%0];\" :: LOCAL_OPERAND(local_address(mbarrier)) : \"memory\");",
                 group->no_increment ? ".noinc" : "");
        break;
    }
}

/* ".relaxed.cluster". The default, release or acquire at cta, is not written, so that sm_80 accepts
 * it. It is written with a number of arrivals, so that the PTX shows what it needs. */
static void add_qualifiers(const struct access_shape *shape, struct text *text)
{
    const bool is_transaction = shape->operation == LITMUS_EXPECT_TX || shape->operation == LITMUS_COMPLETE_TX;
    const bool counted = shape->operation == LITMUS_ARRIVE && !shape->single;
    if (!is_transaction && !counted && shape->order != LITMUS_RELAXED && shape->scope <= LITMUS_WORK_GROUP)
        return;
    text_add(text, ".%s.%s", lower_ptx_order(shape->order), litmus_scope_name(LITMUS_PTX, shape->scope));
}

static void lower_wait(const struct access_shape *shape, struct text *text)
{
    const bool tries = shape->operation == LITMUS_TRY_WAIT;
    text_add(text, "int result; asm volatile(\"{ .reg .pred ended; mbarrier.%s.parity",
             tries ? "try_wait" : "test_wait");
    add_qualifiers(shape, text);
    text_add(text, ".shared.b64 ended, [%%1], %%2");
    if (tries)
        text_add(text, ", %d", TRY_WAIT_NANOSECONDS);
    text_add(text,
             "; selp.s32 %%0, 1, 0, ended; }\" : \"=r\"(result) : LOCAL_OPERAND(local_address(p)), \"r\"(value) : "
             "\"memory\"); return result;");
}

void lower_ptx_mbarrier(const struct access_shape *shape, struct text *text)
{
    const bool arrives = shape->operation == LITMUS_ARRIVE || shape->operation == LITMUS_ARRIVE_EXPECT_TX;
    if (operation_is_wait(shape->operation)) {
        lower_wait(shape, text);
        return;
    }
    text_add(text, "asm volatile(\"mbarrier.%s",
             shape->operation == LITMUS_ARRIVE             ? "arrive"
             : shape->operation == LITMUS_ARRIVE_EXPECT_TX ? "arrive.expect_tx"
             : shape->operation == LITMUS_EXPECT_TX        ? "expect_tx"
                                                           : "complete_tx");
    add_qualifiers(shape, text);
    text_add(text, ".%s.b64 %s[%%0]%s;\" :: %s(p))%s : \"memory\");", shape->remote ? "shared::cluster" : "shared",
             arrives ? "_, " : "", shape->single ? "" : ", %1", address_of(LITMUS_LOCAL, shape->remote),
             shape->single ? "" : ", \"r\"(value)");
}

void lower_ptx_cluster_barrier(const struct litmus_barrier *barrier, struct text *text)
{
    text_add(text, "asm volatile(\"barrier.cluster.%s;\" ::: \"memory\");",
             barrier->wait      ? "wait.acquire"
             : barrier->relaxed ? "arrive.relaxed"
                                : "arrive.release");
}
