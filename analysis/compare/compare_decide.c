// SPDX-License-Identifier: Apache-2.0
/* From measures to results: how much runs differ, what is significant, and what is worth running again. */
#include <math.h>
#include <string.h>

#include "analysis/compare/compare_parts.h"
#include "base/memory.h"

bool compare_shows_weakness(const struct sample_outcome *outcome)
{
    return outcome->verdict != VERDICT_NONE ? outcome->verdict != VERDICT_SC : outcome->witness;
}

static bool is_one_sided(const struct rate *rate)
{
    return rate->count[SIDE_A] == 0 || rate->count[SIDE_B] == 0;
}

/* ---- how much runs differ ---- */

/* The runs of both sides, each once: a run of orchil has a job of every test. */
struct run_list {
    struct listed_run {
        int side;
        int64_t run;
    } *runs;
    size_t count;
};

static size_t number_of(struct arena *arena, struct run_list *list, int side, int64_t run)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->runs[i].side == side && list->runs[i].run == run)
            return i;
    ARENA_ADD(arena, list->runs, list->count) = (struct listed_run){side, run};
    return list->count - 1;
}

static void gather_questions(struct comparison *comparison, struct arena *arena, bool weak, struct run_list *list,
                             struct statistics_question **questions, size_t *count)
{
    *count = 0;
    for (size_t p = 0; p < comparison->pair_count; p++) {
        const struct pair *pair = &comparison->pairs[p];
        const size_t runs = pair->sample[SIDE_A]->run_count + pair->sample[SIDE_B]->run_count;
        size_t *numbers = arena_take(arena, runs, sizeof *numbers), at = 0;
        for (int side = 0; side < SIDES; side++)
            for (size_t i = 0; i < pair->sample[side]->run_count; i++)
                numbers[at++] = number_of(arena, list, side, pair->sample[side]->runs[i].row->run_id);
        for (size_t r = 0; r < pair->rate_count; r++)
            if (compare_shows_weakness(pair->rates[r].outcome) == weak && !pair->rates[r].limit.ungated)
                ARENA_ADD(arena, *questions, *count) = (struct statistics_question){.measure = pair->rates[r].measure,
                                                                                   .residuals = pair->rates[r].residuals,
                                                                                   .runs = numbers,
                                                                                   .count = runs,
                                                                                   .test = p};
    }
}

/* Only weak outcomes of a run move together: shares of the others add up to 1. */
static void learn(struct comparison *comparison)
{
    struct arena arena = {0};
    struct run_list list = {.count = 0};
    const struct comparison *first = comparison->options.first;
    for (int weak = 0; weak < 2; weak++) {
        struct statistics_question *questions = NULL;
        size_t count;
        gather_questions(comparison, &arena, weak, &list, &questions, &count);
        if (first) {
            comparison->suites[weak] = first->suites[weak];
            continue;
        }
        statistics_fit(questions, count, list.count, weak, &comparison->suites[weak]);
        if (weak)
            statistics_decide_shift(questions, count, &comparison->suites[weak], comparison->options.confidence,
                                    &comparison->shift.log_ratio, &comparison->shift.decision);
    }
    arena_release(&arena);
}

static void decide_runs(const struct comparison *comparison, const struct pair *pair, struct rate *rate)
{
    const struct compare_options *options = &comparison->options;
    static const struct statistics_suite alone = {.freedom = 0}; /* for those that the suite has not learned from */
    const struct statistics_suite *suite =
        rate->limit.ungated ? &alone : &comparison->suites[compare_shows_weakness(rate->outcome)];
    const struct rate *first =
        options->first ? compare_find_rate(options->first, pair->sample[SIDE_B], rate->outcome->label) : NULL;
    rate->by_runs = rate->measure.runs[SIDE_A] >= options->fewest_runs;
    if (!options->first)
        statistics_decide(&rate->measure, suite, options->confidence, &rate->decision);
    else if (first && first->suspect)
        statistics_decide_twice(&first->measure, &rate->measure, suite, first->suspect_p, options->confidence,
                                &rate->decision);
    else
        rate->decision.p = 1;
    rate->by_runs &= rate->decision.freedom > 0;
    if (rate->by_runs)
        rate->ratio = (struct statistics_ratio){exp(rate->measure.log_ratio), rate->decision.ratio};
}

/* ---- many questions ---- */

static double weight_of(const struct compare_options *options, const struct rate *rate)
{
    return compare_shows_weakness(rate->outcome) ? options->weak_weight : 1;
}

