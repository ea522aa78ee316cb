// SPDX-License-Identifier: Apache-2.0
/* Mutants that were not seen often enough: then a control's silence means nothing. */
#include <math.h>
#include <string.h>

#include "analysis/gate/gate_parts.h"
#include "analysis/page/words.h"
#include "base/quantity.h"

/* A test is relied on where it has a control: that it shows its witness proves that the stress works. */
static bool is_mutant(const struct comparison *comparison, const struct sample *sample)
{
    const struct side *side = comparison->side[SIDE_B];
    if (*sample->row.controls)
        return false;
    for (size_t i = 0; i < side->sample_count; i++)
        if (strcmp(side->samples[i].row.controls, sample->row.test) == 0 &&
            strcmp(side->samples[i].row.dialect, sample->row.dialect) == 0 &&
            strcmp(side->samples[i].row.device, sample->row.device) == 0)
            return true;
    return false;
}

static uint64_t count_witnesses(const struct sample *sample)
{
    uint64_t sum = 0;
    for (size_t i = 0; sample && i < sample->outcome_count; i++)
        sum += sample->outcomes[i].witness ? sample->outcomes[i].count : 0;
    return sum;
}

static void add_suffices(double seconds, struct text *text)
{
    if (seconds > 0)
        text_add(text, "; %s of this test would do", QUANTITY_SECONDS(seconds));
    else
        text_add(text, "; what time would do is not known");
}

static void add_unseen(struct gate_deciding *deciding, struct gate_case *of, const struct sample *baseline,
                       struct text *text)
{
    const struct sample *sample = of->sample;
    const double needed = ceil(statistics_count_for(deciding->options->assurance));
    const uint64_t seen = count_witnesses(sample), before = count_witnesses(baseline);
    if ((double)seen >= needed)
        return;
    double rate = 0;
    if (seen > 0)
        rate = (double)seen / (double)sample->counted;
    else if (before > 0)
        rate = (double)before / (double)baseline->counted;
    const double speed = sample->row.seconds > 0 ? (double)sample->counted / sample->row.seconds : 0;
    double suffices = rate > 0 && speed > 0 ? needed / rate / speed : 0;
    if (suffices <= sample->row.seconds)
        suffices = 0; /* at the baseline's rate it would have been seen: the time is not what is wrong */
    words_add_test(text, sample);
    text_add(text, ": the witness was seen %s time%s, and %.0f are needed (", QUANTITY_COUNT(seen),
             seen == 1 ? "" : "s", needed);
    words_add_percent(text, deciding->options->assurance);
    text_add(text, " that a rerun sees it); a control's silence means nothing before");
    add_suffices(suffices, text);
    gate_add_reason(deciding, of, (struct gate_reason){.kind = GATE_UNSEEN, .suffices = suffices}, text);
}

static bool lies_within(struct interval ratio, double bound)
{
    return ratio.low >= 1 / bound && ratio.high <= bound;
}

/* Rates of witnesses that are frequent in the baseline, whose interval is too wide to tell. */
static void add_undecided(struct gate_deciding *deciding, struct gate_case *of, const struct pair *pair,
                          struct text *text)
{
    const struct compare_options *options = &deciding->gate->comparison->options;
    const double needed = ceil(statistics_count_for(deciding->options->assurance));
    const double bound = fmax(options->detect, options->tolerance);
    for (size_t i = 0; i < pair->rate_count; i++) {
        const struct rate *rate = &pair->rates[i];
        if (rate->result != RATE_UNDECIDED || !rate->outcome->witness || (double)rate->count[SIDE_A] < needed ||
            rate->count[SIDE_B] == 0 || lies_within(rate->ratio.interval, bound))
            continue;
        /* The interval's width goes with the root of the time; as wide as from 1 / bound to bound would do. */
        const double width = log(rate->ratio.interval.high / rate->ratio.interval.low) / 2;
        const double growth = pow(width / log(bound), 2);
        const double suffices = isfinite(growth) ? of->sample->row.seconds * fmax(growth, 1.5) : 0;
        words_add_test(text, of->sample);
        words_add(text, ": too little data to compare the rate of $: ", rate->outcome->label);
        words_add_ratio(text, &rate->ratio, options->confidence);
        text_add(text, ", and a change by %g could hide in it", bound);
        add_suffices(suffices, text);
        gate_add_reason(deciding, of, (struct gate_reason){.kind = GATE_UNDECIDED, .suffices = suffices}, text);
    }
}

void gate_add_doubts(struct gate_deciding *deciding, struct gate_case *of, const struct pair *pair, struct text *text)
{
    if (job_state_class(of->sample->row.state) != JOB_CLASS_FINE || !is_mutant(deciding->gate->comparison, of->sample))
        return;
    add_unseen(deciding, of, pair ? pair->sample[SIDE_A] : NULL, text);
    if (pair)
        add_undecided(deciding, of, pair, text);
}
