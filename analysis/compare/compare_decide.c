// SPDX-License-Identifier: Apache-2.0
/* From measures to results: how much runs differ, what is significant, and what is worth running again. Then from
 * results to findings. */
#include "analysis/compare/compare_parts.h"

/* The runs of both sides, each once: a run of orchil has a job of every test. */
struct run_list {
    struct listed_run {
        int side;
        const char *run; /* its UUID: run numbers of different files are unrelated */
    } * runs;
    size_t count;
};

/* What a comparison learns about its runs before it decides: how much they differ, and whether all of B is shifted. */

static size_t number_of(struct arena *arena, struct run_list *list, int side, const char *run)
{
    for (size_t i = 0; i < list->count; i++)
        if (list->runs[i].side == side && strcmp(list->runs[i].run, run) == 0)
            return i;
    ARENA_ADD(arena, list->runs, list->count) = (struct listed_run){side, run};
    return list->count - 1;
}

static void gather_questions(struct comparison *comparison, struct arena *arena, enum compare_suite of,
                             struct run_list *list, struct statistics_question **questions, size_t *count)
{
    *count = 0;
    for (size_t p = 0; p < comparison->pair_count; p++) {
        const struct sample_pair *pair = &comparison->pairs[p];
        if (pair->kernels == KERNELS_DIFFER)
            continue;
        const size_t runs = pair->sample[SIDE_A]->run_count + pair->sample[SIDE_B]->run_count;
        size_t *numbers = arena_take(arena, runs, sizeof *numbers), at = 0;
        for (int side = 0; side < SIDES; side++)
            for (size_t i = 0; i < pair->sample[side]->run_count; i++)
                numbers[at++] = number_of(arena, list, side, pair->sample[side]->runs[i].row->run_uuid);
        for (size_t r = 0; r < pair->question_count; r++)
            if (compare_suite_of(pair->rates[r].outcome) == of)
                ARENA_ADD(arena, *questions, *count) =
                    (struct statistics_question){.measure = pair->rates[r].measure,
                                                 .residuals = pair->rates[r].residuals,
                                                 .runs = numbers,
                                                 .count = runs,
                                                 .test = p};
    }
}

/* Only reruns of nearly all tests show whether all of B is shifted; a few tests, chosen because they are far off, do
 * not. */
static bool shows_shift(const struct comparison *comparison)
{
    const struct comparison *first = comparison->options.first;
    return !first || (first->shift.suspect && 10 * comparison->pair_count >= 8 * first->pair_count);
}

/* Learns from all pairs how much runs differ, stored in the comparison's suites, and how far B is shifted. */
/* Only weak outcomes of a run move together: shares of the others add up to 1. */
static void compare_learn(struct comparison *comparison)
{
    LOCAL(arena) arena = {0};
    struct run_list list = {.count = 0};
    const struct comparison *first = comparison->options.first;
    struct shift *shift = &comparison->shift;
    for (enum compare_suite of = 0; of < COMPARE_SUITES; of++) {
        const bool weak = of == COMPARE_WEAK;
        struct statistics_question *questions = NULL;
        struct statistics_suite suite;
        size_t count;
        gather_questions(comparison, &arena, of, &list, &questions, &count);
        statistics_fit(questions, count, list.count, weak, &suite);
        comparison->suites[of] = first ? first->suites[of] : suite;
        if (weak && shows_shift(comparison))
            statistics_decide_shift(questions, count, &suite, comparison->options.confidence, &shift->log_ratio,
                                    &shift->decision);
    }
}

bool compare_shows_weakness(const struct sample_outcome *outcome)
{
    const enum verdict verdict = sample_verdict(outcome);
    return verdict != VERDICT_NONE ? verdict != VERDICT_SC : outcome->witness;
}

