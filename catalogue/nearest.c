// SPDX-License-Identifier: Apache-2.0
/* The distance between tests of one shape. */
#include "catalogue/nearest.h"

#include <stdlib.h>
#include <string.h>

#include "catalogue/catalogue.h"

/* ---- the shape of a test ---- */

enum step_kind { STEP_READ, STEP_WRITE, STEP_UPDATE, STEP_BARRIER, STEP_OPENS, STEP_CLOSES };

/* An access, a barrier, or the beginning or end of a block, with the fence before it. */
struct step {
    enum step_kind kind;
    int location; /* or LITMUS_NONE: by a register */
    enum litmus_order order, fence_order;
    enum litmus_scope scope, fence_scope;
    bool fence;
};

enum { MAXIMUM_STEPS = 48, MAXIMUM_LOCATIONS = 16 };

struct shape {
    const struct litmus_test *test;
    size_t threads, counts[NEAREST_THREADS];
    struct step steps[NEAREST_THREADS][MAXIMUM_STEPS];
    bool fits;
};

struct shaping {
    struct shape *shape;
    size_t thread;
    struct step fence; /* that came since the last step */
};

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
    shape->steps[shaping->thread][(*count)++] = step;
    shaping->fence = (struct step){0};
}

static void add_expression(struct shaping *shaping, const struct litmus_expression *expression)
{
    if (!expression)
        return;
    add_expression(shaping, expression->left);
    add_expression(shaping, expression->right);
    const struct litmus_access *access = expression->access;
    if (expression->kind != LITMUS_EXPRESSION_ACCESS)
        return;
    add_expression(shaping, access->operand);
    const bool named = access->address->kind == LITMUS_EXPRESSION_ADDRESS;
    const enum step_kind kind = access->operation == LITMUS_LOAD    ? STEP_READ
                                : access->operation == LITMUS_STORE ? STEP_WRITE
                                                                    : STEP_UPDATE;
    add_step(shaping, (struct step){.kind = kind,
                                    .location = named ? access->address->index : LITMUS_NONE,
                                    .order = access->order,
                                    .scope = access->scope});
}

static void add_block(struct shaping *shaping, const struct litmus_block *block);

static void add_inner(struct shaping *shaping, const struct litmus_block *block)
{
    if (block->count == 0)
        return;
    add_step(shaping, (struct step){.kind = STEP_OPENS, .location = LITMUS_NONE});
    add_block(shaping, block);
    add_step(shaping, (struct step){.kind = STEP_CLOSES, .location = LITMUS_NONE});
}

static void add_statement(struct shaping *shaping, const struct litmus_statement *statement)
{
    add_expression(shaping, statement->value);
    if (statement->kind == LITMUS_FENCE)
        shaping->fence = (struct step){
            .fence = true, .fence_order = statement->fence.order, .fence_scope = statement->fence.scope};
    else if (statement->kind == LITMUS_BARRIER)
        add_step(shaping, (struct step){.kind = STEP_BARRIER, .location = LITMUS_NONE});
    add_inner(shaping, &statement->body);
    add_inner(shaping, &statement->otherwise);
}

static void add_block(struct shaping *shaping, const struct litmus_block *block)
{
    for (size_t i = 0; i < block->count; i++)
        add_statement(shaping, &block->statements[i]);
}

static void shape_make(const struct litmus_test *test, struct shape *shape)
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

/* ---- the same shape ---- */

/* Which thread and location of the other test stand for each of the first. */
struct matching {
    size_t thread[NEAREST_THREADS];
    int location[MAXIMUM_LOCATIONS], back[MAXIMUM_LOCATIONS];
};

static bool match_location(struct matching *matching, const struct step *a, const struct step *b)
{
    if (a->location == LITMUS_NONE || b->location == LITMUS_NONE)
        return a->location == b->location;
    if (matching->location[a->location] == LITMUS_NONE && matching->back[b->location] == LITMUS_NONE) {
        matching->location[a->location] = b->location;
        matching->back[b->location] = a->location;
    }
    return matching->location[a->location] == b->location;
}

static bool match_steps(const struct shape *a, const struct shape *b, struct matching *matching)
{
    for (size_t i = 0; i < MAXIMUM_LOCATIONS; i++)
        matching->location[i] = matching->back[i] = LITMUS_NONE;
    for (size_t t = 0; t < a->threads; t++) {
        const size_t other = matching->thread[t];
        if (a->counts[t] != b->counts[other])
            return false;
        for (size_t i = 0; i < a->counts[t]; i++)
            if (a->steps[t][i].kind != b->steps[other][i].kind ||
                !match_location(matching, &a->steps[t][i], &b->steps[other][i]))
                return false;
    }
    return true;
}

