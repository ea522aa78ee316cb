// SPDX-License-Identifier: Apache-2.0
/* How much the runs of a suite differ, and what that decides of a question. */
#include "analysis/statistics/runs.h"

enum { STATISTICS_FEWEST_TESTS = 8 }; /* fewer do not show how much they agree, nor whether whole runs differ */

enum { FEWEST_SIGHTINGS = 10, FEWEST_POOLED = 3 };
static const double least_freedom = 4, most_freedom = 20;

/* ---- which questions ---- */

/* Whether a question has enough sightings for a suite to learn from. */
static bool statistics_is_of_use(const struct statistics_measure *measure)
{
    const double seen = (double)measure->count[STATISTICS_A] + (double)measure->count[STATISTICS_B];
    const double runs = (double)measure->runs[STATISTICS_A] + (double)measure->runs[STATISTICS_B];
    return runs > 0 && seen >= FEWEST_SIGHTINGS * runs;
}

/* Questions of one test follow each other. */
static size_t count_tests(const struct statistics_question *questions, size_t count)
{
    size_t tests = 0, last = SIZE_MAX;
    for (size_t i = 0; i < count; i++) {
        if (!statistics_is_of_use(&questions[i].measure) || questions[i].test == last)
            continue;
        last = questions[i].test;
        tests++;
    }
    return tests;
}

ORDERED_BY(compare_numbers, const double, ORDER(*a, *b))

double statistics_median(double *values, size_t count)
{
    if (count == 0)
        return 0;
    SORT(values, count, compare_numbers);
    return count % 2 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2;
}

/* ---- the deviation of whole runs ---- */

/* The median residual of each run, over all questions. */
static void find_shifts(const struct statistics_question *questions, size_t count, size_t run_count, double *shifts)
{
    FREED double *values = memory_take(count, sizeof *values);
    for (size_t run = 0; run < run_count; run++) {
        size_t found = 0;
        for (size_t i = 0; i < count; i++)
            for (size_t r = 0; statistics_is_of_use(&questions[i].measure) && r < questions[i].count; r++)
                if (questions[i].runs[r] == run && !isnan(questions[i].residuals[r]))
                    values[found++] = questions[i].residuals[r];
        shifts[run] = statistics_median(values, found);
    }
}

/* Includes the small error of the medians: with so few runs, a variance should rather be too large than too small. */
static double variance_of(const double *shifts, size_t run_count, double freedom)
{
    const double squares = SUM_OF(double, shift, shifts, run_count, *shift *(*shift));
    return freedom > 0 ? squares / freedom : 0;
}

/* ---- how much questions differ by themselves ---- */

static double trigamma(double x)
{
    double sum = 0;
    for (; x < 12; x++)
        sum += 1 / (x * x);
    const double y = 1 / (x * x);
    return sum + 1 / x + y / 2 + y / x * (1.0 / 6 - y * (1.0 / 30 - y * (1.0 / 42 - y / 30)));
}

/* The mean logarithm of a chi square over its degrees of freedom: digamma of half of them, less its logarithm. */
static double log_mean(double freedom)
{
    double x = freedom / 2, sum = -log(x);
    for (; x < 12; x++)
        sum -= 1 / x;
    const double y = 1 / (x * x);
    return sum + log(x) - 1 / (2 * x) - y * (1.0 / 12 - y * (1.0 / 120 - y / 252));
}

/* The degrees of freedom, within the bounds, whose half has this trigamma. */
static double freedom_for(double value)
{
    double low = least_freedom / 2, high = most_freedom / 2;
    if (value >= trigamma(low))
        return least_freedom;
    if (value <= trigamma(high))
        return most_freedom;
    while (high - low > 1e-6) {
        const double middle = (low + high) / 2;
        if (trigamma(middle) > value)
            low = middle;
        else
            high = middle;
    }
    return low + high;
}

/* A variance and its degrees of freedom. Of a question's own runs, less the deviation of whole runs, also the variance
 * that counting would give. */
struct worth {
    double variance, freedom, expected;
};

static size_t list_shown(const struct statistics_question *questions, size_t count, const double *shifts,
                         struct worth *shown)
{
    size_t found = 0;
    for (size_t i = 0; i < count; i++) {
        const struct statistics_measure *measure = &questions[i].measure;
        double squares = 0;
        if (!statistics_is_of_use(measure) || measure->freedom <= 0)
            continue;
        for (size_t r = 0; r < questions[i].count; r++)
            if (!isnan(questions[i].residuals[r]))
                squares += pow(questions[i].residuals[r] - shifts[questions[i].runs[r]], 2);
        shown[found++] = (struct worth){squares / measure->freedom, measure->freedom, measure->expected_scatter};
    }
    return found;
}