enum compare_suite compare_suite_of(const struct sample_outcome *outcome)
{
    return outcome->of == SAMPLE_VOID        ? COMPARE_VOIDS
           : outcome->of == SAMPLE_TIME      ? COMPARE_TIMES
           : compare_shows_weakness(outcome) ? COMPARE_WEAK
                                             : COMPARE_OTHER;
}

bool rate_is_one_sided(const struct rate *rate)
{
    return rate->count[SIDE_A] == 0 || rate->count[SIDE_B] == 0;
}

/* ---- asking ---- */

struct sample_pair *compare_find_pair(const struct comparison *comparison, int side, const struct sample *sample)
{
    for (size_t i = 0; comparison && i < comparison->pair_count; i++)
        if (sample_compare(comparison->pairs[i].sample[side], sample, comparison->dimensions) == 0)
            return &comparison->pairs[i];
    return NULL;
}

struct rate *compare_find_in_pair(const struct sample_pair *pair, const char *label)
{
    for (size_t r = 0; pair && r < pair->question_count; r++)
        if (strcmp(pair->rates[r].outcome->label, label) == 0)
            return &pair->rates[r];
    return NULL;
}

const struct rate *compare_find_rate(const struct comparison *comparison, const struct sample *sample,
                                     const char *label)
{
    return compare_find_in_pair(compare_find_pair(comparison, SIDE_B, sample), label);
}

static double tolerance_of(const struct compare_options *options, const struct rate *rate)
{
    return rate->outcome->of == SAMPLE_TIME ? fmax(options->tolerance, options->time_tolerance) : options->tolerance;
}

/* Whether a share may decide anything: there are more than a few void instances, or an instance takes a time beyond the
 * tolerance. Clocks move the times of all tests, so that to run each of them again would be dear. */
static bool compare_decide_matters(const struct compare_options *options, const struct rate *rate)
{
    const double ratio = rate->ratio.ratio;
    if (rate->outcome->of == SAMPLE_TIME)
        return ratio > tolerance_of(options, rate) || ratio < 1 / tolerance_of(options, rate);
    bool many = rate->outcome->of == SAMPLE_OUTCOME;
    for (int side = 0; side < SIDES; side++)
        many |= (double)rate->count[side] >= options->least_share * (double)rate->counted[side];
    return many;
}

/* A first pass only chooses: outcomes that one side alone has seen, and rates that are far off at a loose level. */
static void suspect(const struct comparison *comparison, struct rate *rate)
{
    const struct compare_options *options = &comparison->options;
    const double level = compare_shows_weakness(rate->outcome) ? options->suspect : options->suspect_other;
    rate->suspect_p = rate_is_one_sided(rate) ? 1 : level;
    rate->suspect =
        compare_decide_matters(options, rate) && (comparison->shift.suspect || rate_is_one_sided(rate) ||
                                                  (rate->decision.freedom > 0 && rate->decision.p <= level));
}

/* ---- one question ---- */

static void decide_runs(const struct comparison *comparison, const struct sample_pair *pair, struct rate *rate)
{
    const struct compare_options *options = &comparison->options;
    const struct statistics_suite *suite = &comparison->suites[compare_suite_of(rate->outcome)];
    const struct rate *first = compare_find_rate(options->first, pair->sample[SIDE_B], rate->outcome->label);
    rate->by_runs = rate->measure.runs[SIDE_A] >= options->fewest_runs;
    rate->adjusted = rate->within_adjusted = 1;
    if (!options->first)
        statistics_decide(&rate->measure, suite, options->confidence, &rate->decision);
    else if (first && first->suspect)
        statistics_decide_twice(&first->measure, &rate->measure, suite, first->suspect_p, options->confidence,
                                &rate->decision);
    else
        rate->decision.p = 1;
    rate->by_runs &= rate->decision.freedom > 0;
    if (rate_is_one_sided(rate))
        rate->ratio = statistics_one_sided_ratio(rate->count, rate->counted, options->confidence);
    else if (rate->by_runs)
        rate->ratio = statistics_measured_ratio(&rate->measure, &rate->decision, options->confidence);
}

