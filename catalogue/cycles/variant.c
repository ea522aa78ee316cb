// SPDX-License-Identifier: Apache-2.0
/* Variants, the values in their witness, and which of them a dialect can express. */
#include "catalogue/cycles/variant_parts.h"
#include "litmus/dialects.h"
#include "litmus/language/order.h"

/* ---- what only variants of VULKAN have ---- */

/* How plain accesses reach other threads, which storage classes
 * orders name, and queue families. Locations of the region `local` have storage class 1, the others class 0. */

enum { BOTH_CLASSES = 3 };

const struct variant_plain_word variant_plain_words[VARIANT_PLAIN_COUNT] = {
    [VARIANT_PLAIN_SHOWN] = {NULL, "made available and visible", LITMUS_AVAILABLE, LITMUS_VISIBLE},
    [VARIANT_PLAIN_BY_ORDERS] = {"semav", "made available and visible by the orders", LITMUS_NON_PRIVATE,
                                 LITMUS_NON_PRIVATE},
    [VARIANT_PLAIN_AVAILABLE] = {"novis", "made available, not visible", LITMUS_AVAILABLE, LITMUS_NON_PRIVATE},
    [VARIANT_PLAIN_VISIBLE] = {"noav", "made visible, not available", LITMUS_NON_PRIVATE, LITMUS_VISIBLE},
    [VARIANT_PLAIN_NON_PRIVATE] = {"nonpriv", "neither made available nor visible", LITMUS_NON_PRIVATE,
                                   LITMUS_NON_PRIVATE},
    [VARIANT_PLAIN_PRIVATE] = {"private", "private", 0, 0},
};

const char *const variant_class_words[] = {[1] = "semsc0", [2] = "semsc1", [BOTH_CLASSES] = "semsc01"};

static bool variant_is_word(const char *text, size_t size, const char *word)
{
    return word && strlen(word) == size && memcmp(text, word, size) == 0;
}

bool variant_read_plain(const char *text, size_t size, enum variant_plain *plain)
{
    const size_t i = INDEX_OF(row, variant_plain_words, VARIANT_PLAIN_COUNT, variant_is_word(text, size, row->word));
    *plain = i < VARIANT_PLAIN_COUNT ? (enum variant_plain)i : *plain;
    return i < VARIANT_PLAIN_COUNT;
}

bool variant_read_classes(const char *text, size_t size, unsigned *classes)
{
    const size_t i = INDEX_OF(word, variant_class_words, BOTH_CLASSES + 1, variant_is_word(text, size, *word));
    *classes = i <= BOTH_CLASSES ? (unsigned)i : *classes;
    return i <= BOTH_CLASSES;
}

/* ---- storage classes ---- */

static unsigned storage_of(const struct variant *variant)
{
    const unsigned all = variant_locations(variant);
    return (variant->local != all ? 1U : 0) | (variant->local != 0 ? 2U : 0);
}

static unsigned named_classes(const struct variant *variant)
{
    return variant->semantics != 0 ? variant->semantics : storage_of(variant);
}

void variant_complete_fence(const struct variant *variant, struct litmus_ordering *ordering)
{
    if (dialects[variant->dialect].has_semantics)
        ordering->semantics |=
            order_semantics(ordering->order, named_classes(variant), variant->plain == VARIANT_PLAIN_BY_ORDERS);
}

/* A plain access that makes available or visible does so in the variant's scope. */
void variant_complete_access(const struct variant *variant, size_t event, unsigned location,
                             struct litmus_ordering *ordering)
{
    const bool reads = variant->cycle.events[event].direction == CYCLE_READ;
    const struct variant_plain_word *row = &variant_plain_words[variant->plain];
    if (!dialects[variant->dialect].has_semantics)
        return;
    ordering->semantics = 1U << (variant->local >> location & 1);
    if (ordering->order == LITMUS_PLAIN)
        ordering->semantics |= reads ? row->read : row->write;
    if (ordering->semantics & (LITMUS_AVAILABLE | LITMUS_VISIBLE))
        ordering->scope = variant->scope;
    variant_complete_fence(variant, ordering);
}

/* ---- the form that a name describes ---- */

static bool variant_has_order(const struct variant *variant)
{
    return ANY_NUMBER(size_t, i, 0, variant->cycle.count,
                      variant->cycle.events[i].order > LITMUS_RELAXED ||
                          variant->cycle.edges[i].relation == CYCLE_FENCE);
}

static bool has_plain(const struct variant *variant, enum cycle_direction direction)
{
    return ANY_OF(event, variant->cycle.events, variant->cycle.count,
                  event->order == LITMUS_PLAIN && event->direction == direction);
}

