// SPDX-License-Identifier: Apache-2.0
/* The weaker forms of a test. Every kind of thing that minimal tests must need has a function here. */
#include "catalogue/synthesis/weaker.h"

#include <stddef.h>

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

static bool lower_access(const struct weaker_walk *walk, struct weaker *weaker)
{
    const struct sketch *sketch = walk->sketch;
    uint8_t levels[STRENGTH_MAXIMUM_LEVELS];
    const size_t count = strength_of_access(walk->row, (enum sketch_kind)sketch->kind[weaker->access],
                                            sketch_earlier_read(sketch, weaker->access) >= 0, true, levels);
    weaker->kind = WEAKER_ACCESS;
    return lower(walk, weaker, offsetof(struct sketch, strength) + weaker->access, levels, count);
}

static bool lower_fence(const struct weaker_walk *walk, struct weaker *weaker)
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

static bool split(const struct weaker_walk *walk, struct weaker *weaker)
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
    static bool (*const ways[WEAKER_KINDS])(const struct weaker_walk *, struct weaker *) = {
        [WEAKER_ACCESS] = lower_access, [WEAKER_FENCE] = lower_fence, [WEAKER_REMOVED] = leave_out,
        [WEAKER_SPLIT] = split,         [WEAKER_PARTED] = part,       [WEAKER_SEPARATED] = separate};
    const struct weaker_walk walk = {row, sketch, outcome, take, context};
    for (int kind = WEAKER_KINDS; kind-- > 0;) /* what is left out first: it leaves the least to judge */
        for (unsigned access = 0; access < sketch->count; access++) {
            struct weaker weaker = {.sketch = *sketch, .outcome = *outcome, .access = access};
            if (!ways[kind](&walk, &weaker))
                return false;
        }
    return true;
}
