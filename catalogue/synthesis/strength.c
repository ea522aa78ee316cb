// SPDX-License-Identifier: Apache-2.0
/* Orders, scopes and dependencies as sets of guarantees; what each model has of them. Weaker forms of a test: every
 * kind of thing that minimal tests must need has a function here. */
#include "catalogue/synthesis/strength.h"

#include "litmus/dialects.h"
#include "litmus/language/order.h"

#define BIT(order) (1u << LITMUS_##order)
#define C11_LOADS (BIT(PLAIN) | BIT(RELAXED) | BIT(ACQUIRE) | BIT(SEQ_CST))
#define C11_STORES (BIT(PLAIN) | BIT(RELAXED) | BIT(RELEASE) | BIT(SEQ_CST))
#define C11_UPDATES (BIT(RELAXED) | BIT(ACQUIRE) | BIT(RELEASE) | BIT(ACQ_REL) | BIT(SEQ_CST))
#define C11_FENCES (BIT(ACQUIRE) | BIT(RELEASE) | BIT(ACQ_REL) | BIT(SEQ_CST))

static const struct strength_row rows[] = {
    {.model = "sc", .dialect = LITMUS_C, .loads = BIT(RELAXED), .stores = BIT(RELAXED), .updates = BIT(RELAXED)},
    {.model = "tso",
     .dialect = LITMUS_C,
     .loads = BIT(RELAXED),
     .stores = BIT(RELAXED),
     .updates = BIT(RELAXED),
     .fences = BIT(SEQ_CST)},
    {.dialect = LITMUS_C,
     .loads = C11_LOADS,
     .stores = C11_STORES,
     .updates = C11_UPDATES,
     .fences = C11_FENCES,
     .types = true},
    {.dialect = LITMUS_OPENCL,
     .loads = C11_LOADS,
     .stores = C11_STORES,
     .updates = C11_UPDATES,
     .fences = C11_FENCES,
     .barriers = BIT(PLAIN) | BIT(ACQ_REL),
     .scopes = true,
     .regions = true,
     .uneven = true,
     .types = true},
    {.dialect = LITMUS_PTX,
     .loads = BIT(PLAIN) | BIT(RELAXED) | BIT(ACQUIRE),
     .stores = BIT(PLAIN) | BIT(RELAXED) | BIT(RELEASE),
     .updates = BIT(RELAXED) | BIT(ACQUIRE) | BIT(RELEASE) | BIT(ACQ_REL),
     .fences = BIT(ACQ_REL) | BIT(SEQ_CST),
     .barriers = BIT(PLAIN),
     .scopes = true,
     .dependencies = true},
    {.dialect = LITMUS_VULKAN,
     .loads = BIT(PLAIN) | BIT(RELAXED) | BIT(ACQUIRE),
     .stores = BIT(PLAIN) | BIT(RELAXED) | BIT(RELEASE),
     .updates = BIT(RELAXED) | BIT(ACQUIRE) | BIT(RELEASE) | BIT(ACQ_REL),
     .fences = BIT(ACQUIRE) | BIT(RELEASE) | BIT(ACQ_REL),
     .barriers = BIT(PLAIN) | BIT(ACQUIRE) | BIT(RELEASE) | BIT(ACQ_REL),
     .scopes = true},
};

/* The row that names the model, or the one that names none, of this dialect or of any. */
static const struct strength_row *strength_find_row(const char *model, int dialect)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
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
    for (size_t i = 0; !row && i < sizeof usual / sizeof *usual; i++)
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
    for (size_t i = 0; i < count; i++)
        if (levels[i] != low && levels[i] != high && strength_is_within(low, levels[i]) &&
            strength_is_within(levels[i], high))
            return false;
    return true;
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

/* Where types matter, an access that was made plain makes those of its thread and location plain. False: one of them
 * cannot be. */
