// SPDX-License-Identifier: Apache-2.0
/* Measures the rates of one outcome on two sides, run by run. */
#include <math.h>

#include "analysis/statistics/measure_parts.h"
#include "analysis/statistics/tails.h"

/* ---- the ratio ---- */

struct side_sums {
    double count[STATISTICS_SIDES], size[STATISTICS_SIDES];
    double squares[STATISTICS_SIDES]; /* of the sizes of batches */
};

static void add_group(const struct draw_group *group, struct side_sums *sums)
{
    for (size_t m = 0; m < group->count; m++) {
        sums->count[group->members[m].run->side] += group->members[m].count;
        sums->size[group->members[m].run->side] += group->members[m].size;
        sums->squares[group->members[m].run->side] += group->members[m].squares;
    }
}

/* The sightings that a side would have if both sides were equal. */
static double expected_in(const struct side_sums *sums, int side)
{
    const double count = sums->count[STATISTICS_A] + sums->count[STATISTICS_B];
    return count * sums->size[side] / (sums->size[STATISTICS_A] + sums->size[STATISTICS_B]) + 0.5;
}

static double dispersion_in(const struct side_sums *sums, int side, const struct variation *variation)
{
    return measure_dispersion(variation, sums->squares[side] / sums->size[side]);
}

static double log_ratio_of(const struct side_sums *sums)
{
    return log((sums->count[STATISTICS_B] + 0.5) / sums->size[STATISTICS_B]) -
           log((sums->count[STATISTICS_A] + 0.5) / sums->size[STATISTICS_A]);
}

/* Blocks: each group of equal draws gives a ratio, weighted by its runs. */
static void compare_blocks(struct arena *arena, struct design *design)
{
    struct statistics_measure *measure = &design->measure;
    double weights = 0;
    for (size_t g = 0; g < design->count; g++) {
        const struct draw_group *group = &design->groups[g];
        const double a = (double)group->sides[STATISTICS_A], b = (double)group->sides[STATISTICS_B];
        const double weight = a * b / (a + b);
        struct side_sums sums = {.count = {0, 0}};
        add_group(group, &sums);
        weights += weight;
        measure->log_ratio += weight * log_ratio_of(&sums);
        double excess = measure_variance_over_draws(arena, group);
        for (int side = 0; side < STATISTICS_SIDES; side++) {
            const double variance = dispersion_in(&sums, side, &design->own) / expected_in(&sums, side);
            measure->batches[side] += weight * weight * variance;
            excess -= variance;
        }
        measure->draws += weight * weight * fmax(0, excess);
    }
    measure->log_ratio /= weights;
    measure->run_share = 1 / weights;
    for (int side = 0; side < STATISTICS_SIDES; side++)
        measure->batches[side] /= weights * weights;
    measure->draws /= weights * weights;
}

/* All against all: runs with equal draws share the effect of draws on a rate. */
static void compare_totals(struct design *design, const struct side_sums *sums)
{
    struct statistics_measure *measure = &design->measure;
    measure->log_ratio = log_ratio_of(sums);
    for (int side = 0; side < STATISTICS_SIDES; side++) {
        double groups = 0;
        for (size_t g = 0; g < design->count; g++)
            groups += design->groups[g].sides[side] > 0;
        const double runs = (double)measure->runs[side];
        measure->run_share += 1 / runs;
        const double shared = dispersion_in(sums, side, &design->shared);
        const double own = design->own.known ? fmin(shared, dispersion_in(sums, side, &design->own)) : 1;
        measure->batches[side] = (own + (shared - own) * runs / groups) / expected_in(sums, side);
    }
}

/* ---- between runs ---- */

/* Runs of one side that differ only as runs do, and by their draws if those are not equal. */
struct peers {
    int side;
    const struct draw_group *group; /* NULL: of all groups */
    const struct variation *variation;
};

static double log_rate(const struct used_run *used)
{
    return log((used->count + 0.5) / used->size);
}

/* Lists the peers; returns their number. */
static size_t list_peers(const struct design *design, const struct peers *peers, const struct used_run **list)
{
    size_t count = 0;
    for (size_t g = 0; g < design->count; g++) {
        const struct draw_group *group = &design->groups[g];
        for (size_t m = 0; m < group->count && (!peers->group || peers->group == group); m++)
            if (group->members[m].run->side == peers->side)
                list[count++] = &group->members[m];
    }
    return count;
}

