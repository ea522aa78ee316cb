// SPDX-License-Identifier: Apache-2.0
/* Splits: the runs before as one side, the runs after as the other. */
#include "analysis/history/history_splits.h"

#include <math.h>
#include <stdlib.h>

#include "base/memory.h"

/* ---- which ---- */

struct run_range split_candidates(const struct history_options *options, const struct history_device *device,
                                  struct run_range span)
{
    const size_t after = span.high == device->run_count ? 1 : options->fewest_runs;
    const size_t first = span.low + options->fewest_runs, end = span.high + 1 > after ? span.high + 1 - after : 0;
    return (struct run_range){first, end > first ? end : first};
}

/* The runs of a segment within a span: how many before a run, and how many from it on. */
static void count_runs(const struct history_segment *segment, struct run_range span, size_t device_run, size_t runs[2])
{
    runs[STATISTICS_A] = runs[STATISTICS_B] = 0;
    for (size_t r = 0; r < segment->run_count; r++)
        if (segment->device_runs[r] >= span.low && segment->device_runs[r] < span.high)
            runs[segment->device_runs[r] >= device_run ? STATISTICS_B : STATISTICS_A]++;
}

static bool takes_part(const struct history_options *options, const struct history_segment *segment,
                       struct run_range span, size_t device_run)
{
    size_t runs[2];
    count_runs(segment, span, device_run, runs);
    return runs[STATISTICS_A] >= options->fewest_runs && runs[STATISTICS_B] > 0;
}

size_t split_count_questions(const struct history_options *options, const struct history_device *device,
                             struct run_range span)
{
    const struct run_range candidates = split_candidates(options, device, span);
    size_t questions = candidates.high - candidates.low; /* the shift */
    for (size_t i = 0; i < device->searched_count; i++) {
        const struct history_segment *segment = device->searched[i]->segment;
        for (size_t r = 0; r < segment->run_count; r++)
            questions += segment->device_runs[r] >= candidates.low && segment->device_runs[r] < candidates.high &&
                         takes_part(options, segment, span, segment->device_runs[r]);
    }
    return questions;
}

/* ---- measuring ---- */

/* The questions of a split, with their residuals: of weak outcomes, or of the others. */
struct question_list {
    struct statistics_question *list;
    size_t count;
};

/* A series of a split: fills the measure and, if it takes part, its question. */
static bool measure_series(struct arena *arena, const struct history_options *options,
                           const struct history_series *series, struct run_range span, size_t device_run,
                           struct statistics_measure *measure, struct statistics_question *question)
{
    const struct history_segment *segment = series->segment;
    *measure = (struct statistics_measure){.p_counting = 1};
    if (!takes_part(options, segment, span, device_run))
        return false;
    struct statistics_run *runs = memory_take(segment->run_count, sizeof *runs);
    double *residuals = arena_take(arena, segment->run_count, sizeof *residuals);
    size_t *device_runs = arena_take(arena, segment->run_count, sizeof *device_runs), count = 0;
    for (size_t r = 0; r < segment->run_count; r++) {
        if (segment->device_runs[r] < span.low || segment->device_runs[r] >= span.high)
            continue;
        runs[count] = segment->runs[r];
        runs[count].counts = series->counts[r];
        runs[count].side = segment->device_runs[r] >= device_run ? STATISTICS_B : STATISTICS_A;
        device_runs[count++] = segment->device_runs[r];
    }
    statistics_measure(runs, count, measure, residuals);
    free(runs);
    *question = (struct statistics_question){.measure = *measure,
                                             .residuals = residuals,
                                             .runs = device_runs,
                                             .count = count,
                                             .test = segment->test->number};
    return true;
}

/* ---- successive runs ---- */

struct following {
    double products, norms;
    size_t neighbours; /* in the longest series */
};

static void follow(const struct statistics_question *question, struct following *following)
{
    double products = 0, norms = 0;
    size_t neighbours = 0;
    for (size_t r = 1; r < question->count; r++) {
        const double before = question->residuals[r - 1], here = question->residuals[r];
        if (isnan(before) || isnan(here))
            continue;
        products += before * here;
        norms += (before * before + here * here) / 2;
        neighbours++;
    }
    if (norms <= 0 || question->measure.scatter <= 2 * question->measure.expected_scatter)
        return; /* counting, which has no memory, is most of it */
    following->products += products / norms;
    following->norms++;
    following->neighbours = neighbours > following->neighbours ? neighbours : following->neighbours;
}

