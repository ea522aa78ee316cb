// SPDX-License-Identifier: Apache-2.0
/* The parts that make a calibration. */
#ifndef ORCHIL_RUNNER_GATE_CALIBRATE_CALIBRATE_PARTS_H
#define ORCHIL_RUNNER_GATE_CALIBRATE_CALIBRATE_PARTS_H

#include "runner/gate/calibrate/calibrate.h"

/* A split: a way to deal the runs, which are numbered from 0. */
struct split {
    size_t baseline[CALIBRATE_BASELINE], candidate;
    size_t again[CALIBRATE_AGAIN]; /* the reruns; all 0 if there are too few runs */
};

/* The fewest runs that leave some for reruns. */
enum { SPLIT_FEWEST_AGAIN = CALIBRATE_BASELINE + 1 + CALIBRATE_AGAIN };

/* All splits of this many runs, or a random sample of `most`; returns their number. */
size_t splits_list(struct arena *arena, size_t runs, size_t most, uint64_t seed, struct split **splits, size_t *count);

bool split_has(const struct split *split, size_t run, bool with_again);

/* The share of splits that fail, and its interval. */
void splits_share(const struct split *splits, const bool *fails, size_t count, size_t runs, bool with_again,
                  double confidence, struct calibration_share *share);

/* Measures the tests by the comparison of all runs. */
void calibrate_measure(struct calibration *calibration);

/* The first adds the smallest changes that a gate with the runs of this split would find; the
 * second takes the mean of all added and starts again. */
void calibrate_foresee(struct calibration *calibration, const struct comparison *split);
void calibrate_conclude(struct calibration *calibration);

/* Updates the notes of the tests by what is known so far; true if a note has changed. */
bool calibrate_learn(struct calibration *calibration);

/* Marks tests whose witness a model forbids. Reads the texts of tests that have not shown their
 * witness from the side's database, if it has one. Returns errors from reading it. */
enum status calibrate_forbid(struct calibration *calibration, struct error *error);

#endif
