// SPDX-License-Identifier: Apache-2.0
/*
 * Two sides, run by run. The batch is a replicate of the stress; the run is the replicate of the machine. Batches of
 * one run share clocks, temperature and neighbours, so however many there are, they cannot show how much two runs of
 * one driver differ. Whether a rate has changed is therefore decided by a t test over runs.
 *
 * A question is one outcome of one test. It passes through:
 *
 *   statistics_measure   the counts of all runs -> the ratio of the rates, what counting and the batches add to its
 *                        error, and how much the rates of the runs of a side differ
 *   statistics_fit       the measures of all questions of a suite -> how much runs differ in that suite
 *   statistics_decide    a measure and its suite -> the error of the ratio, its degrees of freedom, p
 *
 * With three runs on each side, one question alone hardly shows the variance between runs. So this is shrunk to the
 * variance of the suite (Smyth, "Linear models and empirical Bayes methods", SAGMB 3, 2004; Lund et al., "Detecting
 * differential expression ... using quasi-likelihood", SAGMB 11,
 * 2012): a moderated t. The suite's weight is estimated from how much the questions agree, and is
 * between 4 and 20 degrees of freedom.
 *
 * A first pass over a suite may choose what is run again (statistics_decide_twice): then the reruns decide, and p is
 * the chance that a question with equal sides is both chosen and decided, so that p may be corrected for all questions
 * of the suite.
 *
 * All functions are pure: equal arguments give equal results.
 */
#pragma once

#include "analysis/statistics/statistics.h"

enum { STATISTICS_A, STATISTICS_B, STATISTICS_SIDES };

/* The counts of one outcome in one run. Borrowed. */
struct statistics_run {
    int side;       /* STATISTICS_A, the baseline, or STATISTICS_B */
    uint64_t draws; /* runs with the same number may have the same draws: their batches with the same number and
                     * arguments are the same draw */
    size_t batch_count;
    const uint32_t *numbers;   /* of the batches, ascending */
    const uint64_t *arguments; /* of each: a hash of its launch arguments */
    const uint64_t *sizes;     /* instances counted in each; a batch with 0 is ignored */
    const uint64_t *counts;    /* sightings in each; NULL: none at all */
};

/* ---- one rate in several runs ---- */

/* The rate of a typical run, and how much runs differ. */
struct statistics_run_rate {
    size_t runs, seen_in;     /* with counted instances; of these, with sightings */
    double rate;              /* the geometric mean of their rates; half a sighting stands for none if another run has
                               * some. 0: no run has any */
    struct interval range;    /* the smallest and the largest rate of a run */
    struct interval interval; /* of the rate of a typical run: Student's t over the logarithms of the runs' rates, and
                               * never narrower than counting alone. Of one run, and if no run has a sighting: from
                               * counting alone */
};

/* Of each run: its sightings, and its counted instances; one with n = 0 is left out. */
void statistics_rate_over_runs(const struct statistics_batch *runs, size_t count, double confidence,
                               struct statistics_run_rate *rate);

/* ---- two sides ---- */

/* What the counts of a question show without its suite. Logarithms are natural. */
struct statistics_measure {
    size_t runs[STATISTICS_SIDES];    /* that were used */
    uint64_t count[STATISTICS_SIDES]; /* sightings in the batches that were used */
    double size[STATISTICS_SIDES];    /* instances of these */
    bool paired;                      /* draw by draw: only draws that both sides have are used */
    double log_ratio;                 /* of B's rate to A's; half a sighting is added to each */
    double run_share;                 /* weight of a run's variance in the variance of log_ratio: 1/K + 1/L, in one
                                       * block */
    double batches[STATISTICS_SIDES]; /* variance of log_ratio from counting and batches, by side */
    double draws;                     /* more variance of log_ratio if it is to hold for all draws: equal draws cancel
                                       * only as far as they affect both sides alike */
    size_t few_draws;                 /* not 0: runs share draws, and a side has only this many of them, too few to know
                                       * how much draws differ; an interval is then about these draws */
    double dispersion;                /* of B, 1 or more: this many sightings are worth one independent sighting */
    double lag;                       /* correlation of successive batches of a run; 0 if it does not matter */
    double scatter;                   /* variance of the log rates of the runs of a side */
    double expected_scatter;          /* variance that counting and batches alone would give */
    double freedom;                   /* degrees of freedom of scatter; 0: no side has two runs */
    double span[STATISTICS_SIDES];    /* largest rate of a side's runs over the smallest */
    double p_counting;                /* two-sided p of the exact conditional test on sightings over dispersion: a lower
                                       * bound for every decision's p */
};

