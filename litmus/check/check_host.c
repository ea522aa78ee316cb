// SPDX-License-Identifier: Apache-2.0
/* Refuses features that host threads lack: groups and their memory, narrow scopes, and functions of devices. */
#include "litmus/check/checker.h"

static void host_refuse(struct checker *checker, struct litmus_place place, const char *expected)
{
    if (checker->status == STATUS_OK)
        checker->status =
            parser_fail(checker->parser, place, "expected %s in host thread P%u", expected, checker->thread->first);
}

static void refuse_scope(struct checker *checker, struct litmus_place place)
{
    if (checker->status == STATUS_OK)
        checker->status =
            parser_fail(checker->parser, place, "expected the scope %s in host thread P%u, which belongs to no device",
                        litmus_scope_name(checker->parser->test->dialect, LITMUS_ALL_DEVICES), checker->thread->first);
}

static void check_location(struct checker *checker, const struct litmus_expression *address)
{
    const struct litmus_location *location = checker_location(checker, address);
    if (!location)
        return;
    if (location->region != LITMUS_GLOBAL)
        host_refuse(checker, address->place, "a location in global memory");
    else if (location->proxy != LITMUS_GENERIC)
        host_refuse(checker, address->place, "a location, not an alias through another proxy,");
}

static void check_access(struct checker *checker, const struct litmus_expression *value)
{
    const struct litmus_access *access = value->access;
    check_location(checker, access->address);
    if (access->spelling.legacy ||
        (checker->parser->test->dialect == LITMUS_CUDA && access->order != LITMUS_PLAIN && !access->spelling.library))
        host_refuse(checker, value->place,
                    access->spelling.legacy ? "a function of C11" : "cuda::atomic_ref or a plain access");
    if (access->order != LITMUS_PLAIN && access->scope != LITMUS_ALL_DEVICES)
        refuse_scope(checker, value->place);
    if (litmus_type_is_float(access->type) && access->operation >= LITMUS_FETCH_ADD)
        host_refuse(checker, value->place, "no floating-point addition");
    const size_t size = litmus_type_size(access->type);
    if (size != sizeof(int32_t) && size != sizeof(int64_t))
        host_refuse(checker, value->place, "an access of 32 or 64 bits");
}

enum status parse_check_hosts(struct parser *parser)
{
    const struct litmus_test *test = parser->test;
    struct checker checker = {.parser = parser};
    for (size_t i = 0; i < test->body_count && checker.status == STATUS_OK; i++) {
        checker.thread = &test->threads[i];
        if (!checker.thread->placement.host)
            continue;
        for (struct litmus_walk walk = litmus_walk_block(&test->threads[i].body); litmus_walk_next(&walk);)
            if (walk.statement) {
                const struct litmus_statement *statement = walk.statement;
                if (litmus_kinds[statement->kind].device)
                    host_refuse(&checker, statement->place, litmus_kinds[statement->kind].device);
                else if (litmus_kinds[statement->kind].orders) {
                    const struct litmus_orders *fence = &statement->orders;
                    if (fence->spelling.legacy ||
                        (checker.parser->test->dialect == LITMUS_CUDA && !fence->spelling.library))
                        host_refuse(&checker, statement->place,
                                    fence->spelling.legacy ? "atomic_work_item_fence" : "cuda::atomic_thread_fence");
                    else if (fence->flag_local || fence->flag_image)
                        host_refuse(&checker, statement->place, "a fence of only CLK_GLOBAL_MEM_FENCE");
                    else if (fence->scope != LITMUS_ALL_DEVICES)
                        refuse_scope(&checker, statement->place);
                }
            } else if (walk.expression->kind == LITMUS_EXPRESSION_ACCESS)
                check_access(&checker, walk.expression);
    }
    return checker.status;
}
