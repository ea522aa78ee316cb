// SPDX-License-Identifier: Apache-2.0
/* Steps: the search for them, where they lie, what moved in them, and the parts that they leave. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analysis/history/history_splits.h"
#include "base/memory.h"

/* A search of one device. */
struct step_search {
    struct history *history;
    struct history_device *device;
    struct history_split usual; /* used for parts without a step: the split with the smallest p of the first search */
    bool has_usual;
    struct arena arena; /* of all splits */
};

/* The decided splits of a span, and the one with the smallest p. */
struct splits {
    struct run_range span, candidates;
    struct history_split *list;
    size_t count, best;
    double p; /* the smallest, corrected; of moves beyond the tolerance */
};

/* ---- searching ---- */

static double least_p(const struct step_search *search, const struct history_split *split, double *any)
{
    const struct history_options *options = &search->history->options;
    double least = split_is_beyond(options, &split->shift) ? split->shift.p : 1;
    for (size_t i = 0; i < search->device->searched_count; i++) {
        const struct statistics_decision *decision = &split->decisions[i];
        if (decision->freedom > 0)
            *any = fmin(*any, decision->p);
        if (split_is_beyond(options, decision))
            least = fmin(least, decision->p);
    }
    return least;
}

static void make_splits(struct step_search *search, struct run_range span, struct splits *splits)
{
    const struct history_options *options = &search->history->options;
    const struct run_range candidates = split_candidates(options, search->device, span);
    bool *chosen = memory_take(search->device->run_count, sizeof *chosen);
    double least = 2, least_of_any = 2;
    *splits = (struct splits){.span = span, .candidates = candidates, .p = 1};
    trajectory_choose(search->device, span, candidates, chosen);
    for (size_t device_run = candidates.low; device_run < candidates.high; device_run++) {
        struct history_split split;
        double any = 1;
        if (!chosen[device_run])
            continue;
        split_make(&search->arena, options, search->device, span, device_run, &split);
        const double p = least_p(search, &split, &any);
        if (p < least || (p == least && any < least_of_any)) {
            least = p;
            least_of_any = any;
            splits->best = splits->count;
        }
        ARENA_ADD(&search->arena, splits->list, splits->count) = split;
    }
    splits->p = fmin(1, least * (double)search->history->questions);
    free(chosen);
}

/* ---- where a step lies ---- */

/* The log likelihoods of a series (or of whole runs, SIZE_MAX) over all candidates, by the suite
 * and the lag of the best split. */
static void weigh(const struct step_search *search, const struct splits *splits, size_t series, double *weights)
{
    const struct history_split *as = &splits->list[splits->best];
    struct arena arena = {0};
    struct trajectory trajectory;
    struct trajectory_prior prior = {.freedom = 0};
    if (series == SIZE_MAX)
        trajectory = trajectory_of_all(&arena, search->device, splits->span);
    else {
        const struct history_series *of = search->device->searched[series];
        const struct statistics_suite *suite = &as->suites[of->weak];
        trajectory = trajectory_of(&arena, of, splits->span, fmax(1, as->measures[series].dispersion));
        prior = (struct trajectory_prior){suite->variance + (of->weak ? suite->shift : 0) + trajectory.counting,
                                          suite->freedom};
    }
    for (size_t v = 0; v < splits->candidates.high - splits->candidates.low; v++)
        weights[v] = trajectory_gain(&trajectory, prior, splits->candidates.low + v) * (1 - as->lag) / (1 + as->lag);
    arena_release(&arena);
}

static double largest(const double *values, size_t count)
{
    double most = -INFINITY;
    for (size_t i = 0; i < count; i++)
        most = fmax(most, values[i]);
    return most;
}

static size_t place_of_largest(const double *values, size_t count)
{
    size_t place = 0;
    for (size_t i = 1; i < count; i++)
        if (values[i] > values[place])
            place = i;
    return place;
}

