// SPDX-License-Identifier: Apache-2.0
/* What the counts of one outcome say of its rates on two sides, run by run. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/statistics/runs.h"
#include "analysis/statistics/tails.h"
#include "base/arena.h"

enum { FEWEST_DRAWS = 10 }; /* fewer draws in common say too little of what the draws do */

/* A run and which of its batches are used. */
struct used {
    const struct statistics_run *run;
    size_t place; /* among the runs that were given */
    size_t *at;   /* positions of the batches */
    size_t batches;
    double count, size; /* over these */
};

/* Runs of equal draws. */
struct group {
    uint64_t draws;
    struct used *members;
    size_t count;
    size_t sides[STATISTICS_SIDES]; /* members of each */
};

/* How far sightings in batches scatter about what is expected: Pearson's statistic, and how it follows itself. */
struct scattering {
    double squares, freedom;            /* of (seen - expected) / root of expected */
    double products, norms, neighbours; /* of these with the next in the same run; how many there are */
};

/* One way of comparing: all batches, or draws that both sides have. */
struct way {
    struct group *groups;
    size_t count;
    bool paired;
    double shared, own; /* dispersion of the batches where draws differ; and beyond what draws do (NAN: not known) */
    struct statistics_measure measure;
};

/* ---- which batches ---- */

static double instances_of(const struct statistics_run *run)
{
    double sum = 0;
    for (size_t i = 0; i < run->batch_count; i++)
        sum += (double)run->sizes[i];
    return sum;
}

static void take_batch(struct used *used, size_t at)
{
    used->at[used->batches++] = at;
    used->count += used->run->counts ? (double)used->run->counts[at] : 0;
    used->size += (double)used->run->sizes[at];
}

static void take_all(struct arena *arena, struct used *used)
{
    used->at = arena_take(arena, used->run->batch_count, sizeof *used->at);
    for (size_t i = 0; i < used->run->batch_count; i++)
        if (used->run->sizes[i] > 0)
            take_batch(used, i);
}

static struct group *group_of(struct arena *arena, struct way *way, uint64_t draws)
{
    for (size_t i = 0; i < way->count; i++)
        if (way->groups[i].draws == draws)
            return &way->groups[i];
    ARENA_ADD(arena, way->groups, way->count) = (struct group){.draws = draws};
    return &way->groups[way->count - 1];
}

static void use_all(struct arena *arena, const struct statistics_run *runs, size_t count, struct way *way)
{
    for (size_t i = 0; i < count; i++) {
        if (instances_of(&runs[i]) <= 0)
            continue;
        struct group *group = group_of(arena, way, runs[i].draws);
        struct used used = {.run = &runs[i], .place = i};
        take_all(arena, &used);
        group->sides[runs[i].side]++;
        ARENA_ADD(arena, group->members, group->count) = used;
    }
}

/* The position of a batch number that counted something; SIZE_MAX for none. */
static size_t find_batch(const struct statistics_run *run, uint32_t number)
{
    size_t low = 0, high = run->batch_count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (run->numbers[middle] < number)
            low = middle + 1;
        else
            high = middle;
    }
    return low < run->batch_count && run->numbers[low] == number && run->sizes[low] > 0 ? low : SIZE_MAX;
}

