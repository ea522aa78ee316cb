// SPDX-License-Identifier: Apache-2.0
/* How much the runs of a suite differ. */
#include <math.h>
#include <stdlib.h>

#include "analysis/statistics/measure_parts.h"
#include "base/memory.h"

enum { FEWEST_SIGHTINGS = 10, FEWEST_POOLED = 3 };
static const double least_freedom = 4, most_freedom = 20;

/* ---- which questions ---- */

bool statistics_is_of_use(const struct statistics_measure *measure)
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

static int compare_numbers(const void *left, const void *right)
{
    const double *a = left, *b = right;
    return *a < *b ? -1 : *a > *b;
}

double statistics_median(double *values, size_t count)
{
    if (count == 0)
        return 0;
    qsort(values, count, sizeof *values, compare_numbers);
    return count % 2 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2;
}

/* ---- the deviation of whole runs ---- */

/* The median residual of each run, over all questions. */
static void find_shifts(const struct statistics_question *questions, size_t count, size_t run_count, double *shifts)
{
    double *values = memory_take(count, sizeof *values);
    for (size_t run = 0; run < run_count; run++) {
        size_t found = 0;
        for (size_t i = 0; i < count; i++)
            for (size_t r = 0; statistics_is_of_use(&questions[i].measure) && r < questions[i].count; r++)
                if (questions[i].runs[r] == run && !isnan(questions[i].residuals[r]))
                    values[found++] = questions[i].residuals[r];
        shifts[run] = statistics_median(values, found);
    }
    free(values);
}

/* Includes the small error of the medians: with so few runs, a variance should rather be too large
 * than too small. */
static double variance_of(const double *shifts, size_t run_count, double freedom)
{
    double squares = 0;
    for (size_t run = 0; run < run_count; run++)
        squares += shifts[run] * shifts[run];
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

/* A question's own variance between runs, less the deviation of whole runs. */
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
        if (!statistics_is_of_use(measure) || measure->freedom <= 0)
            continue;
        for (size_t r = 0; r < questions[i].count; r++)
            if (!isnan(questions[i].residuals[r]))
                squares += pow(questions[i].residuals[r] - shifts[questions[i].runs[r]], 2);
        shown[found++] = (struct shown){squares / measure->freedom, measure->expected_scatter, measure->freedom};
    }
    return found;
}

static double log_ratio_of(const struct shown *shown, double variance)
{
    static const double least = 1e-4; /* a smaller one is chance, and would weigh as much as all
                                       * others */
    return log(fmax(least, shown->variance / (variance + shown->expected)));
}

/* How far the mean logarithm of the questions' variances, over the expected ones, is above its
 * value by chance. Logarithms, so that a few tests that vary wildly do not dominate. */
static double excess(const struct shown *shown, size_t count, double variance, double freedom)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++)
        sum += log_ratio_of(&shown[i], variance) - log_mean(shown[i].freedom) + log_mean(freedom);
    return sum;
}

static double fit_variance(const struct shown *shown, size_t count, double freedom)
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
static double fit_freedom(const struct shown *shown, size_t count, double variance)
{
    double mean = 0, squares = 0, own = 0;
    for (size_t i = 0; i < count; i++)
        mean += log_ratio_of(&shown[i], variance) / (double)count;
    for (size_t i = 0; i < count; i++) {
        squares += pow(log_ratio_of(&shown[i], variance) - mean, 2);
        own += trigamma(shown[i].freedom / 2) / (double)count;
    }
    return freedom_for(count > 1 ? squares / (double)(count - 1) - own : INFINITY);
}

/* Each depends on the other. */
static void fit_both(const struct shown *shown, size_t count, struct statistics_suite *suite)
{
    suite->freedom = most_freedom;
    for (int i = 0; i < 10; i++) {
        suite->variance = fit_variance(shown, count, suite->freedom);
        suite->freedom = fit_freedom(shown, count, suite->variance);
    }
}

/* A few tests show neither how well they agree nor whether a run moves all of them. If it does, they
 * repeat each other: together they weigh no more than the runs of one. */
static void pool(const struct shown *shown, size_t count, struct statistics_suite *suite)
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
    struct shown *shown = memory_take(count, sizeof *shown);
    double *shifts = memory_take(run_count, sizeof *shifts);
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
        fit_both(shown, suite->questions, suite);
    }
    free(shifts);
    free(shown);
}
