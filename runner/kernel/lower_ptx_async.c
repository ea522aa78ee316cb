// SPDX-License-Identifier: Apache-2.0
/*
 * Inline PTX of what is asynchronous: copies and their groups, mbarriers, proxy fences, and barriers of clusters. Each instruction is
 * emitted as it is named. Source: PTX ISA, "Data Movement and Conversion Instructions: Asynchronous copy" and "Parallel
 * Synchronization and Communication Instructions: mbarrier".
 */
#include <stdio.h>
#include <string.h>

#include "runner/kernel/lower.h"

/* For how many nanoseconds an mbarrier.try_wait may wait. Without a number it is as long as the chip likes, and a bounded loop round
 * it would not end in time where a phase does not. */
enum { TRY_WAIT_NANOSECONDS = 1000 };

/* What cp.reduce.async.bulk does to another shared memory, and red.async; what it does to global memory besides. */
static const char shared_reductions[] =
    " add.u32 add.s32 add.u64 and.b32 or.b32 xor.b32 inc.u32 dec.u32 min.u32 min.s32 "
    "max.u32 max.s32 ";
static const char global_reductions[] = " and.b64 or.b64 xor.b64 min.u64 min.s64 max.u64 max.s64 add.f32 add.f64 ";

bool lower_is_wait(enum litmus_operation operation)
{
    return operation == LITMUS_TEST_WAIT || operation == LITMUS_TRY_WAIT;
}

bool lower_is_mbarrier(enum litmus_operation operation)
{
    return operation == LITMUS_ARRIVE || operation == LITMUS_EXPECT_TX || operation == LITMUS_ARRIVE_EXPECT_TX ||
           operation == LITMUS_COMPLETE_TX || lower_is_wait(operation);
}

static const char *address_of(enum litmus_region region, bool remote)
{
    return region == LITMUS_GLOBAL ? "GLOBAL_OPERAND(global_address"
           : remote                ? "LOCAL_OPERAND(remote_address"
                                   : "LOCAL_OPERAND(local_address";
}

/* ".add.u32" */
static enum status add_reduction(const struct copy_shape *shape, struct text *text, struct error *error)
{
    char name[32];
    const struct litmus_copy *copy = shape->copy;
    const char *word = lower_ptx_word(copy->operation);
    const char *type = word ? lower_ptx_type(copy->operation, copy->type) : NULL;
    (void)snprintf(name, sizeof name, " %s.%s ", word ? word : litmus_operation_name(LITMUS_PTX, copy->operation),
                   type ? type : litmus_type_name(copy->type));
    if (!type || (!strstr(shared_reductions, name) && (shape->to != LITMUS_GLOBAL || !strstr(global_reductions, name))))
        return error_set(error, STATUS_UNSUPPORTED, "%s has no%s", copy->from ? "cp.reduce.async.bulk" : "red.async",
                         name);
    text_add(text, ".%s.%s", word, type);
    return STATUS_OK;
}

static enum status lower_bulk(const struct copy_shape *shape, struct text *text, struct error *error)
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
        TRY(add_reduction(shape, text, error));
    text_add(text, " [%%0], [%%1], %u%s;\" :: %s(to)), %s(from))", copy->bytes, copy->mbarrier ? ", [%2]" : "",
             address_of(shape->to, shape->remote), address_of(shape->from, false));
    if (copy->mbarrier)
        text_add(text, ", %s(mbarrier))", address_of(LITMUS_LOCAL, shape->remote));
    text_add(text, " : \"memory\");");
    return STATUS_OK;
}