/* ---- many questions ---- */

/* The questions that the level is corrected for, as one list: those of the first pass if there was one, chosen or
 * not. */
struct questions {
    struct rate **rates; /* of the comparison; NULL if the question was not chosen */
    double *weights, *p;
    size_t count;
};

static void add_questions(const struct comparison *comparison, const struct sample_pair *pair, struct questions *list)
{
    const struct comparison *first = comparison->options.first;
    struct sample_pair *again = first ? compare_find_pair(comparison, SIDE_B, pair->sample[SIDE_B]) : NULL;
    if (pair->kernels == KERNELS_DIFFER)
        return;
    for (size_t r = 0; r < pair->question_count; r++) {
        struct rate *rate = first ? compare_find_in_pair(again, pair->rates[r].outcome->label) : &pair->rates[r];
        list->rates[list->count] = rate;
        list->weights[list->count] =
            compare_shows_weakness(pair->rates[r].outcome) ? comparison->options.weak_weight : 1;
        list->p[list->count++] = rate && rate->by_runs ? rate->decision.p : 1;
    }
}

/* With room for one more. */
static struct questions list_questions(const struct comparison *comparison, struct arena *arena)
{
    const struct comparison *from = comparison->options.first ? comparison->options.first : comparison;
    struct questions list = {.count = 0};
    size_t most = 1;
    for (size_t i = 0; i < from->pair_count; i++)
        most += from->pairs[i].question_count;
    list.rates = arena_take(arena, most, sizeof *list.rates);
    list.weights = arena_take(arena, most, sizeof *list.weights);
    list.p = arena_take(arena, most, sizeof *list.p);
    for (size_t i = 0; i < from->pair_count; i++)
        add_questions(comparison, &from->pairs[i], &list);
    return list;
}

/* The shift, if requested, gets a tenth of the level. */
static void adjust_runs(struct comparison *comparison, struct questions *list)
{
    const bool asks_shift = comparison->shift.decision.freedom > 0;
    const double sum = SUM_OF(double, weight, list->weights, list->count, *weight);
    list->p[list->count] = comparison->shift.decision.p;
    list->weights[list->count] = sum > 0 ? sum / 9 : 1;
    statistics_holm(list->p, list->weights, list->count + asks_shift);
    for (size_t i = 0; i < list->count; i++)
        if (list->rates[i])
            list->rates[i]->adjusted = list->p[i];
    comparison->shift.adjusted = asks_shift ? list->p[list->count] : 1;
}

static void adjust_batches(struct questions *list)
{
    size_t count = 0;
    for (size_t i = 0; i < list->count; i++) {
        if (!list->rates[i] || list->rates[i]->within.method == STATISTICS_NONE)
            continue;
        list->weights[count] = list->weights[i];
        list->p[count++] = list->rates[i]->within.p;
    }
    statistics_holm(list->p, list->weights, count);
    for (size_t i = count = 0; i < list->count; i++)
        if (list->rates[i] && list->rates[i]->within.method != STATISTICS_NONE)
            list->rates[i]->within_adjusted = list->p[count++];
}

/* ---- results ---- */

static bool lies_beyond(struct interval ratio, double bound)
{
    return ratio.low > bound || ratio.high < 1 / bound;
}

static enum rate_result decide_one_sided(const struct compare_options *options, const struct rate *rate, int seen_by)
{
    const bool is_new = seen_by == SIDE_B;
    /* Every run of one side has seen it, and no run of the other. */
    const bool runs_agree = rate->spread[seen_by].seen_in_runs == rate->spread[seen_by].runs;
    if (rate->by_runs && rate->adjusted <= options->alpha && runs_agree)
        return is_new ? RATE_NEW : RATE_LOST;
    if (rate->by_runs)
        return is_new ? RATE_NEW_RARE : RATE_LOST_RARE;
    if (rate->within_adjusted <= options->alpha && rate->expected >= statistics_count_for(1 - options->alpha))
        return is_new ? RATE_NEW_UNCONFIRMED : RATE_LOST_UNCONFIRMED;
    return is_new ? RATE_NEW_RARE : RATE_LOST_RARE;
}