/* Only a correlation that chance does not explain counts. */
static double lag_of(const struct history_split *split, const struct question_list *weak)
{
    static const double most = 0.9;
    struct following following = {.products = 0};
    size_t tests = 0, last = SIZE_MAX;
    for (size_t i = 0; i < weak->count; i++) {
        if (weak->list[i].test == last)
            continue;
        last = weak->list[i].test;
        const double before = following.norms;
        follow(&weak->list[i], &following);
        tests += following.norms > before;
    }
    if (tests == 0 || following.neighbours < 10)
        return 0;
    /* Around the means of two sides, short series seem to revert: by 1 + 3 lag over the runs of a
     * side (Kendall, "Note on bias in the estimation of autocorrelation", Biometrika 41, 1954). */
    const double bias = 2 / (double)(following.neighbours + 2), seen = following.products / following.norms;
    const double lag = (seen + bias) / (1 - 3 * bias);
    const double said = (double)following.neighbours * (double)tests * split_independence(split, tests);
    return lag > 2 / sqrt(said) ? fmin(lag, most) : 0;
}

double split_independence(const struct history_split *split, size_t tests)
{
    const struct statistics_suite *weak = &split->suites[1];
    const double sum = weak->variance + weak->shift;
    return sum > 0 && tests > 1 ? 1 / (1 + (double)(tests - 1) * weak->shift / sum) : 1;
}

/* ---- deciding ---- */

static void widen(double log_ratio, double lag, double least_p, double confidence, struct statistics_decision *decision)
{
    if (decision->freedom <= 0)
        return;
    decision->error *= sqrt((1 + lag) / (1 - lag));
    statistics_conclude(log_ratio, confidence, decision);
    decision->p = fmax(least_p, decision->p);
}

static void decide_series(const struct history_device *device, double confidence, struct history_split *split)
{
    for (size_t i = 0; i < device->searched_count; i++) {
        const struct statistics_measure *measure = &split->measures[i];
        statistics_decide(measure, &split->suites[device->searched[i]->weak], confidence, &split->decisions[i]);
        widen(measure->log_ratio, split->lag, measure->p_counting, confidence, &split->decisions[i]);
    }
}

void split_make(struct arena *arena, const struct history_options *options, const struct history_device *device,
                struct run_range span, size_t device_run, struct history_split *split)
{
    const size_t count = device->searched_count;
    struct arena scratch = {0};
    struct question_list questions[2] = {{.list = memory_take(count, sizeof *questions[0].list)},
                                         {.list = memory_take(count, sizeof *questions[1].list)}};
    *split = (struct history_split){.device_run = device_run,
                                    .measures = arena_take(arena, count, sizeof *split->measures),
                                    .decisions = arena_take(arena, count, sizeof *split->decisions)};
    for (size_t i = 0; i < count; i++) {
        struct question_list *of = &questions[device->searched[i]->weak];
        of->count += measure_series(&scratch, options, device->searched[i], span, device_run, &split->measures[i],
                                    &of->list[of->count]);
    }
    for (int weak = 0; weak < 2; weak++)
        statistics_fit(questions[weak].list, questions[weak].count, device->run_count, weak, &split->suites[weak]);
    split->lag = lag_of(split, &questions[1]);
    decide_series(device, options->confidence, split);
    statistics_decide_shift(questions[1].list, questions[1].count, &split->suites[1], options->confidence,
                            &split->log_shift, &split->shift);
    widen(split->log_shift, split->lag, 0, options->confidence, &split->shift);
    for (int weak = 0; weak < 2; weak++)
        free(questions[weak].list);
    arena_release(&scratch);
}

bool split_is_beyond(const struct history_options *options, const struct statistics_decision *decision)
{
    return decision->freedom > 0 &&
           (decision->ratio.low > options->tolerance || decision->ratio.high < 1 / options->tolerance);
}
