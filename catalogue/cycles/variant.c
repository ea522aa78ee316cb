// SPDX-License-Identifier: Apache-2.0
/* Variants, and which of them a dialect can express. */
#include <string.h>

#include "catalogue/cycles/variant_parts.h"
#include "litmus/dialects.h"

#define BIT(x) (1u << (x))

enum {
    WEAKEST = BIT(LITMUS_PLAIN) | BIT(LITMUS_RELAXED),
    UPDATES = BIT(LITMUS_RELAXED) | BIT(LITMUS_ACQUIRE) | BIT(LITMUS_RELEASE) | BIT(LITMUS_ACQ_REL),
    C_LOADS = WEAKEST | BIT(LITMUS_ACQUIRE) | BIT(LITMUS_SEQ_CST),
    C_STORES = WEAKEST | BIT(LITMUS_RELEASE) | BIT(LITMUS_SEQ_CST),
    C_UPDATES = UPDATES | BIT(LITMUS_SEQ_CST),
    FENCES = BIT(LITMUS_ACQUIRE) | BIT(LITMUS_RELEASE) | BIT(LITMUS_ACQ_REL),
    C_FENCES = FENCES | BIT(LITMUS_SEQ_CST),
    SCOPES = BIT(LITMUS_WORK_GROUP) | BIT(LITMUS_DEVICE) | BIT(LITMUS_ALL_DEVICES),
};

/* Shared by PTX and CUDA, which run on the same devices. */
#define NVIDIA                                                                                                         \
    .fences = C_FENCES, .scopes = SCOPES | BIT(LITMUS_CLUSTER), .regions = true, .placements = true, .clusters = true, \
    .plain = "weak", .region_word = "shared",                                                                          \
    .scope_words = {[LITMUS_WORK_GROUP] = "cta",                                                                       \
                    [LITMUS_CLUSTER] = "cluster",                                                                      \
                    [LITMUS_DEVICE] = "gpu",                                                                           \
                    [LITMUS_ALL_DEVICES] = "sys"}

const struct variant_ability variant_abilities[LITMUS_DIALECT_COUNT] = {
    [LITMUS_OPENCL] =
        {.loads = C_LOADS,
         .stores = C_STORES,
         .updates = C_UPDATES,
         .fences = C_FENCES,
         .scopes = SCOPES,
         .regions = true,
         .placements = true,
         .plain = "plain",
         .region_word = "local",
         .scope_words = {[LITMUS_WORK_GROUP] = "wg", [LITMUS_DEVICE] = "dev", [LITMUS_ALL_DEVICES] = "all"}},
    [LITMUS_PTX] = {.loads = WEAKEST | BIT(LITMUS_VOLATILE) | BIT(LITMUS_ACQUIRE),
                    .stores = WEAKEST | BIT(LITMUS_VOLATILE) | BIT(LITMUS_RELEASE),
                    .updates = UPDATES,
                    NVIDIA},
    [LITMUS_CUDA] = {.loads = C_LOADS | BIT(LITMUS_VOLATILE),
                     .stores = C_STORES | BIT(LITMUS_VOLATILE),
                     .updates = C_UPDATES,
                     NVIDIA},
    [LITMUS_C] = {.loads = C_LOADS,
                  .stores = C_STORES,
                  .updates = C_UPDATES,
                  .fences = C_FENCES,
                  .scopes = BIT(LITMUS_DEVICE),
                  .plain = "plain"},
    [LITMUS_VULKAN] = {.loads = WEAKEST | BIT(LITMUS_ACQUIRE),
                       .stores = WEAKEST | BIT(LITMUS_RELEASE),
                       .updates = UPDATES,
                       .fences = FENCES,
                       .scopes = BIT(LITMUS_SUB_GROUP) | BIT(LITMUS_WORK_GROUP) | BIT(LITMUS_QUEUE_FAMILY) |
                                 BIT(LITMUS_DEVICE),
                       .regions = true,
                       .placements = true,
                       .queue_families = true,
                       .plain = "plain",
                       .region_word = "workgroup",
                       .scope_words = {[LITMUS_SUB_GROUP] = "sg",
                                       [LITMUS_WORK_GROUP] = "wg",
                                       [LITMUS_QUEUE_FAMILY] = "qf",
                                       [LITMUS_DEVICE] = "dv"}},
};

void variant_of_cycle(const struct cycle *cycle, enum litmus_dialect dialect, struct variant *variant)
{
    *variant = (struct variant){.dialect = dialect, .cycle = *cycle, .scope = LITMUS_DEVICE};
    cycle_normalize(&variant->cycle);
    for (size_t i = 0; i < cycle->count; i++) {
        struct cycle_event *event = &variant->cycle.events[i];
        if (!event->ordered)
            *event = (struct cycle_event){event->direction, true, LITMUS_RELAXED};
    }
    variant->threads = (unsigned)cycle_threads(cycle);
    for (unsigned i = 0; i < variant->threads; i++)
        variant->work_group[i] = i;
}