/* The series that have a significant step of their own, and the logarithms of their likelihoods. */
struct voters {
    size_t *series;       /* SIZE_MAX: the shift */
    double *weights;      /* of each, one for each candidate */
    size_t count, places; /* places: candidates */
};

static bool is_significant(const struct step_search *search, const struct statistics_decision *decision)
{
    const struct history_options *options = &search->history->options;
    return split_is_beyond(options, decision) && decision->p * (double)search->history->questions <= options->alpha;
}

static void find_voters(const struct step_search *search, const struct splits *splits, struct voters *voters)
{
    const size_t count = search->device->searched_count, places = splits->candidates.high - splits->candidates.low;
    *voters = (struct voters){.series = memory_take(count + 1, sizeof *voters->series),
                              .weights = memory_take((count + 1) * places, sizeof *voters->weights),
                              .places = places};
    for (size_t i = 0; i <= count; i++) {
        bool found = false;
        for (size_t v = 0; v < splits->count && !found; v++)
            found = is_significant(search, i < count ? &splits->list[v].decisions[i] : &splits->list[v].shift);
        if (!found)
            continue;
        voters->series[voters->count] = i < count ? i : SIZE_MAX;
        weigh(search, splits, voters->series[voters->count], voters->weights + voters->count * places);
        voters->count++;
    }
}

/* The candidate at which most of them step. A series that steps elsewhere has limited weight: its
 * own step is found later. */
static size_t find_peak(const struct voters *voters)
{
    static const double largest_vote = 8;
    double *votes = memory_take(voters->places, sizeof *votes);
    for (size_t i = 0; i < voters->count; i++) {
        const double *weights = voters->weights + i * voters->places, most = largest(weights, voters->places);
        for (size_t v = 0; v < voters->places; v++)
            votes[v] += fmax(weights[v] - most, -largest_vote);
    }
    const size_t peak = place_of_largest(votes, voters->places);
    free(votes);
    return peak;
}

/* The surest series of each test that may step at the peak, and whole runs; returns the sum of
 * their weights. */
static void add_weights(const struct step_search *search, const struct splits *splits, const struct voters *voters,
                        double *sum)
{
    static const double farthest = 5; /* e^5: steps 150 times as likely elsewhere are another step */
    const double **best = memory_take(search->device->test_count, sizeof *best), *whole = NULL;
    const size_t places = voters->places, peak = find_peak(voters);
    size_t tests = 0;
    for (size_t i = 0; i < voters->count; i++) {
        const double *weights = voters->weights + i * places;
        if (voters->series[i] == SIZE_MAX) {
            whole = weights;
            continue;
        }
        const double **of = &best[search->device->searched[voters->series[i]]->segment->test->number];
        if (weights[peak] >= largest(weights, places) - farthest &&
            (!*of || largest(weights, places) > largest(*of, places)))
            *of = weights;
    }
    for (size_t t = 0; t < search->device->test_count; t++) {
        tests += best[t] != NULL;
        for (size_t v = 0; best[t] && v < places; v++)
            sum[v] += best[t][v];
    }
    const double independence = split_independence(&splits->list[splits->best], tests);
    for (size_t v = 0; v < places; v++)
        sum[v] *= independence;
    if (whole && largest(whole, places) > largest(sum, places))
        memcpy(sum, whole, places * sizeof *sum);
    free(best);
}

/* The smallest range of runs of the device around the likeliest that reaches the confidence. */
static void find_range(double confidence, size_t device_runs, struct history_step *step)
{
    double held = step->posterior[step->device_run];
    step->first = step->last = step->device_run;
    while (held < confidence && (step->first > 0 || step->last + 1 < device_runs)) {
        const double before = step->first > 0 ? step->posterior[step->first - 1] : -1;
        const double after = step->last + 1 < device_runs ? step->posterior[step->last + 1] : -1;
        held += fmax(before, after);
        if (before > after)
            step->first--;
        else
            step->last++;
    }
}