static double log_ratio_of(const struct worth *shown, double variance)
{
    static const double least = 1e-4; /* a smaller one is chance, and would weigh as much as all others */
    return log(fmax(least, shown->variance / (variance + shown->expected)));
}

/* How far the mean logarithm of the questions' variances, over the expected ones, is above its value by chance.
 * Logarithms, so that a few tests that vary wildly do not dominate. */
static double excess(const struct worth *shown, size_t count, double variance, double freedom)
{
    return SUM_OF(double, one, shown, count, log_ratio_of(one, variance) - log_mean(one->freedom) + log_mean(freedom));
}

static double fit_variance(const struct worth *shown, size_t count, double freedom)
{
    double low = 0, high = 1e-6;
    if (excess(shown, count, 0, freedom) <= 0)
        return 0;
    while (excess(shown, count, high, freedom) > 0 && high < 1e6)
        high *= 4;
    for (int i = 0; i < 100; i++) {
        const double middle = (low + high) / 2;
        if (excess(shown, count, middle, freedom) > 0)
            low = middle;
        else
            high = middle;
    }
    return (low + high) / 2;
}

/* The logarithms of their ratios vary by trigamma of half the degrees of freedom: their own, and the suite's. */
static double fit_freedom(const struct worth *shown, size_t count, double variance)
{
    double squares = 0, own = 0;
    const double mean = SUM_OF(double, one, shown, count, log_ratio_of(one, variance) / (double)count);
    for (size_t i = 0; i < count; i++) {
        squares += pow(log_ratio_of(&shown[i], variance) - mean, 2);
        own += trigamma(shown[i].freedom / 2) / (double)count;
    }
    return freedom_for(count > 1 ? squares / (double)(count - 1) - own : INFINITY);
}

/* A few tests show neither how well they agree nor whether a run moves all of them. If it does, they repeat each other:
 * together they weigh no more than the runs of one. */
static void pool(const struct worth *shown, size_t count, struct statistics_suite *suite)
{
    double squares = 0, freedom = 0;
    for (size_t i = 0; i < count; i++) {
        squares += shown[i].freedom * (shown[i].variance - shown[i].expected);
        freedom += shown[i].freedom;
        suite->freedom = fmax(suite->freedom, shown[i].freedom);
    }
    suite->variance = freedom > 0 ? fmax(0, squares / freedom) : 0;
}

void statistics_fit(const struct statistics_question *questions, size_t count, size_t run_count, bool with_shift,
                    struct statistics_suite *suite)
{
    const size_t tests = count_tests(questions, count);
    const bool is_small = tests < STATISTICS_FEWEST_TESTS;
    FREED struct worth *shown = memory_take(count, sizeof *shown);
    FREED double *shifts = memory_take(run_count, sizeof *shifts);
    *suite = (struct statistics_suite){.questions = 0};
    if (!is_small && with_shift)
        find_shifts(questions, count, run_count, shifts);
    if (tests >= FEWEST_POOLED)
        suite->questions = list_shown(questions, count, shifts, shown);
    if (is_small) {
        pool(shown, suite->questions, suite);
    } else if (suite->questions > 0) {
        for (size_t i = 0; i < suite->questions; i++)
            suite->shift_freedom = with_shift ? fmax(suite->shift_freedom, shown[i].freedom) : 0;
        suite->shift = variance_of(shifts, run_count, suite->shift_freedom);
        /* Each depends on the other. */
        suite->freedom = most_freedom;
        for (int i = 0; i < 10; i++) {
            suite->variance = fit_variance(shown, suite->questions, suite->freedom);
            suite->freedom = fit_freedom(shown, suite->questions, suite->variance);
        }
    }
}

/* ---- deciding a question: the moderated t, for one pass, and after a first pass chose the question ---- */

/* The degrees of freedom of a sum of variances (Satterthwaite 1946). */
static struct worth add_worth(struct worth a, struct worth b)
{
    const double sum = a.variance + b.variance;
    double reciprocal = 0;
    if (a.variance > 0)
        reciprocal += a.variance * a.variance / a.freedom;
    if (b.variance > 0)
        reciprocal += b.variance * b.variance / b.freedom;
    return (struct worth){.variance = sum, .freedom = reciprocal > 0 ? sum * sum / reciprocal : a.freedom};
}

