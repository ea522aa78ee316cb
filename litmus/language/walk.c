// SPDX-License-Identifier: Apache-2.0
/* What statements are and have, for code that treats all kinds alike, and a walk through them and their expressions. */
#include "litmus/language/walk.h"

#include "litmus/language/order.h"

/* ---- what the kinds of statements are and have, in tables ---- */

/* What struct litmus_orders relies on. */
#define BEGINS_ALIKE(type)                                                                                             \
    (offsetof(struct type, semantics) == offsetof(struct litmus_orders, semantics) &&                                  \
     offsetof(struct type, flag_image) == offsetof(struct litmus_orders, flag_image) &&                                \
     offsetof(struct type, spelling) == offsetof(struct litmus_orders, spelling))
_Static_assert(BEGINS_ALIKE(litmus_fence) && BEGINS_ALIKE(litmus_barrier), "they begin with the same members");

const struct litmus_kind litmus_kinds[] = {
    [LITMUS_ASSIGN] = {.goes_on = true},
    [LITMUS_PERFORM] = {.goes_on = true},
    [LITMUS_FENCE] = {.orders = true, .has_event = true, .goes_on = true},
    [LITMUS_BARRIER] = {.orders = true, .meets = true, .has_event = true, .goes_on = true, .device = "no barrier"},
    [LITMUS_IF] = {.goes_on = true},
    [LITMUS_LABEL] = {.goes_on = true},
    [LITMUS_COPY] = {.has_event = true, .goes_on = true},
    [LITMUS_GROUP] = {.goes_on = true},
    [LITMUS_VECTOR] = {.goes_on = true, .device = "no vector"},
    [LITMUS_COLLECTIVE] = {.has_event = true, .goes_on = true, .device = "no vote"},
    [LITMUS_IDLE] = {.goes_on = true},
    [LITMUS_UNSUPPORTED] = {.orders = false},
};

bool litmus_is_fence(const struct litmus_statement *statement)
{
    return litmus_kinds[statement->kind].orders && !litmus_kinds[statement->kind].meets;
}

static bool is_collective(const struct litmus_statement *statement)
{
    return statement->kind == LITMUS_COLLECTIVE;
}

bool litmus_has_collectives(const struct litmus_block *block)
{
    return litmus_any_statement(block, is_collective);
}

size_t litmus_find_label(const struct litmus_block *block, int label)
{
    return INDEX_OF(statement, block->statements, block->count,
                    statement->kind == LITMUS_LABEL && statement->label == label);
}

size_t litmus_statement_registers(const struct litmus_statement *statement, const int **registers)
{
    const bool vector = statement->kind == LITMUS_VECTOR;
    *registers = vector ? statement->vector.registers : &statement->target;
    return vector ? statement->vector.lanes : statement->kind == LITMUS_ASSIGN || statement->kind == LITMUS_COLLECTIVE;
}

const struct litmus_access *litmus_statement_access(const struct litmus_statement *statement)
{
    return statement->kind == LITMUS_VECTOR ? &statement->vector.access : NULL;
}

/* ---- operands ---- */

#define OPERAND(kind, member)                                                                                          \
    {                                                                                                                  \
        kind, offsetof(struct litmus_statement, member)                                                                \
    }

/* The expressions of kinds other than vectors, in the order of the instruction. */
static const struct {
    enum litmus_statement_kind kind;
    size_t offset;
} operand_members[] = {
    OPERAND(LITMUS_BARRIER, barrier.resource),
    OPERAND(LITMUS_BARRIER, barrier.quorum),
    OPERAND(LITMUS_COPY, copy.to),
    OPERAND(LITMUS_COPY, copy.from),
    OPERAND(LITMUS_COPY, copy.value),
    OPERAND(LITMUS_COPY, copy.mbarrier),
    OPERAND(LITMUS_GROUP, group.mbarrier),
    OPERAND(LITMUS_COLLECTIVE, collective.lane),
    OPERAND(LITMUS_COLLECTIVE, collective.mask),
    OPERAND(LITMUS_FENCE, fence.map),
    OPERAND(LITMUS_FENCE, fence.from),
};

static void add_operand(struct litmus_expression *expression, size_t *count,
                        struct litmus_expression *operands[STATEMENT_MAXIMUM_OPERANDS])
{
    if (expression)
        operands[(*count)++] = expression;
}

size_t litmus_statement_operands(const struct litmus_statement *statement,
                                 struct litmus_expression *operands[STATEMENT_MAXIMUM_OPERANDS])
{
    const struct litmus_vector *vector = &statement->vector;
    size_t count = 0;
    add_operand(statement->value, &count, operands);
    for (size_t i = 0; i < COUNT(operand_members); i++)
        if (operand_members[i].kind == statement->kind)
            add_operand(*(struct litmus_expression *const *)((const char *)statement + operand_members[i].offset),
                        &count, operands);
    if (statement->kind != LITMUS_VECTOR)
        return count;
    add_operand(vector->access.address, &count, operands);
    for (unsigned i = 0; i < vector->lanes; i++) {
        add_operand(vector->expected[i], &count, operands);
        add_operand(vector->values[i], &count, operands);
    }
    return count;
}