static void place_step(const struct step_search *search, const struct splits *splits, struct history_step *step)
{
    struct voters voters;
    find_voters(search, splits, &voters);
    double *sum = memory_take(voters.places, sizeof *sum), total = 0;
    add_weights(search, splits, &voters, sum);
    const double most = largest(sum, voters.places);
    step->posterior = arena_take(&search->history->arena, search->device->run_count, sizeof *step->posterior);
    for (size_t v = 0; v < voters.places; v++)
        total += exp(sum[v] - most);
    for (size_t v = 0; v < voters.places; v++)
        step->posterior[splits->candidates.low + v] = exp(sum[v] - most) / total;
    step->device_run = splits->candidates.low + place_of_largest(sum, voters.places);
    step->probability = step->posterior[step->device_run];
    find_range(search->history->options.confidence, search->device->run_count, step);
    free(voters.series);
    free(voters.weights);
    free(sum);
}

/* A span with a step is searched again on either side of it. */
static void search_span(struct step_search *search, struct run_range span)
{
    struct splits splits;
    make_splits(search, span, &splits);
    if (splits.count > 0 && !search->has_usual) {
        search->usual = splits.list[splits.best];
        search->has_usual = true;
    }
    if (splits.count == 0 || splits.p > search->history->options.alpha)
        return;
    struct history_step step = {.p = splits.p};
    place_step(search, &splits, &step);
    search_span(search, (struct run_range){span.low, step.device_run});
    ARENA_ADD(&search->history->arena, search->device->steps, search->device->step_count) = step;
    search_span(search, (struct run_range){step.device_run, span.high});
}

/* ---- what moved ---- */

static struct run_range around(const struct history_device *device, size_t step)
{
    return (struct run_range){step > 0 ? device->steps[step - 1].device_run : 0,
                              step + 1 < device->step_count ? device->steps[step + 1].device_run : device->run_count};
}

static int by_surety(const void *left, const void *right)
{
    const struct history_move *a = left, *b = right;
    if (a->p != b->p)
        return a->p < b->p ? -1 : 1;
    return (a->series->number > b->series->number) - (a->series->number < b->series->number);
}

static void add_move(struct step_search *search, struct history_step *step, const struct history_split *split,
                     size_t series, double p)
{
    const struct statistics_measure *measure = &split->measures[series];
    ARENA_ADD(&search->history->arena, step->moves, step->move_count) = (struct history_move){
        .series = search->device->searched[series],
        .ratio = statistics_measured_ratio(measure, &split->decisions[series], search->history->options.confidence),
        .p = p,
        .count = {measure->count[STATISTICS_A], measure->count[STATISTICS_B]},
        .counted = {(uint64_t)measure->size[STATISTICS_A], (uint64_t)measure->size[STATISTICS_B]}};
}

/* Holm over all series of the split; if none is left, the series with the smallest p, which gave
 * the step. */
static void list_moves(struct step_search *search, struct history_step *step, const struct history_split *split)
{
    const struct history_options *options = &search->history->options;
    const size_t count = search->device->searched_count;
    double *p = memory_take(count, sizeof *p);
    size_t questions = 0, least = 0;
    for (size_t i = 0; i < count; i++)
        if (split->decisions[i].freedom > 0)
            p[questions++] = split->decisions[i].p;
    statistics_holm(p, NULL, questions);
    for (size_t i = questions = 0; i < count; i++) {
        if (split->decisions[i].freedom <= 0)
            continue;
        const double adjusted = p[questions++];
        least = split->decisions[i].p < split->decisions[least].p ? i : least;
        if (adjusted <= options->alpha && split_is_beyond(options, &split->decisions[i]))
            add_move(search, step, split, i, adjusted);
    }
    if (step->move_count == 0)
        add_move(search, step, split, least, fmin(1, split->decisions[least].p * (double)questions));
    free(p);
    qsort(step->moves, step->move_count, sizeof *step->moves, by_surety);
}

/* A test's other outcomes follow from the one that moved. */
static bool is_first_of_test(const struct history_step *step, size_t move)
{
    for (size_t i = 0; i < move; i++)
        if (step->moves[i].series->segment->test == step->moves[move].series->segment->test)
            return false;
    return true;
}

