// SPDX-License-Identifier: Apache-2.0
/* A model's list of operations, and the parts of its checks that can be evaluated early. */
#include "models/cat/cat_program.h"

/* Finds the parts of a model that only tests with ordered launches need, so that they cost other tests nothing. */

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

/* Marks the nodes that are computed only if the host orders launches. All others are needed. */
static void cat_find_launched(struct cat *cat)
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

void cat_release(struct cat *cat)
{
    if (!cat)
        return;
    arena_release(&cat->arena);
    free(cat);
}

void cat_node_add_operand(const struct cat *cat, struct cat_node *node, int operand)
{
    if (operand < 0)
        return;
    const struct cat_node *other = &cat->nodes[operand];
    node->stage = node->stage > other->stage ? node->stage : other->stage;
    node->uses_dependencies |= other->uses_dependencies;
    if (other->group != CAT_NO_GROUP && cat->groups[other->group].end < 0)
        node->group = other->group;
}

/* A variable or an order never equals another one, and a base has its own kind, set or relation. */
static bool is_equal(const struct cat_node *a, const struct cat_node *b)
{
    return a->operation == b->operation && a->operation != CAT_VARIABLE && a->left == b->left && a->right == b->right &&
           (a->is_set == b->is_set || a->operation == CAT_BASE) && a->operation != CAT_ORDER;
}

static bool is_empty(const struct cat *cat, int node)
{
    return node >= 0 && cat->nodes[node].operation == CAT_EMPTY;
}

int cat_node(struct cat *cat, enum cat_operation operation, bool is_set, int left, int right)
{
    const bool is_base = operation == CAT_BASE;
    const bool no_left = is_base ? base_is_empty(&bases[left]) : is_empty(cat, left), no_right = is_empty(cat, right);
    if (operation == CAT_UNITE && (no_left || no_right))
        return no_left ? right : left;
    if (operation == CAT_SUBTRACT && no_right)
        return left;
    const bool keeps_something =
        operation == CAT_OPTIONAL || operation == CAT_STAR || operation == CAT_COMPLEMENT || operation == CAT_ORDER;
    if ((no_left || no_right) && !keeps_something)
        return cat_node(cat, CAT_EMPTY, is_set, -1, -1);
    struct cat_node node = {
        .operation = operation, .is_set = is_set, .left = left, .right = right, .group = CAT_NO_GROUP};
    for (int i = 0; i < cat->node_count; i++)
        if (is_equal(&cat->nodes[i], &node))
            return i;
    if (cat->node_count == CAT_MAXIMUM_NODES)
        return -1;
    if (is_base) {
        node.stage = bases[left].stage;
        node.uses_dependencies = text_has_word("addr data ctrl", bases[left].name, strlen(bases[left].name));
    } else {
        cat_node_add_operand(cat, &node, left);
        cat_node_add_operand(cat, &node, right);
    }
    if (operation == CAT_ORDER)
        node.stage = STAGE_ORDERS;
    cat->nodes[cat->node_count] = node;
    return cat->node_count++;
}

static int empty_like(struct cat *cat, int node)
{
    return cat_node(cat, CAT_EMPTY, cat->nodes[node].is_set, -1, -1);
}

/* A node's operation on parts of its operands; -1: no room, there or here. */
static int join_parts(struct cat *cat, int node, int left, int right)
{
    const struct cat_node original = cat->nodes[node];
    if (left < 0 || (original.right >= 0 && right < 0))
        return -1;
    return cat_node(cat, original.operation, original.is_set, left, right);
}

static int lower_part(struct cat *cat, int node, enum stage stage);

/* An operation that grows with its operands, on their known parts. */
static int lower_operands(struct cat *cat, int node, enum stage stage)
{
    const struct cat_node original = cat->nodes[node];
    const int left = lower_part(cat, original.left, stage);
    return join_parts(cat, node, left, original.right < 0 ? -1 : lower_part(cat, original.right, stage));
}

