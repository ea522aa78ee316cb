// SPDX-License-Identifier: Apache-2.0
/* What measuring a question is made of: which batches are used, and how they scatter. Private to the files measure*.c. */
#ifndef ORCHIL_ANALYSIS_STATISTICS_MEASURE_PARTS_H
#define ORCHIL_ANALYSIS_STATISTICS_MEASURE_PARTS_H

#include "analysis/statistics/runs.h"
#include "base/arena.h"

/* A run and which of its batches are used. */
struct used {
    const struct statistics_run *run;
    size_t place; /* among the runs that were given */
    size_t *at;   /* positions of the batches */
    size_t batches;
    double count, size; /* over these */
};

/* Runs of equal draws. */
struct group {
    uint64_t draws;
    struct used *members;
    size_t count;
    size_t sides[STATISTICS_SIDES]; /* members of each */
};

/* How far sightings in batches scatter about what is expected: Pearson's statistic, and how it follows itself. */
struct scattering {
    double squares, freedom;            /* of (seen - expected) / root of expected */
    double products, norms, neighbours; /* of these with the next in the same run; how many there are */
};

/* One way of comparing: all batches, or draws that both sides have. */
struct way {
    struct group *groups;
    size_t count;
    bool paired;
    double shared, own; /* dispersion of the batches where draws differ; and beyond what draws do (NAN: not known) */
    struct statistics_measure measure;
};

/* All batches that counted something, of runs grouped by their draws. */
void measure_use_all(struct arena *arena, const struct statistics_run *runs, size_t count, struct way *way);

/* Of the groups that have runs of both sides, the draws that all of these have; no group where they are too few. */
void measure_use_pairs(struct arena *arena, const struct way *all, struct way *way);

/* Batches about the rate of their run: with what the draws do. */
struct scattering measure_scatter_in_runs(const struct way *way);

/* Adds batches about the product of their run's rate and their draw's factor: without what the draws do. */
void measure_scatter_in_group(struct arena *arena, const struct group *group, struct scattering *scattering);

/* The correlation of neighbours, 0 where chance explains it; and the dispersion, NAN where it is not known. */
double measure_lag(const struct scattering *scattering);
double measure_dispersion(const struct scattering *scattering);

#endif