static void sum_up_moves(struct history_step *step)
{
    for (size_t i = 0; i < step->move_count; i++)
        step->test_count += is_first_of_test(step, i);
    step->ratio = step->moves[0].ratio;
}

static void finish_step(struct step_search *search, size_t which, struct history_split *split)
{
    const struct history_options *options = &search->history->options;
    struct history_step *step = &search->device->steps[which];
    const struct run_range span = around(search->device, which);
    split_make(&search->arena, options, search->device, span, step->device_run, split);
    list_moves(search, step, split);
    sum_up_moves(step);
    step->shared = split->shift.p <= options->alpha && split_is_beyond(options, &split->shift);
    if (step->shared)
        step->ratio = statistics_decided_ratio(split->log_shift, &split->shift);
    history_attribute(search->history, search->device, span.low, span.high, step);
}

/* ---- parts and bands ---- */

/* The interval for one more run: from the runs' own variance, shrunk to the suite's, and counting
 * noise. */
static void find_band(const struct history_series *series, const struct statistics_suite *suite, double dispersion,
                      double confidence, struct history_part *part)
{
    const struct history_point *points = series->points + part->first;
    const double count = (double)part->count;
    double mean = 0, squares = 0, seen = 0;
    for (size_t i = 0; i < part->count; i++)
        mean += log(((double)points[i].count + 0.5) / (double)points[i].counted) / count;
    for (size_t i = 0; i < part->count; i++) {
        squares += pow(log(((double)points[i].count + 0.5) / (double)points[i].counted) - mean, 2);
        seen += (double)points[i].count / count;
    }
    const double prior = suite->variance + (series->weak ? suite->shift : 0) + dispersion / (seen + 0.5);
    const double freedom = count - 1 + suite->freedom;
    part->rate = fmin(exp(mean), 1); /* of 0.5 more than there were */
    part->band = (struct interval){0, INFINITY};
    if (freedom <= 0)
        return;
    const double variance = fmax((squares + suite->freedom * prior) / freedom, dispersion / (seen + 0.5));
    const double reach =
        exp(statistics_student_above((1 - confidence) / 2, freedom) * sqrt(variance * (1 + 1 / count)));
    part->band = (struct interval){part->rate / reach, part->rate * reach};
}

static void divide(struct arena *arena, const struct history_device *device, struct history_series *series)
{
    const struct history_segment *segment = series->segment;
    for (size_t s = 0, at = 0; s <= device->step_count; s++) {
        const size_t end = s < device->step_count ? device->steps[s].device_run : device->run_count, first = at;
        while (at < segment->run_count && segment->device_runs[at] < end)
            at++;
        if (at > first)
            ARENA_ADD(arena, series->parts, series->part_count) =
                (struct history_part){.first = first, .count = at - first};
    }
}

static bool moved_in(const struct history_step *step, const struct history_series *series)
{
    for (size_t i = 0; i < step->move_count; i++)
        if (step->moves[i].series == series)
            return true;
    return false;
}

/* For each step in which the series moved: the points outside the band of the part before it. */
static void mark_outside(const struct history_device *device, struct history_series *series)
{
    for (size_t p = 1; p < series->part_count; p++) {
        const struct history_part *part = &series->parts[p];
        bool moved = false;
        for (size_t s = 0; s < device->step_count; s++)
            moved |= device->steps[s].device_run > series->points[part->first - 1].device_run &&
                     device->steps[s].device_run <= series->points[part->first].device_run &&
                     moved_in(&device->steps[s], series);
        const struct interval band = series->parts[p - 1].band;
        for (size_t i = part->first; moved && i < part->first + part->count; i++)
            series->points[i].outside = series->points[i].rate < band.low || series->points[i].rate > band.high;
    }
}

