// SPDX-License-Identifier: Apache-2.0
/* The bench that tries candidates: every test of a plan on its device, then its controls, all in one run of the
 * database. */
#pragma once

#include "base/temporary_folder.h"
#include "results/results.h"
#include "runner/run/plan_run.h"
#include "runner/supervise/supervisor.h"
#include "verdicts/verdicts.h"

/* ---- the kernel cache ---- */

/* Makes the folder and sets it for the drivers of all workers started later, unless the user's environment variables
 * say otherwise. The caller closes it. */
enum status tune_cache_open(struct temporary_folder *folder, struct error *error);

/* How often a test's witness appears in an environment, batch by batch, with bounds on the rate before the end. */

enum { TUNE_LEAST_BATCHES = 3 }; /* below this a rate has no bounds */

/* The mean of values, and the sum of their squared distances from it. Starts as {0}. */
struct tune_repeats {
    unsigned count;
    double mean, squares;
};

void tune_repeats_add(struct tune_repeats *repeats, double value);

/* Starts as {0}. */
struct tune_rate {
    uint64_t witnesses, instances;
    double seconds;              /* wall clock, from batch to batch */
    struct tune_repeats batches; /* their rates */
};

void tune_rate_add(struct tune_rate *rate, uint64_t witnesses, uint64_t instances, double seconds);

/* Witnesses per second; 0 before the first batch. */
double tune_rate_value(const struct tune_rate *rate);

/* The natural logarithm of the rate since `before`, an earlier copy of this rate; 0 for a rate below 1 per second. */
double tune_log_since(const struct tune_rate *rate, const struct tune_rate *before);

/* Bounds within which the rate of many more batches probably stays: two standard errors below and three above, of the
 * batches' spread or of counting, whichever is larger. 0 and INFINITY before TUNE_LEAST_BATCHES. */
double tune_rate_upper(const struct tune_rate *rate);
double tune_rate_lower(const struct tune_rate *rate);

/* Sum of the natural logarithms of `count` rates, of their values or lower bounds; a rate below 1 per second adds 0. */
double tune_score(const struct tune_rate *rates, size_t count);
double tune_score_lower(const struct tune_rate *rates, size_t count);

/* The geometric mean of `count` rates, from their score. */
double tune_mean(double score, size_t count);

/* Whether a candidate can be given up while rate `at` of `count` is measured: even if this rate is at its upper bound,
 * and the later ones reach the records (the highest values seen of each), the score stays below the best candidate's,
 * by a factor of four or at the best's lower bound. */
bool tune_hopeless(const struct tune_rate *rates, size_t at, size_t count, const double *records, double best,
                   double best_lower);

/* X(name, text): the fate of a candidate. */
#define TUNE_FATE_LIST(X)                                                                                              \
    X(MEASURED, "measured to the end")                                                                                 \
    X(ABANDONED, "given up early")                                                                                     \
    X(CONDEMNED, "rejected: an outcome that must never appear")                                                        \
    X(INVALID, "rejected: an invalid batch")                                                                           \
    X(UNMET, "rejected: partners that did not meet")                                                                   \
    X(UNSUPPORTED, "not accepted by the device")                                                                       \
    X(FAILED, "failed")                                                                                                \
    X(INTERRUPTED, "interrupted")

#define TUNE_FATE_ENUM(name, text) TUNE_##name,
enum tune_fate { TUNE_FATE_LIST(TUNE_FATE_ENUM) TUNE_FATE_COUNT };

const char *tune_fate_text(enum tune_fate fate);

/* One candidate. */
struct trial {
    uint64_t number; /* 0: the starting profile */
    struct environment environment;
    char hash[65]; /* of the environment */
    enum tune_fate fate;
    char why[512];              /* a sentence, if it was rejected or failed */
    struct tune_rate *rates;    /* of each pair of the bench; owned */
    unsigned *resident_groups;  /* of their builds, for the controls; owned */
    unsigned replicates;        /* jobs of each pair so far; the caller numbers them */
    double score, score_lower;  /* once measured */
    uint64_t control_instances; /* of all controls so far, without a witness */
};

/* A test on a device, which has a rate. */
struct tune_pair {
    const struct planned_job *job;
    const struct planned_job *controls; /* control_count jobs, with the same draws */
    size_t control_count;
};

struct bench {
    const struct run_plan *plan;
    struct tune_pair *pairs; /* tests x devices */
    size_t pair_count, device_count;
    struct bench_test *prepared;    /* of each job of the plan */
    struct supervisor *supervisors; /* one for each device */
    struct store *store;
    int64_t run_id;
    uint64_t seed;
    struct stop_signals *stop;
    uint64_t alarms;             /* candidates that showed what the device promises never to show */
    void (*turn)(void *context); /* called after every batch */
    void *context;
};

/* Prepares the bench for a plan with its run already begun. The caller closes it, whatever the result. */
void bench_open(struct bench *bench, const struct supervisor_limits *limits, const char *cache);
void bench_close(struct bench *bench);

/* A candidate without rates yet; released with trial_release. */
struct trial trial_make(const struct bench *bench, uint64_t number, const struct environment *environment);
void trial_release(struct trial *trial);

/* The best candidate so far, to compete with: see tune_hopeless. */
struct tune_rival {
    const double *records;
    double score, score_lower;
};

/* Measures each pair for about `seconds`, adds to the trial's rates and sets its score and fate. rival: NULL if the
 * candidate must not be given up. Fails only if the database does. */
enum status bench_measure(struct bench *bench, struct trial *trial, unsigned replicate, double seconds,
                          const struct tune_rival *rival, struct error *error);

/* Runs the controls of each pair with the draws of the same replicate, for about `seconds` each; a witness condemns the
 * candidate. */
enum status bench_control(struct bench *bench, struct trial *trial, unsigned replicate, double seconds,
                          struct error *error);
