// SPDX-License-Identifier: Apache-2.0
/*
 * What independent repeats of a measurement say: the mean of their logarithms and its interval by Student's t. A repeat is a
 * job of its own; batches of one job are not repeats, because they share clocks, temperature and neighbours.
 */
#ifndef ORCHIL_RUNNER_TUNE_TUNE_REPEATS_H
#define ORCHIL_RUNNER_TUNE_TUNE_REPEATS_H

/* Below this nothing is decided: the interval of so few repeats is wider than most differences. */
enum { TUNE_LEAST_REPEATS = 5 };

/* Starts as {0}. */
struct tune_repeats {
    unsigned count;
    double mean, squares; /* of natural logarithms, and of their squared distances from it */
};

void tune_repeats_add(struct tune_repeats *repeats, double logarithm);

/* Bounds of the mean at 95 % confidence, two-sided; -INFINITY and INFINITY below two repeats. */
double tune_repeats_lower(const struct tune_repeats *repeats);
double tune_repeats_upper(const struct tune_repeats *repeats);

enum { TUNE_INTERVAL_SIZE = 160 };

/* As "253 k (241 k to 266 k)": the geometric mean and its interval; without the interval below two repeats. Returns buffer. */
const char *tune_repeats_print(const struct tune_repeats *repeats, char buffer[TUNE_INTERVAL_SIZE]);

/* X(name, text): what a comparison of a candidate with the old profile came to. */
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

/* BETTER or WORSE where the whole interval of the logarithm of the ratio lies on one side of 0; SAME where it does not, or
 * where there are fewer than TUNE_LEAST_REPEATS. */
enum tune_verdict tune_repeats_decide(const struct tune_repeats *ratio);

#endif
