// SPDX-License-Identifier: Apache-2.0
/* The simulated backend's door, for the table of backends. README.md describes its scripts. */
#ifndef ORCHIL_SIMULATED_H
#define ORCHIL_SIMULATED_H

#include "backends/backend.h"

extern const struct backend simulated_backend;

#endif
