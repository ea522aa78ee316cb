// SPDX-License-Identifier: Apache-2.0
/* What was learned about tests on a machine: notes that a gate uses. Part of results/results.h,
 * which states the guarantees. */
#ifndef ORCHIL_RESULTS_CALIBRATION_CALIBRATION_H
#define ORCHIL_RESULTS_CALIBRATION_CALIBRATION_H

#include <stddef.h>

#include "base/arena.h"
#include "base/status.h"

struct store;

/* A note on a test in an environment on a device. It does not belong to a run. */
struct store_calibration {
    const char *test_hash, *dialect, *environment_hash;
    const char *backend, *device; /* its UUID, or its name if it has none */
    const char *note;             /* a JSON object, the caller's own */
};

/* Stores notes in one transaction; each replaces an older note on the same test, environment and
 * device. */
enum status store_put_calibrations(struct store *store, const struct store_calibration *notes, size_t count,
                                   struct error *error);

/* All notes, ordered by test, environment and device; they live in the arena. */
enum status store_load_calibrations(struct store *store, struct arena *arena, struct store_calibration **notes,
                                    size_t *count, struct error *error);

#endif
