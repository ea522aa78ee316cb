// SPDX-License-Identifier: Apache-2.0
/* Orders, scopes and dependencies as sets of guarantees; what each model has of them. Weaker forms of a test: every
 * kind of thing that minimal tests must need has a function here. */
#include "catalogue/synthesis/strength.h"

#include "catalogue/synthesis/strength_lists.h"
#include "litmus/dialects.h"
#include "litmus/language/order.h"

#define BIT(order) (1u << LITMUS_##order)
#define C11_LOADS (BIT(PLAIN) | BIT(RELAXED) | BIT(ACQUIRE) | BIT(SEQ_CST))
#define C11_STORES (BIT(PLAIN) | BIT(RELAXED) | BIT(RELEASE) | BIT(SEQ_CST))
#define C11_UPDATES (BIT(RELAXED) | BIT(ACQUIRE) | BIT(RELEASE) | BIT(ACQ_REL) | BIT(SEQ_CST))
#define C11_FENCES (BIT(ACQUIRE) | BIT(RELEASE) | BIT(ACQ_REL) | BIT(SEQ_CST))

static const struct strength_row rows[] = {STRENGTH_LIST(ROW_OF)};

/* The row that names the model, or the one that names none, of this dialect or of any. */
static const struct strength_row *strength_find_row(const char *model, int dialect)
{
    for (size_t i = 0; i < COUNT(rows); i++) {
        const bool named = model ? rows[i].model && strcmp(rows[i].model, model) == 0 : !rows[i].model;
        if (named && (dialect == LITMUS_NONE || (int)rows[i].dialect == dialect))
            return &rows[i];
    }
    return NULL;
}

/* A model that no row names has the row of the dialect that its name begins with, or of PTX. */
const struct strength_row *strength_row_of(const char *model, int dialect)
{
    static const struct {
        const char *start;
        int dialect;
    } usual[] = {{"rc11", LITMUS_C}, {"opencl", LITMUS_OPENCL}, {"vulkan", LITMUS_VULKAN}, {"", LITMUS_PTX}};
    const struct strength_row *row = strength_find_row(model, dialect);
    for (size_t i = 0; !row && i < COUNT(usual); i++)
        if (dialect != LITMUS_NONE || strncmp(model, usual[i].start, strlen(usual[i].start)) == 0)
            return strength_find_row(NULL, dialect != LITMUS_NONE ? dialect : usual[i].dialect);
    return row;
}

/* All locations are of storage class 0, which every order names. A plain access is private: one that other threads
 * share is a race whatever makes it available or visible, because nothing that always happens orders straight lines. A
 * barrier does, so beside one plain accesses are not private, and barriers make available what they release and visible
 * what they acquire. */
struct litmus_ordering strength_ordering(enum litmus_dialect dialect, enum litmus_order order, enum litmus_scope scope,
                                         enum strength_place place)
{
    struct litmus_ordering ordering = {.order = order, .scope = scope};
    if (!dialects[dialect].has_semantics)
        return ordering;
    ordering.semantics = order_semantics(order, 1, place == STRENGTH_BARRIER);
    if (place == STRENGTH_ACCESS || place == STRENGTH_ACCESS_BESIDE_BARRIERS)
        ordering.semantics |= 1;
    if (place == STRENGTH_ACCESS_BESIDE_BARRIERS && order == LITMUS_PLAIN)
        ordering.semantics |= LITMUS_NON_PRIVATE;
    return ordering;
}

uint8_t strength_of_fence_order(enum litmus_order order)
{
    static const uint8_t strengths[LITMUS_ORDER_COUNT] = {
        [LITMUS_ACQUIRE] = SKETCH_ACQUIRES,
        [LITMUS_RELEASE] = SKETCH_RELEASES,
        [LITMUS_ACQ_REL] = SKETCH_ACQUIRES | SKETCH_RELEASES,
        [LITMUS_SEQ_CST] = SKETCH_ACQUIRES | SKETCH_RELEASES | SKETCH_IS_SC,
    };
    return strengths[order];
}

