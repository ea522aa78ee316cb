// SPDX-License-Identifier: Apache-2.0
/* The devices of an earlier run among those of now. Private to this folder. */
#ifndef ORCHIL_RUNNER_RUN_DEVICE_AGAIN_H
#define ORCHIL_RUNNER_RUN_DEVICE_AGAIN_H

#include "runner/run/plan_run.h"
#include "runner/supervise/devices.h"

/* Whether now is the device that was described as then: equal in all but its place in the list, and its memory within an
 * eighth. */
bool device_is_again(const struct backend_device *then, const struct backend_device *now);

/* The device of the list that is the one of then, and that is none of the plan's yet; the one at the same place first. NULL
 * where it is gone or is not the same any more (device_is_again). */
const struct backend_device *device_find_again(const struct device_list *list, const struct run_plan *plan,
                                               const struct backend_device *then);

/* NO_DEVICE: what is different about the device now, or that it is gone. */
enum status device_changed(const struct device_list *list, const struct backend_device *then, int64_t run_id,
                           struct error *error);

#endif