bool variant_updates(const struct variant *variant, size_t event)
{
    if (variant->cycle.events[event].direction == CYCLE_READ)
        return variant->rmw == VARIANT_RMW_READS || variant->rmw == VARIANT_RMW_ALL;
    return variant->rmw == VARIANT_RMW_WRITES || variant->rmw == VARIANT_RMW_ALL;
}

static bool is_scoped(enum litmus_order order)
{
    return order != LITMUS_PLAIN && order != LITMUS_VOLATILE;
}

bool variant_has_scope(const struct variant *variant)
{
    for (size_t i = 0; i < variant->cycle.count; i++)
        if (is_scoped(variant->cycle.events[i].order))
            return true;
    return variant_plain_has_scope(variant);
}

bool variant_has_fence(const struct variant *variant)
{
    for (size_t i = 0; i < variant->cycle.count; i++)
        if (variant->cycle.edges[i].relation == CYCLE_FENCE)
            return true;
    return false;
}

void variant_starts(const struct cycle *cycle, size_t starts[CYCLE_MAXIMUM_THREADS + 1])
{
    size_t thread = 0;
    starts[0] = 0;
    for (size_t i = 0; i < cycle->count; i++)
        if (cycle->edges[i].external)
            starts[++thread] = i + 1;
}

/* Numbers the work-groups by their first thread; clears properties that only a group of several
 * threads can have from others. */
static void settle_placement(struct variant *variant)
{
    const struct variant old = *variant;
    unsigned groups = 0;
    for (unsigned i = 0; i < old.threads; i++) {
        unsigned first = 0, members = 0;
        while (old.work_group[first] != old.work_group[i])
            first++;
        if (first < i) {
            variant->work_group[i] = variant->work_group[first];
            continue;
        }
        for (unsigned k = i; k < old.threads; k++)
            members += old.work_group[k] == old.work_group[i];
        variant->work_group[i] = groups;
        variant->one_sub_group[groups++] = members > 1 && old.one_sub_group[old.work_group[i]];
    }
    for (unsigned i = groups; i < CYCLE_MAXIMUM_THREADS; i++)
        variant->one_sub_group[i] = false;
    for (unsigned i = old.threads; i < CYCLE_MAXIMUM_THREADS; i++)
        variant->work_group[i] = 0;
    variant->one_cluster = old.one_cluster && groups > 1;
}

/* Without an access that has a scope, the fences' scope is the variant's, if they agree. */
static void settle_scope(struct variant *variant)
{
    struct cycle *cycle = &variant->cycle;
    enum litmus_scope common = LITMUS_SCOPE_NONE;
    bool agree = true;
    if (variant->local == variant_locations(variant)) {
        variant->scope = LITMUS_WORK_GROUP;
        for (size_t i = 0; i < cycle->count; i++)
            cycle->edges[i].fence_scope = LITMUS_SCOPE_NONE;
        return;
    }
    for (size_t i = 0; i < cycle->count; i++) {
        struct cycle_edge *edge = &cycle->edges[i];
        if (edge->relation != CYCLE_FENCE)
            continue;
        if (edge->fence_scope == LITMUS_SCOPE_NONE)
            edge->fence_scope = variant->scope;
        agree &= common == LITMUS_SCOPE_NONE || common == edge->fence_scope;
        common = edge->fence_scope;
    }
    if (!variant_has_scope(variant))
        variant->scope = agree && common != LITMUS_SCOPE_NONE ? common : LITMUS_DEVICE;
    for (size_t i = 0; i < cycle->count; i++)
        if (cycle->edges[i].fence_scope == variant->scope)
            cycle->edges[i].fence_scope = LITMUS_SCOPE_NONE;
}

static void settle_rmw(struct variant *variant)
{
    bool reads = false, writes = false;
    for (size_t i = 0; i < variant->cycle.count; i++) {
        const bool updates = variant_updates(variant, i);
        reads |= updates && variant->cycle.events[i].direction == CYCLE_READ;
        writes |= updates && variant->cycle.events[i].direction == CYCLE_WRITE;
    }
    if (!reads && !writes)
        variant->rmw = VARIANT_NO_RMW;
    for (size_t i = 0; i < variant->cycle.count; i++)
        if (!variant_updates(variant, i))
            return;
    variant->rmw = VARIANT_RMW_ALL;
}

void variant_settle(struct variant *variant)
{
    variant->threads = (unsigned)cycle_threads(&variant->cycle);
    variant->local &= variant_locations(variant);
    settle_placement(variant);
    settle_rmw(variant);
    variant_settle_vulkan(variant); /* before the scope, which it may leave without an access */
    settle_scope(variant);
}

static bool same_cycles(const struct cycle *a, const struct cycle *b)
{
    if (a->count != b->count)
        return false;
    for (size_t i = 0; i < a->count; i++) {
        const struct cycle_edge *c = &a->edges[i], *d = &b->edges[i];
        if (c->relation != d->relation || c->external != d->external || c->same_location != d->same_location ||
            c->fence != d->fence || c->fence_scope != d->fence_scope)
            return false;
        if (a->events[i].direction != b->events[i].direction || a->events[i].order != b->events[i].order)
            return false;
    }
    return true;
}