bool variant_has_plain(const struct variant *variant)
{
    return has_plain(variant, CYCLE_READ) || has_plain(variant, CYCLE_WRITE);
}

/* Of plain accesses that are all reads, or all writes, two kinds can be one. */
static void settle_plain(struct variant *variant)
{
    const bool reads = has_plain(variant, CYCLE_READ), writes = has_plain(variant, CYCLE_WRITE);
    const struct variant_plain_word *own = &variant_plain_words[variant->plain];
    if (variant->plain == VARIANT_PLAIN_BY_ORDERS && !variant_has_order(variant))
        variant->plain = VARIANT_PLAIN_NON_PRIVATE;
    for (unsigned i = 0; i < VARIANT_PLAIN_COUNT; i++) {
        const bool alike = (!reads || variant_plain_words[i].read == own->read) &&
                           (!writes || variant_plain_words[i].write == own->write);
        const bool by_orders = i == VARIANT_PLAIN_BY_ORDERS;
        if (!alike || ((reads || writes) && by_orders != (variant->plain == VARIANT_PLAIN_BY_ORDERS)))
            continue;
        variant->plain = (enum variant_plain)i;
        return;
    }
}

/* Clears what changes nothing. The rest of the variant is settled. */
static void variant_settle_vulkan(struct variant *variant)
{
    if (!dialects[variant->dialect].has_semantics) {
        variant->plain = VARIANT_PLAIN_SHOWN;
        variant->semantics = 0;
        variant->own_families = false;
        return;
    }
    settle_plain(variant);
    if (!variant_has_order(variant) || variant->semantics == storage_of(variant))
        variant->semantics = 0;
    variant->own_families = variant->own_families && variant_groups(variant) > 1;
}

/* ---- reasons ---- */

bool variant_misses_class(const struct variant *variant)
{
    return dialects[variant->dialect].has_semantics && variant_has_order(variant) &&
           (storage_of(variant) & ~named_classes(variant)) != 0;
}

/* ---- values in the witness ---- */

/* The events of one location are adjacent in the cycle. Writes are numbered
 * in that order, from 1 on, and a read gives the number of the write before it, or 0: so the reads-from and from-read
 * edges hold. In a cycle of one location the order starts after the last edge of program order, which is then the edge
 * that is broken. */

const char variant_letters[CYCLE_MAXIMUM_EDGES + 1] = "xyzabcdefghijklm";

/* The event at which the numbering starts: the first of its location. */
static size_t variant_find_start(const struct cycle *cycle, bool one_location)
{
    size_t start = 0;
    for (size_t i = 0; i < cycle->count; i++) {
        const struct cycle_edge *edge = &cycle->edges[i];
        if (one_location ? !cycle_is_communication(edge->relation) : !edge->same_location)
            start = (i + 1) % cycle->count;
    }
    return start;
}

enum { WRITES_AT_MOST = CYCLE_MAXIMUM_EDGES + 1 }; /* to one location; number 0 is the initial value */

static void variant_complete(bool before[][WRITES_AT_MOST], unsigned writes)
{
    for (unsigned k = 0; k <= writes; k++)
        for (unsigned i = 0; i <= writes; i++)
            for (unsigned j = 0; j <= writes; j++)
                before[i][j] |= before[i][k] && before[k][j];
}

/* Notes which writes to the location are known to come before which. The final value says which write is the last; a
 * thread that meets two writes says which of them came first. */
static void know(const struct cycle *cycle, const struct variant_values *values, unsigned location,
                 bool before[][WRITES_AT_MOST])
{
    const unsigned writes = values->write_counts[location];
    for (unsigned i = 0; i < writes; i++)
        before[0][i + 1] = before[i][writes] = true;
    for (size_t i = 0; i < cycle->count; i++)
        for (size_t j = i; j + 1 < cycle->count && !cycle->edges[j].external; j++)
            if (values->locations[i] == location && values->locations[j + 1] == location &&
                values->values[i] < values->values[j + 1])
                before[values->values[i]][values->values[j + 1]] = true;
    variant_complete(before, writes);
}

enum status variant_find_values(const struct cycle *cycle, struct variant_values *values, struct error *error)
{
    *values = (struct variant_values){0};
    values->location_count = cycle_locations(cycle, values->locations);
    const size_t start = variant_find_start(cycle, values->location_count == 1);
    for (size_t k = 0; k < cycle->count; k++) {
        const size_t i = (start + k) % cycle->count;
        unsigned *writes = &values->write_counts[values->locations[i]];
        if (cycle->events[i].direction == CYCLE_WRITE)
            ++*writes;
        values->values[i] = *writes;
    }
    for (unsigned location = 0; location < values->location_count; location++) {
        bool before[WRITES_AT_MOST][WRITES_AT_MOST] = {{false}};
        know(cycle, values, location, before);
        for (size_t i = 0; i < cycle->count; i++) {
            const enum cycle_relation relation = cycle->edges[i].relation;
            const unsigned first = values->values[i], last = values->values[(i + 1) % cycle->count];
            if (values->locations[i] != location || (relation != CYCLE_CO && relation != CYCLE_FR) ||
                before[first][last])
                continue;
            return error_set(error, STATUS_UNSUPPORTED,
                             "location %c is written %u times, and no final state shows that %u was written before %u",
                             variant_letters[location], values->write_counts[location], first, last);
        }
    }
    return STATUS_OK;
}

