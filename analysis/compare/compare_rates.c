// SPDX-License-Identifier: Apache-2.0
/* The outcomes and shares of a pair of samples: each is a question, measured over runs and over batches. And pairs
 * whose sides ran different kernels: a changed generator changes rates just as a changed driver does, so nothing is
 * decided for them, unless kernels differ by nature or were chosen. */
#include "analysis/compare/compare_parts.h"

/* ---- draws: which batches have equal ones, the tests over batches, and what single runs show ---- */

/* Fewer pairs cannot say much (with 9, the smallest p is 1 / 256); unpaired batches can (9 against 9: 1 / 24,310). */
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
    return ORDER(x, y) ?: ORDER(of_x, of_y);
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
    FOR_EACH(struct draws_run, at, draws->runs, draws->count) {
        if (at->next == at->run->batch_count || compare_next(at, &draw) != 0)
            continue;
        sums[at->side].count += at->counts ? at->counts[at->next] : 0;
        sums[at->side].n += at->sizes[at->next++];
    }
    return true;
}

/* How many draws each side has, and how many both. */
struct draw_counts {
    size_t of[SIDES], both;
};

/* The draws that both sides have, each summed over all runs that have it. outcome: of either side, NULL for none.
 * batches: NULL, or arrays with room for pair->equal_draws. */
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

/* The test over batches and the ratio with an interval over batches, into `rate`. */
static void compare_within_runs(const struct compare_options *options, const struct sample_pair *pair,
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

static double per_instance(uint64_t count, uint64_t counted)
{
    return counted > 0 ? (double)count / (double)counted : 0;
}

static bool is_seen(const struct sample_outcome *outcome)
{
    return outcome && outcome->count > 0;
}

/* Whether a side's batches took long enough, most of them, for their time to be more than that of a launch. Drivers of
 * processors compile in their first batch, so there it takes ten. */
static bool is_timed(const struct sample *sample, const struct sample_outcome *time)
{
    size_t batches = 0, longer = 0;
    unsigned units;
    for (size_t r = 0; r < sample->run_count; r++) {
        for (size_t i = 0; i < sample->runs[r].batch_count; i++) {
            batches += sample->runs[r].launched[i] > 0;
            longer += sample->runs[r].launched[i] > 0 && time->counts[r][i] > SAMPLE_LEAST_TIME;
        }
    }
    return 2 * longer > batches && (batches >= 10 || !store_is_processor(&sample->row, &units));
}

/* Drivers put their version into the name of a processor, so one with as many units is the same. */
static bool same_devices(const struct sample *a, const struct sample *b)
{
    unsigned units, others;
    return strcmp(a->row.backend, b->row.backend) == 0 &&
           (strcmp(a->row.device, b->row.device) == 0 ||
            (store_is_processor(&a->row, &units) && store_is_processor(&b->row, &others) && units == others));
}

/* The slower side must be timed, since of the other one knows that it is at most that slow; and two devices take other
 * times without any news. */
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
    LOCAL(arena) scratch = {0};
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
    if (rate->outcome->of != SAMPLE_TIME)
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
    /* Finds the pair's equal draws, and how its batches are to be tested. */
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
    pair->rate_count = measure_all(comparison, pair, outcomes, pair->rates);
    pair->question_count = pair->rate_count + measure_all(comparison, pair, shares, pair->rates + pair->rate_count);
}

/* ---- kernels ---- */

void compare_find_kernels(struct sample_pair *pair)
{
    const struct store_job_row *first = NULL;
    const struct sample *a = pair->sample[SIDE_A], *b = pair->sample[SIDE_B];
    bool differ = false;
    unsigned marks = 0;
    for (int side = 0; side < SIDES; side++) {
        for (size_t i = 0; i < pair->sample[side]->run_count; i++) {
            const struct store_job_row *row = pair->sample[side]->runs[i].row;
            if (pair->sample[side]->runs[i].batch_count == 0 || !*row->kernel_hash)
                continue;
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
    FOR_EACH(const struct sample_pair, pair, comparison->pairs, comparison->pair_count)
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

struct statistics_run_rate compare_rate_over_runs(const struct sample *sample, const char *label, double confidence)
{
    const struct sample_outcome *outcome = sample_outcome(sample, label);
    FREED struct statistics_batch *runs = memory_take(sample->run_count, sizeof *runs);
    struct statistics_run_rate rate;
    for (size_t i = 0; i < sample->run_count; i++) {
        runs[i] = (struct statistics_batch){.n = sample->runs[i].instances};
        for (size_t b = 0; b < sample->runs[i].batch_count && outcome && outcome->counts[i]; b++)
            runs[i].count += outcome->counts[i][b];
    }
    statistics_rate_over_runs(runs, sample->run_count, confidence, &rate);
    return rate;
}

/* ---- the rates of runs ---- */

bool compare_run_rate(const struct sample *sample, const struct sample_outcome *as, size_t run, double *rate)
{
    const struct sample_outcome *outcome = sample_same(sample, as);
    const uint64_t *sizes = sample_sizes(&sample->runs[run], as->of);
    const uint64_t *counts = outcome ? outcome->counts[run] : NULL;
    uint64_t seen = 0, size = 0;
    for (size_t i = 0; i < sample->runs[run].batch_count; i++) {
        seen += counts ? counts[i] : 0;
        size += sizes[i];
    }
    *rate = (double)seen / (double)size;
    return size > 0;
}

size_t compare_range(const struct sample *sample, const struct sample_outcome *as, double *least, double *most)
{
    size_t runs = 0;
    double rate;
    *least = INFINITY;
    *most = 0;
    for (size_t i = 0; i < sample->run_count; i++) {
        if (!compare_run_rate(sample, as, i, &rate))
            continue;
        *least = fmin(*least, rate);
        *most = fmax(*most, rate);
        runs++;
    }
    return runs;
}