static void add_peers(const struct design *design, const struct peers *peers, const struct used_run **list,
                      double *squares, double *expected, struct statistics_measure *measure, double *residuals)
{
    const size_t count = list_peers(design, peers, list);
    double mean = 0, seen = 0, size = 0, squares_of_sizes = 0;
    for (size_t i = 0; i < count; i++) {
        mean += log_rate(list[i]) / (double)count;
        seen += list[i]->count;
        size += list[i]->size;
        squares_of_sizes += list[i]->squares;
    }
    if (count < 2 || seen <= 0) /* runs without sightings say nothing */
        return;
    for (size_t i = 0; i < count; i++) {
        const double residual = log_rate(list[i]) - mean;
        *squares += residual * residual;
        if (residuals)
            residuals[list[i]->place] = residual;
    }
    *expected += (double)(count - 1) * measure_dispersion(peers->variation, squares_of_sizes / size) /
                 (seen / (double)count + 0.5);
    measure->freedom += (double)(count - 1);
}

/* The deviations of the blocks' ratios from their mean are also variance between runs. */
static void add_blocks(const struct design *design, double *squares, double *expected,
                       struct statistics_measure *measure, double *residuals)
{
    for (size_t g = 0; g < design->count; g++) {
        const struct draw_group *group = &design->groups[g];
        const double a = (double)group->sides[STATISTICS_A], b = (double)group->sides[STATISTICS_B];
        struct side_sums sums = {.count = {0, 0}};
        add_group(group, &sums);
        const double off = log_ratio_of(&sums) - measure->log_ratio, weight = a * b / (a + b);
        *squares += weight * off * off;
        for (int side = 0; side < STATISTICS_SIDES; side++)
            *expected += (1 - 1 / (double)design->count) * weight * dispersion_in(&sums, side, &design->own) /
                         expected_in(&sums, side);
        for (size_t m = 0; m < group->count && residuals; m++) {
            double *residual = &residuals[group->members[m].place];
            *residual = isnan(*residual) ? 0 : *residual;
            *residual += group->members[m].run->side == STATISTICS_B ? off * a / (a + b) : -off * b / (a + b);
        }
    }
    measure->freedom += (double)design->count - 1;
}

static void measure_scatter(struct arena *arena, struct design *design, double *residuals)
{
    struct statistics_measure *measure = &design->measure;
    const struct used_run **list =
        arena_take(arena, measure->runs[STATISTICS_A] + measure->runs[STATISTICS_B], sizeof *list);
    const struct variation *own = design->own.known ? &design->own : &design->shared;
    double squares = 0, expected = 0;
    for (int side = 0; side < STATISTICS_SIDES; side++) {
        bool single = !design->paired; /* every run of the side has its own draws */
        for (size_t g = 0; g < design->count; g++)
            single &= design->groups[g].sides[side] < 2;
        if (single)
            add_peers(design, &(struct peers){side, NULL, &design->shared}, list, &squares, &expected, measure,
                      residuals);
        for (size_t g = 0; g < design->count && !single; g++)
            add_peers(design, &(struct peers){side, &design->groups[g], own}, list, &squares, &expected, measure,
                      residuals);
        double low = INFINITY, high = -INFINITY;
        const size_t count = list_peers(design, &(struct peers){side, NULL, NULL}, list);
        for (size_t i = 0; i < count; i++) {
            low = fmin(low, log_rate(list[i]));
            high = fmax(high, log_rate(list[i]));
        }
        measure->span[side] = count > 0 ? exp(high - low) : 1;
    }
    if (design->paired && design->count > 1)
        add_blocks(design, &squares, &expected, measure, residuals);
    measure->scatter = measure->freedom > 0 ? squares / measure->freedom : 0;
    measure->expected_scatter = measure->freedom > 0 ? expected / measure->freedom : 0;
}

/* ---- one method, and the better of two ---- */

