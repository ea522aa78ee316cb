// SPDX-License-Identifier: Apache-2.0
/* The parts of measuring and deciding a question: which batches are used, how much they scatter, and what a suite says of
 * them. */
#ifndef ORCHIL_ANALYSIS_STATISTICS_MEASURE_PARTS_H
#define ORCHIL_ANALYSIS_STATISTICS_MEASURE_PARTS_H

#include "analysis/statistics/runs.h"
#include "base/arena.h"

/* A run and which of its batches are used. */
struct used_run {
    const struct statistics_run *run;
    size_t place; /* among the given runs */
    size_t *at;   /* positions of the batches */
    size_t batches;
    double count, size, squares; /* sums over these: sightings, instances, squares of the batches'
                                  * instances */
};

/* Runs of equal draws. */
struct draw_group {
    uint64_t draws;
    struct used_run *members;
    size_t count;
    size_t sides[STATISTICS_SIDES]; /* members of each */
};

/* How far sightings in batches scatter about their expectation: Pearson's statistic, and its
 * autocorrelation. */
struct scattering {
    double squares, freedom;                           /* of (seen - expected) / root of expected */
    double expected, expected_squares, expected_sizes; /* sums: of expectations, their squares, their products with
                                         * sizes */
    double products, norms, neighbours;                /* products of neighbours in a run; their number */
};

/* The variance of batches beyond counting noise. */
struct variation {
    bool known;
    double excess;    /* excess of the dispersion over 1, per instance of a batch: large batches
                       * hold larger clumps */
    double inflation; /* because successive batches are correlated, this many are worth one */
};

/* One way of comparing: all batches, or draws that both sides have. */
struct design {
    struct draw_group *groups;
    size_t count;
    bool paired;
    struct variation shared, own; /* of the batches if draws differ; and beyond the effect of
                                   * draws */
    struct statistics_measure measure;
};

/* All batches with counts, of runs grouped by their draws. */
void measure_use_all(struct arena *arena, const struct statistics_run *runs, size_t count, struct design *design);

/* For the groups with runs of both sides, the draws that all these runs have; no group if there are
 * too few. */
void measure_use_pairs(struct arena *arena, const struct design *all, struct design *design);

/* The scatter of batches about the rate of their run, including the effect of draws. */
struct scattering measure_scatter_in_runs(const struct design *design);

/* Adds the scatter of batches about the product of their run's rate and their draw's factor, so
 * without the effect of draws. */
void measure_scatter_in_group(struct arena *arena, const struct draw_group *group, struct scattering *scattering);

/* The correlation of neighbours, 0 if chance explains it. */
double measure_lag(const struct scattering *scattering);

struct variation measure_variation(const struct scattering *scattering);

/* 1 or more: this many sightings are worth one independent sighting, in batches of this size. */
double measure_dispersion(const struct variation *variation, double size);

/* The variance of the logarithm of a group's ratio, as the ratios of its draws show it: counting, batches, and that a
 * draw may affect the sides differently. */
double measure_variance_over_draws(struct arena *arena, const struct draw_group *group);

/* The same of pairs of batches; 0 if a side has no counts. */
double statistics_pair_variance(const struct statistics_batch *a, const struct statistics_batch *b, size_t count);

/* ---- a suite: shared by learning from it and deciding with it ---- */

enum { STATISTICS_FEWEST_TESTS = 8 }; /* fewer do not show how much they agree, nor whether whole runs differ */

static const double statistics_median_variance = 1.5707963267948966; /* variance of a median over the variance of a
                                                                      * mean: pi / 2 */

/* Whether a question has enough sightings for a suite to learn from. */
bool statistics_is_of_use(const struct statistics_measure *measure);

/* The median; sorts the values. 0 if there are none. */
double statistics_median(double *values, size_t count);

#endif
