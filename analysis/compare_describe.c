// SPDX-License-Identifier: Apache-2.0
/* Findings as sentences: what happened, in which direction, per what. */
#include <inttypes.h>
#include <math.h>

#include "analysis/compare.h"
#include "analysis/words.h"
#include "base/quantity.h"

static const char side_names[SIDES][2] = {"A", "B"};

static void add_outcome(struct text *text, const struct sample_outcome *outcome)
{
    text_add(text, "outcome ");
    words_add_plain(text, outcome->label);
    if (outcome->verdict || outcome->witness)
        text_add(text, " (%s%s%s)", outcome->verdict ? outcome->verdict : "",
                 outcome->verdict && outcome->witness ? ", " : "", outcome->witness ? "witness" : "");
}

static void add_seen(const struct comparison *comparison, const struct finding *finding, struct text *text)
{
    for (int side = SIDE_B; side >= SIDE_A; side--) {
        const struct sample *sample = finding->sample[side];
        text_add(text, "%s", side == SIDE_B ? "seen in " : ", in ");
        if (!sample) {
            text_add(text, "%s never played", side_names[side]);
            continue;
        }
        text_add(text, "%s ", side_names[side]);
        words_add_rate(text, finding->count[side], sample->counted, comparison->options.confidence);
    }
}

static void describe_alarm(const struct comparison *comparison, const struct finding *finding, struct text *text)
{
    words_add_test(text, finding->sample[SIDE_B] ? finding->sample[SIDE_B] : finding->sample[SIDE_A]);
    text_add(text, ": ");
    add_outcome(text, finding->outcome);
    if (finding->kind == FINDING_CONTROL) {
        text_add(text, " of a control must never appear: ");
    } else {
        text_add(text, " is forbidden by the model ");
        words_add_plain(text, finding->outcome->model);
        if (*finding->outcome->axiom) {
            text_add(text, " (");
            words_add_plain(text, finding->outcome->axiom);
            text_add(text, ")");
        }
        text_add(text, ": ");
    }
    add_seen(comparison, finding, text);
    if (finding->excused)
        text_add(text, "; not promised by this device");
}

static void add_p(const struct rate *rate, struct text *text)
{
    text_add(text, "; p = %.2g after correction (%s)", rate->adjusted, statistics_method_name(rate->test.method));
}

static void describe_presence(const struct comparison *comparison, const struct finding *finding, struct text *text)
{
    const struct rate *rate = finding->rate;
    const double confidence = comparison->options.confidence;
    words_add_test(text, finding->sample[SIDE_B]);
    text_add(text, ": ");
    add_outcome(text, finding->outcome);
    text_add(text, finding->kind == FINDING_NEW ? " is seen in B alone: in A " : " is seen in A alone: in A ");
    words_add_rate(text, rate->count[SIDE_A], rate->counted[SIDE_A], confidence);
    text_add(text, ", in B ");
    words_add_rate(text, rate->count[SIDE_B], rate->counted[SIDE_B], confidence);
    text_add(text, "; at the other's rate %s would have seen it %.3g times", finding->kind == FINDING_NEW ? "A" : "B",
             rate->expected);
    add_p(rate, text);
    if (!finding->sure)
        text_add(text, rate->adjusted > comparison->options.alpha && rate->test.smallest_p > comparison->options.alpha
                           ? ": too few batches to be sure"
                           : ": chance may explain it");
}

static void add_states(const struct sample *sample, struct text *text)
{
    if (sample->jobs == 1) {
        text_add(text, "%s", job_state_name(sample->state));
    } else {
        bool first = true;
        for (int state = 0; state < JOB_STATE_COUNT; state++) {
            if (sample->states[state] == 0)
                continue;
            text_add(text, "%s%" PRIu64 " %s", first ? "" : " and ", sample->states[state],
                     job_state_name((enum job_state)state));
            first = false;
        }
        text_add(text, " of %" PRIu64 " jobs", sample->jobs);
    }
    if (*sample->reason) {
        text_add(text, " (");
        words_add_plain(text, sample->reason);
        text_add(text, ")");
    }
}

static void describe_state(const struct finding *finding, struct text *text)
{
    words_add_test(text, finding->sample[SIDE_B]);
    text_add(text, ": ended otherwise: in A ");
    add_states(finding->sample[SIDE_A], text);
    text_add(text, ", in B ");
    add_states(finding->sample[SIDE_B], text);
}

static void describe_rate(const struct comparison *comparison, const struct finding *finding, struct text *text)
{
    const struct rate *rate = finding->rate;
    words_add_test(text, finding->sample[SIDE_B]);
    text_add(text, ": the rate of ");
    add_outcome(text, finding->outcome);
    text_add(text, " %s from %.3g in A to %.3g in B per instance, ", rate->ratio.ratio > 1 ? "rose" : "fell",
             (double)rate->count[SIDE_A] / (double)rate->counted[SIDE_A],
             (double)rate->count[SIDE_B] / (double)rate->counted[SIDE_B]);
    words_add_ratio(text, &rate->ratio, comparison->options.confidence);
    add_p(rate, text);
}

void compare_describe(const struct comparison *comparison, const struct finding *finding, struct text *text)
{
    switch (finding->kind) {
    case FINDING_FORBIDDEN:
    case FINDING_CONTROL:
        describe_alarm(comparison, finding, text);
        break;
    case FINDING_NEW:
    case FINDING_LOST:
        describe_presence(comparison, finding, text);
        break;
    case FINDING_STATE:
        describe_state(finding, text);
        break;
    case FINDING_RATE:
        describe_rate(comparison, finding, text);
        break;
    }
}