/* A load has nothing to release, and a store nothing to acquire. A barrier is what its fence is. */
uint8_t strength_of_order(enum litmus_order order, enum sketch_kind kind)
{
    unsigned strength = strength_of_fence_order(order);
    if (kind == SKETCH_BARRIER)
        return (uint8_t)strength;
    if (kind == SKETCH_READ)
        strength &= ~(unsigned)SKETCH_RELEASES;
    if (kind == SKETCH_WRITE)
        strength &= ~(unsigned)SKETCH_ACQUIRES;
    return (uint8_t)(order == LITMUS_PLAIN ? 0 : strength | SKETCH_ATOMIC);
}

enum litmus_order strength_order(uint8_t strength)
{
    if (strength & SKETCH_IS_SC)
        return LITMUS_SEQ_CST;
    if ((strength & SKETCH_ACQUIRES) && (strength & SKETCH_RELEASES))
        return LITMUS_ACQ_REL;
    if (strength & SKETCH_ACQUIRES)
        return LITMUS_ACQUIRE;
    if (strength & SKETCH_RELEASES)
        return LITMUS_RELEASE;
    return strength & SKETCH_ATOMIC ? LITMUS_RELAXED : LITMUS_PLAIN;
}

/* Adds a strength in each of its scopes. Where there are none, everything reaches all threads. */
static size_t add_scopes(const struct strength_row *row, uint8_t strength, uint8_t *levels, size_t count)
{
    if (strength == 0 || row->scopes)
        levels[count++] = strength;
    if (strength != 0)
        levels[count++] = strength | SKETCH_WIDE;
    return count;
}

uint8_t strength_of_flags(bool global, bool local)
{
    return (uint8_t)((global ? SKETCH_ON_GLOBAL : 0) | (local ? SKETCH_ON_LOCAL : 0));
}

/* Adds the strength of a fence or a barrier with each memory that it can name, in each of its scopes. */
static size_t add_regions(const struct strength_row *row, uint8_t strength, bool local, uint8_t *levels, size_t count)
{
    if (strength == 0 || !row->regions)
        return add_scopes(row, strength, levels, count);
    count = add_scopes(row, strength | strength_of_flags(true, false), levels, count);
    for (int both = 0; both < 2 && local; both++)
        count = add_scopes(row, strength | strength_of_flags(both, true), levels, count);
    return count;
}

/* Adds each level with each dependency that an access of this kind can have. */
static size_t add_dependencies(enum sketch_kind kind, uint8_t *levels, size_t count)
{
    static const uint8_t ways[] = {SKETCH_ADDRESS, SKETCH_DATA, SKETCH_CONTROL};
    const size_t plain = count;
    for (size_t way = 0; way < sizeof ways; way++)
        for (size_t i = 0; i < plain; i++)
            if (ways[way] != SKETCH_DATA || kind != SKETCH_READ)
                levels[count++] = levels[i] | ways[way];
    return count;
}

size_t strength_of_access(const struct strength_row *row, enum sketch_kind kind, bool earlier, bool local,
                          uint8_t levels[STRENGTH_MAXIMUM_LEVELS])
{
    const unsigned orders[] = {[SKETCH_READ] = row->loads,
                               [SKETCH_WRITE] = row->stores,
                               [SKETCH_UPDATE] = row->updates,
                               [SKETCH_BARRIER] = row->barriers};
    size_t count = 0;
    for (unsigned order = 0; order < LITMUS_ORDER_COUNT; order++) {
        const uint8_t strength = strength_of_order((enum litmus_order)order, kind);
        if (orders[kind] >> order & 1)
            count = kind == SKETCH_BARRIER ? add_regions(row, strength, local, levels, count)
                                           : add_scopes(row, strength, levels, count);
    }
    return earlier && row->dependencies && kind != SKETCH_BARRIER ? add_dependencies(kind, levels, count) : count;
}

size_t strength_of_fence(const struct strength_row *row, bool local, uint8_t levels[STRENGTH_MAXIMUM_LEVELS])
{
    size_t count = 0;
    levels[count++] = 0;
    for (unsigned order = 0; order < LITMUS_ORDER_COUNT; order++)
        if (row->fences >> order & 1)
            count = add_regions(row, strength_of_fence_order((enum litmus_order)order), local, levels, count);
    return count;
}

/* Is `low` weaker than `high`, and no other level between them? */
static bool strength_is_next_below(const uint8_t *levels, size_t count, uint8_t low, uint8_t high)
{
    if (low == high || !strength_is_within(low, high))
        return false;
    return !ANY_OF(level, levels, count,
                   *level != low && *level != high && strength_is_within(low, *level) &&
                       strength_is_within(*level, high));
}

