// SPDX-License-Identifier: Apache-2.0
/* Steps: the search for them, where they lie, what moved in them, and the parts that they leave.
 *
 * A trajectory holds the logarithm of a rate for each run, and how likely a step is at each run. It is cheap, because
 * it reduces a run to one number. Trajectories choose the splits that are decided, and weight the positions of a step.
 * A split divides the runs of a device into before and after, and holds the decision. */
#include "analysis/history/history.h"

/* ---- trajectories ---- */

/* Runs of the device low to high - 1. */
struct run_range {
    size_t low, high;
};

struct trajectory {
    double *logs;
    size_t *device_runs; /* of each, ascending */
    size_t count;
    double counting; /* the variance that counting alone gives a run */
};

/* The prior for a trajectory's variance from run to run. */
struct trajectory_prior {
    double variance, freedom; /* freedom 0: nothing is known */
};

/* ---- splits ---- */

/* One split of a span, over all series that are searched. */
struct history_split {
    size_t device_run;                   /* the first one after it */
    struct statistics_measure *measures; /* of each series; no runs after it: not used */
    struct statistics_suite suites[2];   /* of weak outcomes (1), and of the others (0) */
    double lag;                          /* correlation of successive runs, 0 if chance explains it */
    struct statistics_decision *decisions;
    struct statistics_decision shift;
    double log_shift;
};

/* ---- trajectories of log rates, and where they step ---- */

double history_log_rate(const struct history_point *point)
{
    return log(((double)point->count + 0.5) / (double)point->counted);
}

/* The trajectory of a series in a span. dispersion: as in struct statistics_measure. */
static struct trajectory trajectory_of(struct arena *arena, const struct history_series *series, struct run_range span,
                                       double dispersion)
{
    const struct history_segment *segment = series->segment;
    struct trajectory trajectory = {.logs = arena_take(arena, segment->run_count, sizeof *trajectory.logs),
                                    .device_runs =
                                        arena_take(arena, segment->run_count, sizeof *trajectory.device_runs)};
    double seen = 0;
    for (size_t r = 0; r < segment->run_count; r++) {
        if (segment->device_runs[r] < span.low || segment->device_runs[r] >= span.high)
            continue;
        trajectory.logs[trajectory.count] = history_log_rate(&series->points[r]);
        trajectory.device_runs[trajectory.count++] = segment->device_runs[r];
        seen += (double)series->points[r].count;
    }
    trajectory.counting = trajectory.count > 0 ? dispersion / (seen / (double)trajectory.count + 0.5) : 0;
    return trajectory;
}

static double mean_of(const double *values, size_t count)
{
    const double sum = SUM_OF(double, value, values, count, *value);
    return count > 0 ? sum / (double)count : 0;
}

static double squares_about_mean(const double *values, size_t count)
{
    const double mean = mean_of(values, count);
    return SUM_OF(double, value, values, count, (*value - mean) * (*value - mean));
}

/* The log likelihood ratio of a step before a run to no step, with normal errors of unknown variance; 0 if one side is
 * empty. */
static double trajectory_gain(const struct trajectory *trajectory, struct trajectory_prior prior, size_t device_run)
{
    const size_t before = INDEX_OF(each, trajectory->device_runs, trajectory->count, *each >= device_run);
    const size_t after = trajectory->count - before;
    if (before == 0 || after == 0 || trajectory->count < 3)
        return 0;
    const double freedom = (double)trajectory->count - 2;
    const double least = trajectory->counting * freedom, known = prior.variance * prior.freedom;
    const double split =
        squares_about_mean(trajectory->logs, before) + squares_about_mean(trajectory->logs + before, after);
    const double between = squares_about_mean(trajectory->logs, trajectory->count) - split;
    const double within = known + fmax(split, least);
    return within > 0 ? (prior.freedom + freedom + 1) / 2 * log1p(fmax(0, between) / within) : 0;
}

/* The median trajectory of all weak series, one for each test, each about its own mean: the deviations of whole
 * runs. */
static struct trajectory trajectory_of_all(struct arena *arena, const struct history_device *device,
                                           struct run_range span)
{
    const size_t most = span.high - span.low;
    struct trajectory all = {.logs = arena_take(arena, most, sizeof *all.logs),
                             .device_runs = arena_take(arena, most, sizeof *all.device_runs)};
    FREED double *values = memory_take(most * device->test_count, sizeof *values);
    size_t *found = memory_take(most, sizeof *found), last = SIZE_MAX;
    for (size_t i = 0; i < device->searched_count; i++) {
        const struct history_series *series = device->searched[i];
        if (!series->weak || series->segment->test->number == last)
            continue;
        last = series->segment->test->number;
        LOCAL(arena) scratch = {0};
        const struct trajectory trajectory = trajectory_of(&scratch, series, span, 1);
        const double mean = mean_of(trajectory.logs, trajectory.count);
        for (size_t r = 0; r < trajectory.count; r++) {
            const size_t at = trajectory.device_runs[r] - span.low;
            values[at * device->test_count + found[at]++] = trajectory.logs[r] - mean;
        }
    }
    for (size_t at = 0; at < most; at++) {
        if (found[at] == 0)
            continue;
        all.logs[all.count] = statistics_median(values + at * device->test_count, found[at]);
        all.device_runs[all.count++] = span.low + at;
    }
    free(found);
    return all;
}

