// SPDX-License-Identifier: Apache-2.0
/*
 * What a changed instruction of VULKAN needs besides its order and scope. Its orders name the storage
 * classes of all accesses of the test, and make all of its accesses available and visible if any is
 * non-private without doing so itself. So an instruction whose order and scope stay can get stronger, too.
 */
#include "litmus/language/order.h"
#include "models/explain/sites.h"

enum { IN_SEMANTICS = LITMUS_ON_STORAGE | LITMUS_MAKE_AVAILABLE | LITMUS_MAKE_VISIBLE };

/* Bits of all accesses in the block. */
static unsigned block_semantics(const struct litmus_block *block)
{
    unsigned semantics = 0;
    for (size_t i = 0; i < block->count; i++) {
        const struct litmus_expression *value = block->statements[i].value;
        if (value && value->kind == LITMUS_EXPRESSION_ACCESS)
            semantics |= value->access->semantics;
    }
    return semantics;
}

static unsigned full_semantics(const struct litmus_test *test, enum litmus_order order)
{
    unsigned used = 0;
    for (size_t i = 0; i < test->body_count; i++)
        used |= block_semantics(&test->threads[i].body);
    return order_semantics(order, used & LITMUS_OF_STORAGE, (used & LITMUS_NON_PRIVATE) != 0);
}

bool sites_vulkan_is_complete(const struct litmus_test *test, struct litmus_ordering ordering)
{
    return (full_semantics(test, ordering.order) & ~ordering.semantics) == 0;
}

/* Of a plain access: the word that shows it to other threads. */
static unsigned shown_word(const struct litmus_access *access)
{
    return access->operation == LITMUS_LOAD ? LITMUS_VISIBLE : LITMUS_AVAILABLE;
}

bool sites_vulkan_is_shown(const struct litmus_access *access)
{
    return (access->semantics & shown_word(access)) != 0;
}

void sites_vulkan_set_access(const struct litmus_test *test, struct litmus_access *access, bool stronger)
{
    const unsigned full = full_semantics(test, access->order);
    if (access->order == LITMUS_PLAIN)
        access->semantics = (access->semantics & ~(unsigned)LITMUS_NON_PRIVATE) | shown_word(access);
    else if (stronger)
        access->semantics |= full;
    else /* what the weaker order does not have goes */
        access->semantics &= ~(unsigned)IN_SEMANTICS | (full != 0 ? (unsigned)LITMUS_ON_STORAGE : 0) | full;
}

void sites_vulkan_set_fence(const struct litmus_test *test, struct litmus_fence *fence, bool stronger)
{
    const unsigned full = full_semantics(test, fence->order);
    fence->semantics = stronger ? fence->semantics | full : fence->semantics & (LITMUS_ON_STORAGE | full);
}