/* Of a group the draws that all members have, but for a member that was cut short. False where they are too few. */
static bool use_common(struct arena *arena, const struct group *all, struct group *group)
{
    size_t longest = 0;
    for (size_t i = 0; i < all->count; i++)
        longest = all->members[i].batches > longest ? all->members[i].batches : longest;
    *group = (struct group){.draws = all->draws};
    for (size_t i = 0; i < all->count; i++) {
        if (2 * all->members[i].batches < longest)
            continue;
        const struct used member = {.run = all->members[i].run,
                                    .place = all->members[i].place,
                                    .at = arena_take(arena, all->members[i].batches, sizeof(size_t))};
        ARENA_ADD(arena, group->members, group->count) = member;
        group->sides[member.run->side]++;
    }
    const struct used *first = all->members;
    while (2 * first->batches < longest)
        first++;
    size_t *at = arena_take(arena, group->count, sizeof *at);
    for (size_t i = 0; i < first->batches; i++) {
        bool common = true;
        for (size_t m = 0; m < group->count && common; m++) {
            at[m] = find_batch(group->members[m].run, first->run->numbers[first->at[i]]);
            common = at[m] != SIZE_MAX;
        }
        for (size_t m = 0; m < group->count && common; m++)
            take_batch(&group->members[m], at[m]);
    }
    return group->sides[STATISTICS_A] > 0 && group->sides[STATISTICS_B] > 0 &&
           group->members[0].batches >= FEWEST_DRAWS;
}

static void use_pairs(struct arena *arena, const struct way *all, struct way *way)
{
    way->paired = true;
    for (size_t i = 0; i < all->count; i++) {
        const struct group *from = &all->groups[i];
        struct group group;
        if (from->sides[STATISTICS_A] > 0 && from->sides[STATISTICS_B] > 0 && use_common(arena, from, &group))
            ARENA_ADD(arena, way->groups, way->count) = group;
    }
}

/* ---- dispersion ---- */

static double seen_in(const struct used *used, size_t batch)
{
    return used->run->counts ? (double)used->run->counts[used->at[batch]] : 0;
}

static double size_of(const struct used *used, size_t batch)
{
    return (double)used->run->sizes[used->at[batch]];
}

/* Adds a batch; *before is the deviation of the one before it, NAN for none. */
static void add_deviation(struct scattering *scattering, double seen, double expected, double *before)
{
    if (expected <= 0)
        return;
    const double deviation = (seen - expected) / sqrt(expected);
    scattering->squares += deviation * deviation;
    if (!isnan(*before)) {
        scattering->products += deviation * *before;
        scattering->norms += (deviation * deviation + *before * *before) / 2;
        scattering->neighbours++;
    }
    *before = deviation;
}

/* Batches about the rate of their run: with what the draws do. */
static struct scattering scatter_in_runs(const struct way *way)
{
    struct scattering scattering = {.squares = 0};
    for (size_t g = 0; g < way->count; g++) {
        for (size_t m = 0; m < way->groups[g].count; m++) {
            const struct used *used = &way->groups[g].members[m];
            double before = NAN;
            if (used->count <= 0 || used->batches == 0)
                continue;
            for (size_t i = 0; i < used->batches; i++)
                add_deviation(&scattering, seen_in(used, i), used->count / used->size * size_of(used, i), &before);
            scattering.freedom += (double)used->batches - 1;
        }
    }
    return scattering;
}

/* Batches about the product of their run's rate and their draw's factor: without what the draws do. */
static void scatter_in_group(struct arena *arena, const struct group *group, struct scattering *scattering)
{
    const size_t draws = group->members[0].batches;
    double *factor = arena_take(arena, draws, sizeof *factor);
    size_t rows = 0, columns = 0;
    for (size_t m = 0; m < group->count; m++)
        rows += group->members[m].count > 0;
    if (rows < 2 || draws < 2)
        return;
    for (size_t i = 0; i < draws; i++) {
        double seen = 0, expected = 0;
        for (size_t m = 0; m < group->count; m++) {
            const struct used *used = &group->members[m];
            seen += seen_in(used, i);
            expected += used->count / used->size * size_of(used, i);
        }
        factor[i] = expected > 0 ? seen / expected : 0;
        columns += seen > 0;
    }
    for (size_t m = 0; m < group->count; m++) {
        const struct used *used = &group->members[m];
        double before = NAN;
        for (size_t i = 0; i < draws; i++)
            add_deviation(scattering, seen_in(used, i), used->count / used->size * size_of(used, i) * factor[i],
                          &before);
    }
    scattering->freedom += (double)(rows - 1) * (double)(columns > 0 ? columns - 1 : 0);
}