/* The part of a set or relation that the choices up to a stage already put into it: it can only grow. -1: no room. */
static int lower_part(struct cat *cat, int node, enum stage stage)
{
    const struct cat_node original = cat->nodes[node];
    if (original.stage <= stage)
        return node;
    switch (original.operation) {
    case CAT_BASE:
        return strcmp(bases[original.left].name, "co") == 0
                   ? cat_node(cat, CAT_BASE, false, base_find("co0", strlen("co0")), -1)
                   : empty_like(cat, node);
    case CAT_VARIABLE:
    case CAT_ORDER:
    case CAT_COMPLEMENT:
    case CAT_EMPTY:
    case CAT_ALL:
        return empty_like(cat, node);
    case CAT_SUBTRACT:
        if (cat->nodes[original.right].stage > stage)
            return empty_like(cat, node);
        return lower_operands(cat, node, stage);
    default:
        /* Nodes of a recursion are computed together or not at all. */
        return original.group != CAT_NO_GROUP ? empty_like(cat, node) : lower_operands(cat, node, stage);
    }
}

/* A set or relation that contains everything that later choices may put into this one. -1: no room. */
static int upper_part(struct cat *cat, int node, enum stage stage)
{
    const struct cat_node original = cat->nodes[node];
    if (original.stage <= stage)
        return node;
    if (original.operation == CAT_BASE || original.operation == CAT_VARIABLE || original.group != CAT_NO_GROUP) {
        const int all = cat_node(cat, CAT_ALL, true, -1, -1);
        return cat->nodes[node].is_set || all < 0 ? all : cat_node(cat, CAT_CROSS, false, all, all);
    }
    if (original.operation == CAT_COMPLEMENT) {
        const int lower = lower_part(cat, original.left, stage);
        return lower < 0 ? -1 : cat_node(cat, CAT_COMPLEMENT, original.is_set, lower, -1);
    }
    const int left = upper_part(cat, original.left, stage);
    const int right = original.right < 0                   ? -1
                      : original.operation == CAT_SUBTRACT ? lower_part(cat, original.right, stage)
                                                           : upper_part(cat, original.right, stage);
    return join_parts(cat, node, left, right);
}

/* A check whose early part fails will fail whatever comes later: acyclicity and similar properties are never restored
 * by additions. */
static bool add_early_parts(struct cat *cat, int index)
{
    const struct cat_check check = cat->checks[index];
    int previous = -1;
    for (enum stage stage = STAGE_EVENTS; stage < check.stage && !check.negated; stage++) {
        const int part = lower_part(cat, check.node, stage);
        if (part < 0)
            return false;
        if (part == previous || is_empty(cat, part))
            continue;
        previous = part;
        struct cat_check *early = &cat->checks[cat->check_count++];
        *early = check;
        early->node = part;
        early->stage = stage;
        early->contained = early->ordered = -1;
    }
    return true;
}

ORDERED_BY(compare_checks, const struct cat_check, ORDER(a->stage, b->stage) ?: ORDER(a->rank, b->rank))

/* Marks what a node is computed from: its operands and, for a variable, the whole recursion. */
static void mark_inputs(struct cat *cat, const struct cat_node *node, void (*mark)(struct cat *cat, int node))
{
    const struct cat_group *group = node->operation == CAT_VARIABLE ? &cat->groups[node->group] : NULL;
    for (unsigned i = 0; group && i < group->count; i++) {
        mark(cat, group->variables[i]);
        mark(cat, group->bodies[i]);
    }
    if (node->operation != CAT_BASE) {
        mark(cat, node->left);
        mark(cat, node->right);
    }
}

static void mark_needed(struct cat *cat, int node)
{
    if (node < 0 || cat->nodes[node].needed)
        return;
    struct cat_node *n = &cat->nodes[node];
    n->needed = true;
    mark_inputs(cat, n, mark_needed);
}

static bool is_coherence(const struct cat *cat, int node)
{
    const struct cat_node *n = &cat->nodes[node];
    if (n->operation == CAT_PLUS)
        return is_coherence(cat, n->left);
    return n->operation == CAT_BASE && strcmp(bases[n->left].name, "co") == 0;
}

