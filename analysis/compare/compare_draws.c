// SPDX-License-Identifier: Apache-2.0
/* Which batches of two samples have equal draws, the tests over batches: what single runs show,
 * and the number of draws in which an outcome was seen. */
#include <string.h>

#include "analysis/compare/compare_parts.h"
#include "base/memory.h"

/* Fewer pairs cannot say much (with 9, the smallest p is 1 / 256); unpaired batches can (9 against
 * 9: 1 / 24,310). */
static const size_t fewest_pairs = 10;

/* The runs of both sides with the draws of one run, each with its next batch. */
struct draws {
    struct draws_run {
        const struct sample_run *run;
        const uint64_t *sizes, *counts;
        size_t next;
        int side;
    } * runs;
    size_t count;
};

/* Their batches with equal numbers and arguments are the same draws. */
static bool same_draws(const struct sample_run *a, const struct sample_run *b)
{
    return a->key == b->key && a->row->seed == b->row->seed;
}

/* Whether a run before this one, of either side, has its draws: then they were already visited. */
static bool came_before(const struct sample_pair *pair, int side, size_t run)
{
    for (int s = SIDE_A; s <= side; s++)
        for (size_t i = 0; i < pair->sample[s]->run_count && (s < side || i < run); i++)
            if (same_draws(&pair->sample[s]->runs[i], &pair->sample[side]->runs[run]))
                return true;
    return false;
}

/* Adds the runs of a side that have the draws of this run. */
static void add_runs(const struct sample *sample, const struct sample_outcome *outcome, enum sample_measure measure,
                     int side, const struct sample_run *of, struct draws *draws)
{
    for (size_t i = 0; i < sample->run_count; i++)
        if (same_draws(&sample->runs[i], of))
            draws->runs[draws->count++] = (struct draws_run){.run = &sample->runs[i],
                                                             .sizes = sample_sizes(&sample->runs[i], measure),
                                                             .counts = outcome ? outcome->counts[i] : NULL,
                                                             .side = side};
}

/* What an outcome of either side measures. */
static enum sample_measure measure_of(const struct sample_outcome *const outcome[SIDES])
{
    const struct sample_outcome *any = outcome[SIDE_A] ? outcome[SIDE_A] : outcome[SIDE_B];
    return any ? any->of : SAMPLE_OUTCOME;
}

static void gather_draws(const struct sample_pair *pair, const struct sample_outcome *const outcome[SIDES],
                         const struct sample_run *of, struct draws *draws)
{
    draws->count = 0;
    for (int side = 0; side < SIDES; side++)
        add_runs(pair->sample[side], outcome[side], measure_of(outcome), side, of, draws);
}

/* The order of the next batches of two runs by their draws: by number, and then by arguments. */
static int compare_next(const struct draws_run *a, const struct draws_run *b)
{
    const uint32_t x = a->run->numbers[a->next], y = b->run->numbers[b->next];
    const uint64_t of_x = a->run->arguments[a->next], of_y = b->run->arguments[b->next];
    return x != y ? (x > y) - (x < y) : (of_x > of_y) - (of_x < of_y);
}

/* The next draw, as the sums of the runs that have it. False at the end. */
static bool next_draw(struct draws *draws, struct statistics_batch sums[SIDES])
{
    const struct draws_run *least = NULL;
    memset(sums, 0, SIDES * sizeof *sums);
    for (size_t i = 0; i < draws->count; i++)
        if (draws->runs[i].next < draws->runs[i].run->batch_count &&
            (!least || compare_next(&draws->runs[i], least) < 0))
            least = &draws->runs[i];
    if (!least)
        return false;
    const struct draws_run draw = *least;
    for (size_t i = 0; i < draws->count; i++) {
        struct draws_run *at = &draws->runs[i];
        if (at->next == at->run->batch_count || compare_next(at, &draw) != 0)
            continue;
        sums[at->side].count += at->counts ? at->counts[at->next] : 0;
        sums[at->side].n += at->sizes[at->next++];
    }
    return true;
}

/* How many draws each side has, and how many both; batches as compare_list_draws fills them. */
struct draw_counts {
    size_t of[SIDES], both;
};

static struct draw_counts visit_draws(const struct sample_pair *pair, const struct sample_outcome *const outcome[SIDES],
                                      struct statistics_batch *batches[SIDES])
{
    struct draws draws = {
        .runs = memory_take(pair->sample[SIDE_A]->run_count + pair->sample[SIDE_B]->run_count, sizeof *draws.runs)};
    struct draw_counts counts = {.both = 0};
    for (int side = 0; side < SIDES; side++) {
        for (size_t run = 0; run < pair->sample[side]->run_count; run++) {
            struct statistics_batch sums[SIDES];
            if (came_before(pair, side, run))
                continue;
            gather_draws(pair, outcome, &pair->sample[side]->runs[run], &draws);
            while (next_draw(&draws, sums)) {
                const bool both = sums[SIDE_A].n > 0 && sums[SIDE_B].n > 0;
                for (int s = 0; s < SIDES; s++) {
                    counts.of[s] += sums[s].n > 0;
                    if (both && batches)
                        batches[s][counts.both] = sums[s];
                }
                counts.both += both;
            }
        }
    }
    free(draws.runs);
    return counts;
}