/* ---- equality ---- */

#define MEMBERS(kind, first, last, spelling)                                                                           \
    {                                                                                                                  \
        kind, offsetof(struct litmus_statement, first),                                                                \
            offsetof(struct litmus_statement, last) + sizeof((struct litmus_statement *)NULL)->last, spelling          \
    }

/* What statements of a kind have besides expressions, accesses and names: members in a row, without padding between
 * them. */
static const struct {
    enum litmus_statement_kind kind;
    size_t from, to;
    bool spelling; /* they do not change the meaning */
} members[] = {
    MEMBERS(LITMUS_FENCE, fence.order, fence.flag_image, false),
    /* Which function of CUDA a fence is follows from its order and scope where its maker did not say. */
    MEMBERS(LITMUS_FENCE, fence.spelling.legacy, fence.spelling.legacy, true),
    MEMBERS(LITMUS_FENCE, fence.cluster, fence.cluster, false),
    MEMBERS(LITMUS_FENCE, fence.proxy, fence.restriction, false),
    MEMBERS(LITMUS_BARRIER, barrier.order, barrier.flag_image, false),
    MEMBERS(LITMUS_BARRIER, barrier.spelling, barrier.spelling, true),
    MEMBERS(LITMUS_BARRIER, barrier.arrive, barrier.sub_group, false),
    MEMBERS(LITMUS_COPY, copy.bulk, copy.bulk, false),
    MEMBERS(LITMUS_COPY, copy.operation, copy.scope, false),
    MEMBERS(LITMUS_COPY, copy.bytes, copy.bytes, false),
    MEMBERS(LITMUS_COPY, copy.cluster, copy.through_l2, true),
    MEMBERS(LITMUS_GROUP, group.action, group.matrix, false),
    MEMBERS(LITMUS_GROUP, group.pending, group.no_increment, false),
    MEMBERS(LITMUS_COLLECTIVE, collective.function, collective.type, false),
    MEMBERS(LITMUS_VECTOR, vector.lanes, vector.whole, false),
    MEMBERS(LITMUS_VECTOR, vector.unaligned, vector.unaligned, true),
};