static bool is_either_way(const struct cat *cat, int node)
{
    const struct cat_node *n = &cat->nodes[node];
    if (n->operation != CAT_UNITE)
        return false;
    const struct cat_node *right = &cat->nodes[n->right];
    return is_coherence(cat, n->left) && right->operation == CAT_INVERT && is_coherence(cat, right->left);
}

/* Recognises the forms that cat.h names. */
static void find_demands(const struct cat *cat, struct cat_check *check)
{
    const struct cat_node *node = &cat->nodes[check->node];
    check->contained = check->ordered = -1;
    if (cat->total || check->negated || check->kind != CAT_IS_EMPTY || node->operation != CAT_SUBTRACT ||
        cat->nodes[node->left].stage == STAGE_COHERENCE)
        return;
    if (is_coherence(cat, node->right))
        check->contained = node->left;
    else if (is_either_way(cat, node->right))
        check->ordered = node->left;
}

/* ---- partial choices ---- */

/* Does a node only grow when rf, sync_fence and co do? Its operands are known, and so far the recursions. */
static bool node_grows(const struct cat *cat, const struct cat_node *node, const bool *grows,
                       const bool *recursion_grows)
{
    if (node->operation == CAT_VARIABLE)
        return recursion_grows[node->group];
    if (node->operation == CAT_BASE || node->stage < STAGE_READS)
        return true;
    return node->operation != CAT_COMPLEMENT && node->operation != CAT_ORDER && (node->left < 0 || grows[node->left]) &&
           (node->right < 0 || grows[node->right]) &&
           (node->operation != CAT_SUBTRACT || cat->nodes[node->right].stage < STAGE_READS);
}

/* A recursion grows if all of its bodies do. */
static void find_growing(const struct cat *cat, bool grows[CAT_MAXIMUM_NODES])
{
    bool recursion_grows[CAT_MAXIMUM_GROUPS];
    memset(recursion_grows, true, sizeof recursion_grows);
    for (bool changed = true; changed;) {
        changed = false;
        for (int i = 0; i < cat->node_count; i++)
            grows[i] = node_grows(cat, &cat->nodes[i], grows, recursion_grows);
        for (int g = 0; g < cat->group_count; g++)
            for (unsigned i = 0; i < cat->groups[g].count; i++)
                if (recursion_grows[g] && !grows[cat->groups[g].bodies[i]])
                    recursion_grows[g] = false, changed = true;
    }
}

/* The part of a node that a part of the choices already determines; -1: no room. */
static int growing_part(struct cat *cat, int node, const bool *grows)
{
    const struct cat_node original = cat->nodes[node];
    if (grows[node])
        return node;
    if (original.operation == CAT_COMPLEMENT || original.operation == CAT_VARIABLE || original.operation == CAT_ORDER ||
        original.group != CAT_NO_GROUP ||
        (original.operation == CAT_SUBTRACT && cat->nodes[original.right].stage >= STAGE_READS))
        return empty_like(cat, node);
    const int left = growing_part(cat, original.left, grows);
    const int right = original.right < 0 ? -1 : growing_part(cat, original.right, grows);
    return join_parts(cat, node, left, right);
}

static void mark_growing(struct cat *cat, int node)
{
    if (node < 0 || cat->nodes[node].grows)
        return;
    struct cat_node *n = &cat->nodes[node];
    if (n->stage < STAGE_READS || n->group != CAT_NO_GROUP || n->operation == CAT_VARIABLE)
        mark_needed(cat, node);
    if (n->stage < STAGE_READS)
        return;
    n->grows = true;
    mark_inputs(cat, n, mark_growing);
}

static bool is_growing_check(const struct cat *cat, int node)
{
    return ANY_NUMBER(int, i, cat->check_count, cat->check_count + cat->growing_count, cat->checks[i].node == node);
}

