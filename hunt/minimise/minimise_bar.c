// SPDX-License-Identifier: Apache-2.0
/* The rate that a setting must keep, and when a trial can end. */
#include "hunt/minimise/minimising.h"

/* Seconds of a run that is not long. */
static const double short_run = 10;
/* How often a run must see the outcome at the start, and after all steps; more is of no use to a reproducer. If rates
 * vary as much as their mean (a gamma distribution of shape 1), a run with a mean count of 100 sees none in one of 100
 * runs. */
static const double ample = 1000, enough = 100;
/* If the start is rarer, all steps together may cost this factor of its rate, */
static const double allowed_loss = 10;
static const double scant = 2; /* or this factor if it is rare */

enum {
    LEAST_BATCHES = 3,     /* of a trial; each draws team maps and shuffles again */
    START_BATCHES = 5,     /* of a trial of the start, which also collects draws, */
    START_SEEN = 200,      /* and how often it must see the outcome */
    PLENTY = 100,          /* seen: the error of counting is at most 10 % */
    ABUNDANT = 1000,       /* seen: enough even before LEAST_BATCHES, which may be long */
    HOPELESS_EXPECTED = 10 /* expected at the required rate; hopeless if at most a tenth was seen */
};
static const double longest_of_seconds = 4; /* longest trial without LEAST_BATCHES, in its seconds */

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