/* The suite's degrees of freedom for a question: fewer if the question's runs differ by far more than the suite's, or a
 * test that varies wildly would be treated like the others (after Phipson et al., "Robust hyperparameter estimation
 * protects against hypervariable genes", Annals of Applied Statistics 10, 2016). */
static double suite_worth(const struct worth *own, const struct worth *prior)
{
    static const double usual = 0.1;
    if (own->freedom <= 0 || prior->variance <= 0)
        return prior->freedom;
    const double scaled = own->freedom * own->variance / prior->variance;
    const double p = tails_beta_below(prior->freedom / 2, own->freedom / 2, prior->freedom / (prior->freedom + scaled));
    return prior->freedom * fmin(1, p / usual);
}

/* The variance of a run's log rate, counting included: the question's own, shrunk to the suite's. The deviation of
 * whole runs also shows in the question's own runs, and counts once. */
static struct worth moderate(const struct statistics_measure *measure, const struct statistics_suite *suite)
{
    const struct worth own = {.variance = measure->scatter, .freedom = measure->freedom};
    if (suite->freedom <= 0)
        return own;
    const struct worth runs = {.variance = suite->variance + measure->expected_scatter, .freedom = suite->freedom};
    struct worth prior = add_worth(runs, (struct worth){.variance = suite->shift, .freedom = suite->shift_freedom});
    const double common = prior.variance > 0 ? suite->shift / prior.variance : 0;
    prior.freedom = suite_worth(&own, &prior);
    const double freedom = prior.freedom + own.freedom;
    return (struct worth){.variance = (prior.freedom * prior.variance + own.freedom * own.variance) / freedom,
                          .freedom = fmax(own.freedom, freedom - common * fmin(suite->shift_freedom, own.freedom))};
}

void statistics_conclude(double log_ratio, double confidence, struct statistics_decision *decision)
{
    const double reach = exp(statistics_student_above((1 - confidence) / 2, decision->freedom) *
                             sqrt(decision->error * decision->error + decision->draws));
    decision->p = fmin(1, 2 * statistics_student_tail(fabs(log_ratio) / decision->error, decision->freedom));
    decision->ratio = (struct interval){exp(log_ratio) / reach, exp(log_ratio) * reach};
}

struct statistics_ratio statistics_decided_ratio(double log_ratio, const struct statistics_decision *decision)
{
    return (struct statistics_ratio){.ratio = exp(log_ratio),
                                     .interval = decision->ratio,
                                     .kind = decision->few_draws > 0 ? STATISTICS_RATIO_IN_DRAWS
                                                                     : STATISTICS_RATIO_MEASURED,
                                     .draws = decision->few_draws};
}

struct statistics_ratio statistics_measured_ratio(const struct statistics_measure *measure,
                                                  const struct statistics_decision *decision, double confidence)
{
    const uint64_t size[] = {(uint64_t)measure->size[STATISTICS_A], (uint64_t)measure->size[STATISTICS_B]};
    if ((measure->count[STATISTICS_A] > 0) == (measure->count[STATISTICS_B] > 0))
        return statistics_decided_ratio(measure->log_ratio, decision);
    return statistics_one_sided_ratio(measure->count, size, confidence);
}

void statistics_decide(const struct statistics_measure *measure, const struct statistics_suite *suite,
                       double confidence, struct statistics_decision *decision)
{
    const struct worth worth = moderate(measure, suite);
    *decision = (struct statistics_decision){
        .p = 1, .ratio = {0, INFINITY}, .draws = measure->draws, .few_draws = measure->few_draws};
    if (measure->runs[STATISTICS_A] == 0 || measure->runs[STATISTICS_B] == 0 || worth.freedom <= 0)
        return;
    decision->freedom = worth.freedom;
    decision->variance = fmax(0, worth.variance - measure->expected_scatter);
    decision->error =
        sqrt(decision->variance * measure->run_share + measure->batches[STATISTICS_A] + measure->batches[STATISTICS_B]);
    statistics_conclude(measure->log_ratio, confidence, decision);
    decision->p = fmax(decision->p, measure->p_counting);
}

/* ---- chosen, and decided ---- */

/* The variances of the errors of the baseline, which both passes share, of the first pass and of the reruns. */
struct passes {
    double baseline, first, again, chosen_from, freedom;
};

