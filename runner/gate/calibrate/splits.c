// SPDX-License-Identifier: Apache-2.0
/* Ways to split runs, and the interval of the share of splits that fail. */
#include <math.h>
#include <stdlib.h>

#include "analysis/statistics/tails.h"
#include "base/memory.h"
#include "base/random.h"
#include "runner/gate/calibrate/calibrate_parts.h"

bool split_has(const struct split *split, size_t run, bool with_again)
{
    bool has = split->candidate == run;
    for (size_t i = 0; i < CALIBRATE_BASELINE; i++)
        has |= split->baseline[i] == run;
    for (size_t i = 0; with_again && i < CALIBRATE_AGAIN; i++)
        has |= split->again[i] == run;
    return has;
}

/* Three of the remaining runs, all equally likely. */
static void choose_again(struct split *split, size_t runs, struct random *random)
{
    size_t left = 0, wanted = CALIBRATE_AGAIN;
    for (size_t run = 0; run < runs; run++)
        left += !split_has(split, run, false);
    for (size_t run = 0; run < runs && wanted > 0; run++) {
        if (split_has(split, run, false))
            continue;
        if (random_below(random, (uint32_t)left) < wanted)
            split->again[CALIBRATE_AGAIN - wanted--] = run;
        left--;
    }
}

size_t splits_list(struct arena *arena, size_t runs, size_t most, uint64_t seed, struct split **splits, size_t *count)
{
    const size_t possible = runs * (runs - 1) * (runs - 2) / 6 * (runs - 3);
    struct random random = random_start(seed, 0, 0, 0);
    size_t left = possible, wanted = possible < most ? possible : most;
    *splits = arena_take(arena, wanted, sizeof **splits);
    *count = 0;
    for (size_t a = 0; a < runs; a++)
        for (size_t b = a + 1; b < runs; b++)
            for (size_t c = b + 1; c < runs; c++)
                for (size_t candidate = 0; candidate < runs; candidate++) {
                    if (candidate == a || candidate == b || candidate == c)
                        continue;
                    /* Each remaining one with equal probability (Knuth's algorithm S). */
                    if (random_below(&random, (uint32_t)left--) >= wanted)
                        continue;
                    wanted--;
                    struct split *split = &(*splits)[(*count)++];
                    *split = (struct split){.baseline = {a, b, c}, .candidate = candidate};
                    if (runs >= SPLIT_FEWEST_AGAIN)
                        choose_again(split, runs, &random);
                }
    return possible;
}

/* The share without one run; NAN if no split is left. */
static double share_without(const struct split *splits, const bool *fails, size_t count, size_t run, bool with_again)
{
    size_t left = 0, failing = 0;
    for (size_t i = 0; i < count; i++) {
        if (run != SIZE_MAX && split_has(&splits[i], run, with_again))
            continue;
        left++;
        failing += fails[i];
    }
    return left > 0 ? (double)failing / (double)left : NAN;
}

/* The variance of the share by the jackknife over runs; 0 if it says nothing. */
static double jackknife(const struct split *splits, const bool *fails, size_t count, size_t runs, bool with_again)
{
    double *shares = memory_take(runs, sizeof *shares), mean = 0, squares = 0;
    bool known = true;
    for (size_t run = 0; run < runs; run++) {
        shares[run] = share_without(splits, fails, count, run, with_again);
        known &= !isnan(shares[run]);
        mean += shares[run] / (double)runs;
    }
    for (size_t run = 0; run < runs; run++)
        squares += (shares[run] - mean) * (shares[run] - mean);
    free(shares);
    return known ? squares * (double)(runs - 1) / (double)runs : 0;
}

/* The x with probability p below it. Shapes below 1 occur because the equivalent numbers of splits
 * are not whole. */
static double beta_quantile(struct tails_law law, double p)
{
    double low = 0, high = 1;
    for (int i = 0; i < 60; i++) {
        const double middle = (low + high) / 2;
        if (tails_beta_below(law, middle) < p)
            low = middle;
        else
            high = middle;
    }
    return (low + high) / 2;
}

/* The Clopper-Pearson interval for a count that need not be whole. */
static struct interval exact_interval(double failing, double n, double confidence)
{
    const double tail = (1 - confidence) / 2;
    return (struct interval){failing > 0 ? beta_quantile((struct tails_law){failing, n - failing + 1}, tail) : 0,
                             failing < n ? beta_quantile((struct tails_law){failing + 1, n - failing}, 1 - tail) : 1};
}

void splits_share(const struct split *splits, const bool *fails, size_t count, size_t runs, bool with_again,
                  double confidence, struct calibration_share *share)
{
    *share = (struct calibration_share){.splits = count, .interval = {0, 1}};
    for (size_t i = 0; i < count; i++)
        share->failing += fails[i];
    if (count == 0)
        return;
    const double p = share->share = (double)share->failing / (double)count;
    const double variance = jackknife(splits, fails, count, runs, with_again);
    double worth = (double)runs;
    if (variance > 0)
        worth = fmin((double)count, fmax(1, p * (1 - p) / variance));
    share->interval = exact_interval(p * worth, worth, confidence);
}
