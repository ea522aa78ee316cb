// SPDX-License-Identifier: Apache-2.0
/*
 * Two sides, run by run. The batch is a replicate of the stress; the run is the replicate of the machine. Batches of one
 * run share clocks, temperature and neighbours, so however many there are, they cannot say how far two runs of one
 * driver lie apart. What decides whether a rate has changed is therefore a t test over runs.
 *
 * A question is one outcome of one test. Its way:
 *
 *   statistics_measure   the counts of all runs -> the ratio of the rates, what counting and the batches add to its
 *                        error, and how much the rates of the runs of a side differ
 *   statistics_fit       the measures of all questions of a suite -> how much runs differ in that suite
 *   statistics_decide    a measure and its suite -> the error of the ratio, its degrees of freedom, p
 *
 * With three runs a side the variance between runs is hardly known from one question alone. So it is shrunk to the variance of the
 * suite (Smyth, "Linear models and empirical Bayes methods", SAGMB 3, 2004; Lund et al., "Detecting differential
 * expression ... using quasi-likelihood", SAGMB 11, 2012): a moderated t. The suite's weight is estimated from how much the
 * questions agree, and lies between 4 and 20 degrees of freedom.
 *
 * A first pass over a suite may choose what is run again (statistics_decide_twice): then the reruns decide, and p is the chance
 * that a question of equal sides is both chosen and decided, so that it may be corrected for all questions of the suite.
 *
 * All functions are pure: equal arguments give equal results.
 */
#ifndef ORCHIL_ANALYSIS_STATISTICS_RUNS_H
#define ORCHIL_ANALYSIS_STATISTICS_RUNS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analysis/statistics/statistics.h"

enum { STATISTICS_A, STATISTICS_B, STATISTICS_SIDES };

/* The counts of one outcome in one run. Borrowed. */
struct statistics_run {
    int side;       /* STATISTICS_A, the baseline, or STATISTICS_B */
    uint64_t draws; /* runs of equal number have the same draws: their batches of equal numbers are equal draws */
    size_t batch_count;
    const uint32_t *numbers; /* of the batches, ascending */
    const uint64_t *sizes;   /* instances counted in each; a batch of 0 does not count */
    const uint64_t *counts;  /* sightings in each; NULL: none at all */
};

/* What the counts of a question say before anything is known of its suite. Logarithms are natural. */
struct statistics_measure {
    size_t runs[STATISTICS_SIDES];    /* that were used */
    uint64_t count[STATISTICS_SIDES]; /* sightings in the batches that were used */
    double size[STATISTICS_SIDES];    /* instances of these */
    bool paired;                      /* draw by draw: only draws that both sides have were used */
    double log_ratio;                 /* of B's rate to A's; half a sighting is added to each */
    double run_share; /* what the variance of a run counts in that of log_ratio: 1/K + 1/L, in one block */
    double batches[STATISTICS_SIDES]; /* what counting and batches add to the variance of log_ratio, by side */
    double dispersion; /* of B, 1 or more: so many sightings say as much as one would, were sightings independent */
    double lag;        /* correlation of a batch with the one before it within runs; 0 where it does not matter */
    double scatter;    /* variance of the log rates of the runs of a side */
    double expected_scatter;       /* that counting and batches alone would give */
    double freedom;                /* degrees of freedom of scatter; 0: no side has two runs */
    double span[STATISTICS_SIDES]; /* of the rates of a side's runs: the largest over the smallest */
    double
        p_counting; /* two-sided p of the exact conditional test, of sightings over dispersion: no decision is surer */
};

/* Measures a question. Runs of no counted instance are left out. residuals: where not NULL, of each run, how far its log rate is
 * off its side's; NAN for a run that was not used, or is the only one of its side and draws. */
void statistics_measure(const struct statistics_run *runs, size_t count, struct statistics_measure *measure,
                        double *residuals);

/* A question as a suite learns from it. */
struct statistics_question {
    struct statistics_measure measure;
    const double *residuals; /* as measured */
    const size_t *runs;      /* of each residual: the number of the run of the suite, below run_count */
    size_t count;
    size_t test; /* questions of one test have the same */
};

/* How much the runs of a suite differ, beyond counting and batches: variances of the logarithm of a rate. */
struct statistics_suite {
    double variance;      /* of a run's rate, each question by itself */
    double freedom;       /* what that is worth, 4 to 20; 0: not known, the suite has fewer than 8 tests of use */
    double shift;         /* of all rates of a run together */
    double shift_freedom; /* of that; 0: not known */
    size_t questions;     /* that it was learned from */
};

/* Learns from the questions that have 10 sightings or more in the mean run. with_shift: whether the rates of a run may move
 * together. */
void statistics_fit(const struct statistics_question *questions, size_t count, size_t run_count, bool with_shift,
                    struct statistics_suite *suite);

/* What is decided of one question. */
struct statistics_decision {
    double variance;       /* of a run's log rate, without counting, as it was taken */
    double error;          /* standard error of log_ratio */
    double freedom;        /* degrees of freedom; 0: nothing can be decided, p is 1 and the interval everything */
    double p;              /* two-sided */
    struct interval ratio; /* of B's rate to A's, at the confidence asked for */
};
void statistics_decide(const struct statistics_measure *measure, const struct statistics_suite *suite,
                       double confidence, struct statistics_decision *decision);

/*
 * The same of reruns, where a first pass of one run chose the question: because its p was at most chosen_p (1: for another
 * reason). The baseline's runs are in both measures, so that what they were off by is not seen twice. p is the chance,
 * with equal sides, to be chosen and to lie so far off again, to the same side; 1 where the two lie to different sides.
 */
void statistics_decide_twice(const struct statistics_measure *first, const struct statistics_measure *again,
                             const struct statistics_suite *suite, double chosen_p, double confidence,
                             struct statistics_decision *decision);

/* Whether all rates of B are shifted: the median of log_ratio over questions of use, one for each test; decision->freedom is 0
 * where fewer than 8 tests are of use, or no side has two runs. */
void statistics_decide_shift(const struct statistics_question *questions, size_t count,
                             const struct statistics_suite *suite, double confidence, double *log_shift,
                             struct statistics_decision *decision);

#endif
