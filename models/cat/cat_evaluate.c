// SPDX-License-Identifier: Apache-2.0
/* Computing a model's sets and relations on an execution. */
#include "models/cat/cat_program.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

struct cat_values *cat_values_new(const struct cat *cat)
{
    struct cat_values *values = memory_take(1, sizeof *values + (size_t)cat->node_count * sizeof(union cat_value));
    values->view = cat->single ? memory_take(1, sizeof *values->view) : NULL;
    return values;
}

void cat_values_release(struct cat_values *values)
{
    if (values)
        free(values->view);
    free(values);
}

static void compute_base(const struct cat_node *node, const struct execution *execution, union cat_value *result)
{
    const struct base *base = &bases[node->left];
    if (base->holds)
        result->set = base_set(base, execution);
    else
        base->make(execution, base->argument, &result->relation);
}

static void compute_set(enum cat_operation operation, const union cat_value *left, const union cat_value *right,
                        unsigned count, uint64_t *result)
{
    const uint64_t all = set_all(count);
    uint64_t set = 0;
    switch (operation) {
    case CAT_UNITE:
        set = left->set | right->set;
        break;
    case CAT_INTERSECT:
        set = left->set & right->set;
        break;
    case CAT_SUBTRACT:
        set = left->set & ~right->set;
        break;
    case CAT_COMPLEMENT:
        set = all & ~left->set;
        break;
    case CAT_ALL:
        set = all;
        break;
    case CAT_DOMAIN:
        for (unsigned i = 0; i < count; i++)
            set |= left->relation.row[i] ? set_of(i) : 0;
        break;
    case CAT_RANGE:
        for (unsigned i = 0; i < count; i++)
            set |= left->relation.row[i];
        break;
    default: /* EMPTY */
        break;
    }
    *result = set;
}

/* Operations that work row by row: most of the time is spent here. */
static void compute_rows(enum cat_operation operation, const union cat_value *left, const union cat_value *right,
                         unsigned count, struct relation *result)
{
#define EACH_ROW(value)                                                                                                \
    for (unsigned i = 0; i < count; i++)                                                                               \
    result->row[i] = (value)
    const uint64_t all = set_all(count);
    switch (operation) {
    case CAT_UNITE:
        EACH_ROW(left->relation.row[i] | right->relation.row[i]);
        break;
    case CAT_INTERSECT:
        EACH_ROW(left->relation.row[i] & right->relation.row[i]);
        break;
    case CAT_SUBTRACT:
        EACH_ROW(left->relation.row[i] & ~right->relation.row[i]);
        break;
    case CAT_COMPLEMENT:
        EACH_ROW(all & ~left->relation.row[i]);
        break;
    case CAT_OPTIONAL:
        EACH_ROW(left->relation.row[i] | set_of(i));
        break;
    case CAT_IDENTITY:
        EACH_ROW(left->set & set_of(i));
        break;
    case CAT_CROSS:
        EACH_ROW(left->set & set_of(i) ? right->set : 0);
        break;
    default: /* EMPTY */
        EACH_ROW(0);
        break;
    }
#undef EACH_ROW
}

/* [S]; r and r; [S] only select rows and columns. */
static void compute_composition(const struct cat *cat, const struct cat_values *values, const struct cat_node *node,
                                unsigned count, struct relation *result)
{
    const struct cat_node *left = &cat->nodes[node->left], *right = &cat->nodes[node->right];
    const struct relation *first = &values->node[node->left].relation, *second = &values->node[node->right].relation;
    if (left->operation == CAT_IDENTITY) {
        const uint64_t set = values->node[left->left].set;
        for (unsigned i = 0; i < count; i++)
            result->row[i] = set >> i & 1 ? second->row[i] : 0;
    } else if (right->operation == CAT_IDENTITY) {
        const uint64_t set = values->node[right->left].set;
        for (unsigned i = 0; i < count; i++)
            result->row[i] = first->row[i] & set;
    } else {
        relation_compose(result, first, second, count);
    }
}