bool variant_same(const struct variant *first, const struct variant *second)
{
    struct variant a = *first, b = *second;
    variant_settle(&a);
    variant_settle(&b);
    return a.dialect == b.dialect && a.rmw == b.rmw && a.scope == b.scope && a.threads == b.threads &&
           a.local == b.local && a.one_cluster == b.one_cluster && variant_same_vulkan(&a, &b) &&
           memcmp(a.work_group, b.work_group, sizeof a.work_group) == 0 &&
           memcmp(a.one_sub_group, b.one_sub_group, sizeof a.one_sub_group) == 0 && same_cycles(&a.cycle, &b.cycle);
}

enum status variant_check_order(const struct variant *variant, size_t event, enum litmus_order order,
                                struct error *error)
{
    const struct variant_ability *ability = &variant_abilities[variant->dialect];
    const bool updates = variant_updates(variant, event);
    const bool reads = variant->cycle.events[event].direction == CYCLE_READ;
    const unsigned orders = updates ? ability->updates : reads ? ability->loads : ability->stores;
    if (orders & BIT(order))
        return STATUS_OK;
    const char *name = order == LITMUS_PLAIN ? ability->plain : litmus_order_name(LITMUS_PTX, order);
    return error_set(error, STATUS_UNSUPPORTED, "%s has no %s %s", litmus_dialect_name(variant->dialect), name,
                     updates ? "read-modify-write"
                     : reads ? "load"
                             : "store");
}

enum status variant_check_fence(enum litmus_dialect dialect, enum litmus_order order, struct error *error)
{
    if (variant_abilities[dialect].fences & BIT(order))
        return STATUS_OK;
    return error_set(error, STATUS_UNSUPPORTED, "%s has no %s fence", litmus_dialect_name(dialect),
                     litmus_order_name(LITMUS_PTX, order));
}

static enum status check_scope(const struct variant *variant, enum litmus_scope scope, struct error *error)
{
    if (scope == LITMUS_SCOPE_NONE || (variant_abilities[variant->dialect].scopes & BIT(scope)))
        return STATUS_OK;
    return error_set(error, STATUS_UNSUPPORTED, "%s has no scope %s", litmus_dialect_name(variant->dialect),
                     litmus_scope_name(LITMUS_PTX, scope));
}

static enum status check_placement(const struct variant *variant, struct error *error)
{
    const struct variant_ability *ability = &variant_abilities[variant->dialect];
    if (variant->one_cluster && !ability->clusters)
        return error_set(error, STATUS_UNSUPPORTED, "%s has no clusters", litmus_dialect_name(variant->dialect));
    if (variant->own_families && !ability->queue_families)
        return error_set(error, STATUS_UNSUPPORTED, "%s has no queue families", litmus_dialect_name(variant->dialect));
    for (unsigned i = 0; i < variant->threads && !ability->placements; i++)
        if (variant->work_group[i] != i)
            return error_set(error, STATUS_UNSUPPORTED, "%s has no work-groups: its threads cannot share one",
                             litmus_dialect_name(variant->dialect));
    return STATUS_OK;
}

/* Each work-group has local memory of its own. */
static enum status check_regions(const struct variant *variant, struct error *error)
{
    unsigned locations[CYCLE_MAXIMUM_EDGES], thread = 0;
    int groups[CYCLE_MAXIMUM_EDGES];
    if (variant->local == 0)
        return STATUS_OK;
    if (!variant_abilities[variant->dialect].regions)
        return error_set(error, STATUS_UNSUPPORTED, "%s has no local memory", litmus_dialect_name(variant->dialect));
    (void)cycle_locations(&variant->cycle, locations);
    for (size_t i = 0; i < CYCLE_MAXIMUM_EDGES; i++)
        groups[i] = LITMUS_NONE;
    for (size_t i = 0; i < variant->cycle.count; i++) {
        int *group = &groups[locations[i]];
        const int own = (int)variant->work_group[thread];
        if ((variant->local & BIT(locations[i])) && *group != LITMUS_NONE && *group != own)
            return error_set(error, STATUS_UNSUPPORTED,
                             "%s location %c is used by two %ss, each of which would have its own: place those "
                             "threads together",
                             variant_abilities[variant->dialect].region_word, variant_letters[locations[i]],
                             dialects[variant->dialect].group_word);
        *group = own;
        thread += variant->cycle.edges[i].external;
    }
    return STATUS_OK;
}

enum status variant_check(const struct variant *variant, struct error *error)
{
    const struct cycle *cycle = &variant->cycle;
    for (size_t i = 0; i < cycle->count; i++) {
        TRY(variant_check_order(variant, i, cycle->events[i].order, error));
        if (cycle->edges[i].relation != CYCLE_FENCE)
            continue;
        TRY(variant_check_fence(variant->dialect, cycle->edges[i].fence, error));
        TRY(check_scope(variant, cycle->edges[i].fence_scope, error));
    }
    TRY(check_placement(variant, error));
    TRY(check_regions(variant, error));
    return check_scope(variant, variant->scope, error);
}
