// SPDX-License-Identifier: Apache-2.0
/*
 * Candidate environments, for tuning. A candidate is a function of (search, number, parent): equal
 * arguments give equal candidates on any machine. Its parameters are single values or small ranges,
 * chosen from values known to matter (ENVIRONMENT_LIST): those in the tuning ranges of similar tools, the sequences of
 * Sorensen and Donaldson (PLDI 2016), and measurements with orchil.
 */
#ifndef ORCHIL_RUNNER_ENVIRONMENT_SEARCH_H
#define ORCHIL_RUNNER_ENVIRONMENT_SEARCH_H

#include "runner/environment/environment.h"

/* Properties of the tuned tests and devices that make a parameter worth searching. */
enum search_has {
    SEARCH_LOCAL = 1 << 0,    /* some test has locations in local memory, so their stride matters */
    SEARCH_CLUSTERS = 1 << 1, /* some device has clusters */
    SEARCH_PATHS = 1 << 2,    /* some test has aliases or texture, surface or constant memory */
    SEARCH_COPIES = 1 << 3,   /* stress can make bulk copies on some device */
    SEARCH_CLOCK = 1 << 4     /* some device has a clock that all groups share */
};

struct environment_search {
    bool gpu;     /* choices for a GPU, else for a CPU */
    unsigned has; /* bits of enum search_has */
    uint64_t seed;
    const struct environment *start; /* gives every candidate the parameters that are not searched: bounds on spins */
};

/* A candidate drawn from all choices. */
void search_draw(const struct environment_search *search, uint64_t number, struct environment *candidate);

/* A candidate near the parent: one to three of its parameters are drawn again, doubled, halved, shifted, or narrowed to
 * one value of their range. Always different from the parent. */
void search_near(const struct environment_search *search, uint64_t number, const struct environment *parent,
                 struct environment *candidate);

#endif
