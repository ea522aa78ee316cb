// SPDX-License-Identifier: Apache-2.0
/* The steps of a test's threads, in program order. */
#include "catalogue/shape.h"

struct shaping {
    struct shape *shape;
    size_t thread;
    struct step fence;   /* that came since the last step */
    bool is_conditional; /* a jump came before */
};

static bool reads_register(const struct litmus_expression *expression)
{
    return expression && (expression->kind == LITMUS_EXPRESSION_REGISTER || reads_register(expression->left) ||
                          reads_register(expression->right));
}

static void add_step(struct shaping *shaping, struct step step)
{
    struct shape *shape = shaping->shape;
    size_t *count = &shape->counts[shaping->thread];
    if (*count == MAXIMUM_STEPS) {
        shape->fits = false;
        return;
    }
    step.fence = shaping->fence.fence;
    step.fence_order = shaping->fence.fence_order;
    step.fence_scope = shaping->fence.fence_scope;
    step.proxy_fence = shaping->fence.proxy_fence;
    shape->steps[shaping->thread][(*count)++] = step;
    shaping->fence = (struct step){0};
}

static void add_access(struct shaping *shaping, const struct litmus_access *access, const struct litmus_vector *vector)
{
    const bool named = access->address->kind == LITMUS_EXPRESSION_ADDRESS;
    const enum step_kind kind = access->operation == LITMUS_LOAD    ? STEP_READ
                                : access->operation == LITMUS_STORE ? STEP_WRITE
                                                                    : STEP_UPDATE;
    bool data = reads_register(access->operand);
    for (unsigned i = 0; vector && i < vector->lanes; i++)
        data |= reads_register(vector->values[i]);
    add_step(shaping,
             (struct step){.kind = kind,
                           .location = named ? access->address->index : LITMUS_NONE,
                           .target = LITMUS_NONE,
                           .depends = (shaping->is_conditional ? ON_CONTROL : 0u) |
                                      (reads_register(access->address) ? ON_ADDRESS : 0u) | (data ? ON_DATA : 0u),
                           .operation = access->operation,
                           .order = access->order,
                           .scope = access->scope,
                           .access = access,
                           .vector = vector});
}

static void add_expression(struct shaping *shaping, const struct litmus_expression *expression)
{
    if (!expression)
        return;
    add_expression(shaping, expression->left);
    add_expression(shaping, expression->right);
    if (expression->kind != LITMUS_EXPRESSION_ACCESS)
        return;
    add_expression(shaping, expression->access->operand);
    add_access(shaping, expression->access, NULL);
}

static void add_block(struct shaping *shaping, const struct litmus_block *block);

static void add_inner(struct shaping *shaping, const struct litmus_block *block)
{
    if (block->count == 0)
        return;
    add_step(shaping, (struct step){.kind = STEP_OPENS, .location = LITMUS_NONE, .target = LITMUS_NONE});
    add_block(shaping, block);
    add_step(shaping, (struct step){.kind = STEP_CLOSES, .location = LITMUS_NONE, .target = LITMUS_NONE});
}

static void add_place(struct shaping *shaping, enum step_kind kind, const struct litmus_expression *address,
                      const struct litmus_copy *copy)
{
    for (; address; address = address->right)
        add_step(shaping, (struct step){.kind = kind,
                                        .location = address->index,
                                        .target = LITMUS_NONE,
                                        .operation = copy->operation,
                                        .order = copy->order,
                                        .scope = copy->scope,
                                        .copy = kind == STEP_COPY_TO ? copy : NULL});
}

static void add_copy(struct shaping *shaping, const struct litmus_copy *copy)
{
    add_expression(shaping, copy->value);
    add_place(shaping, STEP_COPY_FROM, copy->from, copy);
    add_place(shaping, STEP_COPY_TO, copy->to, copy);
    add_place(shaping, STEP_COPY_TELLS, copy->mbarrier, copy);
}

static bool is_plain_fence(const struct litmus_fence *fence)
{
    return fence->proxy == LITMUS_GENERIC && fence->restriction == LITMUS_UNRESTRICTED;
}

static void add_statement(struct shaping *shaping, const struct litmus_statement *statement)
{
    const size_t before = shaping->shape->counts[shaping->thread];
    add_expression(shaping, statement->value);
    const size_t count = shaping->shape->counts[shaping->thread];
    if (statement->kind == LITMUS_ASSIGN && count > before)
        shaping->shape->steps[shaping->thread][count - 1].target = statement->target;
    if (statement->kind == LITMUS_FENCE)
        shaping->fence = (struct step){.fence = true,
                                       .fence_order = statement->fence.order,
                                       .fence_scope = statement->fence.scope,
                                       .proxy_fence = is_plain_fence(&statement->fence) ? NULL : &statement->fence};
    else if (statement->kind == LITMUS_GOTO && statement->value)
        shaping->is_conditional = true;
    else if (statement->kind == LITMUS_BARRIER)
        add_step(shaping, (struct step){.kind = STEP_BARRIER,
                                        .location = LITMUS_NONE,
                                        .target = LITMUS_NONE,
                                        .barrier = &statement->barrier});
    else if (statement->kind == LITMUS_COPY)
        add_copy(shaping, &statement->copy);
    else if (statement->kind == LITMUS_VECTOR)
        add_access(shaping, &statement->vector.access, &statement->vector);
    else if (statement->kind == LITMUS_GROUP)
        add_step(shaping,
                 (struct step){.kind = STEP_GROUP,
                               .location = statement->group.mbarrier ? statement->group.mbarrier->index : LITMUS_NONE,
                               .target = LITMUS_NONE,
                               .group = &statement->group});
    add_inner(shaping, &statement->body);
    add_inner(shaping, &statement->otherwise);
}

static void add_block(struct shaping *shaping, const struct litmus_block *block)
{
    for (size_t i = 0; i < block->count; i++)
        add_statement(shaping, &block->statements[i]);
}

void shape_make(const struct litmus_test *test, struct shape *shape)
{
    shape->test = test;
    shape->threads = test->body_count;
    shape->fits = test->body_count <= NEAREST_THREADS && test->thread_count == test->body_count &&
                  test->location_count <= MAXIMUM_LOCATIONS;
    for (size_t i = 0; i < NEAREST_THREADS; i++)
        shape->counts[i] = 0;
    for (size_t i = 0; i < test->body_count && shape->fits; i++) {
        struct shaping shaping = {.shape = shape, .thread = i};
        add_block(&shaping, &test->threads[i].body);
    }
}