/* Adds the parts of checks that can be evaluated for a part of the choices, and the pairs that coherence must contain
 * by then. */
static bool add_growing(struct cat *cat)
{
    bool grows[CAT_MAXIMUM_NODES] = {false};
    find_growing(cat, grows);
    for (int i = 0; i < cat->check_count; i++) {
        struct cat_check part = cat->checks[i];
        if (part.contained >= 0 && grows[part.contained])
            mark_growing(cat, part.contained);
        if (part.ordered >= 0 && grows[part.ordered])
            mark_growing(cat, part.ordered);
        if (part.stage < STAGE_READS || part.negated)
            continue;
        part.node = growing_part(cat, part.node, grows);
        if (part.node < 0)
            return false;
        if (is_empty(cat, part.node) || cat->nodes[part.node].stage < STAGE_READS || is_growing_check(cat, part.node))
            continue;
        part.contained = part.ordered = -1;
        cat->checks[cat->check_count + cat->growing_count++] = part;
        mark_growing(cat, part.node);
    }
    return true;
}

/* The upper bounds of a flag before fences and writes are ordered. */
static bool cat_program_add_bound(struct cat *cat, struct cat_check *flag)
{
    flag->early_bound = flag->bound = -1;
    if (flag->kind != CAT_IS_EMPTY || !flag->negated)
        return true;
    flag->early_bound = upper_part(cat, flag->node, STAGE_EVENTS);
    flag->bound = upper_part(cat, flag->node, STAGE_READS);
    mark_needed(cat, flag->early_bound);
    mark_needed(cat, flag->bound);
    return flag->early_bound >= 0 && flag->bound >= 0;
}

/* A plan in the making. */
struct planning {
    const struct cat *cat;
    enum stage stage;
    bool part; /* for a part of the choices */
    bool wanted[CAT_MAXIMUM_NODES], planned[CAT_MAXIMUM_NODES];
    bool groups_planned[CAT_MAXIMUM_GROUPS];
    struct cat_plan *plan;
};

/* Wants a node and all that it is computed from. The nodes of a recursion are computed together. */
static void want(struct planning *planning, int node)
{
    if (node < 0 || planning->wanted[node])
        return;
    const struct cat *cat = planning->cat;
    const struct cat_node *n = &cat->nodes[node];
    planning->wanted[node] = true;
    if (n->group != CAT_NO_GROUP) {
        const struct cat_group *group = &cat->groups[n->group];
        for (int i = group->first; i < group->end; i++)
            want(planning, cat->nodes[i].group == n->group && cat->nodes[i].needed ? i : -1);
        for (unsigned i = 0; i < group->count; i++) {
            want(planning, group->variables[i]);
            want(planning, group->bodies[i]);
        }
    }
    if (n->operation != CAT_BASE) {
        want(planning, n->left);
        want(planning, n->right);
    }
}

static bool is_planned_here(const struct planning *planning, int node)
{
    const struct cat_node *n = &planning->cat->nodes[node];
    return planning->part ? n->grows : n->needed && n->stage == planning->stage;
}

/* Adds the wanted nodes that are not in the plan yet: a recursion at the place of its last node. */
static void add_wanted(struct planning *planning)
{
    const struct cat *cat = planning->cat;
    struct cat_plan *plan = planning->plan;
    int group = 0;
    for (int i = 0; i <= cat->node_count; i++) {
        for (; group < cat->group_count && cat->groups[group].end == i; group++) {
            const int variable = cat->groups[group].variables[0];
            if (planning->wanted[variable] && !planning->groups_planned[group] && is_planned_here(planning, variable)) {
                plan->step[plan->count++] = ~group;
                planning->groups_planned[group] = true;
            }
        }
        if (i < cat->node_count && planning->wanted[i] && !planning->planned[i] &&
            cat->nodes[i].group == CAT_NO_GROUP && is_planned_here(planning, i)) {
            plan->step[plan->count++] = i;
            planning->planned[i] = true;
        }
    }
}