bool strength_fits(const struct strength_row *row, const struct sketch *sketch)
{
    for (unsigned i = 0; row->types && i < sketch->count; i++)
        for (unsigned j = i + 1; j < sketch->count && sketch->thread[j] == sketch->thread[i]; j++)
            if (sketch->location[i] == sketch->location[j] && sketch->kind[i] != SKETCH_BARRIER &&
                ((sketch->strength[i] ^ sketch->strength[j]) & SKETCH_ATOMIC))
                return false;
    return true;
}

/* ---- the weaker forms of a test ---- */

/* Every kind of thing that minimal tests must need has a case here. */

/* Lowers the order of the access, or of the fence before it, to level number `level`, if that is next below it. */
static bool strength_lower(const struct strength_row *row, struct weaker *weaker, size_t level)
{
    struct sketch *sketch = &weaker->sketch;
    const unsigned access = weaker->access;
    const bool of_access = weaker->kind == WEAKER_ACCESS;
    uint8_t *strength = of_access ? &sketch->strength[access] : &sketch->fence[access];
    uint8_t levels[STRENGTH_MAXIMUM_LEVELS];
    const size_t count = of_access ? strength_of_access(row, (enum sketch_kind)sketch->kind[access],
                                                        sketch_earlier_read(sketch, access) >= 0, true, levels)
                                   : strength_of_fence(row, true, levels);
    if (level >= count) {
        weaker->next += STRENGTH_MAXIMUM_LEVELS - 1 - level; /* on to the next place */
        return false;
    }
    if (!strength_is_next_below(levels, count, levels[level], *strength))
        return false;
    *strength = levels[level];
    /* Where types matter, an access that was made plain makes those of its thread and location plain. False: one of
     * them cannot be. */
    if (!row->types || sketch->strength[access] & SKETCH_ATOMIC || sketch->kind[access] == SKETCH_BARRIER)
        return true;
    for (unsigned i = 0; i < sketch->count; i++) {
        if (sketch->thread[i] != sketch->thread[access] || sketch->location[i] != sketch->location[access])
            continue;
        if (sketch->kind[i] == SKETCH_UPDATE)
            return false;
        sketch->strength[i] &= SKETCH_DEPENDS;
    }
    return true;
}

/* Weakens the test that *weaker holds. False: it has no such form. */
static bool strength_weaken(const struct strength_row *row, struct weaker *weaker, size_t level)
{
    struct sketch *sketch = &weaker->sketch;
    const unsigned access = weaker->access;
    switch (weaker->kind) {
    case WEAKER_REMOVED:
        sketch_remove(sketch, &weaker->outcome, access);
        return sketch->count > 0;
    case WEAKER_SPLIT:
        return sketch->kind[access] == SKETCH_UPDATE && sketch_split(sketch, &weaker->outcome, access);
    case WEAKER_PARTED: /* where a barrier is no fence, there is nothing between it and none */
        if (sketch->kind[access] != SKETCH_BARRIER || row->barriers == 1U << LITMUS_PLAIN)
            return false;
        sketch_part(sketch, &weaker->outcome, access);
        return true;
    case WEAKER_SEPARATED:
        return sketch_starts(sketch, access) && sketch_separate(sketch, sketch->thread[access]);
    default:
        return strength_lower(row, weaker, level);
    }
}

bool weaker_next(const struct strength_row *row, const struct sketch *sketch, const struct outcome *outcome,
                 struct weaker *weaker)
{
    const size_t forms = WEAKER_KINDS * sketch->count * STRENGTH_MAXIMUM_LEVELS;
    while (weaker->next < forms) {
        const size_t number = weaker->next++, level = number % STRENGTH_MAXIMUM_LEVELS,
                     place = number / STRENGTH_MAXIMUM_LEVELS;
        /* What is left out first: it leaves the least to judge. */
        weaker->kind = (enum weaker_kind)(WEAKER_KINDS - 1 - place / sketch->count);
        weaker->access = (unsigned)(place % sketch->count);
        if (level > 0 && weaker->kind != WEAKER_ACCESS && weaker->kind != WEAKER_FENCE)
            continue;
        weaker->sketch = *sketch;
        weaker->outcome = *outcome;
        if (strength_weaken(row, weaker, level))
            return true;
    }
    return false;
}