/* All questions of a comparison, as one list. */
struct questions {
    struct rate **rates;
    double *weights, *p;
    size_t count;
};

static struct questions list_questions(const struct comparison *comparison)
{
    struct questions list = {.count = 0};
    size_t most = 1;
    for (size_t i = 0; i < comparison->pair_count; i++)
        most += comparison->pairs[i].rate_count;
    list.rates = memory_take(most, sizeof *list.rates);
    list.weights = memory_take(most, sizeof *list.weights);
    list.p = memory_take(most, sizeof *list.p);
    for (size_t i = 0; i < comparison->pair_count; i++) {
        for (size_t r = 0; r < comparison->pairs[i].rate_count; r++) {
            list.rates[list.count] = &comparison->pairs[i].rates[r];
            list.weights[list.count] = weight_of(&comparison->options, list.rates[list.count]);
            list.count++;
        }
    }
    return list;
}

static void release_questions(struct questions *list)
{
    free(list->p);
    free(list->weights);
    free(list->rates);
}

static bool decides(const struct rate *rate)
{
    return rate->by_runs && !rate->limit.ungated;
}

/* The level is held over the questions of the first pass, whether they were chosen or not: those that were not are behind the
 * list, with p 1. The shift, where it is asked for, has a tenth of the level. */
static void adjust_runs(struct comparison *comparison, struct questions *list)
{
    struct questions all = list_questions(comparison->options.first ? comparison->options.first : comparison);
    const size_t more = all.count > list->count ? all.count - list->count : 0, count = list->count + more;
    double *p = memory_take(count + 1, sizeof *p), *weights = memory_take(count + 1, sizeof *weights), sum = 0;
    for (size_t i = 0; i < count; i++) {
        p[i] = i < list->count && decides(list->rates[i]) ? list->rates[i]->decision.p : 1;
        weights[i] = i < list->count ? list->weights[i] : 1;
    }
    double listed = 0, wanted = 0; /* the weights of those behind the list are those that are missing from it */
    for (size_t i = 0; i < all.count; i++)
        wanted += all.weights[i];
    for (size_t i = 0; i < list->count; i++)
        listed += list->weights[i];
    for (size_t i = list->count; i < count; i++)
        weights[i] = fmax(1, (wanted - listed) / (double)more);
    for (size_t i = 0; i < count; i++)
        sum += weights[i];
    const bool asks_shift = comparison->shift.decision.freedom > 0;
    p[count] = comparison->shift.decision.p;
    weights[count] = sum / 9;
    statistics_holm(p, weights, count + asks_shift);
    for (size_t i = 0; i < list->count; i++)
        list->rates[i]->adjusted = p[i];
    comparison->shift.adjusted = asks_shift ? p[count] : 1;
    free(weights);
    free(p);
    release_questions(&all);
}

static void adjust_batches(struct questions *list)
{
    size_t count = 0;
    for (size_t i = 0; i < list->count; i++) {
        if (list->rates[i]->within.method == STATISTICS_NONE)
            continue;
        list->weights[count] = list->weights[i];
        list->p[count++] = list->rates[i]->within.p;
    }
    statistics_holm(list->p, list->weights, count);
    for (size_t i = count = 0; i < list->count; i++)
        list->rates[i]->within_adjusted = list->rates[i]->within.method != STATISTICS_NONE ? list->p[count++] : 1;
}

/* ---- what they say ---- */

static bool lies_beyond(struct interval ratio, double bound)
{
    return ratio.low > bound || ratio.high < 1 / bound;
}

/* Every run of the one side has seen it, and no run of the other. */
static bool runs_agree(const struct rate *rate, int seen_by)
{
    return rate->spread[seen_by].seen_in_runs == rate->spread[seen_by].runs;
}

static enum rate_result decide_one_sided(const struct compare_options *options, const struct rate *rate, int seen_by)
{
    const bool is_new = seen_by == SIDE_B;
    if (rate->by_runs)
        return rate->adjusted <= options->alpha && runs_agree(rate, seen_by) ? (is_new ? RATE_NEW : RATE_LOST)
               : is_new                                                     ? RATE_NEW_RARE
                                                                            : RATE_LOST_RARE;
    if (rate->within_adjusted <= options->alpha && rate->expected >= statistics_count_for(1 - options->alpha))
        return is_new ? RATE_NEW_UNCONFIRMED : RATE_LOST_UNCONFIRMED;
    return is_new ? RATE_NEW_RARE : RATE_LOST_RARE;
}