/* Only a correlation that chance does not explain counts. */
static double lag_of(const struct scattering *scattering)
{
    static const double most = 0.95;
    const double lag = scattering->norms > 0 ? scattering->products / scattering->norms : 0;
    return scattering->neighbours >= 10 && lag > 2 / sqrt(scattering->neighbours) ? fmin(lag, most) : 0;
}

/* Of a series whose members are correlated so, (1 + lag) / (1 - lag) say as much as one that is independent. */
static double dispersion_of(const struct scattering *scattering)
{
    const double lag = lag_of(scattering);
    return scattering->freedom > 0 ? fmax(1, scattering->squares / scattering->freedom) * (1 + lag) / (1 - lag) : NAN;
}

/* ---- the ratio ---- */

struct sums {
    double count[STATISTICS_SIDES], size[STATISTICS_SIDES];
};

static void add_group(const struct group *group, struct sums *sums)
{
    for (size_t m = 0; m < group->count; m++) {
        sums->count[group->members[m].run->side] += group->members[m].count;
        sums->size[group->members[m].run->side] += group->members[m].size;
    }
}

/* How many sightings a side would have, were both sides equal. */
static double expected_in(const struct sums *sums, int side)
{
    const double count = sums->count[STATISTICS_A] + sums->count[STATISTICS_B];
    return count * sums->size[side] / (sums->size[STATISTICS_A] + sums->size[STATISTICS_B]) + 0.5;
}

static double log_ratio_of(const struct sums *sums)
{
    return log((sums->count[STATISTICS_B] + 0.5) / sums->size[STATISTICS_B]) -
           log((sums->count[STATISTICS_A] + 0.5) / sums->size[STATISTICS_A]);
}

/* Blocks: each group of equal draws gives a ratio, and the more runs it has, the more it weighs. */
static void compare_blocks(struct way *way)
{
    struct statistics_measure *measure = &way->measure;
    double weights = 0;
    for (size_t g = 0; g < way->count; g++) {
        const struct group *group = &way->groups[g];
        const double a = (double)group->sides[STATISTICS_A], b = (double)group->sides[STATISTICS_B];
        const double weight = a * b / (a + b);
        struct sums sums = {.count = {0, 0}};
        add_group(group, &sums);
        weights += weight;
        measure->log_ratio += weight * log_ratio_of(&sums);
        for (int side = 0; side < STATISTICS_SIDES; side++)
            measure->batches[side] += weight * weight * measure->dispersion / expected_in(&sums, side);
    }
    measure->log_ratio /= weights;
    measure->run_share = 1 / weights;
    for (int side = 0; side < STATISTICS_SIDES; side++)
        measure->batches[side] /= weights * weights;
}

/* All against all: what draws do to a rate, runs of equal draws have in common. */
static void compare_totals(struct way *way, const struct sums *sums)
{
    struct statistics_measure *measure = &way->measure;
    const double own = isnan(way->own) ? 1 : fmin(way->own, way->shared); /* counting alone, as far as is known */
    measure->log_ratio = log_ratio_of(sums);
    for (int side = 0; side < STATISTICS_SIDES; side++) {
        double groups = 0;
        for (size_t g = 0; g < way->count; g++)
            groups += way->groups[g].sides[side] > 0;
        const double runs = (double)measure->runs[side];
        measure->run_share += 1 / runs;
        measure->batches[side] = (own + (way->shared - own) * runs / groups) / expected_in(sums, side);
    }
}

/* ---- between runs ---- */

/* Runs of one side that differ by nothing but themselves, and the draws where those are not equal. */
struct peers {
    int side;
    const struct group *group; /* NULL: of all groups */
    double dispersion;
};

static double log_rate(const struct used *used)
{
    return log((used->count + 0.5) / used->size);
}

