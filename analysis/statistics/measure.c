// SPDX-License-Identifier: Apache-2.0
/* Measures the rates of one outcome on two sides, run by run: which batches are used, how they scatter, and the
 * ratio. */
#include "analysis/statistics/runs.h"

/* A run and which of its batches are used. */
struct used_run {
    const struct statistics_run *run;
    size_t place; /* among the given runs */
    size_t *at;   /* positions of the batches */
    size_t batches;
    double count, size, squares; /* sums over these: sightings, instances, squares of the batches' instances */
};

/* Runs of equal draws. */
struct draw_group {
    uint64_t draws;
    struct used_run *members;
    size_t count;
    size_t sides[STATISTICS_SIDES];                                                   /* members of each */
    double seen[STATISTICS_SIDES], size[STATISTICS_SIDES], squares[STATISTICS_SIDES]; /* sums over these */
};

/* How far sightings in batches scatter about their expectation: Pearson's statistic, and its autocorrelation. */
struct scattering {
    double squares, freedom;                           /* of (seen - expected) / root of expected */
    double expected, expected_squares, expected_sizes; /* sums: of expectations, their squares, their products with
                                                        * sizes */
    double products, norms, neighbours;                /* products of neighbours in a run; their number */
};

/* The variance of batches beyond counting noise. */
struct variation {
    bool known;
    double excess;    /* excess of the dispersion over 1, per instance of a batch: large batches hold larger clumps */
    double inflation; /* because successive batches are correlated, this many are worth one */
};

/* One way of comparing: all batches, or draws that both sides have. */
struct design {
    struct draw_group *groups;
    size_t count;
    bool paired;
    struct variation shared, own; /* of the batches if draws differ; and beyond the effect of draws */
    struct statistics_measure measure;
};

/* ---- which batches of which runs a question is measured on ---- */

enum { FEWEST_DRAWS = 10 }; /* with fewer common draws, the effect of draws is not known well enough */

