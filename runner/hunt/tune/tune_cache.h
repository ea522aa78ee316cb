// SPDX-License-Identifier: Apache-2.0
/*
 * The drivers' own caches of compiled kernels, in a folder that exists as long as this process.
 * Tuning builds the same kernel for every candidate, and the kernel cache does not cover drivers
 * that compile for each work-group size.
 */
#ifndef ORCHIL_RUNNER_HUNT_TUNE_TUNE_CACHE_H
#define ORCHIL_RUNNER_HUNT_TUNE_TUNE_CACHE_H

#include "base/temporary_folder.h"

/* Makes the folder and sets it for the drivers of all workers started later, unless the user's
 * environment variables say otherwise. The caller closes it. */
enum status tune_cache_open(struct temporary_folder *folder, struct error *error);

#endif