/* Calls itself a visit of each of the peers: adds up what `sum` asks for. */
static size_t list_peers(const struct way *way, const struct peers *peers, const struct used **list)
{
    size_t count = 0;
    for (size_t g = 0; g < way->count; g++) {
        const struct group *group = &way->groups[g];
        for (size_t m = 0; m < group->count && (!peers->group || peers->group == group); m++)
            if (group->members[m].run->side == peers->side)
                list[count++] = &group->members[m];
    }
    return count;
}

static void add_peers(const struct way *way, const struct peers *peers, const struct used **list, double *squares,
                      double *expected, struct statistics_measure *measure, double *residuals)
{
    const size_t count = list_peers(way, peers, list);
    double mean = 0, seen = 0;
    for (size_t i = 0; i < count; i++) {
        mean += log_rate(list[i]) / (double)count;
        seen += list[i]->count;
    }
    if (count < 2 || seen <= 0) /* of runs that have seen nothing, nothing is known */
        return;
    for (size_t i = 0; i < count; i++) {
        const double residual = log_rate(list[i]) - mean;
        *squares += residual * residual;
        if (residuals)
            residuals[list[i]->place] = residual;
    }
    *expected += (double)(count - 1) * peers->dispersion / (seen / (double)count + 0.5);
    measure->freedom += (double)(count - 1);
}

/* What the ratios of the blocks differ by from their mean is between runs, too. */
static void add_blocks(const struct way *way, double *squares, double *expected, struct statistics_measure *measure,
                       double *residuals)
{
    for (size_t g = 0; g < way->count; g++) {
        const struct group *group = &way->groups[g];
        const double a = (double)group->sides[STATISTICS_A], b = (double)group->sides[STATISTICS_B];
        struct sums sums = {.count = {0, 0}};
        add_group(group, &sums);
        const double off = log_ratio_of(&sums) - measure->log_ratio, weight = a * b / (a + b);
        *squares += weight * off * off;
        for (int side = 0; side < STATISTICS_SIDES; side++)
            *expected += (1 - 1 / (double)way->count) * weight * measure->dispersion / expected_in(&sums, side);
        for (size_t m = 0; m < group->count && residuals; m++) {
            double *residual = &residuals[group->members[m].place];
            *residual = isnan(*residual) ? 0 : *residual;
            *residual += group->members[m].run->side == STATISTICS_B ? off * a / (a + b) : -off * b / (a + b);
        }
    }
    measure->freedom += (double)way->count - 1;
}

static void measure_scatter(struct arena *arena, struct way *way, double *residuals)
{
    struct statistics_measure *measure = &way->measure;
    const struct used **list =
        arena_take(arena, measure->runs[STATISTICS_A] + measure->runs[STATISTICS_B], sizeof *list);
    const double own = isnan(way->own) ? way->shared : way->own;
    double squares = 0, expected = 0;
    for (int side = 0; side < STATISTICS_SIDES; side++) {
        bool single = !way->paired; /* every run of the side has its own draws */
        for (size_t g = 0; g < way->count; g++)
            single &= way->groups[g].sides[side] < 2;
        if (single)
            add_peers(way, &(struct peers){side, NULL, way->shared}, list, &squares, &expected, measure, residuals);
        for (size_t g = 0; g < way->count && !single; g++)
            add_peers(way, &(struct peers){side, &way->groups[g], own}, list, &squares, &expected, measure, residuals);
        double low = INFINITY, high = -INFINITY;
        const size_t count = list_peers(way, &(struct peers){side, NULL, 1}, list);
        for (size_t i = 0; i < count; i++) {
            low = fmin(low, log_rate(list[i]));
            high = fmax(high, log_rate(list[i]));
        }
        measure->span[side] = count > 0 ? exp(high - low) : 1;
    }
    if (way->paired && way->count > 1)
        add_blocks(way, &squares, &expected, measure, residuals);
    measure->scatter = measure->freedom > 0 ? squares / measure->freedom : 0;
    measure->expected_scatter = measure->freedom > 0 ? expected / measure->freedom : 0;
}