size_t compare_list_draws(const struct sample_pair *pair, const struct sample_outcome *const outcome[SIDES],
                          struct statistics_batch *batches[SIDES])
{
    return visit_draws(pair, outcome, batches).both;
}

/* All batches of a side that have counts. */
static size_t list_batches(const struct sample *sample, const struct sample_outcome *outcome,
                           enum sample_measure measure, struct statistics_batch *batches)
{
    size_t count = 0;
    for (size_t r = 0; r < sample->run_count; r++) {
        const uint64_t *sizes = sample_sizes(&sample->runs[r], measure), *counts = outcome ? outcome->counts[r] : NULL;
        for (size_t i = 0; i < sample->runs[r].batch_count; i++) {
            if (sizes[i] == 0)
                continue;
            if (batches)
                batches[count] = (struct statistics_batch){counts ? counts[i] : 0, sizes[i]};
            count++;
        }
    }
    return count;
}

/* Whether nearly all draws of the side that has fewer are on both sides. */
static bool are_paired(const struct draw_counts *draws)
{
    const size_t fewer = draws->of[SIDE_A] < draws->of[SIDE_B] ? draws->of[SIDE_A] : draws->of[SIDE_B];
    return draws->both >= fewest_pairs && 10 * draws->both >= 9 * fewer;
}

void compare_match_draws(struct sample_pair *pair)
{
    const struct sample_outcome *const none[SIDES] = {NULL, NULL};
    size_t count[SIDES];
    for (int side = 0; side < SIDES; side++)
        count[side] = list_batches(pair->sample[side], NULL, SAMPLE_OUTCOME, NULL);
    const struct draw_counts draws = visit_draws(pair, none, NULL);
    pair->equal_draws = draws.both;
    pair->paired = are_paired(&draws);
    if (draws.of[SIDE_A] > 0 && draws.of[SIDE_B] > 0)
        pair->size_ratio = (double)pair->sample[SIDE_B]->counted / (double)count[SIDE_B] /
                           ((double)pair->sample[SIDE_A]->counted / (double)count[SIDE_A]);
}

/* The different draws of a sample that have counts, summed over its runs with these draws, which follow each other.
 * batches: NULL, or room for all of its batches. */
static struct sample_draws list_draws(const struct sample *sample, const struct sample_outcome *outcome,
                                      enum sample_measure measure, struct statistics_batch *batches)
{
    struct draws draws = {.runs = memory_take(sample->run_count, sizeof *draws.runs)};
    struct sample_draws counted = {0};
    for (size_t i = 0; i < sample->run_count; i++) {
        struct statistics_batch sums[SIDES];
        if (i > 0 && same_draws(&sample->runs[i - 1], &sample->runs[i]))
            continue;
        draws.count = 0;
        add_runs(sample, outcome, measure, SIDE_A, &sample->runs[i], &draws);
        while (next_draw(&draws, sums)) {
            if (batches && sums[SIDE_A].n > 0)
                batches[counted.count] = sums[SIDE_A];
            counted.count += sums[SIDE_A].n > 0;
            counted.seen_in += sums[SIDE_A].count > 0;
        }
    }
    free(draws.runs);
    return counted;
}

void compare_within_runs(const struct compare_options *options, const struct sample_pair *pair,
                         const struct sample_outcome *const outcome[SIDES], struct rate *rate)
{
    const enum sample_measure measure = measure_of(outcome);
    struct statistics_batch *batches[SIDES];
    size_t count[SIDES];
    for (int side = 0; side < SIDES; side++) {
        count[side] = list_batches(pair->sample[side], outcome[side], measure, NULL);
        batches[side] = memory_take(count[side], sizeof *batches[side]);
    }
    const struct draw_counts draws = visit_draws(pair, outcome, batches);
    const bool paired = are_paired(&draws);
    for (int side = 0; side < SIDES; side++)
        count[side] = paired ? draws.both : list_batches(pair->sample[side], outcome[side], measure, batches[side]);
    const struct statistics_batch *a = batches[SIDE_A], *b = batches[SIDE_B];
    rate->within = paired ? statistics_compare_pairs(a, b, count[SIDE_A], options->seed)
                          : statistics_compare(a, count[SIDE_A], b, count[SIDE_B], options->seed);
    for (int side = 0; side < SIDES && !paired; side++)
        count[side] = list_draws(pair->sample[side], outcome[side], measure, batches[side]).count;
    rate->ratio = statistics_rate_ratio(a, count[SIDE_A], b, count[SIDE_B], paired, options->confidence);
    free(batches[SIDE_A]);
    free(batches[SIDE_B]);
}

struct sample_draws compare_count_draws(const struct sample *sample, const char *label)
{
    return list_draws(sample, sample_outcome(sample, label), SAMPLE_OUTCOME, NULL);
}
