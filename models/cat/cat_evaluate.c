// SPDX-License-Identifier: Apache-2.0
/* Computing a model's sets and relations on an execution, the orders that a model chooses by itself, and why a check
 * fails. */
#include "litmus/language/order.h"
#include "models/cat/cat_program.h"

/* ---- an execution with single read-modify-writes ---- */

/* The two halves of each are made one event, which both reads and writes. */

static void view_events(struct cat_view *view, const struct execution *execution, uint64_t dropped)
{
    struct execution *seen = &view->execution;
    seen->test = execution->test;
    seen->launches = execution->launches;
    seen->count = 0;
    seen->initial = execution->initial;
    for (unsigned i = 0; i < execution->count; i++) {
        if (dropped >> i & 1)
            continue;
        view->number[i] = (unsigned char)seen->count;
        view->original[seen->count] = (unsigned char)i;
        seen->events[seen->count++] = execution->events[i];
    }
    for (unsigned i = 0; i < execution->count; i++)
        for (uint64_t rest = execution->rmw.row[i]; rest; rest &= rest - 1) {
            const unsigned write = set_first(rest);
            struct event *whole = &seen->events[view->number[i]];
            view->number[write] = view->number[i];
            whole->kind = EVENT_UPDATE;
            whole->order = order_joined(execution->events[i].order, execution->events[write].order);
        }
}

/* A relation's pairs in the view; a pair between the two halves of one event is dropped. */
static void view_relation(const struct cat_view *view, const struct execution *execution,
                          const struct relation *relation, struct relation *result)
{
    relation_clear(result, view->execution.count);
    for (unsigned i = 0; i < execution->count; i++)
        for (uint64_t rest = relation->row[i] & ~execution->rmw.row[i]; rest; rest &= rest - 1)
            relation_add(result, view->number[i], view->number[set_first(rest)]);
}

/* The execution as the model sees it. */
static const struct execution *cat_view(const struct cat *cat, struct cat_values *values,
                                        const struct execution *execution)
{
    uint64_t dropped = 0;
    for (unsigned i = 0; i < execution->count && cat->single && cat->total && execution->test->dialect != LITMUS_PTX;
         i++)
        dropped |= execution->rmw.row[i];
    values->viewed = dropped != 0;
    if (!values->viewed)
        return execution;
    struct cat_view *view = values->view;
    struct execution *seen = &view->execution;
    view_events(view, execution, dropped);
    view_relation(view, execution, &execution->po, &seen->po);
    view_relation(view, execution, &execution->completes, &seen->completes);
    view_relation(view, execution, &execution->whole, &seen->whole);
    view_relation(view, execution, &execution->addr, &seen->addr);
    view_relation(view, execution, &execution->data, &seen->data);
    view_relation(view, execution, &execution->ctrl, &seen->ctrl);
    view_relation(view, execution, &execution->bar, &seen->bar);
    view_relation(view, execution, &execution->exited, &seen->exited);
    view_relation(view, execution, &execution->rf, &seen->rf);
    view_relation(view, execution, &execution->fence_sc, &seen->fence_sc);
    view_relation(view, execution, &execution->co, &seen->co);
    relation_clear(&seen->rmw, seen->count);
    return seen;
}

static unsigned cat_view_count(const struct cat_values *values, unsigned count)
{
    return values->viewed ? values->view->execution.count : count;
}

/* ---- values ---- */

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

/* Grows the variables from the empty relation until they equal their bodies. They only grow, which the reader has
 * checked, so this ends after at most as many rounds as there are pairs of events. */
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