bool variant_scope(enum litmus_dialect dialect, const char *word, size_t size, enum litmus_scope *scope)
{
    const char *const *words = variant_abilities[dialect].scope_words;
    const size_t i = INDEX_OF(own, words, LITMUS_SCOPE_COUNT, variant_is_word(word, size, *own));
    *scope = i < LITMUS_SCOPE_COUNT ? (enum litmus_scope)i : *scope;
    return i < LITMUS_SCOPE_COUNT;
}

unsigned variant_locations(const struct variant *variant)
{
    unsigned locations[CYCLE_MAXIMUM_EDGES];
    return (1U << cycle_locations(&variant->cycle, locations)) - 1;
}

unsigned variant_groups(const struct variant *variant)
{
    unsigned groups = 0;
    for (unsigned i = 0; i < variant->threads; i++)
        groups += variant->work_group[i] == groups;
    return groups;
}

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
    FOR_EACH(struct cycle_event, event, variant->cycle.events, cycle->count)
        if (!event->ordered)
            *event = (struct cycle_event){event->direction, true, LITMUS_RELAXED};
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

bool variant_has_scope(const struct variant *variant)
{
    if (ANY_OF(event, variant->cycle.events, variant->cycle.count,
               event->order != LITMUS_PLAIN && event->order != LITMUS_VOLATILE))
        return true;
    /* A plain access has a scope if it makes available or visible. */
    const struct variant_plain_word *row = &variant_plain_words[variant->plain];
    return dialects[variant->dialect].has_semantics &&
           ((has_plain(variant, CYCLE_WRITE) && (row->write & LITMUS_AVAILABLE)) ||
            (has_plain(variant, CYCLE_READ) && (row->read & LITMUS_VISIBLE)));
}

bool variant_has_fence(const struct variant *variant)
{
    return ANY_OF(edge, variant->cycle.edges, variant->cycle.count, edge->relation == CYCLE_FENCE);
}

void variant_starts(const struct cycle *cycle, size_t starts[CYCLE_MAXIMUM_THREADS + 1])
{
    size_t thread = 0;
    starts[0] = 0;
    for (size_t i = 0; i < cycle->count; i++)
        if (cycle->edges[i].external)
            starts[++thread] = i + 1;
}

/* Numbers the work-groups by their first thread; clears properties that only a group of several threads can have from
 * others. */
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
    FOR_EACH(struct cycle_edge, edge, cycle->edges, cycle->count) {
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
           a.local == b.local && a.one_cluster == b.one_cluster && a.plain == b.plain && a.semantics == b.semantics &&
           a.own_families == b.own_families && memcmp(a.work_group, b.work_group, sizeof a.work_group) == 0 &&
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

static enum status variant_check_scope(const struct variant *variant, enum litmus_scope scope, struct error *error)
{
    if (scope == LITMUS_SCOPE_NONE || (variant_abilities[variant->dialect].scopes & BIT(scope)))
        return STATUS_OK;
    return error_set(error, STATUS_UNSUPPORTED, "%s has no scope %s", litmus_dialect_name(variant->dialect),
                     litmus_scope_name(LITMUS_PTX, scope));
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
                             "%s location %c is used by two %ss, which do not share local memory: place those threads "
                             "together",
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
        TRY(variant_check_scope(variant, cycle->edges[i].fence_scope, error));
    }
    const struct variant_ability *ability = &variant_abilities[variant->dialect];
    if (variant->one_cluster && !ability->clusters)
        return error_set(error, STATUS_UNSUPPORTED, "%s has no clusters", litmus_dialect_name(variant->dialect));
    if (variant->own_families && !ability->queue_families)
        return error_set(error, STATUS_UNSUPPORTED, "%s has no queue families", litmus_dialect_name(variant->dialect));
    for (unsigned i = 0; i < variant->threads && !ability->placements; i++)
        if (variant->work_group[i] != i)
            return error_set(error, STATUS_UNSUPPORTED, "%s has no work-groups that its threads could share",
                             litmus_dialect_name(variant->dialect));
    TRY(check_regions(variant, error));
    return variant_check_scope(variant, variant->scope, error);
}