/* Rates that moved with all of B are reported once, as the shift. */
static bool moved_with_all(const struct comparison *comparison, const struct rate *rate)
{
    const double shift = exp(comparison->shift.log_ratio), tolerance = tolerance_of(&comparison->options, rate);
    return comparison->shift.found && compare_shows_weakness(rate->outcome) &&
           rate->ratio.interval.low <= shift * tolerance && rate->ratio.interval.high >= shift / tolerance;
}

/* A change that is not sure, but too likely to be left unsaid: beyond the tolerance and significant, or so large that
 * even a loose level should not be passed over. */
static bool is_likely(const struct compare_options *options, const struct rate *rate)
{
    const double off = fabs(log(rate->ratio.ratio)), tolerance = tolerance_of(options, rate);
    return (rate->adjusted <= options->alpha && off > log(tolerance)) ||
           (rate->adjusted <= options->suspect && off > log(fmax(options->detect, tolerance)));
}

/* What changed while other programs kept a processor busy may be their doing. */
static enum rate_result unless_busy(const struct sample_pair *pair, enum rate_result result)
{
    const bool busy = pair->load > 0;
    return busy && result == RATE_CHANGED ? RATE_UNCONFIRMED
           : busy && result == RATE_NEW   ? RATE_NEW_UNCONFIRMED
           : busy && result == RATE_LOST  ? RATE_LOST_UNCONFIRMED
                                          : result;
}

static enum rate_result decide_rate(struct comparison *comparison, const struct rate *rate)
{
    const struct compare_options *options = &comparison->options;
    const struct interval ratio = rate->ratio.interval;
    if (!compare_decide_matters(options, rate))
        return RATE_SIMILAR;
    if (rate_is_one_sided(rate))
        return decide_one_sided(options, rate, rate->count[SIDE_B] > 0 ? SIDE_B : SIDE_A);
    const double tolerance = tolerance_of(options, rate), enough = fmax(options->detect, tolerance);
    const double p = rate->by_runs ? rate->adjusted : rate->within_adjusted;
    const bool beyond = p <= options->alpha && lies_beyond(ratio, tolerance);
    const bool similar = ratio.low >= 1 / enough && ratio.high <= enough;
    if (!beyond && !(rate->by_runs && is_likely(options, rate)))
        return similar ? RATE_SIMILAR : RATE_UNDECIDED;
    if (rate->by_runs && moved_with_all(comparison, rate)) {
        comparison->shift.moved++;
        return RATE_MOVED;
    }
    return rate->by_runs && beyond ? RATE_CHANGED : RATE_UNCONFIRMED;
}

/* Whether to run nearly all tests again: that is expensive, so only if the whole run is clearly off. */
static bool suspect_shift(const struct comparison *comparison)
{
    const struct shift *shift = &comparison->shift;
    return shift->decision.freedom > 0 && shift->decision.p <= comparison->options.alpha &&
           fabs(shift->log_ratio) > log(comparison->options.tolerance);
}

static void decide_results(struct comparison *comparison)
{
    for (size_t i = 0; i < comparison->pair_count; i++) {
        for (size_t r = 0; r < comparison->pairs[i].question_count; r++) {
            struct rate *rate = &comparison->pairs[i].rates[r];
            if (comparison->pairs[i].kernels == KERNELS_DIFFER)
                continue; /* compare_leave_kernels */
            rate->result = unless_busy(&comparison->pairs[i], decide_rate(comparison, rate));
            suspect(comparison, rate);
            comparison->results[rate->result] += r < comparison->pairs[i].rate_count;
        }
    }
}

