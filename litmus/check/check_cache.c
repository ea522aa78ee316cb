// SPDX-License-Identifier: Apache-2.0
/* Checks that hints, prefetches and .mmio, which PTX has only for global memory, access global
 * memory, once all regions are known. */
#include "litmus/check/checker.h"

/* The word of the access that only global memory has, or NULL. Cache operators exist for both (PTX
 * ISA, ld). */
static const char *global_word(const struct litmus_access *access)
{
    if (access->mmio)
        return "mmio";
    if (access->prefetch != LITMUS_CACHE_NONE)
        return litmus_cache_name(access->prefetch);
    if (access->cache == LITMUS_CACHE_NONE || litmus_cache_is_operator(access->cache))
        return NULL;
    return litmus_cache_name(access->cache);
}

static void check_access(struct checker *checker, const struct litmus_access *access)
{
    const char *const word = global_word(access);
    const struct litmus_expression *address = access->address;
    if (!word || checker->status != STATUS_OK)
        return;
    const int index = address->kind == LITMUS_EXPRESSION_ADDRESS ? address->index
                                                                 : checker->thread->registers[address->index].points_to;
    const struct litmus_location *location = index == LITMUS_NONE ? NULL : &checker->parser->test->locations[index];
    if (location && location->region != LITMUS_GLOBAL)
        checker->status = parser_fail(checker->parser, address->place, STATUS_SYNTAX,
                                      "expected a location in global memory for .%s, found '%s' in shared memory", word,
                                      location->name);
}

static void check_expression(const struct litmus_expression *expression, void *context)
{
    if (expression->kind == LITMUS_EXPRESSION_ACCESS)
        check_access(context, expression->access);
}

static void check_statement(const struct litmus_statement *statement, void *context)
{
    const struct litmus_access *const access = litmus_statement_access(statement);
    if (access)
        check_access(context, access);
}

enum status parse_check_caches(struct parser *parser)
{
    const struct litmus_test *test = parser->test;
    struct checker checker = {.parser = parser};
    const struct visitor visitor = {check_statement, check_expression, &checker};
    for (size_t i = 0; i < test->body_count && checker.status == STATUS_OK; i++) {
        checker.thread = &test->threads[i];
        litmus_visit_block(&test->threads[i].body, &visitor);
    }
    return checker.status;
}
