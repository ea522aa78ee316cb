// SPDX-License-Identifier: Apache-2.0
/*
 * Statistics of rare events that come in batches.
 *
 * An interval describes one rate and takes instances as independent. A comparison cannot: batches differ far more than
 * by chance (other stress, other placement), so its unit is the batch. Pooled counts would call two runs of one driver
 * different in most cases (docs/internals/statistics.md: 71 % at a batch variation of 1, where 5 % was promised).
 *
 * All functions are pure: equal arguments give equal results.
 */
#pragma once

#include "base/record.h"

/* The confidence of intervals and bounds that are shown, where no option gives another. */
#define STATISTICS_CONFIDENCE 0.95

struct interval {
    double low, high;
};

/* ---- one rate ---- */

/* The exact interval of a probability, of which count of n were seen (Clopper and Pearson 1934). 0..1 for n = 0. */
struct interval statistics_binomial(uint64_t count, uint64_t n, double confidence);

/* The bound on a rate with this confidence if none of n was seen: 3.0 / n at 95 %. 1 for n = 0. */
double statistics_zero_bound(uint64_t n, double confidence);

/* The expected count with which an identical run sees at least one with this confidence: -ln(1 - confidence) (Kirkham
 * et al., "Foundations of empirical memory consistency testing", OOPSLA 2020);
 * 3.0 at 95 %, 11.5 at 99.999 %. */
double statistics_count_for(double confidence);

/* The x with probability p above it under the standard normal distribution; 0 < p < 1. */
double statistics_normal_above(double p);

/* The probability above t under Student's distribution, and the x with probability p above it; relative error about
 * 1e-13. */
double statistics_student_tail(double t, double freedom);
double statistics_student_above(double p, double freedom);

/* ---- two sides, batch by batch ---- */

struct statistics_batch {
    uint64_t count, n; /* of an outcome; of all that were counted. n > 0 */
};

enum statistics_method {
    STATISTICS_NONE,              /* nothing to test: no count on either side, or no batches */
    STATISTICS_RANK_SUM_EXACT,    /* Wilcoxon, Mann, Whitney: every permutation of the batches */
    STATISTICS_RANK_SUM_NORMAL,   /* the same by its normal approximation, with corrections for ties and continuity */
    STATISTICS_SIGNED_RANK_EXACT, /* Wilcoxon's test of pairs: every exchange within pairs */
    STATISTICS_SIGNED_RANK_NORMAL
};
/* "rank sum, exact" and the like. */
const char *statistics_method_name(enum statistics_method method);

struct statistics_test {
    enum statistics_method method;
    double p;          /* two-sided; 1 if there is nothing to test */
    double smallest_p; /* the smallest p that this many batches can give */
};

/*
 * Whether the rates of a and b differ: a permutation test over batches. With equal sides all assignments of batches to
 * sides are equally likely; it permutes the ranks of rates. All permutations are counted if that is cheap (40 batches
 * in addition to the largest group of ties, which for a rare outcome are the batches without it); otherwise the normal
 * approximation is used.
 *
 * If the mean batch of one side is more than 5 % larger, its batches are thinned: a random part of their instances is
 * left out (hypergeometric), since a larger batch sees a rare outcome more often at the same rate. seed makes this
 * repeatable.
 */
struct statistics_test statistics_compare(const struct statistics_batch *a, size_t a_count,
                                          const struct statistics_batch *b, size_t b_count, uint64_t seed);

/* The same for pairs of batches with equal draws, a[i] with b[i]: the variation that comes from the draws cancels. It
 * ranks the difference of a pair over its Poisson standard deviation; equal pairs say nothing and are left out. */
struct statistics_test statistics_compare_pairs(const struct statistics_batch *a, const struct statistics_batch *b,
                                                size_t count, uint64_t seed);