static void finish_series(struct step_search *search, const struct history_split *split, struct history_series *series)
{
    static const struct statistics_suite unknown = {.variance = 0};
    const double confidence = search->history->options.confidence;
    const struct statistics_suite *suite = split ? &split->suites[series->weak] : &unknown;
    const double known = split && series->number != SIZE_MAX ? split->measures[series->number].dispersion : 1;
    const double dispersion = fmax(1, known);
    divide(&search->history->arena, search->device, series);
    for (size_t p = 0; p < series->part_count; p++)
        find_band(series, suite, dispersion, confidence, &series->parts[p]);
    for (size_t i = 0; i < series->segment->run_count; i++) {
        struct history_point *point = &series->points[i];
        point->interval = statistics_binomial((uint64_t)llround((double)point->count / dispersion),
                                              (uint64_t)llround((double)point->counted / dispersion), confidence);
    }
    mark_outside(search->device, series);
}

static int by_number(const void *left, const void *right)
{
    const double *a = left, *b = right;
    return *a < *b ? -1 : *a > *b;
}

/* ---- a device ---- */

/* The factor by which half of the series would have to move in the middle of the history. */
static double find_findable(struct step_search *search)
{
    const struct history_options *options = &search->history->options;
    struct history_device *device = search->device;
    const struct run_range whole = {0, device->run_count}, candidates = split_candidates(options, device, whole);
    double *factors = memory_take(device->searched_count, sizeof *factors);
    struct history_split split;
    size_t count = 0;
    if (candidates.low == candidates.high) {
        free(factors);
        return INFINITY;
    }
    const size_t middle = device->run_count / 2 > candidates.low ? device->run_count / 2 : candidates.low;
    split_make(&search->arena, options, device, whole, middle, &split);
    for (size_t i = 0; i < device->searched_count; i++) {
        const struct statistics_decision *decision = &split.decisions[i];
        const double level = options->alpha / (double)search->history->questions / 2;
        if (decision->freedom > 0)
            factors[count++] = fmax(
                exp(statistics_student_above(level, decision->freedom) * decision->error),
                options->tolerance *
                    exp(statistics_student_above(0.5 - options->confidence / 2, decision->freedom) * decision->error));
    }
    qsort(factors, count, sizeof *factors, by_number);
    const double median = count > 0 ? factors[count / 2] : INFINITY;
    free(factors);
    return median;
}

static void search_device(struct history *history, struct history_device *device)
{
    struct step_search search = {.history = history, .device = device};
    if (device->searched_count > 0)
        search_span(&search, (struct run_range){0, device->run_count});
    for (size_t i = 0; i < device->step_count; i++)
        finish_step(&search, i, &search.usual);
    device->lag = search.has_usual ? search.usual.lag : 0;
    device->findable = device->step_count == 0 ? find_findable(&search) : INFINITY;
    for (size_t t = 0; t < device->test_count; t++)
        for (size_t i = 0; i < device->tests[t]->segment_count; i++)
            for (size_t s = 0; s < device->tests[t]->segments[i]->series_count; s++)
                finish_series(&search, search.has_usual ? &search.usual : NULL,
                              &device->tests[t]->segments[i]->series[s]);
    arena_release(&search.arena);
}

/* Series with enough runs. */
static void list_searched(struct history *history, struct history_device *device)
{
    for (size_t t = 0; t < device->test_count; t++) {
        for (size_t i = 0; i < device->tests[t]->segment_count; i++) {
            struct history_segment *segment = device->tests[t]->segments[i];
            if (segment->run_count <= history->options.fewest_runs) {
                device->too_short++;
                continue;
            }
            for (size_t s = 0; s < segment->series_count; s++) {
                segment->series[s].number = device->searched_count;
                ARENA_ADD(&history->arena, device->searched, device->searched_count) = &segment->series[s];
            }
        }
    }
    if (device->searched_count > 0)
        history->questions +=
            split_count_questions(&history->options, device, (struct run_range){0, device->run_count});
}

void history_find_steps(struct history *history)
{
    for (size_t i = 0; i < history->device_count; i++)
        list_searched(history, history->devices[i]);
    for (size_t i = 0; i < history->device_count; i++)
        search_device(history, history->devices[i]);
}