void compare_decide(struct comparison *comparison)
{
    const struct compare_options *options = &comparison->options;
    struct shift *shift = &comparison->shift;
    compare_learn(comparison);
    for (size_t i = 0; i < comparison->pair_count; i++)
        for (size_t r = 0; r < comparison->pairs[i].question_count; r++)
            decide_runs(comparison, &comparison->pairs[i], &comparison->pairs[i].rates[r]);
    LOCAL(arena) arena = {0};
    struct questions list = list_questions(comparison, &arena);
    adjust_runs(comparison, &list);
    adjust_batches(&list);
    shift->found = shift->decision.freedom > 0 && comparison->runs[SIDE_A] >= options->fewest_runs &&
                   shift->adjusted <= options->alpha && lies_beyond(shift->decision.ratio, options->tolerance) &&
                   comparison->pairs[0].load <= 0;
    shift->suspect = suspect_shift(comparison);
    decide_results(comparison);
    compare_leave_kernels(comparison);
}

/* ---- from pairs and rates to findings ---- */

WORDS_OF(finding_kind_name, enum finding_kind, "forbidden", "control", "claim", "state", "kept", "shift", "new", "lost",
         "rate", "voids", "time", "undecided")

const struct rate_result_row rate_results[RATE_RESULT_COUNT] = {
    [RATE_SIMILAR] = {"similar", .decides = false},
    [RATE_CHANGED] = {"changed", true, true, FINDING_RATE, STANDING_SURE},
    [RATE_NEW] = {"new", true, true, FINDING_NEW, STANDING_SURE},
    [RATE_LOST] = {"lost", true, true, FINDING_LOST, STANDING_SURE},
    [RATE_UNCONFIRMED] = {"unconfirmed", true, true, FINDING_RATE, STANDING_UNCONFIRMED},
    [RATE_NEW_UNCONFIRMED] = {"new-unconfirmed", true, true, FINDING_NEW, STANDING_UNCONFIRMED},
    [RATE_LOST_UNCONFIRMED] = {"lost-unconfirmed", true, true, FINDING_LOST, STANDING_UNCONFIRMED},
    [RATE_NEW_RARE] = {"new-rare", true, true, FINDING_NEW, STANDING_UNDECIDED},
    [RATE_LOST_RARE] = {"lost-rare", true, true, FINDING_LOST, STANDING_UNDECIDED},
    [RATE_UNDECIDED] = {"undecided", true, true, FINDING_UNDECIDED, STANDING_UNDECIDED},
    [RATE_NOT_COMPARED] = {"not-compared", .decides = false},
    [RATE_MOVED] = {"moved", true, false, FINDING_SHIFT, STANDING_SURE}};

const char *rate_result_name(enum rate_result result)
{
    return rate_results[result].word;
}

const char *const compare_titles[COMPARE_SECTIONS] = {
    [COMPARE_FORBIDDEN] = "Outcomes that must never appear",
    [COMPARE_STATES] = "Tests that ended differently",
    [COMPARE_KEPT] = "Tests whose compiled code differs: whether it still is the test",
    [COMPARE_CHANGED] = "Changes",
    [COMPARE_UNCONFIRMED] = "Unconfirmed changes",
    [COMPARE_UNDECIDED] = "Undecided",
};

bool finding_is_alarm(const struct finding *finding)
{
    return finding->kind <= FINDING_CLAIM;
}

bool finding_fails(const struct finding *finding)
{
    return finding_is_alarm(finding) && !finding->excused;
}

enum finding_age finding_age(const struct finding *finding)
{
    return finding->count[SIDE_B] == 0   ? FINDING_IN_A_ALONE
           : finding->count[SIDE_A] == 0 ? FINDING_NEW_IN_B
                                         : FINDING_IN_BOTH;
}

