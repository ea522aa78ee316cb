// SPDX-License-Identifier: Apache-2.0
/* How similar two sides are, for each device and driver. */
#include <math.h>

#include "analysis/compare/compare_parts.h"
#include "base/memory.h"

static bool is_of(const struct fingerprint *print, const struct sample_pair *pair)
{
    return sample_same_device(print->sample[SIDE_A], pair->sample[SIDE_A]) &&
           sample_same_device(print->sample[SIDE_B], pair->sample[SIDE_B]);
}

/* Fewer sightings of a test, on both sides together, say more about chance than about a driver. */
static const uint64_t fewest_sightings = 12;

/* The scale that gives every test the same weight: 1 over the length of its part of both vectors; 0
 * for a test that is left out. */
static double scale_of(const struct sample_pair *pair)
{
    uint64_t seen = 0;
    double squares = 0;
    for (size_t r = 0; r < pair->rate_count; r++) {
        const struct rate *rate = &pair->rates[r];
        if (!compare_shows_weakness(rate->outcome))
            continue;
        for (int side = 0; side < SIDES; side++) {
            seen += rate->count[side];
            squares += pow((double)rate->count[side] / (double)rate->counted[side], 2);
        }
    }
    return seen >= fewest_sightings ? 1 / sqrt(squares) : 0;
}

static void add_draws(const struct sample_pair *pair, const struct rate *rate, double scale,
                      struct statistics_likeness *likeness)
{
    const struct sample_outcome *outcome[SIDES];
    struct statistics_batch *draws[SIDES];
    for (int side = 0; side < SIDES; side++) {
        outcome[side] = sample_outcome(pair->sample[side], rate->outcome->label);
        draws[side] = memory_take(pair->equal_draws, sizeof *draws[side]);
    }
    const size_t count = compare_list_draws(pair, outcome, draws);
    for (size_t i = 0; i < count; i++)
        statistics_add_entry(likeness, scale * (double)draws[SIDE_A][i].count / (double)draws[SIDE_A][i].n,
                             scale * (double)draws[SIDE_B][i].count / (double)draws[SIDE_B][i].n);
    free(draws[SIDE_A]);
    free(draws[SIDE_B]);
}

static void measure_likeness(const struct comparison *comparison, struct fingerprint *print)
{
    struct statistics_likeness rates = {0}, draws = {0};
    for (size_t i = 0; i < comparison->pair_count; i++) {
        const struct sample_pair *pair = &comparison->pairs[i];
        const double scale = is_of(print, pair) ? scale_of(pair) : 0;
        if (scale <= 0)
            continue;
        for (size_t r = 0; r < pair->rate_count; r++) {
            const struct rate *rate = &pair->rates[r];
            if (!compare_shows_weakness(rate->outcome))
                continue;
            print->entries++;
            statistics_add_entry(&rates, scale * (double)rate->count[SIDE_A] / (double)rate->counted[SIDE_A],
                                 scale * (double)rate->count[SIDE_B] / (double)rate->counted[SIDE_B]);
            if (pair->paired)
                add_draws(pair, rate, scale / sqrt((double)pair->equal_draws), &draws);
        }
        print->tests++;
        print->equal_tests += pair->paired;
        print->draws += pair->paired ? pair->equal_draws : 0;
    }
    print->similarity = statistics_cosine(&rates);
    print->draw_similarity = statistics_cosine(&draws);
}

void compare_fingerprints(struct comparison *comparison)
{
    for (size_t i = 0; i < comparison->pair_count; i++) {
        const struct sample_pair *pair = &comparison->pairs[i];
        bool known = false;
        for (size_t f = 0; f < comparison->fingerprint_count; f++)
            known |= is_of(&comparison->fingerprints[f], pair);
        if (known)
            continue;
        ARENA_ADD(&comparison->arena, comparison->fingerprints, comparison->fingerprint_count) =
            (struct fingerprint){.sample = {pair->sample[SIDE_A], pair->sample[SIDE_B]}};
        measure_likeness(comparison, &comparison->fingerprints[comparison->fingerprint_count - 1]);
    }
}
