// SPDX-License-Identifier: Apache-2.0
/* The rates of a pair of samples: which batches belong together, the tests, and what they say. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/compare/compare_parts.h"
#include "base/memory.h"

/* Fewer pairs cannot say much (of 9 the smallest p is 1 / 256); the batches side against side can (of 9 and 9 1 / 24,310). */
static const size_t fewest_pairs = 10;

/* The batches of a pair that are tested: positions in each sample, partners at equal places if paired. */
struct chosen {
    size_t *position[SIDES];
    size_t count[SIDES];
    struct statistics_batch *batches[SIDES]; /* of the outcome under test */
};

static int compare_draws(const struct sample_batch *a, const struct sample_batch *b)
{
    return a->key != b->key         ? (a->key < b->key ? -1 : 1)
           : a->seed != b->seed     ? (a->seed < b->seed ? -1 : 1)
           : a->number != b->number ? (a->number < b->number ? -1 : 1)
                                    : 0;
}

static int compare_places(const void *left, const void *right)
{
    const struct sample_batch *const *a = left, *const *b = right;
    const int order = compare_draws(*a, *b);
    return order ? order : *a < *b ? -1 : *a > *b;
}

/* Pointers to the batches that counted something, in order of their draws. */
static const struct sample_batch **by_draw(struct arena *arena, const struct sample *sample, size_t *count)
{
    const struct sample_batch **order = arena_take(arena, sample->batch_count, sizeof *order);
    *count = 0;
    for (size_t i = 0; i < sample->batch_count; i++)
        if (sample->batches[i].counted > 0)
            order[(*count)++] = &sample->batches[i];
    if (*count > 0)
        qsort(order, *count, sizeof *order, compare_places);
    return order;
}

/* The pair's equal draws: partners in the orders of both sides. */
static void find_partners(struct pair *pair, const struct sample_batch **const order[SIDES], const size_t count[SIDES])
{
    for (size_t i = 0, j = 0; i < count[SIDE_A] && j < count[SIDE_B];) {
        const int draws = compare_draws(order[SIDE_A][i], order[SIDE_B][j]);
        if (draws == 0) {
            pair->partners[SIDE_A][pair->equal_draws] = (size_t)(order[SIDE_A][i] - pair->sample[SIDE_A]->batches);
            pair->partners[SIDE_B][pair->equal_draws++] = (size_t)(order[SIDE_B][j] - pair->sample[SIDE_B]->batches);
        }
        i += draws <= 0;
        j += draws >= 0;
    }
}

static void choose_batches(struct arena *lasting, struct arena *arena, struct pair *pair, struct chosen *chosen)
{
    const struct sample_batch **order[SIDES];
    const struct sample *a = pair->sample[SIDE_A], *b = pair->sample[SIDE_B];
    size_t *count = chosen->count;
    for (int side = 0; side < SIDES; side++) {
        order[side] = by_draw(arena, pair->sample[side], &count[side]);
        chosen->position[side] = arena_take(arena, count[side], sizeof(size_t));
        pair->partners[side] = arena_take(lasting, count[side], sizeof(size_t));
        chosen->batches[side] = arena_take(arena, count[side], sizeof(struct statistics_batch));
        for (size_t i = 0; i < count[side]; i++)
            chosen->position[side][i] = (size_t)(order[side][i] - pair->sample[side]->batches);
    }
    find_partners(pair, order, count);
    const size_t fewer = count[SIDE_A] < count[SIDE_B] ? count[SIDE_A] : count[SIDE_B];
    pair->all_equal = pair->equal_draws > 0 && 10 * pair->equal_draws >= 9 * fewer;
    pair->paired = pair->all_equal && pair->equal_draws >= fewest_pairs;
    if (fewer > 0)
        pair->size_ratio = (double)b->counted / (double)count[SIDE_B] / ((double)a->counted / (double)count[SIDE_A]);
    for (int side = 0; pair->paired && side < SIDES; side++) {
        chosen->position[side] = pair->partners[side];
        count[side] = pair->equal_draws;
    }
}

static double per_instance(uint64_t count, uint64_t counted)
{
    return counted > 0 ? (double)count / (double)counted : 0;
}

static bool is_seen(const struct sample_outcome *outcome)
{
    return outcome && outcome->count > 0;
}

