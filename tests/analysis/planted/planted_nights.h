// SPDX-License-Identifier: Apache-2.0
/* Stores of nights with known steps and known circumstances, planted in memory. */
#pragma once

#include "analysis/history/history.h"
#include "tests/analysis/planted/planted.h"

enum { MOST_TESTS = 16, BATCHES = 12 };

/* A store of nights. Nights are numbered from 1; a change at night 0 is none. */
struct plan {
    size_t nights, tests;
    uint64_t seed;
    double rate;       /* of every witness */
    double own, shift; /* standard deviations of the log deviations of a test in a run, and of a whole run */
    double lag;        /* correlation of the former with the night before */
    double factor;     /* of the first `moved` tests */
    size_t step, moved;
    size_t driver, tool, compiler, host, clock, throttle, kernel, environment; /* the night of each change */
    bool restless;                                                             /* the clock differs every night */
    bool replayed;                                                             /* the changed kernel is a saved one */
    size_t clock_ends; /* the night at which the clock returns to its old value; 0: never */
    bool other_draws;  /* each night has its own seed */
};

/* The jobs of all nights as one side. side_release frees it. */
struct side planted_nights(const struct plan *plan);

/* A history of a plan, and the side that it borrows from. */
struct planted_history {
    struct side side;
    struct history history;
};

struct planted_history planted_history_make(const struct plan *plan);
void planted_history_release(struct planted_history *made);
