// SPDX-License-Identifier: Apache-2.0
/* The address of a device on the command line, between processes and in output. */
#ifndef ORCHIL_RUNNER_PROTOCOL_DEVICE_ADDRESS_H
#define ORCHIL_RUNNER_PROTOCOL_DEVICE_ADDRESS_H

#include "backends/backend.h"
#include "base/status.h"

enum { DEVICE_ADDRESS_SIZE = 112 };

struct device_address {
    char text[DEVICE_ADDRESS_SIZE];
};

/* "cuda:0"; for an ensemble, its members' addresses joined by '+', the host being "host":
 * "cuda:0+cuda:1", "cuda:0+host". */
struct device_address device_address(const struct backend_device *device);

/* The argument that gives a worker its device: the index in its backend ("0"), or the address of an
 * ensemble, which is the only one of its process. */
struct device_address device_worker_argument(const struct backend_device *device);

/* Reads the address of an ensemble, as device_address writes it. USAGE, with the error of
 * ensemble_parse. */
enum status device_address_read(const char *spec, struct device_address *address, struct error *error);

#endif
