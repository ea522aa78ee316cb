// SPDX-License-Identifier: Apache-2.0
/*
 * Independent repeats of a measurement: the mean of their logarithms and its interval by Student's
 * t. A repeat is a separate job; batches of one job are not repeats, because they share clocks,
 * temperature and neighbours.
 */
#ifndef ORCHIL_RUNNER_HUNT_TUNE_TUNE_REPEATS_H
#define ORCHIL_RUNNER_HUNT_TUNE_TUNE_REPEATS_H

/* With fewer repeats nothing is decided: their interval is wider than most differences. */
enum { TUNE_LEAST_REPEATS = 5 };

/* Starts as {0}. */
struct tune_repeats {
    unsigned count;
    double mean, squares; /* of natural logarithms; sum of their squared distances from it */
};

void tune_repeats_add(struct tune_repeats *repeats, double logarithm);

/* Bounds of the mean at 95 % confidence, two-sided; -INFINITY and INFINITY for fewer than two
 * repeats. */
double tune_repeats_lower(const struct tune_repeats *repeats);
double tune_repeats_upper(const struct tune_repeats *repeats);

enum { TUNE_INTERVAL_SIZE = 160 };

/* Prints "253 k (241 k to 266 k)": the geometric mean and, for two or more repeats, its interval.
 * Returns buffer. */
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
#undef TUNE_VERDICT_ENUM

const char *tune_verdict_text(enum tune_verdict verdict);

/* BETTER or WORSE if the whole interval of the ratio's logarithm is on one side of 0; else, or with
 * fewer than TUNE_LEAST_REPEATS repeats, SAME. */
enum tune_verdict tune_repeats_decide(const struct tune_repeats *ratio);

#endif