/* st.async and red.async, whose mbarrier lies where they write. */
static enum status lower_value(const struct copy_shape *shape, struct text *text, struct error *error)
{
    const struct litmus_copy *copy = shape->copy;
    const bool stores = copy->operation == LITMUS_STORE;
    const size_t size = litmus_type_size(copy->type);
    if (size < 4)
        return error_set(error, STATUS_UNSUPPORTED, "%s of a %s", stores ? "st.async" : "red.async",
                         litmus_type_name(copy->type));
    text_add(text, "asm volatile(\"%s.shared::cluster.mbarrier::complete_tx::bytes",
             stores ? "st.async.weak" : "red.async.relaxed.cluster");
    if (stores)
        text_add(text, ".b%zu", 8 * size);
    else
        TRY(add_reduction(shape, text, error));
    text_add(text, " [%%0], %%1, [%%2];\" :: %s(to)), \"%s\"(value), %s(mbarrier)) : \"memory\");",
             address_of(LITMUS_LOCAL, shape->remote), lower_ptx_constraint(copy->type),
             address_of(LITMUS_LOCAL, shape->remote));
    return STATUS_OK;
}

enum status lower_ptx_copy(const struct copy_shape *shape, struct text *text, struct error *error)
{
    const struct litmus_copy *copy = shape->copy;
    if (!copy->from)
        return lower_value(shape, text, error);
    if (copy->bulk)
        return lower_bulk(shape, text, error);
    text_add(text,
             "asm volatile(\"cp.async.%s.shared.global [%%0], [%%1], %u;\" :: LOCAL_OPERAND(local_address(to)), "
             "GLOBAL_OPERAND(global_address(from)) : \"memory\");",
             copy->through_l2 ? "cg" : "ca", copy->bytes);
    return STATUS_OK;
}

enum status lower_ptx_group(const struct litmus_group *group, struct text *text, struct error *error)
{
    const char *bulk = group->bulk ? ".bulk" : "";
    (void)error;
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
    return STATUS_OK;
}

/* ".relaxed.cluster". What is not said is release or acquire at cta, and then it is in PTX ISA 7.0 too. */
static void add_qualifiers(const struct access_shape *shape, struct text *text)
{
    const bool is_transaction = shape->operation == LITMUS_EXPECT_TX || shape->operation == LITMUS_COMPLETE_TX;
    if (!is_transaction && shape->order != LITMUS_RELAXED && shape->scope <= LITMUS_WORK_GROUP)
        return;
    text_add(text, ".%s.%s", lower_ptx_order(shape->order),
             lower_ptx_scope(shape->scope) ? lower_ptx_scope(shape->scope) : "cta");
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

enum status lower_ptx_mbarrier(const struct access_shape *shape, struct text *text, struct error *error)
{
    const bool arrives = shape->operation == LITMUS_ARRIVE || shape->operation == LITMUS_ARRIVE_EXPECT_TX;
    if (lower_is_wait(shape->operation) && shape->remote)
        return error_set(error, STATUS_UNSUPPORTED,
                         "PTX waits at an mbarrier in the memory of its own work-group only");
    if (lower_is_wait(shape->operation)) {
        lower_wait(shape, text);
        return STATUS_OK;
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
    return STATUS_OK;
}

enum status lower_ptx_proxy_fence(const struct litmus_fence *fence, struct text *text, struct error *error)
{
    const bool all = fence->flag_global == fence->flag_local && !fence->cluster;
    if (fence->proxy != LITMUS_ALIAS && fence->proxy != LITMUS_ASYNC)
        return error_set(error, STATUS_UNSUPPORTED, "a fence of a proxy that PTX has no fence of");
    text_add(text, "asm volatile(\"fence.proxy.%s%s;\" ::: \"memory\");",
             fence->proxy == LITMUS_ALIAS ? "alias" : "async",
             fence->proxy == LITMUS_ALIAS || all ? ""
             : fence->cluster                    ? ".shared::cluster"
             : fence->flag_global                ? ".global"
                                                 : ".shared::cta");
    return STATUS_OK;
}

void lower_ptx_cluster_barrier(const struct litmus_barrier *barrier, struct text *text)
{
    text_add(text, "asm volatile(\"barrier.cluster.%s;\" ::: \"memory\");",
             barrier->wait      ? "wait.acquire"
             : barrier->relaxed ? "arrive.relaxed"
                                : "arrive.release");
}
