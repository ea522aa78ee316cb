// SPDX-License-Identifier: Apache-2.0
/* How much the runs of a suite differ, and what follows for one of its questions: the moderated t. */
#include <math.h>
#include <stdlib.h>

#include "analysis/statistics/runs.h"
#include "base/memory.h"

enum {
    FEWEST_TESTS = 8, /* of fewer a suite says nothing */
    FEWEST_SIGHTINGS = 10
};
static const double least_freedom = 4, most_freedom = 20;
static const double median_variance = 1.5707963267948966; /* of a median, over that of a mean: pi / 2 */

/* ---- which questions ---- */

static bool is_of_use(const struct statistics_measure *measure)
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
        if (!is_of_use(&questions[i].measure) || questions[i].test == last)
            continue;
        last = questions[i].test;
        tests++;
    }
    return tests;
}

static int compare_numbers(const void *left, const void *right)
{
    const double *a = left, *b = right;
    return *a < *b ? -1 : *a > *b;
}

static double median_of(double *values, size_t count)
{
    if (count == 0)
        return 0;
    qsort(values, count, sizeof *values, compare_numbers);
    return count % 2 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2;
}

/* ---- what a whole run is off by ---- */

/* The median residual of each run, over all questions. */
static void find_shifts(const struct statistics_question *questions, size_t count, size_t run_count, double *shifts)
{
    double *values = memory_take(count, sizeof *values);
    for (size_t run = 0; run < run_count; run++) {
        size_t found = 0;
        for (size_t i = 0; i < count; i++)
            for (size_t r = 0; is_of_use(&questions[i].measure) && r < questions[i].count; r++)
                if (questions[i].runs[r] == run && !isnan(questions[i].residuals[r]))
                    values[found++] = questions[i].residuals[r];
        shifts[run] = median_of(values, found);
    }
    free(values);
}

static void fit_shift(const double *shifts, size_t run_count, double mean_variance, size_t tests,
                      struct statistics_suite *suite)
{
    double squares = 0;
    for (size_t run = 0; run < run_count; run++)
        squares += shifts[run] * shifts[run];
    if (suite->shift_freedom > 0)
        suite->shift = fmax(0, squares / suite->shift_freedom - median_variance * mean_variance / (double)tests);
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

/* The degrees of freedom of which half have this trigamma, within the bounds. */
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

/* What a question shows: its variance between runs, less what whole runs are off by. */
struct shown {
    double variance, expected, freedom;
};

static size_t list_shown(const struct statistics_question *questions, size_t count, const double *shifts,
                         struct shown *shown)
{
    size_t found = 0;
    for (size_t i = 0; i < count; i++) {
        const struct statistics_measure *measure = &questions[i].measure;
        double squares = 0;
        if (!is_of_use(measure) || measure->freedom <= 0)
            continue;
        for (size_t r = 0; r < questions[i].count; r++)
            if (!isnan(questions[i].residuals[r]))
                squares += pow(questions[i].residuals[r] - shifts[questions[i].runs[r]], 2);
        shown[found++] =
            (struct shown){squares / measure->freedom, measure->expected_scatter, measure->freedom};
    }
    return found;
}

/* By how much the questions' variances exceed those expected with this variance between runs; 0 on average. */
static double excess(const struct shown *shown, size_t count, double variance)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += shown[i].freedom * (shown[i].variance / (variance + shown[i].expected) - 1);
    return sum;
}

static double fit_variance(const struct shown *shown, size_t count)
{
    double low = 0, high = 1e-6;
    if (excess(shown, count, 0) <= 0)
        return 0;
    while (excess(shown, count, high) > 0 && high < 1e6)
        high *= 4;
    for (int i = 0; i < 100; i++) {
        const double middle = (low + high) / 2;
        if (excess(shown, count, middle) > 0)
            low = middle;
        else
            high = middle;
    }
    return (low + high) / 2;
}

/* The logarithms of their ratios vary by trigamma of half the degrees of freedom: their own, and the suite's. */
static double fit_freedom(const struct shown *shown, size_t count, double variance)
{
    double mean = 0, squares = 0, own = 0;
    for (size_t i = 0; i < count; i++)
        mean += log(fmax(1e-4, shown[i].variance / (variance + shown[i].expected))) / (double)count;
    for (size_t i = 0; i < count; i++) {
        squares += pow(log(fmax(1e-4, shown[i].variance / (variance + shown[i].expected))) - mean, 2);
        own += trigamma(shown[i].freedom / 2) / (double)count;
    }
    return freedom_for(count > 1 ? squares / (double)(count - 1) - own : INFINITY);
}

void statistics_fit(const struct statistics_question *questions, size_t count, size_t run_count, bool with_shift,
                    struct statistics_suite *suite)
{
    const size_t tests = count_tests(questions, count);
    struct shown *shown = memory_take(count, sizeof *shown);
    double *shifts = memory_take(run_count, sizeof *shifts);
    *suite = (struct statistics_suite){.questions = 0};
    if (tests >= FEWEST_TESTS) {
        if (with_shift)
            find_shifts(questions, count, run_count, shifts);
        suite->questions = list_shown(questions, count, shifts, shown);
    }
    if (suite->questions > 0) {
        double mean = 0;
        for (size_t i = 0; i < suite->questions; i++) {
            mean += shown[i].variance / (double)suite->questions;
            suite->shift_freedom = with_shift ? fmax(suite->shift_freedom, shown[i].freedom) : 0;
        }
        fit_shift(shifts, run_count, mean, tests, suite);
        suite->variance = fit_variance(shown, suite->questions);
        suite->freedom = fit_freedom(shown, suite->questions, suite->variance);
    }
    free(shifts);
    free(shown);
}

