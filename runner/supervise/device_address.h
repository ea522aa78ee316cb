// SPDX-License-Identifier: Apache-2.0
/* How a device is named on the command line, between processes and to people. */
#ifndef ORCHIL_RUNNER_SUPERVISE_DEVICE_ADDRESS_H
#define ORCHIL_RUNNER_SUPERVISE_DEVICE_ADDRESS_H

#include <stdbool.h>

#include "backends/backend.h"
#include "base/status.h"

enum { DEVICE_ADDRESS_SIZE = 112 };

struct device_address {
    char text[DEVICE_ADDRESS_SIZE];
};

/* "cuda:0"; of an ensemble its members' with '+' between them, the host's as "host": "cuda:0+cuda:1", "cuda:0+host". */
struct device_address device_address(const struct backend_device *device);

/* Whether a SPEC has the form of an ensemble's address: several with '+' between them, of which the first names a backend or is "host".
 * Members may still be wrong. NULL has not. */
bool device_address_joins(const char *spec);

/* The address of the ensemble as device_address writes it. USAGE, with what is wrong, where its members are not 2 to
 * BACKEND_MAXIMUM_MEMBERS different devices by number, the host last. */
enum status device_address_read(const char *spec, struct device_address *address, struct error *error);

#endif