static void compute_node(const struct cat *cat, struct cat_values *values, int index, const struct execution *execution)
{
    const struct cat_node *node = &cat->nodes[index];
    const unsigned count = execution->count;
    union cat_value *result = &values->node[index];
    if (node->operation == CAT_ORDER)
        return;
    if (node->operation == CAT_BASE) {
        compute_base(node, execution, result);
        return;
    }
    const union cat_value *left = node->left < 0 ? NULL : &values->node[node->left];
    const union cat_value *right = node->right < 0 ? NULL : &values->node[node->right];
    if (node->is_set) {
        compute_set(node->operation, left, right, count, &result->set);
        return;
    }
    switch (node->operation) {
    case CAT_COMPOSE:
        compute_composition(cat, values, node, count, &result->relation);
        break;
    case CAT_INVERT:
        relation_invert(&result->relation, &left->relation, count);
        break;
    case CAT_PLUS:
        relation_close(&result->relation, &left->relation, count);
        break;
    case CAT_STAR:
        relation_close(&result->relation, &left->relation, count);
        for (unsigned i = 0; i < count; i++)
            relation_add(&result->relation, i, i);
        break;
    default:
        compute_rows(node->operation, left, right, count, &result->relation);
    }
}

/* Grows the variables from the empty relation until they equal their bodies. They only grow, which
 * the reader has checked, so this ends after at most as many rounds as there are pairs of
 * events. */
static void compute_group(const struct cat *cat, struct cat_values *values, int index,
                          const struct execution *execution)
{
    const struct cat_group *group = &cat->groups[index];
    for (unsigned i = 0; i < group->count; i++)
        memset(&values->node[group->variables[i]], 0, sizeof(union cat_value));
    for (bool changed = true; changed;) {
        changed = false;
        for (int i = group->first; i < group->end; i++)
            if (cat->nodes[i].group == index && cat->nodes[i].operation != CAT_VARIABLE && cat->nodes[i].needed)
                compute_node(cat, values, i, execution);
        for (unsigned i = 0; i < group->count; i++) {
            union cat_value *variable = &values->node[group->variables[i]];
            const union cat_value *body = &values->node[group->bodies[i]];
            const bool is_set = cat->nodes[group->variables[i]].is_set;
            const size_t size = is_set ? sizeof body->set : execution->count * sizeof body->relation.row[0];
            if (memcmp(variable, body, size) != 0) {
                memcpy(variable, body, size);
                changed = true;
            }
        }
    }
}

bool cat_check_holds(const struct cat *cat, const struct cat_values *values, const struct cat_check *check,
                     unsigned count)
{
    const union cat_value *value = &values->node[check->node];
    bool result = true;
    if (check->kind == CAT_IS_EMPTY)
        result = cat->nodes[check->node].is_set ? value->set == 0 : relation_is_empty(&value->relation, count);
    else if (check->kind == CAT_ACYCLIC)
        result = relation_is_acyclic(&value->relation, count);
    else
        result = relation_is_irreflexive(&value->relation, count);
    return result != check->negated;
}

/* Computes the steps of a plan from number `first` up to number `end`. */
static void compute_steps(const struct cat *cat, struct cat_values *values, const struct execution *execution,
                          const struct cat_plan *plan, int first, int end)
{
    for (int i = first; i < end; i++)
        if (plan->step[i] < 0)
            compute_group(cat, values, ~plan->step[i], execution);
        else if (execution->launches || !cat->nodes[plan->step[i]].launched) /* else it stays empty */
            compute_node(cat, values, plan->step[i], execution);
}

void cat_compute_viewed(const struct cat *cat, struct cat_values *values, const struct execution *viewed,
                        enum stage stage)
{
    compute_steps(cat, values, viewed, &cat->plans[stage], 0, cat->plans[stage].count);
}

