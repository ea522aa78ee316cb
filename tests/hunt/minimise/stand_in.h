// SPDX-License-Identifier: Apache-2.0
/* A device for the minimiser whose rates a test sets: it draws environments batch by batch, counts with the spread of a
 * Poisson variate, and has its own clock, so that minutes of trials take milliseconds. */
#pragma once

#include "hunt/minimise/minimising.h"

struct stand_in {
    /* The rate of the setting's outcome, per second, if a batch draws this environment of single values. */
    double (*rate)(const struct stand_in *device, const struct minimise_setting *setting,
                   const struct environment *drawn, uint64_t seed);
    /* The end of a job; NULL: all complete. */
    enum job_state (*state)(const struct minimise_setting *setting);
    struct environment environment; /* to start from */
    double seconds;                 /* budget */
    double batch_seconds, overhead; /* of a batch; in addition, of a job */
    unsigned stop_after;            /* trials after which the user stops it; 0: never */
    double now;
    unsigned trials;
    unsigned told; /* steps reported to the listener */
};

/* A device with batches of 10 ms, an overhead of 50 ms for each job, a budget of five minutes, and an environment
 * without neutral parameters. */
struct stand_in stand_in_make(void);

/* Minimises "P0 and P1 of this text" for an outcome; the caller releases *minimal. */
void stand_in_minimise(struct stand_in *device, const char *test_text, const char *outcome, struct minimal *minimal);

/* The step whose text is `what`; fails the test if there is none. */
const struct minimise_step *find_step(const struct minimal *minimal, const char *what);
