// SPDX-License-Identifier: Apache-2.0
/* Rates of witnesses, their bounds and their scores. */
#include "runner/hunt/tune/tune_bench.h"

#include <math.h>

#include "analysis/statistics/statistics.h"

static const double errors_below = 2, errors_above = 3;
static const double factor_behind = 4;

void tune_rate_add(struct tune_rate *rate, uint64_t witnesses, uint64_t instances, double seconds)
{
    const double of_batch = seconds > 0 ? (double)witnesses / seconds : 0;
    const double distance = of_batch - rate->mean;
    rate->batches++;
    rate->witnesses += witnesses;
    rate->instances += instances;
    rate->seconds += seconds;
    rate->mean += distance / (double)rate->batches;
    rate->squares += distance * (of_batch - rate->mean); /* Welford's update */
}

double tune_rate_value(const struct tune_rate *rate)
{
    return rate->seconds > 0 ? (double)rate->witnesses / rate->seconds : 0;
}

static double standard_error(const struct tune_rate *rate)
{
    const double batches = (double)rate->batches;
    const double of_spread = sqrt(rate->squares / (batches - 1) / batches);
    const double of_counting = sqrt((double)rate->witnesses) / rate->seconds;
    return of_spread > of_counting ? of_spread : of_counting;
}

static bool is_known(const struct tune_rate *rate)
{
    return rate->batches >= TUNE_LEAST_BATCHES && rate->seconds > 0;
}

double tune_rate_upper(const struct tune_rate *rate)
{
    if (!is_known(rate))
        return INFINITY;
    return tune_rate_value(rate) + errors_above * standard_error(rate) +
           statistics_count_for(STATISTICS_CONFIDENCE) / rate->seconds;
}

double tune_rate_lower(const struct tune_rate *rate)
{
    if (!is_known(rate))
        return 0;
    const double lower = tune_rate_value(rate) - errors_below * standard_error(rate);
    return lower > 0 ? lower : 0;
}

static double tune_log(double rate)
{
    return rate > 1 ? log(rate) : 0;
}

double tune_log_since(const struct tune_rate *rate, const struct tune_rate *before)
{
    const double seconds = rate->seconds - before->seconds;
    return seconds > 0 ? tune_log((double)(rate->witnesses - before->witnesses) / seconds) : 0;
}

double tune_score(const struct tune_rate *rates, size_t count)
{
    double score = 0;
    for (size_t i = 0; i < count; i++)
        score += tune_log(tune_rate_value(&rates[i]));
    return score;
}

double tune_score_lower(const struct tune_rate *rates, size_t count)
{
    double score = 0;
    for (size_t i = 0; i < count; i++)
        score += tune_log(tune_rate_lower(&rates[i]));
    return score;
}

double tune_mean(double score, size_t count)
{
    return score > 0 ? exp(score / (double)count) : 0;
}

bool tune_hopeless(const struct tune_rate *rates, size_t at, size_t count, const double *records, double best,
                   double best_lower)
{
    double hoped = tune_score(rates, at) + tune_log(tune_rate_upper(&rates[at]));
    for (size_t i = at + 1; i < count; i++)
        hoped += tune_log(records[i]);
    return hoped < best_lower || hoped < best - log(factor_behind);
}