enum compare_section compare_section_of(const struct finding *finding)
{
    static const enum compare_section by_standing[] = {[STANDING_SURE] = COMPARE_CHANGED,
                                                       [STANDING_UNCONFIRMED] = COMPARE_UNCONFIRMED,
                                                       [STANDING_UNDECIDED] = COMPARE_UNDECIDED};
    return finding_is_alarm(finding)        ? COMPARE_FORBIDDEN
           : finding->kind == FINDING_STATE ? COMPARE_STATES
           : finding->kind == FINDING_KEPT  ? COMPARE_KEPT
                                            : by_standing[finding->standing];
}

size_t compare_count(const struct comparison *comparison, enum compare_section section)
{
    return SUM_OF(size_t, finding, comparison->findings, comparison->finding_count,
                  compare_section_of(finding) == section);
}

const char *compare_severity(const struct finding *finding)
{
    static const char *const words[COMPARE_SECTIONS] = {"FORBIDDEN", "STATE",       "KEPT",
                                                        "CHANGED",   "UNCONFIRMED", "UNDECIDED"};
    if (finding->excused)
        return "NOT PROMISED";
    return finding->kind == FINDING_CONTROL ? "CONTROL"
           : finding->kind == FINDING_CLAIM ? "CLAIM"
                                            : words[compare_section_of(finding)];
}

enum finding_kind finding_of_measure(enum sample_measure of)
{
    static const enum finding_kind kinds[] = {
        [SAMPLE_OUTCOME] = FINDING_RATE, [SAMPLE_VOID] = FINDING_VOIDS, [SAMPLE_TIME] = FINDING_TIME};
    return kinds[of];
}

struct finding finding_on(const struct sample_pair *pair, const struct rate *rate, enum finding_kind kind,
                          enum finding_standing standing)
{
    return (struct finding){.kind = kind,
                            .standing = standing,
                            .sample = {pair->sample[SIDE_A], pair->sample[SIDE_B]},
                            .pair = pair,
                            .rate = rate,
                            .outcome = rate->outcome,
                            .count = {rate->count[SIDE_A], rate->count[SIDE_B]},
                            .spread = {rate->spread[SIDE_A], rate->spread[SIDE_B]}};
}

static void add_finding(struct comparison *comparison, struct finding finding)
{
    for (int side = 0; side < SIDES && finding.outcome; side++)
        if (finding.sample[side])
            finding.spread[side] =
                sample_spread(finding.sample[side], sample_same(finding.sample[side], finding.outcome));
    finding.position = comparison->finding_count;
    ARENA_ADD(&comparison->arena, comparison->findings, comparison->finding_count) = finding;
}

/* ---- what must never be seen ---- */

static void find_alarm(struct comparison *comparison, const struct sample *a, const struct sample *b, const char *label)
{
    const struct sample *const samples[SIDES] = {a, b};
    struct finding finding = {.kind = FINDING_CLAIM, .sample = {a, b}, .excused = true};
    for (int side = 0; side < SIDES; side++) {
        const struct sample_outcome *outcome = samples[side] ? sample_outcome(samples[side], label) : NULL;
        if (!outcome || !ruling_condemns(outcome->ruling.kind))
            continue;
        const enum finding_kind kind = outcome->ruling.kind == RULING_FORBIDDEN ? FINDING_FORBIDDEN
                                       : outcome->ruling.kind == RULING_CONTROL ? FINDING_CONTROL
                                                                                : FINDING_CLAIM;
        finding.count[side] = outcome->count;
        finding.excused = !outcome->ruling.fails; /* B, which is judged, comes last */
        if (!finding.outcome || kind <= finding.kind)
            finding.outcome = outcome;
        finding.kind = kind < finding.kind ? kind : finding.kind;
    }
    if (finding.outcome)
        add_finding(comparison, finding);
}

