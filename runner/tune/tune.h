// SPDX-License-Identifier: Apache-2.0
/*
 * The search for an environment in which witnesses are frequent. Candidates are drawn, at first from all choices, then near
 * the best; poor ones are given up after a few batches; one that would join the best must first leave all controls
 * without a witness; the best few are measured again at the end, because the best of many measurements is always
 * partly luck; and the best of these is compared with the profile that the search started from, which is kept unless the
 * other is better. Nothing is printed: events go to a listener.
 */
#ifndef ORCHIL_RUNNER_TUNE_TUNE_H
#define ORCHIL_RUNNER_TUNE_TUNE_H

#include "runner/tune/tune_bench.h"
#include "runner/tune/tune_duel.h"

struct tune_options {
    const char *database, *out;
    const char *profile; /* that the search starts from; NULL: the built-in one that fits */
    const char *homes;   /* where locations of tests of several devices lie; NULL: as the profile says */
    double seconds;      /* for everything */
    uint64_t trials;     /* candidates at most; 0: as many as there is time for */
    uint64_t seed;
    struct supervisor_limits limits;
};

/* How far a search is. */
struct tune_progress {
    size_t trials;            /* so far */
    size_t finals;            /* that are measured again now; 0: the search goes on */
    const struct trial *best; /* so far; or NULL */
    size_t pairs;             /* rates of each trial */
    double seconds_left;
};

/* What a search came to. */
struct tune_report {
    const struct bench *bench;
    const struct trial *trials;
    size_t trial_count;
    const struct trial *finals; /* measured again; final_count 0: none were */
    size_t final_count;
    const struct tune_duel
        *duel; /* the best of them against the start; NOT_COMPARED: there was no time for it, or no candidate */
    const struct trial *best; /* whose profile was written; NULL: none */
    const char *start, *out, *database;
    double seconds;
};

/* The listener for progress; what the arguments point to is valid during the call. */
struct tune_listener {
    void (*went_on)(const struct tune_progress *progress, void *context); /* at every batch */
    void (*alarm)(const struct trial *trial, void *context);        /* a candidate showed what must never appear */
    void (*ended)(const struct tune_report *report, void *context); /* if nothing has failed */
    void *context;
};

struct tune_result {
    enum status status; /* of the search itself: its database, the profile's file, the operating system */
    struct error error; /* where that is not OK */
    int signal;         /* that stopped it; 0: none did */
    uint64_t alarms;    /* candidates that showed what must never appear, on a device that promises so */
    bool found;         /* a profile was written */
    bool failed;        /* the last candidate's jobs did */
};

/* Searches with the plan's tests, controls and devices, and writes the profile. argc and argv are kept as the run's command
 * line. */
void tune_run(const struct tune_options *options, const struct run_plan *plan, const struct tune_listener *listener,
              int argc, char **argv, struct tune_result *result);

#endif
