// SPDX-License-Identifier: Apache-2.0
/*
 * Orders that a model chooses by itself (`with S from linearisations(...)`): the execution is
 * consistent if some choice makes it so. An order is built from its first event on. The known part
 * only grows, so the search stops below a failed check on nodes that grow with it.
 */
#include <string.h>

#include "models/cat/cat_program.h"

struct order_search {
    const struct cat *cat;
    struct cat_values *values;
    const struct execution *execution;
    bool grows[CAT_MAXIMUM_NODES]; /* with the orders */
    unsigned long work;            /* as CAT_MAXIMUM_ORDERING counts it */
    /* About the last check in the model that failed. */
    int failed;
    struct relation orders[CAT_MAXIMUM_ORDERS]; /* values at that time */
};

static struct relation *order_value(const struct order_search *search, int order)
{
    return &search->values->node[search->cat->orders[order]].relation;
}

/* The nodes that can only grow when orders do. Recursions are not considered. */
static void find_growing(const struct cat *cat, bool grows[CAT_MAXIMUM_NODES])
{
    for (int i = 0; i < cat->node_count; i++) {
        const struct cat_node *node = &cat->nodes[i];
        if (node->stage < STAGE_ORDERS || node->operation == CAT_ORDER)
            grows[i] = true;
        else if (node->group != CAT_NO_GROUP || node->operation == CAT_VARIABLE || node->operation == CAT_COMPLEMENT ||
                 (node->operation == CAT_SUBTRACT && cat->nodes[node->right].stage == STAGE_ORDERS))
            grows[i] = false;
        else
            grows[i] = (node->left < 0 || grows[node->left]) && (node->right < 0 || grows[node->right]);
    }
}

/* Does no check fail? For a partial order, only checks are evaluated whose failure is final. Notes
 * a check that fails. */
static bool passes(struct order_search *search, bool part)
{
    const struct cat *cat = search->cat;
    cat_compute_viewed(cat, search->values, search->execution, STAGE_ORDERS);
    for (int i = 0; i < cat->check_count; i++) {
        const struct cat_check *check = &cat->checks[i];
        if (check->stage != STAGE_ORDERS || (part && (check->negated || !search->grows[check->node])) ||
            cat_check_holds(cat, search->values, check, search->execution->count))
            continue;
        if (search->failed < 0 || check->rank > cat->checks[search->failed].rank) {
            search->failed = i;
            for (int k = 0; k < cat->order_count; k++)
                search->orders[k] = *order_value(search, k);
        }
        return false;
    }
    return true;
}

/* The events that no other of them must precede. */
static uint64_t first_of(const struct relation *before, uint64_t events)
{
    uint64_t result = events;
    for (uint64_t rest = events; rest; rest &= rest - 1)
        result &= ~before->row[set_first(rest)];
    return result;
}

/* Orders the rest of a set, and the following sets. */
static bool choose(struct order_search *search, int order, uint64_t left)
{
    const struct cat *cat = search->cat;
    if (left == 0 && order + 1 == cat->order_count)
        return passes(search, false);
    if (left == 0) {
        const struct cat_node *next = &cat->nodes[cat->orders[order + 1]];
        return choose(search, order + 1, search->values->node[next->left].set);
    }
    const struct cat_node *node = &cat->nodes[cat->orders[order]];
    uint64_t *row = order_value(search, order)->row;
    for (uint64_t first = first_of(&search->values->node[node->right].relation, left); first; first &= first - 1) {
        const unsigned event = set_first(first);
        search->work += (unsigned long)cat->node_count;
        if (search->work > CAT_MAXIMUM_ORDERING)
            return true;
        row[event] = left & ~set_of(event);
        if (passes(search, true) && choose(search, order, row[event]))
            return true;
        row[event] = 0;
    }
    return false;
}

int cat_choose_orders(const struct cat *cat, struct cat_values *values, const struct execution *execution)
{
    if (cat->order_count == 0)
        return -1;
    struct order_search search = {.cat = cat, .values = values, .execution = execution, .failed = -1};
    find_growing(cat, search.grows);
    for (int i = 0; i < cat->order_count; i++)
        relation_clear(order_value(&search, i), execution->count);
    if (choose(&search, 0, values->node[cat->nodes[cat->orders[0]].left].set))
        return -1;
    for (int i = 0; i < cat->order_count; i++)
        *order_value(&search, i) = search.orders[i];
    cat_compute_viewed(cat, values, execution, STAGE_ORDERS);
    return search.failed;
}
