// SPDX-License-Identifier: Apache-2.0
/* How a device is named on the command line, between processes and to people. */
#ifndef ORCHIL_RUNNER_SUPERVISE_DEVICE_ADDRESS_H
#define ORCHIL_RUNNER_SUPERVISE_DEVICE_ADDRESS_H

#include "backends/backend.h"
#include "base/status.h"

enum { DEVICE_ADDRESS_SIZE = 112 };

struct device_address {
    char text[DEVICE_ADDRESS_SIZE];
};

/* "cuda:0"; of an ensemble its members' with '+' between them, the host's as "host": "cuda:0+cuda:1", "cuda:0+host". */
struct device_address device_address(const struct backend_device *device);

/* The argument that tells a worker which device of its backend it serves: "0"; an ensemble, the only one of its process, by its
 * address. */
struct device_address device_worker_argument(const struct backend_device *device);

/* The address of an ensemble as device_address writes it. USAGE, with what is wrong, as ensemble_parse says. */
enum status device_address_read(const char *spec, struct device_address *address, struct error *error);

#endif
