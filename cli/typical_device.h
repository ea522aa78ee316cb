// SPDX-License-Identifier: Apache-2.0
/* Devices that need not be here, for what is done without one. */
#ifndef ORCHIL_CLI_TYPICAL_DEVICE_H
#define ORCHIL_CLI_TYPICAL_DEVICE_H

#include "backends/backend.h"
#include "litmus/litmus.h"

/* One of the backend that takes tests of the dialect and declares all orders and scopes; NULL where there is none. */
const struct backend_device *typical_device(const char *backend, enum litmus_dialect dialect);

#endif
