// SPDX-License-Identifier: Apache-2.0
/* Finds the parts of a model that only tests with ordered launches need, so that they cost other
 * tests nothing. */
#include <string.h>

#include "models/cat/cat_program.h"

/* Is a node empty if launch-order is, also by the name ssw? Its operands are known. */
static bool is_empty_without(const struct cat *cat, const struct cat_node *node)
{
    if (node->operation == CAT_BASE)
        return strcmp(bases[node->left].name, "launch-order") == 0 || strcmp(bases[node->left].name, "ssw") == 0;
    const bool left = node->left >= 0 && cat->nodes[node->left].launched,
               right = node->right >= 0 && cat->nodes[node->right].launched;
    switch (node->operation) {
    case CAT_UNITE:
        return left && right;
    case CAT_INTERSECT:
    case CAT_COMPOSE:
    case CAT_CROSS:
        return left || right;
    case CAT_SUBTRACT:
    case CAT_INVERT:
    case CAT_PLUS:
    case CAT_IDENTITY:
    case CAT_DOMAIN:
    case CAT_RANGE:
        return left;
    default:
        return false;
    }
}

/* Marks the nodes from which a node is computed, up to empty ones. */
static void mark_used(const struct cat *cat, int node, bool *used)
{
    if (node < 0 || used[node] || cat->nodes[node].launched)
        return;
    const struct cat_node *n = &cat->nodes[node];
    used[node] = true;
    if (n->operation == CAT_BASE)
        return;
    mark_used(cat, n->left, used);
    mark_used(cat, n->right, used);
}

static void mark_checks(const struct cat *cat, const struct cat_check *checks, int count, bool *used)
{
    for (int i = 0; i < count; i++) {
        mark_used(cat, checks[i].node, used);
        mark_used(cat, checks[i].contained, used);
        mark_used(cat, checks[i].ordered, used);
        mark_used(cat, checks[i].early_bound, used);
        mark_used(cat, checks[i].bound, used);
    }
}

void cat_find_launched(struct cat *cat)
{
    bool used[CAT_MAXIMUM_NODES] = {false};
    for (int i = 0; i < cat->node_count; i++)
        cat->nodes[i].launched = is_empty_without(cat, &cat->nodes[i]);
    mark_checks(cat, cat->checks, cat->check_count + cat->growing_count, used);
    mark_checks(cat, cat->flags, cat->flag_count, used);
    for (int i = 0; i < cat->order_count; i++)
        mark_used(cat, cat->orders[i], used);
    for (int i = 0; i < cat->node_count; i++)
        if (cat->nodes[i].group != CAT_NO_GROUP) /* computed with its recursion */
            mark_used(cat, i, used);
    for (int i = 0; i < cat->node_count; i++)
        cat->nodes[i].launched |= !used[i];
}
