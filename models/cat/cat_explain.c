// SPDX-License-Identifier: Apache-2.0
/*
 * Explains why a check fails: a cycle through a relation is split along the relation's definition
 * until each step has a meaningful name.
 */
#include <string.h>

#include "models/cat/cat_program.h"

struct cat_path {
    const struct cat *cat;
    const struct cat_values *values;
    unsigned count; /* of events */
    struct cat_step *steps;
    unsigned length;
    unsigned entered; /* recursions that are being expanded */
};

/* A pair of a recursion may be split into pairs of the same recursion; after so many it has a name only. */
enum { MOST_ENTERED = 4 };

static void add_step(struct cat_path *path, unsigned event, const char *relation, bool inverted)
{
    if (path->length < CAT_MAXIMUM_STEPS_SHOWN)
        path->steps[path->length++] = (struct cat_step){event, relation, inverted};
}

static const struct relation *value_of(const struct cat_path *path, int node)
{
    return &path->values->node[node].relation;
}

static void expand_step(struct cat_path *path, int node, unsigned from, unsigned to);

/* A shortest path from one event to another through a relation, in at least one step. */
static void expand_closure(struct cat_path *path, int operand, unsigned from, unsigned to)
{
    const struct relation *relation = value_of(path, operand);
    unsigned before[EVENTS_MAXIMUM], shortest[EVENTS_MAXIMUM + 1], length = 0;
    uint64_t seen = 0;
    for (uint64_t front = set_of(from); front && !(seen >> to & 1);) {
        uint64_t next = 0;
        for (; front; front &= front - 1) {
            const unsigned i = set_first(front);
            const uint64_t fresh = relation->row[i] & ~seen;
            for (uint64_t rest = fresh; rest; rest &= rest - 1)
                before[set_first(rest)] = i;
            seen |= fresh;
            next |= fresh;
        }
        front = next;
    }
    if (!(seen >> to & 1))
        return;
    shortest[length++] = to;
    do {
        shortest[length] = before[shortest[length - 1]];
        length++;
    } while (shortest[length - 1] != from && length <= EVENTS_MAXIMUM);
    for (unsigned i = length - 1; i > 0; i--)
        expand_step(path, operand, shortest[i], shortest[i - 1]);
}

static void expand_composition(struct cat_path *path, const struct cat_node *node, unsigned from, unsigned to)
{
    const struct relation *left = value_of(path, node->left), *right = value_of(path, node->right);
    for (uint64_t middle = left->row[from]; middle; middle &= middle - 1) {
        if (!relation_has(right, set_first(middle), to))
            continue;
        expand_step(path, node->left, from, set_first(middle));
        expand_step(path, node->right, set_first(middle), to);
        return;
    }
}

/* Can a relation be explained further than by its name? */
static bool can_expand(const struct cat_node *node)
{
    switch (node->operation) {
    case CAT_COMPOSE:
    case CAT_PLUS:
    case CAT_STAR:
    case CAT_OPTIONAL:
    case CAT_UNITE:
    case CAT_IDENTITY:
        return !node->whole;
    case CAT_INTERSECT:
    case CAT_SUBTRACT:
        return !node->name;
    default:
        return false;
    }
}

static const char *label_of(const struct cat_node *node)
{
    if (node->name)
        return node->name;
    if (node->operation != CAT_BASE)
        return "...";
    /* co0 is the part of co that is known before the rest. */
    return strcmp(bases[node->left].name, "co0") == 0 ? "co" : bases[node->left].name;
}

/* Of two relations that both hold, a symmetric one only says when the other counts. */
static bool is_symmetric(const struct cat_path *path, int node)
{
    struct relation inverse;
    relation_invert(&inverse, value_of(path, node), path->count);
    return relation_equal(&inverse, value_of(path, node), path->count);
}

static int more_informative(const struct cat_path *path, int left, int right)
{
    if (is_symmetric(path, left) != is_symmetric(path, right))
        return is_symmetric(path, left) ? right : left;
    return can_expand(&path->cat->nodes[right]) && !can_expand(&path->cat->nodes[left]) ? right : left;
}

/* The body of a recursion's variable. */
static int body_of(const struct cat *cat, int variable)
{
    const struct cat_group *group = &cat->groups[cat->nodes[variable].group];
    unsigned i = 0;
    while (group->variables[i] != variable)
        i++;
    return group->bodies[i];
}