/* The two-sided p of one side's sightings, given the sum of both, by counting alone. */
static double counting_p(const struct side_sums *sums, const struct variation *variation)
{
    double worth[STATISTICS_SIDES], size[STATISTICS_SIDES];
    for (int side = 0; side < STATISTICS_SIDES; side++) {
        const double dispersion = dispersion_in(sums, side, variation);
        worth[side] = sums->count[side] / dispersion;
        size[side] = sums->size[side] / dispersion;
    }
    const double share = size[STATISTICS_B] / (size[STATISTICS_A] + size[STATISTICS_B]);
    const double a = worth[STATISTICS_A], b = worth[STATISTICS_B];
    if (a + b <= 0)
        return 1;
    const double above = b > 0 ? tails_beta_below((struct tails_law){b, a + 1}, share) : 1;
    const double below = a > 0 ? tails_beta_below((struct tails_law){a, b + 1}, 1 - share) : 1;
    return fmin(1, 2 * fmin(above, below));
}

/* The draws of the side that has fewer, if they are too few: runs that share them do not show how much draws differ, and
 * neither do so few batches. 0: there are enough, or each run has its own, so that the scatter of runs includes them. */
static size_t count_few_draws(const struct design *design)
{
    enum { ENOUGH = 5 }; /* with 3, an interval of 95 % covers 86 to 91 % */
    size_t least = ENOUGH;
    for (int side = 0; side < STATISTICS_SIDES; side++) {
        size_t draws = 0;
        bool own = design->measure.freedom > 0;
        for (size_t g = 0; g < design->count; g++) {
            const struct draw_group *group = &design->groups[g];
            size_t most = 0;
            for (size_t m = 0; m < group->count; m++)
                if (group->members[m].run->side == side && group->members[m].batches > most)
                    most = group->members[m].batches;
            draws += most;
            own &= group->sides[side] < 2;
        }
        least = !own && draws < least ? draws : least;
    }
    return least < ENOUGH ? least : 0;
}

static void measure_design(struct arena *arena, struct design *design, double *residuals)
{
    struct statistics_measure *measure = &design->measure;
    struct side_sums sums = {.count = {0, 0}};
    struct scattering own = {.squares = 0};
    const struct scattering in_runs = measure_scatter_in_runs(design);
    for (size_t g = 0; g < design->count; g++) {
        const struct draw_group *group = &design->groups[g];
        if (design->paired)
            measure_scatter_in_group(arena, group, &own);
        add_group(group, &sums);
        for (int side = 0; side < STATISTICS_SIDES; side++)
            measure->runs[side] += group->sides[side];
    }
    design->shared = measure_variation(&in_runs);
    if (design->paired)
        design->own = measure_variation(&own);
    if (design->paired && !design->own.known)
        design->own = design->shared;
    const struct variation *variation = design->paired ? &design->own : &design->shared;
    measure->paired = design->paired;
    measure->lag = measure_lag(design->paired && own.freedom > 0 ? &own : &in_runs);
    for (int side = 0; side < STATISTICS_SIDES; side++) {
        measure->count[side] = (uint64_t)sums.count[side];
        measure->size[side] = sums.size[side];
    }
    if (measure->runs[STATISTICS_A] == 0 || measure->runs[STATISTICS_B] == 0) {
        measure->p_counting = measure->dispersion = 1;
        return;
    }
    measure->dispersion = dispersion_in(&sums, STATISTICS_B, variation);
    measure->p_counting = counting_p(&sums, variation);
    if (design->paired)
        compare_blocks(arena, design);
    else
        compare_totals(design, &sums);
    measure_scatter(arena, design, residuals);
    measure->few_draws = design->paired ? 0 : count_few_draws(design);
}

/* Prefers the measure with three runs of the baseline, then the one with less variance from
 * counting and batches. */
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
    struct design all = {.count = 0}, pairs = {.count = 0};
    forget(residuals, count);
    measure_use_all(&arena, runs, count, &all);
    measure_use_pairs(&arena, &all, &pairs);
    if (pairs.count > 0)
        measure_design(&arena, &pairs, residuals);
    all.own = pairs.own; /* known only from the pairs */
    struct statistics_measure *better = &pairs.measure;
    double *others = residuals ? arena_take(&arena, count, sizeof *others) : NULL;
    forget(others, count);
    measure_design(&arena, &all, others);
    if (pairs.count == 0 || !is_better(&pairs.measure, &all.measure)) {
        better = &all.measure;
        for (size_t i = 0; residuals && i < count; i++)
            residuals[i] = others[i];
    }
    *measure = *better;
    arena_release(&arena);
}
