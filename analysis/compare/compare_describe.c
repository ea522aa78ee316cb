// SPDX-License-Identifier: Apache-2.0
/* Findings as sentences: what happened, in which direction, per what. */
#include <inttypes.h>
#include <math.h>

#include "analysis/compare/compare_parts.h"
#include "analysis/words/words.h"
#include "base/memory.h"
#include "base/quantity.h"

static const char side_names[SIDES][2] = {"A", "B"};

static void add_outcome(struct text *text, const struct sample_outcome *outcome)
{
    words_add(text, "outcome $", outcome->label);
    const enum verdict verdict = sample_verdict(outcome);
    if (verdict != VERDICT_NONE || outcome->witness)
        text_add(text, " (%s%s%s)", verdict != VERDICT_NONE ? verdict_word(verdict) : "",
                 verdict != VERDICT_NONE && outcome->witness ? ", " : "", outcome->witness ? "witness" : "");
}

struct statistics_run_rate compare_rate_over_runs(const struct sample *sample, const char *label, double confidence)
{
    const struct sample_outcome *outcome = sample_outcome(sample, label);
    struct statistics_run_count *runs = memory_take(sample->run_count, sizeof *runs);
    struct statistics_run_rate rate;
    for (size_t i = 0; i < sample->run_count; i++) {
        runs[i] = (struct statistics_run_count){.n = sample->runs[i].instances};
        for (size_t b = 0; b < sample->runs[i].batch_count && outcome && outcome->counts[i]; b++)
            runs[i].count += outcome->counts[i][b];
    }
    statistics_rate_over_runs(runs, sample->run_count, confidence, &rate);
    free(runs);
    return rate;
}

static void add_side(const struct comparison *comparison, const struct finding *finding, int side, struct text *text)
{
    const struct sample *sample = finding->sample[side];
    text_add(text, "in %s ", side_names[side]);
    if (!sample)
        text_add(text, "the test was not run");
    else if (finding->count[side] > 0) {
        const double confidence = comparison->options.confidence;
        const struct statistics_run_rate rate = compare_rate_over_runs(sample, finding->outcome->label, confidence);
        words_add_rate(text, finding->count[side], sample->counted, &rate, confidence);
    } else {
        text_add(text, "none of %s (", QUANTITY_COUNT(sample->counted));
        compare_add_bounds(text, sample, finding->outcome->label, comparison->options.confidence);
        text_add(text, ")");
    }
}

static void add_batches(const struct sample_spread *spread, struct text *text)
{
    text_add(text, "seen in %s of %s batch%s and %s of %s run%s", QUANTITY_COUNT(spread->seen_in),
             QUANTITY_COUNT(spread->batches), spread->batches == 1 ? "" : "es", QUANTITY_COUNT(spread->seen_in_runs),
             QUANTITY_COUNT(spread->runs), spread->runs == 1 ? "" : "s");
}

/* The same, and in how many batches it was seen: many sightings in one batch say less than a few in
 * each. */
static void add_spread(const struct comparison *comparison, const struct finding *finding, int side, struct text *text)
{
    const struct sample_spread *spread = &finding->spread[side];
    add_side(comparison, finding, side, text);
    if (finding->count[side] > 0) {
        text_add(text, ", ");
        add_batches(spread, text);
    }
}

static void add_p(const struct rate *rate, struct text *text)
{
    static const double least = 1e-12; /* below it the digits of an approximation mean nothing */
    const double p = rate->by_runs ? rate->adjusted : rate->within_adjusted;
    text_add(text, p < least ? "p below %.0e" : "p = %.2g", fmax(p, least));
    if (rate->by_runs)
        text_add(text, " after correction (t over runs, %.3g degrees of freedom)", rate->decision.freedom);
    else
        text_add(text, " after correction (%s)", statistics_method_name(rate->within.method));
}

