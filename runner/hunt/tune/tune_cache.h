// SPDX-License-Identifier: Apache-2.0
/*
 * The drivers' own caches of compiled kernels, in a folder that exists as long as this process.
 * Tuning builds the same kernel for every candidate, and the kernel cache does not cover drivers
 * that compile for each work-group size. Private to tuning.
 */
#ifndef ORCHIL_RUNNER_HUNT_TUNE_TUNE_CACHE_H
#define ORCHIL_RUNNER_HUNT_TUNE_TUNE_CACHE_H

#include "base/status.h"

enum { TUNE_CACHE_PATH = 4096 };

struct tune_cache {
    char folder[TUNE_CACHE_PATH]; /* empty: none */
    int hold;                     /* of the folder; the next tuning removes it if this one is killed */
};

/* Makes the folder and sets it for the drivers of all workers started later, unless the user's
 * environment variables say otherwise. */
enum status tune_cache_open(struct tune_cache *cache, struct error *error);

/* Removes the folder. */
void tune_cache_close(struct tune_cache *cache);

#endif