/* Lists the nodes to compute at a stage, or for a part of the choices; the checks are those of the same. */
static void make_plan(struct cat *cat, enum stage stage, bool part, struct cat_plan *plan)
{
    FREED struct planning *planning = memory_take(1, sizeof *planning);
    planning->cat = cat;
    planning->stage = stage;
    planning->part = part;
    planning->plan = plan;
    plan->count = 0;
    const int first = part ? cat->check_count : 0, end = part ? first + cat->growing_count : cat->check_count;
    for (int i = first; i < end; i++)
        if (part || cat->checks[i].stage == stage) {
            want(planning, cat->checks[i].node);
            add_wanted(planning);
            cat->checks[i].steps = plan->count;
        }
    for (int i = 0; i < cat->node_count; i++)
        want(planning, is_planned_here(planning, i) ? i : -1);
    add_wanted(planning);
}

bool cat_finish(struct cat *cat)
{
    const int written = cat->check_count;
    for (int i = 0; i < written; i++)
        find_demands(cat, &cat->checks[i]);
    for (int i = 0; i < written; i++)
        if (!add_early_parts(cat, i))
            return false;
    qsort(cat->checks, (size_t)cat->check_count, sizeof cat->checks[0], compare_checks);
    for (int i = 0; i < cat->check_count; i++)
        mark_needed(cat, cat->checks[i].node);
    for (int i = 0; i < cat->flag_count; i++) {
        mark_needed(cat, cat->flags[i].node);
        if (!cat_program_add_bound(cat, &cat->flags[i]))
            return false;
    }
    if (!add_growing(cat))
        return false;
    for (int i = 0; i < cat->order_count; i++)
        mark_needed(cat, cat->orders[i]);
    cat_find_launched(cat);
    for (enum stage stage = STAGE_EVENTS; stage <= STAGE_ORDERS; stage++)
        make_plan(cat, stage, false, &cat->plans[stage]);
    make_plan(cat, STAGE_READS, true, &cat->plan_of_part);
    return true;
}

bool cat_is_total(const struct cat *cat)
{
    return cat->total;
}

bool cat_uses(const struct cat *cat, const char *base_name)
{
    return ANY_OF(node, cat->nodes, cat->node_count,
                  node->operation == CAT_BASE && node->needed && strcmp(bases[node->left].name, base_name) == 0);
}

bool cat_check_uses_dependencies(const struct cat *cat, int check)
{
    return cat->nodes[cat->checks[check].node].uses_dependencies;
}

uint64_t cat_flags_of_reads(const struct cat *cat)
{
    uint64_t result = 0;
    for (int i = 0; i < cat->flag_count; i++)
        if (cat->flags[i].stage <= STAGE_READS)
            result |= set_of((unsigned)i);
    return result;
}

/* Those whose names start with the word. */
static uint64_t flags_named(const struct cat *cat, uint64_t flags, const char *start)
{
    uint64_t result = 0;
    for (uint64_t rest = flags; rest; rest &= rest - 1)
        if (strncmp(cat->flags[set_first(rest)].name, start, strlen(start)) == 0)
            result |= rest & (0 - rest);
    return result;
}

uint64_t cat_flags_unspecified(const struct cat *cat, uint64_t flags)
{
    return flags_named(cat, flags, "unspecified");
}

const char *cat_flag_name(const struct cat *cat, int flag)
{
    return cat->flags[flag].name;
}

bool cat_flags_races(const struct cat *cat, bool initialises)
{
    const uint64_t all = set_all((unsigned)cat->flag_count);
    const uint64_t never = cat_flags_unspecified(cat, all) | flags_named(cat, all, "barrier") |
                           flags_named(cat, all, "wgmma") | (initialises ? 0 : flags_named(cat, all, "mbarrier"));
    return never != all;
}

const char *cat_check_name(const struct cat *cat, int check)
{
    return cat->checks[check].name;
}

int cat_check_rank(const struct cat *cat, int check)
{
    return cat->checks[check].rank;
}