static bool cat_check_holds(const struct cat *cat, const struct cat_values *values, const struct cat_check *check,
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

/* As cat_compute, on the model's view of an execution. */
static void cat_compute_viewed(const struct cat *cat, struct cat_values *values, const struct execution *viewed,
                               enum stage stage)
{
    compute_steps(cat, values, viewed, &cat->plans[stage], 0, cat->plans[stage].count);
}

/* ---- orders that a model chooses by itself (`with S from linearisations(...)`) ---- */

/* The execution is consistent if some choice makes it so. An order is built from its first event on. The known part
 * only grows, so the search stops below a failed check on nodes that grow with it. */

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

static struct relation *order_value(const struct order_search *ordering, int order)
{
    return &ordering->values->node[ordering->cat->orders[order]].relation;
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

/* Does no check fail? For a partial order, only checks are evaluated whose failure is final. Notes a check that
 * fails. */
static bool cat_evaluate_passes(struct order_search *ordering, bool part)
{
    const struct cat *cat = ordering->cat;
    cat_compute_viewed(cat, ordering->values, ordering->execution, STAGE_ORDERS);
    for (int i = 0; i < cat->check_count; i++) {
        const struct cat_check *check = &cat->checks[i];
        if (check->stage != STAGE_ORDERS || (part && (check->negated || !ordering->grows[check->node])) ||
            cat_check_holds(cat, ordering->values, check, ordering->execution->count))
            continue;
        if (ordering->failed < 0 || check->rank > cat->checks[ordering->failed].rank) {
            ordering->failed = i;
            for (int k = 0; k < cat->order_count; k++)
                ordering->orders[k] = *order_value(ordering, k);
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
static bool cat_evaluate_choose(struct order_search *ordering, int order, uint64_t left)
{
    const struct cat *cat = ordering->cat;
    if (left == 0 && order + 1 == cat->order_count)
        return cat_evaluate_passes(ordering, false);
    if (left == 0) {
        const struct cat_node *next = &cat->nodes[cat->orders[order + 1]];
        return cat_evaluate_choose(ordering, order + 1, ordering->values->node[next->left].set);
    }
    const struct cat_node *node = &cat->nodes[cat->orders[order]];
    uint64_t *row = order_value(ordering, order)->row;
    for (uint64_t first = first_of(&ordering->values->node[node->right].relation, left); first; first &= first - 1) {
        const unsigned event = set_first(first);
        ordering->work += (unsigned long)cat->node_count;
        if (ordering->work > CAT_MAXIMUM_ORDERING)
            return true;
        row[event] = left & ~set_of(event);
        if (cat_evaluate_passes(ordering, true) && cat_evaluate_choose(ordering, order, row[event]))
            return true;
        row[event] = 0;
    }
    return false;
}

/* After STAGE_COHERENCE: looks for orders for which no check fails. Returns -1, or a check that fails, with its
 * values. */
static int cat_choose_orders(const struct cat *cat, struct cat_values *values, const struct execution *execution)
{
    if (cat->order_count == 0)
        return -1;
    struct order_search ordering = {.cat = cat, .values = values, .execution = execution, .failed = -1};
    find_growing(cat, ordering.grows);
    for (int i = 0; i < cat->order_count; i++)
        relation_clear(order_value(&ordering, i), execution->count);
    if (cat_evaluate_choose(&ordering, 0, values->node[cat->nodes[cat->orders[0]].left].set))
        return -1;
    for (int i = 0; i < cat->order_count; i++)
        *order_value(&ordering, i) = ordering.orders[i];
    cat_compute_viewed(cat, values, execution, STAGE_ORDERS);
    return ordering.failed;
}

/* ---- evaluation ---- */

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

/* Adds a node's value, if it has one: for a part of the choices, nodes that may still lose pairs are not computed. */
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

/* ---- why a check fails ---- */

/* A cycle through a relation is split along the relation's definition until each step has a meaningful name. */

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

static void cat_evaluate_add_step(struct cat_path *path, unsigned event, const char *relation, bool inverted)
{
    if (path->length < CAT_MAXIMUM_STEPS_SHOWN)
        path->steps[path->length++] = (struct cat_step){event, relation, inverted};
}

static const struct relation *cat_evaluate_value_of(const struct cat_path *path, int node)
{
    return &path->values->node[node].relation;
}

static void expand_step(struct cat_path *path, int node, unsigned from, unsigned to);

/* By a shortest path from one event to another, in at least one step. */
static void expand_closure(struct cat_path *path, int operand, unsigned from, unsigned to)
{
    unsigned events[EVENTS_MAXIMUM];
    const unsigned length = relation_path(cat_evaluate_value_of(path, operand), from, to, events);
    for (unsigned i = 0; i < length; i++)
        expand_step(path, operand, events[i], i + 1 < length ? events[i + 1] : to);
}

static void expand_composition(struct cat_path *path, const struct cat_node *node, unsigned from, unsigned to)
{
    const struct relation *left = cat_evaluate_value_of(path, node->left),
                          *right = cat_evaluate_value_of(path, node->right);
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
    relation_invert(&inverse, cat_evaluate_value_of(path, node), path->count);
    return relation_equal(&inverse, cat_evaluate_value_of(path, node), path->count);
}

static int more_informative(const struct cat_path *path, int left, int right)
{
    if (is_symmetric(path, left) != is_symmetric(path, right))
        return is_symmetric(path, left) ? right : left;
    return can_expand(&path->cat->nodes[right]) && !can_expand(&path->cat->nodes[left]) ? right : left;
}

/* The body of a recursion's variable. */
static int cat_evaluate_body_of(const struct cat *cat, int variable)
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
        expand_step(path, cat_evaluate_body_of(path->cat, index), from, to);
        path->entered--;
        return;
    }
    const bool inverted = !node->name && node->operation == CAT_INVERT;
    if (!can_expand(node)) {
        cat_evaluate_add_step(path, from, label_of(inverted ? &path->cat->nodes[node->left] : node), inverted);
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
        expand_step(path, relation_has(cat_evaluate_value_of(path, node->left), from, to) ? node->left : node->right,
                    from, to);
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

/* The path back along a pair that is in two relations at once, or in one but not in another that holds in the opposite
 * direction: adds its steps; false if there is none. */
static bool explain_return(struct cat_path *path, int index, unsigned from, unsigned to)
{
    const struct cat_node *node = &path->cat->nodes[index];
    if (node->name || (node->operation != CAT_INTERSECT && node->operation != CAT_SUBTRACT))
        return false;
    const unsigned length = path->length;
    if (node->operation == CAT_SUBTRACT && relation_has(cat_evaluate_value_of(path, node->right), to, from))
        expand_step(path, node->right, to, from);
    else if (node->operation == CAT_SUBTRACT)
        return explain_return(path, node->left, from, to);
    else {
        const int shown = more_informative(path, node->left, node->right);
        const int other = shown == node->left ? node->right : node->left;
        if (explain_return(path, shown, from, to))
            return true;
        if (!can_expand(&path->cat->nodes[other]) && !is_symmetric(path, other))
            cat_evaluate_add_step(path, to, label_of(&path->cat->nodes[other]), true);
    }
    return path->length > length;
}

/* A pair that should not be related, and the path back if there is one; returns whether there is. */
static bool explain_pair(struct cat_path *path, int node)
{
    const struct relation *relation = cat_evaluate_value_of(path, node);
    for (unsigned i = 0; i < path->count; i++)
        if (relation->row[i]) {
            const unsigned to = set_first(relation->row[i]);
            expand_step(path, node, i, to);
            const bool back = explain_return(path, node, i, to);
            if (!back)
                cat_evaluate_add_step(path, to, NULL, false);
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
            cat_evaluate_add_step(&path, set_first(values->node[check->node].set), NULL, false);
    } else if (check->kind == CAT_IS_EMPTY) {
        *closed = explain_pair(&path, check->node);
    } else if (check->kind == CAT_ACYCLIC) {
        length = relation_cycle(cat_evaluate_value_of(&path, check->node), count, cycle);
    } else {
        for (unsigned i = count; i-- > 0;)
            if (relation_has(cat_evaluate_value_of(&path, check->node), i, i)) {
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
