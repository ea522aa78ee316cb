// SPDX-License-Identifier: Apache-2.0
/*
 * The ensemble: a backend made of others. Its one device has several members, each a session of another backend, which share
 * memory and launch at the same time. Which they are is said once in a process, before the backend is used.
 */
#ifndef ORCHIL_ENSEMBLE_H
#define ORCHIL_ENSEMBLE_H

#include <stdbool.h>

#include "backends/backend.h"

/*
 * Says which members the ensemble of this process has: "cuda:0+cuda:1", "opencl:0+host". `host`, always the last, is the first
 * OpenCL device that is no GPU; where all others are simulated, the first simulated device that is no GPU. Loads no driver. USAGE,
 * with what was expected.
 */
enum status ensemble_define(const char *spec, struct error *error);
bool ensemble_is_defined(void);

extern const struct backend ensemble_backend;

#endif
