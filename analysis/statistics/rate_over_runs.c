// SPDX-License-Identifier: Apache-2.0
/* One rate in several runs: its typical value, and an interval that covers how much the runs differ. */
#include <math.h>

#include "analysis/statistics/runs.h"

/* Half a sighting stands for none, so that every run has a logarithm. */
static double log_rate(const struct statistics_run_count *run)
{
    return log(run->count > 0 ? (double)run->count : 0.5) - log((double)run->n);
}

/* The half width of the interval of a mean logarithm. */
static double reach_of(const struct statistics_run_count *runs, size_t count, double mean, size_t used,
                       double confidence)
{
    double squares = 0;
    for (size_t i = 0; i < count; i++)
        if (runs[i].n > 0)
            squares += pow(log_rate(&runs[i]) - mean, 2);
    const double freedom = (double)used - 1;
    return statistics_student_above((1 - confidence) / 2, freedom) * sqrt(squares / freedom / (double)used);
}

void statistics_rate_over_runs(const struct statistics_run_count *runs, size_t count, double confidence,
                               struct statistics_run_rate *rate)
{
    struct statistics_run_count sum = {0};
    double mean = 0;
    *rate = (struct statistics_run_rate){.range = {INFINITY, 0}};
    for (size_t i = 0; i < count; i++) {
        if (runs[i].n == 0)
            continue;
        const double own = (double)runs[i].count / (double)runs[i].n;
        sum.count += runs[i].count;
        sum.n += runs[i].n;
        mean += log_rate(&runs[i]);
        rate->range = (struct interval){fmin(rate->range.low, own), fmax(rate->range.high, own)};
        rate->runs++;
        rate->seen_in += runs[i].count > 0;
    }
    const struct interval counting = statistics_binomial(sum.count, sum.n, confidence);
    rate->interval = counting;
    if (rate->runs == 0)
        rate->range = (struct interval){0, 1};
    if (sum.count == 0)
        return;
    const double pooled = (double)sum.count / (double)sum.n;
    rate->rate = rate->runs == 1 ? pooled : exp(mean / (double)rate->runs);
    if (rate->runs == 1)
        return;
    const double reach = exp(reach_of(runs, count, mean / (double)rate->runs, rate->runs, confidence));
    rate->interval = (struct interval){rate->rate * fmin(1 / reach, counting.low / pooled),
                                       fmin(1, rate->rate * fmax(reach, counting.high / pooled))};
}