/* How a ratio is to be read. */
enum statistics_ratio_kind {
    STATISTICS_RATIO_MEASURED, /* with its interval */
    STATISTICS_RATIO_AT_LEAST, /* a has none: `ratio` is what the bound on its rate allows; no interval */
    STATISTICS_RATIO_AT_MOST,  /* b has none: the same */
    STATISTICS_RATIO_IN_DRAWS  /* so few draws that they cannot show how much draws differ: it is about these draws, and
                                * its interval is not to be shown */
};

struct statistics_ratio {
    double ratio; /* of b's rate to a's, each sum of counts / sum of n; INFINITY or 0 if one side has no counts, NAN if
                   * both have none */
    struct interval interval;
    enum statistics_ratio_kind kind;
    size_t draws; /* of STATISTICS_RATIO_IN_DRAWS: how many there are */
};

/* "measured", "at-least", "at-most", "in-draws". */
const char *statistics_ratio_kind_name(enum statistics_ratio_kind kind);

/* Whether the interval of a ratio may be shown. */
static inline bool statistics_has_interval(const struct statistics_ratio *ratio)
{
    return ratio->kind == STATISTICS_RATIO_MEASURED;
}

/* The ratio of the rates of a and b if one of them has none: all that is known is that its rate is below
 * statistics_zero_bound. Half a sighting in its place would make a ratio that is several times too strong. */
struct statistics_ratio statistics_one_sided_ratio(const uint64_t count[2], const uint64_t n[2], double confidence);

/* The ratio of rates with an interval: log-normal, its variance measured over batches (linearised ratio estimator, t
 * quantile), and never narrower than the exact conditional interval, which covers only counting noise. Batches with the
 * same draw must have been added up, or they would count as several. With fewer than three batches on a side it is
 * 0..INFINITY, and the ratio is in these draws. */
struct statistics_ratio statistics_rate_ratio(const struct statistics_batch *a, size_t a_count,
                                              const struct statistics_batch *b, size_t b_count, bool paired,
                                              double confidence);

/* The variance of the logarithm of the ratio of two sides' rates over pairs of batches; 0 if a side has no counts. */
double statistics_pair_variance(const struct statistics_batch *a, const struct statistics_batch *b, size_t count);

/* ---- many tests at once ---- */

/* Adjusted p values, in place. Holm (1979): the chance of even one false alarm stays below the level at which the
 * adjusted values are read, however the tests depend on each other. weights, which must not depend on the counts,
 * divide that level among the tests: with twice the weight, a p about twice as large suffices; NULL for equal
 * weights. */
void statistics_holm(double *p, const double *weights, size_t count);

/* The median; sorts the values. 0 if there are none. */
double statistics_median(double *values, size_t count);

/* ---- tails of the beta distribution ---- */

/* The density is written with the distance from the mean, which avoids differences of large numbers: with shapes of
 * 1e12 the plain formulas lose all their digits. */

/* The probability below x under Beta(a, b); a, b > 0, up to some 1e13. Relative error about 1e-13; with shapes of 1e6
 * about 4e-11, because x is rounded. */
double tails_beta_below(double a, double b, double x);

/* ---- the mutation score of a suite: the share of its mutants that were killed, and how often ---- */

/* After Levine et al., MC Mutants: Evaluating and Improving Testing for Memory Consistency Specifications, ASPLOS 2023.
 * A mutant is a weakened form of a forbidden test. It is killed when its witness, which its model allows, is seen. The
 * score is the share of the mutants that were killed, and the death rate of a mutant is its kills per second; the mean
 * over all mutants has 0 for one that was never killed. */

/* Starts as {0}. */
struct mutation_score {
    size_t mutants, killed; /* mutants: of those that ran */
    double rates;           /* the sum of their kills per second */
};

/* Whether a job of the suite is a mutant that ran: it is not forbidden, not run as a control, and not refused by its
 * device. */
bool mutation_score_has(bool control, bool forbidden, enum job_state state);

/* Adds a mutant. seconds: from its first launch to its last read-back. */
void mutation_score_add(struct mutation_score *score, uint64_t witnesses, double seconds);

/* The score, and the mean death rate; of at least one mutant. */
double mutation_score_share(const struct mutation_score *score);
double mutation_score_death_rate(const struct mutation_score *score);
