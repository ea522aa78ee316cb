// SPDX-License-Identifier: Apache-2.0
/* What a search came to, for people. Private to tuning. */
#ifndef ORCHIL_CLI_PRINT_TUNE_REPORT_H
#define ORCHIL_CLI_PRINT_TUNE_REPORT_H

#include "runner/tune/tune_bench.h"

enum { TUNE_EXIT_ALARM = 1, TUNE_EXIT_INCONCLUSIVE = 3, TUNE_EXIT_FAILED = 4 };

struct tune_report {
    const struct bench *bench;
    const struct trial *trials;
    size_t trial_count;
    const struct trial *finals; /* measured again; final_count 0: none were */
    size_t final_count;
    const struct trial *best; /* whose profile was written; NULL: none */
    const char *start, *out, *database;
    double seconds;
};

/* The geometric mean of the rates that a score of `count` rates stands for. */
double tune_mean(double score, size_t count);

/* Prints to standard output. */
void tune_report_print(const struct tune_report *report);

#endif
