// SPDX-License-Identifier: Apache-2.0
/* Descriptions of devices for work that needs no real device. */
#pragma once

#include "backends/backend.h"
#include "litmus/litmus.h"

/* A device of the backend that takes tests of the dialect and declares all orders and scopes; NULL if there is none. */
const struct backend_device *typical_device(const char *backend, enum litmus_dialect dialect);

/* Typical devices that run a test together; contains pointers into itself. */
struct typical_ensemble {
    struct backend_device device, members[BACKEND_MAXIMUM_MEMBERS];
};

/* The typical device for a test, or, if several agents play it, an ensemble: each member of the backend, and the host a
 * typical CPU. NULL if there is none. */
const struct backend_device *typical_device_for(const char *backend, const struct litmus_test *test,
                                                struct typical_ensemble *ensemble);
