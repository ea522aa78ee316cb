// SPDX-License-Identifier: Apache-2.0
/*
 * The drivers' own caches of compiled kernels, in a folder of this process that lives as long as it does. Tuning builds the
 * same kernel for every candidate, and drivers that compile for a work-group's size do so without the knowledge of the kernel
 * cache. Private to tuning.
 */
#ifndef ORCHIL_RUNNER_TUNE_TUNE_CACHE_H
#define ORCHIL_RUNNER_TUNE_TUNE_CACHE_H

#include "base/status.h"

enum { TUNE_CACHE_PATH = 4096 };

struct tune_cache {
    char folder[TUNE_CACHE_PATH]; /* empty: none */
    int hold;                     /* of the folder, which the next tuning removes if this one is killed */
};

/* Makes the folder and points the drivers of all workers to be started to it, where the user's environment variables do
 * not say otherwise. */
enum status tune_cache_open(struct tune_cache *cache, struct error *error);

/* Removes it. */
void tune_cache_close(struct tune_cache *cache);

#endif