/* ---- choosing ---- */

enum { FEW = 12, CHOSEN_BY_ONE = 4, CHOSEN_BY_ALL = 2 };

static void mark_best(const double *scores, struct run_range candidates, size_t count, bool *chosen)
{
    for (size_t k = 0; k < count; k++) {
        size_t best = SIZE_MAX;
        for (size_t device_run = candidates.low; device_run < candidates.high; device_run++)
            if (!chosen[device_run] && (best == SIZE_MAX || scores[device_run] > scores[best]))
                best = device_run;
        if (best != SIZE_MAX)
            chosen[best] = true;
    }
}

static void add_scores(const struct trajectory *trajectory, struct run_range candidates, double *most)
{
    for (size_t device_run = candidates.low; device_run < candidates.high; device_run++)
        most[device_run] =
            fmax(most[device_run], trajectory_gain(trajectory, (struct trajectory_prior){.freedom = 0}, device_run));
}

/* Marks in `chosen`, which has an entry for each run of the device, the runs from `candidates` at which a step is
 * likeliest, for single series and for all together. If they are few, marks all. */
static void trajectory_choose(const struct history_device *device, struct run_range span, struct run_range candidates,
                              bool *chosen)
{
    LOCAL(arena) arena = {0};
    double *most = memory_take(device->run_count, sizeof *most), *all = memory_take(device->run_count, sizeof *all);
    if (candidates.high - candidates.low <= FEW) {
        for (size_t device_run = candidates.low; device_run < candidates.high; device_run++)
            chosen[device_run] = true;
    } else {
        for (size_t i = 0; i < device->searched_count; i++) {
            const struct trajectory trajectory = trajectory_of(&arena, device->searched[i], span, 1);
            add_scores(&trajectory, candidates, most);
        }
        const struct trajectory whole = trajectory_of_all(&arena, device, span);
        add_scores(&whole, candidates, all);
        mark_best(most, candidates, CHOSEN_BY_ONE, chosen);
        mark_best(all, candidates, CHOSEN_BY_ALL, chosen);
    }
    free(all);
    free(most);
}

/* ---- which ---- */

/* The first run of the device at which the span can be split, and one past the last; equal if there is none. */
static struct run_range split_candidates(const struct history_options *options, const struct history_device *device,
                                         struct run_range span)
{
    const size_t after = span.high == device->run_count ? 1 : options->fewest_runs;
    const size_t first = span.low + options->fewest_runs, end = span.high + 1 > after ? span.high + 1 - after : 0;
    return (struct run_range){first, end > first ? end : first};
}

/* Whether a segment has enough runs of the span before a run, and any from it on. */
static bool takes_part(const struct history_options *options, const struct history_segment *segment,
                       struct run_range span, size_t device_run)
{
    size_t before = 0, after = 0;
    for (size_t r = 0; r < segment->run_count; r++) {
        before += segment->device_runs[r] >= span.low && segment->device_runs[r] < device_run;
        after += segment->device_runs[r] >= device_run && segment->device_runs[r] < span.high;
    }
    return before >= options->fewest_runs && after > 0;
}