/* Every label of b, then the labels of a that b lacks. */
static void find_alarms(struct comparison *comparison, const struct sample *a, const struct sample *b)
{
    for (size_t i = 0; b && i < b->outcome_count; i++)
        find_alarm(comparison, a, b, b->outcomes[i].label);
    for (size_t i = 0; a && i < a->outcome_count; i++)
        if (!b || !sample_outcome(b, a->outcomes[i].label))
            find_alarm(comparison, a, b, a->outcomes[i].label);
}

/* ---- what changed ---- */

static void find_rates(struct comparison *comparison, const struct sample_pair *pair)
{
    FOR_EACH(const struct rate, rate, pair->rates, pair->question_count) {
        const struct rate_result_row *result = &rate_results[rate->result];
        const bool is_share = rate->outcome->of != SAMPLE_OUTCOME;
        if (rate_is_one_sided(rate) && ruling_condemns(rate->outcome->ruling.kind))
            continue; /* already reported, with both counts */
        if (result->listed && !(is_share && result->standing == STANDING_UNDECIDED))
            add_finding(comparison,
                        finding_on(pair, rate, is_share ? finding_of_measure(rate->outcome->of) : result->kind,
                                   result->standing));
    }
}

static void find_kept(struct comparison *comparison, const struct sample_pair *pair)
{
    const struct store_job_row *a = &pair->sample[SIDE_A]->row, *b = &pair->sample[SIDE_B]->row;
    const bool lost = a->kept == TEST_NOT_KEPT || b->kept == TEST_NOT_KEPT; /* else a remark says who inspected */
    if (a->built && b->built && a->kept != b->kept && lost)
        add_finding(comparison,
                    (struct finding){.kind = FINDING_KEPT, .sample = {pair->sample[SIDE_A], pair->sample[SIDE_B]}});
}

/* The weight of a finding among the sure, or the unsure, findings of its kind. */
static double finding_weight(const struct finding *finding)
{
    switch (finding->kind) {
    case FINDING_NEW:
        return (double)finding->count[SIDE_B];
    case FINDING_LOST:
        return finding->rate->expected;
    case FINDING_STATE:
        return finding->sample[SIDE_B]->row.state;
    case FINDING_KEPT:
        return finding->sample[SIDE_B]->row.kept == TEST_NOT_KEPT;
    case FINDING_RATE:
    case FINDING_VOIDS:
    case FINDING_TIME:
        return fabs(log(finding->rate->ratio.ratio));
    default:
        return 0;
    }
}

ORDERED_BY(compare_order, const struct finding,
           ORDER(compare_section_of(a), compare_section_of(b)) ?: ORDER(a->excused, b->excused)
               ?: (finding_is_alarm(a) ? ORDER(finding_age(a), finding_age(b)) : 0) ?: ORDER(a->kind, b->kind)
               ?: ORDER(finding_weight(b), finding_weight(a)) ?: ORDER(a->position, b->position))

void compare_find(struct comparison *comparison)
{
    FOR_EACH(const struct sample_pair, pair, comparison->pairs, comparison->pair_count) {
        find_alarms(comparison, pair->sample[SIDE_A], pair->sample[SIDE_B]);
        const struct sample *a = pair->sample[SIDE_A], *b = pair->sample[SIDE_B];
        if (a->row.state != b->row.state)
            add_finding(comparison, (struct finding){.kind = FINDING_STATE, .sample = {a, b}});
        find_kept(comparison, pair);
        find_rates(comparison, pair);
    }
    if (comparison->shift.found)
        add_finding(comparison, (struct finding){.kind = FINDING_SHIFT,
                                                 .sample = {comparison->pairs[0].sample[SIDE_A],
                                                            comparison->pairs[0].sample[SIDE_B]}});
    FOR_EACH(const struct unmatched, lone, comparison->unmatched, comparison->unmatched_count)
        find_alarms(comparison, lone->side == SIDE_A ? lone->sample : NULL, lone->side == SIDE_B ? lone->sample : NULL);
    SORT(comparison->findings, comparison->finding_count, compare_order);
}
