// SPDX-License-Identifier: Apache-2.0
/* One rate over several runs, and the rates of two sides compared: a ratio with an interval that includes the variation
 * of batches. The mutation score of a suite. */
#include "analysis/statistics/runs.h"

/* ---- one rate in several runs: its typical value, and an interval that covers how much the runs differ ---- */

/* Half a sighting stands for none, so that every run has a logarithm. */
static double log_rate(const struct statistics_batch *run)
{
    return log(run->count > 0 ? (double)run->count : 0.5) - log((double)run->n);
}

/* The half width of the interval of a mean logarithm. */
static double reach_of(const struct statistics_batch *runs, size_t count, double mean, size_t used, double confidence)
{
    double squares = 0;
    for (size_t i = 0; i < count; i++)
        if (runs[i].n > 0)
            squares += pow(log_rate(&runs[i]) - mean, 2);
    const double freedom = (double)used - 1;
    return statistics_student_above((1 - confidence) / 2, freedom) * sqrt(squares / freedom / (double)used);
}

void statistics_rate_over_runs(const struct statistics_batch *runs, size_t count, double confidence,
                               struct statistics_run_rate *rate)
{
    struct statistics_batch sum = {0};
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

struct totals {
    double count, n;
};

static struct totals sum_batches(const struct statistics_batch *batches, size_t count)
{
    struct totals totals = {0, 0};
    for (size_t i = 0; i < count; i++) {
        totals.count += (double)batches[i].count;
        totals.n += (double)batches[i].n;
    }
    return totals;
}

/* A batch's contribution to the logarithm of its side's rate: the deviation of its count from its share, over the
 * sum. */
static double influence(const struct statistics_batch *batch, struct totals totals)
{
    return ((double)batch->count - totals.count / totals.n * (double)batch->n) / totals.count;
}

static double log_variance(const struct statistics_batch *batches, size_t count, struct totals totals)
{
    const double sum = SUM_OF(double, batch, batches, count, pow(influence(batch, totals), 2));
    return sum * (double)count / (double)(count - 1);
}

double statistics_pair_variance(const struct statistics_batch *a, const struct statistics_batch *b, size_t count)
{
    const struct totals a_totals = sum_batches(a, count), b_totals = sum_batches(b, count);
    double sum = 0;
    if (a_totals.count <= 0 || b_totals.count <= 0)
        return 0;
    for (size_t i = 0; i < count; i++)
        sum += pow(influence(&b[i], b_totals) - influence(&a[i], a_totals), 2);
    return sum * (double)count / (double)(count - 1);
}

/* From the count of b given the sum of both, which is binomial if instances are independent. */
static struct interval conditional(struct totals a, struct totals b, double confidence)
{
    const struct interval share = statistics_binomial((uint64_t)b.count, (uint64_t)(a.count + b.count), confidence);
    return (struct interval){share.low / (1 - share.low) * a.n / b.n,
                             share.high < 1 ? share.high / (1 - share.high) * a.n / b.n : INFINITY};
}

WORDS_OF(statistics_ratio_kind_name,
         enum statistics_ratio_kind, [STATISTICS_RATIO_MEASURED] = "measured", [STATISTICS_RATIO_AT_LEAST] = "at-least",
         [STATISTICS_RATIO_AT_MOST] = "at-most", [STATISTICS_RATIO_IN_DRAWS] = "in-draws")

struct statistics_ratio statistics_one_sided_ratio(const uint64_t count[2], const uint64_t n[2], double confidence)
{
    const double a = count[0] > 0 ? (double)count[0] / (double)n[0] : statistics_zero_bound(n[0], confidence),
                 b = count[1] > 0 ? (double)count[1] / (double)n[1] : statistics_zero_bound(n[1], confidence);
    return (struct statistics_ratio){.ratio = b / a,
                                     .interval = {count[0] > 0 ? 0 : b / a, count[0] > 0 ? b / a : INFINITY},
                                     .kind = count[0] > 0 ? STATISTICS_RATIO_AT_MOST : STATISTICS_RATIO_AT_LEAST};
}

struct statistics_ratio statistics_rate_ratio(const struct statistics_batch *a, size_t a_count,
                                              const struct statistics_batch *b, size_t b_count, bool paired,
                                              double confidence)
{
    const struct totals of_a = sum_batches(a, a_count), of_b = sum_batches(b, b_count);
    enum { FEWEST = 3 };
    struct statistics_ratio result = {.ratio = of_b.count / of_b.n / (of_a.count / of_a.n), .interval = {0, INFINITY}};
    if (a_count < FEWEST || b_count < FEWEST) {
        result.kind = STATISTICS_RATIO_IN_DRAWS;
        result.draws = a_count < b_count ? a_count : b_count;
    }
    if (result.draws > 0 || a_count == 0 || b_count == 0 || (of_a.count <= 0 && of_b.count <= 0))
        return result;
    result.interval = conditional(of_a, of_b, confidence);
    if (of_a.count <= 0 || of_b.count <= 0)
        return result;
    const double freedom = (double)(paired ? a_count - 1 : a_count + b_count - 2);
    const double variance = paired ? statistics_pair_variance(a, b, a_count)
                                   : log_variance(a, a_count, of_a) + log_variance(b, b_count, of_b);
    const double reach = exp(statistics_student_above((1 - confidence) / 2, freedom) * sqrt(variance));
    result.interval.low = fmin(result.interval.low, result.ratio / reach);
    result.interval.high = fmax(result.interval.high, result.ratio * reach);
    return result;
}

/* ---- the mutation score of a suite ---- */

bool mutation_score_has(bool control, bool forbidden, enum job_state state)
{
    return !control && !forbidden && state != JOB_UNSUPPORTED && state != JOB_NOT_RUN;
}

void mutation_score_add(struct mutation_score *score, uint64_t witnesses, double seconds)
{
    score->mutants++;
    score->killed += witnesses > 0;
    score->rates += seconds > 0 ? (double)witnesses / seconds : 0;
}

double mutation_score_share(const struct mutation_score *score)
{
    return (double)score->killed / (double)score->mutants;
}

double mutation_score_death_rate(const struct mutation_score *score)
{
    return score->rates / (double)score->mutants;
}
