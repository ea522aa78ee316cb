// SPDX-License-Identifier: Apache-2.0
/* A walk that collects what a body does to one location. */
#include "litmus/language/reach.h"

#include "litmus/language/visit.h"

struct collecting {
    const struct litmus_test *test;
    unsigned storage; /* the location */
    struct reach reach;
};

/* Whether an address, which may be NULL, may be one of the location. A tensor map may name any. */
static bool may_name(const struct collecting *collecting, const struct litmus_expression *address)
{
    return address && (address->kind != LITMUS_EXPRESSION_ADDRESS ||
                       collecting->test->locations[address->index].type == LITMUS_TENSORMAP ||
                       litmus_storage(collecting->test, (unsigned)address->index) == collecting->storage);
}

static void collect_access(struct collecting *collecting, const struct litmus_access *access)
{
    const bool reads_only = access->operation == LITMUS_LOAD, stores = access->operation == LITMUS_STORE;
    collecting->reach.writes |= may_name(collecting, access->expected_address);
    if (!may_name(collecting, access->address))
        return;
    collecting->reach.accesses = true;
    collecting->reach.writes |= !reads_only;
    collecting->reach.updates |= access->scope == LITMUS_ALL_DEVICES && !reads_only && !stores;
}

static void collect_expression(const struct litmus_expression *expression, void *context)
{
    struct collecting *collecting = context;
    collecting->reach.accesses |= expression->kind == LITMUS_EXPRESSION_ADDRESS && may_name(collecting, expression);
    if (expression->access)
        collect_access(collecting, expression->access);
}

static void collect_statement(const struct litmus_statement *statement, void *context)
{
    struct collecting *collecting = context;
    const struct litmus_access *const access = litmus_statement_access(statement);
    if (access)
        collect_access(collecting, access);
    const bool copies = statement->kind == LITMUS_COPY;
    for (const struct litmus_expression *to = copies ? statement->copy.to : NULL; to; to = to->right)
        collecting->reach.copies_to |= may_name(collecting, to);
    for (const struct litmus_expression *told = copies ? statement->copy.mbarrier : NULL; told; told = told->right)
        collecting->reach.writes |= may_name(collecting, told);
    if (litmus_is_fence(statement) && statement->fence.from)
        collecting->reach.writes |= may_name(collecting, statement->fence.map);
    if (statement->kind == LITMUS_GROUP)
        collecting->reach.writes |= may_name(collecting, statement->group.mbarrier);
    collecting->reach.writes |= collecting->reach.copies_to;
}

struct reach reach_find(const struct litmus_test *test, unsigned body, unsigned location)
{
    struct collecting collecting = {.test = test, .storage = litmus_storage(test, location)};
    const struct visitor visitor = {collect_statement, collect_expression, &collecting};
    litmus_visit_block(&test->threads[body].body, &visitor);
    return collecting.reach;
}