/* ---- one question ---- */

/* A variance and what it is worth. */
struct worth {
    double variance, freedom;
};

/* Of a sum of variances (Satterthwaite 1946). */
static struct worth add_worth(struct worth a, struct worth b)
{
    const double sum = a.variance + b.variance;
    double reciprocal = 0;
    if (a.variance > 0)
        reciprocal += a.variance * a.variance / a.freedom;
    if (b.variance > 0)
        reciprocal += b.variance * b.variance / b.freedom;
    return (struct worth){sum, reciprocal > 0 ? sum * sum / reciprocal : a.freedom};
}

/* The variance of a run's log rate, counting included: the question's own, shrunk to the suite's. What whole runs are off by
 * is seen in the question's own runs, too, and is not counted twice. */
static struct worth moderate(const struct statistics_measure *measure, const struct statistics_suite *suite)
{
    const struct worth own = {measure->scatter, measure->freedom};
    if (suite->freedom <= 0)
        return own;
    const struct worth prior = add_worth((struct worth){suite->variance + measure->expected_scatter, suite->freedom},
                                         (struct worth){suite->shift, suite->shift_freedom});
    const double common = prior.variance > 0 ? suite->shift / prior.variance : 0;
    const double freedom = prior.freedom + own.freedom;
    return (struct worth){(prior.freedom * prior.variance + own.freedom * own.variance) / freedom,
                          fmax(own.freedom, freedom - common * fmin(suite->shift_freedom, own.freedom))};
}

static void conclude(double log_ratio, double confidence, struct statistics_decision *decision)
{
    const double reach =
        exp(statistics_student_above((1 - confidence) / 2, decision->freedom) * decision->error);
    decision->p = fmin(1, 2 * statistics_student_tail(fabs(log_ratio) / decision->error, decision->freedom));
    decision->ratio = (struct interval){exp(log_ratio) / reach, exp(log_ratio) * reach};
}

static bool is_decidable(const struct statistics_measure *measure, struct statistics_decision *decision,
                         struct worth *worth, const struct statistics_suite *suite)
{
    *decision = (struct statistics_decision){.p = 1, .ratio = {0, INFINITY}};
    *worth = moderate(measure, suite);
    if (measure->runs[STATISTICS_A] == 0 || measure->runs[STATISTICS_B] == 0 || worth->freedom <= 0)
        return false;
    decision->freedom = worth->freedom;
    decision->variance = fmax(0, worth->variance - measure->expected_scatter);
    return true;
}

void statistics_decide(const struct statistics_measure *measure, const struct statistics_suite *suite,
                       double confidence, struct statistics_decision *decision)
{
    struct worth worth;
    if (!is_decidable(measure, decision, &worth, suite))
        return;
    decision->error = sqrt(decision->variance * measure->run_share + measure->batches[STATISTICS_A] +
                           measure->batches[STATISTICS_B]);
    conclude(measure->log_ratio, confidence, decision);
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

/* The chance to be chosen to one side and to lie at least `found` errors off to the same, given the baseline's error and how
 * far the estimated error is from the true one; summed over the former. */
static double chance_given(const struct passes *passes, double found, double scale)
{
    enum { STEPS = 80 };
    const double first = sqrt(passes->baseline + passes->first), again = sqrt(passes->baseline + passes->again);
    const double reach = 8, step = 2 * reach / STEPS, deviation = sqrt(passes->baseline);
    double sum = 0;
    for (int i = 0; i <= STEPS; i++) {
        const double z = -reach + step * i;
        const double density = exp(-z * z / 2) * 0.39894228040143267794 * step;
        sum += density *
               normal_tail((passes->chosen_from * scale * first + z * deviation) / sqrt(passes->first)) *
               normal_tail((found * scale * again + z * deviation) / sqrt(passes->again));
    }
    return sum;
}

/* The same, over how far the estimated error may be off: the root of a chi square over its degrees of freedom. */
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
    struct worth worth;
    statistics_decide(again, suite, confidence, decision);
    if (decision->freedom <= 0 || !is_decidable(again, decision, &worth, suite))
        return;
    statistics_decide(again, suite, confidence, decision);
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
    double *ratios = memory_take(count, sizeof *ratios), errors = 0, share = 0;
    size_t found = 0, last = SIZE_MAX;
    *decision = (struct statistics_decision){.p = 1, .ratio = {0, INFINITY}};
    *log_shift = 0;
    for (size_t i = 0; i < count; i++) {
        struct statistics_decision one;
        statistics_decide(&questions[i].measure, suite, confidence, &one);
        if (!is_of_use(&questions[i].measure) || questions[i].test == last || one.freedom <= 0)
            continue;
        last = questions[i].test;
        ratios[found++] = questions[i].measure.log_ratio;
        errors += one.error * one.error - suite->shift * questions[i].measure.run_share;
        share += questions[i].measure.run_share;
    }
    if (found >= FEWEST_TESTS && suite->shift_freedom > 0) {
        const double n = (double)found, runs = suite->shift * share / n;
        const double median = median_variance * fmax(0, errors) / (n * n);
        const struct worth worth =
            add_worth((struct worth){runs, suite->shift_freedom}, (struct worth){median, suite->shift_freedom + n - 1});
        *log_shift = median_of(ratios, found);
        decision->variance = suite->shift;
        decision->freedom = worth.freedom;
        decision->error = sqrt(worth.variance);
        conclude(*log_shift, confidence, decision);
    }
    free(ratios);
}
