// SPDX-License-Identifier: Apache-2.0
/* How batches scatter about their expectation, and how much each depends on the one before. */
#include <math.h>

#include "analysis/statistics/measure_parts.h"

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

struct scattering measure_scatter_in_runs(const struct design *design)
{
    struct scattering scattering = {.squares = 0};
    for (size_t g = 0; g < design->count; g++) {
        for (size_t m = 0; m < design->groups[g].count; m++) {
            const struct used_run *used = &design->groups[g].members[m];
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

void measure_scatter_in_group(struct arena *arena, const struct draw_group *group, struct scattering *scattering)
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
            const struct used_run *used = &group->members[m];
            seen += seen_in(used, i);
            expected += used->count / used->size * size_of(used, i);
        }
        factor[i] = expected > 0 ? seen / expected : 0;
        columns += seen > 0;
    }
    for (size_t m = 0; m < group->count; m++) {
        const struct used_run *used = &group->members[m];
        double before = NAN;
        for (size_t i = 0; i < draws; i++)
            add_deviation(scattering, seen_in(used, i), used->count / used->size * size_of(used, i) * factor[i],
                          size_of(used, i), &before);
    }
    scattering->freedom += (double)(rows - 1) * (double)(columns > 0 ? columns - 1 : 0);
}

double measure_variance_over_draws(struct arena *arena, const struct draw_group *group)
{
    const size_t draws = group->members[0].batches;
    struct statistics_batch *sums[STATISTICS_SIDES];
    for (int side = 0; side < STATISTICS_SIDES; side++)
        sums[side] = arena_take(arena, draws, sizeof **sums);
    for (size_t m = 0; m < group->count; m++) {
        const struct used_run *used = &group->members[m];
        for (size_t i = 0; i < draws; i++) {
            sums[used->run->side][i].count += used->run->counts ? used->run->counts[used->at[i]] : 0;
            sums[used->run->side][i].n += used->run->sizes[used->at[i]];
        }
    }
    return statistics_pair_variance(sums[STATISTICS_A], sums[STATISTICS_B], draws);
}

/* Only a correlation that chance does not explain counts. */
double measure_lag(const struct scattering *scattering)
{
    static const double most = 0.95;
    const double lag = scattering->norms > 0 ? scattering->products / scattering->norms : 0;
    return scattering->neighbours >= 10 && lag > 2 / sqrt(scattering->neighbours) ? fmin(lag, most) : 0;
}

struct variation measure_variation(const struct scattering *scattering)
{
    const double lag = measure_lag(scattering), more = fmax(0, scattering->squares - scattering->freedom);
    struct variation variation = {.known = scattering->freedom > 0 && scattering->expected > 0,
                                  .inflation = (1 + lag) / (1 - lag)};
    if (variation.known)
        variation.excess = more / scattering->expected * scattering->expected_squares / scattering->expected_sizes;
    return variation;
}

double measure_dispersion(const struct variation *variation, double size)
{
    return (1 + variation->excess * size) * variation->inflation;
}