static void describe_alarm(const struct comparison *comparison, const struct finding *finding, struct text *text)
{
    const bool in_b = finding->sample[SIDE_B] && finding->count[SIDE_B] > 0;
    words_add_test(text, finding->sample[in_b ? SIDE_B : SIDE_A]);
    text_add(text, ": ");
    add_outcome(text, finding->outcome);
    if (finding->kind == FINDING_CONTROL) {
        text_add(text, " of a control must never appear");
    } else if (finding->kind == FINDING_CLAIM) {
        text_add(text, " must never appear, as the test's file says");
    } else {
        const struct sample_opinion *by = sample_deciding(finding->outcome);
        words_add(text, " is forbidden by the model $ ($)", by->model, by->axiom);
    }
    text_add(text, ", and was seen: ");
    add_spread(comparison, finding, in_b ? SIDE_B : SIDE_A, text);
    text_add(text, ", ");
    add_spread(comparison, finding, in_b ? SIDE_A : SIDE_B, text);
    if (finding->excused)
        text_add(text, "; not promised by this device");
    const struct sample *seen_in = finding->sample[in_b ? SIDE_B : SIDE_A];
    if (seen_in->row.kept == TEST_NOT_KEPT)
        words_add(text, "; suspect the compiler first: the compiled code is not the test: $", seen_in->row.kept_reason);
}

static void add_standing(const struct finding *finding, struct text *text)
{
    if (finding->standing == STANDING_UNCONFIRMED)
        text_add(text, finding->rate->by_runs ? ": likely a change, and more runs would show whether it is"
                                              : ": these runs differ, and runs of one driver may differ as much");
    else if (finding->standing == STANDING_UNDECIDED)
        text_add(text, finding->pair->kernels == KERNELS_DIFFER ? ": the kernel differs, so nothing is decided"
                                                                : ": chance may explain it");
}

static void describe_presence(const struct comparison *comparison, const struct finding *finding, struct text *text)
{
    const struct rate *rate = finding->rate;
    const bool is_new = finding->kind == FINDING_NEW;
    words_add_test(text, finding->sample[SIDE_B]);
    text_add(text, ": ");
    add_outcome(text, finding->outcome);
    text_add(text, is_new ? " is new, seen only in B: " : " is lost, seen only in A: ");
    add_spread(comparison, finding, SIDE_A, text);
    text_add(text, ", ");
    add_spread(comparison, finding, SIDE_B, text);
    text_add(text, "; at %s's rate %s would have seen it %.3g times, ", is_new ? "B" : "A", is_new ? "A" : "B",
             rate->expected);
    add_p(rate, text);
    add_standing(finding, text);
}

static void add_states(const struct sample *sample, struct text *text)
{
    if (sample->jobs == 1) {
        text_add(text, "%s", job_state_word(sample->row.state));
    } else {
        bool first = true;
        for (int state = 0; state < JOB_STATE_COUNT; state++) {
            if (sample->states[state] == 0)
                continue;
            text_add(text, "%s%" PRIu64 " %s", first ? "" : " and ", sample->states[state],
                     job_state_word((enum job_state)state));
            first = false;
        }
        text_add(text, " of %" PRIu64 " jobs", sample->jobs);
    }
    if (*sample->row.reason)
        words_add(text, " ($)", sample->row.reason);
}

static void describe_state(const struct finding *finding, struct text *text)
{
    words_add_test(text, finding->sample[SIDE_B]);
    text_add(text, ": ended differently: in A ");
    add_states(finding->sample[SIDE_A], text);
    text_add(text, ", in B ");
    add_states(finding->sample[SIDE_B], text);
}

/* Whether the compiled code kept a test, and why not: "not-kept (P1 line 7: the load of x is
 * missing)". */
static void add_kept(const struct sample *sample, struct text *text)
{
    text_add(text, "%s", kept_word(sample->row.kept));
    if (*sample->row.kept_reason)
        words_add(text, " ($)", sample->row.kept_reason);
}

static void describe_kept(const struct finding *finding, struct text *text)
{
    words_add_test(text, finding->sample[SIDE_B]);
    text_add(text, ": whether the compiled code still is the test differs: in A ");
    add_kept(finding->sample[SIDE_A], text);
    text_add(text, ", in B ");
    add_kept(finding->sample[SIDE_B], text);
}