static void expand_step(struct cat_path *path, int index, unsigned from, unsigned to)
{
    const struct cat_node *node = &path->cat->nodes[index];
    if (node->operation == CAT_VARIABLE && path->entered < MOST_ENTERED) {
        path->entered++;
        expand_step(path, body_of(path->cat, index), from, to);
        path->entered--;
        return;
    }
    const bool inverted = !node->name && node->operation == CAT_INVERT;
    if (!can_expand(node)) {
        add_step(path, from, label_of(inverted ? &path->cat->nodes[node->left] : node), inverted);
        return;
    }
    switch (node->operation) {
    case CAT_COMPOSE:
        expand_composition(path, node, from, to);
        break;
    case CAT_PLUS:
        expand_closure(path, node->left, from, to);
        break;
    case CAT_STAR:
        if (from != to)
            expand_closure(path, node->left, from, to);
        break;
    case CAT_OPTIONAL:
        if (from != to)
            expand_step(path, node->left, from, to);
        break;
    case CAT_UNITE:
        expand_step(path, relation_has(value_of(path, node->left), from, to) ? node->left : node->right, from, to);
        break;
    case CAT_INTERSECT:
        expand_step(path, more_informative(path, node->left, node->right), from, to);
        break;
    case CAT_SUBTRACT:
        expand_step(path, node->left, from, to);
        break;
    default: /* IDENTITY: no step */
        break;
    }
}

/* The path back along a pair that is in two relations at once, or in one but not in another that
 * holds in the opposite direction: adds its steps; false if there is none. */
static bool explain_return(struct cat_path *path, int index, unsigned from, unsigned to)
{
    const struct cat_node *node = &path->cat->nodes[index];
    if (node->name || (node->operation != CAT_INTERSECT && node->operation != CAT_SUBTRACT))
        return false;
    const unsigned length = path->length;
    if (node->operation == CAT_SUBTRACT && relation_has(value_of(path, node->right), to, from))
        expand_step(path, node->right, to, from);
    else if (node->operation == CAT_SUBTRACT)
        return explain_return(path, node->left, from, to);
    else {
        const int shown = more_informative(path, node->left, node->right);
        const int other = shown == node->left ? node->right : node->left;
        if (explain_return(path, shown, from, to))
            return true;
        if (!can_expand(&path->cat->nodes[other]) && !is_symmetric(path, other))
            add_step(path, to, label_of(&path->cat->nodes[other]), true);
    }
    return path->length > length;
}

/* A pair that should not be related, and the path back if there is one; returns whether there is. */
static bool explain_pair(struct cat_path *path, int node)
{
    const struct relation *relation = value_of(path, node);
    for (unsigned i = 0; i < path->count; i++)
        if (relation->row[i]) {
            const unsigned to = set_first(relation->row[i]);
            expand_step(path, node, i, to);
            const bool back = explain_return(path, node, i, to);
            if (!back)
                add_step(path, to, NULL, false);
            return back;
        }
    return false;
}

unsigned cat_offence(const struct cat *cat, const struct cat_values *values, int index, unsigned count,
                     struct cat_step steps[CAT_MAXIMUM_STEPS_SHOWN], bool *closed)
{
    const struct cat_check *check = &cat->checks[index];
    count = cat_view_count(values, count);
    struct cat_path path = {cat, values, count, steps, 0, 0};
    unsigned cycle[EVENTS_MAXIMUM], length = 0;
    *closed = check->kind != CAT_IS_EMPTY;
    if (check->negated)
        return 0;
    if (cat->nodes[check->node].is_set) {
        if (values->node[check->node].set)
            add_step(&path, set_first(values->node[check->node].set), NULL, false);
    } else if (check->kind == CAT_IS_EMPTY) {
        *closed = explain_pair(&path, check->node);
    } else if (check->kind == CAT_ACYCLIC) {
        length = relation_cycle(value_of(&path, check->node), count, cycle);
    } else {
        for (unsigned i = count; i-- > 0;)
            if (relation_has(value_of(&path, check->node), i, i)) {
                cycle[0] = i;
                length = 1;
            }
    }
    for (unsigned i = 0; i < length; i++)
        expand_step(&path, check->node, cycle[i], cycle[(i + 1) % length]);
    for (unsigned i = 0; i < path.length && values->viewed; i++)
        steps[i].event = values->view->original[steps[i].event];
    return path.length;
}

unsigned cat_flag_offence(const struct cat *cat, const struct cat_values *values, int flag, unsigned count,
                          struct cat_step steps[2])
{
    const struct cat_check *check = &cat->flags[flag];
    const union cat_value *value = &values->node[check->node];
    unsigned length = 0;
    count = cat_view_count(values, count);
    steps[0] = (struct cat_step){0, check->name, false};
    steps[1] = (struct cat_step){0, NULL, false};
    if (cat->nodes[check->node].is_set && value->set)
        steps[length++].event = set_first(value->set);
    for (unsigned i = 0; i < count && !cat->nodes[check->node].is_set && length == 0; i++)
        if (value->relation.row[i]) {
            steps[length++].event = i;
            steps[length++].event = set_first(value->relation.row[i]);
        }
    for (unsigned i = 0; i < length && values->viewed; i++)
        steps[i].event = values->view->original[steps[i].event];
    return length;
}
