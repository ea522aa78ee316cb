// SPDX-License-Identifier: Apache-2.0
/* The search for an environment in which witnesses are frequent. Candidates are drawn from all choices at first, later
 * near the best. Poor candidates are given up after a few batches. Before a candidate joins the best, its controls must
 * run without a witness. The best few are measured again at the end, because the best of many measurements is always
 * partly luck. The best of these is compared with the starting profile, which is kept unless the candidate is better.
 * Nothing is printed: events go to a listener. */
#pragma once

#include "hunt/tune/tune_bench.h"

/* Independent repeats of a measurement: the mean of their logarithms and its interval by Student's t. A repeat is a
 * separate job; batches of one job are not repeats, because they share clocks, temperature and neighbours. */

/* With fewer repeats nothing is decided: their interval is wider than most differences. */
enum { TUNE_LEAST_REPEATS = 5 };

/* Bounds of the mean of natural logarithms at 95 % confidence, two-sided; -INFINITY and INFINITY for fewer than two
 * repeats. */
double tune_repeats_lower(const struct tune_repeats *repeats);
double tune_repeats_upper(const struct tune_repeats *repeats);

enum { TUNE_INTERVAL_SIZE = 160 };

/* Prints "253 k (241 k to 266 k)": the geometric mean and, for two or more repeats, its interval. Returns buffer. */
const char *tune_repeats_print(const struct tune_repeats *repeats, char buffer[TUNE_INTERVAL_SIZE]);

/* X(name, text): the result of comparing a candidate with the old profile. */
#define TUNE_VERDICT_LIST(X)                                                                                           \
    X(NOT_COMPARED, "not compared with the old profile")                                                               \
    X(BETTER, "better than the old profile")                                                                           \
    X(SAME, "not distinguishable from the old profile: kept")                                                          \
    X(WORSE, "worse than the old profile: kept")                                                                       \
    X(REJECTED, "rejected when compared with the old profile: kept")                                                   \
    X(ALONE, "without comparison: the old profile could not be measured")

#define TUNE_VERDICT_ENUM(name, text) TUNE_VERDICT_##name,
enum tune_verdict { TUNE_VERDICT_LIST(TUNE_VERDICT_ENUM) TUNE_VERDICT_COUNT };

const char *tune_verdict_text(enum tune_verdict verdict);

/* BETTER or WORSE if the whole interval of the ratio's logarithm is on one side of 0; else, or with fewer than
 * TUNE_LEAST_REPEATS repeats, SAME. */
enum tune_verdict tune_repeats_decide(const struct tune_repeats *ratio);

/* ---- the best candidate against the starting profile, in turn ---- */

enum tune_side { TUNE_CANDIDATE, TUNE_START, TUNE_SIDES };

/* Starts as {0}. */
struct tune_duel {
    enum tune_verdict verdict;
    /* Measured for this comparison only; a start without rates could not be measured. */
    struct trial sides[TUNE_SIDES];
    struct tune_repeats *rates[TUNE_SIDES]; /* of each pair: the logarithms of its rate, see tune_log_since; owned */
    struct tune_repeats ratio; /* of the candidate's rate to the start's: the mean logarithm over all pairs */
};

struct tune_options {
    const char *database, *out;
    const char *profile; /* the starting profile; NULL: the built-in one that fits */
    const char *homes;   /* homes of locations in tests for several devices; NULL: as the profile says */
    double seconds;      /* for everything */
    uint64_t trials;     /* most candidates; 0: as many as time allows */
    uint64_t seed;
    struct supervisor_limits limits;
    const struct provenance *provenance; /* of this process, stored with the run */
};

/* The progress of a search. */
struct tune_progress {
    size_t trials;            /* so far */
    size_t finals;            /* being measured again; 0: still searching */
    const struct trial *best; /* so far; or NULL */
    size_t pairs;             /* rates of each trial */
    double seconds_left;
};

/* The result of a search. */
struct tune_report {
    const struct bench *bench;
    const struct trial *trials;
    size_t trial_count;
    const struct trial *finals; /* measured again; none if final_count is 0 */
    size_t final_count;
    /* The best of them against the start; NOT_COMPARED if there was no time, or no candidate. */
    const struct tune_duel *duel;
    const struct trial *best; /* whose profile was written; NULL: none */
    const char *start, *out, *database;
    double seconds;
};

/* The listener for progress; what the arguments point to is valid during the call. */
struct tune_listener {
    void (*went_on)(const struct tune_progress *progress, void *context); /* at every batch */
    void (*alarm)(const struct trial *trial, void *context);              /* a candidate showed a forbidden outcome */
    void (*ended)(const struct tune_report *report, void *context);       /* if nothing failed */
    void *context;
};

struct tune_result {
    enum status status; /* of the search itself: its database, the profile's file, the operating system */
    struct error error; /* if status is not OK */
    int signal;         /* that stopped it; 0: none */
    uint64_t alarms;    /* candidates that showed what the device promises never to show */
    bool found;         /* a profile was written */
    bool failed;        /* the last candidate's jobs failed */
};

/* Searches with the plan's tests, controls and devices, and writes the profile. */
void tune_run(const struct tune_options *options, const struct run_plan *plan, const struct tune_listener *listener,
              struct tune_result *result);
