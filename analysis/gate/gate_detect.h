// SPDX-License-Identifier: Apache-2.0
/* The smallest change of a rate that is found, by simulation. Private to the files gate*.c. */
#ifndef ORCHIL_ANALYSIS_GATE_GATE_DETECT_H
#define ORCHIL_ANALYSIS_GATE_GATE_DETECT_H

#include "analysis/compare/compare.h"

/* One rate in one pair of runs. Where paired, counts are equal, and batches at equal places have equal draws. */
struct detect_data {
    const struct statistics_batch *batches[SIDES];
    size_t count[SIDES];
    bool paired;
};

struct detect_options {
    double level; /* p at most, as it comes from one test */
    double tolerance, confidence, power;
    unsigned simulations;
    uint64_t seed;
};

/* The smallest factor that is found in the share `power` of simulations over the pairs of runs; INFINITY where that is
 * above 100. */
double gate_detect(const struct detect_data *data, size_t count, const struct detect_options *options);

#endif
