// SPDX-License-Identifier: Apache-2.0
/* The mutation score of a run (analysis/statistics/mutation_score.h), as its jobs end. Private to this folder. */
#ifndef ORCHIL_CLI_PRINT_SCORE_H
#define ORCHIL_CLI_PRINT_SCORE_H

#include "analysis/statistics/mutation_score.h"
#include "runner/run/report.h"

/* Of the tests of one dialect on one device. */
struct score_row {
    const struct backend_device *device;
    enum litmus_dialect dialect;
    char profile[64];
    struct mutation_score score;
};

/* Starts as {0}. */
struct score {
    struct score_row *rows;
    size_t count, room;
};

/* Counts a job if it is a mutant. */
void score_add(struct score *score, const struct job_report *report);

/* Prints a line for each device and dialect, and the definition; or one JSON object. */
void score_print(const struct score *score, bool json);

void score_release(struct score *score);

#endif
