// SPDX-License-Identifier: Apache-2.0
/* A device: its address on the command line, between processes and in output; its capabilities in words; its JSON. */
#pragma once

#include <jansson.h>

#include "backends/backend.h"

/* ---- addresses ---- */

enum { DEVICE_ADDRESS_SIZE = 112 };

struct device_address {
    char text[DEVICE_ADDRESS_SIZE];
};

/* "cuda:0"; for an ensemble, its members' addresses joined by '+', the host being "host": "cuda:0+cuda:1",
 * "cuda:0+host". */
struct device_address device_address(const struct backend_device *device);

/* The argument that gives a worker its device: the index in its backend ("0"), or the address of an ensemble, which is
 * the only one of its process. */
struct device_address device_worker_argument(const struct backend_device *device);

/* Reads the address of an ensemble, as device_address writes it. USAGE, with the error of ensemble_parse. */
enum status device_address_read(const char *spec, struct device_address *address, struct error *error);

/* ---- JSON ---- */

/* The name of the backend of ensembles. */
#define DEVICES_ENSEMBLE "ensemble"

/* As in `orchil devices --json`: backend, index, name, vendor, driver, uuid, ..., capabilities. */
extern const struct field_type field_described_device_type;
json_t *field_described_device(const struct backend_device *device);
/* The caller owns the members of an ensemble, until device_release. */
enum status device_from_json(const json_t *json, struct backend_device *device, struct error *error);
void device_release(struct backend_device *device);

/* Whether two devices are equal except for their places in the list. */
bool device_is_equal(const struct backend_device *a, const struct backend_device *b);