/* ---- one way, and the better of two ---- */

/* What one side would have to see, given what both have seen, by counting alone: two-sided. */
static double counting_p(const struct sums *sums, double dispersion)
{
    const double share = sums->size[STATISTICS_B] / (sums->size[STATISTICS_A] + sums->size[STATISTICS_B]);
    const double a = sums->count[STATISTICS_A] / dispersion, b = sums->count[STATISTICS_B] / dispersion;
    if (a + b <= 0)
        return 1;
    const double above = b > 0 ? tails_beta_below((struct tails_law){b, a + 1}, share) : 1;
    const double below = a > 0 ? tails_beta_below((struct tails_law){a, b + 1}, 1 - share) : 1;
    return fmin(1, 2 * fmin(above, below));
}

static void measure_way(struct arena *arena, struct way *way, double *residuals)
{
    struct statistics_measure *measure = &way->measure;
    struct sums sums = {.count = {0, 0}};
    struct scattering own = {.squares = 0};
    const struct scattering in_runs = scatter_in_runs(way);
    for (size_t g = 0; g < way->count; g++) {
        const struct group *group = &way->groups[g];
        if (way->paired)
            scatter_in_group(arena, group, &own);
        add_group(group, &sums);
        for (int side = 0; side < STATISTICS_SIDES; side++)
            measure->runs[side] += group->sides[side];
    }
    way->shared = dispersion_of(&in_runs);
    way->shared = isnan(way->shared) ? 1 : way->shared;
    if (way->paired)
        way->own = dispersion_of(&own);
    measure->paired = way->paired;
    measure->dispersion = way->paired && !isnan(way->own) ? way->own : way->shared;
    measure->lag = lag_of(way->paired && !isnan(way->own) ? &own : &in_runs);
    for (int side = 0; side < STATISTICS_SIDES; side++) {
        measure->count[side] = (uint64_t)sums.count[side];
        measure->size[side] = sums.size[side];
    }
    measure->p_counting = counting_p(&sums, measure->dispersion);
    if (measure->runs[STATISTICS_A] == 0 || measure->runs[STATISTICS_B] == 0)
        return;
    if (way->paired)
        compare_blocks(way);
    else
        compare_totals(way, &sums);
    measure_scatter(arena, way, residuals);
}

/* What has three runs of the baseline goes before what has fewer; then what counting and batches blur less. */
static bool is_better(const struct statistics_measure *pairs, const struct statistics_measure *all)
{
    enum { ENOUGH = 3 };
    const bool few = pairs->runs[STATISTICS_A] < ENOUGH, few_of_all = all->runs[STATISTICS_A] < ENOUGH;
    if (few != few_of_all)
        return !few;
    return pairs->batches[STATISTICS_A] + pairs->batches[STATISTICS_B] <=
           all->batches[STATISTICS_A] + all->batches[STATISTICS_B];
}

static void forget(double *residuals, size_t count)
{
    for (size_t i = 0; residuals && i < count; i++)
        residuals[i] = NAN;
}

void statistics_measure(const struct statistics_run *runs, size_t count, struct statistics_measure *measure,
                        double *residuals)
{
    struct arena arena = {0};
    struct way all = {.own = NAN}, pairs = {.own = NAN};
    forget(residuals, count);
    use_all(&arena, runs, count, &all);
    use_pairs(&arena, &all, &pairs);
    if (pairs.count > 0)
        measure_way(&arena, &pairs, residuals);
    all.own = pairs.own;
    struct statistics_measure *better = &pairs.measure;
    double *others = residuals ? arena_take(&arena, count, sizeof *others) : NULL;
    forget(others, count);
    measure_way(&arena, &all, others);
    if (pairs.count == 0 || !is_better(&pairs.measure, &all.measure)) {
        better = &all.measure;
        for (size_t i = 0; residuals && i < count; i++)
            residuals[i] = others[i];
    }
    *measure = *better;
    arena_release(&arena);
}