/* ---- the distance ---- */

enum { FAR_ORDER = 2, FAR_SCOPE = 1, FAR_FENCE = 3, FAR_PLACE = 1, FAR_MEMORY = 2 };

struct comparison {
    const struct shape *a, *b; /* the test, and the other */
    const struct matching *matching;
    struct text *words; /* of what the other has; or NULL */
    unsigned distance;
};

static void differ(struct comparison *comparison, unsigned distance, const char *words)
{
    comparison->distance += distance;
    if (comparison->words && *words)
        text_add(comparison->words, "%s%s", comparison->words->size > 0 ? "; " : "", words);
}

/* As a plain access is called in words, too. */
static const char *order_word(enum litmus_order order)
{
    static const char *const names[LITMUS_ORDER_COUNT] = {"plain",   "volatile", "relaxed", "acquire",
                                                          "release", "acq_rel",  "seq_cst"};
    return names[order];
}

static void compare_fences(struct comparison *comparison, size_t thread, const struct step *a, const struct step *b)
{
    const enum litmus_dialect dialect = comparison->a->test->dialect;
    struct text words = {0};
    if (a->fence == b->fence &&
        (!a->fence || (a->fence_order == b->fence_order && a->fence_scope == b->fence_scope)))
        return;
    if (b->fence)
        text_add(&words, "fence %s%s%s in P%zu", order_word(b->fence_order), dialect == LITMUS_C ? "" : " ",
                 dialect == LITMUS_C ? "" : litmus_scope_name(dialect, b->fence_scope), thread);
    else
        text_add(&words, "no fence in P%zu", thread);
    differ(comparison, a->fence == b->fence ? FAR_ORDER : FAR_FENCE, text_string(&words));
    text_release(&words);
}

static void compare_steps(struct comparison *comparison, size_t thread, const struct step *a, const struct step *b)
{
    const struct litmus_test *test = comparison->a->test;
    const bool order = a->order != b->order, scope = a->scope != b->scope && test->dialect != LITMUS_C;
    struct text words = {0};
    compare_fences(comparison, thread, a, b);
    if (!order && !scope)
        return;
    text_add(&words, "P%zu %s", thread, a->location == LITMUS_NONE ? "" : test->locations[a->location].name);
    if (order)
        text_add(&words, " %s", order_word(b->order));
    if (scope && b->order > LITMUS_VOLATILE)
        text_add(&words, " %s", litmus_scope_name(test->dialect, b->scope));
    const unsigned steps = (unsigned)abs((int)a->order - (int)b->order);
    const unsigned distance = (order ? FAR_ORDER + (unsigned)(steps > 2) : 0u) + (scope ? FAR_SCOPE : 0u);
    differ(comparison, distance, text_string(&words));
    text_release(&words);
}

static bool together(const struct litmus_placement *a, const struct litmus_placement *b)
{
    return a->device == b->device && a->cluster == b->cluster && a->work_group == b->work_group &&
           a->work_group != LITMUS_NONE;
}

static void compare_places(struct comparison *comparison)
{
    const struct litmus_thread *a = comparison->a->test->threads, *b = comparison->b->test->threads;
    const size_t *other = comparison->matching->thread;
    bool closer = false, farther = false;
    for (size_t i = 0; i < comparison->a->threads; i++)
        for (size_t k = 0; k < i; k++) {
            const bool here = together(&a[i].placement, &a[k].placement),
                       there = together(&b[other[i]].placement, &b[other[k]].placement);
            closer |= there && !here;
            farther |= here && !there;
        }
    if (closer)
        differ(comparison, FAR_PLACE, comparison->a->threads > 2 ? "threads share a block" : "one block");
    if (farther)
        differ(comparison, FAR_PLACE, "other blocks");
}

