// SPDX-License-Identifier: Apache-2.0
/* Finding the devices of an earlier run among the present ones. */
#ifndef ORCHIL_RUNNER_RUN_RESUMED_DEVICE_H
#define ORCHIL_RUNNER_RUN_RESUMED_DEVICE_H

#include "runner/run/plan_run.h"
#include "runner/supervise/devices.h"

/* Whether `now` is the device that `then` describes: equal in all but its place in the list, with
 * its memory within an eighth. */
bool device_is_resumed(const struct backend_device *then, const struct backend_device *now);

/* The device of the list that `then` describes (device_is_resumed) and that the plan does not have
 * yet; the device at the same place is tried first. NULL if it is gone or has changed. */
const struct backend_device *device_find_resumed(const struct device_list *list, const struct run_plan *plan,
                                                 const struct backend_device *then);

/* Returns NO_DEVICE, with the difference between the device then and now, or that it is gone. */
enum status device_changed(const struct device_list *list, const struct backend_device *then, int64_t run_id,
                           struct error *error);

#endif