static void take_batch(struct used_run *used, size_t at)
{
    used->at[used->batches++] = at;
    used->count += used->run->counts ? (double)used->run->counts[at] : 0;
    used->size += (double)used->run->sizes[at];
    used->squares += (double)used->run->sizes[at] * (double)used->run->sizes[at];
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
    const size_t common = SUM_OF(size_t, each, a->at, a->batches,
                                 find_batch(b->run, a->run->numbers[*each], a->run->arguments[*each]) != SIZE_MAX);
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

/* All batches with counts, of runs grouped by their draws. */
static void use_all(struct arena *arena, const struct statistics_run *runs, size_t count, struct design *design)
{
    for (size_t i = 0; i < count; i++) {
        if (SUM_OF(double, size, runs[i].sizes, runs[i].batch_count, (double)*size) <= 0)
            continue;
        struct used_run used = {.run = &runs[i], .place = i};
        used.at = arena_take(arena, used.run->batch_count, sizeof *used.at);
        for (size_t b = 0; b < used.run->batch_count; b++)
            if (used.run->sizes[b] > 0)
                take_batch(&used, b);
        struct draw_group *group = group_of(arena, design, &used);
        group->sides[runs[i].side]++;
        ARENA_ADD(arena, group->members, group->count) = used;
    }
}

/* The draws that all members of a group have, except members that were cut short. False if there are too few. */
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

/* ---- how batches scatter about their expectation, and how much each depends on the one before ---- */

static double seen_in(const struct used_run *used, size_t batch)
{
    return used->run->counts ? (double)used->run->counts[used->at[batch]] : 0;
}

static double size_of(const struct used_run *used, size_t batch)
{
    return (double)used->run->sizes[used->at[batch]];
}

/* Adds a batch; *before is the deviation of the one before it, NAN for none. */
static void add_deviation(struct scattering *scattering, double seen, double expected, double size, double *before)
{
    if (expected <= 0)
        return;
    const double deviation = (seen - expected) / sqrt(expected);
    scattering->squares += deviation * deviation;
    scattering->expected += expected;
    scattering->expected_squares += expected * expected;
    scattering->expected_sizes += expected * size;
    if (!isnan(*before)) {
        scattering->products += deviation * *before;
        scattering->norms += (deviation * deviation + *before * *before) / 2;
        scattering->neighbours++;
    }
    *before = deviation;
}

/* The scatter of batches about the rate of their run, including the effect of draws. */
static struct scattering measure_scatter_in_runs(const struct design *design)
{
    struct scattering scattering = {.squares = 0};
    for (size_t g = 0; g < design->count; g++) {
        FOR_EACH(const struct used_run, used, design->groups[g].members, design->groups[g].count) {
            double before = NAN;
            if (used->count <= 0 || used->batches == 0)
                continue;
            for (size_t i = 0; i < used->batches; i++)
                add_deviation(&scattering, seen_in(used, i), used->count / used->size * size_of(used, i),
                              size_of(used, i), &before);
            scattering.freedom += (double)used->batches - 1;
        }
    }
    return scattering;
}

/* Adds the scatter of batches about the product of their run's rate and their draw's factor, so without the effect of
 * draws. */
static void measure_scatter_in_group(struct arena *arena, const struct draw_group *group, struct scattering *scattering)
{
    const size_t draws = group->members[0].batches;
    double *factor = arena_take(arena, draws, sizeof *factor);
    size_t columns = 0;
    const size_t rows = SUM_OF(size_t, member, group->members, group->count, member->count > 0);
    if (rows < 2 || draws < 2)
        return;
    for (size_t i = 0; i < draws; i++) {
        double seen = 0, expected = 0;
        FOR_EACH(const struct used_run, used, group->members, group->count) {
            seen += seen_in(used, i);
            expected += used->count / used->size * size_of(used, i);
        }
        factor[i] = expected > 0 ? seen / expected : 0;
        columns += seen > 0;
    }
    FOR_EACH(const struct used_run, used, group->members, group->count) {
        double before = NAN;
        for (size_t i = 0; i < draws; i++)
            add_deviation(scattering, seen_in(used, i), used->count / used->size * size_of(used, i) * factor[i],
                          size_of(used, i), &before);
    }
    scattering->freedom += (double)(rows - 1) * (double)(columns > 0 ? columns - 1 : 0);
}

/* The variance of the logarithm of a group's ratio, as the ratios of its draws show it: counting, batches, and that a
 * draw may affect the sides differently. */
static double variance_over_draws(struct arena *arena, const struct draw_group *group)
{
    const size_t draws = group->members[0].batches;
    struct statistics_batch *sums[STATISTICS_SIDES];
    for (int side = 0; side < STATISTICS_SIDES; side++)
        sums[side] = arena_take(arena, draws, sizeof **sums);
    FOR_EACH(const struct used_run, used, group->members, group->count) {
        for (size_t i = 0; i < draws; i++) {
            sums[used->run->side][i].count += used->run->counts ? used->run->counts[used->at[i]] : 0;
            sums[used->run->side][i].n += used->run->sizes[used->at[i]];
        }
    }
    return statistics_pair_variance(sums[STATISTICS_A], sums[STATISTICS_B], draws);
}

/* The correlation of neighbours, 0 if chance explains it. */
static double measure_lag(const struct scattering *scattering)
{
    static const double most = 0.95;
    const double lag = scattering->norms > 0 ? scattering->products / scattering->norms : 0;
    return scattering->neighbours >= 10 && lag > 2 / sqrt(scattering->neighbours) ? fmin(lag, most) : 0;
}

static struct variation measure_variation(const struct scattering *scattering)
{
    const double lag = measure_lag(scattering), more = fmax(0, scattering->squares - scattering->freedom);
    struct variation variation = {.known = scattering->freedom > 0 && scattering->expected > 0,
                                  .inflation = (1 + lag) / (1 - lag)};
    if (variation.known)
        variation.excess = more / scattering->expected * scattering->expected_squares / scattering->expected_sizes;
    return variation;
}

/* 1 or more: this many sightings are worth one independent sighting, in batches of this size. */
static double measure_dispersion(const struct variation *variation, double size)
{
    return (1 + variation->excess * size) * variation->inflation;
}

/* ---- the ratio ---- */

/* Adds the members' sums to those of the group, or of all runs. */
static void add_group(const struct draw_group *group, struct draw_group *sums)
{
    for (size_t m = 0; m < group->count; m++) {
        sums->seen[group->members[m].run->side] += group->members[m].count;
        sums->size[group->members[m].run->side] += group->members[m].size;
        sums->squares[group->members[m].run->side] += group->members[m].squares;
    }
}

/* The sightings that a side would have if both sides were equal. */
static double expected_in(const struct draw_group *sums, int side)
{
    const double count = sums->seen[STATISTICS_A] + sums->seen[STATISTICS_B];
    return count * sums->size[side] / (sums->size[STATISTICS_A] + sums->size[STATISTICS_B]) + 0.5;
}

static double dispersion_in(const struct draw_group *sums, int side, const struct variation *variation)
{
    return measure_dispersion(variation, sums->squares[side] / sums->size[side]);
}

static double log_ratio_of(const struct draw_group *sums)
{
    return log((sums->seen[STATISTICS_B] + 0.5) / sums->size[STATISTICS_B]) -
           log((sums->seen[STATISTICS_A] + 0.5) / sums->size[STATISTICS_A]);
}

/* Blocks: each group of equal draws gives a ratio, weighted by its runs. */
static void compare_blocks(struct arena *arena, struct design *design)
{
    struct statistics_measure *measure = &design->measure;
    double weights = 0;
    FOR_EACH(const struct draw_group, group, design->groups, design->count) {
        const double a = (double)group->sides[STATISTICS_A], b = (double)group->sides[STATISTICS_B];
        const double weight = a * b / (a + b);
        weights += weight;
        measure->log_ratio += weight * log_ratio_of(group);
        double excess = variance_over_draws(arena, group);
        for (int side = 0; side < STATISTICS_SIDES; side++) {
            const double variance = dispersion_in(group, side, &design->own) / expected_in(group, side);
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
static void compare_totals(struct design *design, const struct draw_group *sums)
{
    struct statistics_measure *measure = &design->measure;
    measure->log_ratio = log_ratio_of(sums);
    for (int side = 0; side < STATISTICS_SIDES; side++) {
        const double groups = SUM_OF(double, group, design->groups, design->count, group->sides[side] > 0);
        const double runs = (double)measure->runs[side];
        measure->run_share += 1 / runs;
        const double shared = dispersion_in(sums, side, &design->shared);
        const double own = design->own.known ? fmin(shared, dispersion_in(sums, side, &design->own)) : 1;
        measure->batches[side] = (own + (shared - own) * runs / groups) / expected_in(sums, side);
    }
}

/* ---- between runs ---- */

static double log_rate(const struct used_run *used)
{
    return log((used->count + 0.5) / used->size);
}

/* Lists the runs of one side of a group, or of all groups (NULL); returns their number. */
static size_t list_peers(const struct design *design, int side, const struct draw_group *of,
                         const struct used_run **list)
{
    size_t count = 0;
    FOR_EACH(const struct draw_group, group, design->groups, design->count)
        for (size_t m = 0; m < group->count && (!of || of == group); m++)
            if (group->members[m].run->side == side)
                list[count++] = &group->members[m];
    return count;
}

/* Adds the scatter of peers, which differ only as runs do and, in all groups, by their draws. list: room for them. */
static void add_peers(struct design *design, int side, const struct draw_group *of, const struct used_run **list,
                      double *residuals)
{
    const struct variation *variation = of && design->own.known ? &design->own : &design->shared;
    struct statistics_measure *measure = &design->measure;
    const size_t count = list_peers(design, side, of, list);
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
        measure->scatter += residual * residual;
        if (residuals)
            residuals[list[i]->place] = residual;
    }
    measure->expected_scatter +=
        (double)(count - 1) * measure_dispersion(variation, squares_of_sizes / size) / (seen / (double)count + 0.5);
    measure->freedom += (double)(count - 1);
}

/* The deviations of the blocks' ratios from their mean are also variance between runs. */
static void add_blocks(struct design *design, double *residuals)
{
    struct statistics_measure *measure = &design->measure;
    FOR_EACH(const struct draw_group, group, design->groups, design->count) {
        const double a = (double)group->sides[STATISTICS_A], b = (double)group->sides[STATISTICS_B];
        const double off = log_ratio_of(group) - measure->log_ratio, weight = a * b / (a + b);
        measure->scatter += weight * off * off;
        for (int side = 0; side < STATISTICS_SIDES; side++)
            measure->expected_scatter += (1 - 1 / (double)design->count) * weight *
                                         dispersion_in(group, side, &design->own) / expected_in(group, side);
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
    for (int side = 0; side < STATISTICS_SIDES; side++) {
        bool single = !design->paired; /* every run of the side has its own draws */
        for (size_t g = 0; g < design->count; g++)
            single &= design->groups[g].sides[side] < 2;
        if (single)
            add_peers(design, side, NULL, list, residuals);
        for (size_t g = 0; g < design->count && !single; g++)
            add_peers(design, side, &design->groups[g], list, residuals);
        double low = INFINITY, high = -INFINITY;
        const size_t count = list_peers(design, side, NULL, list);
        for (size_t i = 0; i < count; i++) {
            low = fmin(low, log_rate(list[i]));
            high = fmax(high, log_rate(list[i]));
        }
        measure->span[side] = count > 0 ? exp(high - low) : 1;
    }
    if (design->paired && design->count > 1)
        add_blocks(design, residuals);
    measure->scatter = measure->freedom > 0 ? measure->scatter / measure->freedom : 0;
    measure->expected_scatter = measure->freedom > 0 ? measure->expected_scatter / measure->freedom : 0;
}

/* ---- one method, and the better of two ---- */

/* The two-sided p of one side's sightings, given the sum of both, by counting alone. */
static double counting_p(const struct draw_group *sums, const struct variation *variation)
{
    double worth[STATISTICS_SIDES], size[STATISTICS_SIDES];
    for (int side = 0; side < STATISTICS_SIDES; side++) {
        const double dispersion = dispersion_in(sums, side, variation);
        worth[side] = sums->seen[side] / dispersion;
        size[side] = sums->size[side] / dispersion;
    }
    const double share = size[STATISTICS_B] / (size[STATISTICS_A] + size[STATISTICS_B]);
    const double a = worth[STATISTICS_A], b = worth[STATISTICS_B];
    if (a + b <= 0)
        return 1;
    const double above = b > 0 ? tails_beta_below(b, a + 1, share) : 1;
    const double below = a > 0 ? tails_beta_below(a, b + 1, 1 - share) : 1;
    return fmin(1, 2 * fmin(above, below));
}

/* The draws of the side that has fewer, if they are too few: runs that share them do not show how much draws differ,
 * and neither do so few batches. 0: there are enough, or each run has its own, so that the scatter of runs includes
 * them. */
static size_t count_few_draws(const struct design *design)
{
    enum { ENOUGH = 5 }; /* with 3, an interval of 95 % covers 86 to 91 % */
    size_t least = ENOUGH;
    for (int side = 0; side < STATISTICS_SIDES; side++) {
        size_t draws = 0;
        bool own = design->measure.freedom > 0;
        FOR_EACH(const struct draw_group, group, design->groups, design->count) {
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
    struct draw_group sums = {.draws = 0}; /* of all runs */
    struct scattering own = {.squares = 0};
    const struct scattering in_runs = measure_scatter_in_runs(design);
    FOR_EACH(struct draw_group, group, design->groups, design->count) {
        if (design->paired)
            measure_scatter_in_group(arena, group, &own);
        add_group(group, group);
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
        measure->count[side] = (uint64_t)sums.seen[side];
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

/* Prefers the measure with three runs of the baseline, then the one with less variance from counting and batches. */
static bool is_better(const struct statistics_measure *pairs, const struct statistics_measure *all)
{
    enum { ENOUGH = 3 };
    const bool few = pairs->runs[STATISTICS_A] < ENOUGH, few_of_all = all->runs[STATISTICS_A] < ENOUGH;
    if (few != few_of_all)
        return !few;
    return pairs->batches[STATISTICS_A] + pairs->batches[STATISTICS_B] <=
           all->batches[STATISTICS_A] + all->batches[STATISTICS_B];
}

static void measure_forget(double *residuals, size_t count)
{
    for (size_t i = 0; residuals && i < count; i++)
        residuals[i] = NAN;
}

void statistics_measure(const struct statistics_run *runs, size_t count, struct statistics_measure *measure,
                        double *residuals)
{
    LOCAL(arena) arena = {0};
    struct design all = {.count = 0}, pairs = {.count = 0};
    measure_forget(residuals, count);
    use_all(&arena, runs, count, &all);
    /* For the groups with runs of both sides, the draws that all these runs have; no group if there are too few. */
    pairs.paired = true;
    FOR_EACH(const struct draw_group, from, all.groups, all.count) {
        struct draw_group group;
        if (from->sides[STATISTICS_A] > 0 && from->sides[STATISTICS_B] > 0 && use_common(&arena, from, &group))
            ARENA_ADD(&arena, pairs.groups, pairs.count) = group;
    }
    if (pairs.count > 0)
        measure_design(&arena, &pairs, residuals);
    all.own = pairs.own; /* known only from the pairs */
    struct statistics_measure *better = &pairs.measure;
    double *others = residuals ? arena_take(&arena, count, sizeof *others) : NULL;
    measure_forget(others, count);
    measure_design(&arena, &all, others);
    if (pairs.count == 0 || !is_better(&pairs.measure, &all.measure)) {
        better = &all.measure;
        for (size_t i = 0; residuals && i < count; i++)
            residuals[i] = others[i];
    }
    *measure = *better;
}
