// SPDX-License-Identifier: Apache-2.0
/* A device as JSON and back, for scripts, the store and other processes. */
#ifndef ORCHIL_RUNNER_PROTOCOL_DEVICE_JSON_H
#define ORCHIL_RUNNER_PROTOCOL_DEVICE_JSON_H

#include <jansson.h>
#include <stdbool.h>

#include "backends/backend.h"
#include "base/status.h"

/* The name of the backend of ensembles. */
#define DEVICES_ENSEMBLE "ensemble"

/* As in `orchil devices --json`: backend, index, name, vendor, driver, uuid, ..., capabilities. */
json_t *device_to_json(const struct backend_device *device);
/* The caller owns the members of an ensemble, until device_release. */
enum status device_from_json(const json_t *json, struct backend_device *device, struct error *error);
void device_release(struct backend_device *device);

/* Whether two devices are equal except for their places in the list. */
bool device_is_equal(const struct backend_device *a, const struct backend_device *b);

#endif
