// SPDX-License-Identifier: Apache-2.0
/* The outcomes and shares of a pair of samples: each is a question, measured over runs and over batches. And pairs whose sides ran
 * different kernels: a changed generator changes rates just as a changed driver does, so nothing is decided for them, unless
 * kernels differ by nature or were chosen. */
#include <math.h>
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

/* Whether a side's batches took long enough, most of them, for their time to be more than that of a launch. */
static bool is_timed(const struct sample *sample, const struct sample_outcome *time)
{
    size_t batches = 0, longer = 0;
    for (size_t r = 0; r < sample->run_count; r++) {
        for (size_t i = 0; i < sample->runs[r].batch_count; i++) {
            batches += sample->runs[r].launched[i] > 0;
            longer += sample->runs[r].launched[i] > 0 && time->counts[r][i] > SAMPLE_LEAST_TIME;
        }
    }
    return 2 * longer > batches;
}

static bool same_devices(const struct sample *a, const struct sample *b)
{
    return strcmp(a->row.backend, b->row.backend) == 0 && strcmp(a->row.device, b->row.device) == 0;
}

/* The slower side must be timed, since of the other one knows that it is at most that slow; and two devices take other times
 * without any news. */
static bool is_time_asked(const struct sample_pair *pair, const struct sample_outcome *const time[SIDES])
{
    const struct sample *const *sample = pair->sample;
    if (!time[SIDE_A] || !time[SIDE_B] || !same_devices(sample[SIDE_A], sample[SIDE_B]))
        return false;
    const bool b_is_slower = per_instance(time[SIDE_B]->count, sample[SIDE_B]->launched) >
                             per_instance(time[SIDE_A]->count, sample[SIDE_A]->launched);
    return is_timed(sample[b_is_slower], time[b_is_slower]);
}

/* Whether a question has an answer: both sides have instances, and one has sightings. */
static bool is_asked(const struct sample_pair *pair, const struct sample_outcome *const outcome[SIDES])
{
    const enum sample_measure of = outcome[SIDE_A] ? outcome[SIDE_A]->of : outcome[SIDE_B]->of;
    return (is_seen(outcome[SIDE_A]) || is_seen(outcome[SIDE_B])) && sample_size(pair->sample[SIDE_A], of) > 0 &&
           sample_size(pair->sample[SIDE_B], of) > 0 && (of != SAMPLE_TIME || is_time_asked(pair, outcome));
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
                                                 .arguments = run->arguments,
                                                 .sizes = sample_sizes(run, rate->outcome->of),
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
        rate->counted[side] = sample_size(pair->sample[side], rate->outcome->of);
        rate->spread[side] = sample_spread(pair->sample[side], outcome[side]);
    }
    for (int side = 0; side < SIDES; side++)
        if (rate->count[side] == 0)
            rate->expected = per_instance(rate->count[1 - side], rate->counted[1 - side]) * (double)rate->counted[side];
    measure_runs(comparison, pair, outcome, rate);
    rate->ratio = (struct statistics_ratio){.ratio = exp(rate->measure.log_ratio), .interval = {0, INFINITY}};
    rate->within = (struct statistics_test){.method = STATISTICS_NONE, .p = 1, .smallest_p = 1};
    if (!comparison->options.runs_alone && rate->outcome->of != SAMPLE_TIME)
        compare_within_runs(&comparison->options, pair, outcome, rate);
}

/* Outcomes or shares of a sample, sorted by label. */
struct labelled {
    const struct sample_outcome *list;
    size_t count;
};

static size_t measure_all(struct comparison *comparison, const struct sample_pair *pair,
                          const struct labelled of[SIDES], struct rate *rates)
{
    const struct labelled *a = &of[SIDE_A], *b = &of[SIDE_B];
    size_t count = 0;
    for (size_t i = 0, j = 0; i < a->count || j < b->count;) {
        const int order = i == a->count ? 1 : j == b->count ? -1 : strcmp(a->list[i].label, b->list[j].label);
        const struct sample_outcome *outcome[SIDES] = {order <= 0 ? &a->list[i++] : NULL,
                                                       order >= 0 ? &b->list[j++] : NULL};
        if (is_asked(pair, outcome))
            measure_rate(comparison, pair, outcome, &rates[count++]);
    }
    return count;
}

void compare_pair(struct comparison *comparison, struct sample_pair *pair)
{
    const struct sample *a = pair->sample[SIDE_A], *b = pair->sample[SIDE_B];
    const struct labelled outcomes[SIDES] = {{a->outcomes, a->outcome_count}, {b->outcomes, b->outcome_count}};
    const struct labelled shares[SIDES] = {{a->shares, a->share_count}, {b->shares, b->share_count}};
    pair->rates = arena_take(&comparison->arena, a->outcome_count + b->outcome_count + a->share_count + b->share_count,
                             sizeof *pair->rates);
    compare_match_draws(pair);
    pair->rate_count = measure_all(comparison, pair, outcomes, pair->rates);
    pair->question_count = pair->rate_count + measure_all(comparison, pair, shares, pair->rates + pair->rate_count);
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
        for (size_t r = 0; r < pair->question_count && pair->kernels == KERNELS_DIFFER; r++) {
            struct rate *rate = &pair->rates[r];
            rate->by_runs = rate->suspect = false;
            rate->adjusted = rate->within_adjusted = 1;
            rate->result = rate->count[SIDE_A] == 0   ? RATE_NEW_RARE
                           : rate->count[SIDE_B] == 0 ? RATE_LOST_RARE
                                                      : RATE_NOT_COMPARED;
            comparison->results[rate->result] += r < pair->rate_count;
        }
    }
}