/* How many questions the splits of a span ask. */
static size_t split_count_questions(const struct history_options *options, const struct history_device *device,
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
    FREED struct statistics_run *runs = memory_take(segment->run_count, sizeof *runs);
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

static void history_steps_follow(const struct statistics_question *question, struct following *following)
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

/* The weight of `tests` tests together, relative to independent ones: 1 if runs have no shift. */
static double split_independence(const struct history_split *split, size_t tests)
{
    const struct statistics_suite *weak = &split->suites[1];
    const double sum = weak->variance + weak->shift;
    return sum > 0 && tests > 1 ? 1 / (1 + (double)(tests - 1) * weak->shift / sum) : 1;
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
        history_steps_follow(&weak->list[i], &following);
        tests += following.norms > before;
    }
    if (tests == 0 || following.neighbours < 10)
        return 0;
    /* Around the means of two sides, short series seem to revert: by 1 + 3 lag over the runs of a side (Kendall, "Note
     * on bias in the estimation of autocorrelation", Biometrika 41, 1954). */
    const double bias = 2 / (double)(following.neighbours + 2), seen = following.products / following.norms;
    const double lag = (seen + bias) / (1 - 3 * bias);
    const double said = (double)following.neighbours * (double)tests * split_independence(split, tests);
    return lag > 2 / sqrt(said) ? fmin(lag, most) : 0;
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

/* Measures and decides a split. The arena owns what it points to. */
static void split_make(struct arena *arena, const struct history_options *options, const struct history_device *device,
                       struct run_range span, size_t device_run, struct history_split *split)
{
    const size_t count = device->searched_count;
    LOCAL(arena) scratch = {0};
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
    for (size_t i = 0; i < device->searched_count; i++) {
        const struct statistics_measure *measure = &split->measures[i];
        statistics_decide(measure, &split->suites[device->searched[i]->weak], options->confidence,
                          &split->decisions[i]);
        widen(measure->log_ratio, split->lag, measure->p_counting, options->confidence, &split->decisions[i]);
    }
    statistics_decide_shift(questions[1].list, questions[1].count, &split->suites[1], options->confidence,
                            &split->log_shift, &split->shift);
    widen(split->log_shift, split->lag, 0, options->confidence, &split->shift);
    for (int weak = 0; weak < 2; weak++)
        free(questions[weak].list);
}

/* Whether a ratio and its whole interval lie beyond the tolerance. */
static bool split_is_beyond(const struct history_options *options, const struct statistics_decision *decision)
{
    return decision->freedom > 0 &&
           (decision->ratio.low > options->tolerance || decision->ratio.high < 1 / options->tolerance);
}

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
    FOR_EACH(const struct statistics_decision, decision, split->decisions, search->device->searched_count) {
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
    FREED bool *chosen = memory_take(search->device->run_count, sizeof *chosen);
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
}

/* ---- where a step lies ---- */

/* The log likelihoods of a series (or of whole runs, SIZE_MAX) over all candidates, by the suite and the lag of the
 * best split. */
static void weigh(const struct step_search *search, const struct splits *splits, size_t series, double *weights)
{
    const struct history_split *as = &splits->list[splits->best];
    LOCAL(arena) arena = {0};
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
}

static size_t place_of_largest(const double *values, size_t count)
{
    size_t place = 0;
    for (size_t i = 1; i < count; i++)
        if (values[i] > values[place])
            place = i;
    return place;
}

static double largest(const double *values, size_t count)
{
    return values[place_of_largest(values, count)];
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

/* The candidate at which most of them step. A series that steps elsewhere has limited weight: its own step is found
 * later. */
static size_t find_peak(const struct voters *voters)
{
    static const double largest_vote = 8;
    FREED double *votes = memory_take(voters->places, sizeof *votes);
    for (size_t i = 0; i < voters->count; i++) {
        const double *weights = voters->weights + i * voters->places, most = largest(weights, voters->places);
        for (size_t v = 0; v < voters->places; v++)
            votes[v] += fmax(weights[v] - most, -largest_vote);
    }
    return place_of_largest(votes, voters->places);
}

/* The surest series of each test that may step at the peak, and whole runs; returns the sum of their weights. */
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

static void place_step(const struct step_search *search, const struct splits *splits, struct history_step *step)
{
    struct voters voters;
    find_voters(search, splits, &voters);
    double *sum = memory_take(voters.places, sizeof *sum);
    add_weights(search, splits, &voters, sum);
    const double most = largest(sum, voters.places);
    step->posterior = arena_take(&search->history->arena, search->device->run_count, sizeof *step->posterior);
    const double total = SUM_OF(double, one, sum, voters.places, exp(*one - most));
    for (size_t v = 0; v < voters.places; v++)
        step->posterior[splits->candidates.low + v] = exp(sum[v] - most) / total;
    step->device_run = splits->candidates.low + place_of_largest(sum, voters.places);
    step->probability = step->posterior[step->device_run];
    /* The smallest range of runs of the device around the likeliest that reaches the confidence. */
    double held = step->posterior[step->device_run];
    step->first = step->last = step->device_run;
    while (held < search->history->options.confidence &&
           (step->first > 0 || step->last + 1 < search->device->run_count)) {
        const double before = step->first > 0 ? step->posterior[step->first - 1] : -1;
        const double after = step->last + 1 < search->device->run_count ? step->posterior[step->last + 1] : -1;
        held += fmax(before, after);
        if (before > after)
            step->first--;
        else
            step->last++;
    }
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

ORDERED_BY(by_surety, const struct history_move, ORDER(a->p, b->p) ?: ORDER(a->series->number, b->series->number))

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

/* Holm over all series of the split; if none is left, the series with the smallest p, which gave the step. */
static void list_moves(struct step_search *search, struct history_step *step, const struct history_split *split)
{
    const struct history_options *options = &search->history->options;
    const size_t count = search->device->searched_count;
    FREED double *p = memory_take(count, sizeof *p);
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
    SORT(step->moves, step->move_count, by_surety);
}

static void finish_step(struct step_search *search, size_t which, struct history_split *split)
{
    const struct history_options *options = &search->history->options;
    struct history_step *step = &search->device->steps[which];
    const struct run_range span = around(search->device, which);
    split_make(&search->arena, options, search->device, span, step->device_run, split);
    list_moves(search, step, split);
    /* A test's other outcomes follow from the one that moved first. */
    for (size_t i = 0; i < step->move_count; i++) {
        struct history_move *move = &step->moves[i];
        for (size_t k = 0; k < i; k++)
            move->follows |= step->moves[k].series->segment->test == move->series->segment->test;
        step->test_count += !move->follows;
    }
    step->ratio = step->moves[0].ratio;
    step->shared = split->shift.p <= options->alpha && split_is_beyond(options, &split->shift);
    if (step->shared)
        step->ratio = statistics_decided_ratio(split->log_shift, &split->shift);
    history_attribute(search->history, search->device, span.low, span.high, step);
}

/* ---- parts and bands ---- */

/* The interval for one more run: from the runs' own variance, shrunk to the suite's, and counting noise. */
static void find_band(const struct history_series *series, const struct statistics_suite *suite, double dispersion,
                      double confidence, struct history_part *part)
{
    const struct history_point *points = series->points + part->first;
    const double count = (double)part->count;
    double squares = 0, seen = 0;
    const double mean = SUM_OF(double, point, points, part->count, history_log_rate(point) / count);
    for (size_t i = 0; i < part->count; i++) {
        squares += pow(history_log_rate(&points[i]) - mean, 2);
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

static void history_steps_divide(struct arena *arena, const struct history_device *device,
                                 struct history_series *series)
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

bool history_moved(const struct history_step *step, const struct history_series *series)
{
    return ANY_OF(move, step->moves, step->move_count, move->series == series);
}

static void finish_series(struct step_search *search, const struct history_split *split, struct history_series *series)
{
    static const struct statistics_suite unknown = {.variance = 0};
    const double confidence = search->history->options.confidence;
    const struct statistics_suite *suite = split ? &split->suites[series->weak] : &unknown;
    const double known = split && series->number != SIZE_MAX ? split->measures[series->number].dispersion : 1;
    const double dispersion = fmax(1, known);
    history_steps_divide(&search->history->arena, search->device, series);
    for (size_t p = 0; p < series->part_count; p++)
        find_band(series, suite, dispersion, confidence, &series->parts[p]);
    FOR_EACH(struct history_point, point, series->points, series->segment->run_count)
        point->interval = statistics_binomial((uint64_t)llround((double)point->count / dispersion),
                                              (uint64_t)llround((double)point->counted / dispersion), confidence);
    /* For each step in which the series moved: the points outside the band of the part before it. */
    for (size_t p = 1; p < series->part_count; p++) {
        const struct history_part *part = &series->parts[p];
        const bool moved =
            ANY_OF(one, search->device->steps, search->device->step_count,
                   one->device_run > series->points[part->first - 1].device_run &&
                       one->device_run <= series->points[part->first].device_run && history_moved(one, series));
        const struct interval band = series->parts[p - 1].band;
        for (size_t i = part->first; moved && i < part->first + part->count; i++)
            series->points[i].outside = series->points[i].rate < band.low || series->points[i].rate > band.high;
    }
}

/* ---- a device ---- */

/* The factor by which half of the series would have to move in the middle of the history. */
static double find_findable(struct step_search *search)
{
    const struct history_options *options = &search->history->options;
    struct history_device *device = search->device;
    const struct run_range whole = {0, device->run_count}, candidates = split_candidates(options, device, whole);
    FREED double *factors = memory_take(device->searched_count, sizeof *factors);
    struct history_split split;
    size_t count = 0;
    if (candidates.low == candidates.high)
        return INFINITY;
    const size_t middle = device->run_count / 2 > candidates.low ? device->run_count / 2 : candidates.low;
    split_make(&search->arena, options, device, whole, middle, &split);
    FOR_EACH(const struct statistics_decision, decision, split.decisions, device->searched_count) {
        const double level = options->alpha / (double)search->history->questions / 2;
        if (decision->freedom > 0)
            factors[count++] = fmax(
                exp(statistics_student_above(level, decision->freedom) * decision->error),
                options->tolerance *
                    exp(statistics_student_above(0.5 - options->confidence / 2, decision->freedom) * decision->error));
    }
    return count > 0 ? statistics_median(factors, count) : INFINITY;
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
    for (size_t s = 0; s < device->series_count; s++)
        finish_series(&search, search.has_usual ? &search.usual : NULL, device->series[s]);
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
