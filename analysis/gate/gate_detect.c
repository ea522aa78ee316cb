// SPDX-License-Identifier: Apache-2.0
/* Simulations of changes, and which of them are found. */
#include "analysis/gate/gate_detect.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"
#include "base/random.h"

static const double smallest_factor = 1.005, largest_factor = 100, precision = 1.02;

/* Uniform in (0, 1). */
static double uniform(struct random *random)
{
    return ((double)(random_next(random) >> 11) + 0.5) * 0x1p-53;
}

/* How many of count are kept, each with chance p: one by one where they are few, else by the normal approximation, whose
 * error is far below that of the simulation. */
static uint64_t thin(uint64_t count, double p, struct random *random)
{
    enum { FEW = 256 };
    uint64_t kept = 0;
    if (count <= FEW) {
        for (uint64_t i = 0; i < count; i++)
            kept += uniform(random) < p;
        return kept;
    }
    const double length = sqrt(-2 * log(uniform(random)));
    const double z = length * cos(2 * M_PI * uniform(random));
    const double drawn = round((double)count * p + z * sqrt((double)count * p * (1 - p)));
    return drawn <= 0 ? 0 : drawn >= (double)count ? count : (uint64_t)drawn;
}

struct simulating {
    const struct detect_options *options;
    struct statistics_batch *batches[SIDES];
};

/* Batches drawn again, with replacement; of one side, thinned. */
static void resample(const struct detect_data *data, int thinned, double factor, struct random *random,
                     struct statistics_batch *batches[SIDES])
{
    for (size_t i = 0; i < data->count[SIDE_A] || i < data->count[SIDE_B]; i++) {
        uint32_t at = 0;
        for (int side = 0; side < SIDES; side++) {
            if (i >= data->count[side])
                continue;
            if (side == SIDE_A || !data->paired || i >= data->count[SIDE_A])
                at = random_below(random, (uint32_t)data->count[side]);
            batches[side][i] = data->batches[side][at];
            if (side == thinned)
                batches[side][i].count = thin(batches[side][i].count, 1 / factor, random);
        }
    }
}

/* Whether a simulated change is found as a comparison finds it. */
static bool is_found(struct simulating *simulating, const struct detect_data *data, double factor,
                     struct random *random)
{
    const struct detect_options *options = simulating->options;
    const int thinned = (int)(random_next(random) & 1);
    resample(data, thinned, factor, random, simulating->batches);
    const struct statistics_batch *a = simulating->batches[SIDE_A], *b = simulating->batches[SIDE_B];
    const size_t a_count = data->count[SIDE_A], b_count = data->count[SIDE_B];
    const struct statistics_ratio ratio =
        statistics_rate_ratio(a, a_count, b, b_count, data->paired, options->confidence);
    const bool beyond =
        thinned == SIDE_B ? ratio.interval.high < 1 / options->tolerance : ratio.interval.low > options->tolerance;
    if (!beyond)
        return false;
    const struct statistics_test test = data->paired ? statistics_compare_pairs(a, b, a_count, options->seed)
                                                     : statistics_compare(a, a_count, b, b_count, options->seed);
    return test.p <= options->level;
}

/* The share of simulations that find a factor. Equal seeds make it a nearly monotone function of the factor. */
static double power_at(struct simulating *simulating, const struct detect_data *data, size_t count, double factor)
{
    const unsigned simulations = simulating->options->simulations;
    unsigned found = 0;
    for (unsigned i = 0; i < simulations; i++) {
        struct random random = random_start(simulating->options->seed, i, 0, 0);
        found += is_found(simulating, &data[i % count], factor, &random);
    }
    return (double)found / simulations;
}

static size_t most_batches(const struct detect_data *data, size_t count, int side)
{
    size_t most = 1;
    for (size_t i = 0; i < count; i++)
        most = data[i].count[side] > most ? data[i].count[side] : most;
    return most;
}

double gate_detect(const struct detect_data *data, size_t count, const struct detect_options *options)
{
    struct simulating simulating = {.options = options};
    double low = smallest_factor, high = INFINITY;
    for (int side = 0; side < SIDES; side++)
        simulating.batches[side] = memory_take(most_batches(data, count, side), sizeof *simulating.batches[side]);
    if (power_at(&simulating, data, count, largest_factor) >= options->power)
        high = largest_factor;
    while (isfinite(high) && high / low > precision) {
        const double middle = sqrt(low * high);
        if (power_at(&simulating, data, count, middle) >= options->power)
            high = middle;
        else
            low = middle;
    }
    free(simulating.batches[SIDE_A]);
    free(simulating.batches[SIDE_B]);
    return high;
}
