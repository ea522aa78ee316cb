// SPDX-License-Identifier: Apache-2.0
/* The outcomes of a pair of samples: each is a question, measured over runs and over batches. And pairs whose sides ran
 * different kernels: a changed generator changes rates just as a changed driver does, so nothing is decided for them, unless
 * kernels differ by nature or were chosen. */
#include <string.h>

#include "analysis/compare/compare_parts.h"

static double per_instance(uint64_t count, uint64_t counted)
{
    return counted > 0 ? (double)count / (double)counted : 0;
}

static bool is_seen(const struct sample_outcome *outcome)
{
    return outcome && outcome->count > 0;
}

/* A key and a seed determine the draws; keys are random enough that a product mixes them. */
static uint64_t draws_of(const struct sample_run *run)
{
    return run->key ^ (run->row->seed * UINT64_C(0x9E3779B97F4A7C15) + 1);
}

static void measure_runs(struct comparison *comparison, const struct sample_pair *pair,
                         const struct sample_outcome *const outcome[SIDES], struct rate *rate)
{
    const size_t count = pair->sample[SIDE_A]->run_count + pair->sample[SIDE_B]->run_count;
    struct arena scratch = {0};
    struct statistics_run *runs = arena_take(&scratch, count, sizeof *runs);
    double *residuals = arena_take(&comparison->arena, count, sizeof *residuals);
    size_t at = 0;
    for (int side = 0; side < SIDES; side++) {
        for (size_t i = 0; i < pair->sample[side]->run_count; i++) {
            const struct sample_run *run = &pair->sample[side]->runs[i];
            runs[at++] = (struct statistics_run){.side = side,
                                                 .draws = draws_of(run),
                                                 .batch_count = run->batch_count,
                                                 .numbers = run->numbers,
                                                 .sizes = run->counted,
                                                 .counts = outcome[side] ? outcome[side]->counts[i] : NULL};
        }
    }
    statistics_measure(runs, count, &rate->measure, residuals);
    rate->residuals = residuals;
    arena_release(&scratch);
}

static void measure_rate(struct comparison *comparison, const struct sample_pair *pair,
                         const struct sample_outcome *const outcome[SIDES], struct rate *rate)
{
    *rate = (struct rate){.outcome = outcome[is_seen(outcome[SIDE_B]) ? SIDE_B : SIDE_A]};
    for (int side = 0; side < SIDES; side++) {
        rate->count[side] = outcome[side] ? outcome[side]->count : 0;
        rate->counted[side] = pair->sample[side]->counted;
        rate->spread[side] = sample_spread(pair->sample[side], outcome[side]);
    }
    for (int side = 0; side < SIDES; side++)
        if (rate->count[side] == 0)
            rate->expected = per_instance(rate->count[1 - side], rate->counted[1 - side]) * (double)rate->counted[side];
    measure_runs(comparison, pair, outcome, rate);
    if (!comparison->options.runs_alone)
        compare_within_runs(&comparison->options, pair, outcome, rate);
}

/* Both samples have their outcomes sorted by label. */
void compare_pair(struct comparison *comparison, struct sample_pair *pair)
{
    const struct sample *a = pair->sample[SIDE_A], *b = pair->sample[SIDE_B];
    pair->rates = arena_take(&comparison->arena, a->outcome_count + b->outcome_count, sizeof *pair->rates);
    compare_match_draws(pair);
    for (size_t i = 0, j = 0; i < a->outcome_count || j < b->outcome_count;) {
        const int order = i == a->outcome_count   ? 1
                          : j == b->outcome_count ? -1
                                                  : strcmp(a->outcomes[i].label, b->outcomes[j].label);
        const struct sample_outcome *outcome[SIDES] = {order <= 0 ? &a->outcomes[i++] : NULL,
                                                       order >= 0 ? &b->outcomes[j++] : NULL};
        if ((is_seen(outcome[SIDE_A]) || is_seen(outcome[SIDE_B])) && a->counted > 0 && b->counted > 0)
            measure_rate(comparison, pair, outcome, &pair->rates[pair->rate_count++]);
    }
}

/* ---- kernels ---- */

/* The next run, from `*at` on, that has counts and a known kernel; NULL if there is none. */
static const struct store_job_row *next_row(const struct sample *sample, size_t *at)
{
    while (*at < sample->run_count) {
        const struct sample_run *run = &sample->runs[(*at)++];
        if (run->batch_count > 0 && *run->row->kernel_hash)
            return run->row;
    }
    return NULL;
}

void compare_find_kernels(struct sample_pair *pair)
{
    const struct store_job_row *first = NULL, *row;
    const struct sample *a = pair->sample[SIDE_A], *b = pair->sample[SIDE_B];
    bool differ = false;
    unsigned marks = 0;
    for (int side = 0; side < SIDES; side++) {
        for (size_t at = 0; (row = next_row(pair->sample[side], &at)) != NULL;) {
            first = first ? first : row;
            differ |= strcmp(row->kernel_hash, first->kernel_hash) != 0;
            marks |= row->marks;
        }
    }
    if (!differ)
        pair->kernels = KERNELS_EQUAL;
    else if (strcmp(a->row.backend, b->row.backend) != 0 || strcmp(a->row.device, b->row.device) != 0 ||
             strcmp(store_requested_lowering(&a->row), store_requested_lowering(&b->row)) != 0)
        pair->kernels = KERNELS_OF_DEVICES;
    else
        pair->kernels = marks & MARK_FROZEN ? KERNELS_REPLAYED : KERNELS_DIFFER;
}

void compare_leave_kernels(struct comparison *comparison)
{
    for (size_t i = 0; i < comparison->pair_count; i++) {
        const struct sample_pair *pair = &comparison->pairs[i];
        for (size_t r = 0; r < pair->rate_count && pair->kernels == KERNELS_DIFFER; r++) {
            struct rate *rate = &pair->rates[r];
            rate->by_runs = rate->suspect = false;
            rate->adjusted = rate->within_adjusted = 1;
            rate->result = rate->count[SIDE_A] == 0   ? RATE_NEW_RARE
                           : rate->count[SIDE_B] == 0 ? RATE_LOST_RARE
                                                      : RATE_NOT_COMPARED;
            comparison->results[rate->result]++;
        }
    }
}