static bool strength_make_fit(const struct strength_row *row, struct sketch *sketch, unsigned access)
{
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

/* ---- the weaker forms of a test ---- */

/* Every kind of thing that minimal tests must need has a function here. */

struct weaker_walk {
    const struct strength_row *row;
    const struct sketch *sketch;
    const struct outcome *outcome;
    bool (*take)(const struct weaker *weaker, void *context);
    void *context;
};

/* Each next weaker level of the strength at `offset` in weaker->sketch. */
static bool lower(const struct weaker_walk *walk, const struct weaker *weaker, size_t offset, const uint8_t *levels,
                  size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct weaker low = *weaker;
        uint8_t *strength = (uint8_t *)&low.sketch + offset;
        if (!strength_is_next_below(levels, count, levels[i], *strength))
            continue;
        *strength = levels[i];
        if (strength_make_fit(walk->row, &low.sketch, weaker->access) && !walk->take(&low, walk->context))
            return false;
    }
    return true;
}

static bool strength_lower_access(const struct weaker_walk *walk, struct weaker *weaker)
{
    const struct sketch *sketch = walk->sketch;
    uint8_t levels[STRENGTH_MAXIMUM_LEVELS];
    const size_t count = strength_of_access(walk->row, (enum sketch_kind)sketch->kind[weaker->access],
                                            sketch_earlier_read(sketch, weaker->access) >= 0, true, levels);
    weaker->kind = WEAKER_ACCESS;
    return lower(walk, weaker, offsetof(struct sketch, strength) + weaker->access, levels, count);
}

static bool strength_lower_fence(const struct weaker_walk *walk, struct weaker *weaker)
{
    uint8_t levels[STRENGTH_MAXIMUM_LEVELS];
    const size_t count = strength_of_fence(walk->row, true, levels);
    weaker->kind = WEAKER_FENCE;
    return lower(walk, weaker, offsetof(struct sketch, fence) + weaker->access, levels, count);
}

static bool leave_out(const struct weaker_walk *walk, struct weaker *weaker)
{
    struct weaker less = *weaker;
    less.kind = WEAKER_REMOVED;
    sketch_remove(&less.sketch, &less.outcome, weaker->access);
    return less.sketch.count == 0 || walk->take(&less, walk->context);
}

static bool strength_split(const struct weaker_walk *walk, struct weaker *weaker)
{
    struct weaker two = *weaker;
    two.kind = WEAKER_SPLIT;
    return walk->sketch->kind[weaker->access] != SKETCH_UPDATE ||
           !sketch_split(&two.sketch, &two.outcome, weaker->access) || walk->take(&two, walk->context);
}

/* Where a barrier is no fence, there is nothing between it and none. */
static bool part(const struct weaker_walk *walk, struct weaker *weaker)
{
    struct weaker parted = *weaker;
    parted.kind = WEAKER_PARTED;
    if (walk->sketch->kind[weaker->access] != SKETCH_BARRIER || walk->row->barriers == 1U << LITMUS_PLAIN)
        return true;
    sketch_part(&parted.sketch, &parted.outcome, weaker->access);
    return walk->take(&parted, walk->context);
}

static bool separate(const struct weaker_walk *walk, struct weaker *weaker)
{
    struct weaker apart = *weaker;
    apart.kind = WEAKER_SEPARATED;
    return !sketch_starts(walk->sketch, weaker->access) ||
           !sketch_separate(&apart.sketch, walk->sketch->thread[weaker->access]) || walk->take(&apart, walk->context);
}

bool weaker_each(const struct strength_row *row, const struct sketch *sketch, const struct outcome *outcome,
                 bool (*take)(const struct weaker *weaker, void *context), void *context)
{
    static bool (*const ways[WEAKER_KINDS])(const struct weaker_walk *,
                                            struct weaker *) = {[WEAKER_ACCESS] = strength_lower_access,
                                                                [WEAKER_FENCE] = strength_lower_fence,
                                                                [WEAKER_REMOVED] = leave_out,
                                                                [WEAKER_SPLIT] = strength_split,
                                                                [WEAKER_PARTED] = part,
                                                                [WEAKER_SEPARATED] = separate};
    const struct weaker_walk walk = {row, sketch, outcome, take, context};
    for (int kind = WEAKER_KINDS; kind-- > 0;) /* what is left out first: it leaves the least to judge */
        for (unsigned access = 0; access < sketch->count; access++) {
            struct weaker weaker = {.sketch = *sketch, .outcome = *outcome, .access = access};
            if (!ways[kind](&walk, &weaker))
                return false;
        }
    return true;
}
