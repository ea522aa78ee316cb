// SPDX-License-Identifier: Apache-2.0
/* How often a setting must show the outcome, and when a trial has shown enough. */
#include <math.h>

#include "runner/minimise/minimising.h"

/* Seconds that a run may take without being called long. */
static const double short_run = 10;
/* How often the outcome must be seen in a run at the start, and after all steps; more is of no use to a reproducer. Counts of
 * runs whose rates vary as much as their mean (a gamma of shape 1) are 0 in one of 100 runs at a mean of 100. */
static const double ample = 1000, enough = 100;
static const double allowed_loss =
    10;                        /* factor of the start's rate that all steps together may cost where it is rarer, */
static const double scant = 2; /* and where it is rare */

enum {
    LEAST_BATCHES = 3,     /* of a trial: team maps and shuffles are drawn again for each */
    START_BATCHES = 5,     /* of one of the start, which shows draws too, */
    START_SEEN = 200,      /* and how often it must then be seen */
    PLENTY = 100,          /* seen: counting errs by 10 % no more; */
    ABUNDANT = 1000,       /* so many in the first batch, which may be long, are enough too */
    HOPELESS_EXPECTED = 10 /* of the outcome, had it the required rate; seen no more than a tenth of that */
};
static const double longest_of_seconds = 4; /* times its seconds a trial lasts that has not LEAST_BATCHES */

double minimise_rate(const struct minimise_trial *trial)
{
    return trial->seconds > 0 ? (double)trial->seen / trial->seconds : 0;
}

double minimal_expected_seconds(double rate)
{
    return rate > 0 ? MINIMISE_EXPECTED / rate : INFINITY;
}

static double at_least(double a, double b)
{
    return a > b ? a : b;
}

static double at_most(double a, double b)
{
    return a < b ? a : b;
}

struct minimise_bar minimise_bar_for(double rate, double run_seconds, double longest_run)
{
    struct minimise_bar bar = {.run_seconds = at_least(run_seconds, at_most(ample / rate, short_run))};
    bar.run_seconds = at_least(bar.run_seconds, scant * minimal_expected_seconds(rate));
    bar.run_seconds = at_most(bar.run_seconds, at_least(longest_run, run_seconds));
    bar.required = at_most(enough / bar.run_seconds, rate / allowed_loss);
    bar.required = at_most(at_least(bar.required, MINIMISE_EXPECTED / bar.run_seconds), rate / scant);
    return bar;
}

bool minimise_is_settled(const struct minimise_ask *ask, const struct minimise_trial *trial)
{
    const double expected = trial->seconds * ask->required;
    if (trial->seconds >= ask->seconds)
        return trial->batches >= LEAST_BATCHES || trial->seconds >= longest_of_seconds * ask->seconds;
    if (ask->whole || (trial->batches < LEAST_BATCHES && (trial->seen < ABUNDANT || ask->required <= 0)))
        return false;
    if (ask->required <= 0)
        return trial->batches >= START_BATCHES && trial->seen >= START_SEEN;
    const bool plenty = trial->seen >= PLENTY && (double)trial->seen >= scant * expected;
    const bool hopeless = expected >= HOPELESS_EXPECTED && (double)trial->seen * allowed_loss <= expected;
    return plenty || hopeless;
}

void minimise_best_add(struct minimise_best *best, const struct environment *drawn, double rate)
{
    size_t at = best->count < MINIMISE_BEST ? best->count++ : MINIMISE_BEST - 1;
    if (at == MINIMISE_BEST - 1 && best->count == MINIMISE_BEST && best->rates[at] >= rate)
        return;
    for (; at > 0 && best->rates[at - 1] < rate; at--) {
        best->rates[at] = best->rates[at - 1];
        best->environments[at] = best->environments[at - 1];
    }
    best->rates[at] = rate;
    best->environments[at] = *drawn;
}
