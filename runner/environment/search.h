// SPDX-License-Identifier: Apache-2.0
/*
 * Candidate environments, for tuning. A candidate is a function of (search, number, parent): equal arguments give equal
 * candidates on any machine. Its parameters are single values or small ranges, from values known to matter: what the
 * peers' tuning ranges and the sequences of Sorensen and Donaldson (PLDI 2016) hold, and what was measured with orchil.
 */
#ifndef ORCHIL_RUNNER_SEARCH_H
#define ORCHIL_RUNNER_SEARCH_H

#include "runner/environment/environment.h"

/* What a parameter may need of the tests and devices that are tuned. */
enum search_has {
    SEARCH_LOCAL = 1 << 0,    /* some test has locations in local memory, so their stride matters */
    SEARCH_CLUSTERS = 1 << 1, /* some device has clusters */
    SEARCH_PATHS = 1 << 2,    /* some test has aliases or texture, surface or constant memory */
    SEARCH_COPIES = 1 << 3    /* some device has bulk copies that stress can make */
};

struct search {
    bool gpu;     /* whose choices: a GPU's or a CPU's */
    unsigned has; /* bits of enum search_has */
    uint64_t seed;
    const struct environment *start; /* what every candidate has where a parameter is not searched: bounds on spins */
};

/* A candidate drawn from all choices. */
void search_draw(const struct search *search, uint64_t number, struct environment *candidate);

/* A candidate near the parent: one to three of its parameters are drawn again, doubled, halved, shifted, or narrowed to
 * one value of their range. Always different from the parent. */
void search_near(const struct search *search, uint64_t number, const struct environment *parent,
                 struct environment *candidate);

#endif