void cat_compute(const struct cat *cat, struct cat_values *values, const struct execution *execution, enum stage stage)
{
    cat_compute_viewed(cat, values, cat_view(cat, values, execution), stage);
}

/* Computes a plan until a check among these fails: returns its number, or -1. */
static int compute_checks(const struct cat *cat, struct cat_values *values, const struct execution *execution,
                          const struct cat_plan *plan, int first, int end)
{
    int done = 0;
    for (int i = first; i < end; i++) {
        compute_steps(cat, values, execution, plan, done, cat->checks[i].steps);
        done = cat->checks[i].steps;
        if (!cat_check_holds(cat, values, &cat->checks[i], execution->count))
            return i;
    }
    compute_steps(cat, values, execution, plan, done, plan->count);
    return -1;
}

int cat_evaluate(const struct cat *cat, struct cat_values *values, const struct execution *execution, enum stage stage)
{
    execution = cat_view(cat, values, execution);
    int first = 0, end;
    while (first < cat->check_count && cat->checks[first].stage < stage)
        first++;
    for (end = first; end < cat->check_count && cat->checks[end].stage == stage;)
        end++;
    const int failed = compute_checks(cat, values, execution, &cat->plans[stage], first, end);
    return failed < 0 && stage == STAGE_COHERENCE ? cat_choose_orders(cat, values, execution) : failed;
}

int cat_evaluate_part(const struct cat *cat, struct cat_values *values, const struct execution *execution)
{
    execution = cat_view(cat, values, execution);
    return compute_checks(cat, values, execution, &cat->plan_of_part, cat->check_count,
                          cat->check_count + cat->growing_count);
}

/* Adds a node's value, if it has one: for a part of the choices, nodes that may still lose pairs
 * are not computed. */
static void add_known(const struct cat *cat, const struct cat_values *values, unsigned count, int node, bool part,
                      struct relation *result)
{
    if (node >= 0 && (!part || cat->nodes[node].grows || cat->nodes[node].stage < STAGE_READS))
        relation_unite(result, result, &values->node[node].relation, count);
}

void cat_contained(const struct cat *cat, const struct cat_values *values, unsigned count, bool part,
                   struct relation *result)
{
    relation_clear(result, count);
    for (int i = 0; i < cat->check_count; i++)
        add_known(cat, values, count, cat->checks[i].contained, part, result);
}

void cat_ordered(const struct cat *cat, const struct cat_values *values, unsigned count, bool part,
                 struct relation *result)
{
    relation_clear(result, count);
    for (int i = 0; i < cat->check_count; i++)
        add_known(cat, values, count, cat->checks[i].ordered, part, result);
}

int cat_containing_check(const struct cat *cat)
{
    for (int i = 0; i < cat->check_count; i++)
        if (cat->checks[i].contained >= 0)
            return i;
    return -1;
}

uint64_t cat_flags(const struct cat *cat, const struct cat_values *values, unsigned count)
{
    uint64_t flags = 0;
    count = cat_view_count(values, count);
    for (int i = 0; i < cat->flag_count; i++)
        if (cat_check_holds(cat, values, &cat->flags[i], count))
            flags |= set_of((unsigned)i);
    return flags;
}

uint64_t cat_flags_possible(const struct cat *cat, const struct cat_values *values, unsigned count, enum stage stage)
{
    uint64_t flags = 0;
    for (int i = 0; i < cat->flag_count; i++) {
        const int bound = stage == STAGE_EVENTS ? cat->flags[i].early_bound : cat->flags[i].bound;
        const union cat_value *value = bound < 0 ? NULL : &values->node[bound];
        const bool empty =
            value && (cat->nodes[bound].is_set ? value->set == 0 : relation_is_empty(&value->relation, count));
        flags |= empty ? 0 : set_of((unsigned)i);
    }
    return flags;
}