static void test_rate(const struct compare_options *options, const struct pair *pair,
                      const struct sample_outcome *const outcome[SIDES], const struct chosen *chosen, struct rate *rate)
{
    *rate = (struct rate){.outcome = outcome[is_seen(outcome[SIDE_B]) ? SIDE_B : SIDE_A]};
    for (int side = 0; side < SIDES; side++) {
        const struct sample *sample = pair->sample[side];
        rate->count[side] = outcome[side] ? outcome[side]->count : 0;
        rate->counted[side] = sample->counted;
        rate->spread[side] = sample_spread(sample, outcome[side]);
        for (size_t i = 0; i < chosen->count[side]; i++) {
            const size_t position = chosen->position[side][i];
            chosen->batches[side][i] = (struct statistics_batch){outcome[side] ? outcome[side]->counts[position] : 0,
                                                                 sample->batches[position].counted};
        }
    }
    for (int side = 0; side < SIDES; side++)
        if (rate->count[side] == 0)
            rate->expected = per_instance(rate->count[1 - side], rate->counted[1 - side]) * (double)rate->counted[side];
    const struct statistics_batch *a = chosen->batches[SIDE_A], *b = chosen->batches[SIDE_B];
    const size_t a_count = chosen->count[SIDE_A], b_count = chosen->count[SIDE_B];
    rate->ratio = statistics_rate_ratio(a, a_count, b, b_count, pair->paired, options->confidence);
    rate->test = pair->paired ? statistics_compare_pairs(a, b, a_count, options->seed)
                              : statistics_compare(a, a_count, b, b_count, options->seed);
}

/* Both samples have their outcomes in order of the labels. */
void compare_pair(struct comparison *comparison, struct pair *pair)
{
    const struct sample *a = pair->sample[SIDE_A], *b = pair->sample[SIDE_B];
    struct arena scratch = {0};
    struct chosen chosen = {.count = {0, 0}};
    pair->rates = arena_take(&comparison->arena, a->outcome_count + b->outcome_count, sizeof *pair->rates);
    choose_batches(&comparison->arena, &scratch, pair, &chosen);
    for (size_t i = 0, j = 0; i < a->outcome_count || j < b->outcome_count;) {
        const int order = i == a->outcome_count   ? 1
                          : j == b->outcome_count ? -1
                                                  : strcmp(a->outcomes[i].label, b->outcomes[j].label);
        const struct sample_outcome *outcome[SIDES] = {order <= 0 ? &a->outcomes[i++] : NULL,
                                                       order >= 0 ? &b->outcomes[j++] : NULL};
        if ((is_seen(outcome[SIDE_A]) || is_seen(outcome[SIDE_B])) && a->counted > 0 && b->counted > 0)
            test_rate(&comparison->options, pair, outcome, &chosen, &pair->rates[pair->rate_count++]);
    }
    arena_release(&scratch);
}

/* ---- what they say ---- */

static enum rate_result decide_rate(const struct compare_options *options, const struct rate *rate)
{
    const bool significant = rate->adjusted <= options->alpha;
    const struct interval ratio = rate->ratio.interval;
    const bool expected = rate->expected >= statistics_count_for(1 - options->alpha);
    if (rate->count[SIDE_A] == 0)
        return significant && expected ? RATE_NEW : RATE_NEW_RARE;
    if (rate->count[SIDE_B] == 0)
        return significant && expected ? RATE_LOST : RATE_LOST_RARE;
    if (significant && (ratio.low > options->tolerance || ratio.high < 1 / options->tolerance))
        return RATE_CHANGED;
    return ratio.low >= 1 / options->detect && ratio.high <= options->detect ? RATE_SIMILAR : RATE_UNDECIDED;
}

bool compare_shows_weakness(const struct sample_outcome *outcome)
{
    return outcome->verdict != VERDICT_NONE ? outcome->verdict != VERDICT_SC : outcome->witness;
}

/* The p values of all rates that were tested are corrected together. */
void compare_decide(struct comparison *comparison)
{
    size_t most = 0, count = 0, at = 0;
    for (size_t i = 0; i < comparison->pair_count; i++)
        most += comparison->pairs[i].rate_count;
    struct rate **rates = memory_take(most, sizeof *rates);
    double *p = memory_take(most, sizeof *p), *weights = memory_take(most, sizeof *weights);
    for (size_t i = 0; i < comparison->pair_count; i++)
        for (size_t r = 0; r < comparison->pairs[i].rate_count; r++)
            rates[at++] = &comparison->pairs[i].rates[r];
    for (size_t i = 0; i < most; i++) {
        if (rates[i]->test.method == STATISTICS_NONE)
            continue;
        weights[count] = compare_shows_weakness(rates[i]->outcome) ? comparison->options.weak_weight : 1;
        p[count++] = rates[i]->test.p;
    }
    statistics_holm(p, weights, count);
    for (size_t i = at = 0; i < most; i++) {
        rates[i]->adjusted = rates[i]->test.method != STATISTICS_NONE ? p[at++] : 1;
        rates[i]->result = decide_rate(&comparison->options, rates[i]);
        comparison->results[rates[i]->result]++;
    }
    free(weights);
    free(p);
    free(rates);
}