static void describe_rate(const struct comparison *comparison, const struct finding *finding, struct text *text)
{
    const struct rate *rate = finding->rate;
    words_add_test(text, finding->sample[SIDE_B]);
    text_add(text, ": the rate of ");
    add_outcome(text, finding->outcome);
    text_add(text, " %s from A to B: ",
             rate->ratio.kind == STATISTICS_RATIO_AT_LEAST ||
                     (rate->ratio.kind != STATISTICS_RATIO_AT_MOST && rate->ratio.ratio > 1)
                 ? "rose"
                 : "fell");
    add_side(comparison, finding, SIDE_A, text);
    text_add(text, ", ");
    add_side(comparison, finding, SIDE_B, text);
    text_add(text, "; B's rate to A's: ");
    words_add_ratio(text, &rate->ratio, comparison->options.confidence);
    text_add(text, ", ");
    add_p(rate, text);
    add_standing(finding, text);
}

static void describe_share(const struct comparison *comparison, const struct finding *finding, struct text *text)
{
    const struct rate *rate = finding->rate;
    const bool is_time = finding->kind == FINDING_TIME;
    words_add_test(text, finding->sample[SIDE_B]);
    text_add(text, is_time ? ": the " : ": the share of ");
    compare_add_measured(text, finding->outcome);
    text_add(text, " %s from A to B: ", rate->ratio.ratio > 1 ? "rose" : "fell");
    for (int side = 0; side < SIDES; side++) {
        text_add(text, "in %s ", side_names[side]);
        compare_add_share(text, rate, side);
        text_add(text, " (%s of %s launched instances), ",
                 is_time ? QUANTITY_SECONDS(1e-9 * (double)rate->count[side]) : QUANTITY_COUNT(rate->count[side]),
                 QUANTITY_COUNT(rate->counted[side]));
    }
    if (!rate_is_one_sided(rate)) {
        words_add_ratio(text, &rate->ratio, comparison->options.confidence);
        text_add(text, ", ");
    }
    add_p(rate, text);
    add_standing(finding, text);
}

static void describe_shift(const struct comparison *comparison, struct text *text)
{
    const struct shift *shift = &comparison->shift;
    const struct statistics_ratio ratio = shift_ratio(shift);
    text_add(text, "all rates of weak outcomes moved together from A to B: ");
    words_add_ratio(text, &ratio, comparison->options.confidence);
    text_add(text, ", p = %.2g after correction; %zu rate%s moved with it", shift->adjusted, shift->moved,
             shift->moved == 1 ? "" : "s");
}

/* Short: there may be many. */
static void describe_undecided(const struct comparison *comparison, const struct finding *finding, struct text *text)
{
    words_add_test(text, finding->sample[SIDE_B]);
    text_add(text, finding->rate->result == RATE_UNGATED
                       ? ": not gated on this machine, where the test varies too much: "
                       : ": too little data to compare the rate of ");
    add_outcome(text, finding->outcome);
    for (int side = 0; side < SIDES; side++) {
        text_add(text, "%c in %s %s of %s, ", side == SIDE_A ? ':' : ';', side_names[side],
                 QUANTITY_COUNT(finding->count[side]), QUANTITY_COUNT(finding->sample[side]->counted));
        add_batches(&finding->spread[side], text);
    }
    text_add(text, "; B's rate to A's: ");
    words_add_ratio(text, &finding->rate->ratio, comparison->options.confidence);
}

void compare_describe(const struct comparison *comparison, const struct finding *finding, struct text *text)
{
    switch (finding->kind) {
    case FINDING_FORBIDDEN:
    case FINDING_CONTROL:
    case FINDING_CLAIM:
        describe_alarm(comparison, finding, text);
        break;
    case FINDING_NEW:
    case FINDING_LOST:
        describe_presence(comparison, finding, text);
        break;
    case FINDING_STATE:
        describe_state(finding, text);
        break;
    case FINDING_KEPT:
        describe_kept(finding, text);
        break;
    case FINDING_SHIFT:
        describe_shift(comparison, text);
        break;
    case FINDING_RATE:
        describe_rate(comparison, finding, text);
        break;
    case FINDING_VOIDS:
    case FINDING_TIME:
        describe_share(comparison, finding, text);
        break;
    case FINDING_UNDECIDED:
        describe_undecided(comparison, finding, text);
        break;
    case FINDING_KIND_COUNT:
        break;
    }
}
