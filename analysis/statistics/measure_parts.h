// SPDX-License-Identifier: Apache-2.0
/* The parts of measuring a question: which batches are used, and how they scatter. Private to the files measure*.c. */
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
    double count, size, squares; /* over these: sightings, instances, the squares of the batches' instances */
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
    double squares, freedom; /* of (seen - expected) / root of expected */
    double expected, expected_squares,
        expected_sizes;                 /* sums: of what is expected, its squares, its products with sizes */
    double products, norms, neighbours; /* of these with the next in the same run; how many there are */
};

/* How much batches vary beyond counting. */
struct variation {
    bool known;
    double excess;    /* of the dispersion over 1, for each instance of a batch: large batches hold larger clumps */
    double inflation; /* because successive batches are correlated, this many say as much as one */
};

/* One way of comparing: all batches, or draws that both sides have. */
struct way {
    struct group *groups;
    size_t count;
    bool paired;
    struct variation shared, own; /* of the batches where draws differ; and beyond what draws do */
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

/* The correlation of neighbours, 0 where chance explains it. */
double measure_lag(const struct scattering *scattering);

struct variation measure_variation(const struct scattering *scattering);

/* 1 or more: so many sightings say as much as one independent sighting, in batches of this size. */
double measure_dispersion(const struct variation *variation, double size);

#endif
