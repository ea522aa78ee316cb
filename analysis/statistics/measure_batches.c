// SPDX-License-Identifier: Apache-2.0
/* Which batches of which runs a question is measured on. */
#include "analysis/statistics/measure_parts.h"

enum {
    FEWEST_DRAWS = 10
}; /* with fewer common draws, the effect of draws is not known well
                             * enough */

static double instances_of(const struct statistics_run *run)
{
    double sum = 0;
    for (size_t i = 0; i < run->batch_count; i++)
        sum += (double)run->sizes[i];
    return sum;
}

static void take_batch(struct used_run *used, size_t at)
{
    used->at[used->batches++] = at;
    used->count += used->run->counts ? (double)used->run->counts[at] : 0;
    used->size += (double)used->run->sizes[at];
    used->squares += (double)used->run->sizes[at] * (double)used->run->sizes[at];
}

static void take_all(struct arena *arena, struct used_run *used)
{
    used->at = arena_take(arena, used->run->batch_count, sizeof *used->at);
    for (size_t i = 0; i < used->run->batch_count; i++)
        if (used->run->sizes[i] > 0)
            take_batch(used, i);
}

/* The position of a batch of this number and these arguments with counts; SIZE_MAX for none. */
static size_t find_batch(const struct statistics_run *run, uint32_t number, uint64_t arguments)
{
    size_t low = 0, high = run->batch_count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (run->numbers[middle] < number)
            low = middle + 1;
        else
            high = middle;
    }
    return low < run->batch_count && run->numbers[low] == number && run->arguments[low] == arguments &&
                   run->sizes[low] > 0
               ? low
               : SIZE_MAX;
}

/* Whether two runs of one seed launched most of their draws with equal arguments. Runs with other limits have other
 * arguments, so that they do not share draws. */
static bool has_draws_of(const struct used_run *a, const struct used_run *b)
{
    size_t common = 0;
    for (size_t i = 0; i < a->batches; i++)
        common += find_batch(b->run, a->run->numbers[a->at[i]], a->run->arguments[a->at[i]]) != SIZE_MAX;
    return 2 * common >= (a->batches < b->batches ? a->batches : b->batches);
}

static struct draw_group *group_of(struct arena *arena, struct design *design, const struct used_run *used)
{
    for (size_t i = 0; i < design->count; i++)
        if (design->groups[i].draws == used->run->draws && has_draws_of(used, design->groups[i].members))
            return &design->groups[i];
    ARENA_ADD(arena, design->groups, design->count) = (struct draw_group){.draws = used->run->draws};
    return &design->groups[design->count - 1];
}

void measure_use_all(struct arena *arena, const struct statistics_run *runs, size_t count, struct design *design)
{
    for (size_t i = 0; i < count; i++) {
        if (instances_of(&runs[i]) <= 0)
            continue;
        struct used_run used = {.run = &runs[i], .place = i};
        take_all(arena, &used);
        struct draw_group *group = group_of(arena, design, &used);
        group->sides[runs[i].side]++;
        ARENA_ADD(arena, group->members, group->count) = used;
    }
}

/* The draws that all members of a group have, except members that were cut short. False if there
 * are too few. */
static bool use_common(struct arena *arena, const struct draw_group *all, struct draw_group *group)
{
    size_t longest = 0;
    for (size_t i = 0; i < all->count; i++)
        longest = all->members[i].batches > longest ? all->members[i].batches : longest;
    *group = (struct draw_group){.draws = all->draws};
    for (size_t i = 0; i < all->count; i++) {
        if (2 * all->members[i].batches < longest)
            continue;
        const struct used_run member = {.run = all->members[i].run,
                                        .place = all->members[i].place,
                                        .at = arena_take(arena, all->members[i].batches, sizeof(size_t))};
        ARENA_ADD(arena, group->members, group->count) = member;
        group->sides[member.run->side]++;
    }
    const struct used_run *first = all->members;
    while (2 * first->batches < longest)
        first++;
    size_t *at = arena_take(arena, group->count, sizeof *at);
    for (size_t i = 0; i < first->batches; i++) {
        bool common = true;
        for (size_t m = 0; m < group->count && common; m++) {
            at[m] = find_batch(group->members[m].run, first->run->numbers[first->at[i]],
                               first->run->arguments[first->at[i]]);
            common = at[m] != SIZE_MAX;
        }
        for (size_t m = 0; m < group->count && common; m++)
            take_batch(&group->members[m], at[m]);
    }
    return group->sides[STATISTICS_A] > 0 && group->sides[STATISTICS_B] > 0 &&
           group->members[0].batches >= FEWEST_DRAWS;
}

void measure_use_pairs(struct arena *arena, const struct design *all, struct design *design)
{
    design->paired = true;
    for (size_t i = 0; i < all->count; i++) {
        const struct draw_group *from = &all->groups[i];
        struct draw_group group;
        if (from->sides[STATISTICS_A] > 0 && from->sides[STATISTICS_B] > 0 && use_common(arena, from, &group))
            ARENA_ADD(arena, design->groups, design->count) = group;
    }
}