static void compare_memory(struct comparison *comparison)
{
    const struct litmus_test *a = comparison->a->test, *b = comparison->b->test;
    struct text words = {0};
    for (size_t i = 0; i < a->location_count; i++) {
        const int other = comparison->matching->location[i];
        if (other == LITMUS_NONE)
            continue;
        const struct litmus_location *here = &a->locations[i], *there = &b->locations[other];
        text_clear(&words);
        if (here->region != there->region)
            text_add(&words, "%s in %s memory", here->name, there->region == LITMUS_LOCAL ? "local" : "global");
        else if (litmus_type_size(here->type) != litmus_type_size(there->type))
            text_add(&words, "%s of %zu bytes", here->name, litmus_type_size(there->type));
        if (words.size > 0)
            differ(comparison, FAR_MEMORY, text_string(&words));
    }
    text_release(&words);
}

static unsigned compare(const struct shape *a, const struct shape *b, const struct matching *matching,
                        struct text *words)
{
    struct comparison comparison = {a, b, matching, words, 0};
    for (size_t t = 0; t < a->threads; t++)
        for (size_t i = 0; i < a->counts[t]; i++)
            compare_steps(&comparison, t, &a->steps[t][i], &b->steps[matching->thread[t]][i]);
    compare_places(&comparison);
    compare_memory(&comparison);
    return comparison.distance;
}

/* ---- the search ---- */

struct nearness {
    const struct shape *a, *b;
    struct matching now, best;
    unsigned distance; /* of the best; UINT32_MAX: none */
};

static void try_threads(struct nearness *nearness, size_t from, unsigned used)
{
    if (from == nearness->a->threads) {
        if (!match_steps(nearness->a, nearness->b, &nearness->now))
            return;
        const unsigned distance = compare(nearness->a, nearness->b, &nearness->now, NULL);
        if (distance < nearness->distance) {
            nearness->distance = distance;
            nearness->best = nearness->now;
        }
        return;
    }
    for (size_t i = 0; i < nearness->b->threads; i++) {
        nearness->now.thread[from] = i;
        if (!(used >> i & 1) && nearness->a->counts[from] == nearness->b->counts[i])
            try_threads(nearness, from + 1, used | 1u << i);
    }
}

static void insert(struct nearest_test *list, size_t *count, struct nearest_test item)
{
    size_t at = *count < NEAREST_MAXIMUM ? (*count)++ : NEAREST_MAXIMUM - 1;
    for (; at > 0 && list[at - 1].distance > item.distance; at--)
        list[at] = list[at - 1];
    list[at] = item;
}

static void consider(const struct shape *shape, const struct shape *other, struct arena *arena,
                     struct nearest_test *list, size_t *count)
{
    struct nearness nearness = {.a = shape, .b = other, .distance = UINT32_MAX};
    if (!other->fits || other->threads != shape->threads)
        return;
    try_threads(&nearness, 0, 0);
    const bool full = *count == NEAREST_MAXIMUM && nearness.distance >= list[NEAREST_MAXIMUM - 1].distance;
    if (nearness.distance == UINT32_MAX || nearness.distance == 0 || full)
        return;
    struct text words = {0};
    (void)compare(shape, other, &nearness.best, &words);
    const char *expect = litmus_metadata(other->test, "Expect");
    insert(list, count,
           (struct nearest_test){arena_copy(arena, other->test->name), arena_copy(arena, expect ? expect : ""),
                                 arena_copy(arena, text_string(&words)), nearness.distance});
    text_release(&words);
}

/* Tests of the shape that only their condition tells apart have distance 0, and are left out with the test itself. */
enum status nearest_find(const struct litmus_test *test, struct arena *arena, struct nearest_test **nearest,
                         size_t *count, struct error *error)
{
    struct catalogue catalogue;
    enum status status = STATUS_OK;
    struct shape *shape = arena_take(arena, 1, sizeof *shape), *other = arena_take(arena, 1, sizeof *other);
    *nearest = arena_take(arena, NEAREST_MAXIMUM, sizeof **nearest);
    *count = 0;
    shape_make(test, shape);
    if (!shape->fits)
        return STATUS_OK;
    catalogue_open(&catalogue);
    for (size_t i = 0; i < catalogue.count && status == STATUS_OK; i++) {
        const struct catalogue_entry *entry = &catalogue.entries[i];
        struct litmus_test *candidate;
        if (entry->dialect != test->dialect)
            continue;
        status = template_test(entry->template, entry->instance, &candidate, error);
        if (status != STATUS_OK)
            break;
        shape_make(candidate, other);
        consider(shape, other, arena, *nearest, count);
        litmus_release(candidate);
    }
    catalogue_release(&catalogue);
    return status;
}