static bool same_text(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

static bool same_expression(const struct litmus_expression *a, const struct litmus_expression *b, bool spelling);

static bool same_access(const struct litmus_access *a, const struct litmus_access *b, bool spelling)
{
    if (!a || !b)
        return a == b;
    return a->operation == b->operation && a->type == b->type && ordering_same(a->ordering, b->ordering) &&
           a->failure == b->failure && a->proxy == b->proxy && a->no_result == b->no_result &&
           a->expected_register == b->expected_register &&
           (!spelling || (memcmp(&a->spelling, &b->spelling, sizeof a->spelling) == 0 && a->cache == b->cache &&
                          a->prefetch == b->prefetch && a->read_only == b->read_only && a->mmio == b->mmio)) &&
           same_expression(a->address, b->address, spelling) && same_expression(a->operand, b->operand, spelling) &&
           same_expression(a->expected, b->expected, spelling) &&
           same_expression(a->expected_address, b->expected_address, spelling);
}

static bool same_expression(const struct litmus_expression *a, const struct litmus_expression *b, bool spelling)
{
    if (!a || !b)
        return a == b;
    return a->kind == b->kind && a->value == b->value && a->index == b->index && a->op == b->op &&
           a->suffix == b->suffix && (!spelling || a->generic == b->generic) &&
           same_expression(a->left, b->left, spelling) && same_expression(a->right, b->right, spelling) &&
           same_access(a->access, b->access, spelling);
}

/* Of two statements of one kind: what the tables have. */
static bool same_members(const struct litmus_statement *a, const struct litmus_statement *b, bool spelling)
{
    bool same = true;
    for (size_t i = 0; i < COUNT(members); i++)
        if (members[i].kind == a->kind && (spelling || !members[i].spelling))
            same &= memcmp((const char *)a + members[i].from, (const char *)b + members[i].from,
                           members[i].to - members[i].from) == 0;
    for (size_t i = 0; i < COUNT(operand_members); i++) {
        const size_t offset = operand_members[i].offset;
        if (operand_members[i].kind == a->kind)
            same = same && same_expression(*(struct litmus_expression *const *)((const char *)a + offset),
                                           *(struct litmus_expression *const *)((const char *)b + offset), spelling);
    }
    return same;
}

static bool same_lanes(const struct litmus_vector *a, const struct litmus_vector *b, bool spelling)
{
    bool same = same_access(&a->access, &b->access, spelling);
    for (unsigned lane = 0; same && lane < a->lanes; lane++)
        same = a->registers[lane] == b->registers[lane] &&
               same_expression(a->values[lane], b->values[lane], spelling) &&
               same_expression(a->expected[lane], b->expected[lane], spelling);
    return same;
}

static bool same_statement(const struct litmus_statement *a, const struct litmus_statement *b, bool spelling)
{
    return a->kind == b->kind && a->target == b->target && a->label == b->label &&
           same_expression(a->value, b->value, spelling) && same_members(a, b, spelling) &&
           (a->kind != LITMUS_VECTOR || same_lanes(&a->vector, &b->vector, spelling)) &&
           (a->kind != LITMUS_BARRIER || same_text(a->barrier.instance, b->barrier.instance)) &&
           (a->kind < LITMUS_IDLE || same_text(a->text, b->text)) && litmus_same_block(&a->body, &b->body, spelling) &&
           litmus_same_block(&a->otherwise, &b->otherwise, spelling);
}

bool litmus_same_block(const struct litmus_block *a, const struct litmus_block *b, bool spelling)
{
    bool same = a->count == b->count;
    for (size_t i = 0; same && i < a->count; i++)
        same = same_statement(&a->statements[i], &b->statements[i], spelling);
    return same;
}

bool litmus_same_code(const struct litmus_thread *a, const struct litmus_thread *b)
{
    bool same = a->register_count == b->register_count && litmus_same_block(&a->body, &b->body, false);
    for (size_t i = 0; same && i < a->register_count; i++)
        same = a->registers[i].type == b->registers[i].type;
    return same;
}

/* ---- walks ---- */

/* What a walk has before it, the last first: statements in a row, or an expression. */
struct litmus_pending {
    const struct litmus_statement *statements;
    size_t count;
    const struct litmus_expression *expression;
};

static void walk_to_block(struct litmus_walk *walk, const struct litmus_statement *statements, size_t count)
{
    if (count > 0)
        LIST_ADD(walk->pending, walk->count, walk->room) = (struct litmus_pending){statements, count, NULL};
}

static void walk_to_expression(struct litmus_walk *walk, const struct litmus_expression *expression)
{
    if (expression)
        LIST_ADD(walk->pending, walk->count, walk->room) = (struct litmus_pending){NULL, 0, expression};
}

struct litmus_walk litmus_walk_test(const struct litmus_test *test)
{
    struct litmus_walk walk = {0};
    for (size_t i = test->body_count; i-- > 0;)
        walk_to_block(&walk, test->threads[i].body.statements, test->threads[i].body.count);
    return walk;
}

struct litmus_walk litmus_walk_block(const struct litmus_block *block)
{
    struct litmus_walk walk = {0};
    walk_to_block(&walk, block->statements, block->count);
    return walk;
}

struct litmus_walk litmus_walk_statement(const struct litmus_statement *statement)
{
    struct litmus_walk walk = {0};
    walk_to_block(&walk, statement, 1);
    return walk;
}

struct litmus_walk litmus_walk_expression(const struct litmus_expression *expression)
{
    struct litmus_walk walk = {0};
    walk_to_expression(&walk, expression);
    return walk;
}

bool litmus_walk_next(struct litmus_walk *walk)
{
    if (walk->count == 0) {
        free(walk->pending);
        *walk = (struct litmus_walk){0};
        return false;
    }
    struct litmus_pending *next = &walk->pending[walk->count - 1];
    walk->statement = next->statements;
    walk->expression = next->expression;
    if (next->expression || --next->count == 0)
        walk->count--;
    else
        next->statements++;
    if (walk->statement) {
        const struct litmus_statement *statement = walk->statement;
        struct litmus_expression *operands[STATEMENT_MAXIMUM_OPERANDS];
        walk->access = litmus_statement_access(statement);
        walk_to_block(walk, statement->otherwise.statements, statement->otherwise.count);
        walk_to_block(walk, statement->body.statements, statement->body.count);
        for (size_t i = litmus_statement_operands(statement, operands); i-- > 0;)
            walk_to_expression(walk, operands[i]);
    } else {
        walk->access = walk->expression->access;
        if (walk->access) {
            walk_to_expression(walk, walk->access->operand);
            walk_to_expression(walk, walk->access->expected_address);
            walk_to_expression(walk, walk->access->expected);
            walk_to_expression(walk, walk->access->address);
        }
        walk_to_expression(walk, walk->expression->right);
        walk_to_expression(walk, walk->expression->left);
    }
    return true;
}

bool litmus_has_access(const struct litmus_expression *expression)
{
    return expression && (expression->kind == LITMUS_EXPRESSION_ACCESS || litmus_has_access(expression->left) ||
                          litmus_has_access(expression->right));
}

bool litmus_loads_first(const struct litmus_block *block)
{
    const struct litmus_access *first = NULL;
    for (struct litmus_walk walk = litmus_walk_block(block); litmus_walk_next(&walk);)
        first = first ? first : walk.access;
    return first && first->operation == LITMUS_LOAD;
}

bool litmus_any_statement(const struct litmus_block *block, bool (*is)(const struct litmus_statement *statement))
{
    bool any = false;
    for (size_t i = 0; i < block->count && !any; i++)
        any = is(&block->statements[i]) || litmus_any_statement(&block->statements[i].body, is) ||
              litmus_any_statement(&block->statements[i].otherwise, is);
    return any;
}