static double tolerance_of(const struct compare_options *options, const struct rate *rate)
{
    return fmax(options->tolerance, rate->limit.tolerance);
}

/* What moved with all of B is said once: by the shift. */
static bool moved_with_all(const struct comparison *comparison, const struct rate *rate)
{
    const double shift = exp(comparison->shift.log_ratio), tolerance = tolerance_of(&comparison->options, rate);
    return comparison->shift.found && compare_shows_weakness(rate->outcome) &&
           rate->ratio.interval.low <= shift * tolerance && rate->ratio.interval.high >= shift / tolerance;
}

static enum rate_result decide_rate(struct comparison *comparison, const struct rate *rate)
{
    const struct compare_options *options = &comparison->options;
    const struct interval ratio = rate->ratio.interval;
    if (is_one_sided(rate))
        return decide_one_sided(options, rate, rate->count[SIDE_B] > 0 ? SIDE_B : SIDE_A);
    const bool significant = (rate->by_runs ? rate->adjusted : rate->within_adjusted) <= options->alpha;
    const bool similar = ratio.low >= 1 / options->detect && ratio.high <= options->detect;
    if (rate->limit.ungated)
        return similar ? RATE_SIMILAR : RATE_UNGATED;
    if (significant && lies_beyond(ratio, tolerance_of(options, rate))) {
        if (!rate->by_runs)
            return RATE_UNCONFIRMED;
        if (!moved_with_all(comparison, rate))
            return RATE_CHANGED;
        comparison->shift.moved++;
    }
    return similar ? RATE_SIMILAR : RATE_UNDECIDED;
}

/* A first pass only chooses: what one side alone has seen, and what lies far off at a loose level. */
static void suspect(const struct compare_options *options, struct rate *rate)
{
    const double level = compare_shows_weakness(rate->outcome) ? options->suspect : options->suspect_other;
    rate->suspect_p = is_one_sided(rate) ? 1 : level;
    rate->suspect = is_one_sided(rate) ||
                    (!rate->limit.ungated && rate->decision.freedom > 0 && rate->decision.p <= level);
}

static void find_limits(struct comparison *comparison)
{
    const struct compare_options *options = &comparison->options;
    for (size_t i = 0; options->limit_of && i < comparison->pair_count; i++) {
        struct pair *pair = &comparison->pairs[i];
        const struct compare_limit limit = options->limit_of(options->limits, pair->sample[SIDE_A]);
        for (size_t r = 0; r < pair->rate_count; r++)
            pair->rates[r].limit = limit;
    }
}

void compare_decide(struct comparison *comparison)
{
    const struct compare_options *options = &comparison->options;
    find_limits(comparison);
    learn(comparison);
    for (size_t i = 0; i < comparison->pair_count; i++)
        for (size_t r = 0; r < comparison->pairs[i].rate_count; r++)
            decide_runs(comparison, &comparison->pairs[i], &comparison->pairs[i].rates[r]);
    struct questions list = list_questions(comparison);
    adjust_runs(comparison, &list);
    adjust_batches(&list);
    comparison->shift.found = comparison->shift.decision.freedom > 0 && comparison->runs[SIDE_A] >= options->fewest_runs &&
                              comparison->shift.adjusted <= options->alpha &&
                              lies_beyond(comparison->shift.decision.ratio, options->tolerance);
    for (size_t i = 0; i < list.count; i++) {
        list.rates[i]->result = decide_rate(comparison, list.rates[i]);
        suspect(options, list.rates[i]);
        comparison->results[list.rates[i]->result]++;
    }
    release_questions(&list);
}

/* ---- asking ---- */

static const struct pair *find_pair(const struct comparison *comparison, const struct sample *sample)
{
    for (size_t i = 0; i < comparison->pair_count; i++)
        if (sample_compare(comparison->pairs[i].sample[SIDE_B], sample, comparison->dimensions) == 0)
            return &comparison->pairs[i];
    return NULL;
}

const struct rate *compare_find_rate(const struct comparison *comparison, const struct sample *sample, const char *label)
{
    const struct pair *pair = find_pair(comparison, sample);
    for (size_t r = 0; pair && r < pair->rate_count; r++)
        if (strcmp(pair->rates[r].outcome->label, label) == 0)
            return &pair->rates[r];
    return NULL;
}

bool compare_suspects(const struct comparison *comparison, const struct sample *sample)
{
    const struct pair *pair = find_pair(comparison, sample);
    for (size_t r = 0; pair && r < pair->rate_count; r++)
        if (pair->rates[r].suspect)
            return true;
    return false;
}
