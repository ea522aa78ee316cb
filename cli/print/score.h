// SPDX-License-Identifier: Apache-2.0
/*
 * The mutation score of a run: the share of the mutants that were seen, and how often. Private to this folder.
 *
 * After Levine et al., MC Mutants: Evaluating and Improving Testing for Memory Consistency Specifications, ASPLOS 2023. A
 * mutant is a weakened form of a forbidden test. It is killed when its witness, which its model allows, is seen. The score is
 * the share of the mutants that were killed, and the death rate of a mutant is its kills per second; the mean over all mutants
 * has 0 for one that was never killed.
 */
#ifndef ORCHIL_CLI_PRINT_SCORE_H
#define ORCHIL_CLI_PRINT_SCORE_H

#include "runner/run/report.h"

/* Of the tests of one dialect on one device. */
struct score_row {
    const struct backend_device *device;
    enum litmus_dialect dialect;
    char profile[64];
    size_t mutants, seen; /* of the mutants that ran */
    double rates;         /* the sum of their kills per second */
};

/* Starts as {0}. */
struct score {
    struct score_row *rows;
    size_t count, room;
};

/* Counts a job that is a mutant: not forbidden, not run as a control, and not refused by its device. */
void score_add(struct score *score, const struct job_report *report);

/* Prints a line for each device and dialect, and the definition; or one JSON object. */
void score_print(const struct score *score, bool json);

void score_release(struct score *score);

#endif