/* Measures a question. Runs without counted instances are left out. residuals: if not NULL, for each run the deviation
 * of its log rate from its side's; NAN for a run that was not used, or is the only one of its side and draws. */
void statistics_measure(const struct statistics_run *runs, size_t count, struct statistics_measure *measure,
                        double *residuals);

/* A question, for a suite to learn from. */
struct statistics_question {
    struct statistics_measure measure;
    const double *residuals; /* as measured */
    const size_t *runs;      /* for each residual: the number of its run in the suite, below run_count */
    size_t count;
    size_t test; /* equal for questions of one test */
};

/* How much the runs of a suite differ beyond counting and batches: variances of the logarithm of a rate. */
struct statistics_suite {
    double variance;      /* of a run's rate, for each question by itself */
    double freedom;       /* its degrees of freedom: 4 to 20; of 3 to 7 usable tests, those of one test; 0: not known,
                           * since there are fewer */
    double shift;         /* of all rates of a run together */
    double shift_freedom; /* its degrees of freedom; 0: not known */
    size_t questions;     /* usable tests */
};

/* Learns from the questions that have 10 sightings or more in the mean run. with_shift: whether the rates of a run may
 * move together. */
void statistics_fit(const struct statistics_question *questions, size_t count, size_t run_count, bool with_shift,
                    struct statistics_suite *suite);

/* The decision on one question. */
struct statistics_decision {
    double variance;       /* of a run's log rate, without counting, as used */
    double error;          /* standard error of log_ratio in the draws of the runs; p is about it */
    double draws;          /* variance of log_ratio from these draws, which only the interval includes */
    double freedom;        /* degrees of freedom; 0: nothing can be decided, p is 1 and the interval covers
                            * everything */
    double p;              /* two-sided */
    struct interval ratio; /* of B's rate to A's over all draws, at the confidence asked for */
    size_t few_draws;      /* as measured: not 0 says that the interval is about so many draws alone */
};
void statistics_decide(const struct statistics_measure *measure, const struct statistics_suite *suite,
                       double confidence, struct statistics_decision *decision);

/* Sets p and the interval from the error, the draws and the degrees of freedom. */
void statistics_conclude(double log_ratio, double confidence, struct statistics_decision *decision);

/* The ratio of a decision as it may be shown; and of a question, which may be one-sided in the batches that were
 * used. */
struct statistics_ratio statistics_decided_ratio(double log_ratio, const struct statistics_decision *decision);
struct statistics_ratio statistics_measured_ratio(const struct statistics_measure *measure,
                                                  const struct statistics_decision *decision, double confidence);

/* The same for reruns, if a first pass of one run chose the question: because its p was at most chosen_p (1: for
 * another reason). The baseline's runs are in both measures, so their deviation counts once. p is the chance, with
 * equal sides, to be chosen and to deviate as far again in the same direction; 1 if the directions differ. */
void statistics_decide_twice(const struct statistics_measure *first, const struct statistics_measure *again,
                             const struct statistics_suite *suite, double chosen_p, double confidence,
                             struct statistics_decision *decision);

/* Whether all rates of B are shifted: the median of log_ratio over usable questions, one for each test;
 * decision->freedom is 0 if fewer than 8 tests are usable, or no side has two runs. */
void statistics_decide_shift(const struct statistics_question *questions, size_t count,
                             const struct statistics_suite *suite, double confidence, double *log_shift,
                             struct statistics_decision *decision);