static double normal_tail(double z)
{
    return erfc(z * 0.70710678118654752440) / 2;
}

/* The chance to be chosen on one side and to be at least `found` errors off on the same side, given the ratio of the
 * estimated error to the true one; summed over the baseline's error. */
static double chance_given(const struct passes *passes, double found, double scale)
{
    enum { STEPS = 80 };
    const double first = sqrt(passes->baseline + passes->first), again = sqrt(passes->baseline + passes->again);
    const double reach = 8, step = 2 * reach / STEPS, deviation = sqrt(passes->baseline);
    double sum = 0;
    for (int i = 0; i <= STEPS; i++) {
        const double z = -reach + step * i;
        const double density = exp(-z * z / 2) * 0.39894228040143267794 * step;
        sum += density * normal_tail((passes->chosen_from * scale * first + z * deviation) / sqrt(passes->first)) *
               normal_tail((found * scale * again + z * deviation) / sqrt(passes->again));
    }
    return sum;
}

/* The same, integrated over the ratio of the estimated error to the true one: the root of a chi square over its degrees
 * of freedom. */
static double chance_of_both(const struct passes *passes, double found)
{
    enum { STEPS = 60 };
    int ignored_sign;
    const double half = passes->freedom / 2, width = fmin(1, 8 / sqrt(passes->freedom)) * 2.2;
    double sum = 0, mass = 0;
    for (int i = 1; i < STEPS; i++) {
        /* In the logarithm of the scale the density is smooth and falls fast on both sides. */
        const double log_scale = -width + (width + 1.2) * i / STEPS, scale = exp(log_scale);
        const double density =
            exp(half * log(half) - lgamma_r(half, &ignored_sign) + 2 * half * log_scale - half * scale * scale);
        sum += density * chance_given(passes, found, scale);
        mass += density;
    }
    return mass > 0 ? fmin(1, 2 * sum / mass) : 1;
}

void statistics_decide_twice(const struct statistics_measure *first, const struct statistics_measure *again,
                             const struct statistics_suite *suite, double chosen_p, double confidence,
                             struct statistics_decision *decision)
{
    statistics_decide(again, suite, confidence, decision);
    if (decision->freedom <= 0)
        return;
    const double variance = decision->variance;
    const struct passes passes = {
        .baseline = variance / (double)again->runs[STATISTICS_A] + again->batches[STATISTICS_A],
        .first = variance / (double)first->runs[STATISTICS_B] + first->batches[STATISTICS_B],
        .again = variance / (double)again->runs[STATISTICS_B] + again->batches[STATISTICS_B],
        .chosen_from = chosen_p < 1 ? statistics_student_above(chosen_p / 2, decision->freedom) : 0,
        .freedom = decision->freedom};
    const double both = chance_of_both(&passes, fabs(again->log_ratio) / decision->error);
    decision->p = first->log_ratio * again->log_ratio > 0 ? fmax(both, again->p_counting) : 1;
}

/* ---- all of B ---- */

void statistics_decide_shift(const struct statistics_question *questions, size_t count,
                             const struct statistics_suite *suite, double confidence, double *log_shift,
                             struct statistics_decision *decision)
{
    double *ratios = memory_take(count, sizeof *ratios), share = 0;
    size_t found = 0, last = SIZE_MAX, few = 0, least = SIZE_MAX;
    *decision = (struct statistics_decision){.p = 1, .ratio = {0, INFINITY}};
    *log_shift = 0;
    for (size_t i = 0; i < count; i++) {
        const struct statistics_measure *measure = &questions[i].measure;
        if (!statistics_is_of_use(measure) || questions[i].test == last)
            continue;
        last = questions[i].test;
        ratios[found++] = measure->log_ratio;
        share += measure->run_share;
        few += measure->few_draws > 0;
        if (measure->few_draws > 0 && measure->few_draws < least)
            least = measure->few_draws;
    }
    if (found >= STATISTICS_FEWEST_TESTS && suite->shift_freedom > 0 && suite->shift > 0) {
        *log_shift = statistics_median(ratios, found);
        decision->variance = suite->shift;
        decision->freedom = suite->shift_freedom;
        decision->error = sqrt(suite->shift * share / (double)found);
        statistics_conclude(*log_shift, confidence, decision);
        decision->few_draws = 2 * few > found ? least : 0;
    }
    free(ratios);
}
