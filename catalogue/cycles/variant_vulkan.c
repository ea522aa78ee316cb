// SPDX-License-Identifier: Apache-2.0
/*
 * What only variants of VULKAN have: how plain accesses reach other threads, which storage classes
 * orders name, and queue families. Locations of the region `local` have storage class 1, the others
 * class 0.
 */
#include "catalogue/cycles/variant_parts.h"
#include "litmus/dialects.h"
#include "litmus/language/order.h"

#include <string.h>

enum { BOTH_CLASSES = 3 };

/* Words of names and of options, and what titles say after ", plain accesses ". */
static const struct plain_word {
    const char *word; /* NULL: what a name leaves out */
    const char *title;
    unsigned write, read; /* the semantics of plain accesses */
} plain_words[] = {
    [VARIANT_PLAIN_SHOWN] = {NULL, "made available and visible", LITMUS_AVAILABLE, LITMUS_VISIBLE},
    [VARIANT_PLAIN_BY_ORDERS] = {"semav", "made available and visible by the orders", LITMUS_NON_PRIVATE,
                                 LITMUS_NON_PRIVATE},
    [VARIANT_PLAIN_AVAILABLE] = {"novis", "made available, not visible", LITMUS_AVAILABLE, LITMUS_NON_PRIVATE},
    [VARIANT_PLAIN_VISIBLE] = {"noav", "made visible, not available", LITMUS_NON_PRIVATE, LITMUS_VISIBLE},
    [VARIANT_PLAIN_NON_PRIVATE] = {"nonpriv", "neither made available nor visible", LITMUS_NON_PRIVATE,
                                   LITMUS_NON_PRIVATE},
    [VARIANT_PLAIN_PRIVATE] = {"private", "private", 0, 0},
};

static const char *const semantics_words[] = {[1] = "semsc0", [2] = "semsc1", [BOTH_CLASSES] = "semsc01"};

enum {
    PLAIN_COUNT = sizeof plain_words / sizeof *plain_words,
    SEMANTICS_COUNT = sizeof semantics_words / sizeof *semantics_words
};

static bool is_word(const char *text, size_t size, const char *word)
{
    return word && strlen(word) == size && memcmp(text, word, size) == 0;
}

bool variant_read_plain(const char *text, size_t size, enum variant_plain *plain)
{
    for (size_t i = 0; i < PLAIN_COUNT; i++) {
        if (!is_word(text, size, plain_words[i].word))
            continue;
        *plain = (enum variant_plain)i;
        return true;
    }
    return false;
}

bool variant_read_classes(const char *text, size_t size, struct variant *variant)
{
    for (unsigned i = 0; i < SEMANTICS_COUNT; i++) {
        if (!is_word(text, size, semantics_words[i]))
            continue;
        variant_name_classes(variant, i);
        return true;
    }
    return false;
}

const char *variant_plain_word(enum variant_plain plain)
{
    return plain_words[plain].word;
}

const char *variant_plain_title(enum variant_plain plain)
{
    return plain_words[plain].title;
}

const char *variant_classes_word(const struct variant *variant)
{
    return semantics_words[variant->semantics];
}

void variant_name_classes(struct variant *variant, unsigned classes)
{
    variant->semantics = classes;
}

bool variant_same_vulkan(const struct variant *a, const struct variant *b)
{
    return a->plain == b->plain && a->semantics == b->semantics && a->own_families == b->own_families;
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
    const struct plain_word *row = &plain_words[variant->plain];
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

static bool has_order(const struct variant *variant)
{
    for (size_t i = 0; i < variant->cycle.count; i++)
        if (variant->cycle.events[i].order > LITMUS_RELAXED || variant->cycle.edges[i].relation == CYCLE_FENCE)
            return true;
    return false;
}

static bool has_plain(const struct variant *variant, enum cycle_direction direction)
{
    for (size_t i = 0; i < variant->cycle.count; i++)
        if (variant->cycle.events[i].order == LITMUS_PLAIN && variant->cycle.events[i].direction == direction)
            return true;
    return false;
}

bool variant_has_plain(const struct variant *variant)
{
    return has_plain(variant, CYCLE_READ) || has_plain(variant, CYCLE_WRITE);
}

/* Of plain accesses that are all reads, or all writes, two kinds can be one. */
static void settle_plain(struct variant *variant)
{
    const bool reads = has_plain(variant, CYCLE_READ), writes = has_plain(variant, CYCLE_WRITE);
    const struct plain_word *own = &plain_words[variant->plain];
    if (variant->plain == VARIANT_PLAIN_BY_ORDERS && !has_order(variant))
        variant->plain = VARIANT_PLAIN_NON_PRIVATE;
    for (unsigned i = 0; i < PLAIN_COUNT; i++) {
        const bool alike =
            (!reads || plain_words[i].read == own->read) && (!writes || plain_words[i].write == own->write);
        const bool by_orders = i == VARIANT_PLAIN_BY_ORDERS;
        if (!alike || ((reads || writes) && by_orders != (variant->plain == VARIANT_PLAIN_BY_ORDERS)))
            continue;
        variant->plain = (enum variant_plain)i;
        return;
    }
}

void variant_settle_vulkan(struct variant *variant)
{
    if (!dialects[variant->dialect].has_semantics) {
        variant->plain = VARIANT_PLAIN_SHOWN;
        variant->semantics = 0;
        variant->own_families = false;
        return;
    }
    settle_plain(variant);
    if (!has_order(variant) || variant->semantics == storage_of(variant))
        variant->semantics = 0;
    variant->own_families = variant->own_families && variant_groups(variant) > 1;
}

bool variant_plain_has_scope(const struct variant *variant)
{
    const struct plain_word *row = &plain_words[variant->plain];
    return dialects[variant->dialect].has_semantics &&
           ((has_plain(variant, CYCLE_WRITE) && (row->write & LITMUS_AVAILABLE)) ||
            (has_plain(variant, CYCLE_READ) && (row->read & LITMUS_VISIBLE)));
}

/* ---- reasons ---- */

bool variant_misses_class(const struct variant *variant)
{
    return dialects[variant->dialect].has_semantics && has_order(variant) &&
           (storage_of(variant) & ~named_classes(variant)) != 0;
}
